/** The last save of each session, in the database. Only the session's current owner can record one. */
import { KedgeError } from '../../errors.js'
import { retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'
import type { SnapshotIndex, WorkspaceKind, WorkspaceSnapshot } from './session-workspace.js'

type SnapshotRow = {
  epoch: number
  seq: number
  kind: WorkspaceKind
  ref: string
  sha256: string
  bytes: number
  left_out: string
  holder: string
}

/** Each call is made as the tenant it is about. */
export function createPostgresSnapshotIndex(databaseOf: (tenant: string) => TenantDatabase): SnapshotIndex {
  return {
    async last({ tenant, session }) {
      const [row] = await retryWhileUnavailable(() => databaseOf(tenant).query<SnapshotRow>(LAST, [tenant, session]))
      if (!row) return undefined
      const { left_out, holder, ...saved } = row
      return { holder, saved: saved.seq === 0 ? undefined : { ...saved, leftOut: JSON.parse(left_out) } }
    },
    async hold({ tenant, session, epoch }, holder) {
      const done = await retryWhileUnavailable(() => databaseOf(tenant).query(HOLD, [tenant, session, epoch, holder]))
      if (done.length === 0) throw createOvertakenSaveError(session)
    },
    async record({ tenant, session, epoch }, { seq, kind, ref, sha256, bytes, leftOut }) {
      const values = [tenant, session, epoch, seq, kind, ref, sha256, bytes, JSON.stringify(leftOut)]
      const done = await retryWhileUnavailable(() => databaseOf(tenant).query(RECORD, values))
      if (done.length === 0) throw createOvertakenSaveError(session)
    },
    async forget({ tenant, session }) {
      await retryWhileUnavailable(() => databaseOf(tenant).query(FORGET, [tenant, session]))
    },
  }
}

/** For tests: rejects an older epoch than the last one. */
export function createMemorySnapshotIndex(): SnapshotIndex {
  const rows = new Map<string, WorkspaceSnapshot & { epoch: number }>()
  const keyOf = ({ tenant, session }: { tenant: string; session: string }) => JSON.stringify([tenant, session])
  const change = (place: { tenant: string; session: string; epoch: number }, changed: Partial<WorkspaceSnapshot>) => {
    const row = rows.get(keyOf(place)) ?? { saved: undefined, holder: '', epoch: 0 }
    if (row.epoch > place.epoch) throw createOvertakenSaveError(place.session)
    rows.set(keyOf(place), { ...row, ...changed, epoch: place.epoch })
  }
  return {
    async last(place) {
      const row = rows.get(keyOf(place))
      return row && { saved: row.saved, holder: row.holder }
    },
    hold: async (place, holder) => change(place, { holder }),
    record: async (place, saved) => change(place, { saved: { ...saved, epoch: place.epoch } }),
    async forget(place) {
      rows.delete(keyOf(place))
    },
  }
}

export function createOvertakenSaveError(session: string): KedgeError {
  return new KedgeError('session_fenced', `Another worker has session ${session} now: its files were not saved.`)
}

const LAST = `select epoch::float8, seq::float8, kind, ref, sha256, bytes::float8, left_out, holder from kedge.snapshots
  where tenant = $1 and session = $2`
/** Under the lock of the session's row: the next worker that claims it sees the save, or the save comes too late. */
const MINE = `with mine as (select 1 from kedge.sessions
  where tenant = $1 and id = $2 and epoch = $3 and epoch >= ${LOWEST_VALID_EPOCH_SQL} for share)`
const RECORD = `${MINE}
  insert into kedge.snapshots (tenant, session, epoch, seq, kind, ref, sha256, bytes, left_out)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9 from mine
  on conflict (tenant, session) do update set epoch = excluded.epoch, seq = excluded.seq, kind = excluded.kind,
    ref = excluded.ref, sha256 = excluded.sha256, bytes = excluded.bytes, left_out = excluded.left_out, at = excluded.at
  returning 1`
const HOLD = `${MINE}
  insert into kedge.snapshots (tenant, session, holder) select $1, $2, $4 from mine
  on conflict (tenant, session) do update set holder = excluded.holder returning 1`
const FORGET = 'delete from kedge.snapshots where tenant = $1 and session = $2'
