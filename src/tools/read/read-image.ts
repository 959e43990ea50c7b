/** Shows an image, made smaller where the API would refuse it as it is. */

import type { ToolOutcome } from '../../engine/ports.js'
import { Buffer } from '../../platform/bytes.js'
import type { ImageScaler } from '../../platform/documents/image-scaler.js'
import { hashContent } from '../../platform/files/content-hash.js'
import { readWholeFile } from '../../platform/files/open-file.js'
import { formatSize, MAX_FILE_BYTES, type OpenedFile, rememberReadFile } from '../files/file-access.js'
import type { CallContext } from '../tool.js'
import { type ImageSize, type ImageType, imageSize } from './image.js'
import { MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, MAX_PIXELS_OF_MANY_IMAGES } from './image-limits.js'
import type { FileReadOutput } from './read-shapes.js'

export type LoadScaler = () => Promise<ImageScaler | undefined>

type Shown = { bytes: Uint8Array; type: ImageType; original: ImageSize; display: ImageSize }

export async function readImage(
  { file, realPath }: OpenedFile,
  type: ImageType,
  loadScaler: LoadScaler,
  context: CallContext,
): Promise<ToolOutcome> {
  const bytes = await readWholeFile(file, MAX_FILE_BYTES, context.signal)
  if (!bytes) {
    return failure(`The image is too large: ${formatSize(file.stat.size)}, at most ${formatSize(MAX_FILE_BYTES)}.`)
  }
  const size = imageSize(bytes, type)
  if (!size) return failure(`The file begins like an image (${type}), but is damaged.`)
  const shown = await fit({ bytes, type, original: size, display: size }, loadScaler)
  if (typeof shown === 'string') return failure(shown)
  rememberReadFile({ realPath, stat: file.stat, hash: await hashContent(bytes) }, false, context)
  return show(shown, bytes.length)
}

/** As it is, or smaller. A string: why it can't be shown. */
async function fit(image: Shown, loadScaler: LoadScaler): Promise<Shown | string> {
  const { width, height } = image.original
  const side = Math.max(width, height)
  const isAccepted = image.bytes.length <= MAX_IMAGE_BYTES && side <= MAX_IMAGE_PIXELS
  if (isAccepted && side <= MAX_PIXELS_OF_MANY_IMAGES) return image
  const scaler = await loadScaler()
  const scaled = await scaler?.(image.bytes, { maxSide: MAX_PIXELS_OF_MANY_IMAGES, maxBytes: MAX_IMAGE_BYTES })
  if (scaled !== undefined && typeof scaled !== 'string') {
    return {
      bytes: scaled.bytes,
      type: scaled.type,
      original: { width: scaled.originalWidth, height: scaled.originalHeight },
      display: { width: scaled.width, height: scaled.height },
    }
  }
  if (isAccepted) return image
  const problem = `The image is too large: ${formatSize(image.bytes.length)} and ${width}×${height} pixels, at most ${formatSize(MAX_IMAGE_BYTES)} and ${MAX_IMAGE_PIXELS} pixels in each direction.`
  return scaled === undefined
    ? `${problem} It would be scaled down, but the optional package "sharp" can't be loaded: install it beside kedge (npm install sharp), or make the image smaller.`
    : `${problem} It could not be scaled down: ${scaled}.`
}

function show({ bytes, type, original, display }: Shown, originalSize: number): ToolOutcome {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const output: FileReadOutput = {
    type: 'image',
    file: {
      base64,
      type,
      originalSize,
      dimensions: {
        originalWidth: original.width,
        originalHeight: original.height,
        displayWidth: display.width,
        displayHeight: display.height,
      },
    },
  }
  const image = { type: 'image' as const, source: { type: 'base64' as const, data: base64, media_type: type } }
  if (original.width === display.width) return { ok: true, content: [image], output }
  const factor = (original.width / display.width).toFixed(2)
  const text = `The image has ${original.width}×${original.height} pixels and is shown with ${display.width}×${display.height}: multiply coordinates by ${factor} to get those of the file.`
  return { ok: true, content: [image, { type: 'text', text }], output }
}

function failure(error: string): ToolOutcome {
  return { ok: false, error }
}
