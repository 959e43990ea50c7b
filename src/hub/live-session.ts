/** One open session: its agent, started when the first prompt comes, and the prompts that wait for it. */
import { KedgeError, ProcessExitError } from '../errors.js'
import type { UUID } from '../protocol/content.js'
import type { SDKMessage, SDKUserMessage } from '../protocol/messages.js'
import type { Options } from '../protocol/options.js'
import type { Query } from '../protocol/query.js'
import { messageOf } from '../protocol/thrown.js'
import { contentProblem } from '../runtime/messages/user-message.js'
import type { SubAgentCallIndex } from './agent-calls.js'
import type { Person } from './ask-types.js'
import type { SessionStatus, StateChange } from './log/entries.js'
import type { SessionLog } from './log/session-log.js'
import type { PendingAsks } from './pending-asks.js'
import type { NewPrompt, Prompt, PromptReceipt } from './prompt-types.js'
import { RunningTasks } from './running-tasks.js'
import type { SessionState } from './session-state.js'

export type LiveSessionPorts = {
  session: string
  log: SessionLog
  state: SessionState
  asks: PendingAsks
  calls: SubAgentCallIndex
  /** Starts an agent for the conversation as it is stored. */
  start(options: Options): Promise<Query>
  newId(): UUID
}

/** What only readers of this kind need; the log keeps deltas apart from it. */
const WATCHED: Options = {
  includePartialMessages: true,
  includeToolOutput: true,
  includeHookEvents: true,
  forwardSubagentText: true,
  enableFileCheckpointing: true,
  askDetails: true,
  includeNotices: true,
  mcpWait: false,
}

export class LiveSession {
  readonly #ports: LiveSessionPorts
  #query: Promise<Query> | undefined
  /** Between the first message of a turn and its result. */
  #inTurn = false
  /** Prompts the agent was given, by the id it knows them by. */
  readonly #given = new Map<string, Prompt>()
  #lastResult = ''
  #closing = false
  readonly #tasks = new RunningTasks()

  constructor(ports: LiveSessionPorts) {
    this.#ports = ports
  }

  /** Gives the agent what waits. */
  resumeTurn(): void {
    this.#handOut()
  }

  /** The agent; one is started if none runs. */
  started(): Promise<Query> {
    if (this.#query) return this.#query
    const agent = this.#start()
    this.#query = agent
    agent.then(
      (query) => {
        this.#ended = this.#follow(query, agent)
      },
      (error) => this.#agentEnded(agent, error),
    )
    return agent
  }

  /** The tasks that run in the agent. */
  get tasks(): string[] {
    return this.#tasks.ids
  }

  /** The agent, if it runs. */
  get query(): Promise<Query> | undefined {
    return this.#query
  }

  async send(prompt: NewPrompt): Promise<PromptReceipt> {
    const { log, state } = this.#ports
    const before = state.known.get(prompt.id)
    if (before !== undefined) {
      await log.flushed()
      return { id: prompt.id, seq: before, repeated: true }
    }
    const problem = contentProblem(prompt.content)
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
    const query = await this.#query?.catch(() => undefined)
    if (!query) return log.flushed()
    const stopped = typeof scope === 'object' ? query.stopTask(scope.task) : query.interrupt({ scope })
    await stopped.catch((error: unknown) => {
      // The query has ended on its own.
      if (!KedgeError.isInstance(error) || error.code !== 'query_closed') throw error
    })
    await log.flushed()
  }

  /** Ends the agent. The session can be opened again. */
  async close(status: SessionStatus): Promise<void> {
    this.#closing = true
    const { asks, log, state } = this.#ports
    const query = await this.#query?.catch(() => undefined)
    query?.close()
    await query?.closed
    await this.#ended
    asks.withdrawAll('The session was closed.')
    this.#interrupted('The session was closed.')
    const last = state.asks.size > 0 ? 'needs-you' : status
    if (state.status !== last) log.add({ kind: 'state', data: { status: last } })
    await log.flushed()
  }

  /** The log takes no more entries: nothing may happen that could not be written down. */
  async fail(error: Error): Promise<void> {
    this.#closing = true
    this.#ports.asks.withdrawAll(error.message)
    const query = await this.#query?.catch(() => undefined)
    query?.close()
  }

  /** Ends the agent without a word, so that the next prompt starts another. */
  async restart(): Promise<void> {
    const query = await this.#query?.catch(() => undefined)
    query?.close()
    await query?.closed
    await this.#ended
  }
  #ended: Promise<void> | undefined

  #mustWait(id: string): void {
    const prompt = this.#ports.state.waiting.find((waiting) => waiting.id === id)
    if (!prompt || this.#isGiven(prompt))
      throw new KedgeError('prompt_not_found', `No prompt ${id} waits in session ${this.#ports.session}.`)
  }

  #isGiven({ id }: Prompt): boolean {
    return [...this.#given.values()].some((given) => given.id === id)
  }

  /** Gives the agent what it may have now. */
  #handOut(): void {
    if (this.#closing) return
    for (const prompt of [...this.#ports.state.waiting]) {
      if (this.#isGiven(prompt)) continue
      const isFree = !this.#inTurn && this.#given.size === 0
      if (!isFree && prompt.when === 'queue') continue
      void this.#give(prompt)
    }
  }

  async #give(prompt: Prompt): Promise<void> {
    const { session, newId } = this.#ports
    // Another one each time: an agent drops what it has been given before, also by a process that was killed.
    const uuid = newId()
    this.#given.set(uuid, prompt)
    const { content } = prompt
    const message: SDKUserMessage = {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      session_id: session,
      uuid,
    }
    const agent = this.started()
    try {
      await (await agent).send(message)
    } catch (error) {
      this.#agentEnded(agent, error)
    }
  }

  async #start(): Promise<Query> {
    const { start, asks, state, log } = this.#ports
    if (state.error !== undefined) log.add({ kind: 'state', data: { error: null } })
    return start({ ...WATCHED, canUseTool: asks.canUseTool, onElicitation: asks.onElicitation })
  }

  async #follow(query: Query, agent: Promise<Query>): Promise<void> {
    let failure: unknown
    try {
      for await (const message of query) this.#take(message)
    } catch (error) {
      failure = error
    }
    this.#agentEnded(agent, failure)
  }

  #take(message: SDKMessage): void {
    const { log, calls } = this.#ports
    calls.note(message)
    this.#tasks.note(message)
    if (message.type === 'stream_event' || (message.type === 'tool_progress' && message.output !== undefined))
      log.addDelta(message)
    else if (message.type === 'command_lifecycle') this.#promptMoved(message.command_uuid, message.state)
    else log.add({ kind: 'message', data: message })
    if (message.type === 'system' && message.subtype === 'init') {
      this.#inTurn = true
      this.#changed({ model: message.model, mode: message.permissionMode })
      this.updateStatus()
    }
    if (message.type === 'system' && message.subtype === 'status' && message.permissionMode)
      this.#changed({ mode: message.permissionMode })
    if (message.type === 'result') {
      this.#inTurn = false
      this.#lastResult = message.uuid
      this.updateStatus()
    }
  }

  #promptMoved(uuid: string, to: 'queued' | 'started' | 'folded' | 'completed' | 'dropped'): void {
    const { log, state } = this.#ports
    const prompt = this.#given.get(uuid)
    if (!prompt || to === 'queued' || to === 'folded') return
    const { id } = prompt
    if (to === 'started') {
      const joined = state.started.length > 0
      log.add({ kind: 'prompt', data: { change: 'started', id, message: uuid, ...(joined ? { joined } : {}) } })
    } else {
      this.#given.delete(uuid)
      if (to === 'completed') log.add({ kind: 'prompt', data: { change: 'done', id, result: this.#lastResult } })
      else log.add({ kind: 'prompt', data: { change: 'removed', id } })
    }
    this.updateStatus()
    this.#handOut()
  }

  #agentEnded(agent: Promise<Query>, failure: unknown): void {
    const { asks, log, state } = this.#ports
    // Both the reader and the writer of the query notice its end. By then, another one might run.
    if (this.#query !== agent) return
    this.#query = undefined
    this.#inTurn = false
    this.#tasks.clear()
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
    this.#given.clear()
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
    const isBusy = this.#inTurn || state.started.length > 0
    const status = state.asks.size > 0 ? 'needs-you' : isBusy ? 'running' : 'idle'
    if (status !== state.status) log.add({ kind: 'state', data: { status } })
  }
}

/** What it printed says more than the code it ended with. */
function textOf(failure: unknown): string {
  if (failure instanceof ProcessExitError && failure.stderr.trim() !== '') return failure.stderr.trim()
  return messageOf(failure)
}
