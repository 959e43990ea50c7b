/** Continues with a session on disk: finds it, makes sure that nobody else writes to it, reads it, and mends its end. */
import { systemErrorCode } from '../platform/files/file-stat.js'
import type { FileSystem, OpenFile } from '../platform/files/files.js'
import {
  type LockHolder,
  type ProcessLock,
  type ProcessLockPorts,
  waitForLock,
} from '../platform/files/process-lock.js'
import {
  hasWholeLastLine,
  type LoadedSession,
  loadTranscript,
  repairUnfinishedLastLine,
  type TranscriptCutPoint,
  type TranscriptTail,
} from './load-session.js'
import { lockPath } from './transcript-paths.js'

export { findLatestSessionId } from './latest-session.js'
export { loadTranscriptEntries } from './load-session.js'

export type ResumeOutcome =
  | { is: 'missing' | 'no-such-message' }
  | { is: 'in-use'; holder: LockHolder }
  /** More would be forgotten than was meant; why. */
  | { is: 'refused'; why: string }
  | { is: 'loaded'; session: LoadedSession; lock: LockOrFailure }

/** The function throws why there is no lock. */
type LockOrFailure = ProcessLock | (() => ProcessLock)
/** The files of the sessions, and their locks. */
export type ResumePorts = ProcessLockPorts & { files: FileSystem }
type Wanted = TranscriptCutPoint & { path: string }

/** Two programs that add to a file at once are not waited for longer than this. */
const ATTEMPTS = 5

/** For writing on. Where nothing can be written the session is loaded all the same, and its log will say so. */
export async function openSessionForWriting({ path, ...cut }: Wanted, ports: ResumePorts): Promise<ResumeOutcome> {
  const { files } = ports
  if (!files.existsSync(path)) return { is: 'missing' }
  let lock: ProcessLock
  try {
    const taken = await waitForLock(lockPath(path), ports)
    if ('holder' in taken) return { is: 'in-use', holder: taken.holder }
    lock = taken
  } catch (error) {
    return withReading({ path, ...cut }, files, failing(error))
  }
  try {
    for (let attempt = 1; ; attempt += 1) {
      const found = await read(files, path, cut)
      if ('is' in found) return withoutLock(found, lock)
      const { tail, ...session } = found
      if (hasWholeLastLine(tail)) return { is: 'loaded', session, lock }
      if ((await files.stat(path))?.size === tail.size)
        return { is: 'loaded', session, lock: await mend(files, path, tail, lock) }
      // Somebody without a lock, such as the original, adds to it: what looks torn may only be half-written.
      if (attempt === ATTEMPTS) throw new Error(`another program keeps writing to ${path}`)
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** A sub-agent of a session that is ours already. Undefined when there is nothing of it. */
export async function loadSubagentTranscript(
  { path, ...cut }: Wanted,
  files: FileSystem,
): Promise<LoadedSession | undefined> {
  const found = await read(files, path, { ...cut, isSubagent: true })
  if ('is' in found) return undefined
  const { tail, ...session } = found
  if (!hasWholeLastLine(tail)) await repairUnfinishedLastLine(files, path, tail)
  return session
}

/** For reading only: nobody else has to be gone. */
export async function openSessionForReading(wanted: Wanted, files: FileSystem): Promise<ResumeOutcome> {
  return withReading(wanted, files, failing(new Error('it was opened for reading')))
}

/**
 * A copy under another name, up to the last whole line. The lines stay as they are: the messages keep their ids and say which
 * session they were first part of.
 */
export async function forkForWriting(
  { path, ...cut }: Wanted,
  copy: { path: string; persist: boolean },
  ports: ResumePorts,
): Promise<ResumeOutcome> {
  const { files } = ports
  const found = await read(files, path, cut)
  if ('is' in found) return found
  const { tail, ...session } = found
  if (!copy.persist) return { is: 'loaded', session, lock: failing(new Error('nothing is to be saved')) }
  let lock: ProcessLock | undefined
  try {
    const taken = await waitForLock(lockPath(copy.path), ports)
    if ('holder' in taken) return { is: 'in-use', holder: taken.holder }
    lock = taken
    await copyLines(files, path, copy.path, tail)
    return { is: 'loaded', session, lock }
  } catch (error) {
    lock?.release()
    return { is: 'loaded', session, lock: failing(error) }
  }
}

async function withReading(wanted: Wanted, files: FileSystem, lock: () => ProcessLock): Promise<ResumeOutcome> {
  const found = await read(files, wanted.path, wanted)
  return 'is' in found ? found : { is: 'loaded', session: found, lock }
}

type NotRead = { is: 'missing' | 'no-such-message' } | { is: 'refused'; why: string }

function withoutLock(found: NotRead, lock: ProcessLock): ResumeOutcome {
  lock.release()
  return found
}

async function mend(files: FileSystem, path: string, tail: TranscriptTail, lock: ProcessLock): Promise<LockOrFailure> {
  try {
    await repairUnfinishedLastLine(files, path, tail)
    return lock
  } catch (error) {
    lock.release()
    return failing(error)
  }
}

function failing(error: unknown): () => never {
  return () => {
    throw error
  }
}

async function read(
  files: FileSystem,
  path: string,
  cut: TranscriptCutPoint,
): Promise<(LoadedSession & { tail: TranscriptTail }) | NotRead> {
  const file = await openTranscript(files, path)
  if (!file) return { is: 'missing' }
  try {
    const loaded = await loadTranscript(file, cut)
    if (!loaded) return { is: 'no-such-message' }
    return 'refused' in loaded ? { is: 'refused', why: loaded.refused } : loaded
  } finally {
    await file.close()
  }
}

/** Undefined when there is none, or it isn't a file. */
export async function openTranscript(files: FileSystem, path: string): Promise<OpenFile | undefined> {
  try {
    // Folders on the way may be links, as those of people who keep their configuration elsewhere are.
    return (await files.open(await files.realpath(path))).file
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

const PIECE = 1024 * 1024

/** Under a name of its own first: a copy that is not whole must not look like a session. */
async function copyLines(
  files: FileSystem,
  from: string,
  to: string,
  { wholeTo, lacksNewline }: TranscriptTail,
): Promise<void> {
  const file = await openTranscript(files, from)
  if (!file) throw new Error(`${from} was removed`)
  const unfinished = `${to}.copy`
  try {
    // One that was killed half-way may have left something of the same name.
    files.removeSync(unfinished)
    for (let position = 0; position < wholeTo; ) {
      const piece = new Uint8Array(Math.min(PIECE, wholeTo - position))
      const count = await file.read(piece, position)
      if (count === 0) break
      files.appendSync(unfinished, piece.subarray(0, count))
      position += count
    }
    files.appendSync(unfinished, lacksNewline ? '\n' : '')
    await files.rename(unfinished, to)
  } catch (error) {
    files.removeSync(unfinished)
    throw error
  } finally {
    await file.close()
  }
}
