/**
 * The history of files as lines of a session file, in the shape of the original, which can rewind by them: what it would take
 * for something else (folders, files that could not be kept) stands beside, where it does not look.
 */

import { isAbsolute, isInside, relative, resolve } from '../platform/paths.js'
import { isObject } from '../protocol/json.js'
import type {
  FileHistoryBackup,
  TranscriptFileHistoryDelta,
  TranscriptFileHistoryLine,
  TranscriptOtherFileDelta,
} from '../protocol/transcript.js'
import { addOrFindMessage, type FileHistory, type FileState, recordState, type TrackedPath } from './file-history.js'

export type FileHistoryTranscriptLine =
  | TranscriptFileHistoryLine
  | TranscriptFileHistoryDelta
  | TranscriptOtherFileDelta

/** Beyond so many files a change of few is written as what it adds: repeating all the others would cost their square. */
const MOST_REPEATED = 100
const FEW = 0.1

/** All that is known at the latest message. */
export function createFileHistorySnapshotLine(history: FileHistory, cwd: string): TranscriptFileHistoryLine {
  const place = history.messages.length - 1
  const messageId = history.messages[place] ?? ''
  return {
    type: 'file-history-snapshot',
    messageId,
    snapshot: snapshotOf(history, place, cwd),
    isSnapshotUpdate: false,
  }
}

/** What the paths in `added` were like before their first change. `during`: the line of the session that it came after. */
export function createFirstChangeLines(
  history: FileHistory,
  added: readonly string[],
  { cwd, during, now }: { cwd: string; during: string; now: string },
): FileHistoryTranscriptLine[] {
  const place = history.messages.length - 1
  const snapshotMessageId = history.messages[place] ?? ''
  if (history.paths.size <= MOST_REPEATED || added.length > history.paths.size * FEW) {
    const snapshot = snapshotOf(history, place, cwd)
    return [{ type: 'file-history-snapshot', messageId: during, snapshot, isSnapshotUpdate: true }]
  }
  return added.flatMap((path): FileHistoryTranscriptLine[] => {
    const tracked = history.paths.get(path)
    const backup = tracked && toBackup(tracked)
    if (!backup) return []
    // A folder, or what was not kept, must not be taken for a file that was not there.
    const type = backup.kind === undefined ? 'file-history-delta' : 'file-history-other'
    const trackingPath = toKey(path, cwd)
    return [{ type, messageId: during, snapshotMessageId, trackingPath, backup, timestamp: now }]
  })
}

function snapshotOf(history: FileHistory, place: number, cwd: string): TranscriptFileHistoryLine['snapshot'] {
  const trackedFiles: [string, FileHistoryBackup][] = []
  const others: [string, FileHistoryBackup][] = []
  for (const [path, tracked] of history.paths) {
    const backup = toBackup(tracked)
    if (backup) (backup.kind === undefined ? trackedFiles : others).push([toKey(path, cwd), backup])
  }
  // Made of entries: a file may be called __proto__.
  return {
    messageId: history.messages[place] ?? '',
    trackedFileBackups: Object.fromEntries(trackedFiles),
    timestamp: history.times[place] ?? '',
    ...(others.length > 0 ? { otherPaths: Object.fromEntries(others) } : {}),
  }
}

function toBackup(tracked: TrackedPath): FileHistoryBackup | undefined {
  const latest = tracked.versions.at(-1)
  if (!latest) return undefined
  const { state, time } = latest
  const version = tracked.versions.length
  const origin = tracked.byCommand ? { byCommand: true as const } : {}
  const backup = (name: string | null, more: Partial<FileHistoryBackup> = {}): FileHistoryBackup => ({
    backupFileName: name,
    version,
    backupTime: time,
    ...more,
    ...origin,
  })
  switch (state.kind) {
    case 'file':
      return backup(state.blob, state.mode === undefined ? {} : { mode: state.mode })
    case 'folder':
      return backup(null, { kind: 'folder', ...(state.mode === undefined ? {} : { mode: state.mode }) })
    case 'nothing':
      return backup(null, state.folder ? { kind: 'no-folder' } : {})
    case 'unknown': {
      const { why, size, mtimeMs } = state
      return backup(null, { kind: 'not-kept', why, ...(size === undefined ? {} : { size, mtimeMs }) })
    }
  }
}

/** Takes over what a line says, ours or one of the original; anything else is left alone. */
export function applyHistoryLine(history: FileHistory, line: unknown, cwd: string): void {
  if (!isObject(line)) return
  if (line.type === 'file-history-delta' || line.type === 'file-history-other') {
    const { snapshotMessageId: id, trackingPath: key, backup } = line
    const place = typeof id === 'string' ? history.messages.lastIndexOf(id) : -1
    if (place >= 0 && typeof key === 'string') readBackup(history, place, key, backup, cwd)
    return
  }
  if (line.type !== 'file-history-snapshot' || !isObject(line.snapshot)) return
  const { messageId, timestamp, trackedFileBackups, otherPaths } = line.snapshot
  if (typeof messageId !== 'string') return
  const place = addOrFindMessage(history, messageId, typeof timestamp === 'string' ? timestamp : '')
  for (const backups of [trackedFileBackups, otherPaths]) {
    if (!isObject(backups)) continue
    for (const [key, backup] of Object.entries(backups)) readBackup(history, place, key, backup, cwd)
  }
}

function readBackup(history: FileHistory, from: number, key: string, backup: unknown, cwd: string): void {
  if (!isObject(backup) || key === '' || key.includes('\0')) return
  const state = toState(backup)
  if (!state) return
  const time = typeof backup.backupTime === 'string' ? backup.backupTime : ''
  recordState(history, resolve(cwd, key), { from, state, time }, backup.byCommand === true)
}

function toState({ backupFileName, kind, mode, why, size, mtimeMs }: Record<string, unknown>): FileState | undefined {
  const ownMode = isMode(mode) ? mode : undefined
  if (kind === 'folder') return { kind: 'folder', mode: ownMode }
  if (kind === 'no-folder') return { kind: 'nothing', folder: true }
  if (kind === 'not-kept') {
    const seen = typeof size === 'number' && typeof mtimeMs === 'number' ? { size, mtimeMs } : {}
    return { kind: 'unknown', why: typeof why === 'string' ? why : 'it was not kept', ...seen }
  }
  if (backupFileName === null) return { kind: 'nothing' }
  return typeof backupFileName === 'string' ? { kind: 'file', blob: backupFileName, mode: ownMode } : undefined
}

function isMode(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0o7777
}

/** As the original names them: from the working directory where they are inside. */
function toKey(path: string, cwd: string): string {
  const key = isInside(path, cwd) ? relative(cwd, path) : path
  return key === '' || isAbsolute(key) ? path : key
}
