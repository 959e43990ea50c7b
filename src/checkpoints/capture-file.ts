/** One look at a path: what stands there, its content kept. Links are never followed. */
import type { FileStat, WorkspaceFiles } from '../platform/files/files.js'
import { readWholeFile } from '../platform/files/open-file.js'
import { dirname } from '../platform/paths.js'
import { messageOf } from '../protocol/thrown.js'
import { type BlobStore, MAX_BLOB_BYTES } from './blobs.js'
import type { FileState } from './file-history.js'

export type CapturedFile = {
  state: FileState
  /** Set if the file's content was kept. */
  stat?: FileStat
}

export const SYMBOLIC_LINK_REASON = 'it is a symbolic link'
export const SPECIAL_FILE_REASON = 'it is a pipe, socket or device'
export const LINKED_FOLDER_REASON = 'a folder on the way to it is a symbolic link now'

/**
 * Looks at a file, and keeps its content in the store. Never rejects: what can't be kept is unknown, with the reason.
 */
export async function captureFile(path: string, files: WorkspaceFiles, store: BlobStore): Promise<CapturedFile> {
  let stat: FileStat | undefined
  try {
    stat = await files.lstat(path)
    if (!stat) return { state: { kind: 'nothing' } }
    if (!(await isReachedWithoutLinks(path, files))) return { state: unknownState(LINKED_FOLDER_REASON) }
    if (stat.kind === 'directory') return { state: { kind: 'folder', mode: stat.mode } }
    if (stat.kind !== 'file')
      return { state: unknownState(stat.kind === 'symlink' ? SYMBOLIC_LINK_REASON : SPECIAL_FILE_REASON, stat) }
    return await keepFile(path, files, store)
  } catch (error) {
    return { state: unknownState(messageOf(error), stat) }
  }
}

async function keepFile(path: string, files: WorkspaceFiles, store: BlobStore): Promise<CapturedFile> {
  const { stat, file } = await files.open(path)
  if (!file) return { state: unknownState('it was replaced meanwhile', stat) }
  try {
    const content = await readWholeFile(file, MAX_BLOB_BYTES)
    if (!content) return { state: unknownState(TOO_LARGE, stat) }
    return { state: { kind: 'file', blob: await store.keep(content), mode: file.stat.mode }, stat: file.stat }
  } finally {
    await file.close()
  }
}

const TOO_LARGE = `it is larger than ${MAX_BLOB_BYTES / 1024 / 1024} MB`

export function unknownState(why: string, stat?: FileStat): FileState {
  return { kind: 'unknown', why, ...(stat ? { size: stat.size, mtimeMs: stat.mtimeMs } : {}) }
}

/** Is there no link on the way? Folders that are not there yet are none. */
export async function isReachedWithoutLinks(path: string, files: WorkspaceFiles): Promise<boolean> {
  const folder = dirname(path)
  if (folder === path) return true
  if (!(await files.lstat(folder))) return isReachedWithoutLinks(folder, files)
  return (await files.realpath(folder).catch(() => undefined)) === folder
}

/** Returns whether two looks found the same file, as far as can be told without reading it. */
export function isSameFile(a: FileStat, b: FileStat): boolean {
  const keys = ['kind', 'dev', 'ino', 'size', 'mtimeMs', 'mode'] as const
  return keys.every((key) => a[key] === b[key])
}
