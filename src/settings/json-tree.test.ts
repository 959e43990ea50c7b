import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { jsonNodeToValue, lineAndColumnAt, scanJson } from './json-tree.js'

const numRuns = byTier({ quick: 500, all: 2000, long: 200_000 })

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The value, when it is JSON without slack. */
function strict(text: string): { value: unknown } | undefined {
  const { root, error, slack } = scanJson(text)
  return root && !error && slack.length === 0 ? { value: jsonNodeToValue(root) } : undefined
}

test('is JSON exactly when JSON.parse says so, with the same value', () => {
  const pieces = fc.array(
    fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '\\', '/', ' ', '\n', '\t', '\r', '\u00a0', '\ufeff', '0', '1', '-', '.'],
      ...['e', 'E', '+', 'true', 'false', 'null', 'nul', '"a"', '"__proto__"', '"\\u00e9"', '"\\ud800"', '\\u12', 'é'],
      ...['{"a":1}', '[1,2]', '[]', '{}', '01', '1.', '.5', '-0', '1e400', '\u0000', '\u001f', '\u007f'],
    ),
    { maxLength: 12 },
  )
  const texts = fc.oneof(
    pieces.map((list) => list.join('')),
    fc.json({ maxDepth: 4 }),
    fc.json().chain((text) => fc.nat(text.length).map((at) => text.slice(0, at) + text.slice(at + 1))),
  )
  fc.assert(
    fc.property(texts, (text) => assert.deepEqual(strict(text), parsed(text))),
    { numRuns },
  )
})

test('where everything stands', () => {
  const text = '{ "a": [1, "x"], "b": {} }'
  const { root } = scanJson(text)
  assert.deepEqual(root, {
    kind: 'object',
    start: 0,
    end: 26,
    commas: [15],
    members: [
      {
        start: 2,
        key: 'a',
        value: {
          kind: 'array',
          start: 7,
          end: 15,
          commas: [9],
          items: [
            { kind: 'scalar', start: 8, end: 9, value: 1 },
            { kind: 'scalar', start: 11, end: 14, value: 'x' },
          ],
        },
      },
      { start: 17, key: 'b', value: { kind: 'object', start: 22, end: 24, members: [], commas: [] } },
    ],
  })
})

test('what JSON does not have is understood and reported', () => {
  const text = '\ufeff// one\n{"a": [1, /* two\n*/ 2,],} // three'
  const { root, error, slack, comments } = scanJson(text)
  assert.deepEqual(root && jsonNodeToValue(root), { a: [1, 2] })
  assert.equal(error, undefined)
  assert.deepEqual(
    slack.map(({ offset, reason }) => [offset, reason]),
    [
      [0, 'it starts with a byte order mark'],
      [1, 'JSON has no comments'],
      [18, 'JSON has no comments'],
      [29, 'a comma stands before the ]'],
      [31, 'a comma stands before the }'],
      [34, 'JSON has no comments'],
    ],
  )
  assert.deepEqual(
    comments.map(({ start, end }) => text.slice(start, end)),
    ['// one', '/* two\n*/', '// three'],
  )
})

test('errors name their place', () => {
  const cases: [string, number, string][] = [
    ['{', 1, 'the text ends too early'],
    ['[1', 2, 'the text ends too early'],
    ['[1 2]', 3, 'a comma is missing'],
    ['{"a" 1}', 5, 'a colon must stand here'],
    ['{a: 1}', 1, 'a key in quotes must stand here'],
    ["{'a': 1}", 1, 'a key in quotes must stand here'],
    ['{"a": x}', 6, "this isn't a JSON value"],
    ['{"a": "x}', 6, 'the quote is not closed'],
    ['{"a": "x\ny"}', 8, 'a line break or control character stands inside quotes'],
    ['["\\x"]', 2, 'a backslash is followed by what JSON does not know'],
    ['["\\', 2, 'a backslash is followed by what JSON does not know'],
    ['[1] 2', 4, 'something stands after the end'],
    ['[1,,2]', 3, "this isn't a JSON value"],
    ['[,]', 1, "this isn't a JSON value"],
    ['/* a', 0, 'a comment is not closed'],
    ['/', 0, 'a / has no place here'],
    [`${'['.repeat(102)}`, 101, 'nested more than 100 deep'],
  ]
  for (const [text, offset, reason] of cases) assert.deepEqual(scanJson(text).error, { offset, reason }, text)
})

test('what stands before an error is still there', () => {
  const { root, error } = scanJson('{"permissions": {"deny": ["Bash(rm *)", "Read(x')
  assert.ok(error)
  assert.deepEqual(root && jsonNodeToValue(root), { permissions: { deny: ['Bash(rm *)'] } })
})

test('nothing is not an error', () => {
  for (const text of ['', ' \n', '\ufeff', '// only this']) {
    const { root, error } = scanJson(text)
    assert.deepEqual([root, error], [undefined, undefined])
  }
})

test('large and deep texts end', () => {
  assert.equal(scanJson(`["${'x'.repeat(1_000_000)}"]`).error, undefined)
  assert.equal(scanJson(`[${'1,'.repeat(300_000)}1]`).error, undefined)
  assert.ok(scanJson('{"a":'.repeat(200_000)).error)
})

test('lines and columns are counted as editors do', () => {
  assert.deepEqual(lineAndColumnAt('abc', 0), { line: 1, column: 1 })
  assert.deepEqual(lineAndColumnAt('\nabc', 0), { line: 1, column: 1 })
  assert.deepEqual(lineAndColumnAt('a\r\nbc', 4), { line: 2, column: 2 })
  assert.deepEqual(lineAndColumnAt('a\nb', 3), { line: 2, column: 2 })
  assert.deepEqual(lineAndColumnAt('\ufeff{}', 1), { line: 1, column: 1 })
  assert.deepEqual(lineAndColumnAt('\ufeff{}', 0), { line: 1, column: 1 })
})
