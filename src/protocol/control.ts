/** The control protocol: requests and answers that travel beside the messages, in both directions. */

import type { UUID } from './content.js'
import type { HookEvent, HookInput } from './hooks.js'
import type { McpCompletionTarget } from './mcp/mcp-completion.js'
import type {
  JSONRPCMessage,
  McpServerConfigForProcessTransport,
  McpSignInAnswer,
  McpSignInRequest,
  McpTokenRequest,
} from './mcp-servers.js'
import type { SDKMessage, SDKUserMessage } from './messages.js'
import type { AccountInfo, AgentDefinition, AgentInfo, ModelInfo, SlashCommand, SummaryRequest } from './options.js'
import type { AskPreview, AskReason, PermissionMode, PermissionUpdate } from './permission-types.js'
import type { SessionRequest } from './requests/session-requests.js'

// ── host → agent ─────────────────────────────────────────────────────────────

/** Hooks of the host, and which calls of an event they are for. */
export type SDKHookCallbackMatcher = {
  /** A tool name, a `|` list or a regular expression; absent means every call. */
  matcher?: string
  /** The ids they are called by. */
  hookCallbackIds: string[]
  /** Seconds for each of them. */
  timeout?: number
  /** `block`: a callback that throws or takes too long blocks what the event is about. Default: `continue`. */
  onFailure?: 'continue' | 'block'
}

/** The first request of a host, with its hooks, agents, and other settings. */
export type SDKControlInitializeRequest = {
  subtype: 'initialize'
  /** Hooks that are functions of the host, by event. */
  hooks?: Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>
  /** Names of the MCP servers the host itself runs. */
  sdkMcpServers?: string[]
  /** Servers the agent starts or connects to, as in `mcpServers` of the options. Read only with `--await-initialize`. */
  mcpServers?: Record<string, unknown>
  /** A server's answers to `initialize` and `tools/list`, sent by newer hosts so the agent need not ask for them. */
  sdkMcpServerManifests?: Record<string, { initializeResult?: object; toolsListResult?: object }>
  /** The schema the result has to fit. */
  jsonSchema?: Record<string, unknown>
  /** An array from newer hosts. `""` means: no system prompt. */
  systemPrompt?: string | string[]
  /** Text after the system prompt. */
  appendSystemPrompt?: string
  /** Sub-agents by name. */
  agents?: Record<string, AgentDefinition>
  /** Whether to suggest what to say next. */
  promptSuggestions?: boolean
  /** Whether text of sub-agents is sent, too. */
  forwardSubagentText?: boolean
  /** A title for the session. */
  title?: string
  /** The only skills there are to be. */
  skills?: string[]
  /** Instructions for the model in plan mode. */
  planModeInstructions?: string
  /** Other names for tools. */
  toolAliases?: Record<string, string>
  /** The kinds of dialog the host can show. Kedge's agent has none to be shown. */
  supportedDialogKinds?: string[]
  /** Background tasks can be stopped one by one there, so an interrupt leaves them alone; Kedge's agent always does. */
  perTaskStopAffordance?: boolean
  /** Ours: the host keeps the session in a store and answers `session_sync`. */
  sessionSync?: boolean
}
/** Stops the running turn. */
export type SDKControlInterruptRequest = {
  subtype: 'interrupt'
  /** `all` also drops what waits after it. */
  scope?: 'turn' | 'all'
}
/** Changes the model. */
export type SDKControlSetModelRequest = {
  subtype: 'set_model'
  /** The model from now on; the default one if not said. */
  model?: string
}
/** Changes the permission mode. */
export type SDKControlSetPermissionModeRequest = {
  subtype: 'set_permission_mode'
  /** The mode from now on. */
  mode: PermissionMode
}
/** Changes how much the model may think. */
export type SDKControlSetMaxThinkingTokensRequest = {
  subtype: 'set_max_thinking_tokens'
  /** Tokens for thinking; null: as the model does by itself. */
  max_thinking_tokens: number | null
}
/** How the MCP servers are. */
export type SDKControlMcpStatusRequest = { subtype: 'mcp_status' }
/** Replaces the servers that were added this way before. */
export type SDKControlMcpSetServersRequest = {
  subtype: 'mcp_set_servers'
  /** The servers by name. */
  servers: Record<string, McpServerConfigForProcessTransport>
  /** Those that the session began with are replaced too. Default: `false`. */
  replaceAll?: boolean
}
/** Connects to a server once more. */
export type SDKControlMcpReconnectRequest = {
  subtype: 'mcp_reconnect'
  /** The server, by its name in the configuration. */
  serverName: string
}
/** Switches a server on or off. */
export type SDKControlMcpToggleRequest = {
  subtype: 'mcp_toggle'
  /** The server, by its name in the configuration. */
  serverName: string
  /** On, or off. */
  enabled: boolean
}
/** Has calls of a server asked for where the permission mode allows everything; `null` takes that back. */
export type SDKControlMcpPermissionModeRequest = {
  subtype: 'mcp_set_permission_mode_override'
  /** The server, by its name in the configuration. It need not be there yet. */
  serverName: string
  /** `auto` asks as `default` does. */
  mode: 'default' | 'auto' | null
}
/** Puts files back as they were at a user message. */
export type SDKControlRewindFilesRequest = {
  subtype: 'rewind_files'
  /** The `uuid` of that message. */
  user_message_id: string
  /** Only say what would happen. */
  dry_run?: boolean
  /** Whether to also replace files that another program changed since the last message or call. */
  force?: boolean
}
/** Stops background work. */
export type SDKControlStopTaskRequest = {
  subtype: 'stop_task'
  /** Which. */
  task_id: string
}
/** Moves work from the foreground to the background. */
export type SDKControlBackgroundTasksRequest = {
  subtype: 'background_tasks'
  /** Only this call; all of them if not said. */
  tool_use_id?: string
}
/** Changes settings of the running session: `model`; any other is refused by name. */
export type SDKControlApplyFlagSettingsRequest = {
  subtype: 'apply_flag_settings'
  /** The settings to change, by name. */
  settings: Record<string, unknown>
}
/** How full the context is. */
export type SDKControlGetContextUsageRequest = { subtype: 'get_context_usage' }
/** Gives a file as the agent sees it. */
export type SDKControlReadFileRequest = {
  subtype: 'read_file'
  /** The file. */
  path: string
  /** The most bytes to return. */
  max_bytes?: number
  /** How its bytes become text; `base64` for pictures and the like. */
  encoding?: 'utf-8' | 'base64'
}
/** Request for the resource of a user interface that a tool offers: its address begins with `ui://`. */
export type SDKControlMcpReadResourceRequest = {
  subtype: 'mcp_read_resource'
  /** The server, by its name in the configuration. */
  serverName: string
  /** The address of the resource. */
  uri: string
}
/** Suggestions of a server for an argument that a user types. Answered with an `McpCompletion`. */
export type SDKControlMcpCompleteRequest = {
  subtype: 'mcp_complete'
  /** The server, by its name in the configuration. */
  serverName: string
  /** What to complete. */
  target: McpCompletionTarget
}
/** A user interface of a server's tool asks for a call of one of its server's tools. Permission is asked as for any call. */
export type SDKControlMcpAppCallRequest = {
  subtype: 'mcp_app_call'
  /** The server, by its name in the configuration. */
  serverName: string
  /** The tool, by the server's name for it. */
  toolName: string
  /** What it's to be called with. */
  arguments: Record<string, unknown>
}
/** The host saw the file read when it was of that time, in whole milliseconds. */
export type SDKControlSeedReadStateRequest = {
  subtype: 'seed_read_state'
  /** The file. */
  path: string
  /** When it was changed last. */
  mtime: number
}
/** The session is to end. */
export type SDKControlEndSessionRequest = { subtype: 'end_session' }

/** A request of Kedge's own: the running turn stops where another agent can continue it (`--continue-turn`). */
export type SDKControlYieldTurnRequest = { subtype: 'yield_turn' }

/** Everything a host may ask its agent. */
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
  | SDKControlMcpPermissionModeRequest
  | SDKControlMcpMessageRequest
  | SDKControlRewindFilesRequest
  | SDKControlStopTaskRequest
  | SDKControlBackgroundTasksRequest
  | SDKControlApplyFlagSettingsRequest
  | SDKControlGetContextUsageRequest
  | SDKControlReadFileRequest
  | SDKControlMcpReadResourceRequest
  | SDKControlMcpCompleteRequest
  | SDKControlMcpAppCallRequest
  | SDKControlSeedReadStateRequest
  | SDKControlYieldTurnRequest
  | SDKControlEndSessionRequest
  | SessionRequest

// ── agent → host ─────────────────────────────────────────────────────────────

/** May this call run? Answered with a `PermissionResult`. */
export type SDKControlPermissionRequest = {
  subtype: 'can_use_tool'
  /** The tool. */
  tool_name: string
  /** What it would be called with. */
  input: Record<string, unknown>
  /** Rule changes that would keep the question from coming again. */
  permission_suggestions?: PermissionUpdate[]
  /** The path that made it a question, if it was a path. */
  blocked_path?: string
  /** Why it is asked, in words. */
  decision_reason?: string
  /** The id of the call. */
  tool_use_id: string
  /** The sub-agent that made it, if one did. */
  agent_id?: string
  /** What should be known of the tool. */
  description?: string
  /** With `--park-asks`: the answer may be `park`. */
  can_park?: boolean
  /** With `--ask-details`. */
  why?: AskReason
  /** With `--ask-details`: what would happen. */
  preview?: AskPreview
}
/** Runs a hook that is a function of the host. */
export type SDKHookCallbackRequest = {
  subtype: 'hook_callback'
  /** Which hook, by the id from `initialize`. */
  callback_id: string
  /** The hook's input. */
  input: HookInput
  /** The id of the call it is about, if it is about one. */
  tool_use_id?: string
}
/** Goes both ways: servers of the host send notifications and requests of their own with it. */
export type SDKControlMcpMessageRequest = {
  subtype: 'mcp_message'
  /** The server, by its name in the configuration. */
  server_name: string
  /** The message, as MCP has it. */
  message: JSONRPCMessage
}

/** An MCP server asks the user. Answered with an `ElicitationResult`. */
export type SDKControlElicitationRequest = {
  subtype: 'elicitation'
  /** The MCP server it comes from, by its name in the configuration. */
  mcp_server_name: string
  /** What the server asks, in its words. */
  message: string
  /** `form`: fields to fill in. `url`: a page to open. */
  mode?: 'form' | 'url'
  /** The page to open. */
  url?: string
  /** Ties the question to its answer and to the notice that it is done. */
  elicitation_id?: string
  /** JSON Schema of the fields. */
  requested_schema?: Record<string, unknown>
  /** A heading for the question. */
  title?: string
  /** The server's name for people. */
  display_name?: string
  /** More about the question. */
  description?: string
  /** Ours: the tool call that the server asks for. */
  tool_use_id?: string
  /** Ours: tells the questions of a call apart. It is the same if another process asks again. */
  question_key?: string
  /** Ours: the host may answer `park`, and the call stays open. */
  can_park?: true
}

/** The user is to be shown a dialog and to answer it. Agents of the 0.3 line send it, ours does not. Answered with a `UserDialogResult`. */
export type SDKControlRequestUserDialogRequest = {
  subtype: 'request_user_dialog'
  /** Which dialog; only kinds that `initialize` named as `supportedDialogKinds`. */
  dialog_kind: string
  /** The content to show. Each kind of dialog has its own shape. */
  payload: Record<string, unknown>
  /** The call it is about, if it is about one. */
  tool_use_id?: string
}

/** Ours: the host sums up a conversation that became too long. Only where it asked for that. */
export type SDKControlSummarizeRequest = { subtype: 'summarize' } & SummaryRequest

/** Ours: does the host's store have every line so far? Only where it said that it answers; `SDKControlSessionSyncResponse`. */
export type SDKControlSessionSyncRequest = { subtype: 'session_sync' }

/** Ours: the host gives a token for an MCP server. Only where it said that it does. */
export type SDKControlMcpTokenRequest = {
  subtype: 'mcp_token'
  /** The server, by its name in the configuration. */
  server_name: string
  /** Its address. */
  url: string
  /** Why a token is needed. */
  reason: McpTokenRequest['reason']
  /** What it has to allow. */
  scopes?: string[]
  /** Where the server describes itself. */
  resource_metadata_url?: string
}

/** The answer to `mcp_token`; without a token, there is none. */
export type SDKControlMcpTokenResponse = {
  /** The token, as it is put behind `Bearer`. */
  access_token?: string
}

/** Ours: the host leads its user through a sign-in to an MCP server. Only where it said that it does. */
export type SDKControlMcpSignInRequest = {
  subtype: 'mcp_sign_in'
  /** The server, by its name in the configuration. */
  server_name: string
  /** Its address, without a query. */
  url: string
  /** What the user is asked. */
  step: McpSignInRequest['step']
  /** The page of the authorization server. */
  address?: string
  /** The code that the page asks for, or shows. */
  code?: string
  /** The address that the browser ended at can be pasted. */
  can_paste?: boolean
  /** Why the last attempt failed. */
  problem?: string
}

/** The answer to `mcp_sign_in`. */
export type SDKControlMcpSignInResponse = McpSignInAnswer

/** Everything an agent may ask its host. */
export type AgentToHostRequest =
  | SDKControlPermissionRequest
  | SDKHookCallbackRequest
  | SDKControlMcpMessageRequest
  | SDKControlElicitationRequest
  | SDKControlRequestUserDialogRequest
  | SDKControlSummarizeRequest
  | SDKControlSessionSyncRequest
  | SDKControlMcpTokenRequest
  | SDKControlMcpSignInRequest

// ── envelopes ────────────────────────────────────────────────────────────────

/** All control requests, of both directions. */
export type SDKControlRequestInner = HostToAgentRequest | AgentToHostRequest

/** A control request in its envelope. */
export type SDKControlRequest<Inner = SDKControlRequestInner> = {
  type: 'control_request'
  /** Ties a request to its answer. */
  request_id: string
  /** The request itself. */
  request: Inner
}

/** A control request was carried out. */
export type ControlResponse = {
  subtype: 'success'
  /** Ties a request to its answer. */
  request_id: string
  /** What was asked for, where there is something to say. */
  response?: Record<string, unknown>
}
/** A control request was refused, or failed. */
export type ControlErrorResponse = {
  subtype: 'error'
  /** Ties a request to its answer. */
  request_id: string
  /** What is wrong, in words. */
  error: string
  /** Machine-readable, beside the text. */
  error_code?: string
  /** Where the agent was initialized before: questions that are still open. */
  pending_permission_requests?: object[]
}
/** The answer to a control request, in its envelope. */
export type SDKControlResponse = {
  type: 'control_response'
  /** The answer itself. */
  response: ControlResponse | ControlErrorResponse
}
/** The answer to a request is no longer wanted. */
export type SDKControlCancelRequest = {
  type: 'control_cancel_request'
  /** Ties a request to its answer. */
  request_id: string
}
/** Keeps a connection open; means nothing. */
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
export type SDKControlSessionSyncResponse = {
  /** How the store stands. */
  state: 'saved' | 'taken_over' | 'failed'
}

/** What the session has to offer. */
export type SDKControlInitializeResponse = {
  /** Its slash commands. */
  commands: SlashCommand[]
  /** The output style that holds. */
  output_style: string
  /** The ones there are. */
  available_output_styles: string[]
  /** The models one can choose from. */
  models: ModelInfo[]
  /** Whose account pays. */
  account: AccountInfo
  /** The sub-agents there are. */
  agents?: AgentInfo[]
  /** The process of the agent. */
  pid?: number
  /** After a second `initialize`: its hooks replaced those of the first. */
  hooks_applied?: boolean
  /** A hook callback can say `onFailure`. */
  hook_on_failure_supported?: boolean
  /** The release of the original whose protocol is spoken. */
  claude_code_version?: string
  /** Whether the model answers faster, at a higher price. */
  fast_mode_state?: 'off' | 'on' | 'cooldown'
  /** Whether the agent took the servers of `mcpServers` in the request; absent when there were none. */
  mcp_servers_applied?: boolean
}

/** What became of `rewindFiles()`, or would become of it. */
export type RewindFilesResult = {
  /** Whether there is something to go back to. */
  canRewind: boolean
  /** Why not, in words. */
  error?: string
  /** The files that are put back. */
  filesChanged?: string[]
  /** Lines that come back. */
  insertions?: number
  /** Lines that go. */
  deletions?: number
  /** Files that could not be put back, and why; everything else was. */
  skipped?: {
    /** The file. */
    path: string
    /** Why it could not be put back. */
    reason: string
  }[]
  /** How many of them were skipped because a link or another special file is at the path, or on the way to it. */
  skippedLinks?: number
  /** Files that another program changed since the last message or call. If there are any, only `force` replaces files. */
  changedByOthers?: string[]
  /** The checkpoint with the files before this rewind. Rewind to it to restore them. */
  keptAs?: string
}

/** How full the context is, and of what. */
export type SDKControlGetContextUsageResponse = {
  /** What takes the room, in tokens. */
  categories: {
    /** A name for programs. */
    id?: string
    /** A name for people. */
    name: string
    /** How many tokens it takes. */
    tokens: number
    /** Used, free, kept back, or not loaded yet. */
    kind: 'used' | 'free' | 'buffer' | 'deferred'
  }[]
  /** All that is used. */
  totalTokens: number
  /** How much fits. */
  maxTokens: number
  /** How much of it is used, from 0 to 100. */
  percentage: number
  /** The model whose window it is. */
  model: string
  /**
   * Ours. Where the total is from: the `answer` the model gave last, the API's `count_tokens`, or, where there is neither, an
   * `estimate` by length.
   */
  counted?: 'answer' | 'count_tokens' | 'estimate'
}

/** A file as the agent sees it. */
export type SDKControlReadFileResponse = {
  /** The file. */
  path: string
  /** What is in it. */
  content: string
  /** How its bytes become text; `base64` for pictures and the like. */
  encoding: 'utf-8' | 'base64'
  /** How many bytes it has. */
  size: number
  /** The same as `content`, as the Claude Agent SDK calls it. */
  contents: string
  /** The same as `path`, as the Claude Agent SDK calls it. */
  absPath: string
  /** There is more of it than was asked for. */
  truncated?: boolean
  /** Whether bytes of a text that are no UTF-8 were replaced. */
  lossy?: boolean
}

/** What a call that a user interface asked for returned. */
export type SDKControlMcpAppCallResponse = {
  /** What the tool returned, or why it didn't run. */
  content: {
    /** `text`, `image`, or another kind of content. */
    type: string
    [key: string]: unknown
  }[]
  /** The same as data, where the tool has it. */
  structuredContent?: Record<string, unknown>
  /** The call failed, or wasn't allowed. */
  isError?: boolean
}
/** The user interfaces of a session's MCP tools. */
export type McpToolApp = {
  /** The server, by its name in the configuration. */
  server: string
  /** The tool, as the model calls it: `mcp__server__tool`. */
  tool: string
  /** The address of its user interface, which begins with `ui://`. */
  uri: string
}
/** The resource as the server returned it. Kedge does not check its content. */
export type SDKControlMcpReadResourceResponse = {
  /** Its parts: text, or bytes as base64. */
  contents: {
    /** The address of the resource. */
    uri: string
    /** What kind of data it is. */
    mimeType?: string
    /** What is in it, as text. */
    text?: string
    /** What is in it, as base64. */
    blob?: string
    /** What the server adds for clients. */
    _meta?: Record<string, unknown>
  }[]
}

/** What an interruption left. */
export type SDKControlInterruptResponse = {
  /** Messages that still wait for their turn. */
  still_queued?: UUID[]
}
