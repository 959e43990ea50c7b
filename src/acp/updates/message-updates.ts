/** What has no item in the view, told from the message: usage, suggestions, hooks as they run, and fields of our own. */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { SDKMessage } from '../../protocol/messages.js'
import { type HookUpdatePorts, hookUpdate } from './hook-updates.js'
import type { OutgoingUpdate } from './outgoing.js'
import { ContextUsageMeter } from './usage-meter.js'

export class UsageAndStatusUpdates {
  readonly #ports: HookUpdatePorts
  readonly #usage = new ContextUsageMeter()

  constructor(ports: HookUpdatePorts) {
    this.#ports = ports
  }

  /** `isShown`: the message has changed what the client sees. */
  of(message: SDKMessage, isShown: boolean): OutgoingUpdate[] {
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
        return this.#system(message, isShown)
      default:
        return []
    }
  }

  #system(message: Extract<SDKMessage, { type: 'system' }>, isShown: boolean): OutgoingUpdate[] {
    const { client, view } = this.#ports
    switch (message.subtype) {
      case 'init':
        this.#usage.model(message.model)
        return []
      case 'hook_started':
      case 'hook_progress':
      case 'hook_response':
        return [hookUpdate(message, this.#ports)]
      case 'task_started':
      case 'task_progress':
        return this.#note(message.tool_use_id, { task: taskFields(message) })
      case 'task_updated': {
        const { task_id: id, patch } = message
        return this.#note(view.open.taskCalls.get(id), { task: { id, ...patch } })
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

  #note(call: string | undefined, kedge: Record<string, unknown>): OutgoingUpdate[] {
    const { view, tools } = this.#ports
    const item = view.open.calls.get(call ?? '')
    return item ? this.#main(tools.note(item, kedge)) : []
  }

  #main(updates: SessionUpdate[]): OutgoingUpdate[] {
    return updates.map((update) => ({ sessionId: this.#ports.session, update }))
  }
}

/** Anything without a kind of its own is reported as information about the session. */
function info(kedge: Record<string, unknown>): SessionUpdate {
  return { sessionUpdate: 'session_info_update', _meta: { kedge } }
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
