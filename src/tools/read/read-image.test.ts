import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { ImageScaler } from '../../platform/documents/image-scaler.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { createReadTool, readTool } from './read.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const sharp = await import('sharp').then(
  (module) => module.default,
  () => undefined,
)

describe('Read of images', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  const put = async (name: string, content: Uint8Array) => {
    const path = join(test.folder, name)
    await writeFile(path, content)
    return path
  }
  const readWith = (scaler: ImageScaler | undefined, file_path: string) =>
    createReadTool({ loadScaler: async () => scaler }).execute({ file_path }, test.context)
  const errorWith = async (scaler: ImageScaler | undefined, path: string) => {
    const outcome = await readWith(scaler, path)
    return outcome.ok ? assert.fail(JSON.stringify(outcome)) : outcome.error
  }

  it('shows an image, whatever its name says', async () => {
    for (const name of ['p.png', 'p.txt', 'p']) {
      const path = await put(name, Buffer.from(PIXEL, 'base64'))
      assert.deepEqual(await readTool.execute({ file_path: path }, test.context), {
        ok: true,
        content: [{ type: 'image', source: { type: 'base64', data: PIXEL, media_type: 'image/png' } }],
        output: {
          type: 'image',
          file: {
            base64: PIXEL,
            type: 'image/png',
            originalSize: 70,
            dimensions: { originalWidth: 1, originalHeight: 1, displayWidth: 1, displayHeight: 1 },
          },
        },
      })
    }
    const text = await readTool.execute({ file_path: await put('t.png', Buffer.from('just text')) }, test.context)
    assert.match(text.ok && typeof text.content === 'string' ? text.content : '', /^ {5}1→just text$/)
  })

  it('says how to get an image scaled that is too large', async () => {
    const wide = await put('wide.gif', gif(8001))
    const limits = 'at most 3.8 MB and 8000 pixels in each direction.'
    assert.equal(
      await errorWith(undefined, wide),
      `The image is too large: 1 KB and 8001×1 pixels, ${limits} It would be scaled down, but the optional package "sharp" can't be loaded: install it beside kedge (npm install sharp), or make the image smaller.`,
    )
    assert.match(
      await errorWith(undefined, await put('big.gif', gif(1, 5_000_000))),
      /^The image is too large: 4\.8 MB and 1×1 pixels, .* \(npm install sharp\)/,
    )
    assert.equal(
      await errorWith(async () => 'it is torn', wide),
      `The image is too large: 1 KB and 8001×1 pixels, ${limits} It could not be scaled down: it is torn.`,
    )
    assert.equal(
      await errorWith(undefined, await put('cut.gif', gif(1).subarray(0, 7))),
      'The file begins like an image (image/gif), but is damaged.',
    )
    assert.deepEqual([...test.context.session.readFiles.keys()], [])
  })

  it('shows an image the API takes as it is when it can not be made smaller', async () => {
    const path = await put('wide.gif', gif(3000))
    for (const scaler of [undefined, async () => 'it is torn']) {
      const outcome = await readWith(scaler, path)
      assert.deepEqual(outcome.ok && outcome.content, [
        {
          type: 'image',
          source: { type: 'base64', data: gif(3000).toString('base64'), media_type: 'image/gif' },
        },
      ])
    }
  })

  it('scales a large image down, and says by how much', {
    skip: sharp ? false : 'sharp is not installed',
  }, async () => {
    const create = { width: 9000, height: 3000, channels: 3 as const, background: '#336699' }
    const bytes = await (sharp ?? assert.fail())({ create }).png().toBuffer()
    const outcome = await readTool.execute({ file_path: await put('large.png', bytes) }, test.context)
    assert.ok(outcome.ok && Array.isArray(outcome.content), JSON.stringify(outcome))
    const [image, note] = outcome.content
    assert.ok(image?.type === 'image' && image.source.type === 'base64')
    assert.deepEqual(note, {
      type: 'text',
      text: 'The image has 9000×3000 pixels and is shown with 2000×667: multiply coordinates by 4.50 to get those of the file.',
    })
    assert.deepEqual(outcome.output, {
      type: 'image',
      file: {
        base64: image.source.data,
        type: 'image/png',
        originalSize: bytes.length,
        dimensions: { originalWidth: 9000, originalHeight: 3000, displayWidth: 2000, displayHeight: 667 },
      },
    })
    const { width, height } = await (sharp ?? assert.fail())(Buffer.from(image.source.data, 'base64')).metadata()
    assert.deepEqual([width, height], [2000, 667])
  })
})

/** The header alone; nothing here decodes it. */
function gif(width: number, size = 20): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.write('GIF89a', 'latin1')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(1, 8)
  return bytes
}
