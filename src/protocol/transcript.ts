/** Lines of a session file: `<config>/projects/<cwd-slug>/<session>.jsonl`. */

import type { AssistantMessage, ContentBlockParam, MessageParam, Usage, UUID } from './content.js'
import type { PermissionMode, PermissionUpdate } from './permission-types.js'

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
  /** Of a sub-agent's line: the call that started it. */
  parentToolUseID?: string
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
  /** Ours: what the model read before it, and nobody said. */
  modelContext?: ContentBlockParam[]
}

export type TranscriptAssistantLine = LineBase & {
  type: 'assistant'
  message: AssistantMessage
  requestId?: string
  error?: string
  isApiErrorMessage?: boolean
  /** Ours: those of its calls that began to run have a `tool-start`, and the answer, when it is whole, an `answer-end`. */
  journaled?: true
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

/** What a file was like. Without `kind` as the original writes it: null stands for a file that was not there. */
export type FileHistoryBackup = {
  backupFileName: string | null
  version: number
  backupTime: string
  mode?: number
  byCommand?: true
  kind?: 'folder' | 'no-folder' | 'not-kept'
  why?: string
  size?: number
  mtimeMs?: number
}

export type TranscriptFileHistoryLine = {
  type: 'file-history-snapshot'
  messageId: string
  snapshot: {
    messageId: string
    trackedFileBackups: Record<string, FileHistoryBackup>
    timestamp: string
    /** Those with a `kind`. */
    otherPaths?: Record<string, FileHistoryBackup>
  }
  isSnapshotUpdate: boolean
}

/** Ours: the same for backups with a `kind`. */
export type TranscriptOtherFileDelta = Omit<TranscriptFileHistoryDelta, 'type'> & { type: 'file-history-other' }

/** As newer versions of the original write what a snapshot lacks. */
export type TranscriptFileHistoryDelta = {
  type: 'file-history-delta'
  messageId: string
  snapshotMessageId: string
  trackingPath: string
  backup: FileHistoryBackup
  timestamp: string
}

/** Given by people with `renameSession()`; the last one counts. */
export type TranscriptTitleLine = { type: 'custom-title'; customTitle: string; sessionId: string }

/** The same with `tagSession()`; an empty one takes the tag away. */
export type TranscriptTagLine = { type: 'tag'; tag: string; sessionId: string }

/**
 * Ours: one request to the model, whatever became of it. Other readers skip it. `cost-open` is written when its answer begins
 * and says what was used by then; it counts only where no `cost-entry` with its id follows, as after a crash.
 */
export type TranscriptCostLine = {
  type: 'cost-entry' | 'cost-open'
  sessionId: string
  timestamp: string
  /** Of the request. */
  id?: string
  model: string
  usage: Usage
  /** 0 when the price is not known. */
  costUSD: number
  /** False: its price is not known. */
  priced: boolean
  /** Where the price is from: the date of the built-in table, or `settings`. */
  prices?: string
  durationMs: number
  ok: boolean
  longContext?: boolean
  /** The endpoint did not say what was used: it is reckoned by length. */
  estimated?: boolean
}

/**
 * Ours: somebody is asked about a call, and what became of the question. Other readers skip it. A question that is open when
 * a file ends is where the session was parked, or where it was cut off.
 */
export type TranscriptQuestionLine = {
  type: 'question-open' | 'question-settled'
  sessionId: string
  timestamp: string
  toolUseId: string
  toolName: string
  /** Of an open one: what was suggested, and why it was asked. */
  suggestions?: PermissionUpdate[]
  decisionReason?: string
  blockedPath?: string
  /** Of a settled one. */
  answer?: 'allowed' | 'denied' | 'parked' | 'unanswered' | 'failed'
  /** What was answered, for a session that was cut off before it acted on it. */
  input?: Record<string, unknown>
  message?: string
  interrupt?: true
}

/** Ours: a call is permitted and about to run. Other readers skip it. One without was never run, one without a result may have been. */
export type TranscriptStartLine = {
  type: 'tool-start'
  sessionId: string
  timestamp: string
  toolUseId: string
  toolName: string
}

/** Ours: the answer with this id is whole. One without was cut off, and is asked for again. */
export type TranscriptAnswerLine = {
  type: 'answer-end'
  sessionId: string
  timestamp: string
  messageId: string
  stopReason: string | null
}

/** Lines of our own. In a file each stands in a carrier, which readers of the original's files pass over. */
export type TranscriptOwnLine =
  | TranscriptCostLine
  | TranscriptQuestionLine
  | TranscriptStartLine
  | TranscriptAnswerLine
  | TranscriptOtherFileDelta

export type TranscriptCarrierLine = TranscriptQueueLine & { operation: 'dequeue'; kedge: TranscriptOwnLine }

export type TranscriptLine =
  | TranscriptUserLine
  | TranscriptAssistantLine
  | TranscriptCompactBoundaryLine
  | TranscriptProgressLine
  | TranscriptQueueLine
  | TranscriptFileHistoryLine
  | TranscriptFileHistoryDelta
  | TranscriptTitleLine
  | TranscriptTagLine
  | TranscriptCarrierLine
  | TranscriptOwnLine
