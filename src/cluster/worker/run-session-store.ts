/** The transcript of a session for the run that was claimed: the lease is given only while the run counts. */
import { KedgeError } from '../../errors.js'
import type { SessionKey, SessionStore } from '../../protocol/stored-sessions.js'
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'
import type { ClaimedRun } from '../runs/claimed-run.js'
import { CLUSTER_PROJECT_KEY } from '../runs/claimed-run.js'
import { createPostgresLeases } from '../store/postgres-leases.js'
import { PostgresSessionStore } from '../store/postgres-session-store.js'

/** Short, so a fenced worker notices soon. */
const TTL_MS = 12_000

/** All sessions of a tenant, under one name: a folder has another name on every machine. */
export function clusterSessionStore(database: TenantDatabase): SessionStore {
  const store = new PostgresSessionStore(database)
  const fixed = <K extends SessionKey>(key: K): K => ({ ...key, projectKey: CLUSTER_PROJECT_KEY })
  return {
    leases: store.leases,
    append: (key, entries, token) => store.append(fixed(key), entries, token),
    load: (key) => store.load(fixed(key)),
    listSessions: () => store.listSessions(CLUSTER_PROJECT_KEY),
    listSessionSummaries: () => store.listSessionSummaries(CLUSTER_PROJECT_KEY),
    delete: (key) => store.delete(fixed(key)),
    listSubkeys: (key) => store.listSubkeys(fixed(key)),
  }
}

/** Once `lost` is said nothing is added any more: what an agent that is ended says of its turn is not how the turn ended. */
export function createFencedSessionStore(
  database: TenantDatabase,
  { session, epoch }: ClaimedRun,
  lost: AbortSignal,
): SessionStore {
  const store = clusterSessionStore(database)
  const leases = createPostgresLeases(database, async (tx) => {
    const [mine] = await tx.query(
      `select 1 from kedge.sessions where tenant = $1 and id = $2 and epoch = $3 and epoch >= ${LOWEST_VALID_EPOCH_SQL}
         and state = 'running' for share`,
      [database.tenant, session, epoch],
    )
    if (!mine) throw new KedgeError('session_fenced', `Another worker has session ${session} now.`)
  })
  const fixed = (key: SessionKey): SessionKey => ({ ...key, projectKey: CLUSTER_PROJECT_KEY })
  return {
    ...store,
    async append(key, entries, token) {
      if (lost.aborted) throw new KedgeError('session_fenced', `This worker has dropped session ${session}.`)
      await store.append(key, entries, token)
    },
    leases: {
      ttlMs: TTL_MS,
      acquire: (key, holder, ttlMs) => leases.acquire(fixed(key), holder, ttlMs),
      renew: (key, token, ttlMs) => leases.renew(fixed(key), token, ttlMs),
      release: (key, token) => leases.release(fixed(key), token),
    },
  }
}

/** Whether this message is in the transcript: if so, the prompt is resumed, not sent again. */
export async function isMessageInTranscript(
  database: TenantDatabase,
  session: string,
  message: string,
): Promise<boolean> {
  const found = await retryWhileUnavailable(() =>
    database.query(
      `select 1 from kedge.transcript_lines where tenant = $1 and project_key = $2 and session = $3 and sub = '' and uuid = $4`,
      [database.tenant, CLUSTER_PROJECT_KEY, session, message],
    ),
  )
  return found.length > 0
}

/** Whether anything was said in it. */
export async function hasTranscript(database: TenantDatabase, session: string): Promise<boolean> {
  const found = await retryWhileUnavailable(() =>
    database.query(
      `select 1 from kedge.transcript_lines where tenant = $1 and project_key = $2 and session = $3 and sub = '' limit 1`,
      [database.tenant, CLUSTER_PROJECT_KEY, session],
    ),
  )
  return found.length > 0
}
