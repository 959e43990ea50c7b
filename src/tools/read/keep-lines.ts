/** Keeps a window of lines out of a text that comes in pieces, in bytes and within a bound, and counts all lines. */
import { Buffer } from '../../platform/bytes.js'
import type { TextEncoding } from '../files/text-encoding.js'
import type { EncodingCheck } from './check-encoding.js'

export type LineWindow = {
  /** Number of the first line wanted, from 1. */
  startLine: number
  count: number
  /** More than this can't be shown, so that it need not be kept either. */
  maxBytes: number
}

export type LineBeginning = {
  text: string
  /** Bytes at the end of the line that were not kept. */
  hidden: number
}

export interface LineKeeper {
  add(piece: Buffer): void
  /** Whatever comes, the window stays as it is. */
  isFull(): boolean
  /** `lines` is undefined when they are more than `maxBytes`. */
  end(encoding: TextEncoding): { lines: LineBeginning[] | undefined; totalLines: number; endsInNewline: boolean }
}

/** Up to here lines are kept in full, so that hosts get them as they are. */
const FULL_LINES_BYTES = 256 * 1024
/** Beyond it a long line is kept up to here: in every encoding more than what is shown of it. */
const LINE_BYTES = 8192
/** What the number in front of a line adds; empty lines must not count for nothing. */
const NUMBER_BYTES = 8

export function createLineKeeper({ startLine, count, maxBytes }: LineWindow, unit: EncodingCheck['unit']): LineKeeper {
  const kept: { bytes: Buffer; hidden: number; ended: boolean }[] = []
  let number = 1
  let parts: Buffer[] = []
  let partsLength = 0
  let lineLength = 0
  let keptLength = 0
  let shownLength = 0
  let isTooMuch = false
  /** Something stands behind the last newline. */
  let isInLine = false

  const isWanted = () => number >= startLine && number < startLine + count && !isTooMuch
  const addPart = (part: Buffer) => {
    const room = Math.max(FULL_LINES_BYTES - keptLength - partsLength, LINE_BYTES - partsLength)
    // A copy: the piece it comes from is used again.
    const taken = Buffer.from(part.subarray(0, Math.max(0, room)))
    parts.push(taken)
    partsLength += taken.length
    lineLength += part.length
  }
  const endLine = (ended: boolean) => {
    if (isWanted()) {
      kept.push({ bytes: Buffer.concat(parts), hidden: lineLength - partsLength, ended })
      keptLength += partsLength
      shownLength += Math.min(lineLength, LINE_BYTES) + NUMBER_BYTES
      isTooMuch = shownLength > maxBytes
      if (isTooMuch) kept.length = 0
    }
    parts = []
    partsLength = 0
    lineLength = 0
  }

  return {
    add(piece) {
      let from = 0
      for (let end = lineEnd(piece, from, unit); end > 0; end = lineEnd(piece, from, unit)) {
        if (isWanted()) addPart(piece.subarray(from, end - (unit === 'byte' ? 1 : 2)))
        endLine(true)
        number += 1
        from = end
      }
      isInLine = from < piece.length
      if (isWanted()) addPart(piece.subarray(from))
    },
    isFull: () => isTooMuch || number >= startLine + count,
    end(encoding) {
      // Also of an empty file: it has no line at all.
      const endsInNewline = !isInLine
      endLine(false)
      const lines = kept.map(({ bytes, hidden, ended }, index) => {
        const text = decode(bytes, encoding)
        const isFirst = startLine + index === 1
        return { text: withoutEnds(text, isFirst, ended && hidden === 0), hidden }
      })
      return { lines: isTooMuch ? undefined : lines, totalLines: number, endsInNewline }
    },
  }
}

/** Where the next line starts; 0 when there is none in this piece. Pieces hold an even number of bytes, but for the last. */
function lineEnd(piece: Buffer, from: number, unit: EncodingCheck['unit']): number {
  for (let at = piece.indexOf(10, from); at >= 0; at = piece.indexOf(10, at + 1)) {
    if (unit === 'byte') return at + 1
    if (unit === 'utf-16le' && at % 2 === 0 && piece[at + 1] === 0) return at + 2
    if (unit === 'utf-16be' && at % 2 === 1 && piece[at - 1] === 0) return at + 1
  }
  return 0
}

/** Lenient: whether it is valid was found out before, and a line that was cut may end in half a character. */
function decode(bytes: Buffer, encoding: TextEncoding): string {
  if (encoding === 'latin1') return bytes.toString('latin1')
  if (encoding === 'utf-8') return bytes.toString('utf8')
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2))
  return (encoding === 'utf-16be' ? whole.swap16() : whole).toString('utf16le')
}

function withoutEnds(text: string, isFirst: boolean, isWhole: boolean): string {
  const start = isFirst && text.startsWith('\uFEFF') ? 1 : 0
  return text.slice(start, isWhole && text.endsWith('\r') ? -1 : undefined)
}
