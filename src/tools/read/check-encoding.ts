/** Finds the encoding of a file that comes in pieces; the answer is the same as for the whole of it in `decodeText`. */
import { Buffer } from '../../platform/bytes.js'
import { isUtf8 } from '../../platform/utf8.js'
import { guessEncoding, type TextEncoding } from '../files/text-encoding.js'

export interface EncodingCheck {
  /** How lines end, known from the start. */
  readonly unit: 'byte' | 'utf-16le' | 'utf-16be'
  /** False when it is clear that this isn't text. */
  add(bytes: Buffer): boolean
  /** Undefined when it isn't text. */
  end(): TextEncoding | undefined
}

export function createEncodingCheck(head: Uint8Array): EncodingCheck {
  const { marked, fallback, isBinary } = guessEncoding(head)
  if (isBinary) return { unit: 'byte', add: () => false, end: () => undefined }
  if (marked) {
    const isWhole = decodesAs(marked)
    return { unit: marked, add: (bytes) => isWhole(bytes), end: () => (isWhole() ? marked : undefined) }
  }
  const isPlain = decodesAsUtf8()
  return {
    unit: 'byte',
    add: (bytes) => isPlain(bytes) || fallback !== undefined,
    end: () => (isPlain() ? 'utf-8' : fallback),
  }
}

/** Takes pieces one by one, and nothing for the end; true as long as all is well. */
type Check = (bytes?: Buffer) => boolean

function decodesAs(encoding: TextEncoding): Check {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  let ok = true
  return (bytes) => {
    try {
      if (ok) decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      // Not this encoding: an answer, not a failure.
      ok = false
    }
    return ok
  }
}

/** Node's own check is fifty times faster than a decoder, but knows whole texts only. */
function decodesAsUtf8(): Check {
  let begun: Buffer = Buffer.alloc(0)
  let ok = true
  return (bytes) => {
    if (!ok) return false
    if (bytes === undefined) return begun.length === 0
    const text = begun.length > 0 ? Buffer.concat([begun, bytes]) : bytes
    const end = text.length - unfinished(text)
    ok = isUtf8(text.subarray(0, end))
    begun = Buffer.from(text.subarray(end))
    return ok
  }
}

/** How many bytes at the end are the beginning of a character that continues. */
function unfinished(text: Buffer): number {
  for (let back = 1; back <= Math.min(3, text.length); back += 1) {
    const byte = text[text.length - back] ?? 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}
