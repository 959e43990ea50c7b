/**
 * Drives the agent of one session: starts it with the first prompt, gives it prompts, writes down what it says and asks,
 * passes on what users want of it, and tells how its turns and itself end. Which prompt comes when is up to its owner.
 */
import { KedgeError } from '../../errors.js'
import type { ContentBlockParam, UUID } from '../../protocol/content.js'
import type { SDKMessage, SDKResultMessage } from '../../protocol/messages.js'
import type { Options } from '../../protocol/options.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Query } from '../../protocol/query.js'
import type { StateChange } from '../../protocol/session-log/entries.js'
import { SubAgentCallIndex } from './agent-calls.js'
import { ALL_OUTPUT_OPTIONS } from './agent-options.js'
import { type AgentRequestPorts, createAgentRequestHandlers } from './agent-requests.js'
import { RunningTasks } from './running-tasks.js'
import type { SessionJournal } from './session-journal.js'

export type SessionDriverPorts = Omit<AgentRequestPorts, 'askerOf'> & {
  journal: SessionJournal
  /** Starts an agent for the conversation as it is stored. */
  start(own: Options): Promise<Query>
  events: SessionDriverEvents
}

/** What the owner of a driver hears. */
export type SessionDriverEvents = {
  /** The agent says what it works with. */
  settings(change: Pick<StateChange, 'model' | 'mode'>): void
  turnBegan?(): void
  /** A turn is over. The owner writes the result down. `isOwn`: the agent began it, when a background task had ended. */
  result(result: SDKResultMessage, of: { isOwn: boolean }): void
  promptMoved?(message: string, to: PromptLifecycleState): void
  /** The agent is gone, or did not start. `failure` is undefined if it ended on its own, or was ended. */
  ended(failure: unknown): void
}

export type PromptLifecycleState = Extract<SDKMessage, { type: 'command_lifecycle' }>['state']

/** `Given` is a prompt as the owner knows it. */
export class SessionDriver<Given> {
  readonly tasks = new RunningTasks()
  /** Prompts the agent was given and that have not ended, by their id in the transcript. */
  readonly given = new Map<string, Given>()
  readonly #ports: SessionDriverPorts
  readonly #calls = new SubAgentCallIndex()
  readonly #requests: ReturnType<typeof createAgentRequestHandlers>
  #agent: Promise<Query> | undefined
  #running: Query | undefined
  #followed: Promise<void> | undefined
  /** Between the first message of a turn and its result. */
  #isInTurn = false
  /** The turn is about a prompt. */
  #hasPrompt = false

  constructor(ports: SessionDriverPorts) {
    this.#ports = ports
    this.#requests = createAgentRequestHandlers({ ...ports, askerOf: (useId) => this.#calls.of(useId) })
  }

  /** The agent, if there is one. */
  get agent(): Promise<Query> | undefined {
    return this.#agent
  }

  /** The agent while it runs: it has started, and is not being ended. */
  get running(): Query | undefined {
    return this.#running
  }

  get isInTurn(): boolean {
    return this.#isInTurn
  }

  /** Returns the agent, and starts one if there is none. `own` are options for this start. */
  started(own: Options = {}): Promise<Query> {
    if (this.#agent) return this.#agent
    const agent = this.#ports.start({ ...ALL_OUTPUT_OPTIONS, ...this.#requests, ...own })
    this.#agent = agent
    agent.then(
      (query) => {
        this.#running = query
        this.#followed = this.#follow(query, agent)
      },
      (error) => this.#over(agent, error),
    )
    return agent
  }

  /** Gives the agent a prompt, and starts it if needed. `message` is the prompt's id in the transcript. */
  async give(message: string, prompt: Given, content: string | ContentBlockParam[]): Promise<void> {
    this.given.set(message, prompt)
    const agent = this.started()
    try {
      await (await agent).send({
        type: 'user',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        session_id: this.#ports.session,
        uuid: message as UUID, // made as one
      })
    } catch (error) {
      this.#over(agent, error)
    }
  }

  /** Starts an agent that continues the turn of this prompt, which the transcript has. */
  async resume(message: string, prompt: Given): Promise<void> {
    this.given.set(message, prompt)
    this.#hasPrompt = true
    // `ended` says why it did not start.
    await this.started({ continueTurn: true }).catch(() => undefined)
  }

  /** `turn`: what waits comes next. `all`: work in the background is stopped as well. */
  interrupt(scope: 'turn' | 'all' | { task: string }): Promise<void> {
    return this.#reach((query) => (typeof scope === 'object' ? query.stopTask(scope.task) : query.interrupt({ scope })))
  }

  /** Changes the running agent. The owner starts the next one with it. */
  change({ mode, model }: { mode?: PermissionMode; model?: string }): Promise<void> {
    return this.#reach(async (query) => {
      if (mode !== undefined) await query.setPermissionMode(mode)
      if (model !== undefined) await query.setModel(model)
    })
  }

  /** Ends the agent, and resolves when it is gone. The next prompt starts another. */
  async end(): Promise<void> {
    this.#running = undefined
    const query = await this.#agent?.catch(() => undefined)
    query?.close()
    await query?.closed
    await this.#followed
  }

  async #reach(work: (query: Query) => Promise<unknown>): Promise<void> {
    const query = await this.#agent?.catch(() => undefined)
    if (!query) return
    await work(query).catch((error: unknown) => {
      // The query has ended on its own.
      if (!KedgeError.isInstance(error) || error.code !== 'query_closed') throw error
    })
  }

  async #follow(query: Query, agent: Promise<Query>): Promise<void> {
    let failure: unknown
    try {
      for await (const message of query) this.#take(message)
    } catch (error) {
      failure = error
    }
    this.#over(agent, failure)
  }

  #take(message: SDKMessage): void {
    const { journal, events } = this.#ports
    this.#calls.note(message)
    this.tasks.note(message)
    if (message.type === 'stream_event' || (message.type === 'tool_progress' && message.output !== undefined))
      journal.addDelta(message)
    else if (message.type === 'command_lifecycle') {
      if (message.state === 'started' && this.given.has(message.command_uuid)) this.#hasPrompt = true
      events.promptMoved?.(message.command_uuid, message.state)
    } else if (message.type === 'result') {
      const isOwn = this.#isInTurn && !this.#hasPrompt
      this.#isInTurn = false
      this.#hasPrompt = false
      events.result(message, { isOwn })
    } else journal.add({ kind: 'message', data: message })
    if (message.type !== 'system') return
    if (message.subtype === 'init') {
      this.#isInTurn = true
      events.settings({ model: message.model, mode: message.permissionMode })
      events.turnBegan?.()
    }
    if (message.subtype === 'status' && message.permissionMode) events.settings({ mode: message.permissionMode })
  }

  #over(agent: Promise<Query>, failure: unknown): void {
    // Both the reader and the writer of the query notice its end. By then, another one might run.
    if (this.#agent !== agent) return
    this.#agent = undefined
    this.#running = undefined
    this.#isInTurn = false
    this.#hasPrompt = false
    this.tasks.clear()
    this.#ports.events.ended(failure)
  }
}
