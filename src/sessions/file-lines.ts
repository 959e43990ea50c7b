/** Reads a session file piece by piece: its lines with their places, and what can be saved of damaged ones. */
import { Buffer } from '../platform/bytes.js'
import type { OpenFile } from '../platform/files/files.js'

/** A request to the API may have 32 MB; a longer line could not be used, and is not even held. */
export const MAX_TRANSCRIPT_LINE_BYTES = 32 * 1024 * 1024
const PIECE = 1024 * 1024
const NEWLINE = 10

export type RawLine = {
  /** Counted from 1. */
  number: number
  /** Its bytes are from here up to `end`, where the newline is. */
  start: number
  end: number
  /** Undefined: longer than `MAX_TRANSCRIPT_LINE_BYTES`. Only good until the next line. */
  bytes: Uint8Array | undefined
  /** False: the file ends without a newline after it. */
  isEnded: boolean
}

/** Shows every line up to `size` to `visit`, the last also when it is not ended. Empty ones are left out. */
export async function visitFileLines(file: OpenFile, size: number, visit: (line: RawLine) => void): Promise<void> {
  let buffer = new Uint8Array(PIECE)
  /** Bytes of the line that began in an earlier piece. */
  let kept = 0
  let start = 0
  let number = 1
  let isTooLong = false
  const give = (end: number, bytes: Uint8Array, isEnded: boolean) => {
    if (end > start) visit({ number, start, end, bytes: isTooLong ? undefined : bytes, isEnded })
    start = end + 1
    number += 1
    isTooLong = false
  }
  for (let position = 0; position < size; ) {
    if (buffer.length - kept < PIECE) buffer = grown(buffer, kept)
    const wanted = Math.min(PIECE, size - position)
    const count = await file.read(buffer.subarray(kept, kept + wanted), position)
    if (count === 0) break
    const filled = kept + count
    let from = 0
    // The search of a plain array of bytes looks at them one by one, and takes longer than all the rest here.
    const searched = Buffer.from(buffer.buffer, 0, filled)
    for (let at = searched.indexOf(NEWLINE, kept); at >= 0; at = searched.indexOf(NEWLINE, from)) {
      give(position + at - kept, buffer.subarray(from, at), true)
      from = at + 1
    }
    position += count
    kept = filled - from
    isTooLong ||= kept > MAX_TRANSCRIPT_LINE_BYTES
    if (isTooLong) kept = 0
    else if (from > 0) buffer.copyWithin(0, from, filled)
  }
  if (start < size) give(size, buffer.subarray(0, kept), false)
}

function grown(buffer: Uint8Array<ArrayBuffer>, kept: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(buffer.length * 2, kept + PIECE))
  larger.set(buffer.subarray(0, kept))
  return larger
}

const decoder = new TextDecoder()

/** Undefined when it isn't JSON. A mark at the beginning and the newlines of other systems do no harm. */
export function parseLine(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(decoder.decode(bytes)) }
  } catch {
    return undefined
  }
}

export type SalvagedRecords = {
  records: object[]
  /** Bytes from the beginning of the line to the end of the last of them. */
  length: number
}

const RECORD_START = /\{"(?:parentUuid|type|isSidechain|logicalParentUuid)":/g
/** Maximum places tried in a damaged line; fewer in a long one. */
const MAX_TRIES = 64
const MAX_WORK = 64 * 1024 * 1024

/** One character per byte: places in the text are places in the line. */
const byteText = new TextDecoder('latin1')

/**
 * The whole records in a line that is none: two of which the first lost its newline, or one behind half of another, or behind
 * the zeros a power cut left.
 */
export function salvageRecords(bytes: Uint8Array): SalvagedRecords {
  const text = byteText.decode(bytes)
  const found: SalvagedRecords = { records: [], length: 0 }
  let tries = Math.min(MAX_TRIES, Math.ceil(MAX_WORK / bytes.length))
  for (const { index } of text.matchAll(RECORD_START)) {
    if (index < found.length) continue
    if (tries === 0) break
    tries -= 1
    const end = endOfObject(text, index)
    // What continues after it is part of something larger.
    if (end === undefined || /[,\]}"]/.test(text[end] ?? '')) continue
    const record = parseLine(bytes.subarray(index, end))?.value
    if (!isRecord(record)) continue
    found.records.push(record)
    found.length = end
  }
  return found
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'sessionId' in value && typeof value.sessionId === 'string'
}

/** Behind the brace that closes the one at `start`. */
function endOfObject(text: string, start: number): number | undefined {
  const marks = /["{}]/g
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '{') depth += 1
    else if (mark[0] === '}') {
      depth -= 1
      if (depth === 0) return marks.lastIndex
    } else {
      const end = endOfString(text, mark.index)
      if (end === undefined) return undefined
      marks.lastIndex = end
    }
  }
  return undefined
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return undefined
}
