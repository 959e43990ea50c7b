/** Every message an agent sends to its host: `SDKMessage`, discriminated by `type` and, for `system`, by `subtype`. */

import type { AssistantMessage, MessageParam, NonNullableUsage, RawStreamEvent, UUID } from './content.js'
import type { FallbackReason } from './option-table/fallback-reasons.js'
import type { PermissionMode, SDKPermissionDenial } from './permission-types.js'

type Envelope = {
  /** The id of this message. */
  uuid: UUID
  /** The session it belongs to. */
  session_id: string
}

// ── conversation ─────────────────────────────────────────────────────────────

/** The reason why an assistant message has no response of the model. */
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
  /** The answer as the API gave it, with this one content block. */
  message: AssistantMessage
  /** For a sub-agent, the call that started it. Null in the main conversation. */
  parent_tool_use_id: string | null
  /** Set on lines Kedge wrote itself because the model could not answer. */
  error?: SDKAssistantMessageError
}

/** What a host sends, and what tool results look like on their way back. */
export type SDKUserMessage = {
  type: 'user'
  /** What was said: text, or content blocks. */
  message: MessageParam
  /** For a sub-agent, the call that started it. Null in the main conversation. */
  parent_tool_use_id: string | null
  /** True when no person wrote it. */
  isSynthetic?: boolean
  /** For a tool result, the same as data, in the shape that `kedge/sdk-tools` gives for the tool. */
  tool_use_result?: unknown
  /** An id of the host's for it; messages about it and checkpoints name it. */
  uuid?: UUID
  /** The session it is for; may be empty, it goes to the one that is running. */
  session_id: string
  /** A stamp of the host, as newer releases have it: it comes back in the `result` of its turn. */
  origin?: SDKMessageOrigin
}

/** Whose message it is. Kedge gives it back as it came. */
export type SDKMessageOrigin = {
  /** A word of the host for where the message came from. */
  kind: string
  [key: string]: unknown
}

/** A user message given back to the host (`--replay-user-messages`, local commands). */
export type SDKUserMessageReplay = Envelope & {
  type: 'user'
  /** What was said: text, or content blocks. */
  message: MessageParam
  /** For a sub-agent, the call that started it. Null in the main conversation. */
  parent_tool_use_id: string | null
  /** True when no person wrote it. */
  isSynthetic?: boolean
  /** For a tool result, the same as data, in the shape that `kedge/sdk-tools` gives for the tool. */
  tool_use_result?: unknown
  /** Tells it from a new message. */
  isReplay: true
}

/** A piece of an answer while it comes in; only with `includePartialMessages`. */
export type SDKPartialAssistantMessage = Envelope & {
  type: 'stream_event'
  /** The event as the API sent it. */
  event: RawStreamEvent
  /** For a sub-agent, the call that started it. Null in the main conversation. */
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
  /** Another program continues the session. Nothing ran here after that. */
  | 'session_taken_over'
  /** The store of the session, which has leases, took no more lines: nothing was run that it does not know of. */
  | 'session_store_failed'

type ResultFields = Envelope & {
  type: 'result'
  /** How long the turn took, in all. */
  duration_ms: number
  /** How much of it was spent waiting for the model. */
  duration_api_ms: number
  /** Whether the turn failed; look at `error_code` and `terminal_reason` for why. */
  is_error: boolean
  /** How many answers of the model the turn took. */
  num_turns: number
  /** Why the model stopped its last answer. */
  stop_reason: string | null
  /** Cost of this `query()` (agent process), like `modelUsage` and `duration_api_ms`: it accumulates over its turns. */
  total_cost_usd: number
  /** Usage of this turn only. */
  usage: NonNullableUsage
  /** What was used, by model. */
  modelUsage: Record<string, ModelUsage>
  /** The calls that were denied in this turn. */
  permission_denials: SDKPermissionDenial[]
  /** Why the turn ended, in one word. */
  terminal_reason?: TerminalReason
  /** The stamp of the message that began the turn, where the host gave it one. */
  origin?: SDKMessageOrigin
  /** The `uuid` of the message that began the turn, where the host gave it one. */
  user_message_uuid?: UUID
  /** With what the session cost before it was resumed; absent where nothing was before. */
  session_total_cost_usd?: number
  /** The same by model. */
  session_model_usage?: Record<string, ModelUsage>
  /** From 0 to 1: how much of all that this session's models read came from the cache; absent where nothing was cached. */
  cache_hit_rate?: number
  /** Our error code, when the turn failed. */
  error_code?: string
  /** What to do about it, for people. */
  error_fix?: string
  /** Background work that outlives this turn. */
  pending_tasks?: {
    /** The id of the work. */
    task_id: string
    /** A command, an agent, and so on. */
    task_type: string
    /** What it is, in a few words. */
    description: string
  }[]
  /** Models this session used whose price is not known; their cost counts as 0. */
  unpriced_models?: string[]
}

/** The end of a turn that got to its end. */
export type SDKResultSuccess = ResultFields & {
  subtype: 'success'
  /** The last text of the model. */
  result: string
  /** The answer as data, checked against the schema of `outputFormat`. */
  structured_output?: unknown
}

/** The end of a turn that did not get to its end. */
export type SDKResultError = ResultFields & {
  /** What kind of end it was. */
  subtype: 'error_during_execution' | 'error_max_turns' | 'error_max_budget_usd' | 'error_max_structured_output_retries'
  /** What went wrong, in words. */
  errors: string[]
}

/** The end of a turn: there is exactly one for each user message. */
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
  /** Names of the sub-agents there are. */
  agents?: string[]
  /** Where the credential for the model was found. */
  apiKeySource: ApiKeySource
  /** Betas of the API that are switched on. */
  betas?: string[]
  /** The release of the original whose protocol is spoken. */
  claude_code_version: string
  /** The working folder. */
  cwd: string
  /** Names of the tools the model is offered. */
  tools: string[]
  /** The MCP servers, and how each is. */
  mcp_servers: {
    /** The server, by its name in the configuration. */
    name: string
    /** Whether it is connected. */
    status: string
  }[]
  /** The model that will answer. */
  model: string
  /** The permission mode that holds. */
  permissionMode: PermissionMode
  /** Names of the slash commands there are. */
  slash_commands: string[]
  /** The output style that holds. */
  output_style: string
  /** Names of the skills there are. */
  skills: string[]
  /** The plugins that are loaded, and their folders. */
  plugins: {
    /** The plugin. */
    name: string
    /** Its folder. */
    path: string
  }[]
  /** Whether faster answers are on, for models that have them. */
  fast_mode_state?: 'off' | 'on' | 'cooldown'
}

/** What the session is busy with besides answering. */
export type SDKStatus = 'compacting' | null

/** The session began or ended something that takes a while, or its permission mode changed. */
export type SDKStatusMessage = Envelope & {
  type: 'system'
  subtype: 'status'
  /** What it is busy with; null: nothing. */
  status: SDKStatus
  /** The mode that holds now. */
  permissionMode?: PermissionMode
  /** How the compaction ended. */
  compact_result?: string
}

/** What was said before this point was replaced by a summary. */
export type SDKCompactBoundaryMessage = Envelope & {
  type: 'system'
  subtype: 'compact_boundary'
  /** What triggered it, and how many tokens the conversation had before. */
  compact_metadata: {
    /** `manual`: the user or host requested it. `auto`: the context was nearly full. */
    trigger: 'manual' | 'auto'
    /** Tokens the conversation had before. */
    pre_tokens: number
  }
}

/** A hook begins to run. */
export type SDKHookStartedMessage = Envelope & {
  type: 'system'
  subtype: 'hook_started'
  /** The same in all messages about this run of the hook. */
  hook_id: string
  /** The hook, as event and matcher name it. */
  hook_name: string
  /** The event it runs for. */
  hook_event: string
}
/** What a running hook has printed so far. */
export type SDKHookProgressMessage = Envelope & {
  type: 'system'
  subtype: 'hook_progress'
  /** The same in all messages about this run of the hook. */
  hook_id: string
  /** The hook, as event and matcher name it. */
  hook_name: string
  /** The event it runs for. */
  hook_event: string
  /** What it wrote to stdout. */
  stdout: string
  /** What it wrote to stderr. */
  stderr: string
  /** Both together, as the user would see them. */
  output: string
}
/** A hook has ended. */
export type SDKHookResponseMessage = Envelope & {
  type: 'system'
  subtype: 'hook_response'
  /** The same in all messages about this run of the hook. */
  hook_id: string
  /** The hook, as event and matcher name it. */
  hook_name: string
  /** The event it runs for. */
  hook_event: string
  /** Both together, as the user would see them. */
  output: string
  /** What it wrote to stdout. */
  stdout: string
  /** What it wrote to stderr. */
  stderr: string
  /** Its exit code, where it was a command that ended by itself. */
  exit_code?: number
  /** How it ended. */
  outcome: 'success' | 'error' | 'cancelled'
}

type TaskUsage = { total_tokens: number; tool_uses: number; duration_ms: number }

/** Background work has begun. */
export type SDKTaskStartedMessage = Envelope & {
  type: 'system'
  subtype: 'task_started'
  /** The id of the background work. */
  task_id: string
  /** The call that started it. */
  tool_use_id?: string
  /** What it is, in a few words. */
  description: string
  /** A command, an agent, and so on. */
  task_type?: string
  /** For an agent, the tools it has. */
  tools?: string[]
}
/** Background work continues. */
export type SDKTaskProgressMessage = Envelope & {
  type: 'system'
  subtype: 'task_progress'
  /** The id of the background work. */
  task_id: string
  /** The call that started it. */
  tool_use_id?: string
  /** What it is, in a few words. */
  description: string
  /** The kind of sub-agent. */
  subagent_type?: string
  /** Tokens, calls and time it took so far. */
  usage: TaskUsage
  /** The tool it used last. */
  last_tool_name?: string
}
/** Something about background work changed. */
export type SDKTaskUpdatedMessage = Envelope & {
  type: 'system'
  subtype: 'task_updated'
  /** The id of the background work. */
  task_id: string
  /** Only what changed. */
  patch: {
    /** How it is now. */
    status?: 'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'paused'
    /** What it is, in a few words. */
    description?: string
    /** When it ended, in milliseconds since 1970. */
    end_time?: number
    /** What went wrong. */
    error?: string
    /** Whether the turn no longer waits for it. */
    is_backgrounded?: boolean
  }
}
/** Background work has ended. */
export type SDKTaskNotificationMessage = Envelope & {
  type: 'system'
  subtype: 'task_notification'
  /** The id of the background work. */
  task_id: string
  /** The call that started it. */
  tool_use_id?: string
  /** How the task ended. `stopped`: a user, the host, or the model stopped it. */
  status: 'completed' | 'failed' | 'stopped'
  /** The file with all it printed or said. */
  output_file: string
  /** A line about what it was and how it ended. */
  summary: string
  /** Tokens, calls and time it took so far. */
  usage?: TaskUsage
}
/** The background work that is running now, whenever that changes. */
export type SDKBackgroundTasksChangedMessage = Envelope & {
  type: 'system'
  subtype: 'background_tasks_changed'
  /** All of it, not only what changed. */
  tasks: {
    /** The id of the work. */
    task_id: string
    /** A command, an agent, and so on. */
    task_type: string
    /** What it is, in a few words. */
    description: string
  }[]
}

/** All commands of the session, whenever servers brought or took some since `initialize` was answered. */
export type SDKCommandsChangedMessage = Envelope & {
  type: 'system'
  subtype: 'commands_changed'
  /** All commands there are now. */
  commands: {
    /** What to type, without the slash. */
    name: string
    /** What it does. */
    description: string
    /** What to write after it. */
    argumentHint: string
  }[]
}

/** What an MCP server sent the user to a page for is done. */
export type SDKElicitationCompleteMessage = Envelope & {
  type: 'system'
  subtype: 'elicitation_complete'
  /** The MCP server it comes from, by its name in the configuration. */
  mcp_server_name: string
  /** Ties the question to its answer and to the notice that it is done. */
  elicitation_id: string
}

/** With `enableFileCheckpointing`: files the turn changed, of which copies were kept. */
export type SDKFilesPersistedEvent = Envelope & {
  type: 'system'
  subtype: 'files_persisted'
  /** Files whose old state was kept. */
  files: {
    /** The file. */
    filename: string
    /** The name of its copy. */
    file_id: string
  }[]
  /** Files of which no copy could be made, and why. */
  failed: {
    /** The file. */
    filename: string
    /** Why not. */
    error: string
  }[]
  /** When, as an ISO date. */
  processed_at: string
}

/** A model request failed and will be tried again after `retry_delay_ms`. */
export type SDKAPIRetryMessage = Envelope & {
  type: 'system'
  subtype: 'api_retry'
  /** Which retry it will be, from 1. */
  attempt: number
  /** How many there may be. */
  max_retries: number
  /** How long it waits before the retry. */
  retry_delay_ms: number
  /** The HTTP status; null where there was no response. */
  error_status: number | null
  /** The kind of error, as `SDKAssistantMessageError` names it. */
  error: string
  /** Why there was no response, in a sentence for people; absent where there was one. */
  cause?: string
}
/** The turn continues with another model because the first one could not answer. */
export type SDKModelFallbackMessage = Envelope & {
  type: 'system'
  subtype: 'model_fallback'
  /** Why the model was changed. */
  trigger: FallbackReason
  /** The model that was asked first. */
  original_model: string
  /** The model that answers instead. */
  fallback_model: string
  /** The same as a sentence for people. */
  content: string
}
/** A call was denied without a permission request: by a rule, by a mode, or because no one can be asked. */
export type SDKPermissionDeniedMessage = Envelope & {
  type: 'system'
  subtype: 'permission_denied'
  /** The tool that was called. */
  tool_name: string
  /** The id of the call. */
  tool_use_id: string
  /** The sub-agent that made it, if one did. */
  agent_id?: string
  /** What kind of thing denied it, such as `rule` or `mode`. */
  decision_reason_type?: string
  /** The same in words. */
  decision_reason?: string
  /** What the model reads. Not `message`, as newer releases call it: programs expect `message.content` wherever that key is. */
  content: string
}
/** Information for the user that does not come from the model. */
export type SDKInformationalMessage = Envelope & {
  type: 'system'
  subtype: 'informational'
  /** The text. */
  content: string
  /** How much it matters. */
  level: 'notice' | 'warning' | 'error'
  /** What it is about, for programs; docs/errors.md has the list. */
  code?: string
  /** The facts, by name; which there are depends on the code. */
  details?: Record<string, string | null>
}
/** The conversation was cleared: what follows knows nothing of what was before. */
export type SDKConversationResetMessage = Envelope & {
  type: 'conversation_reset'
  /** The id that the conversation continues with. */
  new_conversation_id: string
  trigger: 'clear'
}
/** What became of a user message that had a `uuid`. */
export type SDKCommandLifecycleMessage = Envelope & {
  type: 'command_lifecycle'
  /** The `uuid` of the user message. */
  command_uuid: string
  /** How far it got: `folded` joined a running turn, `dropped` was never read by the model. */
  state: 'queued' | 'started' | 'folded' | 'completed' | 'dropped'
}
/** Tells whether the agent is idle: hosts, so that they can close stdin, and callers that asked for it. */
export type SDKSessionStateChangedMessage = Envelope & {
  type: 'system'
  subtype: 'session_state_changed'
  /** `requires_action`: the session waits for an answer. */
  state: 'idle' | 'running' | 'requires_action'
  /** The SDK keeps it to itself. */
  sdk_host_only?: true
  /** How many user messages the agent has read so far: tells the host whether `idle` covers all it sent. */
  user_messages?: number
  /** Background work that continues although the agent is idle (`onTurnEnd: 'detach'`). */
  background_tasks?: number
}

// ── others ───────────────────────────────────────────────────────────────────

/** A tool is still running. */
export type SDKToolProgressMessage = Envelope & {
  type: 'tool_progress'
  /** The id of the call. */
  tool_use_id: string
  /** The tool that runs. */
  tool_name: string
  /** For a sub-agent, the call that started it. Null in the main conversation. */
  parent_tool_use_id: string | null
  /** How long it has been running. */
  elapsed_time_seconds: number
  /** The background work it is, if it is that. */
  task_id?: string
  /** What it printed since the last one; empty when it begins to run. Only with `includeToolOutput`. */
  output?: string
}
/** The progress of getting a key, sent before and after a run of `apiKeyHelper`. */
export type SDKAuthStatusMessage = Envelope & {
  type: 'auth_status'
  /** Whether it is under way. */
  isAuthenticating: boolean
  /** What it has printed; never the key. */
  output: string[]
  /** Why it failed. */
  error?: string
}
/** A line about a few calls that belong together. */
export type SDKToolUseSummaryMessage = Envelope & {
  type: 'tool_use_summary'
  /** The line. */
  summary: string
  /** The calls it sums up. */
  preceding_tool_use_ids: string[]
}
/** As the API tells it; Kedge sends none. */
export type SDKRateLimitInfo = Record<string, unknown>
/** How close the account is to its limits. */
export type SDKRateLimitEvent = Envelope & {
  type: 'rate_limit_event'
  /** The limits as the API tells them. */
  rate_limit_info: SDKRateLimitInfo
}
/**
 * The caller's `sessionStore` did not take what belongs to the turn. It is tried again with what comes next, unless `code` is
 * `session_fenced`: then another program writes to the session, and nothing more of this one is saved.
 */
export type SDKMirrorErrorMessage = Envelope & {
  type: 'system'
  subtype: 'mirror_error'
  /** What the store said. */
  error: string
  /** Set when another program writes to the session. */
  code?: 'session_fenced'
  /** Which lines it is about. */
  key: {
    /** The project, as the session store names it. */
    projectKey: string
    /** The session. */
    sessionId: string
    /** A part of the session, such as a sub-agent's conversation. */
    subpath?: string
  }
}
/** What the user might want to say next; only with `promptSuggestions`. */
export type SDKPromptSuggestionMessage = Envelope & {
  type: 'prompt_suggestion'
  /** The suggested prompt. */
  suggestion: string
}

/** Everything a query can yield: tell the messages apart by `type` and, for `system`, by `subtype`. */
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
