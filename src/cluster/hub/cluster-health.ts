/** Finds what is wrong with a cluster, each problem as a sentence with its fix. */

import { KedgeError } from '../../errors.js'
import { messageOf } from '../../protocol/thrown.js'
import type { TenantDatabase } from '../database/database.js'
import { MAX_RUN_ATTEMPTS } from '../runs/run-changes.js'
import { isBackgroundReason } from '../worker/run-asks.js'
import type { ClusterFigures, TenantSession, WorkerFigures } from './cluster-figures.js'

/** A worker without a heartbeat for `silent` is dead. A run that waits longer than `queued` is a problem. */
const LIMITS_MS = { silent: 10_000, queued: 60_000 }

export function isWorkerDead({ silentMs }: WorkerFigures): boolean {
  return silentMs >= LIMITS_MS.silent
}

export function isWorkerAtCapacity({ load, capacity }: WorkerFigures): boolean {
  return load >= capacity
}

/** Returns the apps that queued runs need and that no live worker has. */
export function missingApps({ workers, queued }: ClusterFigures): ClusterFigures['queued']['byApp'] {
  const offered = new Set(workers.filter(isTaking).flatMap(({ apps }) => apps.split(' ')))
  return queued.byApp.filter(({ app }) => !offered.has(app))
}

/** Returns a sentence per problem; an empty list if the cluster is fine. */
export function describeClusterHealthProblems(figures: ClusterFigures): string[] {
  const { workers, held, stuck, crashing, tenants } = figures
  return [
    ...(workers.some(isTaking) ? queueProblems(figures) : ['No worker takes runs. Start one with `kedge worker`.']),
    ...workers.filter(isWorkerDead).map(deadProblem),
    ...held.map(heldProblem),
    ...stuck.map(
      (one) => `Session ${shown(one)} waits, but no request is open. Continue it with \`${command('resume', one)}\`.`,
    ),
    ...crashing.map(crashProblem),
    ...tenants.flatMap(tenantProblems),
  ]
}

/** Returns why Kedge can't write to the database, such as a full disk, or `undefined`. */
export async function findWriteProblem(database: TenantDatabase): Promise<string | undefined> {
  try {
    await database.query(WRITE)
  } catch (error) {
    return messageOf(error)
  }
  try {
    await database.transaction(async (tx) => {
      await tx.query(ON_DISK)
      await tx.query(SPILL)
    })
    return undefined
  } catch (error) {
    // Other limits on temporary files don't matter here.
    return KedgeError.isInstance(error) && error.code === 'database_disk_full' ? error.message : undefined
  }
}

/** Writes a row without changing it. */
const WRITE = `insert into kedge.counters (name, value) values ('takeovers', 0)
  on conflict (name) do update set value = counters.value`
/** A row that is replaced needs no new room. A sort on disk does, and leaves nothing behind. */
const ON_DISK = `set local work_mem = '64kB'; set local temp_tablespaces = ''`
const SPILL = 'select count(*) from (select n from generate_series(1, 50000) as n order by random() offset 0) as sorted'

function isTaking(worker: WorkerFigures): boolean {
  return !isWorkerDead(worker) && !worker.draining
}

function queueProblems(figures: ClusterFigures): string[] {
  const { workers, queued } = figures
  const missing = missingApps(figures)
  const apps = missing.map(({ app, count }) =>
    app === ''
      ? `${runs(count)} for sessions without an app, but no worker runs these. Start \`kedge worker\` without --app.`
      : `${runs(count)} for the app "${app}", but no worker has it. Start \`kedge worker --app FILE\` with that app.`,
  )
  if (queued.oldestMs <= LIMITS_MS.queued || missing.length === queued.byApp.length) return apps
  const fix = workers.filter(isTaking).every(isWorkerAtCapacity)
    ? 'All workers are full. Start more workers, or raise --capacity'
    : 'Check the limit per tenant (--per-tenant)'
  return [...apps, `A run has been waiting for ${seconds(queued.oldestMs)}. ${fix}.`]
}

function deadProblem({ id, host, silentMs }: WorkerFigures): string {
  return `Worker ${id} on ${host} is dead: no heartbeat for ${seconds(silentMs)}. Restart it; its sessions continue on other workers.`
}

function heldProblem({ why, count, ...one }: ClusterFigures['held'][number]): string {
  const places = `${sessions(count, 'keeps its place', 'keep their places')} on a worker, because ${why}`
  const fix = isBackgroundReason(why)
    ? `Wait for the work, or end it with \`${command('move', one)}\`.`
    : `Answer the request, or end the turn with \`${command('cancel', one)}\`.`
  return `${places} (${count === 1 ? 'session' : 'such as session'} ${shown(one)}). ${fix}`
}

function crashProblem({ workers, call, ...one }: ClusterFigures['crashing'][number]): string {
  const during = call === undefined ? '' : `, each during this call: ${call}`
  return `Session ${shown(one)} ended ${workers} workers in a row${during}. Its turn ends after ${MAX_RUN_ATTEMPTS}; end it now with \`${command('cancel', one)}\`.`
}

/** The tenant is named unless it is the one that commands use by default. */
function command(name: string, { tenant, id }: TenantSession): string {
  return `kedge admin ${name} ${id}${tenant === 'default' ? '' : ` --tenant ${tenant}`}`
}

function shown({ tenant, id }: TenantSession): string {
  return tenant === 'default' ? id : `${id} of ${tenant}`
}

function tenantProblems({ tenant, budget, spent, paused }: ClusterFigures['tenants'][number]): string[] {
  const spentAll = `Tenant ${tenant} has spent its budget ($${spent.toFixed(2)} of $${budget?.toFixed(2)}). Raise it with \`kedge admin tenant --tenant ${tenant} --budget DOLLARS\`.`
  const isPaused = `Tenant ${tenant} is paused. Let it continue with \`kedge admin tenant --tenant ${tenant} --resume\`.`
  return [...(budget !== null && spent >= budget ? [spentAll] : []), ...(paused ? [isPaused] : [])]
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
const sessions = (count: number, one: string, several: string) =>
  count === 1 ? `1 session ${one}` : `${count} sessions ${several}`
const runs = (count: number) => (count === 1 ? '1 run waits' : `${count} runs wait`)
