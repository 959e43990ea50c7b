/** A run as its worker has it: every change says the epoch it was claimed with, and nothing is changed once that is old. */
import { KedgeError } from '../../errors.js'
import type { Transaction } from '../database/database.js'
import type { RunKey } from '../engine/run-engine.js'
import { openAsks } from './cluster-sessions.js'
import {
  lockSession,
  MOST_ATTEMPTS,
  OPEN_PROMPTS,
  queueNext,
  type RunPorts,
  rest,
  type SessionRow,
} from './run-changes.js'

export type StoredPrompt = { n: number; clientId: string; body: unknown }

export type NextStep =
  /** `begun`: earlier, and not finished: it is gone on with. */
  | { kind: 'prompt'; prompt: StoredPrompt; begun: boolean }
  /** It ends with its one result, which says why. */
  | { kind: 'end-prompt'; prompt: StoredPrompt; why: 'interrupted' | 'worker_crashed' }
  /** Nothing to do any more: the run is over. */
  | { kind: 'idle' }

/** Undefined: the run does not count any more, or somebody has it. */
export async function claimRun(
  ports: RunPorts,
  { session, run }: RunKey,
  worker: string,
): Promise<ClaimedRun | undefined> {
  const { database } = ports
  const { tenant } = database
  const claimed = await database.transaction(async (tx) => {
    const [row] = await tx.query<{ epoch: number; project_key: string }>(
      `update kedge.sessions set state = 'running', epoch = epoch + 1, owner = $4, owned_until = 'infinity',
         attempts = case when event_seq > attempted_seq then 1 else attempts + 1 end, attempted_seq = event_seq,
         updated = clock_timestamp()
       where tenant = $1 and id = $2 and run = $3 and state = 'queued' returning epoch::float8, project_key`,
      [tenant, session, run, worker],
    )
    if (!row) return undefined
    // Who had its transcript before writes nothing to it any more, however long his lease would have been.
    await tx.query(
      `update kedge.transcripts set epoch = epoch + 1, holder = $4, held_until = null
       where tenant = $1 and project_key = $2 and session = $3`,
      [tenant, row.project_key, session, worker],
    )
    return row
  })
  return claimed && new ClaimedRun(ports, session, claimed.epoch)
}

export class ClaimedRun {
  readonly session: string
  readonly epoch: number
  readonly #ports: RunPorts

  constructor(ports: RunPorts, session: string, epoch: number) {
    this.#ports = ports
    this.session = session
    this.epoch = epoch
  }

  /** What is to be done now. When it is nothing, the session rests with the same transaction: no prompt falls between. */
  async next(): Promise<NextStep> {
    return this.#change(async (tx, row) => {
      const names = [row.tenant, this.session]
      const [open] = await tx.query<{ n: number; client_id: string; body: string; taken_run: number | null }>(
        OPEN_PROMPTS,
        names,
      )
      if (!open) {
        await tx.query(FORGET_INTERRUPTS, names)
        await rest(tx, row, 'idle')
        return { kind: 'idle' }
      }
      // It counts until the prompt has its result: who dies before that has not heard it for the next one.
      const interrupts = await tx.query(
        `select 1 from kedge.inbox where tenant = $1 and session = $2 and kind = 'interrupt' and not done`,
        names,
      )
      await tx.query('update kedge.inbox set taken_run = $2 where n = $1', [open.n, row.run])
      const prompt = { n: open.n, clientId: open.client_id, body: JSON.parse(open.body) }
      if (interrupts.length > 0) return { kind: 'end-prompt', prompt, why: 'interrupted' }
      if (row.attempts > MOST_ATTEMPTS) return { kind: 'end-prompt', prompt, why: 'worker_crashed' }
      return { kind: 'prompt', prompt, begun: open.taken_run !== null }
    })
  }

  /** Its result is written. Asks of it that are still open are nobody's any more. */
  async finish({ n }: StoredPrompt): Promise<void> {
    await this.#change(async (tx, row) => {
      await tx.query('update kedge.inbox set done = true where n = $1', [n])
      await tx.query(FORGET_INTERRUPTS, [row.tenant, this.session])
      await tx.query('update kedge.sessions set attempts = 0 where tenant = $1 and id = $2', [row.tenant, this.session])
      await tx.query(
        `update kedge.asks set state = 'void', reason = 'the turn has ended', answered = now()
         where tenant = $1 and session = $2 and state = 'open'`,
        [row.tenant, this.session],
      )
    })
  }

  /** Asking twice is the same ask: then what was answered meanwhile is told. */
  async ask(id: string, request: unknown): Promise<{ answer: unknown } | { void: string } | undefined> {
    return this.#change(async (tx, row) => {
      await tx.query(
        `insert into kedge.asks (tenant, session, id, run, request) values ($1, $2, $3, $4, $5) on conflict do nothing`,
        [row.tenant, this.session, id, row.run, JSON.stringify(request)],
      )
      const [asked] = await tx.query<{ state: string; answer: string | null; reason: string | null }>(
        'select state, answer, reason from kedge.asks where tenant = $1 and id = $2 and session = $3',
        [row.tenant, id, this.session],
      )
      if (asked?.state === 'answered') return { answer: JSON.parse(asked.answer ?? 'null') }
      return asked?.state === 'void' ? { void: asked.reason ?? '' } : undefined
    })
  }

  /** The worker is free; the answer makes the next run. False: it was answered or interrupted meanwhile, and the run goes on. */
  async park(): Promise<boolean> {
    return this.#change(async (tx, row) => {
      if ((await openAsks(tx, row)) === 0) return false
      await rest(tx, row, 'waiting')
      return true
    })
  }

  /** Somebody else goes on with it: this worker is about to leave. */
  async handOn(): Promise<void> {
    await this.#change((tx, row) => queueNext(tx, this.#ports, { ...row }))
  }

  async #change<T>(work: (tx: Transaction, row: SessionRow) => Promise<T>): Promise<T> {
    const { database, wake } = this.#ports
    const result = await database.transaction(async (tx) => {
      const row = await lockSession(tx, database.tenant, this.session)
      if (row.epoch !== this.epoch || row.state !== 'running')
        throw new KedgeError('session_fenced', `Another worker has session ${this.session} now.`)
      return work(tx, row)
    })
    wake(this.session)
    return result
  }
}

const FORGET_INTERRUPTS = `update kedge.inbox set done = true
  where tenant = $1 and session = $2 and kind = 'interrupt' and not done`
