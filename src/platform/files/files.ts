/** Files, as a port. Errors are Node's own, with their `code` (ENOENT, EACCES, …). */
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  promises as fsp,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, type FileStat, toStat } from './file-stat.js'
import { type DiskLooks, type FolderEntry, listEntries, modificationTime, readSmallFile } from './many-files.js'
import { type Opened, openRegular, readWhole } from './open-file.js'
import { createFile, replaceFile } from './replace-file.js'
import { watchFolder } from './watch-folder.js'

export type { FileKind, FileStat } from './file-stat.js'
export type { OpenFile } from './open-file.js'

/** One look at a file: `stat` and `content` are of the same open handle. */
export type FileSnapshot = {
  stat: FileStat
  /** Undefined when it is no regular file or holds more than was asked for. */
  content: Uint8Array | undefined
}

export interface FileSystem {
  read(path: string): Promise<Uint8Array>
  /** Opens a regular file. `path` is a real path: a file that is reached through a link is an error (`ESTALE`), also
   *  when the link came after the path was looked up. Never blocks on a FIFO or device. */
  open(path: string): Promise<Opened>
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
  /** Where a link points, as it is written in it. */
  readLink(path: string): Promise<string>
  /** Names only. */
  list(path: string): Promise<string[]>
  /** Names with their kinds, at most `limit` of them; links are not followed. */
  entries(path: string, limit?: number): Promise<FolderEntry[]>
  makeDirectory(path: string, mode?: number): Promise<void>
  /** Writes a temporary file beside `path` and renames it over: readers see the old or the new content, never half.
   *  Keeps the owner of what it replaces, where it may. With `expected`, a file that is no longer like that stays as it
   *  is (`ESTALE`), and one that can't be replaced, because its folder takes no new files or it is a mount point, is
   *  overwritten. */
  replace(path: string, content: Uint8Array | string, mode?: number, expected?: FileStat): Promise<void>
  /** The same for a file that must not be there yet (`EEXIST`). */
  create(path: string, content: Uint8Array, mode?: number): Promise<void>
  remove(path: string): Promise<void>
  /** A folder with all that is in it; links are removed, not followed. Nothing happens when there is none. */
  removeTree(path: string): Promise<void>
  /** Only an empty one (`ENOTEMPTY`); a link is none (`ENOTDIR`). */
  removeFolder(path: string): Promise<void>
  /** Follows no link. */
  setFolderMode(path: string, mode: number): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Cuts a file off. */
  truncate(path: string, size: number): Promise<void>
  /** Appends one record with a single write. Creates the file (0600) but not its folder. With `sync` it is on the disk,
   *  not only with the kernel, when this returns. */
  appendSync(path: string, content: string | Uint8Array, sync?: boolean): void
  /** A new file (0600); `EEXIST` when there is something of that name, also a link. */
  createSync(path: string, content: string): void
  removeSync(path: string): void
  /** Makes it a file that was changed just now. */
  touchSync(path: string): void
  existsSync(path: string): boolean
  /** Does not follow links. */
  lstatSync(path: string): FileStat | undefined
  /** With `maxBytes` only a regular file of at most that, and never blocking: for files that somebody else put there. */
  readTextSync(path: string, maxBytes?: number): string
  /** The last `maxBytes` of a file. */
  readEndSync(path: string, maxBytes: number): Uint8Array
  makeDirectorySync(path: string, mode?: number): void
  /** Tells of changes to files right in `folder` until the returned function is called. Keeps no process alive. */
  watch: typeof watchFolder
  /** Present where these are the files of the disk that programs see too: quick looks on this thread, for searches. Whatever else
   *  stands in for files leaves it out, and is searched through the functions above. */
  readonly disk?: DiskLooks | undefined
}

/** Making an error takes ten times as long as looking. */
const NO_THROW = { throwIfNoEntry: false } as const

function orUndefined(look: () => Stats | undefined): FileStat | undefined {
  try {
    const stat = look()
    return stat && toStat(stat)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

export const nodeFiles: FileSystem = {
  disk: { modificationTime, readSmallFile },
  read: (path) => fsp.readFile(path),
  open: (path) => openRegular(path, { exact: true }),
  snapshot,
  async isWritable(path) {
    return fsp.access(path, constants.W_OK).then(
      () => true,
      () => false,
    )
  },
  // Looks are taken on the spot: a call makes a dozen of them, and asking another thread each time takes ten times as long.
  stat: async (path) => orUndefined(() => statSync(path, NO_THROW)),
  lstat: async (path) => orUndefined(() => lstatSync(path, NO_THROW)),
  realpath: async (path) => realpathSync.native(path),
  readLink: async (path) => readlinkSync(path),
  list: (path) => fsp.readdir(path),
  entries: listEntries,
  async makeDirectory(path, mode) {
    makeDirectorySync(path, mode)
  },
  replace: replaceFile,
  create: createFile,
  remove: (path) => fsp.rm(path, { force: true }),
  removeTree: (path) => fsp.rm(path, { force: true, recursive: true }),
  removeFolder: (path) => fsp.rmdir(path),
  setFolderMode,
  rename: (from, to) => fsp.rename(from, to),
  truncate: (path, size) => fsp.truncate(path, size),
  appendSync,
  createSync: (path, content) => writeFileSync(path, content, { flag: 'wx', mode: 0o600 }),
  removeSync: (path) => rmSync(path, { force: true }),
  touchSync: (path) => utimesSync(path, new Date(), new Date()),
  existsSync: (path) => existsSync(path),
  lstatSync: (path) => orUndefined(() => lstatSync(path, NO_THROW)),
  readTextSync,
  readEndSync,
  makeDirectorySync,
  watch: watchFolder,
}

function appendSync(path: string, content: string | Uint8Array, sync = false): void {
  if (!sync) {
    appendFileSync(path, content, { mode: 0o600 })
    return
  }
  const isNew = !existsSync(path)
  const fd = openSync(path, 'a', 0o600)
  try {
    writeFileSync(fd, content)
    fdatasyncSync(fd)
  } finally {
    closeSync(fd)
  }
  if (isNew) syncFolder(dirname(path))
}

/** The name of a new file is part of its folder. */
function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } catch (error) {
    // Some file systems have nothing to do here, and say so.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(codeOf(error) ?? '')) throw error
  } finally {
    closeSync(fd)
  }
}

async function setFolderMode(path: string, mode: number): Promise<void> {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants
  const handle = await fsp.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    await handle.chmod(mode)
  } finally {
    await handle.close()
  }
}

async function snapshot(path: string, maxBytes: number): Promise<FileSnapshot> {
  const { stat, file } = await openRegular(path, { exact: false })
  if (!file) return { stat, content: undefined }
  try {
    return { stat, content: await readWhole(file, maxBytes) }
  } finally {
    await file.close()
  }
}

function readTextSync(path: string, maxBytes?: number): string {
  if (maxBytes === undefined) return readFileSync(path, 'utf8')
  const refuse = ({ kind, size }: FileStat) => {
    if (kind !== 'file' || size > maxBytes)
      throw Object.assign(new Error(`not a file of at most ${maxBytes} bytes, open '${path}'`), { code: 'EFBIG' })
  }
  // Opening some devices has effects of its own, so they are turned away before the open as well.
  refuse(toStat(statSync(path)))
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    refuse(toStat(fstatSync(fd)))
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

function readEndSync(path: string, maxBytes: number): Uint8Array {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const { size } = fstatSync(fd)
    const buffer = Buffer.allocUnsafe(Math.min(maxBytes, size))
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, size - buffer.length))
  } finally {
    closeSync(fd)
  }
}

/** Node's own recursive mkdir never returns on file systems that refuse new folders with ENOENT, as /proc does. */
function makeDirectorySync(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') {
      if (statSync(path).isDirectory()) return
      // The true reason: what stands there is no folder, and nothing can be made below it.
      throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' })
    }
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    makeDirectorySync(dirname(path), mode)
    mkdirSync(path, { mode })
  }
}
