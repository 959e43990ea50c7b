/** A change as rows: pairs of lines, what differs in them, and gaps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DiffRowLine,
  inOneColumn,
  rowsOfHunks,
  rowsOfTexts,
  type ShownDiffRow,
} from '../../web/tools/diff-rows.js'
import fc from '../fast-check.js'

/** Each row in a few signs; what is marked is in brackets. */
const signs = (rows: readonly ShownDiffRow[]) =>
  rows.map((row) => {
    if (row.kind === 'gap') return `… ${row.count}`
    const side = (line: typeof row.before) => {
      if (!line) return ''
      const { number, text, mark } = line
      return `${number} ${mark ? `${text.slice(0, mark[0])}[${text.slice(...mark)}]${text.slice(mark[1])}` : text}`
    }
    return `${row.kind === 'same' ? '=' : '≠'} ${side(row.before)} | ${side(row.after)}`
  })

test('lines that changed are in one row, with the part of them that did', () => {
  assert.deepEqual(signs(rowsOfTexts('one\nconst a = 1\nthree\n', 'one\nconst a = 42\nthree\n')), [
    '= 1 one | 1 one',
    '≠ 2 const a = [1] | 2 const a = [42]',
    '= 3 three | 3 three',
  ])
})

test('lines that have little in common are not marked', () => {
  assert.deepEqual(signs(rowsOfTexts('abc\n', 'xyz\n')), ['≠ 1 abc | 1 xyz'])
})

test('more lines on one side leave the other one empty', () => {
  assert.deepEqual(signs(rowsOfTexts('a\n', 'a\nb\nc\n')), ['= 1 a | 1 a', '≠  | 2 b', '≠  | 3 c'])
  assert.deepEqual(signs(rowsOfTexts('a\nb\n', 'a\n')), ['= 1 a | 1 a', '≠ 2 b | '])
})

test('what is between changes, and before the first, is a gap', () => {
  const before = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`)
  const after = before.map((line, n) => (n === 9 || n === 25 ? `${line}!` : line))
  const gaps = rowsOfTexts(before.join('\n'), after.join('\n')).filter(({ kind }) => kind === 'gap')
  assert.deepEqual(gaps, [
    { kind: 'gap', count: 6 },
    { kind: 'gap', count: 9 },
  ])
})

test('a note on a missing end of line is no line', () => {
  const rows = rowsOfHunks([{ oldStart: 1, newStart: 1, lines: ['-a', '\\ No newline at end of file', '+b'] }])
  assert.deepEqual(signs(rows), ['≠ 1 a | 1 b'])
})

test('in one column, what went comes before what came, place by place', () => {
  const rows = rowsOfTexts('a\nb\nsame\nc\n', 'x\ny\nsame\nz\n')
  assert.deepEqual(signs(inOneColumn(rows)), [
    ...['≠ 1 a | ', '≠ 2 b | ', '≠  | 1 x', '≠  | 2 y'],
    ...['= 3 same | 3 same', '≠ 4 c | ', '≠  | 4 z'],
  ])
})

test('whatever changed: both texts are in the rows, line by line, with their numbers', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'const x = 1', ''), { maxLength: 12 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = rowsOfTexts(`${before.join('\n')}\n`, `${after.join('\n')}\n`)
      const lines = { before: [...before], after: [...after] }
      for (const row of rows) {
        if (row.kind === 'gap') continue
        for (const side of ['before', 'after'] as const) {
          const line: DiffRowLine | undefined = row[side]
          if (line) assert.equal(line.text, lines[side][line.number - 1] ?? '')
        }
      }
    }),
  )
})
