/**
 * The frames in which Bedrock streams: lengths and a checksum, headers, a payload, a checksum of it all. Each carries one event
 * of the Messages API as base64 in JSON.
 */
import { Buffer } from '../../../platform/bytes.js'
import { isObject } from '../../../protocol/json.js'
import { parseJson } from '../../client/parse-json.js'
import { awsStreamError } from './aws-trouble.js'

const PRELUDE = 12
const LEAST = 16
/** A longer frame isn't a model's event. */
const MOST = 32 * 1024 * 1024

/**
 * One batch per chunk that arrived; a character of a chunk is a byte. After a frame that is not what it says comes `undefined`,
 * and nothing more.
 */
export async function* readAwsEventFrames(chunks: AsyncIterable<string>): AsyncGenerator<unknown[]> {
  const reader = createFrameReader()
  let waitingFor = LEAST
  /** Pieces of a frame that is not whole yet: joined once, however many they are. */
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    const piece = Buffer.from(chunk, 'latin1')
    pieces.push(piece)
    length += piece.length
    if (length < waitingFor) continue
    const bytes = pieces.length === 1 ? piece : Buffer.concat(pieces)
    const batch: unknown[] = []
    let at = 0
    waitingFor = LEAST
    while (bytes.length - at >= LEAST) {
      const total = bytes.readUInt32BE(at)
      const isFrame = total >= LEAST && total <= MOST && crc32(bytes, at, at + 8) === bytes.readUInt32BE(at + 8)
      if (isFrame && bytes.length - at < total) {
        waitingFor = total
        break
      }
      const event = isFrame ? reader.read(bytes, at, total) : BROKEN
      if (event === BROKEN) {
        yield [...batch, undefined]
        return
      }
      if (event !== undefined) batch.push(event)
      at += total
    }
    const rest = bytes.subarray(at)
    pieces = rest.length > 0 ? [rest] : []
    length = rest.length
    if (batch.length > 0) yield batch
  }
  // Half a frame at the end is an answer that broke off, which is seen by what is missing.
}

const BROKEN = Symbol('broken')

type Headers = ReadonlyMap<string, string>

function createFrameReader() {
  /** All but a few frames of a stream have the same. */
  let last: { bytes: Buffer; headers: Headers } | undefined
  /** What base64 is decoded into: one for all. */
  let room = Buffer.allocUnsafe(4096)

  function headersIn(bytes: Buffer, from: number, to: number): Headers | undefined {
    if (last && bytes.compare(last.bytes, 0, last.bytes.length, from, to) === 0) return last.headers
    const own = Buffer.from(bytes.subarray(from, to))
    const headers = readHeaders(own)
    if (headers) last = { bytes: own, headers }
    return headers
  }
  function decoded(base64: string): unknown {
    if (base64.length > room.length) room = Buffer.allocUnsafe(base64.length * 2)
    const length = room.write(base64, 'base64')
    const value = parseJson(room.toString('utf8', 0, length))
    return value === undefined ? BROKEN : value
  }
  /** The base64 is cut out by its place where it is where it always is. */
  function readChunk(bytes: Buffer, from: number, to: number): unknown {
    const text = bytes.toString('latin1', from, to)
    const end = text.startsWith(BYTES) ? text.indexOf('"', BYTES.length) : -1
    if (end !== -1) return decoded(text.slice(BYTES.length, end))
    const value = parseJson(text)
    return isObject(value) && typeof value['bytes'] === 'string' ? decoded(value['bytes']) : BROKEN
  }

  return {
    /** Undefined for a frame that says nothing to us. */
    read(bytes: Buffer, from: number, total: number): unknown {
      const end = from + total - 4
      if (crc32(bytes, from, end) !== bytes.readUInt32BE(end)) return BROKEN
      const start = from + PRELUDE + bytes.readUInt32BE(from + 4)
      const headers = start > end ? undefined : headersIn(bytes, from + PRELUDE, start)
      if (!headers) return BROKEN
      const type = headers.get(':message-type')
      if (type === 'event') return headers.get(':event-type') === 'chunk' ? readChunk(bytes, start, end) : undefined
      return readTrouble(type, headers, bytes.toString('utf8', start, end))
    },
  }
}

const BYTES = '{"bytes":"'

function readTrouble(type: string | undefined, headers: Headers, payload: string): unknown {
  const value = parseJson(payload)
  const said = isObject(value) && typeof value['message'] === 'string' ? value['message'] : undefined
  if (type === 'exception') return awsStreamError(headers.get(':exception-type') ?? '', said ?? 'unknown exception')
  if (type !== 'error') return undefined
  return awsStreamError(headers.get(':error-code') ?? '', headers.get(':error-message') ?? said ?? 'unknown error')
}

/** Bytes of a value by its type; text and bytes say their own length. */
const SIZES: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]

/** Texts only; undefined where they don't fit into their place. */
function readHeaders(bytes: Buffer): Headers | undefined {
  const found = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const nameEnd = at + 1 + (bytes[at] ?? 0)
    const type = bytes[nameEnd]
    if (type === undefined || type >= SIZES.length) return undefined
    const fixed = SIZES[type]
    const valueAt = nameEnd + 1 + (fixed === undefined ? 2 : 0)
    if (valueAt > bytes.length) return undefined
    const end = valueAt + (fixed ?? bytes.readUInt16BE(nameEnd + 1))
    if (end > bytes.length) return undefined
    if (type === 7) found.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', valueAt, end))
    at = end
  }
  return found
}

const T0 = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})
/** … of a byte with one, two and three others behind it. */
const [T1, T2, T3] = [after(T0), after(after(T0)), after(after(after(T0)))]

function after(table: Int32Array): Int32Array {
  return table.map((value) => (value >>> 8) ^ (T0[value & 255] ?? 0))
}

/** The checksum of gzip, four bytes at a time: every byte of a stream goes through it. */
function crc32(bytes: Uint8Array, from: number, to: number): number {
  let crc = -1
  let at = from
  for (const whole = to - 3; at < whole; at += 4) {
    const b0 = (crc ^ (bytes[at] ?? 0)) & 255
    const b1 = ((crc >>> 8) ^ (bytes[at + 1] ?? 0)) & 255
    const b2 = ((crc >>> 16) ^ (bytes[at + 2] ?? 0)) & 255
    const b3 = ((crc >>> 24) ^ (bytes[at + 3] ?? 0)) & 255
    crc = (T3[b0] ?? 0) ^ (T2[b1] ?? 0) ^ (T1[b2] ?? 0) ^ (T0[b3] ?? 0)
  }
  for (; at < to; at += 1) crc = (crc >>> 8) ^ (T0[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0)
  return ~crc >>> 0
}
