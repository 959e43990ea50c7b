/**
 * The one lock between processes: a file that names its owner. The lock of a process that is gone is taken over at once; of one that
 * can't be seen from here (another host or container), when its owner has not shown itself for a while.
 */
import type { Clock } from '../clock.js'
import { createPlatformIdentity } from '../identity.js'
import { dirname } from '../paths.js'
import { type OwnerProcess, type OwnerProcessChecker, ownerProcessChecker } from '../processes/owner-process.js'
import { systemErrorCode } from './file-stat.js'
import type { SyncFiles } from './file-system.js'

export type ProcessLockPorts = {
  files: Pick<SyncFiles, 'createSync' | 'removeSync' | 'touchSync' | 'readTextSync' | 'lstatSync' | 'makeDirectorySync'>
  clock: Pick<Clock, 'now' | 'sleep' | 'everyInBackground'>
  /** Default: the processes of this machine. */
  owners?: OwnerProcessChecker
  /** Returns a text that no other owner has. Default: a new UUID. */
  token?: () => string
}

export interface ProcessLock {
  /** Looks at the disk: another process can have taken the lock over, or removed it with everything else. */
  isHeld(): boolean
  /** Removes the lock once; later calls do nothing. */
  release(): void
}

export type LockHolder = OwnerProcess & { since: string; token: string }

/** How often an owner shows itself, and after how long without that it counts as gone to those who can't see it. */
const BEAT_MS = 10_000
const SILENCE_MS = 45_000
/** A session that was just closed still tidies up. */
const PATIENCE_MS = 3000
const PAUSE_MS = 10
/** A lock without a readable owner: its process is between two system calls, or died there. Less than any caller waits. */
const UNREADABLE_MS = 2000
const MAX_BYTES = 4096
const SAME = ['dev', 'ino', 'size', 'mtimeMs'] as const

/** Takes a lock that no other process can know of. Throws what the file system says, `EEXIST` if there is a lock. */
export function takeLock(
  path: string,
  { files, clock, owners = ownerProcessChecker, token = createPlatformIdentity().uuid }: ProcessLockPorts,
): ProcessLock {
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

/** Takes the lock without waiting, over a stale one too; else returns who holds it. */
export function tryLock(path: string, ports: ProcessLockPorts): ProcessLock | { holder: LockHolder } {
  for (;;) {
    try {
      return takeLock(path, ports)
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error
    }
    const holder = findLiveLockHolder(path, ports)
    if (holder === 'none') continue
    if (holder !== 'stale') return { holder }
    if (!removeStale(path, ports)) return { holder: UNKNOWN }
  }
}

/** Waits a little for an owner that is about to end; then returns who it is. Makes the lock's folder. */
export async function waitForLock(
  path: string,
  ports: ProcessLockPorts,
  patienceMs = PATIENCE_MS,
): Promise<ProcessLock | { holder: LockHolder }> {
  ports.files.makeDirectorySync(dirname(path), 0o700)
  return lockWithin(patienceMs, path, ports)
}

async function lockWithin(patienceMs: number, path: string, ports: ProcessLockPorts) {
  const deadline = ports.clock.now() + patienceMs
  for (;;) {
    const lock = tryLock(path, ports)
    if (!('holder' in lock) || ports.clock.now() >= deadline) return lock
    await ports.clock.sleep(PAUSE_MS)
  }
}

/** Why a lock could not be taken: another process holds it for too long, or the file system refuses it. */
export type LockFailure = { holder: LockHolder } | { error: unknown }

/**
 * Runs `work` while no other process does so for `path`; the lock is `<path>.lock`. If it can't be had within `patienceMs`, runs
 * `otherwise` without it.
 */
export async function whileLocked<T>(
  path: string,
  ports: ProcessLockPorts,
  work: () => Promise<T>,
  { patienceMs, otherwise }: { patienceMs: number; otherwise: (why: LockFailure) => Promise<T> },
): Promise<T> {
  const lock = await lockWithin(patienceMs, `${path}.lock`, ports).catch((error: unknown) => ({ error }))
  if (!('release' in lock)) return otherwise(lock)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** Returns the lock's holder if it is still alive; else `stale`, or `none` without a lock. */
export function findLiveLockHolder(
  path: string,
  { files, clock, owners = ownerProcessChecker }: ProcessLockPorts,
): LockHolder | 'stale' | 'none' {
  const stat = files.lstatSync(path)
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
 * Two may find the same stale lock, and the slower must not remove the new one of the faster: only the holder of the guard removes,
 * and looks again before. Nothing is awaited in between, so a guard that stays behind is of a process that died.
 */
function removeStale(path: string, ports: ProcessLockPorts): boolean {
  const { files, clock } = ports
  const guard = `${path}.takeover`
  try {
    files.createSync(guard, '')
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
    const stat = files.lstatSync(guard)
    if (stat && Math.abs(clock.now() - stat.mtimeMs) > UNREADABLE_MS) files.removeSync(guard)
    return false
  }
  try {
    if (findLiveLockHolder(path, ports) === 'stale') files.removeSync(path)
    return true
  } finally {
    files.removeSync(guard)
  }
}

function readText(files: ProcessLockPorts['files'], path: string): string | undefined {
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
