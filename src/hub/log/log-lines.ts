/** Lines of a log file, some at a time, and where it ends. */
import { Buffer } from '../../platform/bytes.js'
import { systemErrorCode } from '../../platform/files/file-stat.js'
import type { FileSystem, OpenFile } from '../../platform/files/files.js'

const PIECE = 256 * 1024
const NEWLINE = 10

export type FileLinesPart = {
  lines: string[]
  /** Where the first of them begins. */
  start: number
}

/** Whole lines from a place on; nothing when there is no such file. What has no newline yet is not a line. */
export async function* readLinesFrom(
  files: FileSystem,
  path: string,
  from: number,
): AsyncGenerator<FileLinesPart, void> {
  const file = await openFile(files, path)
  if (!file) return
  try {
    let start = from
    /** Pieces of a line that began in an earlier read. */
    let kept: Buffer[] = []
    for (let position = from; ; ) {
      const piece = Buffer.allocUnsafe(PIECE)
      const count = await file.read(piece, position)
      if (count === 0) return
      position += count
      const read = piece.subarray(0, count)
      const end = read.lastIndexOf(NEWLINE)
      if (end < 0) {
        kept.push(read)
        continue
      }
      const whole = Buffer.concat([...kept, read.subarray(0, end)])
      yield { lines: whole.toString('utf8').split('\n'), start }
      start += whole.length + 1
      kept = end + 1 < count ? [Buffer.from(read.subarray(end + 1))] : []
    }
  } finally {
    await file.close()
  }
}

/** How many lines a file has, and where the last of them ends; `size` is more when something follows that isn't a line. */
export async function countCompleteLines(
  files: FileSystem,
  path: string,
): Promise<{ count: number; end: number; size: number }> {
  const found = { count: 0, end: 0, size: 0 }
  const file = await openFile(files, path)
  if (!file) return found
  try {
    const piece = Buffer.allocUnsafe(PIECE)
    for (;;) {
      const read = piece.subarray(0, await file.read(piece, found.size))
      if (read.length === 0) return found
      for (let at = read.indexOf(NEWLINE); at >= 0; at = read.indexOf(NEWLINE, at + 1)) {
        found.count += 1
        found.end = found.size + at + 1
      }
      found.size += read.length
    }
  } finally {
    await file.close()
  }
}

async function openFile(files: FileSystem, path: string): Promise<OpenFile | undefined> {
  try {
    return (await files.open(path)).file
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
