/**
 * What runs are handed out by. A run is one stretch of work of a session: from a prompt or an answer to a result, or to a question
 * that waits for somebody. The engine says which runs there are and who gets which; whether a run still counts is up to the
 * session's row.
 */
import type { Transaction } from '../database/database.js'

export type RunKey = { tenant: string; session: string; run: number }

export type RunPlace = {
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
  /** Its name; nobody else has it or ever had. */
  worker: string
  /** Runs at a time. */
  capacity: number
  queues: readonly QueueLimits[]
}

export interface RunEngine {
  /**
   * From now on runs are given to the handler. What it throws ends that run and no other. Rejects for a name that was used. Who
   * could not begin because the database was away may try again.
   */
  work(handler: RunHandler, limits: WorkerLimits): Promise<void>
  /** Counts with the transaction. The same run twice is one. */
  enqueue(tx: Transaction, run: RunKey, how: RunPlace): Promise<void>
  /** Queued: it never starts. Running: its signal is aborted; its place is free for others at once. */
  cancel(run: RunKey): Promise<void>
  /** Running with these workers, as far as the engine knows. */
  runsOf(workers: readonly string[]): Promise<RunKey[]>
  /** Those of them, by `runId`, that are queued or running. */
  knows(runs: readonly RunKey[]): Promise<Set<string>>
  /** Forgets what ended before; how many that were. */
  forget(before: Date): Promise<number>
  /** Takes no more, waits so long for what runs, and lets go. Whether nothing is left that it was handed, as far as can be told. */
  stop(graceMs: number): Promise<boolean>
}

export type RunHandler = (run: RunKey, signal: AbortSignal) => Promise<void>

export function runId({ tenant, session, run }: RunKey): string {
  return `${tenant}/${session}:${run}`
}

export function runOf(id: string): RunKey | undefined {
  const [, tenant, session, run] = /^([^/]+)\/(.+):(\d+)$/.exec(id) ?? []
  return tenant === undefined || session === undefined ? undefined : { tenant, session, run: Number(run) }
}
