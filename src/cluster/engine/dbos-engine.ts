/**
 * Runs on DBOS, of which only the queue, its limits, and its cancellation are used. There are no steps: a session's
 * transcript records what a run has done. The tables are in a separate schema of the same database, so a run is queued
 * in the transaction that made it necessary.
 */

import type * as Dbos from '@dbos-inc/dbos-sdk'
import type { DBOSClient } from '@dbos-inc/dbos-sdk'
import type { ClientBase } from 'pg'
import { createPackageMissingError, databaseError } from '../cluster-error.js'
import {
  type Database,
  isDatabaseUnavailable,
  MAX_IDLE_TRANSACTION_MS,
  retryWhileUnavailable,
} from '../database/database.js'
import { NOTIFY_STATEMENT, type WakeUps } from '../database/wake-ups.js'
import { makeQueuePollingWakeable } from './dbos-polling.js'
import { createWorkerNameTakenError } from './memory-engine.js'
import { parseRunId, type RunHandler, type RunKey, type RunQueueEngine, runId } from './run-engine.js'

const SCHEMA = 'kedge_engine'
const APPLICATION = 'kedge'
/** Version of how runs are handed out, not of the program, so another release can continue them. */
const PROTOCOL = 'runs-1'
const WORKFLOW = 'run'
/**
 * `told`: queuing a run sends a notification, so this only finds runs whose notification was lost, or that couldn't be
 * taken then.
 */
const POLL_MS = { told: 1000, untold: 100 }
/** After a call, for what several workers reached for at the same moment. */
const AGAIN_MS = 150
const POOL = 5
/** How long a closing worker waits for a database that is away. Other workers find the runs it left. */
const LAST_LOOK_MS = 2000
const CANCELED = 'engine/cancelled'
const QUEUED = 'engine/queued'
const OPEN = ['ENQUEUED', 'DELAYED', 'PENDING'] as const
const PAGE = 1000

export type DbosEngineOptions = {
  database: Database
  wakeUps: WakeUps
  /** Wakes waiters for this name, once the change is committed. */
  call(name: string): void
}

/** Its connections, cut as ours are when they fall silent: by their first words, as its own way of saying so warns of itself. */
function connections({ url }: Database) {
  const silent = `idle_in_transaction_session_timeout=${MAX_IDLE_TRANSACTION_MS}`
  return {
    systemDatabaseUrl: `${url}${url.includes('?') ? '&' : '?'}${silent}`,
    systemDatabaseSchemaName: SCHEMA,
    systemDatabasePoolSize: POOL,
    systemDatabaseIdleTransactionTimeoutMs: 0,
  }
}

/** Makes the engine's tables, or brings them up to date. */
export async function migrateEngine(database: Database): Promise<void> {
  const { DBOS } = await loadDbos()
  await withoutItsNews(() => DBOS.migrate(database.url, { schemaName: SCHEMA })).catch(asErrorOf(database))
}

/** Rejects with an error that names the database and what to do. */
function asErrorOf({ name }: Database): (error: unknown) => never {
  return (error) => {
    throw databaseError(error, name)
  }
}

/** What it tells the console while it migrates, and takes no logger for, would be in the middle of what our programs print. */
async function withoutItsNews(work: () => Promise<void>): Promise<void> {
  const { log, warn } = console
  const others = (tell: typeof log) =>
    function said(...texts: unknown[]) {
      if (!String(texts[0]).includes('DBOS')) tell(...texts)
    }
  Object.assign(console, { log: others(log), warn: others(warn) })
  try {
    await work()
  } finally {
    Object.assign(console, { log, warn })
  }
}

/** One of a process may `work`: the library keeps what it runs in one place. Any number may do the rest. */
export async function createDbosEngine({ database, wakeUps, call }: DbosEngineOptions): Promise<RunQueueEngine> {
  const { DBOS, DBOSClient: Client } = await loadDbos()
  const client: DBOSClient = await Client.create({
    ...connections(database),
    applicationName: APPLICATION,
    logger: SILENT,
  })
  const running = new Map<string, AbortController>()
  const ending = new AbortController()
  let isWorking = false
  /** Whose start was cut off, and may be tried again. */
  let begun: string | undefined
  let lookNow: (() => void) | undefined

  const list = (input: Dbos.GetWorkflowsInput) =>
    client.listWorkflows({ loadInput: false, loadOutput: false, ...input })

  const perform = (handler: RunHandler) => async (id: string) => {
    const key = parseRunId(id)
    if (!key) return
    const stop = new AbortController()
    running.set(id, stop)
    try {
      await handler(key, stop.signal)
    } catch {
      // What went wrong is in the session's log; here a run has ended.
    } finally {
      running.delete(id)
      // Its place is free when the library has noted its end.
      setTimeout(() => lookNow?.(), AGAIN_MS / 3).unref()
    }
  }
  return {
    async work(handler, { worker, capacity, queues }) {
      const isAdded = await addWorker(database, worker, begun === worker).catch((error: unknown) => {
        // It might be registered; if so, by this process: an older name would not have been created again.
        if (isDatabaseUnavailable(error)) begun = worker
        throw error
      })
      if (!isAdded) throw createWorkerNameTakenError(worker)
      begun = worker
      DBOS.registerWorkflow(perform(handler), { name: WORKFLOW })
      DBOS.setConfig({
        name: APPLICATION,
        applicationVersion: PROTOCOL,
        executorID: worker,
        logger: SILENT,
        ...connections(database),
        // Nothing of ours waits for what the library would report.
        listenQueues: queues.map(({ name }) => name),
        runMigrations: false,
        useListenNotify: false,
      })
      lookNow = await makeQueuePollingWakeable()
      await DBOS.launch().catch(async (error: unknown) => {
        // What it had begun is ended, so that it can be begun again.
        await DBOS.shutdown({ workflowCompletionTimeoutMS: 0, deregister: true }).catch(() => undefined)
        // Other processes must not wait for a worker that never existed.
        await removeWorker(database, worker).catch(() => undefined)
        throw databaseError(error, database.name)
      })
      isWorking = true
      const pollMs = lookNow ? POLL_MS.told : POLL_MS.untold
      for (const { name, perTenant } of queues) {
        const limits = { partitionConcurrency: perTenant, workerConcurrency: capacity, minPollingIntervalMs: pollMs }
        const made = retryWhileUnavailable(() => DBOS.registerQueue(name, { ...limits, onConflict: 'always_update' }))
        await made.catch(asErrorOf(database))
      }
      void watchCanceled({ wakeUps, signal: ending.signal, running, list })
      void watchQueued(wakeUps, ending.signal, () => lookNow?.())
    },
    async enqueue(tx, key, { queue, priority = 0, delayMs = 0 }) {
      const id = runId(key)
      const options = {
        queueName: queue,
        workflowName: WORKFLOW,
        workflowID: id,
        appVersion: PROTOCOL,
        queuePartitionKey: key.tenant,
        priority,
        delaySeconds: delayMs / 1000,
      }
      // Our transactions run on a client of `pg`.
      await client.enqueueInTransaction(tx.client as ClientBase, options, id)
      tx.onCommit(() => call(QUEUED))
    },
    async cancel(key) {
      const id = runId(key)
      running.get(id)?.abort()
      await client.cancelWorkflow(id).catch((error: unknown) => {
        // One that is not there, or not any more, needs no canceling.
        if (!String(error).includes('does not exist')) throw error
      })
      await database.asOperator().query(NOTIFY_STATEMENT, [CANCELED])
    },
    runsOf: (workers) => runsOf(client, workers),
    async knows(keys) {
      const known = new Set<string>()
      for (let from = 0; from < keys.length; from += PAGE) {
        const ids = keys.slice(from, from + PAGE).map((key: RunKey) => runId(key))
        for (const { workflowID } of await list({ workflowIDs: ids, status: [...OPEN] })) known.add(workflowID)
      }
      return known
    },
    forget: (before) => forgetRuns(client, before),
    async stop(graceMs) {
      if (ending.signal.aborted) return true
      ending.abort()
      lookNow = undefined
      if (isWorking) await DBOS.shutdown({ workflowCompletionTimeoutMS: graceMs, deregister: true })
      isWorking = false
      // Runs that the queue handed out at this moment were never begun, and wait to be found.
      const look = () => runsOf(client, begun === undefined ? [] : [begun])
      const left = await retryWhileUnavailable(look, LAST_LOOK_MS).catch(() => undefined)
      await client.destroy()
      return left?.length === 0
    },
  }
}

type CancelWatch = {
  wakeUps: WakeUps
  signal: AbortSignal
  running: ReadonlyMap<string, AbortController>
  list(input: Dbos.GetWorkflowsInput): Promise<{ workflowID: string }[]>
}

/** Aborts runs of this worker that another program canceled, until the signal aborts. */
async function watchCanceled({ wakeUps, signal, running, list }: CancelWatch): Promise<void> {
  while (!signal.aborted) {
    const woken = wakeUps.next(CANCELED, signal)
    if (running.size > 0) {
      const gone = await list({ workflowIDs: [...running.keys()], status: 'CANCELLED' }).catch(() => [])
      for (const { workflowID } of gone) running.get(workflowID)?.abort()
    }
    await woken.said
  }
}

/** False: there is one of this name, and it is not ours. */
async function addWorker(database: Database, worker: string, isOurs: boolean): Promise<boolean> {
  const text = `insert into kedge.workers (id) values ($1)
    on conflict (id) do update set beat = clock_timestamp() where $2 returning id`
  return (await database.asOperator().query(text, [worker, isOurs])).length > 0
}

/** Not one that was handed something: by its name that is found. */
async function removeWorker(database: Database, worker: string): Promise<void> {
  const text = `delete from kedge.workers where id = $1 and not exists (
    select 1 from ${SCHEMA}.workflow_status where executor_id = $1 and status = 'PENDING')`
  await database.asOperator().query(text, [worker])
}

async function runsOf(client: DBOSClient, workers: readonly string[]): Promise<RunKey[]> {
  if (workers.length === 0) return []
  const wanted = { executorId: [...workers], status: 'PENDING' as const, loadInput: false, loadOutput: false }
  const found = await client.listWorkflows(wanted)
  return found.flatMap(({ workflowID }) => parseRunId(workflowID) ?? [])
}

async function forgetRuns(client: DBOSClient, before: Date): Promise<number> {
  const ended = {
    completedBefore: before.toISOString(),
    limit: PAGE,
    loadInput: false,
    loadOutput: false,
    status: [
      'SUCCESS',
      'ERROR',
      'CANCELLED',
      'MAX_RECOVERY_ATTEMPTS_EXCEEDED',
    ] satisfies Dbos.GetWorkflowsInput['status'],
  }
  for (let count = 0; ; ) {
    const old = await client.listWorkflows(ended)
    if (old.length === 0) return count
    await client.deleteWorkflows(old.map(({ workflowID }) => workflowID))
    count += old.length
  }
}

async function watchQueued(wakeUps: WakeUps, over: AbortSignal, look: () => void): Promise<void> {
  while (!over.aborted) {
    if (!(await wakeUps.next(QUEUED, over).said)) continue
    look()
    setTimeout(look, AGAIN_MS).unref()
  }
}

async function loadDbos(): Promise<Pick<typeof Dbos, 'DBOS' | 'DBOSClient'>> {
  try {
    return await import('@dbos-inc/dbos-sdk')
  } catch (error) {
    throw createPackageMissingError('@dbos-inc/dbos-sdk', 'A worker', error)
  }
}

const say = () => undefined
const SILENT = { info: say, debug: say, warn: say, error: say }
