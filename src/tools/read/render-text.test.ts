import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LineBeginning } from './keep-lines.js'
import { joinLinesWithoutNumbers, lineWindowOf, renderLines } from './render-text.js'

const kept = (...texts: string[]): LineBeginning[] => texts.map((text) => ({ text, hidden: 0 }))
const render = (texts: string[], startLine: number, totalLines: number, endsInNewline = false) =>
  renderLines({ lines: kept(...texts), startLine, totalLines, endsInNewline })

describe('which lines are wanted', () => {
  const at = (offset?: number, limit?: number) =>
    lineWindowOf({
      file_path: '/x',
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined ? {} : { limit }),
    })

  test('all, without saying', () => assert.deepEqual(at(), { startLine: 1, count: Number.POSITIVE_INFINITY }))
  test('from one on, so many', () => assert.deepEqual(at(10, 5), { startLine: 10, count: 5 }))
  test('what makes no sense is the nearest that does', () => {
    assert.deepEqual(at(0, 5), { startLine: 1, count: 5 })
    assert.deepEqual(at(-7, -1), { startLine: 1, count: 0 })
    assert.deepEqual(at(2.9, 3.9), { startLine: 2, count: 3 })
  })
})

describe('lines for the model', () => {
  test('with their numbers', () => {
    assert.equal(render(['a', '', 'c'], 1, 3), '     1→a\n     2→\n     3→c')
    assert.equal(render(['x'], 123_456, 123_456), '123456→x')
    assert.equal(render(['x'], 1_234_567, 1_234_567), '1234567→x')
  })

  test('it is said where to read on, and nothing else', () => {
    assert.equal(render(['a', 'b'], 1, 2), '     1→a\n     2→b')
    assert.equal(render(['a', 'b'], 3, 9), '     3→a\n     4→b\n\n(Lines 3 to 4 of 9. Use offset to read on.)')
    assert.equal(render(['y', 'z'], 8, 9), '     8→y\n     9→z')
  })

  test('the newline at the end of a file begins no further line', () => {
    assert.equal(render(['a', 'b', ''], 1, 3, true), '     1→a\n     2→b')
    assert.equal(render(['b', ''], 2, 3, true), '     2→b')
    assert.equal(render(['a'], 1, 3, true), '     1→a\n\n(Lines 1 to 1 of 2. Use offset to read on.)')
    assert.equal(render([''], 3, 3, true), '(Line 3 is past the end: the file has 2 lines.)')
    assert.equal(render(['', ''], 1, 2, true), '     1→')
  })

  test('an empty file, and no lines for three reasons', () => {
    assert.equal(render([''], 1, 1, true), '(The file exists but is empty.)')
    assert.equal(render([''], 1, 1), '(The file exists but is empty.)')
    assert.match(render([], 1, 5), /limit must be at least 1/)
    assert.match(render([], 7, 5), /Line 7 is past the end: the file has 5 lines\./)
    assert.match(render([], 2, 1), /the file has 1 line\./)
  })

  test('an empty line of a longer file is a line', () => {
    assert.equal(render([''], 2, 2), '     2→')
    assert.equal(render(['', ''], 1, 2), '     1→\n     2→')
  })

  test('long ones are cut, and say by how much', () => {
    const line = (text: string, hidden = 0) =>
      renderLines({ lines: [{ text, hidden }], startLine: 1, totalLines: 1, endsInNewline: false })
    assert.equal(line('x'.repeat(2000)), `     1→${'x'.repeat(2000)}`)
    assert.equal(line('x'.repeat(2001)), `     1→${'x'.repeat(2000)}… [1 more characters in this line]`)
    assert.match(line('x'.repeat(8192), 1024 * 1024), /x… \[about 1(\.\d+)? ?MB more in this line\]$/i)
  })
})

describe('lines for hosts', () => {
  test('are whole, without numbers', () => {
    const long = 'x'.repeat(5000)
    assert.equal(joinLinesWithoutNumbers(kept('a', long, '')), `a\n${long}\n`)
    assert.equal(joinLinesWithoutNumbers([]), '')
  })

  test('except where not all was kept', () => {
    assert.match(
      joinLinesWithoutNumbers([{ text: 'x'.repeat(8192), hidden: 10 }]),
      /^x{2000}… \[about .* more in this line\]$/,
    )
  })
})
