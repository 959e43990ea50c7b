/** A cluster's figures as Prometheus metrics. */
import type { ClusterFigures } from './cluster-figures.js'
import { isWorkerAtCapacity, isWorkerDead, missingApps } from './cluster-health.js'

/** Returns the figures of a cluster in the format of Prometheus. `canWrite`: whether the database takes writes. */
export function clusterMetricsText(figures: ClusterFigures, canWrite: boolean): string {
  const { states, held, parked, stuck, crashing, workers, queued, asks, takeovers, fencedWrites, tenants } = figures
  const awake = workers.filter((worker) => !isWorkerDead(worker))
  const one = (name: string, help: string, value: number, type = 'gauge') =>
    `# HELP kedge_cluster_${name} ${help}\n# TYPE kedge_cluster_${name} ${type}\nkedge_cluster_${name} ${value}\n`
  const several = (name: string, help: string, lines: [string, number][]) =>
    `# HELP kedge_cluster_${name} ${help}\n# TYPE kedge_cluster_${name} gauge\n${lines.map(([labels, value]) => `kedge_cluster_${name}{${labels}} ${value}\n`).join('')}`
  return [
    one('database_writable', '0 if the disk of the database is full or it only reads.', Number(canWrite)),
    several(
      'sessions',
      'Sessions by state.',
      Object.entries(states).map(([state, count]) => [`state="${state}"`, count]),
    ),
    one('workers', 'Workers that send heartbeats.', awake.length),
    one('workers_dead', 'Workers without a recent heartbeat.', workers.length - awake.length),
    one('workers_full', 'Workers without a free place.', awake.filter(isWorkerAtCapacity).length),
    one(
      'capacity',
      'Sessions that workers can run at a time.',
      awake.reduce((sum, { capacity }) => sum + capacity, 0),
    ),
    one(
      'load',
      'Sessions that workers run now.',
      awake.reduce((sum, { load }) => sum + load, 0),
    ),
    one('queued_runs', 'Runs that wait for a worker.', queued.count),
    one('oldest_queued_run_seconds', 'Waiting time of the oldest.', queued.oldestMs / 1000),
    one(
      'queued_runs_without_app',
      'Queued runs whose app no worker has.',
      missingApps(figures).reduce((sum, { count }) => sum + count, 0),
    ),
    several(
      'held_places',
      'Sessions that wait and keep their place on a worker.',
      held.map(({ why, count }) => [`reason="${escaped(why)}"`, count]),
    ),
    one('parked_sessions', 'Sessions that an operator parked.', parked),
    one('stuck_sessions', 'Sessions that wait without an open request (10 stands for 10 or more).', stuck.length),
    one(
      'crashing_sessions',
      'Sessions whose turn ended two or more workers in a row (10 stands for 10 or more).',
      crashing.length,
    ),
    one('parked_asks', 'Requests that wait for a user.', asks.open),
    one('oldest_parked_ask_seconds', 'Waiting time of the oldest.', asks.oldestMs / 1000),
    one('takeovers_total', 'Runs taken over from dead workers.', takeovers, 'counter'),
    one('fenced_writes_total', 'Writes rejected because another worker had the session.', fencedWrites, 'counter'),
    several(
      'tenant_spent_usd',
      'Spending of tenants.',
      tenants.map(({ tenant, spent }) => [`tenant="${tenant}"`, spent]),
    ),
    several(
      'tenant_budget_usd',
      'Budgets of tenants that have one.',
      tenants.flatMap(({ tenant, budget }) => (budget === null ? [] : [[`tenant="${tenant}"`, budget]])),
    ),
    several(
      'tenant_paused',
      '1 for a paused tenant.',
      tenants.map(({ tenant, paused }) => [`tenant="${tenant}"`, Number(paused)]),
    ),
  ].join('')
}

function escaped(label: string): string {
  return label.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
}
