/** Files, as a port. Errors are Node's own, with their `code` (ENOENT, EACCES, …). */
import * as fs from 'node:fs'
import * as fsp from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type FileKind = 'file' | 'directory' | 'symlink' | 'other'
export type FileStat = {
  kind: FileKind
  size: number
  mtimeMs: number
  mode: number
  dev: number
  ino: number
  uid: number
}

/** One look at a file: `stat` and `content` are of the same open handle. */
export type FileSnapshot = {
  stat: FileStat
  /** Undefined when it is no regular file or holds more than was asked for. */
  content: Uint8Array | undefined
}

export interface FileSystem {
  read(path: string): Promise<Uint8Array>
  /** Reads a regular file whole, up to `maxBytes`. Never blocks on a FIFO or device, never follows a link at the end
   *  of `path`: what is judged is what is read. */
  snapshot(path: string, maxBytes: number): Promise<FileSnapshot>
  /** May this process write to the file? */
  isWritable(path: string): Promise<boolean>
  /** Follows links. Undefined when there is nothing. */
  stat(path: string): Promise<FileStat | undefined>
  /** Does not follow links. */
  lstat(path: string): Promise<FileStat | undefined>
  realpath(path: string): Promise<string>
  /** Names only. */
  list(path: string): Promise<string[]>
  makeDirectory(path: string, mode?: number): Promise<void>
  /** Writes a temporary file beside `path` and renames it over: readers see the old or the new content, never half.
   *  Keeps the owner of what it replaces, where it may. */
  replace(path: string, content: Uint8Array | string, mode?: number): Promise<void>
  remove(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Appends one record with a single write. Creates the file (0600) but not its folder. */
  appendSync(path: string, content: string): void
  existsSync(path: string): boolean
  readTextSync(path: string): string
  makeDirectorySync(path: string, mode?: number): void
}

function kindOf(stat: fs.Stats): FileKind {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  return stat.isSymbolicLink() ? 'symlink' : 'other'
}

function toStat(stat: fs.Stats): FileStat {
  return {
    kind: kindOf(stat),
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    mode: stat.mode & 0o7777,
    dev: stat.dev,
    ino: stat.ino,
    uid: stat.uid,
  }
}

async function orUndefined(stat: Promise<fs.Stats>): Promise<FileStat | undefined> {
  try {
    return toStat(await stat)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

export const nodeFiles: FileSystem = {
  read: (path) => fsp.readFile(path),
  snapshot,
  async isWritable(path) {
    return fsp.access(path, fs.constants.W_OK).then(
      () => true,
      () => false,
    )
  },
  stat: (path) => orUndefined(fsp.stat(path)),
  lstat: (path) => orUndefined(fsp.lstat(path)),
  realpath: (path) => fsp.realpath(path),
  list: (path) => fsp.readdir(path),
  async makeDirectory(path, mode) {
    makeDirectorySync(path, mode)
  },
  replace,
  remove: (path) => fsp.rm(path, { force: true }),
  rename: (from, to) => fsp.rename(from, to),
  appendSync: (path, content) => fs.appendFileSync(path, content, { mode: 0o600 }),
  existsSync: (path) => fs.existsSync(path),
  readTextSync: (path) => fs.readFileSync(path, 'utf8'),
  makeDirectorySync,
}

async function snapshot(path: string, maxBytes: number): Promise<FileSnapshot> {
  // Opening some devices has effects of its own, so they are turned away before the open as well.
  const before = toStat(await fsp.lstat(path))
  if (before.kind !== 'file') return { stat: before, content: undefined }
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = fs.constants
  const handle = await fsp.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  try {
    const stat = toStat(await handle.stat())
    if (stat.kind !== 'file' || stat.size > maxBytes) return { stat, content: undefined }
    return { stat, content: await readUpTo(handle, stat.size, maxBytes) }
  } finally {
    await handle.close()
  }
}

/** `size` is only a hint: files below /proc say 0, and a log may grow while it is read. */
async function readUpTo(handle: fsp.FileHandle, size: number, maxBytes: number): Promise<Uint8Array | undefined> {
  let buffer = Buffer.allocUnsafe(size + 1)
  let length = 0
  while (length <= maxBytes) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2 + 4096)
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
    if (bytesRead === 0) return buffer.subarray(0, length)
    length += bytesRead
  }
  return undefined
}

async function replace(path: string, content: Uint8Array | string, mode?: number): Promise<void> {
  const temporary = join(dirname(path), `.kedge-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`)
  try {
    const handle = await fsp.open(temporary, 'wx', mode ?? 0o666)
    try {
      await handle.writeFile(content)
      await keepOwner(handle, path)
      // The creation mode is subject to umask, and chown drops set-id bits; an explicit mode is neither.
      if (mode !== undefined) await handle.chmod(mode)
    } finally {
      await handle.close()
    }
    await fsp.rename(temporary, path)
  } catch (error) {
    await fsp.rm(temporary, { force: true })
    throw error
  }
}

async function keepOwner(handle: fsp.FileHandle, path: string): Promise<void> {
  const old = await fsp.stat(path).catch(() => undefined)
  if (!old) return
  const own = await handle.stat()
  if (old.uid === own.uid && old.gid === own.gid) return
  // Only root may give files away; without it the new file is simply ours.
  await handle.chown(old.uid, old.gid).catch(() => undefined)
}

/** Node's own recursive mkdir never returns on file systems that refuse new folders with ENOENT, as /proc does. */
function makeDirectorySync(path: string, mode?: number): void {
  try {
    fs.mkdirSync(path, { mode })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && fs.statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    makeDirectorySync(dirname(path), mode)
    fs.mkdirSync(path, { mode })
  }
}
