/**
 * Logs in a database, for any number of machines. A session's head row names the one that can write: its epoch, and
 * until when.
 */
import { KedgeError } from '../../errors.js'
import type { HubStore, LogSummary, LogWriter } from '../../hub/log/log-store.js'
import { fencedError, sessionInUseError, sessionNotFoundError } from '../../hub/log/memory-log-store.js'
import type { EntryBody, LogEntry, SerializedLogEntry } from '../../protocol/session-log/entries.js'
import { type Row, retryWhileUnavailable, type Statements, type TenantDatabase } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'

/** How long to wait before taking over from an unresponsive machine. */
const TTL_MS = 30_000
const RENEW_MS = 10_000
/** Each reader holds one: small enough for many of them. */
const PAGE = { entries: 500, bytes: 128_000 }
/** The log over all sessions, which isn't a session. */
const FEED = 'all'

export type LogStorePorts = {
  database: TenantDatabase
  /** The writer, in words for people: process and machine. */
  holder: string
  newId(): string
  /** Something was written to this session. */
  onWritten?(session: string): void
}

export interface PostgresHubStore extends HubStore {
  /** Ends the renewal of what is still open; others wait until it has run out. */
  close(): void
}

type Held = { session: string; epoch: string; owner: string }

export function postgresLogStore({ database, holder, newId, onWritten }: LogStorePorts): PostgresHubStore {
  const { tenant } = database
  const held = new Set<Held>()
  let timer: NodeJS.Timeout | undefined

  /** While the database is away, no other machine can take the log. The next write shows whether it is still ours. */
  const renew = async () => {
    const all = [...held]
    const own = [tenant, all.map((one) => one.session), all.map((one) => one.owner)]
    // In a statement of its own: an update that locks while it runs looks for the rows as they were before.
    const renewed = database.transaction(async (tx) => {
      await tx.query(LOCK_OWN, own)
      await tx.query(RENEW, [...own, TTL_MS])
    })
    await renewed.catch(() => undefined)
  }
  const hold = (one: Held) => {
    held.add(one)
    timer ??= setInterval(() => void renew(), RENEW_MS).unref()
  }
  const letGo = (one: Held) => {
    held.delete(one)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    async list() {
      const rows = await database.query<{ id: string; changed: number; summary: string | null }>(LIST, [tenant, FEED])
      return rows.map(({ id, changed, summary }) => ({
        session: id,
        changed,
        ...(summary === null ? {} : { summary: JSON.parse(summary) as LogSummary }), // written by `summarize`
      }))
    },

    async open({ session, cwd }) {
      const owner = `${holder} ${newId()}`
      const taken = await retryWhileUnavailable(() => take(database, { session, cwd, owner }))
      const own = { session, owner, epoch: taken.epoch }
      hold(own)
      return createWriter({ database, own, last: taken.last, letGo, onWritten })
    },

    async *read(session, after) {
      for await (const rows of pages(database, session, after)) yield rows.map(({ body }): LogEntry => JSON.parse(body))
    },

    async *readTexts(session, after) {
      for await (const rows of pages(database, session, after)) yield rows.map(toWritten)
    },

    async receive({ session, cwd }, given) {
      // Reads everything first: a transaction that waits for another machine's bytes is cut off.
      const pagesGiven: (readonly LogEntry[])[] = []
      for await (const entries of given) pagesGiven.push(entries)
      await database.transaction(async (tx) => {
        const made = await tx.query(MAKE, [tenant, session, cwd])
        if (made.length === 0) throw sessionInUseError(session)
        let last = 0
        for (const entries of pagesGiven) {
          await tx.query(INSERT, [tenant, session, ...columns(entries)])
          last = entries.at(-1)?.seq ?? last
        }
        await tx.query('update kedge.sessions set event_seq = $3 where tenant = $1 and id = $2', [
          tenant,
          session,
          last,
        ])
      })
      onWritten?.(session)
    },

    async remove(session) {
      await database.query('delete from kedge.sessions where tenant = $1 and id = $2', [tenant, session])
    },

    close() {
      held.clear()
      clearInterval(timer)
    },
  }
}

type Wanted = { session: string; cwd: string | undefined; owner: string }

async function take(
  database: TenantDatabase,
  { session, cwd, owner }: Wanted,
): Promise<{ epoch: string; last: number }> {
  const { tenant } = database
  return database.transaction(async (tx) => {
    if (cwd !== undefined) await tx.query(MAKE, [tenant, session, cwd])
    const [row] = await tx.query<{ epoch: string; last: number }>(TAKE, [tenant, session, owner, TTL_MS])
    if (row) return row
    const [other] = await tx.query<{ owner: string }>(OWNER, [tenant, session])
    if (!other) throw sessionNotFoundError(session)
    // Without the part that only tells one opening from another.
    throw new KedgeError('session_in_use', `Session ${session} is open in ${other.owner.replace(/ \S*$/, '')}.`)
  })
}

type WriterPorts = {
  database: TenantDatabase
  own: Held
  last: number
  letGo(own: Held): void
  onWritten: LogStorePorts['onWritten']
}

function createWriter({ database, own, last: first, letGo, onWritten }: WriterPorts): LogWriter {
  const mine = [database.tenant, own.session, own.epoch, own.owner] as const
  let last = first
  return {
    get last() {
      return last
    },
    async append(entries) {
      if (entries.length === 0) return
      await retryWhileUnavailable(() => appendEntries(database, own, last, entries))
      last += entries.length
      onWritten?.(own.session)
    },
    async summarize(summary) {
      await retryWhileUnavailable(() => database.query(SUMMARIZE, [...mine, JSON.stringify(summary)]))
    },
    async release() {
      letGo(own)
      await retryWhileUnavailable(() => database.query(RELEASE, mine))
    },
  }
}

async function appendEntries(
  database: TenantDatabase,
  { session, epoch, owner }: Held,
  last: number,
  entries: readonly LogEntry[],
): Promise<void> {
  const { tenant } = database
  const values = [tenant, session, ...columns(entries), epoch, owner, last, entries.length]
  const [done] = await database.query<{ added: number }>(APPEND, values)
  if (done && done.added > 0) return
  // An earlier try, whose answer was lost with its connection? No other process writes with this epoch.
  const [head] = await database.query<{ last: number }>(HEAD, [tenant, session, epoch, owner])
  if (head?.last !== last + entries.length) throw fencedError(session)
}

function columns(entries: readonly LogEntry[]): [number[], string[], string[]] {
  return [entries.map(({ seq }) => seq), entries.map(({ kind }) => kind), entries.map((entry) => JSON.stringify(entry))]
}

type EventRow = Row & { seq: number; kind: string; body: string }

async function* pages(database: Statements & { tenant: string }, session: string, after: number) {
  for (let seq = after; ; ) {
    const from = seq
    const rows = await retryWhileUnavailable(() =>
      database.query<EventRow>(PAGE_OF, [database.tenant, session, from, PAGE.entries, PAGE.bytes]),
    )
    if (rows.length === 0) return
    seq = rows.at(-1)?.seq ?? seq
    yield rows
    const bytes = rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
    if (rows.length < PAGE.entries && bytes < PAGE.bytes) return
  }
}

function toWritten({ seq, kind, body }: EventRow): SerializedLogEntry {
  return { seq, kind: kind as EntryBody['kind'], text: body } // as `columns` wrote it
}

const LIST = `select id, summary, extract(epoch from updated)::float8 * 1000 as changed from kedge.sessions
  where tenant = $1 and has_log and id <> $2 order by updated desc`
const MAKE = `insert into kedge.sessions (tenant, id, cwd, has_log) values ($1, $2, $3, true)
  on conflict (tenant, id) do update set has_log = true, cwd = excluded.cwd where not sessions.has_log returning id`
const TAKE = `update kedge.sessions
  set epoch = greatest(epoch, ${LOWEST_VALID_EPOCH_SQL}) + 1, owner = $3, owned_until = clock_timestamp() + $4 * interval '1 millisecond'
  where tenant = $1 and id = $2 and has_log and (owner is null or owner = $3 or owned_until < clock_timestamp())
  returning epoch, event_seq::float8 as last`
const OWNER = 'select owner from kedge.sessions where tenant = $1 and id = $2 and has_log'
/** Sorted, because all transactions must lock rows in the same order. */
const LOCK_OWN = `select 1 from kedge.sessions join unnest($2::text[], $3::text[]) as one (session, holder)
    on id = one.session and owner = one.holder
  where tenant = $1 order by id for no key update of sessions`
const RENEW = `update kedge.sessions set owned_until = clock_timestamp() + $4 * interval '1 millisecond'
  from unnest($2::text[], $3::text[]) as one (session, holder)
  where tenant = $1 and id = one.session and owner = one.holder`
const RELEASE = `update kedge.sessions set owner = null, owned_until = null
  where tenant = $1 and id = $2 and epoch = $3 and owner = $4`
const SUMMARIZE = 'update kedge.sessions set summary = $5 where tenant = $1 and id = $2 and epoch = $3 and owner = $4'
const NEW_ROWS = 'unnest($3::bigint[], $4::text[], $5::text[]) as one (seq, kind, body)'
const INSERT = `insert into kedge.log_entries (tenant, session, seq, kind, body)
  select $1, $2, one.seq, one.kind, one.body from ${NEW_ROWS}`
/** The head and the entries together; no head, no entries. */
const APPEND = `with head as (
    update kedge.sessions set event_seq = event_seq + $9, updated = clock_timestamp()
    where tenant = $1 and id = $2 and epoch = $6 and owner = $7 and event_seq = $8 returning 1
  ), added as ( /* with the head, or not at all */
    insert into kedge.log_entries (tenant, session, seq, kind, body)
    select $1, $2, one.seq, one.kind, one.body from head, ${NEW_ROWS} returning 1)
  select count(*)::int as added from added`
const HEAD = `select event_seq::float8 as last from kedge.sessions
  where tenant = $1 and id = $2 and epoch = $3 and owner = $4`
/** Reads at most $4 entries, and not much more than $5 bytes: a single entry can be megabytes. */
const PAGE_OF = `select seq, kind, body from (
    select seq::float8, kind, body, sum(octet_length(body)) over (order by seq) - octet_length(body) as before from (
      select seq, kind, body from kedge.log_entries where tenant = $1 and session = $2 and seq > $3 order by seq limit $4) as page
  ) as measured where before < $5 order by seq`
