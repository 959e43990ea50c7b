/**
 * A session's log as universal events, for every kind of entry and message. It is a fold over the log, so every reader
 * gets the same events under the same numbers. Nothing is left out, and nothing is `agent.unparsed`. Pure.
 */
import type { Delta, LogEntry, PromptChange, StateChange } from '../../hub/log/entries.js'
import type { Prompt } from '../../hub/prompt-types.js'
import type { SDKMessage } from '../../protocol/messages.js'
import { requestedEvent, resolvedEvent, toUniversalAsk, type UniversalAsk } from './universal-asks.js'
import type { EventDraft, UniversalEvent, UniversalItem } from './universal-events.js'
import {
  assistantItem,
  callItemId,
  statusItem,
  streamedText,
  toToolResultItem,
  userParts,
  wholeItem,
} from './universal-items.js'

/** Plain data: a copy continues from where it was made. */
export type ProjectionState = {
  /** Number of the last event, and of the last entry. */
  sequence: number
  seq: number
  hasEnded: boolean
  /** By speaker: the response in progress, and how many of its blocks have come. */
  speakers: Map<string, { message: string; blocks: number }>
  /** What readers of this stream have seen of a text, by item. */
  seen: Map<string, string>
  asks: Map<string, UniversalAsk>
  prompts: Map<string, Prompt>
}

export function newProjection(): ProjectionState {
  return {
    sequence: 0,
    seq: 0,
    hasEnded: false,
    speakers: new Map(),
    seen: new Map(),
    asks: new Map(),
    prompts: new Map(),
  }
}

/** `name` is what the caller calls the session. */
export type ProjectionNames = { session: string; name: string }

/** The events of one entry. */
export function projectEntry(state: ProjectionState, entry: LogEntry, names: ProjectionNames): UniversalEvent[] {
  const drafts = safeDrafts(state, entry)
  // Numbers that the log leaves out, because what had them was lost, are left out here, too.
  state.sequence += Math.max(0, entry.seq - state.seq - 1)
  state.seq = entry.seq
  return drafts.map((draft) => {
    state.sequence += 1
    return toEvent(draft, state.sequence, `evt_${state.sequence}`, entry, names)
  })
}

/**
 * Returns the events of a delta. They have no numbers of their own: the entry that follows repeats the whole, or leaves
 * it out.
 */
export function projectDelta(state: ProjectionState, delta: Delta, names: ProjectionNames): UniversalEvent[] {
  const { sequence } = state
  return deltasOf(state, delta.data).map((draft) =>
    toEvent({ ...draft, synthetic: false }, sequence, `evt_${sequence}_live`, delta, names),
  )
}

function toEvent(
  { type, data, source = 'agent', synthetic = false }: EventDraft,
  sequence: number,
  event_id: string,
  { at, data: raw }: LogEntry | Delta,
  { session, name }: ProjectionNames,
): UniversalEvent {
  const envelope = { event_id, sequence, time: at, session_id: name, native_session_id: session }
  return { ...envelope, source, synthetic, type, data, raw }
}

/** A log from elsewhere can contain messages of another shape: they are passed on as they are. */
function safeDrafts(state: ProjectionState, entry: LogEntry): EventDraft[] {
  try {
    return draftsOf(state, entry)
  } catch {
    return statusItem(`itm_${entry.seq}`, entry.kind, null, entry.data)
  }
}

function draftsOf(state: ProjectionState, entry: LogEntry): EventDraft[] {
  switch (entry.kind) {
    case 'message':
      return messageDrafts(state, entry.data, entry.seq)
    case 'ask': {
      const ask = toUniversalAsk(entry.data)
      state.asks.set(entry.data.id, ask)
      return [requestedEvent(ask)]
    }
    case 'answered':
      return closed(state, entry.data.ask, (ask) =>
        resolvedEvent(ask, entry.data.answer, { by: entry.data.by, answer: entry.data.answer }),
      )
    case 'withdrawn':
      return closed(state, entry.data.ask, (ask) => resolvedEvent(ask, undefined, { reason: entry.data.reason }))
    case 'prompt':
      return promptDrafts(state, entry.data, entry.seq)
    case 'state':
      return stateDrafts(state, entry.data, entry.seq)
  }
}

function closed(state: ProjectionState, id: string, draft: (ask: UniversalAsk) => EventDraft): EventDraft[] {
  const ask = state.asks.get(id)
  state.asks.delete(id)
  return ask ? [draft(ask)] : []
}

function stateDrafts(state: ProjectionState, change: StateChange, seq: number): EventDraft[] {
  const { status, error, by, ...set } = change
  if (seq === 1) return [{ type: 'session.started', source: 'daemon', data: { metadata: set } }]
  const drafts: EventDraft[] = []
  if (Object.keys(set).length > 0) {
    const detail = Object.entries(set).map(([name, value]) => `${name}: ${String(value)}`)
    drafts.push(...statusItem(`itm_${seq}`, 'session.changed', detail.join(', '), { ...set, ...(by ? { by } : {}) }))
  }
  if (status === 'error' || status === 'done') {
    const message = error ?? null
    if (status === 'error') drafts.push(failure(message ?? 'The agent failed.', 'agent_failed'))
    const how = status === 'error' ? { reason: 'error', terminated_by: 'agent' } : CLOSED
    drafts.push({ type: 'session.ended', source: 'daemon', data: { ...how, message, exit_code: null, stderr: null } })
    state.hasEnded = true
  } else if (status === 'running') drafts.unshift(...wokenUp(state))
  return drafts
}
const CLOSED = { reason: 'terminated', terminated_by: 'daemon' }

/** A closed session continues with the next prompt. */
function wokenUp(state: ProjectionState): EventDraft[] {
  if (!state.hasEnded) return []
  state.hasEnded = false
  return [{ type: 'session.started', source: 'daemon', data: { metadata: { resumed: true } } }]
}

function promptDrafts(state: ProjectionState, change: PromptChange, seq: number): EventDraft[] {
  const id = `itm_${seq}`
  if (change.change === 'queued') {
    state.prompts.set(change.prompt.id, change.prompt)
    return statusItem(id, 'prompt.queued', change.prompt.id)
  }
  if (change.change === 'reordered') return statusItem(id, 'prompts.reordered', change.order.join(', '))
  const turn = (type: 'turn.started' | 'turn.ended', metadata: Record<string, unknown>): EventDraft => ({
    type,
    source: 'daemon',
    data: { phase: type === 'turn.started' ? 'started' : 'ended', turn_id: change.id, metadata },
  })
  const prompt = state.prompts.get(change.id)
  state.prompts.delete(change.id)
  switch (change.change) {
    case 'started': {
      const item: UniversalItem = {
        item_id: `itm_${change.message || id}`,
        native_item_id: change.message,
        parent_id: null,
        kind: 'message',
        role: 'user',
        status: 'completed',
        content: userParts(prompt?.content ?? ''),
      }
      return [...wokenUp(state), turn('turn.started', { joined: change.joined === true }), ...wholeItem(item)]
    }
    case 'done':
      return [turn('turn.ended', { outcome: 'done', result: change.result })]
    case 'interrupted':
      return [
        failure(change.reason, 'interrupted'),
        turn('turn.ended', { outcome: 'interrupted', reason: change.reason }),
      ]
    case 'removed':
      return statusItem(id, 'prompt.removed', change.id)
  }
}

function messageDrafts(state: ProjectionState, message: SDKMessage, seq: number): EventDraft[] {
  const id = `itm_${seq}`
  const status = (label: string, detail: string | null) => statusItem(id, label, detail, message)
  switch (message.type) {
    case 'assistant':
      return assistantDrafts(state, message)
    case 'user':
      return userDrafts(message, id)
    case 'result': {
      const { subtype, is_error: isError } = message
      const drafts = status('result', subtype)
      if (!isError) return drafts
      const text = 'errors' in message ? message.errors.join('\n') : message.result
      return [failure(text || subtype, message.error_code ?? subtype, { fix: message.error_fix ?? null }), ...drafts]
    }
    case 'tool_progress':
      return status('tool.progress', `${message.tool_name}: ${message.elapsed_time_seconds} s`)
    case 'tool_use_summary':
      return status('tool.summary', message.summary)
    case 'auth_status':
      return status('auth', message.error ?? null)
    case 'rate_limit_event':
      return status('rate_limit', null)
    case 'prompt_suggestion':
      return status('prompt.suggestion', message.suggestion)
    case 'conversation_reset':
      return status('conversation.reset', message.trigger)
    case 'system':
      return systemDrafts(message, status)
    // Neither is ever an entry: deltas are apart, and prompts have entries of their own.
    case 'stream_event':
    case 'command_lifecycle':
      return []
    default:
      return statusItem(id, textOfType(message), null, message)
  }
}

/** Another kind of agent can send unknown messages: they are passed on as they are. */
function textOfType(message: never): string {
  return String((message as { type?: unknown }).type ?? 'message')
}

type Status = (label: string, detail: string | null) => EventDraft[]

function systemDrafts(message: Extract<SDKMessage, { type: 'system' }>, status: Status): EventDraft[] {
  switch (message.subtype) {
    case 'init':
      return status('init', message.model)
    case 'status':
      return status(message.status ?? 'status', message.permissionMode ?? null)
    case 'compact_boundary':
      return status('compaction', message.compact_metadata.trigger)
    case 'hook_started':
    case 'hook_progress':
    case 'hook_response':
      return status(message.subtype.replace('_', '.'), message.hook_name)
    case 'task_started':
    case 'task_progress':
      return status(message.subtype.replace('_', '.'), message.description)
    case 'task_updated':
      return status('task.updated', message.patch.status ?? null)
    case 'task_notification':
      return status('task.ended', message.summary)
    case 'background_tasks_changed':
      return status('tasks', String(message.tasks.length))
    case 'files_persisted':
      return status('files.persisted', message.files.map(({ filename }) => filename).join(', '))
    case 'api_retry':
      return status('retry', `${message.error}: try ${message.attempt} of ${message.max_retries}`)
    case 'model_fallback':
    case 'permission_denied':
    case 'informational':
      return status(message.subtype.replace('_', '.'), message.content)
    case 'mirror_error':
      return status('mirror.error', message.error)
    case 'session_state_changed':
      return status('agent.state', message.state)
    default:
      return status('system', String((message as { subtype?: unknown }).subtype ?? '')) // of another make
  }
}

function assistantDrafts(state: ProjectionState, message: Extract<SDKMessage, { type: 'assistant' }>): EventDraft[] {
  const { message: said, parent_tool_use_id: parent, uuid, error } = message
  const speaker = speakerOf(state, parent, said.id ?? uuid)
  const drafts = said.content.flatMap((block) => {
    const item = assistantItem({ ...block }, `itm_${speaker.message}_${speaker.blocks}`, uuid, parent)
    speaker.blocks += 1
    const text = streamedText(item)
    const seen = state.seen.get(item.item_id) ?? ''
    state.seen.delete(item.item_id)
    return wholeItem(item, text?.startsWith(seen) ? text.slice(seen.length) : text)
  })
  const text = said.content.map((block) => ('text' in block ? String(block.text) : '')).join('')
  return error === undefined ? drafts : [...drafts, failure(text, error)]
}

function userDrafts(message: Extract<SDKMessage, { type: 'user' }>, id: string): EventDraft[] {
  const { content } = message.message
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const results = blocks.filter((block) => block.type === 'tool_result')
  const others = blocks.filter((block) => block.type !== 'tool_result')
  const drafts = results.flatMap((block) => wholeItem(toToolResultItem({ ...block }, message.tool_use_result)))
  if (others.length === 0) return drafts
  const { parent_tool_use_id: parent, uuid = null } = message
  const common = { native_item_id: uuid, parent_id: parent ? callItemId(parent) : null, status: 'completed' } as const
  // Text that was inserted for the model, not a message of the user.
  const item: UniversalItem = { item_id: id, ...common, kind: 'system', role: 'system', content: userParts(others) }
  return [...drafts, ...wholeItem(item)]
}

function deltasOf(state: ProjectionState, message: Delta['data']): EventDraft[] {
  if (message.type === 'tool_progress') {
    const item_id = callItemId(message.tool_use_id)
    const data = { item_id, native_item_id: message.tool_use_id, delta: message.output ?? '', output: true }
    return [{ type: 'item.delta', data }]
  }
  const { event, parent_tool_use_id: parent } = message
  if (event.type === 'message_start') {
    speakerOf(state, parent, event.message.id)
    return []
  }
  const speaker = state.speakers.get(parent ?? '')
  if (!speaker) return []
  if (event.type === 'content_block_start') {
    const item = assistantItem({ ...event.content_block }, `itm_${speaker.message}_${event.index}`, '', parent)
    return [{ type: 'item.started', data: { item: { ...item, status: 'in_progress', content: [] } } }]
  }
  if (event.type !== 'content_block_delta') return []
  const { delta } = event
  const text = delta.type === 'text_delta' ? delta.text : delta.type === 'thinking_delta' ? delta.thinking : ''
  if (text === '') return []
  const item_id = `itm_${speaker.message}_${event.index}`
  state.seen.set(item_id, (state.seen.get(item_id) ?? '') + text)
  return [{ type: 'item.delta', data: { item_id, native_item_id: null, delta: text } }]
}

/** Sub-agents do not say that they are done. */
const MOST_SPEAKERS = 200

function speakerOf(state: ProjectionState, parent: string | null, message: string) {
  const known = state.speakers.get(parent ?? '')
  if (known?.message === message) return known
  const speaker = { message, blocks: 0 }
  state.speakers.set(parent ?? '', speaker)
  const [oldest = ''] = state.speakers.keys()
  if (state.speakers.size > MOST_SPEAKERS) state.speakers.delete(oldest)
  return speaker
}

function failure(message: string, code: string, details: unknown = null): EventDraft {
  return { type: 'error', data: { message, code, details } }
}
