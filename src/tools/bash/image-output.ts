/** Output that is an image: raw bytes or a data URL, held back from the text until it is known to be one. */
import { Buffer } from '../../platform/bytes.js'
import type { ImageBlockParam } from '../../protocol/content.js'
import { imageSize, imageType } from '../read/image.js'

export type OutputImage = { url: string; block: ImageBlockParam }

export interface OutputImageReader {
  /** Takes a piece of output; gives back what is text after all. */
  take(chunk: Uint8Array): Uint8Array[]
  /** Gives back what is held: from now on everything is text. */
  release(): Uint8Array[]
  /** What was caught, once the output is at its end. `too large`: an image, but more than can be passed on. */
  image(): OutputImage | 'too large' | undefined
}

/** What the API takes; a larger image, or one it can't read, would fail every later request of the session. */
const MAX_BASE64 = 5 * 1024 * 1024
const MAX_PIXELS = 8_000
/** Lines of base64 end in a newline each. */
const MAX_HELD = MAX_BASE64 * 1.1

const DATA_URL = 'data:image/'
const SIGNATURES = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF8', 'RIFF', DATA_URL]
const LONGEST_SIGNATURE = Math.max(...SIGNATURES.map(({ length }) => length))

export function createOutputImageReader(): OutputImageReader {
  let state: 'open' | 'image' | 'too large' | 'text' = 'open'
  let held: Uint8Array[] = []
  let size = 0

  const release = () => {
    state = 'text'
    const all = held
    held = []
    return all
  }
  return {
    take(chunk) {
      if (state === 'text') return [chunk]
      if (state === 'too large') return []
      held.push(chunk)
      size += chunk.length
      if (state === 'open') {
        const start = latin1(join(held, LONGEST_SIGNATURE))
        if (SIGNATURES.some((signature) => start.startsWith(signature))) state = 'image'
        else if (!SIGNATURES.some((signature) => signature.startsWith(start))) return release()
      }
      if (size > MAX_HELD) {
        state = 'too large'
        held = []
      }
      return []
    },
    release,
    image() {
      if (state === 'too large') return 'too large'
      return state === 'image' ? readImage(join(held, size)) : undefined
    },
  }
}

function readImage(output: Uint8Array): OutputImage | 'too large' | undefined {
  const bytes = latin1(output.subarray(0, DATA_URL.length)) === DATA_URL ? decodeUrl(output) : output
  const type = bytes && imageType(bytes)
  const dimensions = type && imageSize(bytes, type)
  if (!bytes || !type || !dimensions || !endsWell(bytes)) return undefined
  const data = Buffer.from(bytes).toString('base64')
  if (data.length > MAX_BASE64 || Math.max(dimensions.width, dimensions.height) > MAX_PIXELS) return 'too large'
  const block: ImageBlockParam = { type: 'image', source: { type: 'base64', data, media_type: type } }
  return { url: `data:${type};base64,${data}`, block }
}

function decodeUrl(output: Uint8Array): Uint8Array | undefined {
  const text = latin1(output).replace(/\s+/g, '')
  const [, data] = /^data:image\/[\w.+-]+;base64,([\w+/]+={0,2})$/.exec(text) ?? []
  return data === undefined ? undefined : Buffer.from(data, 'base64')
}

/** Only the last part of a whole image looks like this; one that was cut off is no use to anybody. */
function endsWell(bytes: Uint8Array): boolean {
  const end = latin1(bytes.subarray(-64))
  const start = latin1(bytes.subarray(0, 4))
  if (start === '\x89PNG') return end.includes('IEND')
  if (start.startsWith('\xff\xd8')) return end.includes('\xff\xd9')
  if (start === 'GIF8') return end.includes(';')
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true) + 8 <= bytes.length
}

function join(chunks: readonly Uint8Array[], limit: number): Uint8Array {
  return Buffer.concat(chunks).subarray(0, limit)
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
