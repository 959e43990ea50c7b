/** Goes through a text file once, whatever its size: a window of its lines, how many there are, its encoding, its hash. */
import { Buffer } from '../../platform/bytes.js'
import { createContentHash } from '../../platform/files/content-hash.js'
import type { OpenFile } from '../../platform/files/files.js'
import { HEAD_BYTES } from '../files/text-encoding.js'
import { createEncodingCheck } from './check-encoding.js'
import { type KeptLine, keepLines, type LineWindow } from './keep-lines.js'

export type ScannedText = {
  /** Undefined when they are more than the window may hold. */
  lines: KeptLine[] | undefined
  totalLines: number
  /** Bytes. */
  size: number
  hash: string
}

/** An even number of bytes, for UTF-16. */
const PIECE = 1024 * 1024

/** Undefined when it is no text. Throws the signal's reason when aborted. */
export async function scanText(
  file: OpenFile,
  window: LineWindow,
  signal: AbortSignal,
): Promise<ScannedText | undefined> {
  // One byte more than the file has, so that a small file is read to its end at once.
  const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE, Math.max(HEAD_BYTES, 2 * Math.ceil((file.stat.size + 1) / 2))))
  let count = await file.read(buffer, 0)
  const encoding = createEncodingCheck(buffer.subarray(0, Math.min(count, HEAD_BYTES)))
  const keeper = keepLines(window, encoding.unit)
  const hash = await createContentHash(file.stat.size)
  let size = 0
  for (; count > 0; count = await file.read(buffer, size)) {
    signal.throwIfAborted()
    const piece = buffer.subarray(0, count)
    if (!encoding.add(piece)) return undefined
    hash.update(piece)
    keeper.add(piece)
    size += count
    if (count < buffer.length) break
  }
  const found = encoding.end()
  return found && { ...keeper.end(found), size, hash: hash.digest() }
}
