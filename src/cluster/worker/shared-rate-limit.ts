/** How many requests a provider takes a minute, over all workers: a bucket in the database that fills by its clock. */
import { nodeClock } from '../../platform/clock.js'
import type { TenantDatabase } from '../database/database.js'

export interface SharedRateLimit {
  /** Resolves when a request may go out. Rejects with the signal. */
  take(signal?: AbortSignal): Promise<void>
}

export function createSharedRateLimit(database: TenantDatabase, name: string, perMinute: number): SharedRateLimit {
  const perSecond = perMinute / 60
  /** Maximum number of requests that can go out at once. */
  const most = Math.max(1, perSecond)
  return {
    async take(signal) {
      for (;;) {
        signal?.throwIfAborted()
        const [row] = await database.query<{ room: number }>(TAKE, [name, most, perSecond])
        const room = row?.room ?? 0
        if (room >= 0) return
        // It keeps its place in the line, and waits until the bucket is full enough for it.
        await database.query(GIVE_BACK, [name])
        await nodeClock.sleep(Math.min(5000, (-room / perSecond) * 1000), signal)
      }
    },
  }
}

const TAKE = `insert into kedge.rates as rate (name, room) values ($1, $2::float8 - 1)
  on conflict (name) do update set at = clock_timestamp(),
    room = least($2, rate.room + $3 * extract(epoch from clock_timestamp() - rate.at)::float8) - 1
  returning room`
const GIVE_BACK = `update kedge.rates set room = room + 1 where name = $1`
