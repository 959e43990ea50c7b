/** What is taken out of the output of commands, and what is left as it was. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { createSafeTextDecoder, stripEscapes, trimOutput } from './clean-output.js'

describe('escape sequences', () => {
  const cases: [string, string, string][] = [
    ['colors', '\x1b[1;31mred\x1b[0m', 'red'],
    ['a move of the cursor with an intermediate', '\x1b[2 qa', 'a'],
    ['a private mode', '\x1b[?25lhidden\x1b[?25h', 'hidden'],
    ['a title that ends with a bell', '\x1b]0;title\x07text', 'text'],
    ['a link that ends with a string terminator', '\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['a device control string', 'a\x1bP1$r0m\x1b\\b', 'ab'],
    ['a privacy message', 'a\x1b^secret\x1b\\b', 'ab'],
    ['the 8-bit forms', '\x9b31mred\x9b0m \x9d0;title\x9cx', 'red x'],
    ['a character set', '\x1b(Btext', 'text'],
    ['a full reset', '\x1bctext', 'text'],
    ['a string that never ends: only its marks go', '\x1b]0;title text', '0;title text'],
    ['one string inside of another: the inner one goes', '\x1b]a\x1b]b\x07c', 'ac'],
    ['controls', 'a\0b\x07c\x08d\x0be\x0cf\x7fg\x85h', 'abcdefgh'],
    ['what text is made of', 'a\tb\r\nc\n é 😀 \u200d', 'a\tb\r\nc\n é 😀 \u200d'],
  ]
  for (const [name, text, expected] of cases) {
    it(`${name}: ${JSON.stringify(expected)}`, () => assert.equal(stripEscapes(text), expected))
  }

  it('leave nothing behind that a terminal would act on, and doing it twice changes nothing', () => {
    const unit = fc.constantFrom(
      'a',
      '[',
      ']',
      '0',
      ';',
      'm',
      '\\',
      '\x1b',
      '\x07',
      '\x9b',
      '\x9c',
      '\x9d',
      'P',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
        const shown = stripEscapes(text)
        assert.doesNotMatch(shown, /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/)
        assert.equal(stripEscapes(shown), shown)
      }),
      { numRuns: byTier({ quick: 125, all: 500 }) },
    )
  })
})

describe('bytes that come in pieces', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it('are held back while an escape or a character is not whole', () => {
    const filter = createSafeTextDecoder()
    assert.equal(filter.take(bytes('a\x1b[3')), 'a')
    assert.equal(filter.take(bytes('1')), '')
    assert.equal(filter.take(bytes('mb')), 'b')
    assert.equal(filter.take(Uint8Array.of(0xc3)), '')
    assert.equal(filter.take(Uint8Array.of(0xa9)), 'é')
    assert.equal(filter.rest(), '')
  })

  it('are shown at the end as far as they go', () => {
    const filter = createSafeTextDecoder()
    assert.equal(filter.take(bytes('a\x1b]0;tit')), 'a')
    assert.equal(filter.take(Uint8Array.of(0xe2, 0x82)), '')
    assert.equal(filter.rest(), '0;tit\ufffd')
    assert.equal(filter.rest(), '')
  })

  it('are not held for ever: what has not ended after four thousand characters is no escape', () => {
    const filter = createSafeTextDecoder()
    assert.equal(filter.take(bytes(`\x1b]${'x'.repeat(4_094)}`)), '')
    assert.equal(filter.take(bytes('x')), `${'x'.repeat(4_095)}`)
  })

  it('keep a byte order mark out of nothing: it is text like any other', () => {
    assert.equal(createSafeTextDecoder().take(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), '\ufeffa')
  })

  it('that are no text are replaced one by one', () => {
    assert.equal(createSafeTextDecoder().take(Uint8Array.of(0x61, 0xff, 0xfe, 0x62)), 'a\ufffd\ufffdb')
  })
})

it('edges: empty lines before go, blanks after go, and the indentation stays', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['\n\n', ''],
    ['  \n\t\n  a', '  a'],
    ['a\n\n\nb\n \n', 'a\n\n\nb'],
    ['  a  ', '  a'],
    ['   ', ''],
  ]
  for (const [text, expected] of cases) assert.equal(trimOutput(text), expected, JSON.stringify(text))
})
