/** Files by patterns, found anew before each command without reading everything again. */
import assert from 'node:assert/strict'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { eventually } from '../../../test/support/eventually.js'
import { createFileSearch, MIN_CACHEABLE_FOLDER_AGE_MS, type PathPattern } from './pattern-search.js'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-search-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const make = (...names: string[]) => {
  for (const name of names) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), '')
  }
}
const named = (name: string, start = root): PathPattern => ({
  start,
  all: false,
  text: `Read(${name})`,
  matches: (path) => basename(path) === name,
})
const short = (paths: readonly string[]) => paths.map((path) => path.slice(root.length + 1)).sort()

it('finds files and folders at any depth, not below what it found, not in others’ code, not through links', () => {
  make('.env', 'a/b/.env', 'a/.env/inner/.env', 'node_modules/x/.env', '.git/.env', 'a/node_modules/.env')
  mkdirSync(join(root, 'elsewhere'))
  symlinkSync('a', join(root, 'link'))
  symlinkSync('../a/b', join(root, 'elsewhere/.env'))
  const search = createFileSearch()
  assert.deepEqual(short(search([named('.env')])), ['.env', 'a/.env', 'a/b/.env', 'elsewhere/.env'])
  assert.deepEqual(short(search([named('.env', join(root, 'node_modules/x'))])), ['node_modules/x/.env'])
  assert.deepEqual(search([named('.env', join(root, 'nonexistent'))]), [])
  assert.deepEqual(search([{ ...named('x'), start: '/all/of/it', all: true }]), ['/all/of/it'])
})

it('sees every change, also one that hides its time', () => {
  make('a/old/file', 'b/c/file')
  const search = createFileSearch()
  const found = () => short(search([named('.env')]))
  assert.deepEqual(found(), [])
  make('a/old/.env')
  assert.deepEqual(found(), ['a/old/.env'])
  rmSync(join(root, 'a/old/.env'))
  make('.env')
  renameSync(join(root, '.env'), join(root, 'b/c/.env'))
  for (const folder of ['.', 'b', 'b/c']) utimesSync(join(root, folder), 1, 1)
  assert.deepEqual(found(), ['b/c/.env'])
  renameSync(join(root, 'b'), join(root, 'moved'))
  assert.deepEqual(found(), ['moved/c/.env'])
})

it('reads a folder again only when it changed', async () => {
  make('a/.env', 'b/x')
  // Long enough ago to be sure that nothing happened in the same moment.
  const changedAt = Math.max(...['.', 'a', 'b'].map((folder) => lstatSync(join(root, folder)).ctimeMs))
  await eventually('the folders have settled', () => Date.now() - changedAt > MIN_CACHEABLE_FOLDER_AGE_MS)
  const search = createFileSearch()
  let looks = 0
  const counting = { ...named('.env'), matches: (path: string) => ++looks > 0 && basename(path) === '.env' }
  assert.deepEqual([short(search([counting])), looks], [['a/.env'], 4])
  assert.deepEqual([short(search([counting])), looks], [['a/.env'], 4])
  make('b/.env')
  assert.deepEqual([short(search([counting])), looks], [['a/.env', 'b/.env'], 6])
  // Whatever else is looked for meanwhile.
  search([named('x')])
  assert.deepEqual([short(search([counting])).length, looks], [2, 8])
})

it('refuses, by the name of the rule, to look through too much', () => {
  make('a/x', 'b/x')
  assert.deepEqual(createFileSearch(3)([named('.env')]), [])
  assert.throws(
    () => createFileSearch(2)([named('.env')]),
    /rule Read\(\.env\) .* too many folders .* Name the folders/,
  )
})

it('looks no further than it is told to', () => {
  make('a/.env', 'a/b/.env', 'a/b/c/.env', 'z/.env')
  const within = (depth: number, folders: number) =>
    short(createFileSearch()([{ ...named('.env'), within: { depth, folders } }]))
  assert.deepEqual(within(1, 100), ['a/.env', 'z/.env'])
  assert.deepEqual(within(2, 100), ['a/.env', 'a/b/.env', 'z/.env'])
  assert.equal(within(9, 3).length, 2)
})
