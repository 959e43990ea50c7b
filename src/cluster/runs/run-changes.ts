/** The row of a session and the one way to its next run: whoever makes one does it under the lock of that row. */
import { KedgeError } from '../../errors.js'
import type { Row, TenantDatabase, Transaction } from '../database/database.js'
import type { RunEngine } from '../engine/run-engine.js'

export type SessionRow = Row & {
  tenant: string
  id: string
  state: 'idle' | 'queued' | 'running' | 'waiting'
  run: number
  epoch: number
  owner: string | null
  attempts: number
}

export type RunPorts = {
  database: TenantDatabase
  engine: RunEngine
  /** Which queue runs wait in. */
  queue: string
  /** Somebody who waits for news of this session, or of this worker, should look. */
  wake(name: string): void
}

/** A run that has begun so often without getting anywhere is not begun again. */
export const MOST_ATTEMPTS = 5

const COLUMNS = 'tenant, id, state, run, epoch::float8, owner, attempts'

/** Nobody else changes the session until the transaction ends. Throws when there is none. */
export async function lockSession(tx: Transaction, tenant: string, session: string): Promise<SessionRow> {
  const [row] = await tx.query<SessionRow>(
    `select ${COLUMNS} from kedge.sessions where tenant = $1 and id = $2 for update`,
    [tenant, session],
  )
  if (row) return row
  throw new KedgeError('session_not_found', `There is no session ${session}.`)
}

/**
 * The session waits for a worker, under the next number: a run of an earlier number counts no more, and neither does anything
 * that is written with an earlier epoch.
 */
export async function queueNext(
  tx: Transaction,
  { engine, queue }: RunPorts,
  row: SessionRow,
  priority = 0,
): Promise<void> {
  const { tenant, id: session } = row
  const run = row.run + 1
  await tx.query(
    `update kedge.sessions set state = 'queued', run = $3, epoch = epoch + 1, owner = null, owned_until = null,
       updated = clock_timestamp() where tenant = $1 and id = $2`,
    [tenant, session, run],
  )
  await engine.enqueue(tx, { tenant, session, run }, { queue, priority })
}

/** Nobody works on it. */
export async function rest(tx: Transaction, { tenant, id }: SessionRow, state: 'idle' | 'waiting'): Promise<void> {
  await tx.query(
    `update kedge.sessions set state = $3, owner = null, owned_until = null, attempts = 0, updated = clock_timestamp()
     where tenant = $1 and id = $2`,
    [tenant, id, state],
  )
}

/** Prompts that are not done and due, the one that was begun first. */
export const OPEN_PROMPTS = `select n::float8, client_id, body, taken_run from kedge.inbox
  where tenant = $1 and session = $2 and kind = 'prompt' and not done and not_before <= now()
  order by (taken_run is null), priority, n`
