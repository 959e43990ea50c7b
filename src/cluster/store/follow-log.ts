/** Follows a session's log from any machine: reads the table, and wakes up on writes. */

import type { HubStore } from '../../hub/log/log-store.js'
import type { Delta, LogItem } from '../../protocol/session-log/entries.js'
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import type { WakeUps } from '../database/wake-ups.js'

export type FollowPorts = { database: TenantDatabase; wakeUps: WakeUps }
/** `deltas` defaults to true. */
export type FollowOptions = { after?: number; signal?: AbortSignal; deltas?: boolean }

/** Entries after a number, in order and without gaps, then what comes, until the signal. Deltas as far as there is time. */
export async function* followLog(
  { store, ...ports }: FollowPorts & { store: Pick<HubStore, 'read'> },
  session: string,
  options: FollowOptions = {},
): AsyncGenerator<LogItem, void> {
  for await (const items of followLogBatches(ports, session, (after) => store.read(session, after), options)) {
    for (const item of items) {
      yield item
      if (options.signal?.aborted) return
    }
  }
}

/** Reads a log and follows it in batches. The same, as many at a time as there are, as `read` gives them. */
export async function* followLogBatches<T extends { seq: number }>(
  { database, wakeUps }: FollowPorts,
  session: string,
  read: (after: number) => AsyncIterable<readonly T[]>,
  { after = 0, signal, deltas = true }: FollowOptions = {},
): AsyncGenerator<readonly (Delta | T)[], void> {
  let seq = after
  let piece = 0
  while (!signal?.aborted) {
    // Asked for before it is looked: what is written in between wakes us.
    const woken = wakeUps.next(logWakeName(database.tenant, session), signal)
    try {
      for await (const entries of read(seq)) {
        seq = entries.at(-1)?.seq ?? seq
        yield entries
        if (signal?.aborted) return
      }
      if (deltas) {
        const values = [database.tenant, session, piece, seq, MOST]
        const rows = await retryWhileUnavailable(() => database.query<DeltaRow>(DELTAS, values))
        piece = rows.at(-1)?.n ?? piece
        // Deltas from before `seq` belong to entries that were already yielded.
        const fresh = rows.filter((row) => row.seq >= seq).map(({ body }): Delta => JSON.parse(body)) // `delta-buffer` wrote it
        if (fresh.length > 0) yield fresh
        if (rows.length === MOST) continue
      }
      await woken.said
    } finally {
      woken.leave()
    }
  }
}

/** Name that readers of a tenant's stream over all sessions wait for. */
export const ALL_SESSIONS_WAKE_NAME = 'all'

/** Returns the names to wake when a session was written to. */
export function logWakeNames(tenant: string, session: string): string[] {
  return [logWakeName(tenant, session), logWakeName(tenant, ALL_SESSIONS_WAKE_NAME)]
}

/** Returns the name that readers of a session's log wait for. */
export function logWakeName(tenant: string, session: string): string {
  return `${tenant}/${session}`
}

type DeltaRow = { n: number; seq: number; body: string }

/** Deltas at a time. */
const MOST = 1000
const DELTAS = `select n::float8, seq::float8, body from kedge.deltas
  where tenant = $1 and session = $2 and n > $3 and seq <= $4 order by n limit $5`
