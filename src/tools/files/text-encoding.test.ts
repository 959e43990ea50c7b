import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { decodeText, encodeText, type TextEncoding } from './text-encoding.js'

const bytes = (...values: number[]) => Uint8Array.from(values)

describe('decodeText', () => {
  const cases: [string, Uint8Array, { text: string; encoding: TextEncoding } | undefined][] = [
    ['nothing', bytes(), { text: '', encoding: 'utf-8' }],
    ['UTF-8', Buffer.from('é→😀\n'), { text: 'é→😀\n', encoding: 'utf-8' }],
    ['UTF-8 with a mark', bytes(0xef, 0xbb, 0xbf, 0x61), { text: '\uFEFFa', encoding: 'utf-8' }],
    ['UTF-16 little-endian', bytes(0xff, 0xfe, 0x61, 0, 0xe9, 0), { text: '\uFEFFaé', encoding: 'utf-16le' }],
    ['UTF-16 big-endian', bytes(0xfe, 0xff, 0, 0x61, 0, 0xe9), { text: '\uFEFFaé', encoding: 'utf-16be' }],
    ['half a UTF-16 character', bytes(0xff, 0xfe, 0x61), undefined],
    ['Latin-1', bytes(0x63, 0x61, 0x66, 0xe9), { text: 'café', encoding: 'latin1' }],
    ['a NUL byte', bytes(0x61, 0, 0x62), undefined],
    ['noise', Uint8Array.from({ length: 256 }, (_, i) => (i * 37 + 1) % 255 || 1), undefined],
  ]
  for (const [name, input, expected] of cases) {
    it(name, () => assert.deepEqual(decodeText(input), expected))
  }

  it('loses no byte of what it calls text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        const decoded = decodeText(input)
        if (!decoded) return
        const encoded = encodeText(decoded.text, decoded.encoding)
        assert.deepEqual(encoded && Uint8Array.from(encoded), input)
      }),
      { numRuns: byTier({ quick: 250, all: 1000 }) },
    )
  })
})

describe('encodeText', () => {
  it('says when Latin-1 has no such character', () => {
    assert.equal(encodeText('a→b', 'latin1'), undefined)
  })

  it('never writes UTF-16 that can not be decoded again', () => {
    const encoded = encodeText('\uFEFFa\uD800b', 'utf-16le')
    assert.deepEqual(encoded && decodeText(encoded), { text: '\uFEFFa\uFFFDb', encoding: 'utf-16le' })
  })
})
