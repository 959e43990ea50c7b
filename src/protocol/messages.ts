/** Every message an agent sends to its host: `SDKMessage`, discriminated by `type` and, for `system`, by `subtype`. */

import type { AssistantMessage, MessageParam, NonNullableUsage, RawStreamEvent, UUID } from './content.js'
import type { FallbackReason } from './option-table/fallback-reasons.js'
import type { PermissionMode, SDKPermissionDenial } from './permission-types.js'

type Envelope = { uuid: UUID; session_id: string }

// ── conversation ─────────────────────────────────────────────────────────────

/** Why there is no answer of the model in an assistant message. */
export type SDKAssistantMessageError =
  | 'authentication_failed'
  | 'billing_error'
  | 'rate_limit'
  | 'invalid_request'
  | 'server_error'
  | 'unknown'
  | 'max_output_tokens'

/** One line per content block: lines of one API answer share `message.id`. */
export type SDKAssistantMessage = Envelope & {
  type: 'assistant'
  message: AssistantMessage
  parent_tool_use_id: string | null
  /** Set on lines Kedge wrote itself because the model could not answer. */
  error?: SDKAssistantMessageError
}

/** What a host sends, and what tool results look like on their way back. */
export type SDKUserMessage = {
  type: 'user'
  message: MessageParam
  parent_tool_use_id: string | null
  isSynthetic?: boolean
  tool_use_result?: unknown
  uuid?: UUID
  session_id: string
  /** A stamp of the host, as newer releases have it: it comes back in the `result` of its turn. */
  origin?: SDKMessageOrigin
}

/** Whose message it is. Kedge gives it back as it came. */
export type SDKMessageOrigin = { kind: string; [key: string]: unknown }

/** A user message given back to the host (`--replay-user-messages`, local commands). */
export type SDKUserMessageReplay = Envelope & {
  type: 'user'
  message: MessageParam
  parent_tool_use_id: string | null
  isSynthetic?: boolean
  tool_use_result?: unknown
  isReplay: true
}

export type SDKPartialAssistantMessage = Envelope & {
  type: 'stream_event'
  event: RawStreamEvent
  parent_tool_use_id: string | null
}

/** What one model was used for, and what that cost. */
export type ModelUsage = {
  /** Tokens it read that were not cached. */
  inputTokens: number
  /** Tokens it wrote. */
  outputTokens: number
  /** Tokens it read from the cache, at a tenth of the price. */
  cacheReadInputTokens: number
  /** Tokens written to the cache, at more than the plain price. */
  cacheCreationInputTokens: number
  /** Web searches it made. */
  webSearchRequests: number
  /** What all of it cost, in US dollars, by the list prices. */
  costUSD: number
  /** How many tokens fit into a request. */
  contextWindow: number
  /** How many tokens an answer can have. */
  maxOutputTokens: number
}

/** Why a turn ended; finer than `subtype`, present on every result of Kedge. */
export type TerminalReason =
  | 'completed'
  | 'max_turns'
  | 'budget_exhausted'
  | 'max_tokens'
  | 'max_tool_calls'
  | 'permission_required'
  | 'mcp_required'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'interrupted_by_permission'
  | 'hook_stopped'
  | 'stop_hook_prevented'
  | 'prompt_blocked'
  | 'max_output_tokens'
  | 'refusal'
  | 'empty_response'
  | 'api_error'
  | 'not_authenticated'
  | 'invalid_input'
  | 'resume_failed'
  | 'root_refused'
  | 'timeout'
  | 'internal_error'
  | 'structured_output_retries_exhausted'
  | 'background_cancelled'
  /** Calls wait for answers of people (`parkAsks`): resume it with `continueTurn` when they are there. */
  | 'waiting'
  /** By `yieldTurn()`: resume it with `continueTurn`. */
  | 'yielded'
  /** Another program goes on with the session. Nothing was run or said here after that. */
  | 'session_taken_over'
  /** The store of the session, which has leases, took no more lines: nothing was run that it does not know of. */
  | 'session_store_failed'

type ResultFields = Envelope & {
  type: 'result'
  duration_ms: number
  duration_api_ms: number
  is_error: boolean
  num_turns: number
  stop_reason: string | null
  /** Of this `query()` (agent process), as `modelUsage` and `duration_api_ms` are: it accumulates over its turns. */
  total_cost_usd: number
  /** Of this turn only. */
  usage: NonNullableUsage
  modelUsage: Record<string, ModelUsage>
  permission_denials: SDKPermissionDenial[]
  terminal_reason?: TerminalReason
  /** The stamp of the message that began the turn, where the host gave it one. */
  origin?: SDKMessageOrigin
  /** With what the session cost before it was resumed; absent where nothing was before. */
  session_total_cost_usd?: number
  session_model_usage?: Record<string, ModelUsage>
  /** From 0 to 1: how much of all that this session's models read came from the cache; absent where nothing was cached. */
  cache_hit_rate?: number
  /** Our error code, when the turn failed. */
  error_code?: string
  /** What to do about it, for people. */
  error_fix?: string
  /** Background work that outlives this turn. */
  pending_tasks?: { task_id: string; task_type: string; description: string }[]
  /** Models this session used whose price is not known; their cost counts as 0. */
  unpriced_models?: string[]
}

export type SDKResultSuccess = ResultFields & {
  subtype: 'success'
  result: string
  structured_output?: unknown
}

/** The end of a turn that did not get to its end. */
export type SDKResultError = ResultFields & {
  subtype: 'error_during_execution' | 'error_max_turns' | 'error_max_budget_usd' | 'error_max_structured_output_retries'
  errors: string[]
}

export type SDKResultMessage = SDKResultSuccess | SDKResultError

// ── system ───────────────────────────────────────────────────────────────────

/** Where the credential came from: a scope, or the name of the variable or file that held it. */
export type ApiKeySource =
  | 'user'
  | 'project'
  | 'org'
  | 'temporary'
  | 'oauth'
  | 'none'
  | 'ANTHROPIC_API_KEY'
  | 'ANTHROPIC_AUTH_TOKEN'
  | 'CLAUDE_API_KEY'
  | 'config_file'
  | 'apiKeyHelper'
  | 'practice'

/** Opens every processed user message. */
export type SDKSystemMessage = Envelope & {
  type: 'system'
  subtype: 'init'
  agents?: string[]
  apiKeySource: ApiKeySource
  betas?: string[]
  claude_code_version: string
  cwd: string
  tools: string[]
  mcp_servers: { name: string; status: string }[]
  model: string
  permissionMode: PermissionMode
  slash_commands: string[]
  output_style: string
  skills: string[]
  plugins: { name: string; path: string }[]
  fast_mode_state?: 'off' | 'on' | 'cooldown'
}

export type SDKStatus = 'compacting' | null

export type SDKStatusMessage = Envelope & {
  type: 'system'
  subtype: 'status'
  status: SDKStatus
  permissionMode?: PermissionMode
  compact_result?: string
}

export type SDKCompactBoundaryMessage = Envelope & {
  type: 'system'
  subtype: 'compact_boundary'
  compact_metadata: { trigger: 'manual' | 'auto'; pre_tokens: number }
}

export type SDKHookStartedMessage = Envelope & {
  type: 'system'
  subtype: 'hook_started'
  hook_id: string
  hook_name: string
  hook_event: string
}
export type SDKHookProgressMessage = Envelope & {
  type: 'system'
  subtype: 'hook_progress'
  hook_id: string
  hook_name: string
  hook_event: string
  stdout: string
  stderr: string
  output: string
}
export type SDKHookResponseMessage = Envelope & {
  type: 'system'
  subtype: 'hook_response'
  hook_id: string
  hook_name: string
  hook_event: string
  output: string
  stdout: string
  stderr: string
  exit_code?: number
  outcome: 'success' | 'error' | 'cancelled'
}

type TaskUsage = { total_tokens: number; tool_uses: number; duration_ms: number }

export type SDKTaskStartedMessage = Envelope & {
  type: 'system'
  subtype: 'task_started'
  task_id: string
  tool_use_id?: string
  description: string
  task_type?: string
  /** Of an agent: the tools it has. */
  tools?: string[]
}
export type SDKTaskProgressMessage = Envelope & {
  type: 'system'
  subtype: 'task_progress'
  task_id: string
  tool_use_id?: string
  description: string
  subagent_type?: string
  usage: TaskUsage
  last_tool_name?: string
}
export type SDKTaskUpdatedMessage = Envelope & {
  type: 'system'
  subtype: 'task_updated'
  task_id: string
  patch: {
    status?: 'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'paused'
    description?: string
    end_time?: number
    error?: string
    is_backgrounded?: boolean
  }
}
export type SDKTaskNotificationMessage = Envelope & {
  type: 'system'
  subtype: 'task_notification'
  task_id: string
  tool_use_id?: string
  status: 'completed' | 'failed' | 'stopped'
  output_file: string
  summary: string
  usage?: TaskUsage
}
export type SDKBackgroundTasksChangedMessage = Envelope & {
  type: 'system'
  subtype: 'background_tasks_changed'
  tasks: { task_id: string; task_type: string; description: string }[]
}

/** All commands of the session, whenever servers brought or took some since `initialize` was answered. */
export type SDKCommandsChangedMessage = Envelope & {
  type: 'system'
  subtype: 'commands_changed'
  commands: { name: string; description: string; argumentHint: string }[]
}

/** What an MCP server sent the user to a page for is done. */
export type SDKElicitationCompleteMessage = Envelope & {
  type: 'system'
  subtype: 'elicitation_complete'
  mcp_server_name: string
  elicitation_id: string
}

export type SDKFilesPersistedEvent = Envelope & {
  type: 'system'
  subtype: 'files_persisted'
  files: { filename: string; file_id: string }[]
  failed: { filename: string; error: string }[]
  processed_at: string
}

/** A model request failed and will be tried again after `retry_delay_ms`. */
export type SDKAPIRetryMessage = Envelope & {
  type: 'system'
  subtype: 'api_retry'
  attempt: number
  max_retries: number
  retry_delay_ms: number
  error_status: number | null
  error: string
}
export type SDKModelFallbackMessage = Envelope & {
  type: 'system'
  subtype: 'model_fallback'
  trigger: FallbackReason
  original_model: string
  fallback_model: string
  content: string
}
/** A call was denied without anyone being asked: by a rule, a mode, or because there is nobody to ask. */
export type SDKPermissionDeniedMessage = Envelope & {
  type: 'system'
  subtype: 'permission_denied'
  tool_name: string
  tool_use_id: string
  agent_id?: string
  decision_reason_type?: string
  decision_reason?: string
  /** What the model reads. Not `message`, as newer releases call it: programs expect `message.content` wherever that key is. */
  content: string
}
export type SDKInformationalMessage = Envelope & {
  type: 'system'
  subtype: 'informational'
  content: string
  level: 'notice' | 'warning' | 'error'
  /** What it is about, for programs; docs/errors.md has the list. */
  code?: string
  /** The facts, by name; which there are depends on the code. */
  details?: Record<string, string | null>
}
/** The conversation was cleared: what follows knows nothing of what was before. */
export type SDKConversationResetMessage = Envelope & {
  type: 'conversation_reset'
  new_conversation_id: string
  trigger: 'clear'
}
/** What became of a user message that had a `uuid`. */
export type SDKCommandLifecycleMessage = Envelope & {
  type: 'command_lifecycle'
  command_uuid: string
  state: 'queued' | 'started' | 'folded' | 'completed' | 'dropped'
}
/** Tells whether the agent is idle: hosts, so that they can close stdin, and callers that asked for it. */
export type SDKSessionStateChangedMessage = Envelope & {
  type: 'system'
  subtype: 'session_state_changed'
  state: 'idle' | 'running' | 'requires_action'
  /** The SDK keeps it to itself. */
  sdk_host_only?: true
  /** How many user messages the agent has read so far: tells the host whether `idle` covers all it sent. */
  user_messages?: number
  /** Background work that goes on although the agent is idle (`onTurnEnd: 'detach'`). */
  background_tasks?: number
}

// ── others ───────────────────────────────────────────────────────────────────

export type SDKToolProgressMessage = Envelope & {
  type: 'tool_progress'
  tool_use_id: string
  tool_name: string
  parent_tool_use_id: string | null
  elapsed_time_seconds: number
  task_id?: string
  /** What it printed since the last one; empty when it begins to run. Only with `includeToolOutput`. */
  output?: string
}
export type SDKAuthStatusMessage = Envelope & {
  type: 'auth_status'
  isAuthenticating: boolean
  output: string[]
  error?: string
}
export type SDKToolUseSummaryMessage = Envelope & {
  type: 'tool_use_summary'
  summary: string
  preceding_tool_use_ids: string[]
}
/** As the API tells it; Kedge sends none. */
export type SDKRateLimitInfo = Record<string, unknown>
export type SDKRateLimitEvent = Envelope & { type: 'rate_limit_event'; rate_limit_info: SDKRateLimitInfo }
/**
 * The caller's `sessionStore` did not take what belongs to the turn. It is tried again with what comes next, unless `code` is
 * `session_fenced`: then another program writes to the session, and nothing more of this one is saved.
 */
export type SDKMirrorErrorMessage = Envelope & {
  type: 'system'
  subtype: 'mirror_error'
  error: string
  code?: 'session_fenced'
  key: { projectKey: string; sessionId: string; subpath?: string }
}
export type SDKPromptSuggestionMessage = Envelope & { type: 'prompt_suggestion'; suggestion: string }

export type SDKMessage =
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKUserMessageReplay
  | SDKResultMessage
  | SDKSystemMessage
  | SDKPartialAssistantMessage
  | SDKCompactBoundaryMessage
  | SDKStatusMessage
  | SDKHookStartedMessage
  | SDKHookProgressMessage
  | SDKHookResponseMessage
  | SDKToolProgressMessage
  | SDKAuthStatusMessage
  | SDKTaskNotificationMessage
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskUpdatedMessage
  | SDKBackgroundTasksChangedMessage
  | SDKCommandsChangedMessage
  | SDKFilesPersistedEvent
  | SDKToolUseSummaryMessage
  | SDKElicitationCompleteMessage
  | SDKRateLimitEvent
  | SDKPromptSuggestionMessage
  | SDKAPIRetryMessage
  | SDKModelFallbackMessage
  | SDKPermissionDeniedMessage
  | SDKInformationalMessage
  | SDKMirrorErrorMessage
  | SDKCommandLifecycleMessage
  | SDKConversationResetMessage
  | SDKSessionStateChangedMessage
