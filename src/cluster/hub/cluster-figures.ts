/** How a cluster is, in figures: for operators, and for Prometheus. */
import type { TenantDatabase } from '../database/database.js'

export type Figures = {
  /** Sessions by state. */
  states: Record<string, number>
  /** Sessions that wait, and keep their worker. */
  held: number
  workers: {
    id: string
    host: string
    version: string
    silentMs: number
    draining: boolean
    capacity: number
    load: number
    apps: string
  }[]
  /** The run that waits longest, and for how long. */
  queued: { count: number; oldestMs: number }
  asks: { open: number; oldestMs: number }
  takeovers: number
  fencedWrites: number
  tenants: { tenant: string; budget: number | null; spent: number; paused: boolean }[]
}

/** Of one tenant, where there are several; the operator's are of all. Workers are nobody's in particular. */
export async function clusterFigures(database: TenantDatabase): Promise<Figures> {
  const of = [database.tenant]
  const [states, workers, queued, asks, counters, tenants] = await Promise.all([
    database.query<{ state: string; count: number; held: number }>(
      `select state, count(*)::int as count, (count(*) filter (where facts ? 'held'))::int as held from kedge.sessions where has_log and ${MINE} group by state`,
      of,
    ),
    database.query<Figures['workers'][number] & { silent: number }>(
      `select id, host, version, draining, capacity, load, apps,
         extract(epoch from clock_timestamp() - beat)::float8 * 1000 as silent from kedge.workers order by id`,
    ),
    database.query<{ count: number; oldest: number | null }>(
      `select count(*)::int as count, extract(epoch from clock_timestamp() - min(updated))::float8 * 1000 as oldest
       from kedge.sessions where state = 'queued' and ${MINE}`,
      of,
    ),
    database.query<{ count: number; oldest: number | null }>(
      `select count(*)::int as count, extract(epoch from clock_timestamp() - min(asked))::float8 * 1000 as oldest
       from kedge.asks where state = 'open' and ${MINE}`,
      of,
    ),
    database.query<{ name: string; value: number }>('select name, value::float8 from kedge.counters'),
    database.query<Figures['tenants'][number]>(
      `select tenant, budget_usd as budget, spent_usd as spent, paused from kedge.tenants where ${MINE} order by tenant`,
      of,
    ),
  ])
  const counted = (name: string) => counters.find((one) => one.name === name)?.value ?? 0
  return {
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    held: states.find(({ state }) => state === 'running')?.held ?? 0,
    workers: workers.map(({ silent, ...worker }) => ({ ...worker, silentMs: silent })),
    queued: { count: queued[0]?.count ?? 0, oldestMs: queued[0]?.oldest ?? 0 },
    asks: { open: asks[0]?.count ?? 0, oldestMs: asks[0]?.oldest ?? 0 },
    ...{ takeovers: counted('takeovers'), fencedWrites: counted('fenced_writes'), tenants },
  }
}

/** '*' is the operator. */
const MINE = `$1 in (tenant, '*')`

/** So long a worker may be silent; so long a run may wait. */
const LIMITS_MS = { silent: 10_000, queued: 60_000 }

/** What is wrong, and what to do about it. Empty: nothing. */
export function troublesOf({ workers, queued }: Figures): string[] {
  const awake = workers.filter(({ silentMs, draining }) => silentMs < LIMITS_MS.silent && !draining)
  const troubles: string[] = []
  if (awake.length === 0) troubles.push('No worker takes runs: start one with kedge worker.')
  if (queued.oldestMs > LIMITS_MS.queued && awake.length > 0) {
    const room = awake.reduce((sum, { capacity, load }) => sum + capacity - load, 0)
    const fix = room > 0 ? 'look whether a worker has its app, and at the limit per tenant' : 'start more workers'
    troubles.push(`A run has been waiting for ${Math.round(queued.oldestMs / 1000)} s: ${fix}.`)
  }
  return troubles
}

export function figuresText(figures: Figures): string {
  const { states, workers, queued, asks, takeovers, fencedWrites, tenants } = figures
  const awake = workers.filter(({ silentMs }) => silentMs < LIMITS_MS.silent)
  const one = (name: string, help: string, value: number, type = 'gauge') =>
    `# HELP kedge_cluster_${name} ${help}\n# TYPE kedge_cluster_${name} ${type}\nkedge_cluster_${name} ${value}\n`
  const several = (name: string, help: string, lines: [string, number][]) =>
    `# HELP kedge_cluster_${name} ${help}\n# TYPE kedge_cluster_${name} gauge\n${lines.map(([labels, value]) => `kedge_cluster_${name}{${labels}} ${value}\n`).join('')}`
  return [
    several(
      'sessions',
      'Sessions by state.',
      Object.entries(states).map(([state, count]) => [`state="${state}"`, count]),
    ),
    one('workers', 'Workers that say they are there.', awake.length),
    one(
      'capacity',
      'Sessions they can have.',
      awake.reduce((sum, { capacity }) => sum + capacity, 0),
    ),
    one(
      'load',
      'Sessions they have.',
      awake.reduce((sum, { load }) => sum + load, 0),
    ),
    one('queued_runs', 'Runs that wait for a worker.', queued.count),
    one('oldest_queued_run_seconds', 'How long the oldest of them has been waiting.', queued.oldestMs / 1000),
    one('parked_asks', 'Asks that wait for a person.', asks.open),
    one('oldest_parked_ask_seconds', 'How long the oldest of them has been waiting.', asks.oldestMs / 1000),
    one('takeovers_total', 'Runs that were taken from silent workers.', takeovers, 'counter'),
    one(
      'fenced_writes_total',
      'Writes that were refused because another worker had the session.',
      fencedWrites,
      'counter',
    ),
    several(
      'tenant_spent_usd',
      'What tenants have spent.',
      tenants.map(({ tenant, spent }) => [`tenant="${tenant}"`, spent]),
    ),
  ].join('')
}
