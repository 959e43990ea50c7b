/** The files of a workspace: what Read, Write, Edit, Grep and Glob, permissions and checkpoints need of them. */

export type FileKind = 'file' | 'directory' | 'symlink' | 'other'

export type FileStat = {
  kind: FileKind
  size: number
  mtimeMs: number
  mode: number
  dev: number
  ino: number
  uid: number
  /** How many names it has; more than one are hard links. */
  links: number
}

export type FolderEntry = { name: string; kind: FileKind }

/** A regular file held open. */
export interface OpenFile {
  readonly stat: FileStat
  /** Fills `buffer` with what stands from `position` on; fewer bytes come only at the end of the file. */
  read(buffer: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

export type OpenedPath = {
  stat: FileStat
  /** Undefined if it is not a regular file. */
  file: OpenFile | undefined
}

/** One look at a file: `stat` and `content` are of the same open handle. */
export type FileSnapshot = {
  stat: FileStat
  /** Undefined if it is not a regular file, or larger than requested. */
  content: Uint8Array | undefined
}

/** What is to be replaced, as it was when it was looked at. */
export type ExpectedFile = FileStat & {
  /** Where it is known: the same times and size do not mean the same content. */
  content?: Uint8Array
}

/**
 * Paths are absolute. Errors have a `code` as Node gives it (ENOENT, EACCES, ...). What is changed is named by its real path,
 * as it was judged: where a folder on the way is a link now, nothing is changed (`ELOOP`).
 */
export interface WorkspaceFiles {
  /** They are those of this machine, except for what an editor has not saved: searches may read the disk themselves. */
  readonly isDisk?: boolean
  /** Opens a regular file. `path` is a real path: a file that is reached through a link is an error (`ESTALE`), also
   *  when the link came after the path was looked up. Never blocks on a FIFO or device. */
  open(path: string): Promise<OpenedPath>
  /** Reads a regular file whole, up to `maxBytes`. Never blocks on a FIFO or device, never follows a link at the end
   *  of `path`: what is judged is what is read. */
  snapshot(path: string, maxBytes: number): Promise<FileSnapshot>
  /** May this process write to the file? */
  isWritable(path: string): Promise<boolean>
  /** Follows links. Undefined when there is nothing. */
  stat(path: string): Promise<FileStat | undefined>
  /** Does not follow links. */
  lstat(path: string): Promise<FileStat | undefined>
  /** Where a path leads when its links are followed. */
  realpath(path: string): Promise<string>
  /** Where a link points, as it is written in it. */
  readLink(path: string): Promise<string>
  /** Names with their kinds, at most `limit` of them; links are not followed. */
  entries(path: string, limit?: number): Promise<FolderEntry[]>
  /** Makes a folder, and those above it that are missing. */
  makeDirectory(path: string, mode?: number): Promise<void>
  /**
   * Readers see the old or the new content, never a half. Keeps the owner of the replaced file, if permitted. With
   * `expected`, a file that has changed since stays as it is (`ESTALE`): of two writers that replace the same file, one
   * gets the error.
   */
  replace(path: string, content: Uint8Array | string, mode?: number, expected?: ExpectedFile): Promise<void>
  /** The same for a file that must not be there yet (`EEXIST`). */
  create(path: string, content: Uint8Array, mode?: number): Promise<void>
  /** Removes a file. */
  remove(path: string): Promise<void>
  /** Only an empty one (`ENOTEMPTY`); a link is none (`ENOTDIR`). */
  removeFolder(path: string): Promise<void>
  /** Follows no link. */
  setFolderMode(path: string, mode: number): Promise<void>
  /** Only where an answer can be given on the spot, which saves searches a look at files that are not there. */
  existsSync?(path: string): boolean
}
