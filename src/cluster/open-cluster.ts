/** A cluster from this machine: the database, the engine that hands runs out, and who waits for news. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../platform/files/content-hash.js'
import { homeFolder } from '../platform/home.js'
import { createIdentity } from '../platform/identity.js'
import * as library from '../sdk/session-functions.js'
import { configFolder } from '../sessions/location.js'
import { type Database, openDatabase, PATIENCE_MS, patiently } from './database/database.js'
import { checkSchema, migrate } from './database/migrations.js'
import { createWakeCaller, createWakeUps, NOTIFY, type WakeUps } from './database/wake-ups.js'
import { type EmbeddedPostgres, startEmbedded } from './embedded/embedded-postgres.js'
import { createDbosEngine, migrateEngine } from './engine/dbos-engine.js'
import type { RunEngine } from './engine/run-engine.js'
import { ClusterHub } from './hub/cluster-hub.js'
import type { RunPorts } from './runs/run-changes.js'
import { wakeNames } from './store/follow-log.js'
import { postgresLogStore } from './store/postgres-log-store.js'
import { workerName } from './worker/news-desk.js'
import { clusterSessionStore } from './worker/run-session-store.js'

export type ClusterAddress = {
  /** `postgres://…`; or `embedded`, `embedded:FOLDER`: one of this machine, started if it does not run. */
  database: string
  /** In the pool of this process. Default: 10. */
  connections?: number
  /** How long to wait for one that does not answer. Default: 20 s. */
  patienceMs?: number
  /** Told once that it is waited for, and until when. */
  say?(text: string): void
}

export interface Cluster {
  readonly database: Database
  readonly engine: RunEngine
  readonly wakeUps: WakeUps
  ports(tenant: string): RunPorts
  /** The sessions of a tenant as faces see them; new ones are of this app. */
  hub(tenant: string, app?: string): ClusterHub
  close(): Promise<void>
}

/** Rejects when the tables are not those this program knows; those of an embedded database are made. */
export async function openCluster(address: ClusterAddress): Promise<Cluster> {
  const found = await findDatabase(address)
  const connections = address.connections === undefined ? {} : { connections: address.connections }
  const database = await openDatabase({ url: found.url, ...connections })
  try {
    // One that is restarted this moment is waited for.
    const { patienceMs } = address
    const done = sayIfLate(address, database.name)
    try {
      await patiently(async () => (found.isEmbedded ? migrateAll(database) : checkSchema(database)), patienceMs)
      return await assemble(database, found, patienceMs)
    } finally {
      done()
    }
  } catch (error) {
    await database.close()
    await found.started?.stop()
    throw error
  }
}

const LATE_MS = 1000

/** Who waits in silence looks as if nothing happened. */
export function sayIfLate(
  { patienceMs = PATIENCE_MS, say }: Pick<ClusterAddress, 'patienceMs' | 'say'>,
  name: string,
): () => void {
  const until = new Date(Date.now() + patienceMs).toISOString()
  const timer = setTimeout(() => say?.(`waits for the database ${name}, until ${until}`), LATE_MS)
  return () => clearTimeout(timer)
}

/** All tables: ours and the engine's. */
export async function migrateAll(database: Database): Promise<{ from: number; to: number }> {
  const migrated = await migrate(database)
  await migrateEngine(database)
  return migrated
}

async function assemble(database: Database, { url, started }: Found, patienceMs?: number): Promise<Cluster> {
  const wakeUps = createWakeUps(url)
  const operator = database.asOperator()
  const calls = createWakeCaller((payload) => operator.query(NOTIFY, [payload]))
  const engine = await patiently(() => createDbosEngine({ database, wakeUps, call: calls.call }), patienceMs)
  const { uuid } = createIdentity()
  const ports = (tenant: string): RunPorts => ({
    ...{ engine, database: database.as(tenant) },
    wake(of, session) {
      for (const name of wakeNames(of, session)) calls.call(name)
    },
    wakeWorker: (worker) => calls.call(workerName(worker)),
  })
  return {
    ...{ database, engine, wakeUps, ports },
    hub(tenant, app = '') {
      const runs = ports(tenant)
      return new ClusterHub({
        ...{ runs, wakeUps, library, newId: uuid, now: Date.now, app },
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

/** One embedded database serves all programs of this user: the first starts it, and it ends with that one. */
async function findDatabase({ database }: ClusterAddress): Promise<Found> {
  const [, place] = /^embedded(?::(.+))?$/.exec(database) ?? []
  if (!isEmbedded(database)) return { url: database, isEmbedded: false }
  const folder = place ?? embeddedFolder()
  const file = join(folder, 'address')
  if (existsSync(file)) {
    const url = readFileSync(file, 'utf8').trim()
    if (await answers(url)) return { url, isEmbedded: true }
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const started = await startEmbedded({ folder })
  // Its password is in it.
  rmSync(file, { force: true })
  writeFileSync(file, `${started.url}\n`, { mode: 0o600, flag: 'wx' })
  return { url: started.url, isEmbedded: true, started }
}

async function answers(url: string): Promise<boolean> {
  try {
    const database = await openDatabase({ url, connections: 1, connectMs: 2000 })
    await database.asOperator().query('select 1')
    await database.close()
    return true
  } catch {
    return false
  }
}

export function isEmbedded(database: string): boolean {
  return /^embedded(?::|$)/.test(database)
}

/** Beside the settings of the user. PostgreSQL does not run as root, and whoever it runs as can't enter the folders of root. */
function embeddedFolder(): string {
  const { env } = process
  if (process.getuid?.() === 0) return '/var/lib/kedge/database'
  return join(configFolder(env, homeFolder(env)), 'database')
}

export function hashText(text: string): Promise<string> {
  return sha256(new TextEncoder().encode(text))
}
