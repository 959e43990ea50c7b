/** Why a text was not found, in the words that help to find it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { explainMissingOldString } from './explain-missing-old-string.js'

const file = [
  'import a from "a"',
  '',
  'export function add(x, y) {',
  '\treturn x + y',
  '}',
  '',
  "const name = 'Ada'",
  '',
].join('\n')

test('what was copied with the line numbers of Read', () => {
  assert.equal(
    explainMissingOldString(file, '     3→export function add(x, y) {\n     4→\treturn x + y'),
    'It contains the line numbers of Read; leave out the number and the arrow. Without them it stands at line 3.',
  )
  assert.match(
    explainMissingOldString(file, '     4→  return x + y'),
    /^It contains the line numbers.* Line 4 matches but for spaces/,
  )
})

test('what differs in spaces, in case or in quotes only', () => {
  assert.equal(
    explainMissingOldString(file, 'export function add(x, y) {\n    return x + y\n}'),
    'Lines 3-5 match but for spaces. In the file:\nexport function add(x, y) {\n\treturn x + y\n}',
  )
  assert.equal(
    explainMissingOldString(file, 'const name = ‘Ada’'),
    "Line 7 matches but for case or quotes. In the file:\nconst name = 'Ada'",
  )
})

test('the lines that come closest', () => {
  assert.equal(
    explainMissingOldString(file, 'export function add(a, b) {'),
    'Line 3 comes closest. In the file:\nexport function add(x, y) {',
  )
  assert.match(
    explainMissingOldString(file, 'export function add(a, b) {\n  return a - b\n}'),
    /^Lines 3-5 come closest\. In the file:\nexport function add\(x, y\) \{\n\treturn x \+ y\n\}$/,
  )
  for (const wanted of ['zz', 'quite another thing', '\n\n']) assert.equal(explainMissingOldString(file, wanted), '')
})

test('is short, whatever it is given', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), fc.string({ maxLength: 200 }), (text, wanted) => {
      assert.ok(explainMissingOldString(text, wanted).length < 1600)
    }),
    { numRuns: 300 },
  )
  assert.ok(explainMissingOldString(`${'x'.repeat(100_000)}y`, 'x'.repeat(100_000)).length < 1600)
})
