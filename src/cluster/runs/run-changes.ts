/** A session's row, and the only way to its next run: under the lock of that row. */
import { KedgeError } from '../../errors.js'
import type { SDKInformationalMessage } from '../../protocol/messages.js'
import type { EntryBody, LogEntry, SessionStatus } from '../../protocol/session-log/entries.js'
import type { Row, TenantDatabase, Transaction } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'
import type { RunQueueEngine } from '../engine/run-engine.js'
import { changedListFields, listFieldsJson } from './session-list-fields.js'

export type SessionRow = Row & {
  tenant: string
  id: string
  app: string
  state: 'idle' | 'queued' | 'running' | 'waiting'
  run: number
  epoch: number
  owner: string | null
  attempts: number
  event_seq: number
  /** As lists show it. */
  status: SessionStatus
  /** Numbers of entries and epochs that are not above it are from before the database went back. */
  base: number
  /** When it went back, if that was since its last turn. */
  went_back: string | null
}

export type RunPorts = {
  database: TenantDatabase
  engine: RunQueueEngine
  /** Wakes everything that waits for changes to this session. */
  wake(tenant: string, session: string): void
  /** This worker should look what is wanted of the sessions it has. */
  wakeWorker(worker: string): void
}

/** Returns the queue of an app's runs. Each app has one: a worker takes the runs it supports. */
export function queueOfApp(app: string): string {
  return app === '' ? 'runs' : `runs-${app}`
}

/** A run that has begun so often without getting anywhere is not begun again. */
export const MAX_RUN_ATTEMPTS = 5

/**
 * Delay before the next attempt, by the number of workers that failed in a row: the first failure can be its machine's
 * fault. After the last one, the turn ends at once.
 */
const DELAYS_MS = [0, 5000, 15_000, 45_000]

export function runRetryDelay(attempts: number): number {
  return DELAYS_MS[attempts - 1] ?? 0
}

const COLUMNS = `tenant, id, app, state, run, epoch::float8, owner, attempts, event_seq::float8,
  coalesce(facts ->> 'status', 'idle') as status, ${LOWEST_VALID_EPOCH_SQL}::float8 as base, facts ->> 'wentBack' as went_back`

/**
 * Locks the session's row until the transaction ends. Throws if there is none. A transaction that only refers to the
 * row, like the stream over all sessions, doesn't wait: it has the tenant's row by then, which a prompt that ends is
 * about to take.
 */
export async function lockSession(tx: Transaction, tenant: string, session: string): Promise<SessionRow> {
  const [row] = await tx.query<SessionRow>(
    `select ${COLUMNS} from kedge.sessions where tenant = $1 and id = $2 for no key update`,
    [tenant, session],
  )
  if (!row) throw new KedgeError('session_not_found', `There is no session ${session}.`)
  if (row.event_seq > 0 && row.event_seq < row.base) await noteWentBack(tx, row)
  return row
}

/** What readers saw after its last entry, and what was done, may be lost. No number of those is given again. */
async function noteWentBack(tx: Transaction, row: SessionRow): Promise<void> {
  const after = row.event_seq
  row.went_back = new Date().toISOString()
  row.event_seq = row.base
  await tx.query('update kedge.sessions set facts = facts || $3::jsonb where tenant = $1 and id = $2', [
    ...[row.tenant, row.id, listFieldsJson({ wentBack: row.went_back })],
  ])
  const content = `The database was set back. Entries after ${after} of this session may be lost. Send missing prompts again; missing tool calls may have taken effect.`
  const data: SDKInformationalMessage = {
    type: 'system',
    subtype: 'informational',
    level: 'warning',
    content,
    code: 'database_went_back',
    details: { after: `${after}` },
    session_id: row.id,
    uuid: crypto.randomUUID(),
  }
  await addLogEntries(tx, row, [{ kind: 'message', data }])
}

/**
 * The session waits for a worker, under the next number: a run of an earlier number counts no more, and neither does anything
 * that is written with an earlier epoch.
 */
export async function queueNextRun(
  tx: Transaction,
  { engine }: RunPorts,
  row: SessionRow,
  { priority = 0, delayMs = 0 } = {},
): Promise<void> {
  const { tenant, id: session } = row
  const run = row.run + 1
  await tx.query(
    `update kedge.sessions set state = 'queued', run = $3, epoch = greatest(epoch, ${LOWEST_VALID_EPOCH_SQL}) + 1, owner = null, owned_until = null,
       updated = clock_timestamp() where tenant = $1 and id = $2`,
    [tenant, session, run],
  )
  await engine.enqueue(tx, { tenant, session, run }, { queue: queueOfApp(row.app), priority, delayMs })
}

/**
 * Queues a session's run again after a worker that ended with the session's turn. A further attempt waits, and the
 * log says for how long.
 */
export async function requeueRun(tx: Transaction, ports: RunPorts, row: SessionRow): Promise<void> {
  const delayMs = runRetryDelay(row.attempts)
  if (delayMs > 0) {
    const seconds = delayMs / 1000
    const content = `${row.attempts} workers in a row ended while they ran this turn. The next attempt starts in ${seconds} s; after ${MAX_RUN_ATTEMPTS} the turn ends.`
    const data: SDKInformationalMessage = {
      type: 'system',
      subtype: 'informational',
      level: 'warning',
      content,
      code: 'turn_delayed',
      details: { workers: `${row.attempts}`, seconds: `${seconds}` },
      session_id: row.id,
      uuid: crypto.randomUUID(),
    }
    await addLogEntries(tx, row, [{ kind: 'message', data }])
  }
  await queueNextRun(tx, ports, row, { delayMs })
}

/** Entries of the session's log, and what changes with them, together with the change they tell of. The row is locked. */
export async function addLogEntries(tx: Transaction, row: SessionRow, bodies: readonly EntryBody[]): Promise<void> {
  if (bodies.length === 0) return
  const at = new Date().toISOString()
  const written = bodies.map((body): LogEntry => {
    row.event_seq += 1
    return { session: row.id, seq: row.event_seq, at, ...body }
  })
  await tx.query(ADD_EVENTS, [
    ...[row.tenant, row.id, written.map(({ seq }) => seq), written.map(({ kind }) => kind)],
    ...[written.map((entry) => JSON.stringify(entry)), row.event_seq, listFieldsJson(changedListFields(bodies))],
  ])
}

const ADD_EVENTS = `with head as (
    update kedge.sessions set event_seq = $6, facts = facts || $7::jsonb, updated = clock_timestamp()
    where tenant = $1 and id = $2)
  insert into kedge.log_entries (tenant, session, seq, kind, body)
  select $1, $2, one.seq, one.kind, one.body from unnest($3::bigint[], $4::text[], $5::text[]) as one (seq, kind, body)`

/** Says what the session is doing, if that is news. */
export function createSessionStatusEntries(row: SessionRow, status: SessionStatus): EntryBody[] {
  if (row.status === status) return []
  row.status = status
  return [{ kind: 'state', data: { status } }]
}

/**
 * Voids a session's open asks, because no answer is needed. With `all: false`, keeps those that can wait for the next
 * machine.
 */
export async function voidAsks(
  tx: Transaction,
  { tenant, id }: SessionRow,
  reason: string,
  { all = true } = {},
): Promise<EntryBody[]> {
  const gone = await tx.query<{ id: string }>(
    `update kedge.asks set state = 'void', reason = $3, answered = now()
     where tenant = $1 and session = $2 and state = 'open' and ($4 or not can_park) returning id`,
    [tenant, id, reason, all],
  )
  return gone.map((ask): EntryBody => ({ kind: 'withdrawn', data: { ask: ask.id, reason } }))
}

export async function countOpenAsks(tx: Transaction, { tenant, id }: SessionRow): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from kedge.asks where tenant = $1 and session = $2 and state = 'open'`,
    [tenant, id],
  )
  return row?.count ?? 0
}

/** Sets the session to `idle` or `waiting`: no worker runs it. */
export async function setResting(
  tx: Transaction,
  { tenant, id }: SessionRow,
  state: 'idle' | 'waiting',
): Promise<void> {
  await tx.query(
    `update kedge.sessions set state = $3, owner = null, owned_until = null, attempts = 0, updated = clock_timestamp()
     where tenant = $1 and id = $2`,
    [tenant, id, state],
  )
}

/** Marks a session as parked by an operator. A worker that claims it removes the mark. */
export const MARK_SESSION_PARKED_SQL = `update kedge.sessions set facts = facts || '{"parked": true}' where tenant = $1 and id = $2`

/**
 * `now()` would be the time before this transaction waited for the session's row: a prompt that was added meanwhile would not be due
 * yet, and its session would rest.
 */
export const PROMPT_IS_DUE_SQL = 'not_before <= statement_timestamp()'

/** Prompts that are not done and due, the one that was begun first. */
export const DUE_PROMPTS_SQL = `select n::float8, client_id, body, taken_run, message from kedge.inbox
  where tenant = $1 and session = $2 and kind = 'prompt' and not done and ${PROMPT_IS_DUE_SQL}
  order by (taken_run is null), priority, coalesce(place, n), n`
