/**
 * Detects that the database lost what it had confirmed. A standby that replaces its primary can lack the last
 * transactions, and so can a disk that was set back: numbers would be given twice. Each new connection is checked
 * before it is used. If its history differs from the recorded one, the next history number is recorded, and claims from
 * before are void.
 */
import type { PoolClient } from 'pg'
import { KedgeError } from '../../errors.js'

/** Numbers of this past are above it; those of the first begin at 1. */
export const LOWEST_VALID_EPOCH_SQL = '(select max(number) * 1000000000::bigint from kedge.history)'

/** How far the database has written is looked at so often, besides. */
const LOOK_MS = 10_000

type Found = { server: string; written: number; number: number; known: string }
type Point = Pick<Found, 'number' | 'written'>

function isLater(one: Point, other: Point | undefined): boolean {
  if (!other || one.number !== other.number) return one.number > (other?.number ?? -1)
  return one.written > other.written
}

export class DatabaseRestoreCheck {
  readonly #database: string
  readonly #looked = new WeakSet<PoolClient>()
  readonly #hear: (() => void)[] = []
  #seen: Point | undefined
  #at = 0

  constructor(database: string) {
    this.#database = database
  }

  /** Called when transactions were lost, or may have been. */
  onWentBack(hear: () => void): void {
    this.#hear.push(hear)
  }

  /** Nothing is said on a connection before this. */
  async look(client: PoolClient): Promise<void> {
    if (this.#looked.has(client) && Date.now() - this.#at < LOOK_MS) return
    // What was known before it was asked: answers of several connections may come in another order than they were given.
    const before = this.#seen
    const found = await this.#read(client)
    if (!found) return
    const isBack = before !== undefined && isLater(before, found)
    if (isBack || found.known !== found.server) {
      // The first look at a database can't find a loss.
      const isFirst = found.known === '' && !isBack
      if (isFirst) await client.query(FIRST, [found.server])
      else await client.query(NEXT, [found.server, before?.number ?? 0, found.number])
      // Another process might have been faster: looks again to see the valid state.
      this.#seen = { number: before?.number ?? found.number, written: 0 }
      return this.look(client)
    }
    if (isLater(found, this.#seen)) this.#seen = { number: found.number, written: found.written }
    this.#at = Date.now()
    this.#looked.add(client)
    if (before && found.number !== before.number) for (const hear of this.#hear) hear()
  }

  /** Undefined: it has no such tables yet, or is of a kind that does not say. */
  async #read(client: PoolClient): Promise<Found | undefined> {
    try {
      const { rows } = await client.query<Found>(READ)
      return rows[0]
    } catch (error) {
      const { code } = error as { code?: unknown } // of `pg`, or without
      if (code === STANDBY)
        throw new KedgeError('database_unreachable', `The database ${this.#database} is a standby: promote it.`)
      if (UNKNOWN.includes(String(code))) return undefined
      throw error
    }
  }
}

/** Recovery is in progress. */
const STANDBY = '55000'
/** Undefined table, schema, or function; no permission; not supported. */
const UNKNOWN = ['42P01', '3F000', '42883', '42501', '0A000']

const SERVER = `(select system_identifier from pg_control_system())::text
  || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`
// The position on its disk: every transaction of ours is flushed, and a killed database can lack only what wasn't.
const READ = `select ${SERVER} as server, (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 as written,
    number, server as known from kedge.history order by number desc limit 1`
const FIRST = `update kedge.history set server = $1 where server = ''`
const NEXT = `insert into kedge.history (number, server)
  select greatest(max(number), $2) + 1, $1 from kedge.history having max(number) = $3 on conflict do nothing`
