/**
 * The engine that hands out runs. A run is one piece of a session's work: from a prompt or an answer to a result, or to
 * a request that waits for a user. The engine says which runs exist and which worker gets which; the session's row says
 * whether a run is still valid.
 */
import type { Transaction } from '../database/database.js'

export type RunKey = { tenant: string; session: string; run: number }

export type EnqueueOptions = {
  queue: string
  /** Lower is sooner; default 0. */
  priority?: number
  /** It isn't handed out before; default 0. */
  delayMs?: number
}

export type QueueLimits = {
  name: string
  /** Runs of one tenant at a time, over all workers. */
  perTenant: number
}

export type WorkerLimits = {
  /** The worker's name; never used by another worker, now or before. */
  worker: string
  /** Runs at a time. */
  capacity: number
  queues: readonly QueueLimits[]
}

export interface RunQueueEngine {
  /**
   * Gives runs to the handler from now on. An error it throws ends only that run. Rejects if the name was used before.
   * If it fails because the database is away, it can be called again.
   */
  work(handler: RunHandler, limits: WorkerLimits): Promise<void>
  /** Counts with the transaction. The same run twice is one. */
  enqueue(tx: Transaction, run: RunKey, how: EnqueueOptions): Promise<void>
  /** Queued: it never starts. Running: its signal is aborted; its place is free for others at once. */
  cancel(run: RunKey): Promise<void>
  /** Running with these workers, as far as the engine knows. */
  runsOf(workers: readonly string[]): Promise<RunKey[]>
  /** Those of them, by `runId`, that are queued or running. */
  knows(runs: readonly RunKey[]): Promise<Set<string>>
  /** Forgets what ended before; how many that were. */
  forget(before: Date): Promise<number>
  /**
   * Takes no more runs, waits this long for the running ones, and disconnects. Returns whether no run is left, as far
   * as can be determined.
   */
  stop(graceMs: number): Promise<boolean>
}

export type RunHandler = (run: RunKey, signal: AbortSignal) => Promise<void>

export function runId({ tenant, session, run }: RunKey): string {
  return `${tenant}/${session}:${run}`
}

export function parseRunId(id: string): RunKey | undefined {
  const [, tenant, session, run] = /^([^/]+)\/(.+):(\d+)$/.exec(id) ?? []
  return tenant === undefined || session === undefined ? undefined : { tenant, session, run: Number(run) }
}
