/** Facts that pages repeat, held against what they are facts about. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROBLEMS } from '../../src/server/api/problems.js'
import { root } from '../support/stage.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** Every source file that ships. */
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|(?:^|[\\/])test-/.test(path))
  .map((path) => ({ path, text: read(join('src', path)) }))

test('no entry of the CHANGELOG is there twice, or says of this version that something is still to come', () => {
  const text = read('CHANGELOG.md')
  const entries = text.split(/\n(?=- |\n)/).map((entry) => entry.replace(/\s+/g, ' ').trim())
  const bullets = entries.filter((entry) => entry.startsWith('- '))
  assert.deepEqual(
    bullets.filter((entry, at) => bullets.indexOf(entry) !== at),
    [],
  )
  assert.deepEqual(
    bullets.filter((entry) => /\bnot there yet\b|\bnothing public uses\b/i.test(entry)),
    [],
  )
})

test('the page on hooks says of every event that never happens that it does not, and offers no other use of it', () => {
  const never = [...read('docs/compatibility-tools.md').matchAll(/^\| `(\w+)` \| later \| Never happens/gm)].map(
    ([, name = '']) => name,
  )
  assert.deepEqual(never, ['WorktreeCreate', 'WorktreeRemove'])
  const lines = read('docs/hooks.md').split('\n')
  for (const name of never) {
    const naming = lines.filter((line) => line.includes(name))
    assert.equal(naming.length, 1, naming.join('\n'))
    assert.match(naming[0] ?? '', /never raised/)
  }
})

test('every KEDGE_ variable that is read has its row, and every row is read', () => {
  /** Between our own programs, or names of something else. */
  const internal = ['KEDGE_PRIVATE_FD', 'KEDGE_INTERNAL', 'KEDGE_KEY_VARIABLES', 'KEDGE_MCP_TOOL_SCHEMA', 'KEDGE_END']
  const rows = [...read('docs/compatibility-environment.md').matchAll(/^\| `(KEDGE_\w+)` \|/gm)].map(
    ([, name = '']) => name,
  )
  const read_ = new Set(sources.flatMap(({ text }) => text.match(/\bKEDGE_[A-Z][A-Z_]*[A-Z]\b/g) ?? []))
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const texts = pages.map((name) => read(`docs/${name}`)).join('\n')
  assert.deepEqual(
    [...read_].filter((name) => !internal.includes(name) && !texts.includes(name)),
    [],
  )
  assert.deepEqual(
    rows.filter((name) => !read_.has(name)),
    [],
  )
})

test('a name has one doc comment: of two, editors show the last alone', () => {
  const twice = sources.flatMap(({ path, text }) =>
    /\/\*\*[^\n]*\*\/\n[ \t]*\/\*\*/.test(text.replace(/^\/\*\*[\s\S]*?\*\/\n/, '')) ? [path] : [],
  )
  assert.deepEqual(twice, [])
})

test('the fix of a problem of a tenant names the tenant', () => {
  for (const code of ['budget_spent', 'tenant_paused'] as const)
    assert.match(PROBLEMS[code][1], /kedge admin tenant --tenant NAME --\w+/)
})

test('the figures of the README are those of the pages behind its links', () => {
  const readme = read('README.md').replace(/\s+/g, ' ')
  const proof = read('docs/proof.md')
  const [works = 0, differs = 0, refused = 0, later = 0] = (/\*\*all\*\* \|(.*)$/m.exec(proof)?.[1] ?? '')
    .split('|')
    .map((cell) => Number(cell.replaceAll('*', '')))
  const all = works + differs + refused + later
  assert.ok(all > 600, `${all} names`)
  assert.ok(readme.includes(`${works + differs} of the ${all} names`), `${works + differs} of the ${all} names`)
  assert.ok(readme.includes(`the other ${refused + later} fail`), `the other ${refused + later} fail`)
  const rows = read('docs/performance.md').split('\n')
  const cells = (title: string) => (rows.find((row) => row.startsWith(`| ${title}`)) ?? assert.fail(title)).split('|')
  const figure = (cell = '') => /[\d.]+/.exec(cell)?.[0]
  const start = cells('A cold start')
  const memory = cells('A peak PSS MB')
  assert.ok(
    readme.includes(`${figure(start[4])} ms in your process, ${figure(start[2])} ms as a child`),
    start.join('|'),
  )
  assert.ok(readme.includes(`${Math.round(Number(figure(start[9])))} ms as a child |`), start[9])
  assert.ok(
    readme.includes(`${figure(memory[4])} MB in your process, ${Math.round(Number(figure(memory[2])))} MB as a child`),
    memory.join('|'),
  )
  assert.ok(readme.includes(`${Math.round(Number(figure(memory[9])))} MB as a child |`), memory[9])
  const [corpus] = /^\| cases with a known right answer, 0 unsafe allows \| (\d+)/m.exec(proof)?.slice(1) ?? []
  assert.ok(readme.includes(`${corpus} of ${corpus} test cases`), corpus)
})
