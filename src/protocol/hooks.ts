/** Hook vocabulary: events, what each callback is told, and what it may answer. */
import type { PermissionUpdate } from './permission-types.js'

export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PermissionRequest',
  'Setup',
  'TeammateIdle',
  'TaskCompleted',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'PostToolBatch',
  'StopFailure',
  'PostCompact',
  'PermissionDenied',
  'TaskCreated',
  'Elicitation',
  'ElicitationResult',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'ModelRequest',
  'ModelRetry',
] as const

export const EXIT_REASONS = ['clear', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'] as const

export type HookEvent = (typeof HOOK_EVENTS)[number]
export type ExitReason = (typeof EXIT_REASONS)[number]

export type BaseHookInput = {
  session_id: string
  transcript_path: string
  cwd: string
  permission_mode?: string
  /** Of the sub-agent it is about. */
  agent_id?: string
  agent_type?: string
}

export type PreToolUseHookInput = BaseHookInput & {
  hook_event_name: 'PreToolUse'
  tool_name: string
  tool_input: unknown
  tool_use_id: string
}
export type PostToolUseHookInput = BaseHookInput & {
  hook_event_name: 'PostToolUse'
  tool_name: string
  tool_input: unknown
  tool_response: unknown
  tool_use_id: string
}
export type PostToolUseFailureHookInput = BaseHookInput & {
  hook_event_name: 'PostToolUseFailure'
  tool_name: string
  tool_input: unknown
  tool_use_id: string
  error: string
  is_interrupt?: boolean
}
export type PostToolBatchToolCall = {
  tool_name: string
  tool_input: unknown
  tool_use_id: string
  tool_response?: unknown
}
export type PostToolBatchHookInput = BaseHookInput & {
  hook_event_name: 'PostToolBatch'
  tool_calls: PostToolBatchToolCall[]
}
export type PermissionRequestHookInput = BaseHookInput & {
  hook_event_name: 'PermissionRequest'
  tool_name: string
  tool_input: unknown
  permission_suggestions?: PermissionUpdate[]
}
export type PermissionDeniedHookInput = BaseHookInput & {
  hook_event_name: 'PermissionDenied'
  tool_name: string
  tool_input: unknown
  tool_use_id: string
  reason: string
}
export type NotificationHookInput = BaseHookInput & {
  hook_event_name: 'Notification'
  message: string
  title?: string
  notification_type: string
}
export type UserPromptSubmitHookInput = BaseHookInput & { hook_event_name: 'UserPromptSubmit'; prompt: string }
export type SessionStartHookInput = BaseHookInput & {
  hook_event_name: 'SessionStart'
  source: 'startup' | 'resume' | 'clear' | 'compact'
  agent_type?: string
  model?: string
}
export type SessionEndHookInput = BaseHookInput & { hook_event_name: 'SessionEnd'; reason: ExitReason }
export type StopHookInput = BaseHookInput & {
  hook_event_name: 'Stop'
  stop_hook_active: boolean
  last_assistant_message?: string
}
export type StopFailureHookInput = BaseHookInput & {
  hook_event_name: 'StopFailure'
  error: string
  error_details?: string
  last_assistant_message?: string
}
export type SubagentStartHookInput = BaseHookInput & {
  hook_event_name: 'SubagentStart'
  agent_id: string
  agent_type: string
}
export type SubagentStopHookInput = BaseHookInput & {
  hook_event_name: 'SubagentStop'
  stop_hook_active: boolean
  agent_id: string
  agent_transcript_path: string
  agent_type: string
  last_assistant_message?: string
}
export type PreCompactHookInput = BaseHookInput & {
  hook_event_name: 'PreCompact'
  trigger: 'manual' | 'auto'
  custom_instructions: string | null
}
export type PostCompactHookInput = BaseHookInput & {
  hook_event_name: 'PostCompact'
  trigger: 'manual' | 'auto'
  compact_summary: string
}
export type SetupHookInput = BaseHookInput & { hook_event_name: 'Setup'; trigger: 'init' | 'maintenance' }
export type TeammateIdleHookInput = BaseHookInput & {
  hook_event_name: 'TeammateIdle'
  teammate_name: string
  team_name: string
}
type TaskHookFields = {
  task_id: string
  task_subject: string
  task_description?: string
  teammate_name?: string
  team_name?: string
}
export type TaskCreatedHookInput = BaseHookInput & { hook_event_name: 'TaskCreated' } & TaskHookFields
export type TaskCompletedHookInput = BaseHookInput & { hook_event_name: 'TaskCompleted' } & TaskHookFields
export type ElicitationHookInput = BaseHookInput & {
  hook_event_name: 'Elicitation'
  mcp_server_name: string
  message: string
  mode?: 'form' | 'url'
  url?: string
  elicitation_id?: string
  requested_schema?: Record<string, unknown>
}
export type ElicitationResultHookInput = BaseHookInput & {
  hook_event_name: 'ElicitationResult'
  mcp_server_name: string
  elicitation_id?: string
  mode?: 'form' | 'url'
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}
export type ConfigChangeHookInput = BaseHookInput & {
  hook_event_name: 'ConfigChange'
  source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills'
  file_path?: string
}
export type InstructionsLoadedHookInput = BaseHookInput & {
  hook_event_name: 'InstructionsLoaded'
  file_path: string
  memory_type: 'User' | 'Project' | 'Local' | 'Managed'
  load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact'
}
export type CwdChangedHookInput = BaseHookInput & { hook_event_name: 'CwdChanged'; old_cwd: string; new_cwd: string }
export type FileChangedHookInput = BaseHookInput & {
  hook_event_name: 'FileChanged'
  file_path: string
  event: 'change' | 'add' | 'unlink'
}
export type WorktreeCreateHookInput = BaseHookInput & { hook_event_name: 'WorktreeCreate'; name: string }
export type WorktreeRemoveHookInput = BaseHookInput & { hook_event_name: 'WorktreeRemove'; worktree_path: string }

/** Before each request that goes to a model, also those of sub-agents, summaries and retries. */
export type ModelRequestHookInput = BaseHookInput & {
  hook_event_name: 'ModelRequest'
  model: string
  url: string
  /** Without those that hold credentials. */
  headers: Record<string, string>
  /** As it is sent: JSON. */
  body: string
  /** From 1: which exchange for this answer it is. */
  attempt: number
}
/** A request failed in a way that may pass. */
export type ModelRetryHookInput = BaseHookInput & {
  hook_event_name: 'ModelRetry'
  model: string
  error: string
  error_status: number | null
  /** Of the retry, from 1. */
  attempt: number
  max_retries: number
  delay_ms: number
  /** What happens unless a hook says otherwise. */
  will_retry: boolean
}

export type HookInput =
  | PreToolUseHookInput
  | PostToolUseHookInput
  | PostToolUseFailureHookInput
  | PostToolBatchHookInput
  | PermissionRequestHookInput
  | PermissionDeniedHookInput
  | NotificationHookInput
  | UserPromptSubmitHookInput
  | SessionStartHookInput
  | SessionEndHookInput
  | StopHookInput
  | StopFailureHookInput
  | SubagentStartHookInput
  | SubagentStopHookInput
  | PreCompactHookInput
  | PostCompactHookInput
  | SetupHookInput
  | TeammateIdleHookInput
  | TaskCreatedHookInput
  | TaskCompletedHookInput
  | ElicitationHookInput
  | ElicitationResultHookInput
  | ConfigChangeHookInput
  | InstructionsLoadedHookInput
  | CwdChangedHookInput
  | FileChangedHookInput
  | WorktreeCreateHookInput
  | WorktreeRemoveHookInput
  | ModelRequestHookInput
  | ModelRetryHookInput

export type HookPermissionDecision = 'allow' | 'deny' | 'ask'
export type PreToolUseHookSpecificOutput = {
  hookEventName: 'PreToolUse'
  permissionDecision?: HookPermissionDecision
  permissionDecisionReason?: string
  updatedInput?: Record<string, unknown>
  additionalContext?: string
}
export type PostToolUseHookSpecificOutput = {
  hookEventName: 'PostToolUse'
  additionalContext?: string
  /** What the model reads instead of the tool's own result. */
  updatedToolOutput?: unknown
  /** The same, for tools of MCP servers only. */
  updatedMCPToolOutput?: unknown
}
export type PostToolUseFailureHookSpecificOutput = { hookEventName: 'PostToolUseFailure'; additionalContext?: string }
export type PostToolBatchHookSpecificOutput = { hookEventName: 'PostToolBatch'; additionalContext?: string }
export type NotificationHookSpecificOutput = { hookEventName: 'Notification'; additionalContext?: string }
export type UserPromptSubmitHookSpecificOutput = { hookEventName: 'UserPromptSubmit'; additionalContext?: string }
export type SessionStartHookSpecificOutput = { hookEventName: 'SessionStart'; additionalContext?: string }
export type SetupHookSpecificOutput = { hookEventName: 'Setup'; additionalContext?: string }
export type SubagentStartHookSpecificOutput = { hookEventName: 'SubagentStart'; additionalContext?: string }
/** Feedback for the model, which goes on instead of stopping. */
export type StopHookSpecificOutput = { hookEventName: 'Stop'; additionalContext?: string }
export type SubagentStopHookSpecificOutput = { hookEventName: 'SubagentStop'; additionalContext?: string }
type ElicitationAnswer = { action?: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> }
/** Answers an MCP server's question in the user's place. */
export type ElicitationHookSpecificOutput = { hookEventName: 'Elicitation' } & ElicitationAnswer
/** Replaces the answer before the server gets it. */
export type ElicitationResultHookSpecificOutput = { hookEventName: 'ElicitationResult' } & ElicitationAnswer
/** An absolute path. */
export type WorktreeCreateHookSpecificOutput = { hookEventName: 'WorktreeCreate'; worktreePath: string }
/** Headers to send, added or in place of those there are. */
export type ModelRequestHookSpecificOutput = { hookEventName: 'ModelRequest'; headers?: Record<string, string> }
/** `retry: false`: no more. `true`: once more, where it would have been over. */
export type ModelRetryHookSpecificOutput = { hookEventName: 'ModelRetry'; retry?: boolean; delayMs?: number }
export type PermissionRequestHookSpecificOutput = {
  hookEventName: 'PermissionRequest'
  decision:
    | { behavior: 'allow'; updatedInput?: Record<string, unknown>; updatedPermissions?: PermissionUpdate[] }
    | { behavior: 'deny'; message?: string; interrupt?: boolean }
}

export type SyncHookJSONOutput = {
  /** `false` ends the turn. */
  continue?: boolean
  suppressOutput?: boolean
  stopReason?: string
  decision?: 'approve' | 'block'
  systemMessage?: string
  reason?: string
  hookSpecificOutput?:
    | PreToolUseHookSpecificOutput
    | UserPromptSubmitHookSpecificOutput
    | SessionStartHookSpecificOutput
    | SetupHookSpecificOutput
    | SubagentStartHookSpecificOutput
    | PostToolUseHookSpecificOutput
    | PostToolUseFailureHookSpecificOutput
    | PostToolBatchHookSpecificOutput
    | StopHookSpecificOutput
    | SubagentStopHookSpecificOutput
    | NotificationHookSpecificOutput
    | PermissionRequestHookSpecificOutput
    | ElicitationHookSpecificOutput
    | ElicitationResultHookSpecificOutput
    | WorktreeCreateHookSpecificOutput
    | ModelRequestHookSpecificOutput
    | ModelRetryHookSpecificOutput
}

/** "I am on it, don't wait for me." */
export type AsyncHookJSONOutput = {
  async: true
  /** Milliseconds it may take. */
  asyncTimeout?: number
}

export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput

export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<HookJSONOutput>

export interface HookCallbackMatcher {
  /** A tool name, a `|` list or a regular expression; absent means every call. */
  matcher?: string
  hooks: HookCallback[]
  /** Seconds, for each hook of this matcher. */
  timeout?: number
}
