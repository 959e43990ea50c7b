/** A run as its worker has it: every change says the epoch it was claimed with, and nothing is changed once that is old. */
import { KedgeError } from '../../errors.js'
import type { AskOutcome } from '../../hub/driver/session-journal.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { EntryBody } from '../../protocol/session-log/entries.js'
import type { Prompt } from '../../protocol/session-log/prompt-types.js'
import { retryWhileUnavailable, type Transaction } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'
import type { RunKey } from '../engine/run-engine.js'
import { callWithMostCrashes, countCrashes } from './crashed-calls.js'
import {
  addLogEntries,
  countOpenAsks,
  createSessionStatusEntries,
  DUE_PROMPTS_SQL,
  lockSession,
  MARK_SESSION_PARKED_SQL,
  MAX_RUN_ATTEMPTS,
  PROMPT_IS_DUE_SQL,
  queueNextRun,
  type RunPorts,
  requeueRun,
  type SessionRow,
  setResting,
  voidAsks,
} from './run-changes.js'
import { listFieldsJson, type SessionListFields } from './session-list-fields.js'
import { recordSpending } from './tenant-budget.js'

/** `message`: its id in the transcript, the same for every writer. */
export type StoredPrompt = { n: number; clientId: string; message: string; body: Prompt['content'] }

export type NextPrompt =
  /** `begun`: an earlier worker began the prompt, so it is resumed. */
  | { kind: 'prompt'; prompt: StoredPrompt; begun: boolean }
  /** It ends with its one result, which says why. */
  | { kind: 'end-prompt'; prompt: StoredPrompt; why: 'interrupted' }
  /** `call` is the tool call that was running when each of those workers ended; `undefined` if there is no such common call. */
  | { kind: 'end-prompt'; prompt: StoredPrompt; why: 'worker_crashed'; call: string | undefined }
  /** Nothing to do any more: the run is over. */
  | { kind: 'idle' }

/** What a session is, as its row has it. */
export type ClaimedSession = {
  app: string
  cwd: string
  options: Record<string, unknown>
  workspace: unknown
  /** The message after which the conversation continues. */
  resumeAt: string | undefined
  facts: SessionListFields
}

/** A request to a running turn, other than a prompt or an answer. */
export type TurnControlRequest =
  | { stopTask: string }
  | { mode: PermissionMode }
  | { model: string }
  /** The turn continues elsewhere, or when an operator resumes it. */
  | { leave: 'move' | 'park' }
  /** An operator resumed the session before the park took effect. */
  | { resume: true }

/** What others want of a turn that runs. */
export type RunningTurnInbox = { interrupted: boolean; steered: StoredPrompt[]; wishes: TurnControlRequest[] }

/** `timeoutMs`: by the database's clock. */
export type NewAsk = { id: string; request: unknown; canPark: boolean; timeoutMs?: number | undefined }
export type AskAnswerOrVoid = Exclude<AskOutcome, 'park'> | undefined

type ClaimedRow = {
  attempts: number
  epoch: number
  app: string
  cwd: string
  options: string
  workspace: string | null
  resume_at: string | null
  facts: SessionListFields
}

/** Transcripts of sessions that run anywhere have one place: a folder has another name on every machine. */
export const CLUSTER_PROJECT_KEY = 'sessions'

/**
 * Returns undefined if the run is no longer valid, or another worker has it. Can be called again if the answer was lost
 * with its connection.
 */
export async function claimRun(
  ports: RunPorts,
  { session, run }: RunKey,
  worker: string,
): Promise<ClaimedRun | undefined> {
  const { database } = ports
  const { tenant } = database
  const claimed = await database.transaction(async (tx) => {
    const [row] = await tx.query<ClaimedRow>(
      `update kedge.sessions set state = 'running', epoch = greatest(epoch, ${LOWEST_VALID_EPOCH_SQL}) + 1, owner = $4, owned_until = 'infinity',
         attempts = case when state = 'running' or ${WRITTEN} <= attempted_seq then attempts + (state <> 'running')::int
           when attempts = 0 then 1 else ${TO_BE_COUNTED} end,
         attempted_seq = ${WRITTEN},
         updated = clock_timestamp(), facts = facts - 'held' - 'parked'
       where tenant = $1 and id = $2 and run = $3 and (state = 'queued' or (state = 'running' and owner = $4))
       returning attempts, epoch::float8, app, cwd, options, workspace, resume_at, facts`,
      [tenant, session, run, worker],
    )
    if (!row) return undefined
    if (row.attempts === TO_BE_COUNTED) {
      row.facts.crashes = await countCrashes(tx, [tenant, CLUSTER_PROJECT_KEY, session], row.facts.crashes)
      await tx.query(COUNTED, [
        tenant,
        session,
        callWithMostCrashes(row.facts.crashes).times + 1,
        JSON.stringify(row.facts.crashes),
      ])
    }
    // The previous holder of the transcript can't write to it anymore, however long its lease would have lasted.
    await tx.query(
      `update kedge.transcripts set epoch = epoch + 1, holder = $4, held_until = null
       where tenant = $1 and project_key = $2 and session = $3`,
      [tenant, CLUSTER_PROJECT_KEY, session, worker],
    )
    return row
  })
  if (!claimed) return undefined
  const made = new ClaimedRun(ports, { tenant, session, run }, claimed)
  await made.forgetLost()
  return made
}

export class ClaimedRun {
  readonly key: RunKey
  readonly epoch: number
  readonly about: ClaimedSession
  readonly #ports: RunPorts

  constructor(ports: RunPorts, key: RunKey, { epoch, app, cwd, options, workspace, resume_at, facts }: ClaimedRow) {
    this.#ports = ports
    this.key = key
    this.epoch = epoch
    this.about = {
      app,
      cwd,
      facts,
      options: JSON.parse(options),
      resumeAt: resume_at ?? undefined,
      workspace: workspace === null ? undefined : JSON.parse(workspace),
    }
  }

  get session(): string {
    return this.key.session
  }

  /** What was asked in the middle of something went with the machine that asked. */
  async forgetLost(): Promise<void> {
    await this.#change(async (tx, row) => {
      if (row.went_back !== null) this.about.facts.wentBack = row.went_back
      await addLogEntries(tx, row, await voidAsks(tx, row, 'The machine that asked is gone.', { all: false }))
    })
  }

  /** What is to be done now. When it is nothing, the session rests with the same transaction: no prompt falls between. */
  async next(): Promise<NextPrompt> {
    return this.#change(
      async (tx, row) => {
        const names = [row.tenant, this.session]
        const [open] = await tx.query<PromptRow>(DUE_PROMPTS_SQL, names)
        if (!open) {
          await tx.query(FORGET_WISHES, names)
          await addLogEntries(tx, row, createSessionStatusEntries(row, 'idle'))
          await setResting(tx, row, 'idle')
          return { kind: 'idle' }
        }
        // The interrupt applies until the prompt has its result: a worker that dies earlier hasn't handled it.
        const interrupts = await tx.query(INTERRUPTS, names)
        const prompt = toPrompt(open)
        await this.#take(tx, row, open, prompt)
        if (interrupts.length > 0) return { kind: 'end-prompt', prompt, why: 'interrupted' }
        const { call } = callWithMostCrashes(this.about.facts.crashes)
        if (row.attempts > MAX_RUN_ATTEMPTS) return { kind: 'end-prompt', prompt, why: 'worker_crashed', call }
        return { kind: 'prompt', prompt, begun: open.taken_run !== null }
      },
      ({ state }) => (state === 'idle' ? { kind: 'idle' } : undefined),
    )
  }

  /** Whether a prompt waits. */
  async hasPrompt(): Promise<boolean> {
    const { database } = this.#ports
    return (await database.query(DUE_PROMPTS_SQL, [database.tenant, this.session])).length > 0
  }

  /** Why it stays with its worker although it waits; undefined: it does not. */
  async noteHeld(why: string | undefined): Promise<void> {
    await this.#change(async (tx, row) => {
      await tx.query(`update kedge.sessions set facts = facts - 'held' || $3::jsonb where tenant = $1 and id = $2`, [
        ...[row.tenant, row.id, listFieldsJson(why === undefined ? {} : { held: why })],
      ])
    })
  }

  /** What came since: prompts for the running turn are taken with it. */
  async news(): Promise<RunningTurnInbox> {
    return this.#change(async (tx, row) => {
      const names = [row.tenant, this.session]
      const interrupts = await tx.query(INTERRUPTS, names)
      const wishes = await tx.query<{ body: string }>(WISHES, names)
      const steered = await tx.query<PromptRow>(STEERED, names)
      for (const open of steered) await this.#take(tx, row, open, toPrompt(open), { joined: true })
      return {
        interrupted: interrupts.length > 0,
        steered: steered.map(toPrompt),
        wishes: wishes.map(({ body }): TurnControlRequest => JSON.parse(body)),
      }
    })
  }

  /**
   * Ends a prompt, together with the entries that report it; if this fails, the prompt is resumed. Its open asks are
   * void. `joined`: further prompts that the same turn has answered.
   */
  async finish(
    prompts: readonly StoredPrompt[],
    { result, entries = [], spentUsd = 0 }: { result?: string; entries?: EntryBody[]; spentUsd?: number } = {},
  ): Promise<void> {
    await this.#change(async (tx, row) => {
      const ids = prompts.map(({ n }) => n)
      const ended = await tx.query('update kedge.inbox set done = true where n = any($1) and not done returning n', [
        ids,
      ])
      // It was finished before, but the confirmation was lost with its connection.
      if (ended.length === 0) return
      await tx.query(FORGET_WISHES, [row.tenant, this.session])
      await tx.query(TOLD, [row.tenant, this.session])
      const withdrawn = await voidAsks(tx, row, 'The turn has ended.')
      const done = prompts.map(
        ({ clientId: id }): EntryBody => ({ kind: 'prompt', data: { change: 'done', id, result: result ?? '' } }),
      )
      await addLogEntries(tx, row, [...withdrawn, ...entries, ...done])
      await recordSpending(tx, row.tenant, spentUsd)
    })
  }

  /** Counts what turns without a prompt cost. */
  async spend(usd: number): Promise<void> {
    await this.#change((tx, row) => recordSpending(tx, row.tenant, usd))
  }

  /** Asking again finds the same ask, and returns an answer that came meanwhile. */
  async ask({ id, request, canPark, timeoutMs }: NewAsk, entries: EntryBody[] = []): Promise<AskAnswerOrVoid> {
    return this.#change(async (tx, row) => {
      const added = await tx.query(
        `insert into kedge.asks (tenant, session, id, run, request, can_park, expires)
         values ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '1 millisecond')
         on conflict do nothing returning id`,
        [row.tenant, this.session, id, row.run, JSON.stringify(request), canPark, timeoutMs ?? null],
      )
      if (added.length > 0) {
        await addLogEntries(tx, row, [...entries, ...createSessionStatusEntries(row, 'needs-you')])
        return undefined
      }
      return askState(tx, row, id)
    })
  }

  /** What became of an ask. */
  async askState(id: string): Promise<AskAnswerOrVoid> {
    return this.#change((tx, row) => askState(tx, row, id))
  }

  /** Withdraws an ask whose answer is no longer needed. */
  async withdraw(ask: string, reason: string): Promise<void> {
    await this.#change(async (tx, row) => {
      const gone = await tx.query(
        `update kedge.asks set state = 'void', reason = $3, answered = now()
         where tenant = $1 and id = $2 and state = 'open' returning id`,
        [row.tenant, ask, reason],
      )
      if (gone.length > 0) await addLogEntries(tx, row, [{ kind: 'withdrawn', data: { ask, reason } }])
    })
  }

  /**
   * Frees the worker; the answer starts the next run. False if the ask was answered or interrupted meanwhile: then the
   * run continues.
   */
  async park(): Promise<boolean> {
    return this.#change(
      async (tx, row) => {
        if ((await countOpenAsks(tx, row)) === 0) return false
        await addLogEntries(tx, row, createSessionStatusEntries(row, 'needs-you'))
        await setResting(tx, row, 'waiting')
        return true
      },
      ({ state }) => (state === 'waiting' ? true : undefined),
    )
  }

  /**
   * Requeues the run for another worker, because this one is about to leave. `parked`: until an operator resumes it.
   * `blameless`: the turn isn't the reason, so this attempt doesn't count against it.
   */
  async requeue({ parked = false, blameless = false } = {}): Promise<void> {
    await this.#change(async (tx, row) => {
      const stays = parked && (await tx.query(RESUMED, [row.tenant, this.session])).length === 0
      if (stays) await tx.query(MARK_SESSION_PARKED_SQL, [row.tenant, this.session])
      if (stays) return setResting(tx, row, 'waiting')
      if (!blameless) return requeueRun(tx, this.#ports, row)
      await tx.query(UNCOUNTED, [row.tenant, this.session])
      await queueNextRun(tx, this.#ports, row)
    })
  }

  async #take(
    tx: Transaction,
    row: SessionRow,
    { n, taken_run }: PromptRow,
    { clientId: id, message }: StoredPrompt,
    joined: { joined?: true } = {},
  ): Promise<void> {
    await tx.query('update kedge.inbox set taken_run = $2 where n = $1', [n, row.run])
    if (taken_run !== null) return
    const started: EntryBody = { kind: 'prompt', data: { change: 'started', id, message, ...joined } }
    await addLogEntries(tx, row, [started, ...createSessionStatusEntries(row, 'running')])
  }

  /**
   * Repeated while the database is away: each of these may be said twice. `settled`: what it means when an earlier try, whose answer
   * was lost with its connection, has ended the run.
   */
  async #change<T>(
    work: (tx: Transaction, row: SessionRow) => Promise<T>,
    settled: (row: SessionRow) => T | undefined = () => undefined,
  ): Promise<T> {
    const { database, wake } = this.#ports
    let tries = 0
    const result = await retryWhileUnavailable(() =>
      database.transaction(async (tx) => {
        tries += 1
        const row = await lockSession(tx, database.tenant, this.session)
        const isMine = row.epoch === this.epoch && row.epoch >= row.base
        const known = tries > 1 && isMine && row.state !== 'running' ? settled(row) : undefined
        if (known !== undefined) return known
        if (!isMine || row.state !== 'running')
          throw new KedgeError('session_fenced', `Another worker has session ${this.session} now.`)
        return work(tx, row)
      }),
    )
    wake(database.tenant, this.session)
    return result
  }
}

type PromptRow = { n: number; client_id: string; body: string; taken_run: number | null; message: string | null }

function toPrompt({ n, client_id, body, message }: PromptRow): StoredPrompt {
  return { n, clientId: client_id, message: message ?? client_id, body: JSON.parse(body) }
}

async function askState(tx: Transaction, { tenant, id: session }: SessionRow, id: string): Promise<AskAnswerOrVoid> {
  const [asked] = await tx.query<{ state: string; answer: string | null; reason: string | null }>(
    'select state, answer, reason from kedge.asks where tenant = $1 and id = $2 and session = $3',
    [tenant, id, session],
  )
  if (asked?.state === 'answered') return { answer: JSON.parse(asked.answer ?? 'null') }
  return asked?.state === 'void' ? { void: asked.reason ?? '' } : undefined
}

/** How far its transcript is: an attempt that added nothing to it got nowhere. */
const WRITTEN = `coalesce((select seq from kedge.transcripts as head
  where head.tenant = sessions.tenant and head.project_key = '${CLUSTER_PROJECT_KEY}' and head.session = sessions.id), 0)`
/** The previous run wrote to the transcript but didn't finish. Its progress has to be read from the transcript. */
const TO_BE_COUNTED = -1
const COUNTED = `update kedge.sessions set attempts = $3, facts = facts || jsonb_build_object('crashes', $4::jsonb)
  where tenant = $1 and id = $2`
const UNCOUNTED = `update kedge.sessions set attempts = greatest(attempts - 1, 0) where tenant = $1 and id = $2`
/** The turn has reported everything from before. */
const TOLD = `update kedge.sessions set attempts = 0, resume_at = null, facts = facts - 'wentBack' - 'crashes' - 'takenFrom'
  where tenant = $1 and id = $2`
const MINE = 'tenant = $1 and session = $2'
const INTERRUPTS = `select 1 from kedge.inbox where ${MINE} and kind = 'interrupt' and not done`
const WISHES = `with read as (
    update kedge.inbox set done = true where ${MINE} and kind = 'wish' and not done returning n, body)
  select body from read order by n`
/** The park was withdrawn, and the worker hasn't read that yet. */
const RESUMED = `select 1 from (
    select body::jsonb as wish from kedge.inbox
    where ${MINE} and kind = 'wish' and not done and body::jsonb ?| array['leave', 'resume']
    order by n desc limit 1) as last
  where wish ? 'resume'`
const FORGET_WISHES = `update kedge.inbox set done = true where ${MINE} and kind <> 'prompt' and not done`
const STEERED = `select n::float8, client_id, body, taken_run, message from kedge.inbox
  where ${MINE} and kind = 'prompt' and steer and taken_run is null and not done and ${PROMPT_IS_DUE_SQL} order by n`
