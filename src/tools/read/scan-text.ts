/** Goes through a text file once, whatever its size: a window of its lines, how many there are, its encoding, its hash. */
import { Buffer } from '../../platform/bytes.js'
import { createContentHash } from '../../platform/files/content-hash.js'
import type { OpenFile } from '../../platform/files/files.js'
import { ENCODING_HEAD_BYTES } from '../files/text-encoding.js'
import { createEncodingCheck, type EncodingCheck } from './check-encoding.js'
import { createLineKeeper, type LineBeginning, type LineWindow } from './keep-lines.js'

export type ScannedText = {
  /** Undefined when they are more than the window may hold. */
  lines: LineBeginning[] | undefined
  /** Number of lines; in a file that wasn't read to its end, the lines seen. */
  totalLines: number
  /** Also of an empty file. */
  endsInNewline: boolean
  /** Bytes. */
  size: number
  /** Hash of the part that was read. */
  hash: string
}

/** An even number of bytes, for UTF-16. */
const PIECE = 1024 * 1024

/**
 * Undefined when it isn't text. Throws the signal's reason when aborted. `toEnd`: also what comes after the window, which is how
 * many lines there are and what an edit would be compared with.
 */
export async function scanText(
  file: OpenFile,
  window: LineWindow,
  signal: AbortSignal,
  toEnd = true,
): Promise<ScannedText | undefined> {
  // One byte more than the file has, so that a small file is read to its end at once.
  const buffer = Buffer.allocUnsafeSlow(
    Math.min(PIECE, Math.max(ENCODING_HEAD_BYTES, 2 * Math.ceil((file.stat.size + 1) / 2))),
  )
  let count = await file.read(buffer, 0)
  const encoding = createEncodingCheck(buffer.subarray(0, Math.min(count, ENCODING_HEAD_BYTES)))
  const keeper = createLineKeeper(window, encoding.unit)
  const hash = await createContentHash(file.stat.size)
  let size = 0
  for (; count > 0; count = await file.read(buffer, size)) {
    signal.throwIfAborted()
    const piece = buffer.subarray(0, count)
    keeper.add(piece)
    const isEnough = !toEnd && keeper.isFull()
    if (!encoding.add(isEnough ? wholeLines(piece, encoding.unit) : piece)) return undefined
    hash.update(piece)
    size += count
    if (isEnough || count < buffer.length) break
  }
  const found = encoding.end()
  return found && { ...keeper.end(found), size, hash: hash.digest() }
}

/** Half a character at the end would look like a wrong one. */
function wholeLines(piece: Buffer, unit: EncodingCheck['unit']): Buffer {
  const last = piece.lastIndexOf(10)
  // In UTF-16 a line ends with its second byte, which may be this one.
  return last < 0 ? piece : piece.subarray(0, unit === 'byte' ? last + 1 : last + 2 - (last % 2))
}
