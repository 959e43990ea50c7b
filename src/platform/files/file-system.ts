/** Files as ports, each as small as those who use it need: the agent's own files, files on the spot, folders watched. */
import type { FileStat, WorkspaceFiles } from '../../protocol/workspace/workspace-files.js'
import type { watchFolder } from './watch-folder.js'

/** What both sides need: looking at files, reading and replacing them. The workspace has no more than this. */
export type BasicFiles = WorkspaceFiles

/** What only the agent's own files need: sessions, settings, teams. */
export interface AgentOnlyFiles {
  read(path: string): Promise<Uint8Array>
  /** Names only. */
  list(path: string): Promise<string[]>
  /** A folder with all that is in it; links are removed, not followed. Nothing happens when there is none. */
  removeTree(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Cuts a file off. */
  truncate(path: string, size: number): Promise<void>
}

export type AppendOptions = {
  /** It is on the disk, not only with the kernel, when the call returns. */
  sync?: boolean
  /** No file is made (`ENOENT`). */
  isThere?: boolean
}

/** What has to be done when the call returns: the lines of a transcript, locks, settings at the start. */
export interface SyncFiles {
  /** Appends one record with a single write. Creates the file (0600) but not its folder; a link in its place is not followed
   *  (`ELOOP`). */
  appendSync(path: string, content: string | Uint8Array, how?: AppendOptions): void
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
}

export interface FolderWatcher {
  /** Tells of changes to files right in `folder` until the returned function is called. Keeps no process alive. */
  watch: typeof watchFolder
}

/** All of it, as the disk of this machine has it. */
export type FileSystem = BasicFiles & AgentOnlyFiles & SyncFiles & FolderWatcher
