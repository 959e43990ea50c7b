/** A session as one client sits at it: follows its log, tells the client, puts asks to its user, and answers its prompts. */
import type {
  AgentContext,
  AvailableCommand,
  PromptResponse,
  SessionConfigOption,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable'
import { methods } from '@agentclientprotocol/sdk/unstable'
import type { LocalAgents, Sessions } from '../../hub/sessions.js'
import type { Clock } from '../../platform/clock.js'
import type { FolderTrust } from '../../protocol/folder-settings-types.js'
import type { SDKMessage, SDKResultMessage, SDKTaskNotificationMessage } from '../../protocol/messages.js'
import type { ModelInfo, Options, SlashCommand } from '../../protocol/options.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Ask, Person } from '../../protocol/session-log/ask-types.js'
import type { LogItem, PromptChange, StateChange } from '../../protocol/session-log/entries.js'
import type { PromptTiming } from '../../protocol/session-log/prompt-types.js'
import type { MakeWorkspace } from '../../protocol/workspace/workspace.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { askClient } from '../asks/ask-client.js'
import { toRequestError } from '../request-errors.js'
import { toNoticeUpdate } from '../updates/notice.js'
import type { OutgoingUpdate } from '../updates/outgoing.js'
import { readOutputFileTail } from '../updates/output-end.js'
import { AcpUpdateTranslator } from '../updates/translator.js'
import { availableAcpCommands } from './commands.js'
import {
  addModelEffortLevels,
  type ChosenConfig,
  configOptions,
  INITIAL_CONFIG,
  sessionModeState,
  toAgentOptions,
} from './config-options.js'
import { createEditorBackedFiles } from './editor-files.js'
import { createEditorTerminalProcesses } from './editor-terminals.js'
import type { PromptContent } from './prompt-content.js'
import { createTurnStartError, promptResponseOrThrow } from './prompt-end.js'
import { withSubagentMessages } from './with-subagent-messages.js'

export type AcpSessionPorts = {
  hub: Sessions
  /** Undefined: its agent runs on another machine. */
  agents: LocalAgents | undefined
  context: AgentContext
  client: AcpClientAbilities
  newId(): string
  clock: Clock
  /** This process's environment. */
  env: Readonly<Record<string, string | undefined>>
}

type Waiting = {
  resolve(response: PromptResponse): void
  reject(error: unknown): void
  isCanceled: boolean
  message?: string
}

export class AcpSession {
  readonly id: string
  readonly cwd: string
  readonly #ports: AcpSessionPorts
  readonly #translator: AcpUpdateTranslator
  readonly #prompts = new Map<string, Waiting>()
  readonly #asks = new Map<string, AbortController>()
  readonly #end = new AbortController()
  readonly modes: readonly PermissionMode[]
  #chosen: ChosenConfig
  #models: readonly ModelInfo[] = []
  #commands = ''
  #result: SDKResultMessage | undefined
  #title: string | undefined
  /** What the client asked its agent to be like; what was chosen since comes on top. */
  #options: Options = {}
  wantsRaw = false
  /** Its agent has other options than it should have. */
  isStale = false
  /** How often its user has canceled. */
  cancels = 0
  /** Its user is still to be asked. */
  doubt?: FolderTrust

  constructor(id: string, cwd: string, modes: readonly PermissionMode[], ports: AcpSessionPorts) {
    this.id = id
    this.cwd = cwd
    this.modes = modes
    this.#ports = ports
    this.#chosen = INITIAL_CONFIG
    this.#translator = new AcpUpdateTranslator({ client: ports.client, session: id, cwd, now: ports.clock.now })
  }

  /** From this entry of the log on, until `leave`. */
  follow(after: number): void {
    void this.#follow(after)
  }

  get hasLeft(): boolean {
    return this.#end.signal.aborted
  }

  leave(): void {
    this.#end.abort()
    this.#onTurn()
    for (const ask of this.#asks.values()) ask.abort()
  }

  use(options: Options, chosen: Partial<ChosenConfig>): void {
    this.#options = options
    this.#chosen = { ...this.#chosen, ...chosen }
  }

  /** The form its next answers are to have; undefined: none that was asked for with a prompt. */
  useFormat(format: Options['outputFormat']): void {
    this.hasOwnFormat = format !== undefined
    const { outputFormat: _, ...rest } = this.#options
    this.#options = format === undefined ? rest : { ...rest, outputFormat: format }
  }
  hasOwnFormat = false

  get options(): Options {
    const { client, agents } = this.#ports
    const { readsFiles, writesFiles, runsCommands } = client
    const isPlain = !readsFiles && !writesFiles && !runsCommands
    const own = { stderr: this.#warned, ...(isPlain ? {} : { workspace: this.#workspace }) }
    return { ...this.#options, ...toAgentOptions(this.#chosen, this.#options.settings), ...(agents ? own : {}) }
  }

  /** What the agent has to say about its set-up: files it can't read, plugins that are not there. */
  readonly #warned = (text: string) => {
    this.#warnings.push(...text.split('\n').filter((line) => line.trim() !== ''))
    if (this.#isWelcome) void this.#tellWarnings()
  }
  #warnings: string[] = []
  #isWelcome = false

  /** The client knows the session: from here on, it can receive updates. */
  async welcome(commands: readonly SlashCommand[]): Promise<void> {
    this.#isWelcome = true
    await this.tellCommands(commands)
    await this.#tellWarnings()
  }

  async #tellWarnings(): Promise<void> {
    const lines = this.#warnings
    this.#warnings = []
    for (const line of new Set(lines)) await this.tell('warning', line)
  }

  /** What the client's user sees and has, in front of what is on this machine. */
  readonly #workspace: MakeWorkspace = ({ files, processes }) => {
    const { context, client, clock, env } = this.#ports
    const onStarted = (command: string, terminal: string) =>
      void this.#send(this.#translator.inTerminal(command, terminal))
    return {
      files: createEditorBackedFiles(files, { context, client, session: this.id, clock }),
      processes: client.runsCommands
        ? createEditorTerminalProcesses(processes, { context, session: this.id, clock, env, onStarted })
        : processes,
    }
  }

  get state() {
    return { modes: sessionModeState(this.#chosen, this.modes), configOptions: this.configOptions }
  }

  get configOptions(): SessionConfigOption[] {
    return configOptions(this.#chosen, this.#models, this.modes, this.#ports.client.switches)
  }

  get chosen(): ChosenConfig {
    return this.#chosen
  }

  /** Asks its agent what it has; starts one. */
  async describe(agents: LocalAgents) {
    const agent = await agents.agent(this.id)
    const { models, commands, account } = await agent.initializationResult()
    this.#models = addModelEffortLevels(models, this.#ports.env)
    return { commands, account }
  }

  /** What was said before. */
  async replay(): Promise<void> {
    const { hub } = this.#ports
    const messages = await hub.history(this.id)
    for (const message of withSubagentMessages(messages, await hub.agentMessages(this.id))) {
      // Lines of a transcript have what the translation needs of a message; of those of programs, this one's.
      if (message.type !== 'system' || message.subtype === 'compact_boundary')
        await this.#send(this.#translator.replay(message as SDKMessage, message.timestamp))
    }
    const left = this.#translator.openTasks
    if (left.length > 0) await this.#replayEnds(left)
    await this.#send(this.#translator.endReplay(left.length > 0 ? await hub.runningTasks(this.id) : []))
  }

  /** Ends of tasks that only the log tells: the conversation has those that the model heard of. */
  async #replayEnds(tasks: readonly string[]): Promise<void> {
    for await (const entries of this.#ports.hub.stored(this.id, 0))
      for (const { kind, data, at } of entries) {
        const isEnd = kind === 'message' && data.type === 'system' && data.subtype === 'task_notification'
        if (isEnd && tasks.includes(data.task_id)) await this.#send(this.#translator.replay(data, at))
      }
  }

  prompt(content: PromptContent, when: PromptTiming = 'queue'): Promise<PromptResponse> {
    const { hub, newId, client } = this.#ports
    if (this.#failure) return Promise.reject(this.#failure)
    const id = newId()
    return new Promise<PromptResponse>((resolve, reject) => {
      this.#prompts.set(id, { resolve, reject, isCanceled: false })
      this.#onTurn()
      hub.send(this.id, { id, content, when, by: { name: client.name, interface: 'acp' } }).catch((error: unknown) => {
        this.#prompts.delete(id)
        reject(error)
      })
    })
  }

  get isBusy(): boolean {
    return this.#prompts.size > 0
  }

  /** Ends what runs, and forgets what this client has waiting. */
  async cancel(): Promise<void> {
    const { hub } = this.#ports
    this.cancels += 1
    for (const waiting of this.#prompts.values()) waiting.isCanceled = true
    for (const ask of this.#asks.values()) ask.abort()
    const queue = await hub.queue(this.id)
    for (const { id } of queue) if (this.#prompts.has(id)) await hub.removePrompt(this.id, id).catch(() => {})
    await hub.interrupt(this.id, 'turn')
  }

  /** Returns the task of a sub-agent that is shown as a session. */
  taskOf(session: string): string | undefined {
    return this.#translator.taskOf(session)
  }

  async choose(change: Partial<ChosenConfig>): Promise<void> {
    this.#chosen = { ...this.#chosen, ...change }
    await this.tellConfig()
  }

  async tellConfig(): Promise<void> {
    await this.#update({ sessionUpdate: 'config_option_update', configOptions: this.configOptions })
  }

  async tellCommands(commands: readonly SlashCommand[]): Promise<void> {
    const availableCommands: AvailableCommand[] = availableAcpCommands(commands)
    const names = availableCommands.map(({ name }) => name).join(' ')
    if (names === this.#commands) return
    this.#commands = names
    await this.#update({ sessionUpdate: 'available_commands_update', availableCommands })
  }

  async say(text: string): Promise<void> {
    const messageId = this.#ports.newId()
    await this.#update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId })
  }

  async tell(severity: 'info' | 'warning' | 'error', title: string, description?: string): Promise<void> {
    await this.#update(
      toNoticeUpdate(this.#ports.client, {
        level: severity,
        text: title,
        ...(description === undefined ? {} : { detail: description }),
      }),
    )
  }

  async #follow(after: number): Promise<void> {
    const { hub, client } = this.#ports
    try {
      for await (const item of hub.read(this.id, { after, signal: this.#end.signal })) {
        if (client.wants.updatesInTurns) await this.#turn()
        if (this.hasLeft) break
        await this.#take(item)
      }
      this.#endAll({ stopReason: 'cancelled' })
    } catch (error) {
      this.#failure = toRequestError(error)
      for (const { reject } of this.#prompts.values()) reject(this.#failure)
      this.#prompts.clear()
    }
  }
  /** Why the log is no longer followed; prompts would never be answered. */
  #failure: Error | undefined

  /** Until a prompt of this client is under way; or it leaves. */
  #turn(): Promise<void> {
    if (this.#prompts.size > 0 || this.hasLeft) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onTurn = resolve
    })
  }
  #onTurn = () => {}

  async #take(item: LogItem): Promise<void> {
    if (item.kind === 'message') return this.#message(item)
    await this.#send(this.#translator.takeItem(item))
    switch (item.kind) {
      case 'ask':
        return this.#ask(item.data)
      case 'answered':
      case 'withdrawn':
        return this.#closeAsk(item.data.ask)
      case 'prompt':
        return this.#promptMoved(item.data)
      case 'state':
        return this.#stateChanged(item.data)
    }
  }

  async #message(item: Extract<LogItem, { kind: 'message' }>): Promise<void> {
    const { data: message } = item
    if (message.type === 'result') this.#result = message
    if (message.type === 'system' && message.subtype === 'task_notification') await this.#lastOutput(message)
    await this.#send(this.#translator.takeItem(item))
    if (this.wantsRaw) await this.#send([{ method: '_claude/sdkMessage', params: { sessionId: this.id, message } }])
    if (message.type !== 'system') return
    // Servers bring commands when they are connected, and another agent has others.
    if (message.subtype === 'commands_changed') await this.tellCommands(message.commands)
    if (message.subtype === 'init') await this.#refreshCommands(message.slash_commands).catch(() => {})
  }

  async #lastOutput({ task_id: task, output_file: file }: SDKTaskNotificationMessage): Promise<void> {
    if (!this.#ports.agents) return
    await this.#send(this.#translator.lastOutput(task, () => readOutputFileTail(file)))
  }

  async #refreshCommands(names: readonly string[]): Promise<void> {
    if (names.length === this.#commandCount) return
    this.#commandCount = names.length
    const { agents } = this.#ports
    if (!agents) return this.tellCommands(names.map((name) => ({ name, description: '', argumentHint: '' })))
    const agent = await agents.agent(this.id)
    await this.tellCommands(await agent.supportedCommands())
  }
  #commandCount = 0

  async #promptMoved(change: PromptChange): Promise<void> {
    if (change.change === 'queued' || change.change === 'reordered') return
    const waiting = this.#prompts.get(change.id)
    if (change.change === 'started') {
      if (waiting) waiting.message = change.message
      const content = { type: 'text' as const, text: '' }
      // The client has shown what its user said; this is how that message is called, for going back to it.
      if (waiting) await this.#update({ sessionUpdate: 'user_message_chunk', content, messageId: change.message })
      // It was canceled before it had begun.
      if (waiting?.isCanceled) await this.#ports.hub.interrupt(this.id, 'turn').catch(() => {})
      return
    }
    if (!waiting) return
    this.#prompts.delete(change.id)
    // Not of a session that is being closed: asking would open it again. And without a title there is still an answer.
    if (change.change === 'done' && !waiting.isCanceled) await this.#tellTitle().catch(() => {})
    if (change.change === 'done') this.#answer(waiting, change.result)
    else if (change.change === 'removed' || waiting.isCanceled) waiting.resolve({ stopReason: 'cancelled' })
    else waiting.reject(createTurnStartError(this.#result) ?? toRequestError(new Error(change.reason)))
  }

  #answer({ resolve, reject, isCanceled, message }: Waiting, uuid: string): void {
    const result = this.#result?.uuid === uuid ? this.#result : undefined
    this.#result = undefined
    try {
      const response: PromptResponse = result ? promptResponseOrThrow(result, message) : { stopReason: 'end_turn' }
      resolve(isCanceled ? { ...response, stopReason: 'cancelled' } : response)
    } catch (error) {
      if (isCanceled) resolve({ stopReason: 'cancelled' })
      else reject(error)
    }
  }

  #endAll(response: PromptResponse): void {
    for (const { resolve } of this.#prompts.values()) resolve(response)
    this.#prompts.clear()
  }

  async #ask(ask: Ask): Promise<void> {
    const { context, client, hub } = this.#ports
    if (ask.kind === 'plan' && client.plans) await this.#tellPlan(ask)
    if (ask.kind === 'elicitation' && ask.elicitation?.mode !== 'url' && !client.forms)
      await this.tell(
        'warning',
        `MCP server ${ask.elicitation?.serverName} asks`,
        `${ask.elicitation?.message} (This editor can't show forms, so it was declined.)`,
      )
    const abort = new AbortController()
    this.#asks.set(ask.id, abort)
    const place = { session: this.#translator.sessionOf(ask), cwd: this.cwd, modes: this.modes }
    const by: Person = { name: client.name, interface: 'acp' }
    // Not awaited: another client can answer, and the log continues.
    void askClient(ask, { ...place, context, client, signal: abort.signal })
      .catch(() => ({ kind: 'deny' as const, message: 'The editor could not ask the user.' }))
      .then((answer) => (abort.signal.aborted ? undefined : hub.answer(this.id, ask.id, answer, by)))
      .catch((error: unknown) => this.tell('error', 'The answer was not taken', toRequestError(error).message))
  }

  async #closeAsk(id: string): Promise<void> {
    const ask = this.#asks.get(id)
    this.#asks.delete(id)
    ask?.abort()
  }

  async #tellPlan({ tool }: Ask): Promise<void> {
    const plan = tool?.input['plan']
    if (typeof plan !== 'string') return
    await this.#update({ sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'plan', content: plan } })
  }

  async #stateChanged({ mode, title }: StateChange): Promise<void> {
    if (mode !== undefined && mode !== this.#chosen.mode) {
      this.#chosen = { ...this.#chosen, mode }
      await this.#update({ sessionUpdate: 'current_mode_update', currentModeId: mode })
      await this.tellConfig()
    }
    if (title !== undefined && title !== this.#title) {
      this.#title = title ?? undefined
      await this.#update({ sessionUpdate: 'session_info_update', title })
    }
  }

  async #tellTitle(): Promise<void> {
    const { title, lastActivity } = await this.#ports.hub.info(this.id)
    if (title === undefined || title === this.#title) return
    this.#title = title
    const updatedAt = new Date(lastActivity).toISOString()
    await this.#update({ sessionUpdate: 'session_info_update', title, updatedAt })
  }

  async #update(update: SessionUpdate): Promise<void> {
    await this.#send([{ sessionId: this.id, update }])
  }

  async #send(outgoing: readonly OutgoingUpdate[]): Promise<void> {
    const { context } = this.#ports
    for (const out of outgoing) {
      const sent =
        'method' in out ? context.notify(out.method, out.params) : context.notify(methods.client.session.update, out)
      // The client is gone; the owner of the connection handles that.
      await sent.catch(() => {})
    }
  }
}
