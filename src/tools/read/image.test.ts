import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { imageSize, imageType } from './image.js'

const JPEG = [
  [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
  [0xff, 0xff, 0xdb, 0, 3, 9],
  [0xff, 0xc4, 0, 2],
  [0xff, 0xc2, 0, 17, 8, 0x01, 0x02, 0x03, 0x04, 3],
].flat()

const images = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, ...text('IHDR'), 0, 0, 2, 0x80, 0, 0, 1, 0xe0],
  gif: [...text('GIF89a'), 0x40, 1, 0xf0, 0],
  jpeg: JPEG,
  'webp lossy': webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1]),
  'webp lossless': webp('VP8L', [0x2f, 0x7f, 0xc2, 0x77, 0]),
  'webp extended': webp('VP8X', [0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]),
}

describe('imageType and imageSize', () => {
  const expected: Record<keyof typeof images, [string, number, number]> = {
    png: ['image/png', 640, 480],
    gif: ['image/gif', 320, 240],
    jpeg: ['image/jpeg', 0x0304, 0x0102],
    'webp lossy': ['image/webp', 640, 480],
    'webp lossless': ['image/webp', 640, 480],
    'webp extended': ['image/webp', 640, 480],
  }
  for (const [name, bytes] of Object.entries(images)) {
    it(name, () => {
      const [type, width, height] = Object.entries(expected).find(([key]) => key === name)?.[1] ?? []
      const found = imageType(Uint8Array.from(bytes))
      assert.equal(found, type)
      assert.deepEqual(found && imageSize(Uint8Array.from(bytes), found), { width, height })
    })

    it(`${name}, cut off anywhere`, () => {
      for (let length = 0; length < Math.min(bytes.length, 24); length += 1) {
        const part = Uint8Array.from(bytes.slice(0, length))
        const type = imageType(part)
        if (type && length < bytes.length - 4) assert.equal(imageSize(part, type), undefined, `${length} bytes`)
      }
    })
  }

  it('knows nothing else', () => {
    assert.equal(imageType(Uint8Array.from(text('%PDF-1.4'))), undefined)
    assert.equal(imageType(new Uint8Array()), undefined)
  })

  it('survives any bytes behind a good beginning', () => {
    const starts = fc.constantFrom([0xff, 0xd8, 0xff], [...text('RIFF'), 0, 0, 0, 0, ...text('WEBP')])
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 60 }), (start, rest) => {
        const bytes = Uint8Array.from([...start, ...rest])
        const type = imageType(bytes)
        assert.ok(type)
        const size = imageSize(bytes, type)
        assert.ok(size === undefined || (size.width > 0 && size.height > 0))
      }),
      { numRuns: byTier({ quick: 250, all: 1000 }) },
    )
  })
})

function text(ascii: string): number[] {
  return [...Buffer.from(ascii, 'latin1')]
}

function webp(kind: string, chunk: number[]): number[] {
  return [...text('RIFF'), 0, 0, 0, 0, ...text('WEBP'), ...text(kind), 0, 0, 0, 0, ...chunk]
}
