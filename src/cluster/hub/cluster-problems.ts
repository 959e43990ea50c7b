/** Finds what is wrong with a cluster, each problem as a sentence with its fix. */
import type { TenantDatabase } from '../database/database.js'
import type { Figures, WorkerFigures } from './cluster-figures.js'

/** A worker without a heartbeat for `silent` is dead. A run that waits longer than `queued` is a problem. */
const LIMITS_MS = { silent: 10_000, queued: 60_000 }

export function isDead({ silentMs }: WorkerFigures): boolean {
  return silentMs >= LIMITS_MS.silent
}

export function isFull({ load, capacity }: WorkerFigures): boolean {
  return load >= capacity
}

/** Returns the apps that queued runs need and that no live worker has. */
export function missingApps({ workers, queued }: Figures): Figures['queued']['byApp'] {
  const offered = new Set(workers.filter(isTaking).flatMap(({ apps }) => apps.split(' ')))
  return queued.byApp.filter(({ app }) => !offered.has(app))
}

/** Returns a sentence per problem; an empty list if the cluster is fine. */
export function problemsOf(figures: Figures): string[] {
  const { workers, held, stuck, tenants } = figures
  return [
    ...(workers.some(isTaking) ? queueProblems(figures) : ['No worker takes runs. Start one with `kedge worker`.']),
    ...workers.filter(isDead).map(deadProblem),
    ...held.map(
      ({ why, count }) =>
        `${sessions(count, 'keeps', 'keep')} a place on a worker while waiting for a user (${why}). Answer the requests, or free the places with \`kedge admin cancel SESSION\`.`,
    ),
    ...stuck.map((id) => `Session ${id} waits, but no request is open. Continue it with \`kedge admin resume ${id}\`.`),
    ...tenants.flatMap(tenantProblems),
  ]
}

/** Returns why Kedge can't write to the database, such as a full disk, or `undefined`. */
export async function writeProblem(database: TenantDatabase): Promise<string | undefined> {
  try {
    await database.query(PROBE)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Writes a row without changing it. */
const PROBE = `insert into kedge.counters (name, value) values ('takeovers', 0)
  on conflict (name) do update set value = counters.value`

function isTaking(worker: WorkerFigures): boolean {
  return !isDead(worker) && !worker.draining
}

function queueProblems(figures: Figures): string[] {
  const { workers, queued } = figures
  const missing = missingApps(figures)
  const apps = missing.map(({ app, count }) =>
    app === ''
      ? `${runs(count)} for sessions without an app, but no worker runs these. Start \`kedge worker\` without --app.`
      : `${runs(count)} for the app "${app}", but no worker has it. Start \`kedge worker --app FILE\` with that app.`,
  )
  if (queued.oldestMs <= LIMITS_MS.queued || missing.length === queued.byApp.length) return apps
  const fix = workers.filter(isTaking).every(isFull)
    ? 'All workers are full. Start more workers, or raise --capacity'
    : 'Check the limit per tenant (--per-tenant)'
  return [...apps, `A run has been waiting for ${seconds(queued.oldestMs)}. ${fix}.`]
}

function deadProblem({ id, host, silentMs }: WorkerFigures): string {
  return `Worker ${id} on ${host} is dead: no heartbeat for ${seconds(silentMs)}. Restart it; its sessions continue on other workers.`
}

function tenantProblems({ tenant, budget, spent, paused }: Figures['tenants'][number]): string[] {
  const spentAll = `Tenant ${tenant} has spent its budget ($${spent.toFixed(2)} of $${budget?.toFixed(2)}). Raise it with \`kedge admin tenant --tenant ${tenant} --budget DOLLARS\`.`
  const isPaused = `Tenant ${tenant} is paused. Let it continue with \`kedge admin tenant --tenant ${tenant} --resume\`.`
  return [...(budget !== null && spent >= budget ? [spentAll] : []), ...(paused ? [isPaused] : [])]
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
const sessions = (count: number, one: string, several: string) =>
  count === 1 ? `1 session ${one}` : `${count} sessions ${several}`
const runs = (count: number) => (count === 1 ? '1 run waits' : `${count} runs wait`)
