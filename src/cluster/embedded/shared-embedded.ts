/** One embedded database serves all programs of a user on this machine: the first starts it, and it ends with that one. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { KedgeError } from '../../errors.js'
import { nodeClock } from '../../platform/clock.js'
import { nodeFiles } from '../../platform/files/files.js'
import { waitForLock } from '../../platform/files/process-lock.js'
import { homeFolder } from '../../platform/home.js'
import { configFolder } from '../../sessions/transcript-paths.js'
import { openDatabase } from '../database/database.js'
import { type EmbeddedPostgres, startEmbedded } from './embedded-postgres.js'
import { unprivilegedUser } from './unprivileged-user.js'

export type SharedEmbeddedDatabase = {
  url: string
  folder: string
  /** `undefined` if another program started it. */
  started?: EmbeddedPostgres
}

/** The first start makes its files, which takes seconds on a slow disk. */
const START_MS = 90_000

/**
 * Returns the database in `folder`, and starts it unless it runs. Of programs that start at the same time, one starts it and
 * prepares it; the others find it after that.
 */
export async function openSharedEmbeddedDatabase(
  folder: string,
  prepare: (url: string) => Promise<void> = async () => {},
): Promise<SharedEmbeddedDatabase> {
  makeFolder(folder)
  const ports = { files: nodeFiles, clock: nodeClock }
  for (const deadline = Date.now() + START_MS; ; ) {
    const running = await answering(folder)
    if (running !== undefined) return { url: running, folder }
    const lock = await waitForLock(join(folder, 'starting.lock'), ports)
    if (!('holder' in lock)) {
      try {
        return await findOrStart(folder, prepare)
      } finally {
        lock.release()
      }
    }
    if (Date.now() < deadline) continue
    const text = `The embedded database in ${folder} hasn't started for ${START_MS / 1000} s. Process ${lock.holder.pid} starts it: end that process and try again.`
    throw new KedgeError('database_unreachable', text)
  }
}

/** Another program may have started it while we waited for the lock. */
async function findOrStart(folder: string, prepare: (url: string) => Promise<void>): Promise<SharedEmbeddedDatabase> {
  const running = await answering(folder)
  if (running !== undefined) return { url: running, folder }
  const started = await startEmbedded({ folder })
  await prepare(started.url).catch(async (error: unknown) => {
    await started.stop()
    throw error
  })
  const file = join(folder, 'address')
  // It contains a password.
  rmSync(file, { force: true })
  writeFileSync(file, `${started.url}\n`, { mode: 0o600, flag: 'wx' })
  return { url: started.url, folder, started }
}

async function answering(folder: string): Promise<string | undefined> {
  const file = join(folder, 'address')
  if (!existsSync(file)) return undefined
  const url = readFileSync(file, 'utf8').trim()
  const database = await openDatabase({ url, connections: 1, connectMs: 2000 }).catch(() => undefined)
  const isThere = await database
    ?.asOperator()
    .query('select 1')
    .catch(() => undefined)
  await database?.close()
  return isThere && url
}

/** PostgreSQL might run as another user, who must be able to enter the folders above its own, but not read them. */
function makeFolder(folder: string): void {
  const first = unprivilegedUser() && mkdirSync(dirname(folder), { recursive: true })
  if (first !== undefined)
    for (let at = dirname(folder); at.length >= first.length; at = dirname(at)) chmodSync(at, 0o711)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/**
 * Returns the default folder of the embedded database: beside the settings of the user. PostgreSQL doesn't run as
 * root, and another user can't enter root's folders.
 */
export function defaultEmbeddedDatabaseFolder(): string {
  const { env } = process
  if (process.getuid?.() === 0) return '/var/lib/kedge/database'
  return join(configFolder(env, homeFolder(env)), 'database')
}
