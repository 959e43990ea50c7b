/** Errors for users: each has its row with all cells filled, a fix, and no word from inside Kedge. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PROBLEMS } from '../../src/server/api/problems.js'
import { root } from '../support/stage.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const rows = read('docs/errors.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  )
const documented = new Set(rows.flatMap(([codes = '']) => [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code)))
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: read(join('src', path)) }))

/** Names of parts of Kedge, and words of its first texts. */
const INTERNAL =
  /\b(?:hub|asks|(?:an|the|this|no) ask|stretch|journal|epoch|fenced|mend|anew|somebody|nobody|go(?:es)? on)\b/i
const withoutCode = (text: string) => text.replace(/`[^`]*`|\/v1\/\S+|\/universal\/\S+/g, '')

test('every row has when, why and what to do', () => {
  assert.ok(rows.length > 70, `${rows.length} rows`)
  const odd = rows.filter((cells) => cells.length < 4 || cells.some((cell) => cell.length < 3 || /^[–-]$/.test(cell)))
  assert.deepEqual(odd, [])
})

test('every code that Kedge throws, and every code of a result, has its row', () => {
  const [, union = ''] = /export type KedgeErrorCode =([\s\S]*?)\n\n/.exec(read('src/errors.ts')) ?? []
  const thrown = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
  assert.ok(thrown.length > 35)
  const results = sources.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:errorCode|error_code): '(\w+)'/g)].map(([, code]) => code),
  )
  assert.ok(results.length > 5)
  const missing = new Set([...thrown, ...results].filter((code) => !documented.has(code)))
  assert.deepEqual([...missing], [])
})

test('neither the page nor a fix of the server has a word from inside Kedge', () => {
  const cells = rows.flat().filter((cell) => INTERNAL.test(withoutCode(cell)))
  assert.deepEqual(cells, [])
  const fixes = Object.entries(PROBLEMS).filter(([, [, fix]]) => INTERNAL.test(withoutCode(fix)))
  assert.deepEqual(fixes, [])
})

test('a fix of the server is a sentence that starts with what to do', () => {
  for (const [code, [, fix]] of Object.entries(PROBLEMS)) assert.match(fix, /^[A-Z].*(?:\.|--\w+(?: [A-Z]+)?)$/, code)
})

test('no error that is thrown names a part of Kedge that users do not know', () => {
  const thrown = /new (?:KedgeError|HttpProblem)\(\s*'\w+',\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
  const odd = sources.flatMap(({ path, text }) =>
    [...text.matchAll(thrown)]
      .map(([, , message = '']) => message.replace(/\$\{[^}]*\}/g, ''))
      .filter((message) => INTERNAL.test(withoutCode(message)))
      .map((message) => `${path}: ${message}`),
  )
  assert.deepEqual(odd, [])
})
