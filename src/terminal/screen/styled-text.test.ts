import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { nextCharacterOffset, previousCharacterOffset, unstyledTextWidth } from './char-width.js'
import { cutText, textWidth, withoutStyles, wrapText } from './styled-text.js'
import { commandOutputLines, toTerminalSafeLines } from './terminal-safe-text.js'

const RED = '\u001b[31m'
const OFF = '\u001b[39m'

test('widths: letters 1, East Asian and emoji 2, marks 0, a mark that asks for a picture widens', () => {
  const widths = { abc: 3, 文字: 4, 'e\u0301': 1, '👍': 2, '❤\ufe0f': 2, ａ: 2, שלום: 4, '': 0 }
  for (const [text, width] of Object.entries(widths)) assert.equal(unstyledTextWidth(text), width, text)
  assert.equal(textWidth(`${RED}文${OFF}x`), 3)
})

test('wrapping: between words, in a word that is too long, with an indent, styles go on in the next row', () => {
  assert.deepEqual(wrapText('one two three', 8), ['one two', 'three'])
  assert.deepEqual(wrapText('abcdefghij', 4), ['abcd', 'efgh', 'ij'])
  assert.deepEqual(wrapText('- one two three', 9, { indent: '  ' }), ['- one two', '  three'])
  assert.deepEqual(wrapText(`${RED}one two${OFF} x`, 4), [`${RED}one\u001b[0m`, `${RED}two${OFF}\u001b[0m`, 'x'])
  assert.deepEqual(wrapText('a  b', 4, { anywhere: true }), ['a  b'])
  assert.deepEqual(wrapText('文文文', 4), ['文文', '文'])
})

test('whatever is wrapped: no row is too wide, and nothing but blanks is lost', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '文', '👍', 'e\u0301', '-') }),
      fc.integer({ min: 4, max: 30 }),
      (text, columns) => {
        const rows = wrapText(`${RED}${text}${OFF}`, columns)
        for (const row of rows) assert.ok(textWidth(row) <= columns, JSON.stringify(row))
        assert.equal(withoutStyles(rows.join('')).replaceAll(' ', ''), text.replaceAll(' ', ''))
        for (const row of wrapText(text, columns, { anywhere: true })) assert.ok(textWidth(row) <= columns)
      },
    ),
  )
})

test('cutting says that something is missing, and ends its styles', () => {
  assert.equal(cutText('abcdef', 4), 'abc…\u001b[0m')
  assert.equal(cutText('abcd', 4), 'abcd')
})

test('a cursor moves over whole characters, there and back', () => {
  const text = 'ae\u0301文👩‍👩‍👧b'
  const stops = [0]
  while ((stops.at(-1) ?? 0) < text.length) stops.push(nextCharacterOffset(text, stops.at(-1) ?? 0))
  assert.deepEqual(stops, [0, 1, 3, 4, 12, 13])
  for (let n = stops.length - 1; n > 0; n -= 1) assert.equal(previousCharacterOffset(text, stops[n] ?? 0), stops[n - 1])
})

test('what commands print: no escapes, of a line that was written over the last version, tabs as blanks', () => {
  assert.deepEqual(commandOutputLines('\u001b[32mok\u001b[0m\r\n10%\r50%\r100%\na\tb\n\u001b]0;t\u0007x'), [
    'ok',
    '100%',
    'a   b',
    'x',
  ])
  assert.deepEqual(toTerminalSafeLines('a\u001b[2Jb\u202e'), ['a\ufffd[2Jb\ufffd'])
})
