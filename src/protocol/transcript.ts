/** Lines of a session file: `<config>/projects/<cwd-slug>/<session>.jsonl`. */
import type { AssistantMessage, MessageParam, UUID } from './content.js'
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

export type TranscriptLine =
  | TranscriptUserLine
  | TranscriptAssistantLine
  | TranscriptCompactBoundaryLine
  | TranscriptProgressLine
  | TranscriptQueueLine
  | TranscriptFileHistoryLine
