/** A text with a cursor: each movement and each change, and that undoing takes back what was done. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { TextBuffer } from './text-buffer.js'

/** `|` is where the cursor stands. */
function bufferOf(marked: string): TextBuffer {
  const at = marked.indexOf('|')
  const buffer = new TextBuffer()
  buffer.set(marked.replace('|', ''), at < 0 ? undefined : at)
  return buffer
}
const shown = ({ text, at }: TextBuffer) => `${text.slice(0, at)}|${text.slice(at)}`

type Step = Exclude<keyof TextBuffer, 'text' | 'at' | 'set' | 'insert' | 'complete' | 'rows' | 'moveRow'>
const after = (marked: string, ...steps: Step[]) => {
  const buffer = bufferOf(marked)
  for (const step of steps) buffer[step]()
  return shown(buffer)
}

describe('moving', () => {
  const cases: [from: string, step: Step, to: string][] = [
    ['ab|c', 'left', 'a|bc'],
    ['|abc', 'left', '|abc'],
    ['ab|c', 'right', 'abc|'],
    ['abc|', 'right', 'abc|'],
    // A character of several code points is one step.
    ['a👍|b', 'left', 'a|👍b'],
    ['a|e\u0301b', 'right', 'ae\u0301|b'],
    ['one two|', 'wordLeft', 'one |two'],
    ['one, |two', 'wordLeft', '|one, two'],
    ['one |two three', 'wordRight', 'one two| three'],
    ['one| two', 'wordRight', 'one two|'],
    ['naïve größe|', 'wordLeft', 'naïve |größe'],
    ['one\ntw|o\nthree', 'lineStart', 'one\n|two\nthree'],
    ['one\ntw|o\nthree', 'lineEnd', 'one\ntwo|\nthree'],
    ['one\ntw|o', 'start', '|one\ntwo'],
    ['o|ne\ntwo', 'end', 'one\ntwo|'],
  ]
  for (const [from, step, to] of cases)
    test(`${step}: ${JSON.stringify(from)}`, () => {
      assert.equal(after(from, step), to)
    })
})

describe('changing', () => {
  const cases: [from: string, step: Step, to: string][] = [
    ['ab|c', 'backspace', 'a|c'],
    ['|abc', 'backspace', '|abc'],
    ['a👍|b', 'backspace', 'a|b'],
    ['a|bc', 'delete', 'a|c'],
    ['abc|', 'delete', 'abc|'],
    ['one |two\nthree', 'killToEnd', 'one |\nthree'],
    // At the end of a line its break goes.
    ['one|\ntwo', 'killToEnd', 'one|two'],
    ['one|', 'killToEnd', 'one|'],
    ['one\ntw|o', 'killToStart', 'one\n|o'],
    ['one\n|two', 'killToStart', 'one|two'],
    ['rm -rf /tmp/a-b|', 'killWord', 'rm -rf |'],
    ['rm -rf  |', 'killWord', 'rm |'],
    ['/tmp/a-b|', 'killWordLeft', '/tmp/a-|'],
    ['one |two three', 'killWordRight', 'one | three'],
    ['ab|c', 'transpose', 'acb|'],
    ['abc|', 'transpose', 'acb|'],
    ['a|', 'transpose', 'a|'],
    ['|', 'transpose', '|'],
  ]
  for (const [from, step, to] of cases)
    test(`${step}: ${JSON.stringify(from)}`, () => {
      assert.equal(after(from, step), to)
    })

  test('what was cut last comes back where the cursor is, as often as wanted', () => {
    assert.equal(after('one two|', 'killWord', 'yank', 'yank'), 'one twotwo|')
    assert.equal(after('one two|', 'killWord', 'start', 'yank'), 'two|one ')
    // Nothing to cut leaves what was cut before.
    assert.equal(after('one two|', 'killWord', 'killToEnd', 'yank'), 'one two|')
    assert.equal(after('a|', 'yank'), 'a|')
  })

  test('complete puts a text in the place of the last so many characters', () => {
    const buffer = bufferOf('see @src/te| now')
    buffer.complete(7, '@src/terminal/')
    assert.equal(shown(buffer), 'see @src/terminal/| now')
  })

  test('a place beyond the end is the end', () => {
    const buffer = new TextBuffer()
    buffer.set('abc', 99)
    assert.equal(shown(buffer), 'abc|')
  })
})

describe('undoing', () => {
  test('goes back step by step, with the cursor, and no further than the beginning', () => {
    const buffer = bufferOf('one two|')
    buffer.killWord()
    buffer.insert('three')
    buffer.undo()
    assert.equal(shown(buffer), 'one |')
    buffer.undo()
    assert.equal(shown(buffer), 'one two|')
    for (let n = 0; n < 5; n += 1) buffer.undo()
    assert.equal(buffer.text, '')
  })

  test('keeps 200 steps', () => {
    const buffer = new TextBuffer()
    for (let n = 0; n < 300; n += 1) buffer.insert('x')
    for (let n = 0; n < 300; n += 1) buffer.undo()
    assert.equal(buffer.text.length, 100)
  })

  test('as many undos as changes lead back to the text before, whatever was changed', () => {
    const changes = ['backspace', 'delete', 'killToEnd', 'killToStart', 'killWord', 'transpose', 'yank'] as const
    const step = fc.oneof(fc.constantFrom(...changes), fc.constantFrom('left', 'right', 'wordLeft', 'lineEnd' as const))
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.array(step, { maxLength: 15 }), (text, steps) => {
        const buffer = new TextBuffer()
        buffer.set(text)
        for (const one of steps) buffer[one]()
        for (let n = 0; n < 50; n += 1) buffer.undo()
        assert.equal(buffer.text, '')
        assert.equal(buffer.at, 0)
      }),
    )
  })
})

describe('rows', () => {
  const rowTexts = (buffer: TextBuffer, columns: number) =>
    buffer.rows(columns).rows.map(({ start, end }) => buffer.text.slice(start, end))

  test('lines are cut where a column is full; wide characters take two', () => {
    assert.deepEqual(rowTexts(bufferOf('abcdef|'), 4), ['abcd', 'ef'])
    assert.deepEqual(rowTexts(bufferOf('文文文|'), 5), ['文文', '文'])
    assert.deepEqual(rowTexts(bufferOf('a\n\nb|'), 10), ['a', '', 'b'])
    // Behind a full row the cursor has one of its own.
    assert.deepEqual(rowTexts(bufferOf('abcd|'), 4), ['abcd', ''])
  })

  test('the cursor is in the row and column it is seen in', () => {
    const { row, column } = bufferOf('abcdef|').rows(4)
    assert.deepEqual({ row, column }, { row: 1, column: 2 })
    const wide = bufferOf('文a|').rows(10)
    assert.deepEqual([wide.row, wide.column], [0, 3])
  })

  test('up and down keep the column as far as the row goes, and tell when there is none', () => {
    const buffer = bufferOf('a long line\nshort\nanother lin|e')
    assert.equal(buffer.moveRow(-1, 80), true)
    assert.equal(shown(buffer), 'a long line\nshort|\nanother line')
    assert.equal(buffer.moveRow(-1, 80), true)
    assert.equal(shown(buffer), 'a lon|g line\nshort\nanother line')
    assert.equal(buffer.moveRow(-1, 80), false)
    assert.equal(shown(buffer), 'a lon|g line\nshort\nanother line')
    assert.equal(buffer.moveRow(1, 80), true)
  })

  test('whatever the text: rows are as wide as there is room, and together they are the text', () => {
    const unit = fc.constantFrom('a', ' ', '文', '👍', 'e\u0301', '\n')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 2, max: 20 }), (text, columns) => {
        const buffer = new TextBuffer()
        buffer.set(text)
        assert.equal(rowTexts(buffer, columns).join(''), text.replaceAll('\n', ''))
        const { row, column, rows } = buffer.rows(columns)
        assert.ok(row < rows.length && column <= columns)
      }),
    )
  })
})
