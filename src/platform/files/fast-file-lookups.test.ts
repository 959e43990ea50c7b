import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { listEntries, modificationTime, nextEventLoopRound, readSmallFile } from './fast-file-lookups.js'

let root: string
const at = (name: string) => join(root, name)

before(() => {
  root = mkdtempSync(join(tmpdir(), 'kedge-many-'))
  writeFileSync(at('file'), 'hello')
  writeFileSync(at('empty'), '')
  mkdirSync(at('folder'))
  symlinkSync('file', at('link'))
  symlinkSync('gone', at('nowhere'))
  execFileSync('mkfifo', [at('pipe')])
})
after(() => rmSync(root, { recursive: true, force: true }))

describe('what is in a folder', () => {
  const KINDS = { empty: 'file', file: 'file', folder: 'directory', link: 'symlink', nowhere: 'symlink', pipe: 'other' }

  for (const limit of [undefined, 100]) {
    test(`names and kinds, links as links${limit ? ', at most so many' : ''}`, async () => {
      const entries = await listEntries(root, limit)
      assert.deepEqual(Object.fromEntries(entries.map(({ name, kind }) => [name, kind])), KINDS)
    })

    test(`no folder${limit ? ', with a limit' : ''}`, async () => {
      await assert.rejects(listEntries(at('gone'), limit), { code: 'ENOENT' })
      await assert.rejects(listEntries(at('file'), limit), { code: 'ENOTDIR' })
    })
  }

  test('no more than the limit, of a small folder and of a large one', async () => {
    assert.equal((await listEntries(root, 2)).length, 2)
    assert.deepEqual(await listEntries(root, 0), [])
    const large = at('large')
    mkdirSync(large)
    for (let n = 0; n < 1200; n += 1) writeFileSync(join(large, `${'long-name-'.repeat(8)}${n}`), '')
    assert.equal((await listEntries(large, 7)).length, 7)
    assert.equal((await listEntries(large, 5000)).length, 1200)
    assert.equal(new Set((await listEntries(large, 5000)).map(({ name }) => name)).size, 1200)
  })
})

describe('when a file changed', () => {
  test('of the link itself; 0 for what is gone, or no name', () => {
    utimesSync(at('file'), 1000, 1234.5)
    assert.equal(modificationTime(at('file')), 1_234_500)
    assert.notEqual(modificationTime(at('link')), 1_234_500)
    assert.ok(modificationTime(at('nowhere')) > 0)
    assert.equal(modificationTime(at('gone')), 0)
    assert.equal(modificationTime(at('file/below')), 0)
    assert.equal(modificationTime('no\0name'), 0)
  })
})

describe('a small file', () => {
  const text = (name: string, most = 100) => {
    const bytes = readSmallFile(at(name), most)
    return bytes && Buffer.from(bytes).toString()
  }

  test('as long as it is small enough', () => {
    assert.equal(text('file'), 'hello')
    assert.equal(text('file', 5), 'hello')
    assert.equal(text('file', 4), undefined)
  })

  test('nothing else: an empty one, a folder, a link, a pipe nobody writes to, none at all', () => {
    for (const name of ['empty', 'folder', 'link', 'pipe', 'gone']) assert.equal(text(name), undefined, name)
  })

  test('no handle is left open', () => {
    for (let n = 0; n < 3000; n += 1) text(n % 2 === 0 ? 'file' : 'folder', n % 3)
    assert.equal(text('file'), 'hello')
  })
})

test('a pause lets others go on', async () => {
  const order: string[] = []
  setImmediate(() => order.push('other'))
  await nextEventLoopRound()
  assert.deepEqual(order, ['other'])
})
