/** Operations on a session from any machine: send prompts, answer, interrupt. They don't need a worker. */
import { KedgeError } from '../../errors.js'
import type { Person } from '../../protocol/session-log/ask-types.js'
import type { EntryBody } from '../../protocol/session-log/entries.js'
import type { Prompt } from '../../protocol/session-log/prompt-types.js'
import { retryWhileUnavailable, type Transaction } from '../database/database.js'
import { writeAuditRow } from './audit.js'
import type { TurnControlRequest } from './claimed-run.js'
import {
  addLogEntries,
  countOpenAsks,
  createSessionStatusEntries,
  DUE_PROMPTS_SQL,
  lockSession,
  MARK_SESSION_PARKED_SQL,
  queueNextRun,
  type RunPorts,
  type SessionRow,
  setResting,
  voidAsks,
} from './run-changes.js'
import { firstWordsOfPrompt, listFieldsJson } from './session-list-fields.js'
import { storeAnswerRules } from './session-rules.js'
import { requireBudget } from './tenant-budget.js'

export type NewClusterSession = {
  id: string
  app?: string
  cwd?: string
  /** For its agent, as its app understands them. */
  options?: unknown
  workspace?: unknown
  /** The first entries of its log. */
  first?: EntryBody[]
}
export type NewRunPrompt = {
  /** The caller's: the same one is the same prompt. */
  clientId: string
  body: Prompt['content']
  /** The running turn reads it at the next safe point. */
  steer?: boolean
  by?: Person | undefined
  /** Lower is sooner. */
  priority?: number
  /** By the database's clock. */
  notBefore?: Date
}
/** `repeated`: it was accepted before, and nothing was changed. */
export type SubmitResult = { seq: number; repeated: boolean }
export type SubmittedAnswerOutcome = 'accepted' | { already: Person } | { void: string }

type Decided = { state: string; by: string | null; reason: string | null; answer: string | null }

export class ClusterSessions {
  readonly #ports: RunPorts

  constructor(ports: RunPorts) {
    this.#ports = ports
  }

  /** False: it is there already. */
  async create({ id, app = '', cwd = '', options = {}, workspace, first = [] }: NewClusterSession): Promise<boolean> {
    const { database } = this.#ports
    const place = workspace === undefined ? null : JSON.stringify(workspace)
    return database.transaction(async (tx) => {
      const rows = await tx.query(
        `insert into kedge.sessions (tenant, id, app, cwd, options, workspace, has_log) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict do nothing returning id`,
        [database.tenant, id, app, cwd, JSON.stringify(options), place, first.length > 0],
      )
      if (rows.length === 0) return false
      if (first.length > 0) await addLogEntries(tx, await lockSession(tx, database.tenant, id), first)
      return true
    })
  }

  async submit(session: string, prompt: NewRunPrompt): Promise<SubmitResult> {
    const { clientId, body, steer = false, by, priority = 0, notBefore } = prompt
    return this.change(session, async (tx, row) => {
      const [before] = await tx.query<{ seq: number }>(
        `select seq::float8 from kedge.inbox where tenant = $1 and session = $2 and client_id = $3`,
        [row.tenant, session, clientId],
      )
      if (before) return { seq: before.seq, repeated: true }
      await requireBudget(tx, row.tenant)
      const waiting: Prompt = { id: clientId, content: body, when: steer ? 'steer' : 'queue', ...(by ? { by } : {}) }
      await addLogEntries(tx, row, [{ kind: 'prompt', data: { change: 'queued', prompt: waiting } }])
      const seq = row.event_seq
      const summary = firstWordsOfPrompt(body)
      // The first one counts.
      if (summary !== undefined)
        await tx.query('update kedge.sessions set facts = $3::jsonb || facts where tenant = $1 and id = $2', [
          ...[row.tenant, session, listFieldsJson({ summary })],
        ])
      await tx.query(
        `insert into kedge.inbox (tenant, session, client_id, kind, body, priority, not_before, steer, message, seq)
         values ($1, $2, $3, 'prompt', $4, $5, coalesce($6, now()), $7, gen_random_uuid()::text, $8)`,
        [row.tenant, session, clientId, JSON.stringify(body), priority, notBefore ?? null, steer, seq],
      )
      if (row.state === 'idle') await this.begin(tx, row, priority)
      return { seq, repeated: false }
    })
  }

  /** Wakes resting sessions that have a due prompt. Part of the maintenance, once a second. */
  async wakeDue(): Promise<number> {
    const { database } = this.#ports
    const due = await database.query<{ tenant: string; id: string }>(`${SESSIONS_WITH_DUE_PROMPTS_SQL} limit 100`)
    for (const { tenant, id } of due) {
      await database.transaction(async (tx) => {
        const row = await lockSession(tx, tenant, id)
        if (row.state === 'idle') await this.begin(tx, row, 0)
      })
    }
    return due.length
  }

  /**
   * The first answer wins. A later caller receives the name of the first person. `check` throws if the answer doesn't
   * fit the ask.
   */
  async answer(
    ask: string,
    answer: unknown,
    by: Person,
    check: (request: unknown) => void = () => {},
  ): Promise<SubmittedAnswerOutcome> {
    const { database } = this.#ports
    const [asked] = await retryWhileUnavailable(() =>
      database.query<{ session: string; request: string }>(
        'select session, request from kedge.asks where tenant = $1 and id = $2',
        [database.tenant, ask],
      ),
    )
    if (!asked) throw new KedgeError('ask_not_found', `There is no open request ${ask}.`)
    return this.change(asked.session, async (tx, row, isAgain) => {
      const said = JSON.stringify(answer)
      const [decided] = await tx.query<Decided>(
        'select state, by, reason, answer from kedge.asks where tenant = $1 and id = $2',
        [row.tenant, ask],
      )
      // An earlier try, whose answer was lost with its connection; not what the same person has said elsewhere meanwhile.
      if (isAgain && decided?.by === JSON.stringify(by) && decided.answer === said) return 'accepted'
      if (decided?.state !== 'open')
        return decided?.by == null ? { void: decided?.reason ?? '' } : { already: JSON.parse(decided.by) }
      check(JSON.parse(asked.request))
      await tx.query(
        `update kedge.asks set state = 'answered', answer = $3, by = $4, answered = now() where tenant = $1 and id = $2`,
        [row.tenant, ask, said, JSON.stringify(by)],
      )
      await storeAnswerRules(tx, row, { request: JSON.parse(asked.request), answer, by })
      // `check` has looked at it.
      const told = { ask, answer, by } as Extract<EntryBody, { kind: 'answered' }>['data']
      await writeAuditRow(tx, row.tenant, { who: by.name, what: 'answer', session: row.id, details: { ask, answer } })
      const isLast = (await countOpenAsks(tx, row)) === 0
      await addLogEntries(tx, row, [
        { kind: 'answered', data: told },
        ...(isLast ? createSessionStatusEntries(row, 'running') : []),
      ])
      if (row.state === 'waiting' && isLast) await queueNextRun(tx, this.#ports, row)
      return 'accepted'
    })
  }

  /** Denies expired asks. Part of the maintenance. */
  async voidExpired(): Promise<number> {
    const { database } = this.#ports
    const due = await database.query<{ tenant: string; session: string; id: string }>(`${EXPIRED_ASKS_SQL} limit 100`)
    for (const { tenant, session, id } of due) {
      await database.transaction(async (tx) => {
        const row = await lockSession(tx, tenant, session)
        const gone = await tx.query(
          `update kedge.asks set state = 'void', reason = $3, answered = now()
           where tenant = $1 and id = $2 and state = 'open' returning id`,
          [tenant, id, TOO_LATE],
        )
        if (gone.length === 0) return
        await addLogEntries(tx, row, [{ kind: 'withdrawn', data: { ask: id, reason: TOO_LATE } }])
        if (row.state === 'waiting' && (await countOpenAsks(tx, row)) === 0) await queueNextRun(tx, this.#ports, row)
      })
      this.#ports.wake(tenant, session)
    }
    return due.length
  }

  /**
   * The turn that is under way, or the prompt that is next, ends without having been finished. False: nothing is under way, or
   * this was asked for before.
   */
  async interrupt(session: string, clientId: string): Promise<boolean> {
    const { engine } = this.#ports
    let orphan: number | undefined
    const isDone = await this.change(session, async (tx, row) => {
      const prompts = await tx.query(DUE_PROMPTS_SQL, [row.tenant, session])
      if (row.state === 'idle' || (prompts.length === 0 && row.state !== 'running')) return false
      const added = await tx.query(
        `insert into kedge.inbox (tenant, session, client_id, kind, body) values ($1, $2, $3, 'interrupt', 'null')
         on conflict do nothing returning n`,
        [row.tenant, session, clientId],
      )
      if (added.length === 0) return false
      await addLogEntries(tx, row, await voidAsks(tx, row, 'interrupted'))
      // The owner is notified, and handles it.
      if (row.state === 'running') return true
      if (row.state === 'queued') orphan = row.run
      await queueNextRun(tx, this.#ports, row)
      return true
    })
    if (orphan !== undefined) await engine.cancel({ tenant: this.#ports.database.tenant, session, run: orphan })
    return isDone
  }

  /** Sends a request to the worker that has the session. False if no worker has it. */
  async wish(session: string, clientId: string, wish: TurnControlRequest): Promise<boolean> {
    return this.change(session, async (tx, row) => {
      if (row.state !== 'running') return false
      await addWish(tx, row, clientId, wish)
      return true
    })
  }

  /** Nothing of it runs until `resumeTurn`. False: nothing is under way, so that there is nothing to park; its next prompt runs. */
  async park(session: string, clientId: string): Promise<boolean> {
    const { engine, database } = this.#ports
    let orphan: number | undefined
    const state = await this.change(session, async (tx, row) => {
      if (row.state === 'queued') {
        orphan = row.run
        await tx.query(MARK_SESSION_PARKED_SQL, [row.tenant, session])
        await setResting(tx, row, 'waiting')
      }
      return row.state
    })
    if (orphan !== undefined) await engine.cancel({ tenant: database.tenant, session, run: orphan })
    if (state === 'running') await this.wish(session, clientId, { leave: 'park' })
    return state !== 'idle'
  }

  /**
   * Resumes a session that is parked, is about to be parked, or has waiting prompts. Open requests keep waiting for their answers.
   * A worker that has read the park but not parked yet reads the resume too, at the latest just before it parks.
   */
  async resumeTurn(session: string, clientId: string): Promise<void> {
    await this.change(session, async (tx, row) => {
      await tx.query(UNPARK, [row.tenant, session])
      if (row.state === 'running') await addWish(tx, row, clientId, { resume: true })
      if (row.state === 'idle') await this.begin(tx, row, 0)
      if (row.state === 'waiting' && (await countOpenAsks(tx, row)) === 0) await queueNextRun(tx, this.#ports, row)
    })
  }

  /** A session that rests gets a run if a prompt is due. */
  async begin(tx: Transaction, row: SessionRow, priority: number): Promise<void> {
    const due = await tx.query(DUE_PROMPTS_SQL, [row.tenant, row.id])
    if (due.length === 0) {
      await setResting(tx, row, 'idle')
      return
    }
    await addLogEntries(tx, row, createSessionStatusEntries(row, 'running'))
    await queueNextRun(tx, this.#ports, row, { priority })
  }

  /**
   * Makes a change under the lock of the session's row, and wakes waiters. Repeated while the database is away: an
   * earlier try might have taken effect.
   */
  async change<T>(
    session: string,
    work: (tx: Transaction, row: SessionRow, isAgain: boolean) => Promise<T>,
  ): Promise<T> {
    const { database, wake, wakeWorker } = this.#ports
    let owner: string | null = null
    let tries = 0
    const result = await retryWhileUnavailable(() =>
      database.transaction(async (tx) => {
        tries += 1
        const row = await lockSession(tx, database.tenant, session)
        owner = row.owner
        return work(tx, row, tries > 1)
      }),
    )
    wake(database.tenant, session)
    if (owner !== null) wakeWorker(owner)
    return result
  }
}

async function addWish(
  tx: Transaction,
  { tenant, id }: SessionRow,
  clientId: string,
  wish: TurnControlRequest,
): Promise<void> {
  await tx.query(
    `insert into kedge.inbox (tenant, session, client_id, kind, body) values ($1, $2, $3, 'wish', $4)
     on conflict do nothing`,
    [tenant, id, clientId, JSON.stringify(wish)],
  )
}

/** A park or resume that the worker hasn't read yet, for a turn that runs or waits for an answer. */
const UNPARK = `update kedge.inbox set done = true
  where tenant = $1 and session = $2 and kind = 'wish' and not done and body::jsonb ->> 'leave' = 'park'`

const TOO_LATE = 'No one answered in time.'

/** Sessions that rest although a prompt of theirs is due. */
export const SESSIONS_WITH_DUE_PROMPTS_SQL = `select distinct one.tenant, one.id from kedge.inbox as prompt
  join kedge.sessions as one on prompt.tenant = one.tenant and prompt.session = one.id
  where one.state = 'idle' and prompt.kind = 'prompt' and not prompt.done and prompt.not_before <= now()`
/** Asks whose time is over. */
export const EXPIRED_ASKS_SQL = `select tenant, session, id from kedge.asks where state = 'open' and expires < now()`
