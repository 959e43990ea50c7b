/** Lines of a session file: `<config>/projects/<cwd-slug>/<session>.jsonl`. */
import type { AssistantMessage, MessageParam, Usage, UUID } from './content.js'
import type { PermissionMode } from './permissions.js'

type LineBase = {
  parentUuid: string | null
  isSidechain: boolean
  userType: 'external'
  cwd: string
  sessionId: string
  version: string
  gitBranch: string
  uuid: UUID
  timestamp: string
  slug?: string
  agentId?: string
}

export type TranscriptUserLine = LineBase & {
  type: 'user'
  message: MessageParam
  permissionMode?: PermissionMode
  toolUseResult?: unknown
  sourceToolAssistantUUID?: string
  isMeta?: boolean
  isVisibleInTranscriptOnly?: boolean
  isCompactSummary?: boolean
}

export type TranscriptAssistantLine = LineBase & {
  type: 'assistant'
  message: AssistantMessage
  requestId?: string
  error?: string
  isApiErrorMessage?: boolean
}

export type TranscriptCompactBoundaryLine = LineBase & {
  type: 'system'
  subtype: 'compact_boundary'
  logicalParentUuid: string
  content: string
  isMeta: boolean
  level: 'info'
  compactMetadata: { trigger: 'manual' | 'auto'; preTokens: number }
}

export type TranscriptProgressLine = LineBase & {
  type: 'progress'
  data: Record<string, unknown>
  toolUseID: string
  parentToolUseID: string
}

export type TranscriptQueueLine = {
  type: 'queue-operation'
  operation: 'enqueue' | 'dequeue' | 'remove'
  timestamp: string
  sessionId: string
  content?: string
}

export type TranscriptFileHistoryLine = {
  type: 'file-history-snapshot'
  messageId: string
  snapshot: Record<string, unknown>
  isSnapshotUpdate: boolean
}

/** Given by people with `renameSession()`; the last one counts. */
export type TranscriptTitleLine = { type: 'custom-title'; customTitle: string; sessionId: string }

/** The same with `tagSession()`; an empty one takes the tag away. */
export type TranscriptTagLine = { type: 'tag'; tag: string; sessionId: string }

/** Ours: one request to the model, whatever became of it. Other readers skip it. */
export type TranscriptCostLine = {
  type: 'cost-entry'
  sessionId: string
  timestamp: string
  model: string
  usage: Usage
  /** 0 when the price is not known. */
  costUSD: number
  /** False: its price is not known. */
  priced: boolean
  durationMs: number
  ok: boolean
  longContext?: boolean
}

export type TranscriptLine =
  | TranscriptUserLine
  | TranscriptAssistantLine
  | TranscriptCompactBoundaryLine
  | TranscriptProgressLine
  | TranscriptQueueLine
  | TranscriptFileHistoryLine
  | TranscriptTitleLine
  | TranscriptTagLine
  | TranscriptCostLine
