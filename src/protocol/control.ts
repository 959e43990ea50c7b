/** The control protocol: requests and answers that travel beside the messages, in both directions. */

import type { UUID } from './content.js'
import type { HookEvent, HookInput } from './hooks.js'
import type { JSONRPCMessage, McpServerConfigForProcessTransport } from './mcp-servers.js'
import type { SDKMessage, SDKUserMessage } from './messages.js'
import type { AccountInfo, AgentDefinition, AgentInfo, ModelInfo, SlashCommand, SummaryRequest } from './options.js'
import type { AskPreview, AskReason, PermissionMode, PermissionUpdate } from './permission-types.js'

// ── host → agent ─────────────────────────────────────────────────────────────

export type SDKHookCallbackMatcher = { matcher?: string; hookCallbackIds: string[]; timeout?: number }

export type SDKControlInitializeRequest = {
  subtype: 'initialize'
  hooks?: Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>
  sdkMcpServers?: string[]
  /** Sent by newer hosts: what a server would answer to `initialize` and `tools/list`, so that nobody has to ask. */
  sdkMcpServerManifests?: Record<string, { initializeResult?: object; toolsListResult?: object }>
  jsonSchema?: Record<string, unknown>
  /** An array from newer hosts. `""` means: no system prompt. */
  systemPrompt?: string | string[]
  appendSystemPrompt?: string
  agents?: Record<string, AgentDefinition>
  promptSuggestions?: boolean
  forwardSubagentText?: boolean
  title?: string
  skills?: string[]
  planModeInstructions?: string
  toolAliases?: Record<string, string>
  /** Ours: the host keeps the session in a store and answers `session_sync`. */
  sessionSync?: boolean
}
export type SDKControlInterruptRequest = { subtype: 'interrupt'; scope?: 'turn' | 'all' }
export type SDKControlSetModelRequest = { subtype: 'set_model'; model?: string }
export type SDKControlSetPermissionModeRequest = { subtype: 'set_permission_mode'; mode: PermissionMode }
export type SDKControlSetMaxThinkingTokensRequest = {
  subtype: 'set_max_thinking_tokens'
  max_thinking_tokens: number | null
}
export type SDKControlMcpStatusRequest = { subtype: 'mcp_status' }
export type SDKControlMcpSetServersRequest = {
  subtype: 'mcp_set_servers'
  servers: Record<string, McpServerConfigForProcessTransport>
}
export type SDKControlMcpReconnectRequest = { subtype: 'mcp_reconnect'; serverName: string }
export type SDKControlMcpToggleRequest = { subtype: 'mcp_toggle'; serverName: string; enabled: boolean }
export type SDKControlRewindFilesRequest = {
  subtype: 'rewind_files'
  user_message_id: string
  dry_run?: boolean
  /** Also files that somebody else changed since the last message or call are replaced. */
  force?: boolean
}
export type SDKControlStopTaskRequest = { subtype: 'stop_task'; task_id: string }
export type SDKControlBackgroundTasksRequest = { subtype: 'background_tasks'; tool_use_id?: string }
export type SDKControlApplyFlagSettingsRequest = { subtype: 'apply_flag_settings'; settings: Record<string, unknown> }
export type SDKControlGetContextUsageRequest = { subtype: 'get_context_usage' }
export type SDKControlReadFileRequest = {
  subtype: 'read_file'
  path: string
  max_bytes?: number
  encoding?: 'utf-8' | 'base64'
}
/** Of a user interface that a tool brings: the address begins with `ui://`. */
export type SDKControlMcpReadResourceRequest = { subtype: 'mcp_read_resource'; serverName: string; uri: string }
/** The host saw the file read when it was of that time, in whole milliseconds. */
export type SDKControlSeedReadStateRequest = { subtype: 'seed_read_state'; path: string; mtime: number }
export type SDKControlEndSessionRequest = { subtype: 'end_session' }

/** Ours: the running turn stops where another can go on (`--continue-turn`). */
export type SDKControlYieldTurnRequest = { subtype: 'yield_turn' }

export type HostToAgentRequest =
  | SDKControlInitializeRequest
  | SDKControlInterruptRequest
  | SDKControlSetModelRequest
  | SDKControlSetPermissionModeRequest
  | SDKControlSetMaxThinkingTokensRequest
  | SDKControlMcpStatusRequest
  | SDKControlMcpSetServersRequest
  | SDKControlMcpReconnectRequest
  | SDKControlMcpToggleRequest
  | SDKControlMcpMessageRequest
  | SDKControlRewindFilesRequest
  | SDKControlStopTaskRequest
  | SDKControlBackgroundTasksRequest
  | SDKControlApplyFlagSettingsRequest
  | SDKControlGetContextUsageRequest
  | SDKControlReadFileRequest
  | SDKControlMcpReadResourceRequest
  | SDKControlSeedReadStateRequest
  | SDKControlYieldTurnRequest
  | SDKControlEndSessionRequest

// ── agent → host ─────────────────────────────────────────────────────────────

export type SDKControlPermissionRequest = {
  subtype: 'can_use_tool'
  tool_name: string
  input: Record<string, unknown>
  permission_suggestions?: PermissionUpdate[]
  blocked_path?: string
  decision_reason?: string
  tool_use_id: string
  agent_id?: string
  description?: string
  /** With `--park-asks`: the answer may be `park`. */
  can_park?: boolean
  /** With `--ask-details`. */
  why?: AskReason
  preview?: AskPreview
}
export type SDKHookCallbackRequest = {
  subtype: 'hook_callback'
  callback_id: string
  input: HookInput
  tool_use_id?: string
}
/** Goes both ways: servers of the host send notifications and requests of their own with it. */
export type SDKControlMcpMessageRequest = { subtype: 'mcp_message'; server_name: string; message: JSONRPCMessage }

/** An MCP server asks the user. Answered with an `ElicitationResult`. */
export type SDKControlElicitationRequest = {
  subtype: 'elicitation'
  mcp_server_name: string
  message: string
  mode?: 'form' | 'url'
  url?: string
  elicitation_id?: string
  requested_schema?: Record<string, unknown>
  title?: string
  display_name?: string
  description?: string
}

/** Ours: the host sums up a conversation that became too long. Only where it asked for that. */
export type SDKControlSummarizeRequest = { subtype: 'summarize' } & SummaryRequest

/** Ours: does the host's store have every line so far? Only where it said that it answers; `SDKControlSessionSyncResponse`. */
export type SDKControlSessionSyncRequest = { subtype: 'session_sync' }

export type AgentToHostRequest =
  | SDKControlPermissionRequest
  | SDKHookCallbackRequest
  | SDKControlMcpMessageRequest
  | SDKControlElicitationRequest
  | SDKControlSummarizeRequest
  | SDKControlSessionSyncRequest

// ── envelopes ────────────────────────────────────────────────────────────────

export type SDKControlRequestInner = HostToAgentRequest | AgentToHostRequest

export type SDKControlRequest<Inner = SDKControlRequestInner> = {
  type: 'control_request'
  request_id: string
  request: Inner
}

export type ControlResponse = { subtype: 'success'; request_id: string; response?: Record<string, unknown> }
export type ControlErrorResponse = {
  subtype: 'error'
  request_id: string
  error: string
  /** Machine-readable, beside the text. */
  error_code?: string
  pending_permission_requests?: object[]
}
export type SDKControlResponse = { type: 'control_response'; response: ControlResponse | ControlErrorResponse }
export type SDKControlCancelRequest = { type: 'control_cancel_request'; request_id: string }
export type SDKKeepAliveMessage = { type: 'keep_alive' }

/** What may come on an agent's stdin. */
export type StdinMessage =
  | SDKUserMessage
  | SDKControlRequest<HostToAgentRequest>
  | SDKControlResponse
  | SDKControlCancelRequest
  | SDKKeepAliveMessage

/** What may come on an agent's stdout. */
export type StdoutMessage =
  | SDKMessage
  | SDKControlRequest<AgentToHostRequest>
  | SDKControlResponse
  | SDKControlCancelRequest
  | SDKKeepAliveMessage

// ── answers with a shape ─────────────────────────────────────────────────────

/** `taken_over`: another program has the session. `failed`: the store, which has leases, did not take the lines. */
export type SDKControlSessionSyncResponse = { state: 'saved' | 'taken_over' | 'failed' }

export type SDKControlInitializeResponse = {
  commands: SlashCommand[]
  output_style: string
  available_output_styles: string[]
  models: ModelInfo[]
  account: AccountInfo
  agents?: AgentInfo[]
  pid?: number
}

export type RewindFilesResult = {
  canRewind: boolean
  error?: string
  filesChanged?: string[]
  insertions?: number
  deletions?: number
  /** Files that could not be put back, and why; everything else was. */
  skipped?: { path: string; reason: string }[]
  /** How many of them because a link, or another thing that is no plain file, stands there or on the way. */
  skippedLinks?: number
  /** Files that somebody else changed since the last message or call; without `force` nothing is replaced then. */
  changedByOthers?: string[]
  /** What the files were before: rewinding to this brings them back. */
  keptAs?: string
}

export type SDKControlGetContextUsageResponse = {
  categories: { id?: string; name: string; tokens: number; kind: 'used' | 'free' | 'buffer' | 'deferred' }[]
  totalTokens: number
  maxTokens: number
  percentage: number
  model: string
  /**
   * Ours. Where the total is from: the `answer` the model gave last, the API's `count_tokens`, or, where there is neither, an
   * `estimate` by length.
   */
  counted?: 'answer' | 'count_tokens' | 'estimate'
}

export type SDKControlReadFileResponse = { path: string; content: string; encoding: 'utf-8' | 'base64'; size: number }

/** As the server gave it: nobody but the server vouches for what it holds. */
export type SDKControlMcpReadResourceResponse = {
  contents: { uri: string; mimeType?: string; text?: string; blob?: string; _meta?: Record<string, unknown> }[]
}

export type SDKControlInterruptResponse = { still_queued?: UUID[] }
