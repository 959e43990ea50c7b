/**
 * Translates a session for the client: each message is applied to a view, and what changes there is told. What has no item is told
 * from the message. docs/acp.md has the table.
 */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { taskEndInNotice } from '../../background/lost-tasks.js'
import type { Ask } from '../../hub/ask-types.js'
import type { LogItem } from '../../hub/log/entries.js'
import { addCall, applyMessage, applyToView, endTranscript } from '../../hub/view/session-view.js'
import { commandOutputIn } from '../../hub/view/slash-output.js'
import type { NoticeItem, TextItem, ToolItem, ViewChange } from '../../hub/view/view-items.js'
import { createSessionView, type SessionView } from '../../hub/view/view-state.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type { SDKMessage, SDKUserMessage, SDKUserMessageReplay } from '../../protocol/messages.js'
import { NOTICES } from '../../protocol/shown/vocabulary.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { compactionBegins, compactionEnds } from './compaction.js'
import { hookUpdate } from './hook-updates.js'
import { notice } from './notice.js'
import type { OutgoingUpdate } from './outgoing.js'
import { planUpdate } from './plan.js'
import { speechUpdates } from './speech.js'
import { SubagentTracker } from './subagents.js'
import { imageOf } from './tool-content.js'
import { ToolUpdates } from './tool-updates.js'
import { UsageMeter } from './usage-meter.js'

export type TranslatorPorts = { client: AcpClientAbilities; session: string; cwd: string; now(): number }

export class Translator {
  readonly #ports: TranslatorPorts
  readonly #view: SessionView = createSessionView('open')
  readonly #tools: ToolUpdates
  readonly #usage = new UsageMeter()
  readonly #subagents: SubagentTracker
  #todos = this.#view.todos
  /** What each sub-agent of a transcript said last. */
  readonly #lastSaid = new Map<string, string>()
  #isReplay = false

  constructor(ports: TranslatorPorts) {
    const { client, session } = ports
    this.#ports = ports
    this.#tools = new ToolUpdates(ports)
    this.#subagents = new SubagentTracker({ session, isOn: client.subagents })
  }

  /** Replays a stored message, including the user's. */
  replay(message: SDKMessage, at?: string): OutgoingUpdate[] {
    this.#isReplay = true
    try {
      return this.take(message, at)
    } finally {
      this.#isReplay = false
    }
  }

  /** What was begun before and has no end never will have one, except for tasks that run. */
  endReplay(running: readonly string[] = []): OutgoingUpdate[] {
    this.#lastSaid.clear()
    return this.#changes(endTranscript(this.#view, running))
  }

  take(message: SDKMessage, at = ''): OutgoingUpdate[] {
    const wasSummaryNext = this.#view.open.awaitsSummary
    const key = 'uuid' in message ? (message.uuid ?? '') : ''
    const changes = this.#changes(applyMessage(this.#view, message, key, at), message)
    if (message.type === 'user') return [...changes, ...(this.#isReplay ? this.#said(message, wasSummaryNext) : [])]
    const beside = this.#beside(message, changes.length > 0)
    const isLast = message.type === 'result' || (message.type === 'system' && message.subtype === 'hook_response')
    return isLast ? [...changes, ...beside] : [...beside, ...changes]
  }

  /** A request is open, or closed. */
  takeRequest(item: Extract<LogItem, { kind: 'ask' | 'answered' | 'withdrawn' }>): OutgoingUpdate[] {
    const { tool } = item.kind === 'ask' ? item.data : {}
    // A client may wait for a call it knows before it shows the question about it.
    const call = tool ? this.#changes(addCall(this.#view, tool, item.at)) : []
    return [...call, ...this.#changes(applyToView(this.#view, item))]
  }

  /** Returns the session in which the client shows the call of a request. */
  sessionOf(ask: Ask): string {
    return this.#subagents.sessionOf(this.#askerOf(ask))
  }

  /** Returns the tasks of calls in the background. */
  get openTasks(): string[] {
    return [...this.#view.open.openCalls.values()].flatMap(({ state, task }) =>
      state === 'background' && task ? task.id : [],
    )
  }

  /** Returns the task of a call in the background. */
  taskOf(call: string): string | undefined {
    const { state, task } = this.#view.open.calls.get(call) ?? {}
    return state === 'background' ? task?.id : undefined
  }

  /** Notes that the client shows the command in its own terminal. */
  inTerminal(command: string, terminalId: string): OutgoingUpdate[] {
    const [item, update] = this.#tools.inTerminal(this.#view.open.openCalls.values(), command, terminalId) ?? []
    return item && update ? this.#of(item.parent, [update]) : []
  }

  /** Takes the end of what a command in the background printed; undefined if its file can't be read. */
  lastOutput(task: string, read: () => string | undefined): OutgoingUpdate[] {
    const item = this.#view.open.calls.get(this.#view.open.taskCalls.get(task) ?? '')
    const end = item?.state === 'background' ? read() : undefined
    return item && end !== undefined ? this.#of(item.parent, this.#tools.lastOutput(item, end)) : []
  }

  #changes(changes: readonly ViewChange[], message?: SDKMessage): OutgoingUpdate[] {
    const updates = changes.flatMap((change): OutgoingUpdate[] => {
      const { item } = change
      switch (item.kind) {
        case 'text':
        case 'thinking':
          return this.#speech(item, change, message)
        case 'tool':
          return this.#tool(item, change, message)
        case 'notice':
          return this.#notice(item, change.what, message)
        case 'request':
          return this.#waits(item.ask)
        default:
          return []
      }
    })
    // Agents after their calls, and those that were started first last.
    const cut = changes.flatMap(({ item }) => (item.kind === 'tool' && item.state === 'unfinished' ? item.useId : []))
    return [...updates, ...cut.reverse().flatMap((call) => this.#subagents.ends(call, '', false))]
  }

  #speech(item: TextItem, change: ViewChange, message: SDKMessage | undefined): OutgoingUpdate[] {
    const { parent, text, isLive, isCommandOutput } = item
    if (this.#isReplay && parent !== '' && item.kind === 'text' && !isLive) this.#lastSaid.set(parent, text)
    const updates = speechUpdates(item, change, isCommandOutput ? message?.uuid : item.message)
    return this.#of(
      parent,
      updates.map((update) => marked(update, this.#ports.client.subagents ? '' : parent)),
    )
  }

  #tool(item: ToolItem, change: ViewChange, message: SDKMessage | undefined): OutgoingUpdate[] {
    const { what } = change
    const { useId, name, input, parent, state } = item
    const updates = this.#tools.of(item, change, message ? NOTICES.endedBefore : NOTICES.notFinished)
    if (this.#todos !== this.#view.todos) {
      this.#todos = this.#view.todos
      updates.push(planUpdate(this.#ports.client, this.#todos))
    }
    const told = this.#of(parent, updates)
    if (name !== 'Task') return told
    if ((what === 'added' || what === 'input') && state !== 'writing')
      return [...told, ...this.#subagents.starts(useId, input, parent || null)]
    return [...told, ...this.#subagentEnds(item)]
  }

  #subagentEnds({ useId, state, result, task }: ToolItem): OutgoingUpdate[] {
    if (!result || state === 'background' || state === 'unfinished') return []
    const { isError, detail } = result
    const isTold = task !== undefined && task.status !== 'running'
    const last = detail === undefined && !isError ? this.#lastSaid.get(useId) : undefined
    const reply = isTold ? (task.summary ?? '') : (last ?? replyIn(detail))
    return this.#subagents.ends(useId, reply, isTold ? task.status !== 'stopped' : !isError)
  }

  #notice(item: NoticeItem, what: ViewChange['what'], message: SDKMessage | undefined): OutgoingUpdate[] {
    const { client } = this.#ports
    if (item.about === 'compaction') {
      if (what === 'added') return this.#main([compactionBegins(client, item)])
      const isOver = this.#view.open.compaction !== item
      return isOver ? this.#main(compactionEnds(client, item)) : []
    }
    // What a sub-agent was told stands in its call, and that a call was denied in the call.
    const isInCall = message?.type === 'system' && message.subtype === 'permission_denied'
    if (what !== 'added' || item.about === 'sub-agent' || isInCall) return []
    const { level, text, detail, until, at } = item
    const retry = until === undefined ? {} : { retryMs: until - (Date.parse(at) || 0) }
    const severity = level === 'mark' ? 'info' : level
    return this.#of(item.parent, [
      notice(client, { level: severity, text, ...(detail === undefined ? {} : { detail }), ...retry }),
    ])
  }

  #waits(ask: Ask): OutgoingUpdate[] {
    const asker = this.#askerOf(ask)
    if (asker === null) return []
    return this.#subagents.waits(
      asker,
      this.#view.openRequests.some((open) => this.#askerOf(open) === asker),
    )
  }

  /** The call whose sub-agent asks. */
  #askerOf({ tool }: Ask): string | null {
    return this.#view.open.calls.get(tool?.useId ?? '')?.parent || null
  }

  /** What has no item. */
  #beside(message: Exclude<SDKMessage, { type: 'user' }>, isShown: boolean): OutgoingUpdate[] {
    const { client, session } = this.#ports
    switch (message.type) {
      case 'stream_event':
        return message.parent_tool_use_id === null ? this.#main(this.#usage.stream(message.event)) : []
      case 'result':
        return this.#main([...structured(message), ...this.#usage.result(message)])
      case 'tool_use_summary': {
        const { summary, preceding_tool_use_ids: toolCallIds } = message
        const about = { toolUseSummary: { summary, toolCallIds } }
        const told = this.#note(toolCallIds.at(-1), about)
        if (client.wants.toolUseSummaries) {
          const params = { sessionId: session, ...about.toolUseSummary }
          return [...told, { method: '_kedge/tool_use_summary', params }]
        }
        return told.length > 0 ? told : this.#main([info(about)])
      }
      case 'rate_limit_event':
        return this.#main([this.#usage.rateLimit(message.rate_limit_info)])
      case 'prompt_suggestion':
        return this.#main([info({ promptSuggestion: message.suggestion })])
      case 'system':
        return this.#besideSystem(message, isShown)
      default:
        return []
    }
  }

  #besideSystem(message: Extract<SDKMessage, { type: 'system' }>, isShown: boolean): OutgoingUpdate[] {
    const { client, session } = this.#ports
    switch (message.subtype) {
      case 'init':
        this.#usage.model(message.model)
        return []
      case 'hook_started':
      case 'hook_progress':
      case 'hook_response':
        return [hookUpdate(message, this.#view.open.openCalls.values(), { client, session, tools: this.#tools })]
      case 'task_started':
      case 'task_progress':
        return this.#note(message.tool_use_id, { task: taskFields(message) })
      case 'task_updated': {
        const { task_id: id, patch } = message
        return this.#note(this.#view.open.taskCalls.get(id), { task: { id, ...patch } })
      }
      case 'task_notification':
        return isShown ? [] : this.#main([info({ task: taskFields(message) })])
      case 'elicitation_complete':
        // A client that can't show the page has asked its user to confirm instead.
        return client.urls
          ? [{ method: 'elicitation/complete', params: { elicitationId: message.elicitation_id } }]
          : []
      case 'background_tasks_changed':
        return this.#main([info({ backgroundTasks: message.tasks })])
      case 'files_persisted':
        return this.#main([info({ filesPersisted: message.files })])
      default:
        return []
    }
  }

  /** What the user said before. What was put in their mouth is for the model. */
  #said(message: SDKUserMessage | SDKUserMessageReplay, isSummary: boolean): OutgoingUpdate[] {
    const { content } = message.message
    const blocks: readonly ContentBlockParam[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const isUsers = message.isSynthetic !== true && message.parent_tool_use_id === null && !isSummary
    const id = message.uuid === undefined ? {} : { messageId: message.uuid }
    return blocks.flatMap((block) => {
      const said = block.type === 'text' ? (isUsers && isOfUser(block.text) ? block : undefined) : imageOf(block)
      if (!said) return []
      const shown = said.type === 'text' ? { type: 'text' as const, text: said.text } : said
      return this.#main([{ sessionUpdate: 'user_message_chunk', content: shown, ...id }])
    })
  }

  #note(call: string | undefined, kedge: Record<string, unknown>): OutgoingUpdate[] {
    const item = this.#view.open.calls.get(call ?? '')
    return item ? this.#main(this.#tools.note(item, kedge)) : []
  }

  #main(updates: SessionUpdate[]): OutgoingUpdate[] {
    return this.#of('', updates)
  }

  /** In the session of the sub-agent, where the client shows those. */
  #of(parent: string, updates: SessionUpdate[]): OutgoingUpdate[] {
    const sessionId = this.#subagents.sessionOf(parent || null)
    return updates.map((update) => ({ sessionId, update }))
  }
}

/** Anything without a kind of its own is reported as information about the session. */
function info(kedge: Record<string, unknown>): SessionUpdate {
  return { sessionUpdate: 'session_info_update', _meta: { kedge } }
}

function marked(update: SessionUpdate, parent: string): SessionUpdate {
  if (parent === '') return update
  const before = isObject(update._meta) ? update._meta : {}
  const kedge = isObject(before['kedge']) ? before['kedge'] : {}
  return {
    ...update,
    _meta: { ...before, claudeCode: { parentToolUseId: parent }, kedge: { ...kedge, parentToolUseId: parent } },
  }
}

function structured(message: Extract<SDKMessage, { type: 'result' }>): SessionUpdate[] {
  if (message.subtype !== 'success' || message.structured_output === undefined) return []
  const resource = {
    uri: 'kedge:structured-output',
    mimeType: 'application/json',
    text: JSON.stringify(message.structured_output),
  }
  return [{ sessionUpdate: 'agent_message_chunk', content: { type: 'resource', resource }, messageId: message.uuid }]
}

function isOfUser(text: string): boolean {
  return commandOutputIn(text) === undefined && taskEndInNotice(text) === undefined
}

function replyIn(output: unknown): string {
  if (!isObject(output) || !Array.isArray(output['content'])) return ''
  return output['content']
    .flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? block['text'] : []))
    .join('\n')
}

function taskFields(message: Extract<SDKMessage, { subtype: 'task_started' | 'task_progress' | 'task_notification' }>) {
  const { task_id: id } = message
  switch (message.subtype) {
    case 'task_started':
      return { id, status: 'running', description: message.description, type: message.task_type }
    case 'task_progress':
      return {
        id,
        status: 'running',
        description: message.description,
        usage: message.usage,
        lastTool: message.last_tool_name,
      }
    case 'task_notification':
      return { id, status: message.status, summary: message.summary, outputFile: message.output_file }
  }
}
