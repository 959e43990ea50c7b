/** Takes over from workers that send no heartbeat: one machine at a time requeues their runs. */
import type { Statements, TenantDatabase } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'
import { type RunKey, runId } from '../engine/run-engine.js'
import { lockSession, queueNextRun, type RunPorts, requeueRun, type SessionRow } from './run-changes.js'

/** What a worker reports with each heartbeat. */
export type WorkerReport = {
  worker: string
  host?: string
  version?: string
  draining?: boolean
  capacity?: number
  /** Sessions it has. */
  load?: number
  apps?: string
}

/**
 * Stores a worker's heartbeat. Returns the database's time in milliseconds, so that a worker whose clock is far off
 * can say so.
 */
export async function sendHeartbeat(database: TenantDatabase, given: WorkerReport): Promise<number> {
  const { worker, host = '', version = '', draining = false, capacity = 0, load = 0, apps = '' } = given
  const [row] = await database.query<{ now: number }>(
    `insert into kedge.workers (id, host, version, draining, capacity, load, apps) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update set beat = clock_timestamp(), host = excluded.host, version = excluded.version,
       draining = excluded.draining, capacity = excluded.capacity, load = excluded.load, apps = excluded.apps
     returning extract(epoch from clock_timestamp())::float8 * 1000 as now`,
    [worker, host, version, draining, capacity, load, apps],
  )
  return row?.now ?? 0
}

/** What happened, over all machines. */
export async function addToClusterCounter(
  statements: Statements,
  name: 'takeovers' | 'fenced_writes',
  by = 1,
): Promise<void> {
  await statements.query(
    `insert into kedge.counters (name, value) values ($1, $2)
     on conflict (name) do update set value = counters.value + excluded.value`,
    [name, by],
  )
}

/** Sessions whose worker was silent for $1 milliseconds, or that were claimed before the database went back. */
export const SELECT_LOST_SESSIONS = `select tenant, id, owner from kedge.sessions where state = 'running' and (epoch < ${LOWEST_VALID_EPOCH_SQL} or not exists (
  select 1 from kedge.workers where workers.id = owner and beat > clock_timestamp() - $1 * interval '1 millisecond'))`

const EVER_SILENT = `select id from kedge.workers where beat < clock_timestamp() - $1 * interval '1 millisecond'`
/**
 * Workers that were silent for $1 milliseconds. The engine gives them nothing more, so soon nothing is left to free.
 */
export const UNRESPONSIVE_WORKERS_SQL = {
  recent: `${EVER_SILENT} and beat > clock_timestamp() - interval '10 minutes'`,
  ever: EVER_SILENT,
}

const TAKEN = `update kedge.sessions set facts = facts || jsonb_build_object('takenFrom', $3::text)
  where tenant = $1 and id = $2`
/** Sorted, because all transactions must lock rows in the same order. */
const LOCK_TAKEN = `select 1 from kedge.sessions where facts ->> 'takenFrom' = $1 order by tenant, id for no key update`
const NOT_TO_BLAME = `update kedge.sessions set attempts = greatest(attempts - 1, 0), facts = facts - 'takenFrom' - 'crashes'
  where facts ->> 'takenFrom' = $1`

/** A worker that had stopped responding is back: it had only lost its database connection, so its turn doesn't count as a crash. */
export async function noteWorkerReturned(database: TenantDatabase, worker: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(LOCK_TAKEN, [worker])
    await tx.query(NOT_TO_BLAME, [worker])
  })
}

/** Any number that no other advisory lock uses. */
const LOCK = 5_433_643_222

/**
 * Turns the runs of workers that were silent for `silentMs` into their sessions' next runs, then tells the engine that
 * the old ones are orphans. `ports.database` must be the operator's. Undefined if another machine is doing it.
 */
export async function takeOverRuns(ports: RunPorts, silentMs: number): Promise<RunKey[] | undefined> {
  const { database, engine } = ports
  const orphans = await database.transaction(async (tx) => {
    const [lock] = await tx.query<{ got: boolean }>('select pg_try_advisory_xact_lock($1) as got', [LOCK])
    if (!lock?.got) return undefined
    const lost = await tx.query<{ tenant: string; id: string; owner: string }>(
      `${SELECT_LOST_SESSIONS} order by tenant, id`,
      [silentMs],
    )
    const taken: RunKey[] = []
    for (const { tenant, id, owner } of lost) {
      const row = await lockSession(tx, tenant, id)
      // It ended, or was handed on, since we looked.
      if (row.state !== 'running' || row.owner !== owner) continue
      await requeueRun(tx, ports, row)
      await tx.query(TAKEN, [tenant, id, owner])
      taken.push({ tenant, session: id, run: row.run })
    }
    if (taken.length > 0) await addToClusterCounter(tx, 'takeovers', taken.length)
    return taken
  })
  // After it counts: if we die before, it is found among those that a silent worker still has.
  for (const run of orphans ?? []) {
    await engine.cancel(run)
    ports.wake(run.tenant, run.session)
  }
  return orphans
}

/**
 * Frees runs that the engine still counts as running with unresponsive workers: handed out but not claimed, or ended
 * without a report. The former are requeued. Both free their place for other runs of the tenant.
 */
export async function freeUnresponsiveRuns(
  ports: RunPorts,
  silentMs: number,
  since: keyof typeof UNRESPONSIVE_WORKERS_SQL,
): Promise<RunKey[]> {
  const silent = await ports.database.query<{ id: string }>(UNRESPONSIVE_WORKERS_SQL[since], [silentMs])
  const runs = await ports.engine.runsOf(silent.map(({ id }) => id))
  await releaseRuns(ports, runs)
  return runs
}

/** Returns the running sessions whose owner is this worker. */
export async function runsOwnedBy(database: TenantDatabase, worker: string): Promise<RunKey[]> {
  const rows = await database.query<{ tenant: string; id: string; run: number }>(
    `select tenant, id, run from kedge.sessions where state = 'running' and owner = $1`,
    [worker],
  )
  return rows.map(({ tenant, id, run }) => ({ tenant, session: id, run }))
}

/**
 * Releases runs that no worker runs, regardless of the engine's state. `worker` runs none either, regardless of their
 * rows.
 */
export async function releaseRuns(ports: RunPorts, runs: readonly RunKey[], worker?: string): Promise<void> {
  const { database, engine } = ports
  for (const run of runs) {
    await database.transaction(async (tx) => {
      const [there] = await tx.query('select 1 from kedge.sessions where tenant = $1 and id = $2', [
        ...[run.tenant, run.session],
      ])
      const row = there && (await lockSession(tx, run.tenant, run.session))
      if (row?.run !== run.run) return
      const isOurs = worker !== undefined && row.state === 'running' && row.owner === worker
      if (row.state === 'queued' || isOurs) await queueNextRun(tx, ports, row)
    })
    await engine.cancel(run)
  }
}

/** Sessions that wait for a run, or have one, which the engine does not know get another: what falls between two statements. Once a minute. */
export async function requeueLostSessions(ports: RunPorts, olderMs: number): Promise<RunKey[]> {
  const { database, engine } = ports
  const waiting = await database.query<SessionRow>(
    `select tenant, id, run from kedge.sessions where state in ('queued', 'running')
       and updated < clock_timestamp() - $1 * interval '1 millisecond' limit 1000`,
    [olderMs],
  )
  const keys = waiting.map(({ tenant, id, run }): RunKey => ({ tenant, session: id, run }))
  const known = await engine.knows(keys)
  const lost = keys.filter((key) => !known.has(runId(key)))
  for (const { tenant, session, run } of lost) {
    await database.transaction(async (tx) => {
      const row = await lockSession(tx, tenant, session)
      // A worker that has lost it is alive, and does not have it.
      if (['queued', 'running'].includes(row.state) && row.run === run) await queueNextRun(tx, ports, row)
    })
  }
  return lost
}
