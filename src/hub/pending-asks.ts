/**
 * The open asks of one session: written to the log before any client sees them, answered once, and withdrawn when the
 * agent no longer waits.
 */
import { KedgeError } from '../errors.js'
import type { Clock } from '../platform/clock.js'
import type { AnswerOutcome, Ask, AskAnswer, CheckOpenAsk, Person } from '../protocol/session-log/ask-types.js'
import type { NewPrompt } from '../protocol/session-log/prompt-types.js'
import { messageOf } from '../protocol/thrown.js'
import { answerForLog, checkAnswerFitsAsk } from './answers.js'
import { type AskOutcome, type AskWait, NO_ANSWER_NEEDED_TEXT } from './driver/session-journal.js'
import { lateAnswerPrompt } from './late-answers.js'
import type { SessionLog } from './log/session-log.js'
import type { SessionState } from './session-state.js'

export type PendingAsksPorts = {
  session: string
  log: SessionLog
  state: SessionState
  clock: Pick<Clock, 'now' | 'after'>
  /** How long an ask can stay unanswered before it is withdrawn, in milliseconds. Undefined for no limit. */
  timeoutMs: number | undefined
  /** Sends a prompt for an answer to a turn that no longer exists. */
  sendPrompt(prompt: NewPrompt): Promise<unknown>
  /** Continues a turn whose process has ended: it asks again. */
  continueTurn(): Promise<unknown>
  /** The number of open asks changed. */
  onChange(): void
}

export class PendingAsks {
  readonly #ports: PendingAsksPorts
  readonly #waiting = new Map<string, Waiter>()
  /** Answers to asks of an earlier process: each is for one call, of that tool with that input. */
  readonly #late = new Map<string, { answer: AskAnswer; by: Person }>()
  /** The process ends, and what is asked stays asked. */
  #isLeaving = false
  #timers: (() => void)[] = []

  constructor(ports: PendingAsksPorts) {
    this.#ports = ports
  }

  /** Writes a request down, and resolves when it is answered or withdrawn. */
  async decide(ask: Ask, { signal, canPark }: AskWait): Promise<AskOutcome> {
    const { log, clock, timeoutMs, onChange } = this.#ports
    const late = this.#answeredBefore(ask)
    if (late) return { answer: late }
    if (signal.aborted) return { void: NO_ANSWER_NEEDED_TEXT }
    const open = this.#openBefore(ask)
    const { id } = open ?? ask
    const decided = new Promise<AskOutcome>((settle) => this.#waiting.set(id, { settle, canPark }))
    const withdraw = () => this.#withdraw(id, NO_ANSWER_NEEDED_TEXT)
    signal.addEventListener('abort', withdraw, { once: true })
    const cancelTimer = timeoutMs === undefined ? undefined : clock.after(timeoutMs, () => this.#withdraw(id, LATE))
    try {
      if (!open) log.add({ kind: 'ask', data: ask })
      onChange()
      return await decided
    } finally {
      cancelTimer?.()
      signal.removeEventListener('abort', withdraw)
    }
  }

  /** The first answer counts. Throws when there never was such an ask, or the answer does not fit it. */
  async answer(id: string, answer: AskAnswer, by: Person, check?: CheckOpenAsk): Promise<AnswerOutcome> {
    const { state, log, session, onChange } = this.#ports
    const ask = state.asks.get(id)
    if (!ask) {
      const closed = state.closedAsks.get(id)
      if (closed === undefined) throw new KedgeError('ask_not_found', `Session ${session} has no open request ${id}.`)
      return { already: closed }
    }
    checkAnswerFitsAsk(ask, answer)
    check?.(ask)
    log.add({ kind: 'answered', data: { ask: id, answer: answerForLog(answer), by } })
    // Written together with the answer: there is none that leads to nothing.
    if (!this.#waiting.has(id)) void this.#recover(ask, answer, by).catch(() => {})
    try {
      await log.flushed()
    } catch (error) {
      // What could not be written down was not answered.
      this.#settle(id, { void: messageOf(error) })
      throw error
    }
    this.#settle(id, { answer })
    onChange()
    return 'accepted'
  }

  /** Withdraws every open ask; each counts as denied. */
  withdrawAll(reason: string): void {
    for (const id of [...this.#ports.state.asks.keys()]) this.#withdraw(id, reason)
  }

  /** Those that no agent waits for. */
  withdrawLeft(reason: string): void {
    for (const id of [...this.#ports.state.asks.keys()]) if (!this.#waiting.has(id)) this.#withdraw(id, reason)
  }

  /** A prompt came instead of the answers: the calls that wait for them are given up. */
  withdrawAbandoned(reason: string): void {
    for (const { id, origin } of [...this.#ports.state.asks.values()])
      if (origin && !this.#waiting.has(id)) this.#withdraw(id, reason)
  }

  /** What is open was asked by an earlier process, and has been waiting since. */
  keep(): void {
    const { state, clock, timeoutMs } = this.#ports
    if (timeoutMs === undefined) return
    this.#timers = [...state.asks.values()].map(({ id, since }) =>
      clock.after(Math.max(0, Date.parse(since) + timeoutMs - clock.now()), () => this.#withdraw(id, LATE)),
    )
  }

  /** From here on nothing is withdrawn: the next process has it again. Returns whether a turn is being parked for that. */
  leave(): boolean {
    for (const cancel of this.#timers) cancel()
    for (const { id, origin } of [...this.#ports.state.asks.values()])
      if (origin && this.#waiting.get(id)?.canPark === false) this.#withdraw(id, CONNECTION_ENDS)
    this.#isLeaving = true
    // A call that waits for a server's question stays open only in a turn that was parked.
    const parked = [...this.#waiting].filter(([id, { canPark }]) => canPark && this.#ports.state.asks.get(id)?.origin)
    for (const [id] of parked) this.#settle(id, 'park')
    return parked.length > 0
  }

  /** A denial of a call starts nothing. A call that waits for a server's question continues with any answer. */
  async #recover(ask: Ask, answer: AskAnswer, by: Person): Promise<void> {
    if (ask.origin) {
      this.#late.set(keyOf(ask), { answer, by })
      await this.#ports.continueTurn()
      return
    }
    const prompt = lateAnswerPrompt(ask, answer)
    if (prompt === undefined) return
    this.#late.set(keyOf(ask), { answer, by })
    await this.#ports.sendPrompt({ id: `answer-${ask.id}`, content: prompt, by })
  }

  #answeredBefore(ask: Ask): AskAnswer | undefined {
    const late = this.#late.get(keyOf(ask))
    if (!late) return undefined
    this.#late.delete(keyOf(ask))
    if (ask.origin) return late.answer
    this.#ports.log.add({ kind: 'ask', data: ask })
    this.#ports.log.add({ kind: 'answered', data: { ask: ask.id, ...late } })
    return late.answer
  }

  /** The same question of an earlier process, which users already see. */
  #openBefore({ origin }: Ask): Ask | undefined {
    if (!origin) return undefined
    return [...this.#ports.state.asks.values()].find((open) => open.origin?.key === origin.key)
  }

  #withdraw(id: string, reason: string): void {
    const { state, log, onChange } = this.#ports
    // It was answered just before, and that is being written down: the answer counts.
    if (!state.asks.has(id)) return
    if (this.#isLeaving) {
      this.#settle(id, { void: reason })
      return
    }
    log.add({ kind: 'withdrawn', data: { ask: id, reason } })
    this.#settle(id, { void: reason })
    onChange()
  }

  #settle(id: string, decision: AskOutcome): void {
    const waiter = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiter?.settle(decision)
  }
}

type Waiter = { settle(decision: AskOutcome): void; canPark: boolean }

const CONNECTION_ENDS = 'The MCP server asked on a connection that ended with its process.'
const LATE = 'No one answered in time.'

function keyOf({ tool, origin }: Ask): string {
  return origin ? `question ${origin.key}` : `${tool?.name} ${tool?.hash}`
}
