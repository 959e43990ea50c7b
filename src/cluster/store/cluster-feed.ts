/**
 * One numbered stream over all sessions of a tenant. Many machines write sessions at once, so there is no natural
 * order: readers number new entries, one reader at a time, and all readers see those numbers.
 */
import { setTimeout } from 'node:timers/promises'
import type { NumberedFeedEntry } from '../../hub/log/feed.js'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'
import type { WakeUps } from '../database/wake-ups.js'
import { ALL_SESSIONS_WAKE_NAME, logWakeName } from './follow-log.js'

export type ClusterFeedPorts = { database: TenantDatabase; wakeUps: WakeUps }

export class ClusterFeed {
  readonly #ports: ClusterFeedPorts
  /** When the last look that found everything began. */
  #lookedAt = 0

  constructor(ports: ClusterFeedPorts) {
    this.#ports = ports
  }

  /** The number of the last entry. */
  async last(): Promise<number> {
    const { database } = this.#ports
    await retryWhileUnavailable(() => this.#number())
    const [head] = await database.query<{ last: number }>(LAST, [database.tenant])
    return head?.last ?? 0
  }

  async *read({
    after = 0,
    signal,
  }: {
    after?: number
    signal?: AbortSignal
  } = {}): AsyncGenerator<NumberedFeedEntry, void> {
    const { database, wakeUps } = this.#ports
    let seq = after
    while (!signal?.aborted) {
      const woken = wakeUps.next(logWakeName(database.tenant, ALL_SESSIONS_WAKE_NAME), signal)
      try {
        await retryWhileUnavailable(() => this.#number())
        const from = seq
        const rows = await retryWhileUnavailable(() => database.query<Row>(PAGE, [database.tenant, from]))
        const bytes = rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
        for (const { all, body } of rows) {
          seq = all
          const entry: LogEntry = JSON.parse(body) // as it was written
          yield { ...entry, all }
          if (signal?.aborted) return
        }
        if (rows.length === MOST.read || bytes >= MOST.bytes) continue
        await woken.said
      } finally {
        woken.leave()
      }
      // Entries of the next moment are numbered and read together, however busy the tenant is.
      await setTimeout(GATHER_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Numbers new entries, after any reader that is doing so already: its numbers can be read then. */
  async #number(): Promise<void> {
    const { database } = this.#ports
    const { tenant } = database
    const begun = Date.now()
    for (let count: number = MOST.numbered; count >= MOST.numbered; ) {
      const some = database.transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [FEED_ADVISORY_LOCK_KEY, tenant])
        // All that changed since the last look began; the first goes through all sessions. A clock may be set back.
        const changed = Math.max(0, Date.now() - this.#lookedAt) + SLACK_MS
        const [done] = await tx.query<{ count: number }>(NUMBER, [tenant, `${changed} milliseconds`])
        return done?.count ?? 0
      })
      // A session was deleted this moment: it isn't new any more.
      count = await some.catch((error: { code?: unknown }) => {
        if (error.code === '23503') return MOST.numbered
        throw error
      })
    }
    this.#lookedAt = begun
  }
}

/** After this many, there can be more. `bytes`: per page, which each reader holds. */
const MOST = { numbered: 200, read: 500, bytes: 128_000 }
const GATHER_MS = 100

type Row = { all: number; body: string }

/** A change bears the time its transaction began; one that takes longer than that is cut off long before. */
const SLACK_MS = 60_000

/** Any number that no other advisory lock uses. */
export const FEED_ADVISORY_LOCK_KEY = 54_336

const LAST = 'select feed_seq::float8 as last from kedge.tenants where tenant = $1'
const PAGE = `select place::float8 as all, body from (
    select place, body, sum(octet_length(body)) over (order by place) - octet_length(body) as before from (
      select feed.seq as place, entry.body from kedge.feed as feed
      join kedge.log_entries as entry on entry.tenant = feed.tenant and entry.session = feed.session and entry.seq = feed.event_seq
      where feed.tenant = $1 and feed.seq > $2 order by feed.seq limit ${MOST.read}) as page
  ) as measured where before < ${MOST.bytes} order by place`
/**
 * Reads a limited number of entries per session at a time. Session rows aren't locked: other transactions lock them in
 * different orders.
 */
export const SELECT_NEW_ENTRY_RANGES_SQL = `select one.id, coalesce(place.seq, 0) as since, coalesce((select max(seq) from (
      select seq from kedge.log_entries as entry where entry.tenant = one.tenant and entry.session = one.id
        and entry.seq > coalesce(place.seq, 0) order by seq limit ${MOST.numbered}) as page), one.event_seq) as until
  from kedge.sessions as one left join kedge.feed_places as place on place.tenant = one.tenant and place.session = one.id
  where one.tenant = $1 and one.updated > now() - $2::interval and one.event_seq > coalesce(place.seq, 0)
  order by one.updated desc limit ${MOST.numbered}`
/** An entry's `at` is when its transaction began. One that began earlier might write later, so each session's entries keep their order. */
const NUMBER = `with news as (${SELECT_NEW_ENTRY_RANGES_SQL}),
  fresh as ( /* of what is news */
    select session, seq, row_number() over (order by reached, session, seq) as place from (
      select entry.session, entry.seq, max(entry.at) over (partition by entry.session order by entry.seq) as reached
      from news join kedge.log_entries as entry on entry.tenant = $1 and entry.session = news.id
        and entry.seq > news.since and entry.seq <= news.until) as one
  ),
  head as ( /* of what is news */
    insert into kedge.tenants as tenant (tenant, feed_seq) select $1, count(*) from fresh
    on conflict (tenant) do update set feed_seq = greatest(tenant.feed_seq, ${LOWEST_VALID_EPOCH_SQL}) + excluded.feed_seq
    returning feed_seq - (select count(*) from fresh) as first
  ),
  numbered as ( /* of what is news */
    insert into kedge.feed (tenant, seq, session, event_seq)
    select $1, head.first + fresh.place, fresh.session, fresh.seq from fresh, head returning 1
  ),
  noted as ( /* of what is news */
    insert into kedge.feed_places (tenant, session, seq) select $1, news.id, news.until from news
    on conflict (tenant, session) do update set seq = excluded.seq returning 1)
  /* A session may be news without an entry that is still there. */
  select greatest((select count(*) from numbered), (select count(*) from noted))::int as count`
