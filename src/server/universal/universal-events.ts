/** The universal event schema, as clients of that API know it; what is ours beside it is marked so. */

export type UniversalEvent = {
  event_id: string
  /** From 1 in each session, without gaps. A piece that streams has the number of the event before it. */
  sequence: number
  time: string
  session_id: string
  native_session_id: string
  source: 'agent' | 'daemon'
  synthetic: boolean
  type: UniversalEventType
  data: Record<string, unknown>
  raw?: unknown
}

export type UniversalEventType =
  | 'session.started'
  | 'session.ended'
  | 'turn.started'
  | 'turn.ended'
  | 'item.started'
  | 'item.delta'
  | 'item.completed'
  | 'permission.requested'
  | 'permission.resolved'
  | 'question.requested'
  | 'question.resolved'
  | 'error'

export type UniversalItem = {
  item_id: string
  native_item_id: string | null
  /** For a sub-agent's item, the call that started it. For a result, its call. */
  parent_id: string | null
  kind: 'message' | 'tool_call' | 'tool_result' | 'system' | 'status'
  role: 'user' | 'assistant' | 'system' | 'tool'
  status: 'in_progress' | 'completed' | 'failed'
  content: ContentPart[]
}

export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'json'; json: unknown }
  | { type: 'tool_call'; name: string; arguments: string; call_id: string }
  | { type: 'tool_result'; call_id: string; output: string }
  | { type: 'file_ref'; path: string; action: 'read' | 'write' | 'patch'; diff: string | null }
  | { type: 'image'; path: string; mime: string | null }
  | { type: 'reasoning'; text: string; visibility: 'public' | 'private' }
  | { type: 'status'; label: string; detail: string | null }

/** An event before it has its number. */
export type EventDraft = Pick<UniversalEvent, 'type' | 'data'> & {
  source?: UniversalEvent['source']
  synthetic?: boolean
}
