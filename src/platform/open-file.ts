/** Opens regular files for reading so that nothing can take their place: one handle is looked at, judged and read. */
import * as fs from 'node:fs'
import * as fsp from 'node:fs/promises'
import { type FileStat, toStat } from './file-stat.js'

/** A regular file held open. */
export interface OpenFile {
  readonly stat: FileStat
  /** Fills `buffer` with what stands from `position` on; fewer bytes come only at the end of the file. */
  read(buffer: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

export type Opened = {
  stat: FileStat
  /** Undefined when it is no regular file. */
  file: OpenFile | undefined
}

const ATTEMPTS = 3
/** Read in pieces of this size, so that an abort is noticed in between. */
const PIECE = 4 * 1024 * 1024

/** Never blocks on a FIFO or device, never follows a link at the end of `path`. With `exact` no link on the way is
 *  followed either: `path` is a real path, and the file that is opened stands there. */
export async function openRegular(path: string, { exact }: { exact: boolean }): Promise<Opened> {
  for (let attempt = 1; ; attempt += 1) {
    const opened = await openOnce(path)
    if (!opened.file || !exact || (await opened.isAt(path))) return opened
    await opened.file.close()
    // An editor that saves by renaming loses this race once; losing it again and again is no accident.
    if (attempt === ATTEMPTS) throw replaced(path)
  }
}

/** The whole content; undefined when it is more than `maxBytes`. Throws the signal's reason when aborted. */
export async function readWhole(file: OpenFile, maxBytes: number, signal?: AbortSignal): Promise<Buffer | undefined> {
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

export function replaced(path: string): Error {
  return Object.assign(new Error(`ESTALE: the file was replaced meanwhile, open '${path}'`), { code: 'ESTALE' })
}

async function openOnce(path: string): Promise<Opened & { isAt(path: string): Promise<boolean> }> {
  // Opening some devices has effects of its own, so they are turned away before the open as well.
  const before = toStat(await fsp.lstat(path))
  const nowhere = async () => false
  if (before.kind !== 'file') return { stat: before, file: undefined, isAt: nowhere }
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants
  const handle = await fsp.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  try {
    const stat = toStat(await handle.stat())
    if (stat.kind === 'file') return { stat, file: toFile(handle, stat), isAt: (place) => isAt(handle, stat, place) }
    await handle.close()
    return { stat, file: undefined, isAt: nowhere }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function toFile(handle: fsp.FileHandle, stat: FileStat): OpenFile {
  return {
    stat,
    async read(buffer, position) {
      let done = 0
      while (done < buffer.length) {
        const { bytesRead } = await handle.read(buffer, done, buffer.length - done, position + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return done
    },
    close: () => handle.close(),
  }
}

/** A folder on the way could have become a link between the look at the path and the open. */
async function isAt(handle: fsp.FileHandle, stat: FileStat, path: string): Promise<boolean> {
  if (process.platform === 'linux') {
    // The kernel's own word on what the handle is; without /proc the same is concluded from the outside.
    const found = await fsp.readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
    if (found !== undefined) return found === path
  }
  const now = await fsp.lstat(path).catch(() => undefined)
  return now?.ino === stat.ino && now.dev === stat.dev && (await fsp.realpath(path).catch(() => undefined)) === path
}

function grown(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 2 + 4096)
  buffer.copy(larger)
  return larger
}
