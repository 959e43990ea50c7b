/** A cluster as seen from this machine: the database, the engine that hands out runs, and the wake-ups. */
import { resolve } from 'node:path'
import { sha256 } from '../platform/files/content-hash.js'
import { createPlatformIdentity } from '../platform/identity.js'
import * as library from '../sdk/session-functions.js'
import { databaseError } from './cluster-error.js'
import { DATABASE_PATIENCE_MS, type Database, openDatabase, retryWhileUnavailable } from './database/database.js'
import { checkSchema, migrate } from './database/migrations.js'
import { createWakeUpSender, createWakeUps, NOTIFY_STATEMENT, type WakeUps } from './database/wake-ups.js'
import type { EmbeddedPostgres } from './embedded/embedded-postgres.js'
import {
  defaultEmbeddedDatabaseFolder,
  openSharedEmbeddedDatabase,
  type SharedEmbeddedDatabase,
} from './embedded/shared-embedded.js'
import { createDbosEngine, migrateEngine } from './engine/dbos-engine.js'
import type { RunQueueEngine } from './engine/run-engine.js'
import { ClusterHub } from './hub/cluster-hub.js'
import type { RunPorts } from './runs/run-changes.js'
import { logWakeNames } from './store/follow-log.js'
import { postgresLogStore } from './store/postgres-log-store.js'
import { clusterSessionStore } from './worker/run-session-store.js'
import { toWorkerWakeUpName } from './worker/worker-inbox.js'

export type OpenClusterOptions = {
  /** `postgres://…`; or `embedded`, `embedded:FOLDER`: one of this machine, started if it does not run. */
  database: string
  /** In the pool of this process. Default: 10. */
  connections?: number
  /** How long to wait for one that does not answer. Default: 20 s. */
  patienceMs?: number
  /** Receives where an embedded database is, and once that the program waits for its database, and until when. */
  say?(text: string): void
}

export interface Cluster {
  readonly database: Database
  readonly engine: RunQueueEngine
  readonly wakeUps: WakeUps
  ports(tenant: string): RunPorts
  /** The sessions of a tenant as interfaces see them; new ones are of this app. */
  hub(tenant: string, app?: string): ClusterHub
  close(): Promise<void>
}

/**
 * Connects to a cluster's database. Rejects when the tables are not those this program knows; those of an embedded
 * database are made.
 */
export async function openCluster(address: OpenClusterOptions): Promise<Cluster> {
  const found = await findDatabase(address)
  const connections = address.connections === undefined ? {} : { connections: address.connections }
  const database = await openDatabase({ url: found.url, ...connections })
  try {
    // One that is restarted this moment is waited for.
    const { patienceMs } = address
    const done = reportLongDatabaseWait(address, database.name)
    try {
      await retryWhileUnavailable(
        async () => (found.isEmbedded ? migrateAllTables(database) : checkSchema(database)),
        patienceMs,
      )
      return await assemble(database, found, patienceMs)
    } finally {
      done()
    }
  } catch (error) {
    await database.close()
    await found.started?.stop()
    throw databaseError(error, database.name)
  }
}

const LATE_MS = 1000

/** Reports a long wait: a program that waits in silence looks as if nothing happens. */
export function reportLongDatabaseWait(
  { patienceMs = DATABASE_PATIENCE_MS, say }: Pick<OpenClusterOptions, 'patienceMs' | 'say'>,
  name: string,
): () => void {
  const until = new Date(Date.now() + patienceMs).toISOString()
  const timer = setTimeout(() => say?.(`waits for the database ${name}, until ${until}`), LATE_MS)
  return () => clearTimeout(timer)
}

/** All tables: ours and the engine's. */
export async function migrateAllTables(database: Database): Promise<{ from: number; to: number }> {
  const migrated = await migrate(database)
  await migrateEngine(database)
  return migrated
}

async function assemble(database: Database, { url, started }: Found, patienceMs?: number): Promise<Cluster> {
  const wakeUps = createWakeUps(url)
  const operator = database.asOperator()
  const calls = createWakeUpSender((payload) => operator.query(NOTIFY_STATEMENT, [payload]))
  const engine = await retryWhileUnavailable(
    () => createDbosEngine({ database, wakeUps, call: calls.call }),
    patienceMs,
  )
  const { uuid } = createPlatformIdentity()
  const ports = (tenant: string): RunPorts => ({
    engine,
    database: database.as(tenant),
    wake(of, session) {
      for (const name of logWakeNames(of, session)) calls.call(name)
    },
    wakeWorker: (worker) => calls.call(toWorkerWakeUpName(worker)),
  })
  return {
    database,
    engine,
    wakeUps,
    ports,
    hub(tenant, app = '') {
      const runs = ports(tenant)
      return new ClusterHub({
        runs,
        wakeUps,
        library,
        newId: uuid,
        now: Date.now,
        app,
        store: postgresLogStore({ database: runs.database, holder: `process ${process.pid}`, newId: uuid }),
        transcripts: clusterSessionStore(runs.database),
      })
    },
    async close() {
      await calls.flush()
      await engine.stop(0)
      await wakeUps.close()
      await database.close()
      await started?.stop()
    },
  }
}

type Found = { url: string; isEmbedded: boolean; started?: EmbeddedPostgres }

async function findDatabase({ database, say }: OpenClusterOptions): Promise<Found> {
  if (!isEmbeddedAddress(database)) return { url: database, isEmbedded: false }
  const shared = await openSharedEmbeddedDatabase(embeddedDataFolder(database), makeTables)
  say?.(embeddedText(shared))
  return { ...shared, isEmbedded: true }
}

/** One program at a time: several that make the same tables get in each other's way. */
async function makeTables(url: string): Promise<void> {
  const database = await openDatabase({ url, connections: 2 })
  await migrateAllTables(database).finally(() => database.close())
}

/** Where the database of an address that is embedded keeps its data. */
export function embeddedDataFolder(address: string): string {
  const [, folder] = /^embedded:(.+)$/.exec(address) ?? []
  return resolve(folder ?? defaultEmbeddedDatabaseFolder())
}

function embeddedText({ folder, started }: SharedEmbeddedDatabase): string {
  if (!started) return `uses the embedded database in ${folder}, which another program started`
  const as = started.user === undefined ? '' : ` as the user "${started.user}"`
  return `started the embedded database in ${folder}${as}; it ends with this program`
}

export function isEmbeddedAddress(database: string): boolean {
  return /^embedded(?::|$)/.test(database)
}

export function hashText(text: string): Promise<string> {
  return sha256(new TextEncoder().encode(text))
}
