/** Keeps what files were like at each user message of a session, and puts them back. One thing at a time. */
import type { FileStat } from '../platform/files/files.js'
import type { RewindFilesResult } from '../protocol/control.js'
import type { SDKFilesPersistedEvent } from '../protocol/messages.js'
import { captureFile, isSameFile, unknownState } from './capture-file.js'
import {
  addOrFindMessage,
  type FileHistory,
  type FileState,
  latestState,
  recordState,
  type TrackedPath,
} from './file-history.js'
import {
  createFileHistorySnapshotLine,
  createFirstChangeLines,
  type FileHistoryTranscriptLine,
} from './history-lines.js'
import { isAlreadyRestored, isUnkeptFileUnchanged } from './plan-rewind.js'
import {
  type ChangedOrMovedPath,
  findPathsReachedByChanges,
  MAX_KEPT_FOLDER_FILES,
  type PathsReachedByChanges,
} from './reached-paths.js'
import { type RewindFlags, type RunRewindPorts, rewindFiles } from './run-rewind.js'

export type CheckpointPorts = RunRewindPorts & {
  /** Real: the session file names what is inside it by relative paths. */
  cwd: string
  now(): number
  /** Puts a line into the session file. */
  record(line: FileHistoryTranscriptLine): void
  /** The line of the session file that what happens now came after. */
  during(): string
  /** For a checkpoint that belongs to no message. */
  newId(): string
  /** Told once for each path. */
  onNotKept(path: string, why: string): void
}

/** What was changed since the last time it was asked for. */
export type FilesChangedSinceLastReport = Pick<SDKFilesPersistedEvent, 'files' | 'failed'>

export interface Checkpoints {
  /** A user message came: notes what all files that were ever changed are like now. */
  begin(messageId: string): Promise<void>
  /** Before a command changes files. */
  beforeCommand(changes: readonly ChangedOrMovedPath[]): Promise<void>
  /** Around a tool that changes this file: a rewind waits until it is through. */
  whileEditing<T>(path: string, work: () => Promise<T>): Promise<T>
  /** After a command: what it left is not the user's doing. */
  afterCommand(): Promise<void>
  takeChanged(): Promise<FilesChangedSinceLastReport>
  /** Undefined: nothing is known of this message. */
  rewind(messageId: string, how?: RewindFlags): Promise<RewindFilesResult | undefined>
}

/** Clocks of file systems are coarse: a file changed as shortly before a look may change again and look the same. */
const SETTLED_MS = 2000

export function createCheckpoints(history: FileHistory, ports: CheckpointPorts): Checkpoints {
  const { files, store, cwd } = ports
  const { settle, isOthers } = createLeft(files)
  const alone = oneAtATime()
  const seen = new Map<string, { stat: FileStat; at: number }>()
  const told = new Set<string>()
  /** What was touched since it was last asked for, as it was before. */
  const touched = new Map<string, FileState>()
  const time = () => new Date(ports.now()).toISOString()

  const isUnchanged = async (path: string) => {
    const known = seen.get(path)
    if (!known || known.at - known.stat.mtimeMs < SETTLED_MS) return false
    const stat = await files.lstat(path).catch(() => undefined)
    return stat !== undefined && isSameFile(stat, known.stat)
  }

  const tellNotKept = (path: string, why: string) => {
    if (told.has(path)) return
    told.add(path)
    ports.onNotKept(path, why)
  }

  const note = (path: string, state: FileState, byCommand: boolean) => {
    const from = history.messages.length - 1
    recordState(history, path, { from, state, time: time() }, byCommand)
    // Whether a command really changes it shows later.
    if (state.kind === 'unknown' && !byCommand) tellNotKept(path, state.why)
  }

  const look = async (path: string, tracked?: TrackedPath): Promise<FileState> => {
    const at = ports.now()
    const { state, stat } = await captureFile(path, files, store)
    if (stat) seen.set(path, { stat, at })
    else seen.delete(path)
    return state.kind === 'nothing' && tracked?.versions.some(isFolder) ? NEW_FOLDER : state
  }

  const protect = async (changes: readonly ChangedOrMovedPath[], byCommand: boolean) => {
    // Without a message there is nothing to go back to.
    if (history.messages.length === 0) return
    const { paths, newFolders, tooLarge } = await findPathsReachedByChanges(changes, files).catch(() =>
      ownPaths(changes),
    )
    const added: string[] = []
    for (const path of paths) {
      const tracked = history.paths.get(path)
      if (tracked && !byCommand) tracked.byCommand = false
      const before = latestState(history, path)
      const isTooMuch = tooLarge.includes(path) && before?.kind !== 'nothing'
      if (isTooMuch) note(path, unknownState(TOO_MUCH, await files.lstat(path)), byCommand)
      else if (!tracked) note(path, newFolders.has(path) ? NEW_FOLDER : await look(path), byCommand)
      if (isTooMuch || !tracked) added.push(path)
      const state = latestState(history, path)
      if (state && !touched.has(path)) touched.set(path, state)
    }
    if (added.length === 0) return
    for (const line of createFirstChangeLines(history, added, { cwd, during: ports.during(), now: time() }))
      ports.record(line)
  }

  const begin = async (messageId: string) => {
    if (history.messages.includes(messageId)) return
    addOrFindMessage(history, messageId, time())
    for (const [path, tracked] of history.paths) {
      if (!(await isUnchanged(path))) note(path, await look(path, tracked), tracked.byCommand)
    }
    await settle(history.paths.keys())
    ports.record(createFileHistorySnapshotLine(history, cwd))
  }

  const rewind = async (messageId: string, how: RewindFlags) => {
    const keep = async () => {
      const id = ports.newId()
      await begin(id)
      return id
    }
    const done = await rewindFiles(history, messageId, how, { ...ports, isOthers, keep })
    if (!how.dryRun && done?.canRewind) await settle(history.paths.keys())
    return done
  }

  const takeChanged = async (): Promise<FilesChangedSinceLastReport> => {
    const changed: FilesChangedSinceLastReport = { files: [], failed: [] }
    for (const [path, before] of touched) {
      const found = await files.lstat(path).catch(() => undefined)
      if (before.kind === 'unknown') {
        if (isUnkeptFileUnchanged(before, found)) continue
        changed.failed.push({ filename: path, error: before.why })
        tellNotKept(path, before.why)
      } else {
        const isFile = found?.kind === 'file' || before.kind === 'file'
        if (!isFile || (await isAlreadyRestored(path, before, found, ports).catch(() => false))) continue
        changed.files.push({ filename: path, file_id: before.kind === 'file' ? before.blob : '' })
      }
    }
    touched.clear()
    return changed
  }

  return {
    begin: (messageId) => alone(() => begin(messageId)),
    beforeCommand: (changes) => alone(() => protect(changes, true)),
    whileEditing: (path, work) =>
      alone(async () => {
        await protect([{ path }], false)
        try {
          return await work()
        } finally {
          await settle([path])
        }
      }),
    afterCommand: () => alone(() => settle(touched.keys())),
    takeChanged: () => alone(takeChanged),
    rewind: (messageId, how = {}) => alone(() => rewind(messageId, how)),
  }
}

/** What stood there after the last message, call or rewind. What is otherwise now, somebody else did. */
function createLeft(files: CheckpointPorts['files']) {
  const left = new Map<string, FileStat | undefined>()
  const look = (path: string) => files.lstat(path).catch(() => undefined)
  return {
    async settle(paths: Iterable<string>): Promise<void> {
      for (const path of paths) left.set(path, await look(path))
    },
    async isOthers(path: string): Promise<boolean> {
      if (!left.has(path)) return false
      const [before, now] = [left.get(path), await look(path)]
      return before && now ? !isSameFile(before, now) : before !== now
    },
  }
}

/** What is behind a folder that can't be looked into: the look at the path itself says why. */
function ownPaths(changes: readonly ChangedOrMovedPath[]): PathsReachedByChanges {
  const paths = changes.flatMap((change) => ('path' in change ? change.path : []))
  return { paths, newFolders: new Set(), tooLarge: [] }
}

const TOO_MUCH = `it holds more than ${MAX_KEPT_FOLDER_FILES} files, or very large ones`

const NEW_FOLDER: FileState = { kind: 'nothing', folder: true }

function isFolder({ state }: { state: FileState }): boolean {
  return state.kind === 'folder' || (state.kind === 'nothing' && state.folder === true)
}

function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
