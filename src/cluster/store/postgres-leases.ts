/** Leases of sessions in a database, by the database's clock. */
import type { SessionKey, SessionLeases } from '../../protocol/stored-sessions.js'
import { retryWhileUnavailable, type TenantDatabase, type Transaction } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'

/** `mayTake` throws if the caller must not have a lease. */
export function createPostgresLeases(
  database: TenantDatabase,
  mayTake?: (tx: Transaction) => Promise<void>,
): SessionLeases {
  const names = ({ projectKey, sessionId }: SessionKey) => [database.tenant, projectKey, sessionId]
  return {
    /** Not repeated when its answer is lost: the lease would be refused to us because we have it. It runs out. */
    async acquire(key, holder, ttlMs) {
      return database.transaction(async (tx) => {
        await mayTake?.(tx)
        await tx.query(MAKE, names(key))
        const [taken] = await tx.query<{ token: number }>(TAKE, [...names(key), holder, ttlMs])
        if (taken) return { token: taken.token }
        const [other] = await tx.query<{ holder: string }>(
          `select holder from kedge.transcripts where ${OF}`,
          names(key),
        )
        return { heldBy: other?.holder ?? 'another program' }
      })
    },
    async renew(key, token, ttlMs) {
      const rows = await retryWhileUnavailable(() => database.query(RENEW, [...names(key), token, ttlMs]))
      return rows.length > 0
    },
    async release(key, token) {
      await retryWhileUnavailable(() => database.query(RELEASE, [...names(key), token]))
    },
  }
}

const OF = 'tenant = $1 and project_key = $2 and session = $3'
const UNTIL = `clock_timestamp() + $5 * interval '1 millisecond'`
const MAKE = 'insert into kedge.transcripts (tenant, project_key, session) values ($1, $2, $3) on conflict do nothing'
const TAKE = `update kedge.transcripts set epoch = greatest(epoch, ${LOWEST_VALID_EPOCH_SQL}) + 1, holder = $4, held_until = ${UNTIL}
  where ${OF} and (held_until is null or held_until < clock_timestamp() or epoch < ${LOWEST_VALID_EPOCH_SQL}) returning epoch::float8 as token`
const RENEW = `update kedge.transcripts set held_until = ${UNTIL} where ${OF} and epoch = $4
  and epoch >= ${LOWEST_VALID_EPOCH_SQL} returning 1`
const RELEASE = `update kedge.transcripts set held_until = null where ${OF} and epoch = $4`
