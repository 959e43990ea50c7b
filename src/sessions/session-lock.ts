/**
 * One writer per session: a file beside the transcript names its owner. The lock of a process that is gone is taken over;
 * of one that can't be seen from here (another host or container), when its owner has not shown itself for a while.
 */
import type { Clock } from '../platform/clock.js'
import { codeOf } from '../platform/files/file-stat.js'
import type { FileSystem } from '../platform/files/files.js'
import { dirname } from '../platform/paths.js'
import type { ProcessOwner, ProcessOwners } from '../platform/processes/process-owner.js'

export type SessionLockPorts = {
  files: FileSystem
  clock: Pick<Clock, 'now' | 'sleep' | 'everyInBackground'>
  owners: ProcessOwners
  /** A text that no other owner has. */
  token(): string
}

export interface SessionLock {
  /** A look at the disk: somebody may have taken it over, or removed it with everything else. */
  isHeld(): boolean
  /** Once; later calls do nothing. */
  release(): void
}

export type LockHolder = ProcessOwner & { since: string; token: string }

/** How often an owner shows itself, and after how long without that it counts as gone to those who can't see it. */
const BEAT_MS = 10_000
const SILENCE_MS = 45_000
/** A query that was just closed still tidies up. */
const PATIENCE_MS = 3000
const PAUSE_MS = 25
/** A lock without a readable owner: its process is between two system calls, or died there. Less than anybody waits. */
const UNREADABLE_MS = 1000
const MAX_BYTES = 4096
const SAME = ['dev', 'ino', 'size', 'mtimeMs'] as const

/** For a session nobody else can know of. Throws what the file system says, `EEXIST` when there is a lock. */
export function takeLock(path: string, { files, clock, owners, token }: SessionLockPorts): SessionLock {
  const own: LockHolder = { ...owners.own(), since: new Date(clock.now()).toISOString(), token: token() }
  const text = `${JSON.stringify(own)}\n`
  files.createSync(path, text)
  let known = files.lstatSync(path)
  /** Mostly one look is enough: the same file, and nobody touched it since. */
  const isHeld = () => {
    const stat = files.lstatSync(path)
    if (stat && SAME.every((field) => stat[field] === known?.[field])) return true
    const isOwn = readText(files, path) === text
    if (isOwn) known = stat
    return isOwn
  }
  const stop = clock.everyInBackground(BEAT_MS, () => {
    try {
      if (isHeld()) files.touchSync(path)
    } catch {
      // The next look at the lock says what became of it.
    }
  })
  let released = false
  return {
    isHeld,
    release() {
      if (released) return
      released = true
      stop()
      try {
        if (isHeld()) files.removeSync(path)
      } catch {
        // It names a process that will be gone.
      }
    },
  }
}

/** Waits a little for an owner that is about to end; then says who it is. */
export async function waitForLock(
  path: string,
  ports: SessionLockPorts,
): Promise<SessionLock | { holder: LockHolder }> {
  const { files, clock } = ports
  files.makeDirectorySync(dirname(path), 0o700)
  const deadline = clock.now() + PATIENCE_MS
  for (;;) {
    try {
      return takeLock(path, ports)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = await liveHolder(path, ports)
    if (holder === 'none') continue
    if (holder === 'stale') {
      if (await removeStale(path, ports)) continue
    } else if (clock.now() >= deadline) {
      return { holder }
    }
    await clock.sleep(PAUSE_MS)
  }
}

/** Returns the lock's holder if it is still alive; else `stale`, or `none` without a lock. */
export async function liveHolder(
  path: string,
  { files, clock, owners }: SessionLockPorts,
): Promise<LockHolder | 'stale' | 'none'> {
  const stat = await files.lstat(path)
  if (!stat) return 'none'
  // A clock that is far ahead says as little as one that stands still.
  const silentFor = Math.abs(clock.now() - stat.mtimeMs)
  const holder = readHolder(readText(files, path))
  if (!holder) return silentFor > UNREADABLE_MS ? 'stale' : UNKNOWN
  const state = owners.stateOf(holder)
  if (state === 'elsewhere') return silentFor > SILENCE_MS ? 'stale' : holder
  return state === 'running' ? holder : 'stale'
}

const UNKNOWN: LockHolder = { pid: 0, started: 0, host: 'unknown', machine: '', since: '', token: '' }

/**
 * Two may find the same stale lock, and the slower must not remove the new one of the faster: only who holds the guard
 * removes, and looks again before.
 */
async function removeStale(path: string, ports: SessionLockPorts): Promise<boolean> {
  const { files, clock } = ports
  const guard = `${path}.takeover`
  try {
    files.createSync(guard, '')
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    const stat = await files.lstat(guard)
    // It is held for less than a millisecond: whoever made this one is gone.
    if (stat && clock.now() - stat.mtimeMs > UNREADABLE_MS) files.removeSync(guard)
    return false
  }
  try {
    if ((await liveHolder(path, ports)) === 'stale') files.removeSync(path)
    return true
  } finally {
    files.removeSync(guard)
  }
}

function readText(files: FileSystem, path: string): string | undefined {
  try {
    return files.readTextSync(path, MAX_BYTES)
  } catch {
    return undefined
  }
}

function readHolder(text: string | undefined): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, started, host, machine, since, token } = value as Record<string, unknown> // any object can be looked into
    if (typeof pid !== 'number' || !(pid > 0) || typeof started !== 'number' || typeof machine !== 'string')
      return undefined
    return { pid, started, machine, host: String(host), since: String(since), token: String(token) }
  } catch {
    return undefined
  }
}
