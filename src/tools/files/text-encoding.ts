/**
 * Bytes to text and back without losing any: UTF-8, UTF-16 with a byte order mark, and Latin-1 for what is neither.
 * A byte order mark stays in the text as U+FEFF, so that writing the text back writes the mark back.
 */

import { Buffer } from '../../platform/bytes.js'
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1'
export type DecodedText = { text: string; encoding: TextEncoding }

export const BYTE_ORDER_MARK = '\uFEFF'

/** How much of a file its kind is judged by. */
export const ENCODING_HEAD_BYTES = 8192

/** Undefined when the bytes are not text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const { marked, fallback, isBinary } = guessEncoding(bytes.subarray(0, ENCODING_HEAD_BYTES))
  if (isBinary) return undefined
  const likely = marked ?? 'utf-8'
  const text = tryDecode(bytes, likely)
  if (text !== undefined) return { text, encoding: likely }
  return fallback && { text: asBuffer(bytes).toString(fallback), encoding: fallback }
}

export type EncodingGuess = {
  /** Said by a byte order mark. */
  marked?: 'utf-16le' | 'utf-16be'
  /** What the file is if it turns out not to be UTF-8. */
  fallback?: 'latin1'
  isBinary: boolean
}

export function guessEncoding(head: Uint8Array): EncodingGuess {
  if (head[0] === 0xff && head[1] === 0xfe) return { marked: 'utf-16le', isBinary: false }
  if (head[0] === 0xfe && head[1] === 0xff) return { marked: 'utf-16be', isBinary: false }
  if (head.includes(0)) return { isBinary: true }
  return { isBinary: false, ...(looksLikeLatin1(head) ? { fallback: 'latin1' } : {}) }
}

/** Undefined when the encoding has no bytes for some character of the text (Latin-1 and "→"). */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array | undefined {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  if (encoding === 'latin1') return /[^\u0000-\u00FF]/.test(text) ? undefined : Buffer.from(text, 'latin1')
  // Half a surrogate pair would make the file undecodable; UTF-8 turns it into U+FFFD, and so does this.
  const bytes = Buffer.from(Buffer.from(text, 'utf8').toString('utf8'), 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

/** The text as the model sees and writes it: lines end with `\n`. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function tryDecode(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not this encoding: an answer, not a failure.
    return undefined
  }
}

/** Text of an old encoding has next to no control characters; compressed or encrypted data has one in eight. */
function looksLikeLatin1(sample: Uint8Array): boolean {
  let controls = 0
  for (const byte of sample) if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) controls += 1
  return controls * 50 <= sample.length
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
