/**
 * The frames in which Bedrock streams: lengths and a checksum, headers, a payload, a checksum of it all. Each carries one event
 * of the Messages API as base64 in JSON. A character of the text is a byte.
 */
import { Buffer } from '../../../platform/bytes.js'
import { isObject } from '../../../protocol/json.js'
import { parseJson } from '../../client/parse-json.js'
import { streamError } from './aws-trouble.js'

const PRELUDE = 12
const LEAST = 16
/** A longer frame is no model's event. */
const MOST = 32 * 1024 * 1024

/** One batch per chunk that arrived. After a frame that is not what it says comes `undefined`, and nothing more. */
export async function* readFrames(chunks: AsyncIterable<string>): AsyncGenerator<unknown[]> {
  let rest = ''
  let waitingFor = LEAST
  /** Pieces of a frame that is not whole yet: joined once, however many they are. */
  let pieces: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    pieces.push(chunk)
    length += chunk.length
    if (length < waitingFor) continue
    rest = pieces.length === 1 ? chunk : pieces.join('')
    const batch: unknown[] = []
    let at = 0
    waitingFor = LEAST
    while (rest.length - at >= LEAST) {
      const total = u32(rest, at)
      const isPrelude = total >= LEAST && total <= MOST && crc32(rest, at, at + 8) === u32(rest, at + 8)
      if (!isPrelude) {
        yield [...batch, undefined]
        return
      }
      if (rest.length - at < total) {
        waitingFor = total
        break
      }
      const event = readFrame(rest, at, total)
      if (event === BROKEN) {
        yield [...batch, undefined]
        return
      }
      if (event !== undefined) batch.push(event)
      at += total
    }
    rest = rest.slice(at)
    pieces = [rest]
    length = rest.length
    if (batch.length > 0) yield batch
  }
  // Half a frame at the end is an answer that broke off, which is seen by what is missing.
}

const BROKEN = Symbol('broken')

/** Undefined for a frame that says nothing to us. */
function readFrame(text: string, from: number, total: number): unknown {
  const end = from + total - 4
  if (crc32(text, from, end) !== u32(text, end)) return BROKEN
  const start = from + PRELUDE + u32(text, from + 4)
  if (start > end) return BROKEN
  const headers = readHeaders(text, from + PRELUDE, start)
  if (!headers) return BROKEN
  const type = headers.get(':message-type')
  if (type === 'event') return headers.get(':event-type') === 'chunk' ? readChunk(text, start, end) : undefined
  const payload = parseJson(utf8(text.slice(start, end)))
  const said = isObject(payload) && typeof payload['message'] === 'string' ? payload['message'] : undefined
  if (type === 'exception') return streamError(headers.get(':exception-type') ?? '', said ?? 'unknown exception')
  if (type === 'error')
    return streamError(headers.get(':error-code') ?? '', headers.get(':error-message') ?? said ?? 'unknown error')
  return undefined
}

const BYTES = '{"bytes":"'

/** The base64 is cut out by its place where it is where it always is. */
function readChunk(text: string, start: number, end: number): unknown {
  if (text.startsWith(BYTES, start)) {
    const from = start + BYTES.length
    const to = text.indexOf('"', from)
    if (to !== -1 && to < end) return decoded(text.slice(from, to))
  }
  const payload = parseJson(text.slice(start, end))
  return isObject(payload) && typeof payload['bytes'] === 'string' ? decoded(payload['bytes']) : BROKEN
}

function decoded(base64: string): unknown {
  const value = parseJson(Buffer.from(base64, 'base64').toString('utf8'))
  return value === undefined ? BROKEN : value
}

/** Bytes of a value by its type; text and bytes say their own length. */
const SIZES: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]

/** Texts only; undefined where they don't fit into their place. */
function readHeaders(text: string, from: number, end: number): Map<string, string> | undefined {
  const found = new Map<string, string>()
  let at = from
  while (at < end) {
    const nameEnd = at + 1 + text.charCodeAt(at)
    const type = text.charCodeAt(nameEnd)
    if (nameEnd >= end || type >= SIZES.length) return undefined
    const fixed = SIZES[type]
    const valueAt = nameEnd + 1 + (fixed === undefined ? 2 : 0)
    const size = fixed ?? text.charCodeAt(nameEnd + 1) * 256 + text.charCodeAt(nameEnd + 2)
    if (!(valueAt + size <= end)) return undefined
    if (type === 7) found.set(text.slice(at + 1, nameEnd), utf8(text.slice(valueAt, valueAt + size)))
    at = valueAt + size
  }
  return found
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function u32(text: string, at: number): number {
  return (
    text.charCodeAt(at) * 0x1000000 +
    ((text.charCodeAt(at + 1) << 16) | (text.charCodeAt(at + 2) << 8) | text.charCodeAt(at + 3))
  )
}

const TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The checksum of gzip. */
function crc32(text: string, from: number, to: number): number {
  let crc = -1
  for (let at = from; at < to; at += 1) crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(at)) & 255] ?? 0)
  return ~crc >>> 0
}
