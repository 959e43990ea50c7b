import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ImageScaler, loadImageScaler } from './image-scaler.js'

const sharp = await import('sharp').then(
  (module) => module.default,
  () => undefined,
)

describe('loadImageScaler', { skip: sharp ? false : 'sharp is not installed' }, () => {
  const limits = { maxSide: 200, maxBytes: 1_000_000 }
  const load = async (): Promise<ImageScaler> => (await loadImageScaler()) ?? assert.fail()
  const plain = (width: number, height: number) =>
    (sharp ?? assert.fail())({ create: { width, height, channels: 4, background: '#4080c0a0' } })
  /** Nothing to compress. */
  const noise = (side: number) => {
    const data = Buffer.alloc(side * side * 3)
    for (let i = 0, x = 1; i < data.length; i += 1) {
      x = (Math.imul(x, 1103515245) + 12345) >>> 0
      data[i] = x >>> 16
    }
    return (sharp ?? assert.fail())(data, { raw: { width: side, height: side, channels: 3 } })
  }

  it('fits an image into a square, in its own format', async () => {
    const scale = await load()
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await plain(800, 400).toFormat(format).toBuffer()
      const scaled = await scale(bytes, limits)
      assert.ok(typeof scaled !== 'string', String(scaled))
      const { bytes: small, ...rest } = scaled
      assert.deepEqual(rest, {
        type: `image/${format}`,
        width: 200,
        height: 100,
        originalWidth: 800,
        originalHeight: 400,
      })
      const { width, height } = await (sharp ?? assert.fail())(small).metadata()
      assert.deepEqual([width, height], [200, 100])
    }
  })

  it('turns what a camera stored on its side', async () => {
    const bytes = await plain(800, 400).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const scaled = await (await load())(bytes, limits)
    assert.ok(typeof scaled !== 'string')
    const { width, height, originalWidth, originalHeight } = scaled
    assert.deepEqual([width, height, originalWidth, originalHeight], [100, 200, 400, 800])
  })

  it('takes another format, then fewer pixels, when there are too many bytes', async () => {
    const bytes = await noise(400).png().toBuffer()
    const scale = await load()
    const webp = await scale(bytes, { maxSide: 400, maxBytes: 200_000 })
    assert.ok(typeof webp !== 'string')
    assert.deepEqual([webp.type, webp.width, webp.bytes.length <= 200_000], ['image/webp', 400, true])
    assert.equal(await scale(bytes, { maxSide: 400, maxBytes: 100 }), 'it stays too large however small it is made')
  })

  it('shows the first picture of an animation', async () => {
    const bytes = await plain(800, 400).gif().toBuffer()
    const scaled = await (await load())(bytes, limits)
    assert.ok(typeof scaled !== 'string')
    assert.deepEqual([scaled.type, scaled.width], ['image/png', 200])
  })

  it('says what is wrong with a damaged image', async () => {
    const bytes = (await noise(100).png().toBuffer()).subarray(0, 5000)
    assert.equal(typeof (await (await load())(bytes, limits)), 'string')
    assert.equal(typeof (await (await load())(Buffer.from('no image'), limits)), 'string')
  })
})
