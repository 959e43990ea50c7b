/** Statements against PostgreSQL, each on behalf of one tenant: a pool of connections that says so to the database. */
import type { Pool, PoolClient } from 'pg'
import { KedgeError } from '../../errors.js'
import { toError } from '../../protocol/thrown.js'
import { databaseError, isConnectionLost } from '../cluster-error.js'
import { DatabaseRestoreCheck } from './database-restore-check.js'
import { loadPg } from './load-pg.js'

/** A row of a result, by column. */
export type Row = Record<string, unknown>

/** Runs statements. */
export interface Statements {
  /** The caller knows what its statement selects: `T` is a promise of his. */
  query<T extends Row>(text: string, values?: readonly unknown[]): Promise<T[]>
}

/** The database as one tenant sees it. */
export interface TenantDatabase extends Statements {
  /** The tenant's name. */
  readonly tenant: string
  /** All or nothing. What is thrown in it undoes it. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** `client` is the one of `pg`, for engines that add their own rows to the transaction. */
export interface Transaction extends Statements {
  /** The client of `pg` it runs on. */
  readonly client: object
  /** Done once it counts; not when it was undone. */
  onCommit(work: () => void): void
}

/** A database of many tenants. */
export interface Database {
  /** Without its password. */
  readonly name: string
  /** Its address, with the password. */
  readonly url: string
  /** Statements on behalf of one tenant, with access to this tenant's rows only. */
  as(tenant: string): TenantDatabase
  /** Statements for all tenants: for maintenance, never for what a request names. */
  asOperator(): TenantDatabase
  /** Called when it has lost its last transactions, or may have: what was claimed before counts no more. */
  onWentBack(hear: () => void): void
  /** Gives its connections back. */
  close(): Promise<void>
}

/** What `openDatabase()` takes. */
export type DatabaseOptions = {
  /** `postgres://user:password@host:port/database` */
  url: string
  /** Default: 10. */
  connections?: number
  /** How long to wait for a connection. Default: 10 s. */
  connectMs?: number
  /** How long an answer may take; 0: as long as it does. Default: 15 s. */
  queryMs?: number
  /** Longest silence in the middle of a transaction before the connection is cut. Default: 5 s. */
  silentMs?: number
}

/** No tenant is called so. */
export const OPERATOR_TENANT = '*'
const TENANT = /^[A-Za-z0-9][\w.-]{0,99}$/
const CONNECTIONS = 10
const CONNECT_MS = 10_000
/** A silent connection never ends on its own. */
const QUERY_MS = 15_000
/** A paused process keeps its locks, so no other worker could take over its session. */
export const MAX_IDLE_TRANSACTION_MS = 5000

/** Opens a pool of connections to PostgreSQL. Needs the optional package `pg`. */
export async function openDatabase({
  url,
  connections = CONNECTIONS,
  connectMs = CONNECT_MS,
  queryMs = QUERY_MS,
  silentMs = MAX_IDLE_TRANSACTION_MS,
}: DatabaseOptions): Promise<Database> {
  const name = nameOf(url)
  const { Pool } = await loadPg()
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    application_name: 'kedge',
    allowExitOnIdle: true,
    idleTimeoutMillis: 30_000,
    idle_in_transaction_session_timeout: silentMs,
    query_timeout: queryMs,
  })
  // An idle connection was cut: the next statement gets another.
  pool.on('error', () => undefined)
  // A discarded connection can still emit an error, which would end the process without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined))
  /** On whose behalf a connection speaks. */
  const spoken = new WeakMap<PoolClient, string>()
  const history = new DatabaseRestoreCheck(name)
  const scope = (tenant: string) => tenantStatements({ pool, name, tenant, spoken, history })
  return {
    name,
    url,
    as(tenant) {
      if (!TENANT.test(tenant))
        throw new KedgeError('invalid_option', `"${shown(tenant)}" can't be the name of a tenant.`)
      return scope(tenant)
    },
    asOperator: () => scope(OPERATOR_TENANT),
    onWentBack: (hear) => history.onWentBack(hear),
    close: () => pool.end(),
  }
}

type Scope = {
  pool: Pool
  name: string
  tenant: string
  spoken: WeakMap<PoolClient, string>
  history: DatabaseRestoreCheck
}

function tenantStatements({ pool, name, tenant, spoken, history }: Scope): TenantDatabase {
  const withClient = async <T>(use: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw databaseError(error, name)
    })
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    try {
      await history.look(client)
      if (spoken.get(client) !== tenant) {
        spoken.delete(client)
        await client.query(SPEAK, [tenant])
        spoken.set(client, tenant)
      }
      return await use(client)
    } catch (error) {
      if (isConnectionLost(error)) broken = toError(error)
      throw databaseError(error, name)
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }
  return {
    tenant,
    query: (text, values) => withClient((client) => ask(client, text, values)),
    transaction: (work) =>
      withClient(async (client) => {
        await client.query('begin')
        try {
          const then: (() => void)[] = []
          const onCommit = (one: () => void) => void then.push(one)
          const result = await work({ client, onCommit, query: (text, values) => ask(client, text, values) })
          await client.query('commit')
          for (const one of then) one()
          return result
        } catch (error) {
          // One that is lost is put away, and what it did with it; it may still be at the statement that took too long.
          if (!isConnectionLost(error)) await client.query('rollback').catch(() => undefined)
          throw error
        }
      }),
  }
}

/** A confirmed write must be on the disk: a database-wide setting to the contrary isn't meant for a journal. */
const SPEAK = `select set_config('kedge.tenant', $1, false),
  case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'local', false) end`

async function ask<T extends Row>(client: PoolClient, text: string, values: readonly unknown[] = []): Promise<T[]> {
  // Without values it may be several statements, which have no plan together.
  const name = values.length === 0 ? {} : { name: nameOfStatement(text) }
  const { rows } = await client.query<T>({ ...name, text, values: [...values] })
  return rows
}

/** Each connection keeps the plans of statements that have a name: most of what a small one costs is its plan. There are some hundred. */
const names = new Map<string, string>()
function nameOfStatement(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `kedge ${names.size}`
  names.set(text, name)
  return name
}

const AWAY = ['database_unreachable', 'database_full', 'database_disk_full']
export const DATABASE_PATIENCE_MS = 20_000
const PAUSES_MS = { first: 50, most: 1000 }

/** It can't be reached or has no room: that may pass. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLost(error) || (KedgeError.isInstance(error) && AWAY.includes(error.code))
}

/**
 * Repeats work until the database is available. For what may be said twice: it is repeated while the database can't
 * be reached or has no room, for a while. A database that is restarted is away for a second or two.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, patienceMs = DATABASE_PATIENCE_MS): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (let pause = PAUSES_MS.first; ; pause = Math.min(pause * 2, PAUSES_MS.most)) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() + pause > deadline) throw error
      await new Promise((done) => setTimeout(done, pause))
    }
  }
}

/** Host, port and database, for people. Rejects what isn't an address of a database. */
function nameOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw new KedgeError('invalid_option', 'A database is named as postgres://user:password@host:port/database.')
  try {
    decodeURIComponent(url)
  } catch {
    throw new KedgeError('invalid_option', 'A % in the address of a database, as in its password, is written as %25.')
  }
  return `${parsed.host || 'localhost'}${parsed.pathname}`
}

function shown(text: unknown): string {
  return String(text).slice(0, 100)
}
