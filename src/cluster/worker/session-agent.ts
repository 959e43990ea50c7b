/** The agent of a run: its messages go into the log, and its results to the caller, one after the other. */

import { KedgeError } from '../../errors.js'
import type { SubAgentCallIndex } from '../../hub/agent-calls.js'
import type { SDKMessage, SDKResultMessage } from '../../protocol/messages.js'
import type { Query } from '../../protocol/query.js'
import type { RunLog } from './run-log.js'

/** Results that don't belong to a prompt: the turn continues elsewhere, or later. */
const UNFINISHED = ['waiting', 'yielded'] as const
const TAKEN = ['session_taken_over', 'session_store_failed', 'session_fenced', 'session_in_use']

export type RunTurnEnd =
  | { kind: 'finished'; result: SDKResultMessage }
  | { kind: (typeof UNFINISHED)[number] }
  /** Another worker has the session, or its owner is unknown. */
  | { kind: 'lost' }
  | { kind: 'failed'; error: unknown }

export type RunAgentPorts = { query: Query; log: RunLog; calls: SubAgentCallIndex }

export class RunAgent {
  readonly query: Query
  readonly #log: RunLog
  readonly #calls: SubAgentCallIndex
  readonly #ends: RunTurnEnd[] = []
  #wake: (() => void) | undefined
  /** Background work that is not over, by its id, in words. */
  readonly #pending = new Map<string, string>()
  #isInTurn = false
  readonly over: Promise<void>
  isOver = false

  constructor({ query, log, calls }: RunAgentPorts) {
    this.query = query
    this.#log = log
    this.#calls = calls
    this.over = this.#follow()
  }

  /** Resolves when the current turn, or else the next one, ends. */
  async turnEnd(): Promise<RunTurnEnd> {
    while (this.#ends.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#ends.shift() ?? { kind: 'lost' }
  }

  /** It has work that ends with it. */
  get isBusy(): boolean {
    return this.#pending.size > 0 || this.#isInTurn || this.#ends.length > 0
  }

  /** Background work beside its turns. */
  get background(): string[] {
    return [...this.#pending.values()]
  }

  /** Resolves when something was said. */
  async stirred(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      this.#stir = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
  #stir: (() => void) | undefined

  async close(): Promise<void> {
    this.query.close()
    await this.query.closed
    await this.over
  }

  async #follow(): Promise<void> {
    try {
      for await (const message of this.query) this.#take(message)
      this.#ended({ kind: 'lost' })
    } catch (error) {
      const isLost = KedgeError.isInstance(error) && TAKEN.includes(error.code)
      this.#ended(isLost ? { kind: 'lost' } : { kind: 'failed', error })
    } finally {
      this.isOver = true
    }
  }

  #take(message: SDKMessage): void {
    this.#calls.note(message)
    this.#stir?.()
    if (message.type === 'stream_event' || (message.type === 'tool_progress' && message.output !== undefined)) {
      this.#log.addDelta(message)
      return
    }
    if (message.type === 'command_lifecycle') return
    if (message.type === 'result') {
      this.#takeResult(message)
      return
    }
    this.#log.add({ kind: 'message', data: message })
    if (message.type === 'user') this.#noteBackground(message.tool_use_result)
    if (message.type !== 'system') return
    if (message.subtype === 'init') {
      this.#isInTurn = true
      this.#log.add({ kind: 'state', data: { model: message.model, mode: message.permissionMode } })
    }
    if (message.subtype === 'status' && message.permissionMode)
      this.#log.add({ kind: 'state', data: { mode: message.permissionMode } })
    if (message.subtype === 'task_started') this.#pending.set(message.task_id, message.description)
    if (message.subtype === 'task_notification') this.#pending.delete(message.task_id)
  }

  /** What was left in the background is announced with the result of its turn; what it was called by says it before. */
  #noteBackground(result: unknown): void {
    const { backgroundTaskId, status, agentId } = (result ?? {}) as Record<string, unknown> // of any tool
    if (typeof backgroundTaskId === 'string') this.#pending.set(backgroundTaskId, 'a command')
    if (status === 'async_launched' && typeof agentId === 'string') this.#pending.set(agentId, 'a sub-agent')
  }

  #takeResult(result: SDKResultMessage): void {
    this.#isInTurn = false
    this.#pending.clear()
    for (const { task_id, description } of result.pending_tasks ?? []) this.#pending.set(task_id, description)
    const unfinished = UNFINISHED.find((reason) => reason === result.terminal_reason)
    if (unfinished) this.#ended({ kind: unfinished })
    else if (TAKEN.includes(result.error_code ?? '')) this.#ended({ kind: 'lost' })
    else this.#ended({ kind: 'finished', result })
  }

  #ended(end: RunTurnEnd): void {
    this.#ends.push(end)
    this.#wake?.()
    this.#wake = undefined
  }
}
