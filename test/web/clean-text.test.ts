/** What strangers wrote can only be text: no controls, nothing hidden, no address that does something. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ago, dollars, duration, tokens } from '../../web/parts/formats.js'
import { parseTerminalOutput } from '../../web/safe/ansi.js'
import {
  exactDisplayLine,
  safeAddress,
  toDisplaySafeLine,
  toDisplaySafeText,
  toStringOrEmpty,
} from '../../web/safe/clean-text.js'
import fc, { anyCharacter } from '../fast-check.js'

describe('text', () => {
  test('escapes and controls are gone, line ends are one kind', () => {
    assert.equal(toDisplaySafeText('a\u001b[31mb\u001b[0m\u0007c'), 'abc')
    assert.equal(toDisplaySafeText('\u001b]0;title\u0007x\u001b]8;;https://e.com\u001b\\y'), 'xy')
    assert.equal(toDisplaySafeText('a\r\nb\rc\td'), 'a\nb\nc\td')
  })

  test('what can not be seen, or turns lines around, is marked; what joins letters is not', () => {
    assert.equal(toDisplaySafeText('a\u202eb'), 'a[U+202E]b')
    assert.equal(toDisplaySafeText('a\u200bb'), 'a[U+200B]b')
    assert.equal(toDisplaySafeText('👩\u200d💻'), '👩\u200d💻')
  })

  test('one line, with an end to it', () => {
    assert.equal(toDisplaySafeLine(' a\n\n b\tc '), 'a b c')
    assert.equal(toDisplaySafeLine('x'.repeat(400)).length, 301)
    const long = exactDisplayLine(`begin ${'x'.repeat(1000)} end`, 100)
    assert.match(long, /^begin .*end$/)
    assert.ok(long.length < 200, long)
  })

  test('whatever comes in, no control comes out', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
        assert.doesNotMatch(toDisplaySafeText(text), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      }),
    )
  })
})

describe('output of a terminal', () => {
  test('colors become styles, the rest is left out', () => {
    assert.deepEqual(parseTerminalOutput('plain \u001b[1;31mred\u001b[0m end'), [
      { text: 'plain ', style: '' },
      { text: 'red', style: 'ansi-bold ansi-red' },
      { text: ' end', style: '' },
    ])
    assert.deepEqual(
      parseTerminalOutput('\u001b[2J\u001b[Hx\u001b]0;t\u0007y')
        .map(({ text }) => text)
        .join(''),
      'xy',
    )
  })

  test('a second color takes the place of the first; bold ends without the color', () => {
    const styles = (text: string) => parseTerminalOutput(text).map(({ style }) => style)
    assert.deepEqual(styles('\u001b[31ma\u001b[92mb\u001b[39mc'), ['ansi-red', 'ansi-green', ''])
    assert.deepEqual(styles('\u001b[1m\u001b[4m\u001b[36ma\u001b[22mb'), [
      'ansi-bold ansi-underline ansi-cyan',
      'ansi-underline ansi-cyan',
    ])
    // Colors of other kinds are passed over with their numbers.
    assert.deepEqual(styles('\u001b[38;5;196ma\u001b[48;2;1;2;3mb\u001b[38;5;1;3mc'), ['', '', 'ansi-italic'])
  })

  test('what was written over is not shown', () => {
    assert.deepEqual(parseTerminalOutput('10%\r50%\r100%\ndone\r\n'), [{ text: '100%\ndone\n', style: '' }])
    assert.deepEqual(parseTerminalOutput('half way\r'), [{ text: 'half way', style: '' }])
  })

  test('nor is it where each version has its color, as progress bars have', () => {
    const bar = '\u001b[33m10%\u001b[0m\r\u001b[2K\u001b[32m100%\u001b[0m\r\n'
    assert.deepEqual(parseTerminalOutput(bar), [
      { text: '100%', style: 'ansi-green' },
      { text: '\n', style: '' },
    ])
    // A color that a version left on is still on.
    assert.deepEqual(parseTerminalOutput('\u001b[31mold\rnew'), [{ text: 'new', style: 'ansi-red' }])
    assert.deepEqual(parseTerminalOutput('kept\r\u001b[0m'), [{ text: 'kept', style: '' }])
  })

  test('italics and underlines end where they end, as test runners write them', () => {
    const styles = parseTerminalOutput('\u001b[4ma\u001b[24mb\u001b[3mc\u001b[23md').map(({ style }) => style)
    assert.deepEqual(styles, ['ansi-underline', '', 'ansi-italic', ''])
  })
})

test('links lead to pages and mail only', () => {
  assert.equal(safeAddress('https://example.com/a')?.href, 'https://example.com/a')
  assert.ok(safeAddress('mailto:ada@example.com'))
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'blob:x', 'relative', '', '//x'])
    assert.equal(safeAddress(bad), undefined, bad)
  assert.deepEqual(
    [toStringOrEmpty('a'), toStringOrEmpty(7), toStringOrEmpty(null), toStringOrEmpty({})],
    ['a', '', '', ''],
  )
})

test('numbers, short', () => {
  assert.deepEqual([0.5, 0.1, 0.0123, 0.001, 12].map(dollars), ['$0.50', '$0.10', '$0.0123', '$0.001', '$12.00'])
  assert.deepEqual([999, 1000, 99_949, 150_000].map(tokens), ['999', '1.0k', '99.9k', '150k'])
  assert.deepEqual([900, 9_940, 61_000, 120_000, 7_200_000].map(duration), ['0.9 s', '9.9 s', '61 s', '2 min', '2 h'])
  const now = Date.parse('2026-11-18T12:00:00Z')
  assert.deepEqual(
    [10, 60, 3600, 90_000].map((seconds) => ago(now - seconds * 1000, now)),
    ['now', '1m', '1h', '1d'],
  )
})
