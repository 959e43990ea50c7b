import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { decodeText } from '../files/text-encoding.js'
import { createEncodingCheck } from './check-encoding.js'

/** What is said of bytes that come in these pieces, the first of which is the head. */
function check(...pieces: (Buffer | string)[]) {
  const all = pieces.map((piece) => Buffer.from(piece))
  const { unit, add, end } = createEncodingCheck(all[0] ?? Buffer.alloc(0))
  const ok = all.map((piece) => add(piece))
  return { unit, ok, encoding: end() }
}

describe('the encoding of a file that comes in pieces', () => {
  test('plain text', () => assert.deepEqual(check('abc', 'def'), { unit: 'byte', ok: [true, true], encoding: 'utf-8' }))
  test('nothing', () => assert.equal(check('').encoding, 'utf-8'))

  test('a character that is cut anywhere is still one', () => {
    for (const character of ['é', '€', '😀']) {
      const bytes = Buffer.from(`a${character}b`)
      for (let at = 1; at < bytes.length; at += 1) {
        const said = check(bytes.subarray(0, at), bytes.subarray(at))
        assert.deepEqual(said, { unit: 'byte', ok: [true, true], encoding: 'utf-8' }, `${character} at ${at}`)
      }
      assert.equal(check(...[...bytes].map((byte) => Buffer.from([byte]))).encoding, 'utf-8')
    }
  })

  test('one that is never finished is no UTF-8: the old encoding is left', () => {
    const bytes = Buffer.from('abc €')
    assert.equal(check(bytes.subarray(0, -1)).encoding, 'latin1')
    assert.equal(check('abc', Buffer.from([0xe2, 0x82])).encoding, 'latin1')
  })

  test('bytes of an old encoding', () => {
    const said = check('Gr', Buffer.from([0xfc, 0xdf, 0x65]))
    assert.deepEqual(said, { unit: 'byte', ok: [true, true], encoding: 'latin1' })
  })

  test('what has a NUL in its head is no text, and that is said at once', () => {
    assert.deepEqual(check('a\0b', 'text'), { unit: 'byte', ok: [false, false], encoding: undefined })
  })

  test('what looks like noise and is no UTF-8 is no text', () => {
    const noise = Buffer.from(Array.from({ length: 200 }, (_, n) => ((n * 7) % 255) + 1))
    assert.deepEqual(check(noise).encoding, undefined)
    assert.equal(check(noise).ok[0], false)
  })

  test('a byte order mark decides, and how lines end with it', () => {
    const little = Buffer.from('\ufeffhé\n', 'utf16le')
    assert.deepEqual(check(little), { unit: 'utf-16le', ok: [true], encoding: 'utf-16le' })
    const big = Buffer.from(little).swap16()
    assert.deepEqual(check(big), { unit: 'utf-16be', ok: [true], encoding: 'utf-16be' })
    assert.equal(check('\ufeffabc').encoding, 'utf-8')
  })

  test('half a character at the end, or half a pair, is no text of that kind', () => {
    const little = Buffer.from('\ufeffab', 'utf16le')
    assert.equal(check(little, Buffer.from([0x41])).encoding, undefined)
    assert.equal(check(little, Buffer.from([0x3d, 0xd8])).encoding, undefined)
    assert.deepEqual(check(little, Buffer.from([0x3d, 0xd8, 0x41, 0x00]), 'xx').ok, [true, false, false])
  })

  test('a pair that is cut between its halves is whole', () => {
    const bytes = Buffer.from('\ufeff😀', 'utf16le')
    assert.deepEqual(check(bytes.subarray(0, 4), bytes.subarray(4)).encoding, 'utf-16le')
  })

  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom([0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf], [0xe2], [0x82, 0xac])
      .map((one) => Buffer.from(one)),
  )

  test('is the same as for the whole of it, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat({ max: 40 }), { maxLength: 4 }), (parts, cuts) => {
        const whole = Buffer.concat(parts)
        const places = [...new Set([0, ...cuts.map((at) => Math.min(at, whole.length)), whole.length])]
        places.sort((a, b) => a - b)
        const { add, end } = createEncodingCheck(whole)
        let ok = true
        for (let n = 1; n < places.length; n += 1) ok = add(whole.subarray(places[n - 1], places[n])) && ok
        const encoding = end()
        assert.equal(encoding, decodeText(whole)?.encoding)
        if (encoding !== undefined) assert.equal(ok, true)
      }),
      { numRuns: byTier({ quick: 125, all: 500 }) },
    )
  })
})
