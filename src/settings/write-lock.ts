/** Lets one writer of a file work at a time, also across processes. A writer that died does not hold others up for long. */
import type { Clock } from '../platform/clock.js'
import { codeOf } from '../platform/files/file-stat.js'
import type { BasicFiles } from '../platform/files/files.js'

export type WriteLockPorts = {
  files: Pick<BasicFiles, 'create' | 'lstat' | 'remove'>
  clock: Pick<Clock, 'now' | 'sleep'>
}

/** A settings file is written in milliseconds: who holds the lock for longer is gone. */
const STALE_MS = 10_000
const PATIENCE_MS = 5000
const PAUSE_MS = 10

/** The lock is a help, not a condition: where there can be none, `work` runs without it and has its own look. */
export async function whileLocked<T>(
  path: string,
  { files, clock }: WriteLockPorts,
  work: () => Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`
  const deadline = clock.now() + PATIENCE_MS
  for (;;) {
    const failure = await files.create(lock, new Uint8Array(0)).then(
      () => undefined,
      (error) => codeOf(error) ?? 'unknown',
    )
    if (failure === undefined) break
    if (failure !== 'EEXIST' || clock.now() > deadline) return work()
    const held = await files.lstat(lock).catch(() => undefined)
    if (held && clock.now() - held.mtimeMs > STALE_MS) await files.remove(lock).catch(() => undefined)
    else await clock.sleep(PAUSE_MS)
  }
  try {
    return await work()
  } finally {
    // What was written is written; a lock that stays behind is taken over by the next one.
    await files.remove(lock).catch(() => undefined)
  }
}
