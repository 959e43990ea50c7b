/** A session's log as it grows, on any machine: from the table, woken when somebody writes. */
import type { Delta, Entry, LogItem } from '../../hub/log/entries.js'
import type { HubStore } from '../../hub/log/log-store.js'
import { patiently, type TenantDatabase } from '../database/database.js'
import type { WakeUps } from '../database/wake-ups.js'

export type FollowPorts = { database: TenantDatabase; store: Pick<HubStore, 'read'>; wakeUps: WakeUps }
export type FollowOptions = { after?: number; signal?: AbortSignal /** Default: true. */; deltas?: boolean }

/** Entries after a number, in order and without gaps, then what comes, until the signal. Deltas as far as there is time. */
export async function* followLog(
  { database, store, wakeUps }: FollowPorts,
  session: string,
  { after = 0, signal, deltas = true }: FollowOptions = {},
): AsyncGenerator<LogItem, void> {
  let seq = after
  let piece = 0
  while (!signal?.aborted) {
    // Asked for before it is looked: what is written in between wakes us.
    const woken = wakeUps.next(wakeName(database.tenant, session), signal)
    let found = 0
    for await (const entries of store.read(session, seq)) {
      for (const entry of entries) {
        seq = entry.seq
        found += 1
        yield entry satisfies Entry
        if (signal?.aborted) return
      }
    }
    if (deltas) {
      const rows = await patiently(() =>
        database.query<{ n: number; seq: number; body: string }>(DELTAS, [database.tenant, session, piece, seq]),
      )
      for (const row of rows) {
        piece = row.n
        // The finished thing is there already.
        if (row.seq < seq) continue
        found += 1
        yield JSON.parse(row.body) as Delta // written by `delta-frames`
        if (signal?.aborted) return
      }
    }
    if (found === 0) await woken
  }
}

export function wakeName(tenant: string, session: string): string {
  return `${tenant}/${session}`
}

const DELTAS = `select n::float8, seq::float8, body from kedge.deltas
  where tenant = $1 and session = $2 and n > $3 and seq <= $4 order by n limit 1000`
