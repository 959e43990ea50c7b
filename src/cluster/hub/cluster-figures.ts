/** A cluster's state in figures, for `kedge admin status` and the metrics. */
import type { TenantDatabase } from '../database/database.js'
import { type CrashCounts, callWithMostCrashes } from '../runs/crashed-calls.js'

export type WorkerFigures = {
  id: string
  host: string
  version: string
  /** Time since its last heartbeat. */
  silentMs: number
  draining: boolean
  capacity: number
  load: number
  /** Names of its apps, separated by spaces. The default app has an empty name. */
  apps: string
}

export type TenantSession = { tenant: string; id: string }

export type ClusterFigures = {
  /** Sessions by state. */
  states: Record<string, number>
  /** Sessions that wait and keep their worker's place, by reason, each with one of them. */
  held: (TenantSession & { why: string; count: number })[]
  /** Sessions that an operator parked. */
  parked: number
  /** Sessions that wait although no request is open and no operator parked them; at most 10. */
  stuck: TenantSession[]
  /** Sessions whose turn ended two or more workers in a row; at most 10. */
  crashing: (TenantSession & { workers: number; call: string | undefined })[]
  workers: WorkerFigures[]
  /** `oldestMs` is how long the first of them has been waiting. */
  queued: { count: number; oldestMs: number; byApp: { app: string; count: number }[] }
  asks: { open: number; oldestMs: number }
  takeovers: number
  fencedWrites: number
  tenants: { tenant: string; budget: number | null; spent: number; paused: boolean }[]
}

/** Reads one tenant's figures, or those of all tenants for an operator's database. Workers belong to all tenants. */
export async function clusterFigures(database: TenantDatabase): Promise<ClusterFigures> {
  const of = [database.tenant]
  const [states, held, waiting, crashing, workers, queued, asks, counters, tenants] = await Promise.all([
    database.query<{ state: string; count: number }>(
      `select state, count(*)::int as count from kedge.sessions where has_log and ${MINE} group by state`,
      of,
    ),
    database.query<ClusterFigures['held'][number]>(HELD, of),
    database.query<TenantSession & { parked: boolean }>(WITHOUT_REQUEST, of),
    database.query<TenantSession & { workers: number; crashes: CrashCounts | null }>(CRASHING, of),
    database.query<WorkerFigures & { silent: number }>(
      `select id, host, version, draining, capacity, load, apps,
         extract(epoch from clock_timestamp() - beat)::float8 * 1000 as silent from kedge.workers order by id`,
    ),
    database.query<{ app: string; count: number; oldest: number }>(
      `select app, count(*)::int as count, extract(epoch from clock_timestamp() - min(updated))::float8 * 1000 as oldest
       from kedge.sessions where state = 'queued' and ${MINE} group by app order by app`,
      of,
    ),
    database.query<{ count: number; oldest: number | null }>(
      `select count(*)::int as count, extract(epoch from clock_timestamp() - min(asked))::float8 * 1000 as oldest
       from kedge.asks where state = 'open' and ${MINE}`,
      of,
    ),
    database.query<{ name: string; value: number }>('select name, value::float8 from kedge.counters'),
    database.query<ClusterFigures['tenants'][number]>(
      `select tenant, budget_usd as budget, spent_usd as spent, paused from kedge.tenants where ${MINE} order by tenant`,
      of,
    ),
  ])
  const counted = (name: string) => counters.find((one) => one.name === name)?.value ?? 0
  const stuck = waiting.filter(({ parked }) => !parked)
  return {
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    held,
    parked: waiting.length - stuck.length,
    stuck: stuck.slice(0, MOST_NAMED).map(({ tenant, id }) => ({ tenant, id })),
    crashing: crashing.map(({ crashes, ...one }) => ({ ...one, call: callWithMostCrashes(crashes ?? {}).call })),
    workers: workers.map(({ silent, ...worker }) => ({ ...worker, silentMs: silent })),
    queued: {
      count: queued.reduce((sum, { count }) => sum + count, 0),
      oldestMs: Math.max(0, ...queued.map(({ oldest }) => oldest)),
      byApp: queued.map(({ app, count }) => ({ app, count })),
    },
    asks: { open: asks[0]?.count ?? 0, oldestMs: asks[0]?.oldest ?? 0 },
    takeovers: counted('takeovers'),
    fencedWrites: counted('fenced_writes'),
    tenants,
  }
}

/** The tenant '*' stands for an operator. */
const MINE = `$1 in (tenant, '*')`
const MOST_NAMED = 10
const HELD = `select facts ->> 'held' as why, count(*)::int as count,
    (array_agg(tenant order by updated))[1] as tenant, (array_agg(id order by updated))[1] as id
  from kedge.sessions where state = 'running' and facts ? 'held' and ${MINE} group by 1 order by 2 desc`
const WITHOUT_REQUEST = `select tenant, id, facts ? 'parked' as parked from kedge.sessions
  where state = 'waiting' and ${MINE} and not exists (select 1 from kedge.asks
    where asks.tenant = sessions.tenant and asks.session = sessions.id and asks.state = 'open') order by updated`
/** The attempt of a session that runs hasn't failed yet. */
const FAILED = `attempts - (state = 'running')::int`
const CRASHING = `select tenant, id, ${FAILED} as workers, facts -> 'crashes' as crashes from kedge.sessions
  where state in ('queued', 'running') and ${FAILED} >= 2 and ${MINE} order by workers desc, updated limit ${MOST_NAMED}`
