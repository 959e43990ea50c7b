/** The files of this machine. Errors are Node's own, with their `code` (ENOENT, EACCES, …). */
import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  promises as fsp,
  fstatSync,
  fsyncSync,
  lstatSync,
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
import { basename, dirname } from 'node:path'
import type { FileSnapshot, WorkspaceFiles } from '../../protocol/workspace/workspace-files.js'
import { listEntries } from './fast-file-lookups.js'
import { type FileStat, systemErrorCode, toFileStat } from './file-stat.js'
import type { AppendOptions, FileSystem } from './file-system.js'
import { withHeldFolder } from './held-folder.js'
import { makeFolders, makeFoldersWithoutLinks } from './make-folders.js'
import { openRegularFile, readWholeFile } from './open-file.js'
import { createFile, replaceFile } from './replace-file.js'
import { watchFolder } from './watch-folder.js'

export type { FileKind, FileStat, OpenFile, WorkspaceFiles } from '../../protocol/workspace/workspace-files.js'
export type { AgentOnlyFiles, BasicFiles, FileSystem, FolderWatcher, SyncFiles } from './file-system.js'

/** Making an error takes ten times as long as looking. */
const NO_THROW = { throwIfNoEntry: false } as const

function orUndefined(look: () => Stats | undefined): FileStat | undefined {
  try {
    const stat = look()
    return stat && toFileStat(stat)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return undefined
    throw error
  }
}

export const nodeFiles: FileSystem = {
  read: (path) => fsp.readFile(path),
  open: (path) => openRegularFile(path, { exact: true }),
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
  makeDirectory: async (path, mode) => makeFolders(path, mode),
  // The agent's own files: others on the machine must not read what a session said or did.
  replace: (path, content, mode = 0o600, expected) => replaceFile(path, { content, mode, expected, exact: false }),
  create: (path, content, mode) => createFile(path, { content, mode, exact: false }),
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
  makeDirectorySync: makeFolders,
  watch: watchFolder,
}

const EXACT = { exact: true }

/**
 * The same as the tools have them. What they change was judged by where it is, so its path is a real one, and nothing is
 * changed behind a link that came since (`ELOOP`). The agent's own files may well be behind links that the user made.
 */
export const workspaceDisk: WorkspaceFiles = {
  ...nodeFiles,
  makeDirectory: async (path, mode) => makeFoldersWithoutLinks(path, mode),
  replace: (path, content, mode, expected) => replaceFile(path, { content, mode, expected, ...EXACT }),
  create: (path, content, mode) => createFile(path, { content, mode, ...EXACT }),
  remove: (path) =>
    withHeldFolder(dirname(path), EXACT, ({ at }) => fsp.rm(at(basename(path)), { force: true })).catch((error) => {
      if (systemErrorCode(error) !== 'ENOENT') throw error
    }),
  removeFolder: (path) => withHeldFolder(dirname(path), EXACT, ({ at }) => fsp.rmdir(at(basename(path)))),
  setFolderMode: (path, mode) =>
    withHeldFolder(dirname(path), EXACT, ({ at }) => setFolderMode(at(basename(path)), mode)),
}

/** True for the files of this machine: programs that run here see the same, except for what an editor has not saved. */
export function areLocalFiles(files: WorkspaceFiles): boolean {
  return files === workspaceDisk || files === nodeFiles || files.isDisk === true
}

/** Never through a link at the end: somebody else put that there, to have a file of ours written elsewhere (`ELOOP`). */
const APPEND = constants.O_APPEND | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)

function appendSync(path: string, content: string | Uint8Array, { sync, isThere }: AppendOptions = {}): void {
  const isNew = sync && !isThere && !existsSync(path)
  const fd = openSync(path, isThere ? APPEND : APPEND | constants.O_CREAT, 0o600)
  try {
    writeFileSync(fd, content)
    if (sync) fdatasyncSync(fd)
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
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(systemErrorCode(error) ?? '')) throw error
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
  const { stat, file } = await openRegularFile(path, { exact: false })
  if (!file) return { stat, content: undefined }
  try {
    return { stat, content: await readWholeFile(file, maxBytes) }
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
  refuse(toFileStat(statSync(path)))
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    refuse(toFileStat(fstatSync(fd)))
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
