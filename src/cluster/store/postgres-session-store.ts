/**
 * `PostgresSessionStore`: sessions of `query()` in a database, for any number of machines. One writes to a session at a
 * time, by a lease. A line that is sent twice is stored once, and an overtaken writer adds nothing.
 */
import { KedgeError } from '../../errors.js'
import { createPlatformIdentity } from '../../platform/identity.js'
import { foldSessionSummary } from '../../protocol/session-summary.js'
import type {
  SessionKey,
  SessionLeases,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from '../../protocol/stored-sessions.js'
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { createPostgresLeases } from './postgres-leases.js'

/** Sessions in PostgreSQL, for any number of machines: give it to `query()` as `sessionStore`. */
export class PostgresSessionStore implements SessionStore {
  readonly leases: SessionLeases
  readonly #database: TenantDatabase
  readonly #identity = createPlatformIdentity()

  constructor(database: TenantDatabase) {
    this.#database = database
    this.leases = createPostgresLeases(database)
  }

  async append(key: SessionKey, entries: SessionStoreEntry[], token?: number): Promise<void> {
    // Lines without an id get one of this append: sent again, because the answer was lost with its connection, they are the same.
    const once = this.#identity.uuid()
    const uuids = entries.map(({ uuid }, index) => uuid ?? `${once}/${index}`)
    const lines = entries.map((entry) => JSON.stringify(entry))
    const values = [...this.#names(key), key.subpath ?? '', token ?? null, uuids, lines]
    const [done] = await retryWhileUnavailable(() => this.#database.query<{ seq: string | null }>(APPEND, values))
    if (done?.seq !== null) return
    const [head] = await this.#database.query<{ holder: string | null }>(HOLDER, this.#names(key))
    const who = head?.holder ?? 'Another program'
    throw new KedgeError('session_fenced', `${who} has taken over session ${key.sessionId}`)
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const entries: SessionStoreEntry[] = []
    for await (const lines of this.#lines(key, 0)) entries.push(...lines.map(({ line }) => parse(line)))
    return entries.length > 0 ? entries : null
  }

  /** The sessions of a project, each with when it was changed last. */
  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const rows = await this.#sessions(projectKey)
    return rows.map(({ session, mtime }) => ({ sessionId: session, mtime }))
  }

  /** What was added since they were asked for last is read; the rest is remembered in the database. */
  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    const summaries: SessionSummaryEntry[] = []
    for (const row of await this.#sessions(projectKey)) {
      const { session, mtime } = row
      const key = { projectKey, sessionId: session }
      let summary: SessionSummaryEntry | undefined = row.summary === null ? undefined : JSON.parse(row.summary)
      let { known } = row
      for await (const lines of this.#lines(key, known)) {
        summary = foldSessionSummary(
          summary,
          key,
          lines.map(({ line }) => parse(line)),
          { mtime },
        )
        known = lines.at(-1)?.seq ?? known
      }
      if (known > row.known)
        await this.#database.query(REMEMBER, [...this.#names(key), JSON.stringify(summary), known, row.known])
      if (summary) summaries.push({ ...summary, mtime })
    }
    return summaries
  }

  /** Keeps the number of the last lease: an overtaken writer must not write to a later session of the same name. */
  async delete(key: SessionKey): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.query(LOCK, this.#names(key))
      await tx.query(DELETE, [...this.#names(key), key.subpath ?? null])
    })
  }

  /** The parts a session has, such as its sub-agents. */
  async listSubkeys(key: {
    /** The project, as the session store names it. */
    projectKey: string
    /** The session. */
    sessionId: string
  }): Promise<string[]> {
    const rows = await this.#database.query<{ sub: string }>(SUBKEYS, this.#names(key))
    return rows.map(({ sub }) => sub)
  }

  #names({ projectKey, sessionId }: SessionKey): [string, string, string] {
    return [this.#database.tenant, projectKey, sessionId]
  }

  #sessions(projectKey: string) {
    type Listed = { session: string; mtime: number; summary: string | null; known: number }
    return retryWhileUnavailable(() => this.#database.query<Listed>(LIST, [this.#database.tenant, projectKey]))
  }

  async *#lines(key: SessionKey, after: number) {
    for (let seq = after; ; ) {
      const values = [...this.#names(key), key.subpath ?? '', seq, PAGE]
      const rows = await retryWhileUnavailable(() => this.#database.query<{ seq: number; line: string }>(LINES, values))
      if (rows.length > 0) yield rows
      if (rows.length < PAGE) return
      seq = rows.at(-1)?.seq ?? seq
    }
  }
}

function parse(line: string): SessionStoreEntry {
  return JSON.parse(line) // as `append` wrote it
}

const PAGE = 1000
const OF = 'tenant = $1 and project_key = $2 and session = $3'
const APPEND = 'select kedge.append_transcript_lines($1, $2, $3, $4, $5, $6::text[], $7::text[]) as seq'
const HOLDER = `select holder from kedge.transcripts where ${OF}`
const LINES = `select seq::float8, line from kedge.transcript_lines where ${OF} and sub = $4 and seq > $5 order by seq limit $6`
/** In the order in which they began. */
const LIST = `select session, extract(epoch from changed)::float8 * 1000 as mtime, summary, summary_seq::float8 as known
  from kedge.transcripts as head where tenant = $1 and project_key = $2 and exists (
    select 1 from kedge.transcript_lines as line where line.tenant = head.tenant and line.project_key = head.project_key
      and line.session = head.session and line.sub = '')
  order by began, session`
const REMEMBER = `update kedge.transcripts set summary = $4, summary_seq = $5 where ${OF} and summary_seq = $6`
const LOCK = `update kedge.transcripts set summary = null, summary_seq = 0 where ${OF}`
const DELETE = `delete from kedge.transcript_lines where ${OF} and ($4::text is null or sub = $4)`
const SUBKEYS = `select sub from kedge.transcript_lines where ${OF} and sub <> '' group by sub order by min(seq)`
