/** What every file that was changed was like at each user message. Plain data in memory: no file is touched here. */

export type FileState =
  /** `blob` names the kept content. Without a mode, that of the file in its place holds. */
  | { kind: 'file'; blob: string; mode: number | undefined }
  | { kind: 'folder'; mode: number | undefined }
  /** `folder`: it became one, or was one. */
  | { kind: 'nothing'; folder?: true }
  /** It could not be kept. While size and time stay what they were, it is taken for unchanged. */
  | { kind: 'unknown'; why: string; size?: number; mtimeMs?: number }

/** A state that holds from one message on, until the next version. */
export type FileStateVersion = { from: number; state: FileState; time: string }

export type TrackedPath = {
  versions: FileStateVersion[]
  /** Only commands changed it, no tool whose every change must be kept. */
  byCommand: boolean
}

export type FileHistory = {
  /** Ids of user messages, in the order they came. */
  readonly messages: string[]
  /** When each of them came. */
  readonly times: string[]
  /** By absolute path, in the order of their first change. */
  readonly paths: Map<string, TrackedPath>
}

export function emptyHistory(): FileHistory {
  return { messages: [], times: [], paths: new Map() }
}

/** Adds a message unless it is known; returns its place. */
export function addOrFindMessage(history: FileHistory, message: string, time: string): number {
  const known = history.messages.lastIndexOf(message)
  if (known >= 0) return known
  history.times.push(time)
  return history.messages.push(message) - 1
}

/** Notes what a path is like at a message; nothing new when that is what it was before. */
export function recordState(history: FileHistory, path: string, version: FileStateVersion, byCommand: boolean): void {
  const tracked = history.paths.get(path)
  if (!tracked) {
    history.paths.set(path, { versions: [version], byCommand })
    return
  }
  const last = tracked.versions.at(-1)
  if (last && (last.from > version.from || isSameState(last.state, version.state))) return
  if (last?.from === version.from) tracked.versions.pop()
  tracked.versions.push(version)
}

export function latestState({ paths }: FileHistory, path: string): FileState | undefined {
  return paths.get(path)?.versions.at(-1)?.state
}

/** Returns a path's state at a message. Before its first change a path was what it was then. */
export function stateAt({ versions }: TrackedPath, place: number): FileState {
  const version = versions.findLast(({ from }) => from <= place) ?? versions[0]
  return version?.state ?? { kind: 'unknown', why: 'nothing is known of it' }
}

export function isSameState(a: FileState, b: FileState): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.blob === b.blob && a.mode === b.mode
  if (a.kind === 'folder') return b.kind === 'folder' && a.mode === b.mode
  if (a.kind === 'nothing') return b.kind === 'nothing'
  // Twice unknown is not twice the same.
  return b.kind === 'unknown' && a.size !== undefined && a.size === b.size && a.mtimeMs === b.mtimeMs
}
