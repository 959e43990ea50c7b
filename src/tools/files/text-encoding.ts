/**
 * Bytes to text and back without losing any: UTF-8, UTF-16 with a byte order mark, and Latin-1 for what is neither.
 * A byte order mark stays in the text as U+FEFF, so that writing the text back writes the mark back.
 */

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1'
export type DecodedText = { text: string; encoding: TextEncoding }

export const BYTE_ORDER_MARK = '\uFEFF'

/** Undefined when the bytes are not text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const marked = markedEncoding(bytes)
  if (marked) {
    const text = tryDecode(bytes, marked)
    return text === undefined ? undefined : { text, encoding: marked }
  }
  if (bytes.subarray(0, 8192).includes(0)) return undefined
  const text = tryDecode(bytes, 'utf-8')
  if (text !== undefined) return { text, encoding: 'utf-8' }
  return looksLikeLatin1(bytes) ? { text: asBuffer(bytes).toString('latin1'), encoding: 'latin1' } : undefined
}

/** Undefined when the encoding has no bytes for some character of the text (Latin-1 and "→"). */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array | undefined {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  if (encoding === 'latin1') return /[^\u0000-\u00FF]/.test(text) ? undefined : Buffer.from(text, 'latin1')
  // Half a surrogate pair would make the file undecodable; UTF-8 turns it into U+FFFD, and so does this.
  const bytes = Buffer.from(Buffer.from(text, 'utf8').toString('utf8'), 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

export function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

/** The text as the model sees and writes it: lines end with `\n`. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function markedEncoding(bytes: Uint8Array): TextEncoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
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
function looksLikeLatin1(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 8192)
  let controls = 0
  for (const byte of sample) if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) controls += 1
  return controls * 50 <= sample.length
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
