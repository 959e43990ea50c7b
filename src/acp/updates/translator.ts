/**
 * Translates the agent's messages for the client: every kind, in one place. Nothing is decided here, and nothing is
 * left out silently. docs/acp.md has the table.
 */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { noticesOf } from '../../hub/view/view-notices.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type { SDKAssistantMessage, SDKMessage, SDKUserMessage, SDKUserMessageReplay } from '../../protocol/messages.js'
import { NOTICES } from '../../protocol/shown/vocabulary.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { CompactionTracker } from './compaction.js'
import { HookTracker } from './hook-tracker.js'
import { notice } from './notice.js'
import type { OutgoingUpdate } from './outgoing.js'
import { PlanTracker } from './plan.js'
import { SpeechUpdates } from './speech.js'
import { SubagentTracker } from './subagents.js'
import { imageOf } from './tool-content.js'
import { ToolTracker } from './tool-tracker.js'
import { UsageMeter } from './usage-meter.js'

export type TranslatorPorts = { client: AcpClientAbilities; session: string; cwd: string; now(): number }

export class Translator {
  readonly #ports: TranslatorPorts
  readonly #speakers = new Map<string, SpeechUpdates>()
  readonly tools: ToolTracker
  readonly #plan: PlanTracker
  readonly #usage = new UsageMeter()
  readonly #compaction: CompactionTracker
  readonly subagents: SubagentTracker
  readonly #hooks: HookTracker
  #isReplay = false

  constructor(ports: TranslatorPorts) {
    const { client, session } = ports
    this.#ports = ports
    this.tools = new ToolTracker(ports)
    this.#plan = new PlanTracker(client)
    this.#compaction = new CompactionTracker(client)
    this.subagents = new SubagentTracker({ session, isOn: client.subagents })
    this.#hooks = new HookTracker(client, session)
  }

  /** Replays a stored message, including the user's. */
  replay(message: SDKMessage): OutgoingUpdate[] {
    this.#isReplay = true
    try {
      return this.take(message)
    } finally {
      this.#isReplay = false
    }
  }

  /** What was begun before and has no end never will have one. */
  endReplay(): OutgoingUpdate[] {
    return [...this.#unfinished(NOTICES.notFinished), ...this.subagents.endAll()]
  }

  take(message: SDKMessage): OutgoingUpdate[] {
    const { client } = this.#ports
    switch (message.type) {
      case 'stream_event':
        return this.#stream(message.event, message.parent_tool_use_id)
      case 'assistant':
        return this.#assistant(message)
      case 'user':
        return this.#user(message)
      case 'tool_progress':
        return this.#of(
          message.parent_tool_use_id,
          message.output === undefined
            ? this.tools.takes(message.tool_use_id, message.elapsed_time_seconds)
            : this.tools.printed(message.tool_use_id, message.output),
        )
      case 'result': {
        const failed = this.#compaction.fails(NOTICES.notCompacted)
        const open = this.#unfinished(NOTICES.endedBefore)
        return [...this.#main(failed), ...open, ...this.#main([...structured(message), ...this.#usage.result(message)])]
      }
      case 'tool_use_summary': {
        const { summary, preceding_tool_use_ids: toolCallIds } = message
        const about = { toolUseSummary: { summary, toolCallIds } }
        const last = toolCallIds.at(-1)
        const told = last === undefined ? [] : this.tools.note(last, about)
        if (client.wants.toolUseSummaries)
          return [...this.#main(told), this.#extension('_kedge/tool_use_summary', about.toolUseSummary)]
        return told.length > 0 ? this.#main(told) : this.#main([info(about)])
      }
      case 'rate_limit_event':
        return [...this.#main([this.#usage.rateLimit(message.rate_limit_info)]), ...this.#notices(message)]
      case 'auth_status':
      case 'conversation_reset':
        return this.#notices(message)
      case 'prompt_suggestion':
        return this.#main([info({ promptSuggestion: message.suggestion })])
      case 'command_lifecycle':
        // The hub makes the progress of prompts from it.
        return []
      case 'system':
        return this.#system(message)
    }
  }

  #system(message: Extract<SDKMessage, { type: 'system' }>): OutgoingUpdate[] {
    const { client } = this.#ports
    switch (message.subtype) {
      case 'init':
        this.#usage.model(message.model)
        return this.#notices(message)
      case 'status':
        return message.status === 'compacting' ? this.#main(this.#compaction.begins()) : []
      case 'compact_boundary':
        return this.#main(this.#compaction.boundary())
      case 'hook_started':
      case 'hook_progress':
      case 'hook_response':
        return this.#hooks.take(message, this.tools)
      case 'task_started':
        return this.#main(
          message.tool_use_id === undefined ? [] : this.tools.note(message.tool_use_id, { task: taskFields(message) }),
        )
      case 'task_progress':
        return this.#main(
          message.tool_use_id === undefined ? [] : this.tools.note(message.tool_use_id, { task: taskFields(message) }),
        )
      case 'task_updated': {
        const call = this.tools.callOf(message.task_id)
        return this.#main(
          call === undefined ? [] : this.tools.note(call, { task: { id: message.task_id, ...message.patch } }),
        )
      }
      case 'task_notification': {
        const call = this.tools.callOf(message.task_id)
        const told = this.tools.taskEnded(message)
        const ended = call === undefined ? [] : this.#subagentEnds(call, message.summary, message.status !== 'stopped')
        return [...this.#main(told.length > 0 ? told : [info({ task: taskFields(message) })]), ...ended]
      }
      case 'commands_changed':
        // The session tells them, beside its own.
        return []
      case 'elicitation_complete':
        // A client that can't show the page has asked its user to confirm instead.
        return client.urls
          ? [{ method: 'elicitation/complete', params: { elicitationId: message.elicitation_id } }]
          : []
      case 'background_tasks_changed':
        return this.#main([info({ backgroundTasks: message.tasks })])
      case 'files_persisted':
        return [...this.#main([info({ filesPersisted: message.files })]), ...this.#notices(message)]
      case 'api_retry':
      case 'model_fallback':
      case 'informational':
      case 'mirror_error':
        return this.#notices(message)
      case 'permission_denied':
        return this.#of(
          this.tools.parentOf(message.tool_use_id),
          this.tools.denied(message.tool_use_id, message.decision_reason ?? message.content),
        )
      case 'session_state_changed':
        // For the code that owns the agent's process; the hub has its own states.
        return []
    }
  }

  #stream(event: Extract<SDKMessage, { type: 'stream_event' }>['event'], parent: string | null): OutgoingUpdate[] {
    const updates = this.#speaker(parent)
      .stream(event)
      .flatMap((spoken): SessionUpdate[] => {
        if ('update' in spoken) return [marked(spoken.update, this.#ports.client.subagents ? null : parent)]
        const { call, input } = spoken
        return input ? this.tools.input(call.id, input) : this.tools.begin(call.id, call.name, parent)
      })
    return [...this.#of(parent, updates), ...(parent === null ? this.#main(this.#usage.stream(event)) : [])]
  }

  #assistant({ message, parent_tool_use_id: parent }: SDKAssistantMessage): OutgoingUpdate[] {
    const speaker = this.#speaker(parent)
    return message.content.flatMap((block): OutgoingUpdate[] => {
      if (block.type !== 'tool_use' && block.type !== 'server_tool_use') {
        const said = speaker.whole(message.id, block)
        return this.#of(
          parent,
          said.map((update) => marked(update, this.#ports.client.subagents ? null : parent)),
        )
      }
      const { id, name } = block
      const input = isObject(block.input) ? block.input : {}
      const begun = this.tools.begin(id, name, parent, input)
      const updates = begun.length > 0 ? begun : this.tools.input(id, input)
      const started = name === 'Task' ? this.subagents.starts(id, input, parent) : []
      return [...this.#of(parent, updates), ...started]
    })
  }

  #user(message: SDKUserMessage | SDKUserMessageReplay): OutgoingUpdate[] {
    const { parent_tool_use_id: parent } = message
    const { content } = message.message
    const blocks: readonly ContentBlockParam[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return blocks.flatMap((block): OutgoingUpdate[] => {
      if (block.type === 'tool_result') {
        const id = block.tool_use_id
        const name = this.tools.nameOf(id) ?? ''
        const input = this.tools.inputOf(id)
        const updates = this.tools.result(block, message.tool_use_result)
        const plan = block.is_error === true ? [] : this.#plan.after(name, input, message.tool_use_result)
        const isGoingOn = this.tools.callOf(String(taskId(message.tool_use_result))) !== undefined
        const ended =
          name === 'Task' && !isGoingOn
            ? this.#subagentEnds(id, this.#replyOf(id, message, block.is_error === true), block.is_error !== true)
            : []
        return [...this.#of(parent, [...updates, ...plan]), ...ended]
      }
      if (block.type === 'text') return this.#of(parent, this.#userText(block.text, message))
      const image = this.#isReplay ? imageOf(block) : undefined
      return image ? this.#main([{ sessionUpdate: 'user_message_chunk', content: image, ...idOf(message) }]) : []
    })
  }

  #userText(text: string, message: SDKUserMessage | SDKUserMessageReplay): SessionUpdate[] {
    const summary = this.#compaction.summary(text)
    if (summary) return summary
    const [, , printed] = /^<local-command-(stdout|stderr)>([\s\S]*)<\/local-command-\1>$/.exec(text) ?? []
    const id = idOf(message)
    // What a command of the user gave is for the user.
    if (printed !== undefined)
      return printed === ''
        ? []
        : [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: printed }, ...id }]
    // What the user just said the client knows; what was put in their mouth is for the model.
    if (!this.#isReplay || message.isSynthetic === true || message.parent_tool_use_id !== null) return []
    return [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text }, ...id }]
  }

  /** What a sub-agent answered. A transcript has no details: it is the last it said. */
  #replyOf(call: string, { tool_use_result: output }: SDKUserMessage | SDKUserMessageReplay, failed: boolean): string {
    if (output !== undefined || failed) return replyIn(output)
    return this.#isReplay ? (this.#speakers.get(call)?.latest ?? '') : ''
  }

  /** Calls that never ran, each where it was shown. */
  #unfinished(reason: string): OutgoingUpdate[] {
    return this.tools.endTurn(reason).flatMap(({ parent, update }) => this.#of(parent, [update]))
  }

  /** It has nothing more to say. */
  #subagentEnds(call: string, reply: string, isDone: boolean): OutgoingUpdate[] {
    this.#speakers.delete(call)
    return this.subagents.ends(call, reply, isDone)
  }

  #speaker(parent: string | null): SpeechUpdates {
    const key = parent ?? ''
    const known = this.#speakers.get(key)
    if (known) return known
    const speech = new SpeechUpdates()
    this.#speakers.set(key, speech)
    return speech
  }

  #notices(message: SDKMessage): OutgoingUpdate[] {
    return this.#main(noticesOf(message).map((one) => notice(this.#ports.client, one)))
  }

  #extension(method: `_${string}`, params: Record<string, unknown>): OutgoingUpdate {
    return { method, params: { sessionId: this.#ports.session, ...params } }
  }

  #main(updates: SessionUpdate[]): OutgoingUpdate[] {
    return updates.map((update) => ({ sessionId: this.#ports.session, update }))
  }

  /** In the session of the sub-agent, where the client shows those. */
  #of(parent: string | null, updates: SessionUpdate[]): OutgoingUpdate[] {
    const sessionId = this.subagents.sessionOf(parent)
    return updates.map((update) => ({ sessionId, update }))
  }
}

/** Anything without a kind of its own is reported as information about the session. */
function info(kedge: Record<string, unknown>): SessionUpdate {
  return { sessionUpdate: 'session_info_update', _meta: { kedge } }
}

function marked(update: SessionUpdate, parent: string | null): SessionUpdate {
  if (parent === null) return update
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

function idOf({ uuid }: SDKUserMessage | SDKUserMessageReplay): { messageId?: string } {
  return uuid === undefined ? {} : { messageId: uuid }
}

function taskId(output: unknown): unknown {
  return isObject(output) ? (output['backgroundTaskId'] ?? output['agentId']) : undefined
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
