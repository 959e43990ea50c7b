/**
 * One run: from a prompt or an answer to a result, or to a request that waits for a user. The agent is the public
 * library's. Its transcript is the journal of what it has begun and finished, so another machine can continue at any
 * point.
 */

import { setTimeout } from 'node:timers/promises'
import { KedgeError } from '../../errors.js'
import { SubAgentCallIndex } from '../../hub/agent-calls.js'
import type { Delta, EntryBody } from '../../hub/log/entries.js'
import { withFirstAbort } from '../../platform/first-abort.js'
import type { UUID } from '../../protocol/content.js'
import type { SDKResultMessage, SDKUserMessage } from '../../protocol/messages.js'
import type { Options } from '../../protocol/options.js'
import type { Query } from '../../protocol/query.js'
import { messageOf } from '../../protocol/thrown.js'
import { isDatabaseUnavailable, retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { type ClaimedRun, type NextPrompt, PROJECT_KEY, type StoredPrompt } from '../runs/claimed-run.js'
import type { LogEntryWriter } from '../runs/fenced-events.js'
import { callsOfUnknownOutcome, LOST_TRANSACTIONS_NOTE } from '../runs/lost-transactions.js'
import { readSessionRules, withSessionRules } from '../runs/session-rules.js'
import { remainingBudget } from '../runs/tenant-budget.js'
import { type App, toSessionChangeOptions } from './app.js'
import { crashText, createTurnErrorResult } from './ended-turn.js'
import { findUnloggedMessages } from './missed-messages.js'
import { describeBlockingBackgroundWork, RunAsks } from './run-asks.js'
import type { RunFiles } from './run-files.js'
import { RunLog } from './run-log.js'
import { clusterSessionStore, createFencedSessionStore, hasTranscript, isMessageWritten } from './run-session-store.js'
import { RunAgent, type RunTurnEnd } from './session-agent.js'
import type { SessionInbox } from './session-inbox.js'

export type RunSessionPorts = {
  claimed: ClaimedRun
  database: TenantDatabase
  app: App
  files: RunFiles
  writer: LogEntryWriter
  addDelta(delta: Delta): void
  news: SessionInbox
  startQuery(options: Options): Query
  newId(): UUID
  hash(text: string): Promise<string>
  warmMs: number
  askTimeoutMs: number | undefined
  /** For every agent of this worker. */
  options: Options
  say(text: string, error?: unknown): void
}

/** What readers of the log need. Checkpoints would stay behind on this machine. */
const WATCHED: Options = {
  includePartialMessages: true,
  includeToolOutput: true,
  includeHookEvents: true,
  forwardSubagentText: true,
  askDetails: true,
  includeNotices: true,
  persistSession: false,
  parkAsks: true,
}

export class RunSession {
  readonly #ports: RunSessionPorts
  readonly #log: RunLog
  readonly #asks: RunAsks
  readonly #calls = new SubAgentCallIndex()
  readonly #leaving = new AbortController()
  readonly #lost = new AbortController()
  #agent: RunAgent | undefined
  /** Prompts this agent was given, and has not ended. */
  readonly #given = new Map<string, StoredPrompt>()
  /** What the session cost before, as far as it is counted. */
  #costUsd: number
  #looking: Promise<void> = Promise.resolve()
  /** Parked by an operator, who also resumes it. */
  #isParked = false
  #prepared: ReturnType<RunFiles['prepare']> | undefined
  /** Why it can't be parked now, if it can't: by what keeps it. */
  readonly #holds = new Map<string, string>()

  constructor(ports: RunSessionPorts) {
    this.#ports = ports
    const { claimed, writer, addDelta, news, newId, hash, warmMs, askTimeoutMs } = ports
    const { tenant, session } = claimed.key
    this.#costUsd = claimed.about.facts.costUsd ?? 0
    this.#log = new RunLog({
      writer,
      addDelta,
      place: { tenant, session, epoch: claimed.epoch },
      onLost: () => this.drop(),
    })
    this.#asks = new RunAsks({
      claimed,
      newId,
      hash,
      warmMs,
      timeoutMs: askTimeoutMs,
      leaving: this.#leaving.signal,
      flushed: () => this.#log.flushed(),
      askerOf: (useId) => this.#calls.of(useId),
      decided: (ask, signal) =>
        withFirstAbort([signal, this.#lost.signal], undefined, (end) => news.decided(tenant, ask, end)),
      lost: this.#lost.signal,
      goesOn: () => this.#goesOn(),
      background: () => this.#agent?.background ?? [],
      onHeld: (ask, why) => {
        // Once, and where the users who can answer see it.
        if (why !== undefined && !this.#holds.has(ask)) this.#log.add(notParked(claimed.session, newId(), why))
        this.#hold(ask, why)
      },
    })
  }

  /** Ends when the run does; it never throws. */
  async run(): Promise<void> {
    const { claimed, news } = this.#ports
    const { tenant, session } = claimed.key
    const stop = news.listen(tenant, session, () => {
      this.#looking = this.#looking.then(() => this.#hear()).catch(() => undefined)
    })
    try {
      await this.#work()
    } catch (error) {
      if (!isFenced(error)) await this.#requeue(error)
    } finally {
      stop()
      await this.#closeAgent()
      if (this.#prepared) await this.#ports.files.release().catch(() => undefined)
    }
  }

  /** It stays with its worker, for this reason; undefined: not for this one any more. */
  #hold(what: string, why: string | undefined): void {
    const [before] = this.#holds.values()
    if (why === undefined) this.#holds.delete(what)
    else this.#holds.set(what, why)
    const [now] = this.#holds.values()
    // If this write fails, the next change reports the current state.
    if (now !== before) void this.#ports.claimed.noteHeld(now).catch(() => undefined)
  }

  async #goesOn(): Promise<boolean> {
    const agent = this.#agent
    const isEnded = () => this.#lost.signal.aborted || this.#agent !== agent || !agent || agent.isOver
    if (isEnded()) return false
    await Promise.race([agent?.over, setTimeout(SETTLE_MS, undefined, { ref: false })])
    return !isEnded()
  }

  /** Leaves the session to another worker at the next boundary between calls. */
  leave(): void {
    this.#leaving.abort()
    this.#agent?.query.yieldTurn().catch(() => undefined)
  }

  /** Another worker has the session: ends what runs here, and reports nothing more. */
  drop(): void {
    this.#lost.abort()
    this.#agent?.query.close()
  }

  async #work(): Promise<void> {
    const { claimed } = this.#ports
    for (;;) {
      if (this.#lost.signal.aborted || this.#leaving.signal.aborted) return this.#requeue()
      await this.#linger()
      const step = await claimed.next()
      if (step.kind === 'idle') return
      if (step.kind === 'end-prompt' || step.begun) await this.#tellMissed(step.prompt)
      if (step.kind === 'end-prompt') {
        await this.#endPrompt(step.prompt, step.why, 'call' in step ? crashText(step.call) : undefined)
        continue
      }
      const end = await this.#turn(step)
      switch (end.kind) {
        case 'finished':
          await this.#finish(step.prompt, end.result)
          await this.#save()
          break
        case 'failed':
          // Not the turn's fault: the database was away, or the agent was dropped because of that.
          if (isDatabaseUnavailable(end.error) || this.#lost.signal.aborted) return this.#requeue(end.error)
          await this.#endPrompt(step.prompt, 'agent_failed', messageOf(end.error))
          break
        case 'waiting':
          await this.#closeAgent()
          await this.#save()
          if (await claimed.park()) return
          break
        case 'yielded':
        case 'lost':
          return this.#requeue()
      }
    }
  }

  async #tellMissed({ message }: StoredPrompt): Promise<void> {
    const { claimed, database } = this.#ports
    if (this.#given.has(message)) return
    for (const data of await findUnloggedMessages(database, claimed.session, message))
      this.#log.add({ kind: 'message', data })
  }

  /** Resumes a prompt that the transcript contains; sends any other to the agent. */
  async #turn({ prompt }: Extract<NextPrompt, { kind: 'prompt' }>): Promise<RunTurnEnd> {
    const { claimed, database } = this.#ports
    const { message } = prompt
    try {
      if (!this.#given.has(message)) {
        if (await isMessageWritten(database, claimed.session, message)) {
          await this.#closeAgent()
          await this.#noteUnknown()
          await this.#start({ continueTurn: true })
        } else {
          const agent = this.#agent ?? (await this.#start({}))
          await agent.query.send(toMessage(prompt, claimed.session))
        }
        this.#given.set(message, prompt)
      }
    } catch (error) {
      return isFenced(error) ? { kind: 'lost' } : { kind: 'failed', error }
    }
    return this.#agent?.turnEnd() ?? { kind: 'lost' }
  }

  async #noteUnknown(): Promise<void> {
    const { claimed, database } = this.#ports
    const { wentBack } = claimed.about.facts
    if (wentBack === undefined) return
    const store = clusterSessionStore(database)
    const key = { projectKey: PROJECT_KEY, sessionId: claimed.session }
    const begun = await callsOfUnknownOutcome(database, claimed.session, (await store.load(key)) ?? [], wentBack)
    if (begun.length > 0) await store.append(key, begun)
  }

  async #start(own: Options): Promise<RunAgent> {
    const { claimed, database, app, files, startQuery, options } = this.#ports
    this.#prepared ??= files.prepare()
    const { cwd, notes: ofFiles } = await this.#prepared
    const { wentBack } = claimed.about.facts
    const notes = [...(wentBack === undefined ? [] : [LOST_TRANSACTIONS_NOTE]), ...ofFiles]
    const { session, about } = claimed
    const { tenant } = claimed.key
    const { title } = about.facts
    const ofApp = await app.options({ id: session, tenant, cwd, options: about.options, title: title ?? undefined })
    const isStored = await hasTranscript(database, session)
    const at = about.resumeAt === undefined || own.continueTurn ? {} : { resumeSessionAt: about.resumeAt }
    const left = await retryWhileUnavailable(() => remainingBudget(database, tenant))
    const rules = await retryWhileUnavailable(() => readSessionRules(database, session))
    const query = startQuery({
      ...options,
      ...ofApp,
      ...WATCHED,
      ...own,
      cwd,
      ...toSessionChangeOptions(about.facts),
      ...told({ ...options, ...ofApp }, notes),
      ...withSessionRules({ ...options, ...ofApp }, rules),
      ...(left === undefined ? {} : { maxBudgetUsd: Math.max(LEAST_USD, Math.min(left, ofApp.maxBudgetUsd ?? left)) }),
      ...(isStored ? { resume: session, ...at } : { sessionId: session as UUID }), // made as one
      sessionStore: createFencedSessionStore(database, claimed, this.#lost.signal),
      canUseTool: this.#asks.canUseTool,
      onElicitation: this.#asks.onElicitation,
    })
    this.#agent = new RunAgent({ query, log: this.#log, calls: this.#calls })
    if (this.#lost.signal.aborted) query.close()
    return this.#agent
  }

  /** The turn has its result: with it the prompt, and those that joined it, are done. */
  async #finish(prompt: StoredPrompt, result: SDKResultMessage): Promise<void> {
    const { claimed, database } = this.#ports
    const done = [prompt]
    for (const given of this.#given.values())
      if (
        given !== prompt &&
        given.n !== prompt.n &&
        (await isMessageWritten(database, claimed.session, given.message))
      )
        done.push(given)
    for (const { message } of done) this.#given.delete(message)
    await this.#tellEnd(done, result)
  }

  async #endPrompt(
    prompt: StoredPrompt,
    why: 'interrupted' | 'worker_crashed' | 'agent_failed',
    text?: string,
  ): Promise<void> {
    const { claimed, newId } = this.#ports
    await this.#closeAgent()
    const ended = { session: claimed.session, uuid: newId(), why, costUsd: this.#costUsd }
    await this.#tellEnd([prompt], createTurnErrorResult(text === undefined ? ended : { ...ended, text }))
  }

  async #tellEnd(prompts: StoredPrompt[], result: SDKResultMessage): Promise<void> {
    await this.#log.flushed()
    const costUsd = result.session_total_cost_usd ?? result.total_cost_usd
    const entries: EntryBody[] = [{ kind: 'message', data: result }]
    await this.#ports.claimed.finish(prompts, { result: result.uuid, entries, spentUsd: costUsd - this.#costUsd })
    this.#costUsd = costUsd
  }

  /** Work in the background ends with its agent: as long as there is some, the session stays here. */
  async #linger(): Promise<void> {
    const { claimed } = this.#ports
    const ends = [this.#leaving.signal, this.#lost.signal]
    while (this.#agent?.isBusy && this.#given.size === 0 && !ends.some(({ aborted }) => aborted)) {
      this.#hold('background', describeBlockingBackgroundWork(this.#agent.background))
      // A prompt that comes meanwhile does not wait for it.
      if (await claimed.hasPrompt()) break
      const agent = this.#agent
      await withFirstAbort(ends, LINGER_LOOK_MS, (signal) => agent.stirred(signal))
    }
    this.#hold('background', undefined)
  }

  async #hear(): Promise<void> {
    const { claimed } = this.#ports
    const { interrupted, steered, wishes } = await claimed.news()
    const query = this.#agent?.query
    for (const prompt of steered) {
      // Without an agent it is the next prompt.
      if (!query) break
      this.#given.set(prompt.message, prompt)
      await query.send(toMessage(prompt, claimed.session))
    }
    for (const wish of wishes) {
      if ('stopTask' in wish) await query?.stopTask(wish.stopTask).catch(() => undefined)
      if ('mode' in wish) await query?.setPermissionMode(wish.mode).catch(() => undefined)
      if ('leave' in wish) {
        this.#isParked = wish.leave === 'park'
        this.leave()
      }
      if ('resume' in wish) this.#isParked = false
      if ('model' in wish) await query?.setModel(wish.model).catch(() => undefined)
    }
    if (interrupted) await query?.interrupt().catch(() => undefined)
  }

  /**
   * Saves the files before another worker can have the session. If that fails, the next worker tells the model that its
   * files are older.
   */
  async #save(): Promise<void> {
    const { files, say } = this.#ports
    if (!this.#prepared) return
    await files.save().catch((error: unknown) => {
      if (isFenced(error)) throw error
      say(`the files of session ${this.#ports.claimed.session} could not be saved`, error)
    })
  }

  async #requeue(error?: unknown): Promise<void> {
    await this.#closeAgent()
    await this.#save().catch(() => undefined)
    const why = await this.#log.flushed().then(
      () => error,
      (reason: unknown) => reason,
    )
    // Neither leaving, nor losing the run, nor losing the database is the prompt's fault.
    const blameless = this.#leaving.signal.aborted || this.#lost.signal.aborted || isDatabaseUnavailable(why)
    await this.#ports.claimed.requeue({ parked: this.#isParked, blameless }).catch(() => undefined)
  }

  async #closeAgent(): Promise<void> {
    const agent = this.#agent
    this.#agent = undefined
    this.#given.clear()
    await agent?.close().catch(() => undefined)
  }
}

const LINGER_LOOK_MS = 1000
/** An agent that is being ended is over by then, or closed. */
const SETTLE_MS = 2000
/** A turn that had begun ends by its budget, not by an option that is none. */
const LEAST_USD = 0.000_001

function toMessage({ body: content, message: uuid }: StoredPrompt, session: string): SDKUserMessage {
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: session,
    uuid: uuid as UUID, // made by the database as one
  }
}

function notParked(session: string, uuid: UUID, why: string): EntryBody {
  const content = `This turn waits, and keeps its worker meanwhile: ${why}.`
  const about = { type: 'system', subtype: 'informational', level: 'notice', code: 'session_not_parked' } as const
  return { kind: 'message', data: { ...about, content, details: { why }, session_id: session, uuid } }
}

/** What the model should know of the place it finds itself in. */
function told({ systemPrompt }: Options, notes: readonly string[]): Pick<Options, 'systemPrompt'> {
  if (notes.length === 0) return {}
  const text = notes.join('\n\n')
  if (systemPrompt === undefined) return { systemPrompt: text }
  if (typeof systemPrompt === 'string') return { systemPrompt: `${systemPrompt}\n\n${text}` }
  if (Array.isArray(systemPrompt)) return { systemPrompt: [...systemPrompt, text] }
  const before = systemPrompt.append ? `${systemPrompt.append}\n\n` : ''
  return { systemPrompt: { ...systemPrompt, append: `${before}${text}` } }
}

function isFenced(error: unknown): boolean {
  return KedgeError.isInstance(error) && error.code === 'session_fenced'
}
