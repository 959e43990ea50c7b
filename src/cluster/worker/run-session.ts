/**
 * One run: from a prompt or an answer to a result, or to a request that waits for a user. The agent is the public
 * library's. Its transcript is the journal of what it has begun and finished, so another machine can continue at any
 * point.
 */

import { setTimeout } from 'node:timers/promises'
import { KedgeError } from '../../errors.js'
import { toConversationOptions, toSessionChangeOptions } from '../../hub/driver/agent-options.js'
import { SessionDriver } from '../../hub/driver/session-driver.js'
import { sessionCost } from '../../hub/session-state.js'
import { nodeClock } from '../../platform/clock.js'
import { withFirstAbort } from '../../platform/first-abort.js'
import type { UUID } from '../../protocol/content.js'
import type { GetMcpToken } from '../../protocol/mcp-servers.js'
import type { SDKResultMessage } from '../../protocol/messages.js'
import type { Options } from '../../protocol/options.js'
import type { Query } from '../../protocol/query.js'
import type { Delta, EntryBody } from '../../protocol/session-log/entries.js'
import { messageOf } from '../../protocol/thrown.js'
import { createAsyncQueue } from '../../transport/queue.js'
import { isDatabaseUnavailable, retryWhileUnavailable, type TenantDatabase } from '../database/database.js'
import { CLUSTER_PROJECT_KEY, type ClaimedRun, type NextPrompt, type StoredPrompt } from '../runs/claimed-run.js'
import type { LogEntryWriter } from '../runs/fenced-log-entries.js'
import { createUnknownOutcomeLines, LOST_TRANSACTIONS_NOTE } from '../runs/lost-transactions.js'
import { readSessionRules, withSessionRules } from '../runs/session-rules.js'
import { remainingBudget } from '../runs/tenant-budget.js'
import type { App } from './app.js'
import { crashText, createTurnErrorResult } from './ended-turn.js'
import { findUnloggedMessages } from './missed-messages.js'
import { describeBlockingBackgroundWork, RunAsks } from './run-asks.js'
import type { RunFiles } from './run-files.js'
import { RunLog } from './run-log.js'
import {
  clusterSessionStore,
  createFencedSessionStore,
  hasTranscript,
  isMessageInTranscript,
} from './run-session-store.js'
import { type RunTurnEnd, toTurnEnd, toTurnEndWithoutResult } from './turn-ends.js'
import type { WorkerInbox } from './worker-inbox.js'

export type RunSessionPorts = {
  claimed: ClaimedRun
  database: TenantDatabase
  app: App
  files: RunFiles
  writer: LogEntryWriter
  addDelta(delta: Delta): void
  news: WorkerInbox
  startQuery(options: Options): Query
  newId(): UUID
  hash(text: string): Promise<string>
  warmMs: number
  askTimeoutMs: number | undefined
  /** For every agent of this worker. */
  options: Options
  /** Tokens of the tenant's sign-ins; undefined: this worker has no key for them. */
  mcpTokens(tenant: string): GetMcpToken | undefined
  say(text: string, error?: unknown): void
}

export class RunSession {
  readonly #ports: RunSessionPorts
  readonly #log: RunLog
  readonly #asks: RunAsks
  readonly #driver: SessionDriver<StoredPrompt>
  /** How its turns ended, one after the other. */
  #ends = createAsyncQueue<RunTurnEnd>()
  readonly #leaving = new AbortController()
  readonly #lost = new AbortController()
  /** What the session cost before, as far as it is counted. */
  #costUsd: number
  /** The same after the last turn that the agent began by itself. */
  #ownTurnsCostUsd = 0
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
      warmMs,
      timeoutMs: askTimeoutMs,
      leaving: this.#leaving.signal,
      flushed: () => this.#log.flushed(),
      decided: (ask, signal) => news.decided(tenant, ask, signal),
      lost: this.#lost.signal,
      goesOn: () => this.#goesOn(),
      background: () => this.#driver.tasks.descriptions,
      onHeld: (ask, why) => {
        // Once, and where the users who can answer see it.
        if (why !== undefined && !this.#holds.has(ask)) this.#log.add(notParked(claimed.session, newId(), why))
        this.#hold(ask, why)
      },
    })
    this.#driver = new SessionDriver({
      session,
      hash,
      now: Date.now,
      // The same call asks the same, on whichever machine.
      newAskId: async (call) => (call === undefined ? newId() : (await hash(`${session} ${call}`)).slice(0, 32)),
      journal: {
        add: (body) => this.#log.add(body),
        addDelta: (data) => this.#log.addDelta(data),
        decide: (ask, wait) => this.#asks.decide(ask, wait),
      },
      start: (own) => this.#start(own),
      events: {
        settings: (change) => this.#log.add({ kind: 'state', data: change }),
        result: (result, { isOwn }) => {
          const end = toTurnEnd(result)
          // That of a prompt is written when the prompt is finished, together with that.
          if (!isOwn || end.kind !== 'finished') return void this.#ends.push(end)
          this.#log.add({ kind: 'message', data: result })
          this.#ownTurnsCostUsd = sessionCost(result)
        },
        ended: (failure) => {
          // Nobody waits for an agent without a prompt: the next prompt starts another.
          if (this.#driver.given.size > 0) void this.#ends.push(toTurnEndWithoutResult(failure))
        },
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
    const { running } = this.#driver
    const isEnded = () => this.#lost.signal.aborted || !running || this.#driver.running !== running
    if (isEnded()) return false
    const isClosed = running?.closed.then(() => true)
    return !(await Promise.race([isClosed, setTimeout(SETTLE_MS, false, { ref: false })])) && !isEnded()
  }

  /** Leaves the session to another worker at the next boundary between calls. */
  leave(): void {
    this.#leaving.abort()
    this.#driver.running?.yieldTurn().catch(() => undefined)
  }

  /** Another worker has the session: ends what runs here, and reports nothing more. */
  drop(): void {
    this.#lost.abort()
    void this.#driver.end()
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
    if (this.#driver.given.has(message)) return
    for (const data of await findUnloggedMessages(database, claimed.session, message))
      this.#log.add({ kind: 'message', data })
  }

  /** Resumes a prompt that the transcript contains; sends any other to the agent. */
  async #turn({ prompt }: Extract<NextPrompt, { kind: 'prompt' }>): Promise<RunTurnEnd> {
    const { claimed, database } = this.#ports
    const { message, body } = prompt
    try {
      if (this.#driver.given.has(message)) return await this.#turnEnd()
      if (await isMessageInTranscript(database, claimed.session, message)) {
        await this.#closeAgent()
        await this.#noteUnknown()
        await this.#driver.resume(message, prompt)
      } else await this.#driver.give(message, prompt, body)
    } catch (error) {
      return isFenced(error) ? { kind: 'lost' } : { kind: 'failed', error }
    }
    return this.#turnEnd()
  }

  /** Resolves when the current turn, or else the next one, ends. */
  async #turnEnd(): Promise<RunTurnEnd> {
    const { value = { kind: 'lost' } } = await this.#ends[Symbol.asyncIterator]().next()
    return value
  }

  async #noteUnknown(): Promise<void> {
    const { claimed, database } = this.#ports
    const { wentBack } = claimed.about.facts
    if (wentBack === undefined) return
    const store = clusterSessionStore(database)
    const key = { projectKey: CLUSTER_PROJECT_KEY, sessionId: claimed.session }
    const begun = await createUnknownOutcomeLines(database, claimed.session, (await store.load(key)) ?? [], wentBack)
    if (begun.length > 0) await store.append(key, begun)
  }

  async #start(own: Options): Promise<Query> {
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
    const at = own.continueTurn ? undefined : about.resumeAt
    const left = await retryWhileUnavailable(() => remainingBudget(database, tenant))
    const rules = await retryWhileUnavailable(() => readSessionRules(database, session))
    // A card would need the worker until it is answered: on a cluster, an operator signs in for the tenant.
    const { onMcpSignIn: _card, ...driven } = own
    const tokens = this.#ports.mcpTokens(tenant)
    const query = startQuery({
      ...options,
      ...(tokens ? { getMcpToken: tokens } : {}),
      ...ofApp,
      ...driven,
      parkAsks: true,
      // Checkpoints would stay behind on this machine.
      persistSession: false,
      cwd,
      ...toSessionChangeOptions(about.facts),
      ...told({ ...options, ...ofApp }, notes),
      ...withSessionRules({ ...options, ...ofApp }, rules),
      ...(left === undefined ? {} : { maxBudgetUsd: Math.max(LEAST_USD, Math.min(left, ofApp.maxBudgetUsd ?? left)) }),
      ...toConversationOptions(session, isStored, at),
      sessionStore: createFencedSessionStore(database, claimed, this.#lost.signal),
    })
    if (this.#lost.signal.aborted) query.close()
    return query
  }

  /** The turn has its result: with it the prompt, and those that joined it, are done. */
  async #finish(prompt: StoredPrompt, result: SDKResultMessage): Promise<void> {
    const { claimed, database } = this.#ports
    const done = [prompt]
    for (const given of this.#driver.given.values())
      if (given.n !== prompt.n && (await isMessageInTranscript(database, claimed.session, given.message)))
        done.push(given)
    for (const { message } of done) this.#driver.given.delete(message)
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
    const costUsd = sessionCost(result)
    const entries: EntryBody[] = [{ kind: 'message', data: result }]
    await this.#ports.claimed.finish(prompts, { result: result.uuid, entries, spentUsd: costUsd - this.#costUsd })
    this.#costUsd = costUsd
  }

  /** Work in the background ends with its agent: as long as there is some, the session stays here. */
  async #linger(): Promise<void> {
    const { claimed } = this.#ports
    const ends = [this.#leaving.signal, this.#lost.signal]
    while (this.#isBusy && this.#driver.given.size === 0 && !ends.some(({ aborted }) => aborted)) {
      this.#hold('background', describeBlockingBackgroundWork(this.#driver.tasks.descriptions))
      // A prompt that comes meanwhile does not wait for it.
      if (await claimed.hasPrompt()) break
      await withFirstAbort(ends, undefined, (signal) => nodeClock.sleep(LINGER_LOOK_MS, signal))
    }
    this.#hold('background', undefined)
    await this.#log.flushed()
    const spentUsd = this.#ownTurnsCostUsd - this.#costUsd
    if (spentUsd <= 0) return
    await claimed.spend(spentUsd)
    this.#costUsd = this.#ownTurnsCostUsd
  }

  /** The agent has work that ends with it. */
  get #isBusy(): boolean {
    return this.#driver.tasks.descriptions.length > 0 || this.#driver.isInTurn || this.#ends.size > 0
  }

  async #hear(): Promise<void> {
    const { claimed } = this.#ports
    const { interrupted, steered, wishes } = await claimed.news()
    for (const prompt of steered) {
      // Without an agent it is the next prompt.
      if (!this.#driver.running) break
      await this.#driver.give(prompt.message, prompt, prompt.body)
    }
    for (const wish of wishes) {
      if ('stopTask' in wish) await this.#driver.interrupt({ task: wish.stopTask }).catch(() => undefined)
      if ('mode' in wish || 'model' in wish) await this.#driver.change(wish).catch(() => undefined)
      if ('leave' in wish) {
        this.#isParked = wish.leave === 'park'
        this.leave()
      }
      if ('resume' in wish) this.#isParked = false
    }
    if (interrupted) await this.#driver.interrupt('turn').catch(() => undefined)
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
    await this.#driver.end()
    this.#driver.given.clear()
    this.#ends = createAsyncQueue()
  }
}

const LINGER_LOOK_MS = 1000
/** An agent that is being ended is over by then, or closed. */
const SETTLE_MS = 2000
/** A turn that had begun ends by its budget, not by an option that is none. */
const LEAST_USD = 0.000_001

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
