/** Opens regular files for reading so that nothing can take their place: one handle is looked at, judged and read. */
import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from 'node:fs'
import type { OpenedPath, OpenFile } from '../../protocol/workspace/workspace-files.js'
import { type FileStat, toFileStat } from './file-stat.js'
import { isHandleAt } from './held-folder.js'

export type { OpenedPath, OpenFile } from '../../protocol/workspace/workspace-files.js'

const ATTEMPTS = 3
/** Read in pieces of this size, so that an abort is noticed in between. */
const PIECE = 4 * 1024 * 1024

/** Never blocks on a FIFO or device, never follows a link at the end of `path`. With `exact` no link on the way is
 *  followed either: `path` is a real path, and the file that is opened stands there. */
export async function openRegularFile(path: string, { exact }: { exact: boolean }): Promise<OpenedPath> {
  for (let attempt = 1; ; attempt += 1) {
    const opened = await openOnce(path)
    if (!opened.file || !exact || opened.isAt(path)) return opened
    await opened.file.close()
    // An editor that saves by renaming loses this race once; losing it again and again isn't an accident.
    if (attempt === ATTEMPTS) throw createReplacedFileError(path)
  }
}

/** The whole content; undefined when it is more than `maxBytes`. Throws the signal's reason when aborted. */
export async function readWholeFile(
  file: OpenFile,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  if (file.stat.size > maxBytes) return undefined
  // `size` is only a hint: files below /proc say 0, and a log may grow while it is read. Not from Node's pool of small
  // buffers, because what is read may be handed over to another thread, which takes all of the memory behind it.
  let buffer: Buffer = Buffer.allocUnsafeSlow(Math.min(file.stat.size, maxBytes) + 1)
  let length = 0
  while (length <= maxBytes) {
    signal?.throwIfAborted()
    if (length === buffer.length) buffer = grown(buffer)
    const piece = buffer.subarray(length, length + PIECE)
    const count = await file.read(piece, length)
    length += count
    if (count < piece.length) return length <= maxBytes ? buffer.subarray(0, length) : undefined
  }
  return undefined
}

export function createReplacedFileError(path: string): Error {
  return Object.assign(new Error(`ESTALE: the file was replaced meanwhile, open '${path}'`), { code: 'ESTALE' })
}

async function openOnce(path: string): Promise<OpenedPath & { isAt(path: string): boolean }> {
  // Opening some devices has effects of its own, so they are turned away before the open as well.
  const before = toFileStat(lstatSync(path))
  const nowhere = () => false
  if (before.kind !== 'file') return { stat: before, file: undefined, isAt: nowhere }
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  try {
    const stat = toFileStat(fstatSync(fd))
    if (stat.kind === 'file') return { stat, file: toFile(fd, stat), isAt: (place) => isHandleAt(fd, place) }
    closeSync(fd)
    return { stat, file: undefined, isAt: nowhere }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Small files are read on the spot: asking another thread for each step takes longer than the steps themselves. */
const SMALL = 262_144

function toFile(fd: number, stat: FileStat): OpenFile {
  const isSmall = stat.size > 0 && stat.size <= SMALL
  let open = true
  return {
    stat,
    async read(buffer, position) {
      let done = 0
      while (done < buffer.length) {
        const rest = buffer.length - done
        const count = isSmall
          ? readSync(fd, buffer, done, rest, position + done)
          : await readAside(fd, buffer.subarray(done), position + done)
        done += count
        // A look behind the end that is known is one too many where each is far away.
        if (count === 0 || (isSmall && position + done >= stat.size)) break
      }
      return done
    },
    async close() {
      // Once: the number may belong to another file by then.
      if (open) closeSync(fd)
      open = false
    },
  }
}

function readAside(fd: number, buffer: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, buffer.length, position, (error, count) => (error ? reject(error) : resolve(count)))
  })
}

function grown(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 2 + 4096)
  buffer.copy(larger)
  return larger
}
