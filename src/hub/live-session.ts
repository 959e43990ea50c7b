/** One open session of the local hub: its prompts, in order, for the agent that a driver starts with the first of them. */
import { KedgeError, ProcessExitError } from '../errors.js'
import type { Clock } from '../platform/clock.js'
import type { UUID } from '../protocol/content.js'
import type { Options } from '../protocol/options.js'
import type { Query } from '../protocol/query.js'
import type { Person } from '../protocol/session-log/ask-types.js'
import type { SessionStatus, StateChange } from '../protocol/session-log/entries.js'
import type { NewPrompt, Prompt, PromptReceipt } from '../protocol/session-log/prompt-types.js'
import { messageOf } from '../protocol/thrown.js'
import { findPromptProblem } from '../runtime/messages/user-message.js'
import { type PromptLifecycleState, SessionDriver } from './driver/session-driver.js'
import type { SessionLog } from './log/session-log.js'
import type { PendingAsks } from './pending-asks.js'
import { isWaitingForUser, type SessionState } from './session-state.js'

export type LiveSessionPorts = {
  session: string
  log: SessionLog
  state: SessionState
  asks: PendingAsks
  /** Starts an agent for the conversation as it is stored. */
  start(options: Options): Promise<Query>
  newId(): UUID
  hash(text: string): Promise<string>
  now(): number
  after: Clock['after']
}

/** A parked turn has until then to write its end. */
const PARK_MS = 2000

export class LiveSession {
  readonly driver: SessionDriver<Prompt>
  readonly #ports: LiveSessionPorts
  #lastResult = ''
  #closing = false
  #onTurnEnd = () => {}

  constructor(ports: LiveSessionPorts) {
    const { session, log, state, asks, start, newId, hash, now } = ports
    this.#ports = ports
    this.driver = new SessionDriver({
      session,
      hash,
      now,
      newAskId: newId,
      journal: {
        add: (body) => void log.add(body),
        addDelta: (data) => log.addDelta(data),
        decide: (ask, wait) => asks.decide(ask, wait),
      },
      async start(own) {
        if (state.error !== undefined) log.add({ kind: 'state', data: { error: null } })
        if (!own.continueTurn) asks.withdrawAbandoned('A prompt came instead of the answer.')
        return start({ ...own, parkAsks: true, enableFileCheckpointing: true, mcpWait: false })
      },
      events: {
        settings: (change) => this.#changed(change),
        turnBegan: () => this.updateStatus(),
        result: (result) => {
          log.add({ kind: 'message', data: result })
          this.#lastResult = result.uuid
          this.#onTurnEnd()
          this.updateStatus()
        },
        promptMoved: (message, to) => this.#promptMoved(message, to),
        ended: (failure) => this.#agentEnded(failure),
      },
    })
  }

  /** Gives the agent what waits. */
  resumeTurn(): void {
    this.#handOut()
  }

  /** Starts an agent that continues the turn of an earlier process, if none runs. */
  async continueTurn(): Promise<void> {
    // `ended` says why it did not start.
    await this.driver.started({ continueTurn: true }).catch(() => undefined)
  }

  async send(prompt: NewPrompt): Promise<PromptReceipt> {
    const { log, state } = this.#ports
    const before = state.known.get(prompt.id)
    if (before !== undefined) {
      await log.flushed()
      return { id: prompt.id, seq: before, repeated: true }
    }
    const problem = findPromptProblem(prompt.content)
    if (problem !== undefined) throw new KedgeError('invalid_option', `The prompt can't be sent: ${problem}.`)
    const { when = 'queue' } = prompt
    const taken: Prompt = { ...prompt, when }
    const seq = log.add({ kind: 'prompt', data: { change: 'queued', prompt: taken } })
    await log.flushed()
    this.#handOut()
    return { id: prompt.id, seq, repeated: false }
  }

  /** Takes a prompt out of the queue. One that the agent was given can only be interrupted. */
  async remove(id: string, by?: Person): Promise<void> {
    this.#mustWait(id)
    this.#ports.log.add({ kind: 'prompt', data: { change: 'removed', id, ...(by ? { by } : {}) } })
    await this.#ports.log.flushed()
  }

  async reorder(order: string[]): Promise<void> {
    for (const id of order) this.#mustWait(id)
    this.#ports.log.add({ kind: 'prompt', data: { change: 'reordered', order } })
    await this.#ports.log.flushed()
  }

  /** `turn`: what waits comes next. `all`: nothing does, and work in the background is stopped as well. */
  async interrupt(scope: 'turn' | 'all' | { task: string }): Promise<void> {
    const { state, log } = this.#ports
    if (scope === 'all') {
      for (const { id } of state.waiting.filter((prompt) => !this.#isGiven(prompt)))
        log.add({ kind: 'prompt', data: { change: 'removed', id } })
    }
    await this.driver.interrupt(scope)
    await log.flushed()
  }

  /** Ends the agent. The session can be opened again. */
  async close(status: SessionStatus): Promise<void> {
    this.#closing = true
    const { asks, log, state } = this.#ports
    await this.driver.end()
    asks.withdrawAll('The session was closed.')
    this.#interrupted('The session was closed.')
    const last = isWaitingForUser(state) ? 'needs-you' : status
    if (state.status !== last) log.add({ kind: 'state', data: { status: last } })
    await log.flushed()
  }

  /** Resolves when the running turn is over, or after two seconds: a turn that was just parked writes its end. */
  async turnEnded(): Promise<void> {
    if (!this.driver.isInTurn) return
    await new Promise<void>((resolve) => {
      const cancel = this.#ports.after(PARK_MS, resolve)
      this.#onTurnEnd = () => {
        cancel()
        resolve()
      }
    })
  }

  /** The log takes no more entries: nothing may happen that could not be written down. */
  async fail(error: Error): Promise<void> {
    this.#closing = true
    this.#ports.asks.withdrawAll(error.message)
    await this.driver.end()
  }

  #mustWait(id: string): void {
    const prompt = this.#ports.state.waiting.find((waiting) => waiting.id === id)
    if (!prompt || this.#isGiven(prompt))
      throw new KedgeError('prompt_not_found', `No prompt ${id} waits in session ${this.#ports.session}.`)
  }

  #isGiven({ id }: Prompt): boolean {
    return [...this.driver.given.values()].some((given) => given.id === id)
  }

  /** Gives the agent what it may have now. */
  #handOut(): void {
    if (this.#closing) return
    for (const prompt of [...this.#ports.state.waiting]) {
      if (this.#isGiven(prompt)) continue
      const isFree = !this.driver.isInTurn && this.driver.given.size === 0
      if (!isFree && prompt.when === 'queue') continue
      // Another id each time: an agent drops what it has been given before, also by a process that was killed.
      void this.driver.give(this.#ports.newId(), prompt, prompt.content)
    }
  }

  #promptMoved(message: string, to: PromptLifecycleState): void {
    const { log, state } = this.#ports
    const prompt = this.driver.given.get(message)
    if (!prompt || to === 'queued' || to === 'folded') return
    const { id } = prompt
    if (to === 'started') {
      const joined = state.started.length > 0
      log.add({ kind: 'prompt', data: { change: 'started', id, message, ...(joined ? { joined } : {}) } })
    } else {
      this.driver.given.delete(message)
      if (to === 'completed') log.add({ kind: 'prompt', data: { change: 'done', id, result: this.#lastResult } })
      else log.add({ kind: 'prompt', data: { change: 'removed', id } })
    }
    this.updateStatus()
    this.#handOut()
  }

  #agentEnded(failure: unknown): void {
    const { asks, log, state } = this.#ports
    this.#onTurnEnd()
    if (this.#closing) return
    asks.withdrawAll('The agent has ended.')
    const reason = failure === undefined ? 'The agent has ended.' : textOf(failure)
    // An agent that could not start is not started again for the same prompt.
    const lost = failure === undefined ? [] : state.waiting.filter((prompt) => this.#isGiven(prompt))
    this.#interrupted(reason)
    for (const { id } of lost) log.add({ kind: 'prompt', data: { change: 'interrupted', id, reason } })
    if (failure !== undefined) {
      log.add({ kind: 'state', data: { status: 'error', error: reason } })
      return
    }
    this.updateStatus()
    this.#handOut()
  }

  /** Those that were begun have no result, and never will. Those that were only handed over wait again. */
  #interrupted(reason: string): void {
    const { state, log } = this.#ports
    for (const { id } of [...state.started]) log.add({ kind: 'prompt', data: { change: 'interrupted', id, reason } })
    this.driver.given.clear()
  }

  #changed(change: Pick<StateChange, 'model' | 'mode'>): void {
    const { state, log } = this.#ports
    const isNew = (change.model ?? state.model) !== state.model || (change.mode ?? state.mode) !== state.mode
    if (isNew) log.add({ kind: 'state', data: change })
  }

  /** Says what the session is doing, if that is news. */
  updateStatus(): void {
    const { state, log } = this.#ports
    if (this.#closing) return
    const isBusy = this.driver.isInTurn || state.started.length > 0
    const status = isWaitingForUser(state) ? 'needs-you' : isBusy ? 'running' : 'idle'
    if (status !== state.status) log.add({ kind: 'state', data: { status } })
  }
}

/** What it printed says more than the code it ended with. */
function textOf(failure: unknown): string {
  if (failure instanceof ProcessExitError && failure.stderr.trim() !== '') return failure.stderr.trim()
  return messageOf(failure)
}
