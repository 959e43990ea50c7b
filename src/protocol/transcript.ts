/** Lines of a session file: `<config>/projects/<cwd-slug>/<session>.jsonl`. */

import type { AssistantMessage, ContentBlockParam, MessageParam, Usage, UUID } from './content.js'
import type { PermissionMode, PermissionUpdate } from './permission-types.js'

type LineBase = {
  /** The line before it in the conversation; null: it is the first. */
  parentUuid: string | null
  /** True for what a sub-agent says. */
  isSidechain: boolean
  userType: 'external'
  /** The working folder at that moment. */
  cwd: string
  /** The session it belongs to. */
  sessionId: string
  /** The release that wrote it. */
  version: string
  /** The branch that was checked out. */
  gitBranch: string
  /** The id of the line. */
  uuid: UUID
  /** When it was written, as an ISO date. */
  timestamp: string
  /** A name for the session, for files beside it. */
  slug?: string
  /** The sub-agent it is from. */
  agentId?: string
  /** For a sub-agent's line, the call that started the sub-agent. */
  parentToolUseID?: string
}

/** What the user said, or what a tool gave back. */
export type TranscriptUserLine = LineBase & {
  type: 'user'
  /** The message, as it is sent to the model. */
  message: MessageParam
  /** The permission mode that held. */
  permissionMode?: PermissionMode
  /** For a tool result, the same as data. */
  toolUseResult?: unknown
  /** The line with the call it answers. */
  sourceToolAssistantUUID?: string
  /** True: no person wrote it. */
  isMeta?: boolean
  /** People see it; the model does not. */
  isVisibleInTranscriptOnly?: boolean
  /** True for the summary that replaces the conversation so far. */
  isCompactSummary?: boolean
  /** Kedge's own field: text that the model read before it and that is not from the user. */
  modelContext?: ContentBlockParam[]
}

/** One content block of an answer. */
export type TranscriptAssistantLine = LineBase & {
  type: 'assistant'
  /** The answer, with this one block. */
  message: AssistantMessage
  /** What the API calls the request. */
  requestId?: string
  /** Why the model could not answer. */
  error?: string
  /** Written in place of an answer that did not come. */
  isApiErrorMessage?: boolean
  /** Ours: those of its calls that began to run have a `tool-start`, and the answer, when it is whole, an `answer-end`. */
  journaled?: true
}

/** What was said before this was replaced by a summary. */
export type TranscriptCompactBoundaryLine = LineBase & {
  type: 'system'
  subtype: 'compact_boundary'
  /** The last line before the summary. */
  logicalParentUuid: string
  /** A sentence for people. */
  content: string
  /** True if it is not from the user. */
  isMeta: boolean
  level: 'info'
  /** What triggered it, and how many tokens there were before. */
  compactMetadata: {
    /** `manual`: the user or host requested it. `auto`: the context was nearly full. */
    trigger: 'manual' | 'auto'
    /** Tokens the conversation had before. */
    preTokens: number
  }
}

/** How far a call has got. */
export type TranscriptProgressLine = LineBase & {
  type: 'progress'
  /** What there is to say about it. */
  data: Record<string, unknown>
  /** The id of the call that makes progress. */
  toolUseID: string
  /** The call it belongs to. */
  parentToolUseID: string
}

/** A message came in, was taken, or was dropped. */
export type TranscriptQueueLine = {
  type: 'queue-operation'
  /** Which of these. */
  operation: 'enqueue' | 'dequeue' | 'remove'
  /** When it was written, as an ISO date. */
  timestamp: string
  /** The session it belongs to. */
  sessionId: string
  /** The text of the message. */
  content?: string
}

/** What a file was like. Without `kind` as the original writes it: null stands for a file that was not there. */
export type FileHistoryBackup = {
  /** The copy's name; null: the file was not there. */
  backupFileName: string | null
  /** Which copy of the file it is, from 1. */
  version: number
  /** When the copy was made, as an ISO date. */
  backupTime: string
  /** Permission bits of the file. */
  mode?: number
  /** Changed by a command, not by an editing tool. */
  byCommand?: true
  /** A folder, a folder that was not there, or a file that was not kept. */
  kind?: 'folder' | 'no-folder' | 'not-kept'
  /** Why it was not kept. */
  why?: string
  /** Bytes it had. */
  size?: number
  /** When it was changed last, in milliseconds. */
  mtimeMs?: number
}

/** What files were like when a user message came. */
export type TranscriptFileHistoryLine = {
  type: 'file-history-snapshot'
  /** The user message whose checkpoint it is. */
  messageId: string
  /** The files, each with its copy. */
  snapshot: {
    /** The user message whose checkpoint it is. */
    messageId: string
    /** The files, each with its copy. */
    trackedFileBackups: Record<string, FileHistoryBackup>
    /** When it was made, as an ISO date. */
    timestamp: string
    /** Those with a `kind`. */
    otherPaths?: Record<string, FileHistoryBackup>
  }
  /** It replaces the snapshot of that message. */
  isSnapshotUpdate: boolean
}

/** Ours: the same for backups with a `kind`. */
export type TranscriptOtherFileDelta = Omit<TranscriptFileHistoryDelta, 'type'> & { type: 'file-history-other' }

/** As newer versions of the original write what a snapshot lacks. */
export type TranscriptFileHistoryDelta = {
  type: 'file-history-delta'
  /** The user message whose checkpoint it is. */
  messageId: string
  /** The snapshot it adds to. */
  snapshotMessageId: string
  /** The file it is about. */
  trackingPath: string
  /** What the file was like. */
  backup: FileHistoryBackup
  /** When it was written, as an ISO date. */
  timestamp: string
}

/** Given by people with `renameSession()`; the last one counts. */
export type TranscriptTitleLine = {
  type: 'custom-title'
  /** The title. */
  customTitle: string
  /** The session it belongs to. */
  sessionId: string
}

/** The same with `tagSession()`; an empty one takes the tag away. */
export type TranscriptTagLine = {
  type: 'tag'
  /** The tag; empty: none. */
  tag: string
  /** The session it belongs to. */
  sessionId: string
}

/**
 * Ours: one request to the model, whatever became of it. Other readers skip it. `cost-open` is written when its answer begins
 * and says what was used by then; it counts only where no `cost-entry` with its id follows, as after a crash.
 */
export type TranscriptCostLine = {
  /** A finished request, or one that has just begun. */
  type: 'cost-entry' | 'cost-open'
  /** The session it belongs to. */
  sessionId: string
  /** When it was written, as an ISO date. */
  timestamp: string
  /** Id of the request. */
  id?: string
  /** The model that was asked. */
  model: string
  /** The tokens it took. */
  usage: Usage
  /** 0 when the price is not known. */
  costUSD: number
  /** False: its price is not known. */
  priced: boolean
  /** Where the price is from: the date of the built-in table, or `settings`. */
  prices?: string
  /** How long it took. */
  durationMs: number
  /** Whether it was answered. */
  ok: boolean
  /** It was charged as a long context. */
  longContext?: boolean
  /** The endpoint did not say what was used: it is reckoned by length. */
  estimated?: boolean
}

/**
 * Kedge's own line: a request about a call, and its outcome. Other readers skip it. A request that is open at the end
 * of a file is where the session was parked or cut off.
 */
export type TranscriptQuestionLine = {
  /** A question that is open, or one that was settled. */
  type: 'question-open' | 'question-settled'
  /** The session it belongs to. */
  sessionId: string
  /** When it was written, as an ISO date. */
  timestamp: string
  /** The call it is about. */
  toolUseId: string
  /** The tool that is called. */
  toolName: string
  /** For an open request: the suggestions, and why the decision is needed. */
  suggestions?: PermissionUpdate[]
  /** Why it was asked, in words. */
  decisionReason?: string
  /** The path that made it a question. */
  blockedPath?: string
  /** For a settled request: how it ended. */
  answer?: 'allowed' | 'denied' | 'parked' | 'unanswered' | 'failed'
  /** What was answered, for a session that was cut off before it acted on it. */
  input?: Record<string, unknown>
  /** The text that the model reads if the call was denied. */
  message?: string
  /** The answer also ended the turn. */
  interrupt?: true
}

/** Ours: a call is permitted and about to run. Other readers skip it. One without was never run, one without a result may have been. */
export type TranscriptToolStartLine = {
  type: 'tool-start'
  /** The session it belongs to. */
  sessionId: string
  /** When it was written, as an ISO date. */
  timestamp: string
  /** The id of the call. */
  toolUseId: string
  /** The tool that runs. */
  toolName: string
}

/**
 * Kedge's own line: a running call waits for a user, and any process can continue it from `state`. Other readers skip
 * it. Without `state`, the call acts again, and no other process can continue it.
 */
export type TranscriptToolWaitLine = {
  type: 'tool-wait'
  /** The session it belongs to. */
  sessionId: string
  /** When it was written, as an ISO date. */
  timestamp: string
  /** The id of the call. */
  toolUseId: string
  /** The tool that runs. */
  toolName: string
  /** What the tool needs to continue: for a tool of an MCP server an `McpPausedRequest`. */
  state?: Record<string, unknown>
}

/** Ours: the answer with this id is whole. One without was cut off, and is asked for again. */
export type TranscriptResponseEndLine = {
  type: 'answer-end'
  /** The session it belongs to. */
  sessionId: string
  /** When it was written, as an ISO date. */
  timestamp: string
  /** The id of the answer. */
  messageId: string
  /** Why the model stopped. */
  stopReason: string | null
}

/** Lines of our own. In a file each stands in a carrier, which readers of the original's files pass over. */
export type TranscriptOwnLine =
  | TranscriptCostLine
  | TranscriptQuestionLine
  | TranscriptToolStartLine
  | TranscriptToolWaitLine
  | TranscriptResponseEndLine
  | TranscriptOtherFileDelta

/** A line of our own, in a shape that other readers skip. */
export type TranscriptCarrierLine = TranscriptQueueLine & {
  operation: 'dequeue'
  /** The line itself. */
  kedge: TranscriptOwnLine
}

/** A line of a session file: tell them apart by `type`. */
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
