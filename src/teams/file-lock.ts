/** One writer of a team's file at a time: calls of this session queue up, other processes are kept out by a lock. */
import { type LockFailure, type ProcessLockPorts, whileLocked } from '../platform/files/process-lock.js'

/** Runs `work` while nobody else does so for `path`. Rejects when the lock can't be had. */
export type RunWithFileLock = <T>(path: string, work: () => Promise<T>) => Promise<T>

/** A lock is held while a small file is written. If it takes longer than this, something is wrong. */
const PATIENCE_MS = 30_000

export function createFileLocks(ports: ProcessLockPorts): RunWithFileLock {
  const queues = new Map<string, Promise<unknown>>()
  return (path, work) => {
    const before = queues.get(path) ?? Promise.resolve()
    const otherwise = async (why: LockFailure) => {
      throw 'error' in why ? why.error : busy(`${path}.lock`)
    }
    const run = before.then(() => whileLocked(path, ports, work, { patienceMs: PATIENCE_MS, otherwise }))
    const settled = run.catch(() => undefined)
    queues.set(path, settled)
    void settled.then(() => queues.get(path) === settled && queues.delete(path))
    return run
  }
}

function busy(lock: string): Error {
  const text = `Another process holds ${lock}. Remove the file if no agent is running.`
  return Object.assign(new Error(text), { code: 'team_file_locked' })
}
