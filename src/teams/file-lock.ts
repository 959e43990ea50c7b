/**
 * One writer of a file at a time: calls of this session queue up, other processes are kept out by a lock file that names
 * its owner. The lock of a process that is gone is taken over; as observed, it stands beside the file as `<file>.lock`.
 */
import type { Clock } from '../platform/clock.js'
import { codeOf } from '../platform/files/file-stat.js'
import type { SyncFiles } from '../platform/files/files.js'
import type { ProcessOwner, ProcessOwners } from '../platform/processes/process-owner.js'

export type FileLockPorts = {
  files: Pick<SyncFiles, 'createSync' | 'removeSync' | 'readTextSync' | 'lstatSync'>
  clock: Pick<Clock, 'now' | 'sleep'>
  owners: ProcessOwners
  /** A text that no other owner has. */
  token(): string
}

/** Runs `work` while nobody else does so for `path`. Rejects when the lock can't be had. */
export type WhileLocked = <T>(path: string, work: () => Promise<T>) => Promise<T>

/** A lock is held while a small file is written. If it takes longer than this, something is wrong. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 5
/** An owner that can't be seen from here, or that did not get to write its name, counts as gone after this. */
const SILENCE_MS = 10_000
const MAX_BYTES = 4096

export function createFileLocks(ports: FileLockPorts): WhileLocked {
  const queues = new Map<string, Promise<unknown>>()
  return (path, work) => {
    const before = queues.get(path) ?? Promise.resolve()
    const run = before.then(() => whileHeld(`${path}.lock`, ports, work))
    const settled = run.catch(() => undefined)
    queues.set(path, settled)
    void settled.then(() => queues.get(path) === settled && queues.delete(path))
    return run
  }
}

async function whileHeld<T>(lock: string, ports: FileLockPorts, work: () => Promise<T>): Promise<T> {
  const { clock } = ports
  const deadline = clock.now() + PATIENCE_MS
  let release = tryLock(lock, ports)
  while (!release) {
    if (clock.now() > deadline) throw busy(lock)
    await clock.sleep(PAUSE_MS)
    release = tryLock(lock, ports)
  }
  try {
    return await work()
  } finally {
    release()
  }
}

/**
 * Takes the lock without waiting; undefined when somebody has it. An owner that can't be seen from here counts as gone
 * after `silenceMs`, since locks are not renewed.
 */
export function tryLock(lock: string, ports: FileLockPorts, silenceMs = SILENCE_MS): (() => void) | undefined {
  const { files, owners, token } = ports
  const text = JSON.stringify({ ...owners.own(), token: token() })
  try {
    files.createSync(lock, text)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (!isStale(lock, ports, silenceMs) || !removeStale(lock, ports, silenceMs)) return undefined
    return tryLock(lock, ports, silenceMs)
  }
  return () => {
    // Not if somebody thought us gone and took it over.
    if (readText(lock, ports) === text) files.removeSync(lock)
  }
}

function isStale(lock: string, ports: FileLockPorts, silenceMs: number): boolean {
  const { files, clock, owners } = ports
  const stat = files.lstatSync(lock)
  if (!stat) return false
  const silence = Math.abs(clock.now() - stat.mtimeMs)
  const owner = readOwner(readText(lock, ports))
  if (!owner) return silence > SILENCE_MS
  const state = owners.stateOf(owner)
  return state === 'gone' || (state === 'elsewhere' && silence > silenceMs)
}

/**
 * Two may find the same stale lock, and the slower must not remove the new one of the faster: only who made the guard
 * removes, and looks again before. Nothing is awaited in between, so a guard that stays behind is of a process that died.
 */
function removeStale(lock: string, ports: FileLockPorts, silenceMs: number): boolean {
  const { files, clock } = ports
  const guard = `${lock}.takeover`
  try {
    files.createSync(guard, '')
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    const stat = files.lstatSync(guard)
    if (stat && Math.abs(clock.now() - stat.mtimeMs) > SILENCE_MS) files.removeSync(guard)
    return false
  }
  try {
    if (!isStale(lock, ports, silenceMs)) return false
    files.removeSync(lock)
    return true
  } finally {
    files.removeSync(guard)
  }
}

function readText(path: string, { files }: FileLockPorts): string | undefined {
  try {
    return files.readTextSync(path, MAX_BYTES)
  } catch {
    return undefined
  }
}

function readOwner(text: string | undefined): ProcessOwner | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, started, machine, host } = value as Record<string, unknown> // any object can be looked into
    if (typeof pid !== 'number' || typeof started !== 'number' || typeof machine !== 'string') return undefined
    return { pid, started, machine, host: String(host) }
  } catch {
    return undefined
  }
}

function busy(lock: string): Error {
  const text = `Another process holds ${lock}. Remove the file if no agent is running.`
  return Object.assign(new Error(text), { code: 'team_file_locked' })
}
