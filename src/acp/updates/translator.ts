/**
 * Translates a session for the client: each message is applied to a view, and what changes there is told. What has no item is told
 * from the message. docs/acp.md has the table.
 */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { taskEndInNotice } from '../../background/lost-tasks.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type { SDKMessage, SDKUserMessage, SDKUserMessageReplay } from '../../protocol/messages.js'
import type { Ask } from '../../protocol/session-log/ask-types.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import { addCallToView, applyMessage, applyToView, endTranscriptItemsInView } from '../../view/session-view.js'
import { slashCommandOutputIn } from '../../view/slash-output.js'
import type { NoticeItem, TextItem, ToolItem, ViewChange } from '../../view/view-items.js'
import { createSessionView, type SessionView } from '../../view/view-state.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { createCompactionEndUpdates, createCompactionStartUpdate } from './compaction.js'
import { UsageAndStatusUpdates } from './message-updates.js'
import { toNoticeUpdate } from './notice.js'
import type { OutgoingUpdate } from './outgoing.js'
import { todosToPlanUpdate } from './plan.js'
import { SubagentTracker } from './subagents.js'
import { textUpdates } from './text-updates.js'
import { toAcpImage } from './tool-content.js'
import { ToolUpdates } from './tool-updates.js'

export type AcpUpdateTranslatorPorts = { client: AcpClientAbilities; session: string; cwd: string; now(): number }

export class AcpUpdateTranslator {
  readonly #ports: AcpUpdateTranslatorPorts
  readonly #view: SessionView = createSessionView('open')
  readonly #tools: ToolUpdates
  readonly #beside: UsageAndStatusUpdates
  readonly #subagents: SubagentTracker
  #todos = this.#view.todos
  /** What each sub-agent of a transcript said last. */
  readonly #lastSaid = new Map<string, string>()
  #isReplay = false

  constructor(ports: AcpUpdateTranslatorPorts) {
    const { client, session } = ports
    this.#ports = ports
    this.#tools = new ToolUpdates(ports)
    this.#beside = new UsageAndStatusUpdates({ client, session, view: this.#view, tools: this.#tools })
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
    return this.#changes(endTranscriptItemsInView(this.#view, running))
  }

  take(message: SDKMessage, at = ''): OutgoingUpdate[] {
    const wasSummaryNext = this.#view.open.awaitsSummary
    const key = 'uuid' in message ? (message.uuid ?? '') : ''
    const changes = this.#changes(applyMessage(this.#view, message, key, at), message)
    if (message.type === 'user') return [...changes, ...(this.#isReplay ? this.#said(message, wasSummaryNext) : [])]
    const beside = this.#beside.of(message, changes.length > 0)
    if (beside.length === 0) return changes
    const isLast = message.type === 'result' || (message.type === 'system' && message.subtype === 'hook_response')
    return isLast ? [...changes, ...beside] : [...beside, ...changes]
  }

  /** Takes an item of the log. */
  takeItem(item: LogItem): OutgoingUpdate[] {
    switch (item.kind) {
      case 'message':
      case 'delta':
        return this.take(item.data, item.at)
      case 'ask':
      case 'answered':
      case 'withdrawn':
        return this.#takeRequest(item)
      case 'prompt':
      case 'state':
        return this.#changes(applyToView(this.#view, item))
    }
  }

  /** A request is open, or closed. */
  #takeRequest(item: Extract<LogItem, { kind: 'ask' | 'answered' | 'withdrawn' }>): OutgoingUpdate[] {
    const { tool } = item.kind === 'ask' ? item.data : {}
    // A client may wait for a call it knows before it shows the question about it.
    const call = tool ? this.#changes(addCallToView(this.#view, tool, item.at)) : []
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
    const updates: OutgoingUpdate[] = []
    const cut: string[] = []
    for (const change of changes) {
      updates.push(...this.#change(change, message))
      if (change.item.kind === 'tool' && change.item.state === 'unfinished') cut.unshift(change.item.useId)
    }
    // Agents after their calls, and those that were started first last.
    for (const call of cut) updates.push(...this.#subagents.ends(call, '', false))
    return updates
  }

  #change(change: ViewChange, message: SDKMessage | undefined): OutgoingUpdate[] {
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
  }

  #speech(item: TextItem, change: ViewChange, message: SDKMessage | undefined): OutgoingUpdate[] {
    const { parent, text, isLive, isCommandOutput } = item
    if (this.#isReplay && parent !== '' && item.kind === 'text' && !isLive) this.#lastSaid.set(parent, text)
    const updates = textUpdates(item, change, isCommandOutput ? message?.uuid : item.message)
    return this.#of(
      parent,
      updates.map((update) => marked(update, this.#ports.client.subagents ? '' : parent)),
    )
  }

  #tool(item: ToolItem, change: ViewChange, message: SDKMessage | undefined): OutgoingUpdate[] {
    const { what } = change
    const { useId, name, input, parent, state } = item
    const updates = this.#tools.of(item, change, message ? NOTICE_TEXTS.endedBefore : NOTICE_TEXTS.notFinished)
    if (this.#todos !== this.#view.todos) {
      this.#todos = this.#view.todos
      updates.push(todosToPlanUpdate(this.#ports.client, this.#todos))
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
      if (what === 'added') return this.#main([createCompactionStartUpdate(client, item)])
      const isOver = this.#view.open.compaction !== item
      return isOver ? this.#main(createCompactionEndUpdates(client, item)) : []
    }
    // What a sub-agent was told stands in its call, and that a call was denied in the call.
    const isInCall = message?.type === 'system' && message.subtype === 'permission_denied'
    if (what !== 'added' || item.about === 'sub-agent' || isInCall) return []
    const { level, text, detail, until, at } = item
    const retry = until === undefined ? {} : { retryMs: until - (Date.parse(at) || 0) }
    const severity = level === 'mark' ? 'info' : level
    return this.#of(item.parent, [
      toNoticeUpdate(client, { level: severity, text, ...(detail === undefined ? {} : { detail }), ...retry }),
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

  /** What the user said before. What was put in their mouth is for the model. */
  #said(message: SDKUserMessage | SDKUserMessageReplay, isSummary: boolean): OutgoingUpdate[] {
    const { content } = message.message
    const blocks: readonly ContentBlockParam[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const isUsers = message.isSynthetic !== true && message.parent_tool_use_id === null && !isSummary
    const id = message.uuid === undefined ? {} : { messageId: message.uuid }
    return blocks.flatMap((block) => {
      const said = block.type === 'text' ? (isUsers && isOfUser(block.text) ? block : undefined) : toAcpImage(block)
      if (!said) return []
      const shown = said.type === 'text' ? { type: 'text' as const, text: said.text } : said
      return this.#main([{ sessionUpdate: 'user_message_chunk', content: shown, ...id }])
    })
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

function marked(update: SessionUpdate, parent: string): SessionUpdate {
  if (parent === '') return update
  const before = isObject(update._meta) ? update._meta : {}
  const kedge = isObject(before['kedge']) ? before['kedge'] : {}
  return {
    ...update,
    _meta: { ...before, claudeCode: { parentToolUseId: parent }, kedge: { ...kedge, parentToolUseId: parent } },
  }
}

function isOfUser(text: string): boolean {
  return slashCommandOutputIn(text) === undefined && taskEndInNotice(text) === undefined
}

function replyIn(output: unknown): string {
  if (!isObject(output) || !Array.isArray(output['content'])) return ''
  return output['content']
    .flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? block['text'] : []))
    .join('\n')
}
