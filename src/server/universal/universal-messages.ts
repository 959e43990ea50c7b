/** Messages of the agent as universal events: what the view shows of them, and statuses for everything else. Pure. */

import type { SDKMessage } from '../../protocol/messages.js'
import { modeName, TASK_STATES } from '../../protocol/shown/vocabulary.js'
import type { ViewChange } from '../../view/view-items.js'
import { noticeText } from '../../view/view-notices.js'
import type { SessionView } from '../../view/view-state.js'
import { toModelErrorNotice } from '../../view/view-streamed-items.js'
import { turnFailureText } from '../../view/view-turns.js'
import type { EventDraft } from './universal-events.js'
import {
  createStatusItemEvents,
  createWholeItemEvents,
  messageItem,
  resultItem,
  textOfViewItem,
  toUniversalItem,
  userParts,
} from './universal-items.js'

export function createMessageEvents(
  view: SessionView,
  message: SDKMessage,
  seq: number,
  changes: readonly ViewChange[],
): EventDraft[] {
  const id = `itm_${seq}`
  const status: Status = (label, detail = null) =>
    createStatusItemEvents(id, label, noticeTextInChanges(changes) ?? detail, message)
  switch (message.type) {
    case 'assistant':
      return assistantDrafts(view, message, changes)
    case 'user':
      return userDrafts(message, id, changes)
    case 'result': {
      const { subtype, is_error: isError } = message
      const drafts = createStatusItemEvents(id, 'result', subtype, message)
      if (!isError) return drafts
      const { text } = toModelErrorNotice(turnFailureText(message))
      return [createErrorEvent(text, message.error_code ?? subtype, { fix: message.error_fix ?? null }), ...drafts]
    }
    case 'tool_progress':
      return status('tool.progress', `${message.tool_name}: ${message.elapsed_time_seconds} s`)
    case 'tool_use_summary':
      return status('tool.summary', message.summary)
    case 'auth_status':
      return status('auth')
    case 'rate_limit_event':
      return status('rate_limit')
    case 'prompt_suggestion':
      return status('prompt.suggestion', message.suggestion)
    case 'conversation_reset':
      return status('conversation.reset')
    case 'system':
      return systemDrafts(message, status)
    // Neither is ever an entry: deltas are apart, and prompts have entries of their own.
    case 'stream_event':
    case 'command_lifecycle':
      return []
    default:
      return createStatusItemEvents(id, textOfType(message), null, message)
  }
}

/** Another kind of agent can send unknown messages: they are passed on as they are. */
function textOfType(message: never): string {
  return String((message as { type?: unknown }).type ?? 'message')
}

/** `detail` is for messages that the view has no notice of. */
type Status = (label: string, detail?: string | null) => EventDraft[]

function systemDrafts(message: Extract<SDKMessage, { type: 'system' }>, status: Status): EventDraft[] {
  switch (message.subtype) {
    case 'init':
      return status('init', message.model)
    case 'status':
      return status(message.status ?? 'status', message.permissionMode ? modeName(message.permissionMode) : null)
    case 'compact_boundary':
      return status('compaction')
    case 'hook_started':
    case 'hook_progress':
    case 'hook_response':
      return status(message.subtype.replace('_', '.'), message.hook_name)
    case 'task_started':
    case 'task_progress':
      return status(message.subtype.replace('_', '.'), message.description)
    case 'task_updated': {
      const { status: state } = message.patch
      return status('task.updated', state ? TASK_STATES[state] : null)
    }
    case 'task_notification':
      return status('task.ended', message.summary)
    case 'background_tasks_changed':
      return status('tasks', String(message.tasks.length))
    case 'files_persisted':
      return status('files.persisted', message.files.map(({ filename }) => filename).join(', '))
    case 'api_retry':
      return status('retry')
    case 'model_fallback':
    case 'permission_denied':
    case 'informational':
    case 'mirror_error':
      return status(message.subtype.replace('_', '.'))
    case 'session_state_changed':
      return status('agent.state', message.state)
    default:
      return status('system', String((message as { subtype?: unknown }).subtype ?? '')) // of another make
  }
}

type AssistantMessage = Extract<SDKMessage, { type: 'assistant' }>

function assistantDrafts(
  { open: { speakers } }: SessionView,
  { message: { content }, parent_tool_use_id: parent, uuid, error }: AssistantMessage,
  changes: readonly ViewChange[],
): EventDraft[] {
  const { message = '', blocks = 0 } = speakers.get(parent ?? '') ?? {}
  const first = blocks - content.length
  const byKey = new Map(changes.map((change) => [change.item.key, change]))
  const drafts = content.flatMap((block, n) => {
    const place = `${first + n}`
    const change = byKey.get('id' in block ? `call-${block.id}` : `${message}-${place}`)
    switch (change?.item.kind) {
      case 'tool':
        return createWholeItemEvents(toUniversalItem(change.item, uuid))
      case 'text':
      case 'thinking':
      case 'notice': {
        return createWholeItemEvents(
          toUniversalItem(change.item, uuid),
          pieceOf(change, textOfViewItem(change.item), changes),
        )
      }
      default: {
        const ids = { item_id: `itm_${message}_${place}`, native_item_id: uuid, parent }
        return createWholeItemEvents(
          messageItem({ ...ids, role: 'assistant', content: [{ type: 'json', json: block }] }),
        )
      }
    }
  })
  return error === undefined ? drafts : [...drafts, createErrorEvent(noticeTextInChanges(changes) ?? '', error)]
}

/** The part of a text that hasn't come. A text that streamed is another item when it tells of an error. */
function pieceOf(change: ViewChange, text: string, changes: readonly ViewChange[]): string {
  if (change.what === 'completed') return change.piece
  const streamed = changes.find(({ item, what }) => what === 'removed' && item.key === change.item.key)?.item
  return streamed?.kind === 'text' && text.startsWith(streamed.text) ? text.slice(streamed.text.length) : text
}

function userDrafts(
  message: Extract<SDKMessage, { type: 'user' }>,
  id: string,
  changes: readonly ViewChange[],
): EventDraft[] {
  const { content } = message.message
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const results = new Map(changes.flatMap(({ item }) => (item.kind === 'tool' ? [[item.useId, item.result]] : [])))
  const drafts: EventDraft[] = []
  for (const block of blocks) {
    if (block.type !== 'tool_result') continue
    const { tool_use_id: useId, content: given = '', is_error: isError = false } = block
    // A result for an unknown call is passed on, too.
    const result = results.get(useId) ?? { content: given, isError, detail: message.tool_use_result }
    drafts.push(...createWholeItemEvents(resultItem(useId, result)))
  }
  const others = blocks.filter(({ type }) => type !== 'tool_result')
  if (others.length === 0) return drafts
  const ids = { item_id: id, native_item_id: message.uuid ?? null, parent: message.parent_tool_use_id }
  // It was inserted for the model, and is no message of the user.
  return [...drafts, ...createWholeItemEvents(messageItem({ ...ids, role: 'system', content: userParts(others) }))]
}

/** The words of the view for what happened; undefined if it is no notice. */
export function noticeTextInChanges(changes: readonly ViewChange[]): string | undefined {
  const texts = changes.flatMap(({ item }) => (item.kind === 'notice' ? [noticeText(item)] : []))
  return texts.length === 0 ? undefined : texts.join('\n')
}

export function createErrorEvent(message: string, code: string, details: unknown = null): EventDraft {
  return { type: 'error', data: { message, code, details } }
}
