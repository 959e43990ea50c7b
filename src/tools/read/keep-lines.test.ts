import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import type { TextEncoding } from '../files/text-encoding.js'
import { createLineKeeper, type LineWindow } from './keep-lines.js'

const ALL: LineWindow = { startLine: 1, count: Number.POSITIVE_INFINITY, maxBytes: 1e9 }

function encode(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'latin1') return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

function keep(pieces: Buffer[], window: Partial<LineWindow> = {}, encoding: TextEncoding = 'utf-8') {
  const keeper = createLineKeeper(
    { ...ALL, ...window },
    encoding.startsWith('utf-16') ? (encoding as 'utf-16le') : 'byte',
  )
  for (const piece of pieces) keeper.add(piece)
  return keeper.end(encoding)
}

const texts = (text: string, window: Partial<LineWindow> = {}, encoding: TextEncoding = 'utf-8') => {
  const { lines, totalLines } = keep([encode(text, encoding)], window, encoding)
  return { lines: lines?.map((line) => line.text), totalLines }
}

describe('a window of lines', () => {
  const rows: [what: string, text: string, window: Partial<LineWindow>, lines: string[], total: number][] = [
    ['nothing is one empty line', '', {}, [''], 1],
    ['one line', 'a', {}, ['a'], 1],
    ['a newline at the end is an empty last line', 'a\n', {}, ['a', ''], 2],
    ['three', 'a\nb\nc', {}, ['a', 'b', 'c'], 3],
    ['ends of Windows', 'a\r\nb\r\n', {}, ['a', 'b', ''], 3],
    ['a return inside a line, or at the very end, stays', 'a\rb\nc\r', {}, ['a\rb', 'c\r'], 2],
    ['a mark at the start is none of the text', '\ufeffa\n\ufeffb', {}, ['a', '\ufeffb'], 2],
    ['from the second', 'a\nb\nc', { startLine: 2 }, ['b', 'c'], 3],
    ['the second only', 'a\nb\nc', { startLine: 2, count: 1 }, ['b'], 3],
    ['none', 'a\nb', { count: 0 }, [], 2],
    ['behind the end', 'a\nb', { startLine: 5 }, [], 2],
    ['more than there are', 'a\nb', { startLine: 2, count: 10 }, ['b'], 2],
  ]
  for (const [what, text, window, lines, total] of rows) {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      test(`${what} (${encoding})`, () => {
        assert.deepEqual(texts(text, window, encoding), { lines, totalLines: total })
      })
    }
  }

  test('in an old encoding', () => {
    assert.deepEqual(texts('Grüße\nß', {}, 'latin1'), { lines: ['Grüße', 'ß'], totalLines: 2 })
  })

  test('a byte that only looks like an end of line is none in UTF-16', () => {
    // A byte 10 of one character, or of two side by side, in one order and the other.
    const text = 'a\u010ab\u0a01c\u0a0ad\u0100\u0a05\u0100\ne'
    const lines = ['a\u010ab\u0a01c\u0a0ad\u0100\u0a05\u0100', 'e']
    assert.deepEqual(texts(text, {}, 'utf-16le'), { lines, totalLines: 2 })
    assert.deepEqual(texts(text, {}, 'utf-16be'), { lines, totalLines: 2 })
  })

  test('pieces are copied: their buffer is used again', () => {
    const keeper = createLineKeeper(ALL, 'byte')
    const buffer = Buffer.from('abc')
    keeper.add(buffer)
    buffer.write('xyz')
    keeper.add(buffer.subarray(0, 2))
    assert.deepEqual(keeper.end('utf-8').lines, [{ text: 'abcxy', hidden: 0 }])
  })

  test('however it is cut, the lines are the same', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '\r', 'long word'), { maxLength: 30 })
    const encoding = fc.constantFrom<TextEncoding>('utf-8', 'utf-16le', 'utf-16be')
    const window = fc.record({ startLine: fc.integer({ min: 1, max: 6 }), count: fc.nat({ max: 6 }) })
    fc.assert(
      fc.property(text, encoding, window, fc.nat({ max: 9 }), (parts, how, { startLine, count }, size) => {
        const whole = parts.join('')
        const bytes = encode(whole, how)
        // Pieces hold an even number of bytes, but for the last.
        const step = 2 * (size + 1)
        const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, n) =>
          bytes.subarray(n * step, (n + 1) * step),
        )
        const all = whole.split('\n')
        const plain = all.map((line, n) => (n < all.length - 1 ? line.replace(/\r$/, '') : line))
        const wanted = plain.slice(startLine - 1, startLine - 1 + count)
        assert.deepEqual(keep(pieces, { startLine, count }, how), {
          lines: wanted.map((line) => ({ text: line, hidden: 0 })),
          totalLines: all.length,
          endsInNewline: all.at(-1) === '',
        })
      }),
      { numRuns: byTier({ quick: 75, all: 300 }) },
    )
  })
})

describe('what can not be shown is not kept', () => {
  test('more bytes than the bound: no lines, but their number', () => {
    const text = 'x'.repeat(92)
    const lines = (count: number) => Array(count).fill(text).join('\n')
    // A line counts with its number, eight more.
    assert.equal(texts(lines(10), { maxBytes: 1000 }).lines?.length, 10)
    assert.deepEqual(texts(lines(11), { maxBytes: 1000 }), { lines: undefined, totalLines: 11 })
    assert.deepEqual(texts('\n'.repeat(1000), { maxBytes: 1000 }), { lines: undefined, totalLines: 1001 })
  })

  test('what is outside of the window does not count', () => {
    const text = `${'x'.repeat(5000)}\nshort\n${'y'.repeat(5000)}`
    assert.deepEqual(texts(text, { startLine: 2, count: 1, maxBytes: 100 }), { lines: ['short'], totalLines: 3 })
  })

  test('a line of a megabyte is kept in its beginning, and it is said how much is missing', () => {
    const { lines } = keep([Buffer.from(`${'x'.repeat(1024 * 1024)}\nshort`)])
    assert.deepEqual(
      lines?.map(({ text, hidden }) => [text.length, hidden]),
      [
        [256 * 1024, 768 * 1024],
        [5, 0],
      ],
    )
  })

  test('after 256 KiB long lines are kept up to 8 KiB each, in full if they are shorter', () => {
    const full = 'f'.repeat(256 * 1024)
    const long = 'l'.repeat(10_000)
    const { lines } = keep([Buffer.from([full, long, 'short', long].join('\n'))])
    assert.deepEqual(
      lines?.map(({ text, hidden }) => [text.length, hidden]),
      [
        [256 * 1024, 0],
        [8192, 10_000 - 8192],
        [5, 0],
        [8192, 10_000 - 8192],
      ],
    )
  })

  test('the return at the end of a line that was cut is not looked for', () => {
    const { lines } = keep([Buffer.from(`${'x'.repeat(256 * 1024 - 1)}\ryyy\n`)])
    assert.equal(lines?.[0]?.text.at(-1), '\r')
    assert.equal(lines?.[0]?.hidden, 3)
  })
})
