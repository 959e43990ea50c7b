/** Hook events, the input of each callback, and the answers it can return. */
import type { BackgroundTaskSummary, McpServerProvenance, SessionCronSummary } from './later/hook-facts.js'
import type { PermissionUpdate } from './permission-types.js'

/** The names of all hook events, for checks at run time. */
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
  'PostModelSwitch',
  'PermissionDenied',
  'TaskCreated',
  'Elicitation',
  'ElicitationResult',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'UserPromptExpansion',
  'PreModelSwitch',
  'DirectoryAdded',
  'MessageDisplay',
  'ModelRequest',
  'ModelRetry',
] as const

/** Every reason `SessionEnd` hooks can be given, for checks at run time. */
export const EXIT_REASONS = ['clear', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'] as const

/** The name of something hooks can be run for. */
export type HookEvent = (typeof HOOK_EVENTS)[number]
/** Why a session ended. */
export type ExitReason = (typeof EXIT_REASONS)[number]

/** The input that hooks of every event receive. */
export type BaseHookInput = {
  /** The session the event happened in. */
  session_id: string
  /** The file the session is written to, one JSON object per line. */
  transcript_path: string
  /** The session's working folder at that moment. */
  cwd: string
  /** The prompt whose turn the event belongs to: its `uuid`. Absent before the first one. */
  prompt_id?: string
  /** The permission mode that holds for the call or turn. */
  permission_mode?: string
  /** The sub-agent that the event is about. */
  agent_id?: string
  /** The kind of sub-agent, as its definition names it. */
  agent_type?: string
  /** How much the model thinks in this turn, where a level was chosen. */
  effort?: {
    /** `low`, `medium`, `high`, `xhigh`, or `max`. */
    level: string
  }
}

/** A tool is about to run: before permission is decided. */
export type PreToolUseHookInput = BaseHookInput & {
  hook_event_name: 'PreToolUse'
  /** The tool that is called. */
  tool_name: string
  /** What the tool is called with. */
  tool_input: unknown
  /** The id of the call, the same in all events and messages about it. */
  tool_use_id: string
  /** The MCP server that the tool is from. */
  mcp_server?: McpServerProvenance
}
/** A tool was run and gave a result. */
export type PostToolUseHookInput = BaseHookInput & {
  hook_event_name: 'PostToolUse'
  /** The tool that is called. */
  tool_name: string
  /** What the tool is called with. */
  tool_input: unknown
  /** What the tool gave back, as data. */
  tool_response: unknown
  /** The id of the call, the same in all events and messages about it. */
  tool_use_id: string
  /** How long the tool took, in milliseconds, without hooks and permission requests. */
  duration_ms?: number
  /** The MCP server that the tool is from. */
  mcp_server?: McpServerProvenance
}
/** A tool was run and failed. */
export type PostToolUseFailureHookInput = BaseHookInput & {
  hook_event_name: 'PostToolUseFailure'
  /** The tool that is called. */
  tool_name: string
  /** What the tool is called with. */
  tool_input: unknown
  /** The id of the call, the same in all events and messages about it. */
  tool_use_id: string
  /** What the model reads about the failure. */
  error: string
  /** True if the call failed because the user or host interrupted it. */
  is_interrupt?: boolean
  /** How long the tool took, in milliseconds, without hooks and permission requests. */
  duration_ms?: number
  /** The MCP server that the tool is from. */
  mcp_server?: McpServerProvenance
}
/** One of the calls of a batch. */
export type PostToolBatchToolCall = {
  /** The tool that was called. */
  tool_name: string
  /** What it was called with. */
  tool_input: unknown
  /** The id of the call. */
  tool_use_id: string
  /** What the tool gave back. */
  tool_response?: unknown
}
/** All calls of one answer of the model are done. */
export type PostToolBatchHookInput = BaseHookInput & {
  hook_event_name: 'PostToolBatch'
  /** The calls, in the order the model made them. */
  tool_calls: PostToolBatchToolCall[]
}
/** Kedge is about to ask whether a call may run. The hook can decide instead. */
export type PermissionRequestHookInput = BaseHookInput & {
  hook_event_name: 'PermissionRequest'
  /** The tool that is called. */
  tool_name: string
  /** What the tool is called with. */
  tool_input: unknown
  /** Rule changes that would keep the question from coming again. */
  permission_suggestions?: PermissionUpdate[]
  /** The MCP server that the tool is from. */
  mcp_server?: McpServerProvenance
}
/** A call was denied without anybody having been asked. */
export type PermissionDeniedHookInput = BaseHookInput & {
  hook_event_name: 'PermissionDenied'
  /** The tool that is called. */
  tool_name: string
  /** What the tool is called with. */
  tool_input: unknown
  /** The id of the call, the same in all events and messages about it. */
  tool_use_id: string
  /** What denied it, in words. */
  reason: string
  /** The MCP server that the tool is from. */
  mcp_server?: McpServerProvenance
}
/** The agent has something to tell the user, such as that it waits for a permission. */
export type NotificationHookInput = BaseHookInput & {
  hook_event_name: 'Notification'
  /** The text of the notice. */
  message: string
  /** A heading for it. */
  title?: string
  /** What the notice is about; matchers are compared with it. */
  notification_type: string
}
/** The user has sent a prompt, which the model has not seen yet. */
export type UserPromptSubmitHookInput = BaseHookInput & {
  hook_event_name: 'UserPromptSubmit'
  /** What the user wrote. */
  prompt: string
  /** The title of the session, if it has one. */
  session_title?: string
}
/** A command, a skill, or a prompt of an MCP server that the user called is about to become a prompt. */
export type UserPromptExpansionHookInput = BaseHookInput & {
  hook_event_name: 'UserPromptExpansion'
  /** A command or skill of a file, or a prompt of an MCP server. */
  expansion_type: 'slash_command' | 'mcp_prompt'
  /** Its name, without the slash. */
  command_name: string
  /** What stands behind the name. */
  command_args: string
  /** Where it is from: `user`, `project`, `plugin`, or the name of an MCP server. */
  command_source?: string
  /** What the user wrote. */
  prompt: string
}
/** A session begins, continues, or starts over after `/clear` or a compaction. */
export type SessionStartHookInput = BaseHookInput & {
  hook_event_name: 'SessionStart'
  /** Which of these it is. */
  source: 'startup' | 'resume' | 'clear' | 'compact'
  /** The agent the session runs as, where one was chosen. */
  agent_type?: string
  /** The model, by the name it is asked for. */
  model?: string
  /** The title of the session, if it has one. */
  session_title?: string
}
/** The session is over. */
export type SessionEndHookInput = BaseHookInput & {
  hook_event_name: 'SessionEnd'
  /** Why it ended. */
  reason: ExitReason
}
/** The model has finished its turn. The hook can make it continue. */
export type StopHookInput = BaseHookInput & {
  hook_event_name: 'Stop'
  /** True if the turn continues only because of a stop hook. Check this to avoid endless loops. */
  stop_hook_active: boolean
  /** The text the model said last. */
  last_assistant_message?: string
  /** What runs beside the conversation. */
  background_tasks?: BackgroundTaskSummary[]
  /** Prompts that are planned for later. */
  session_crons?: SessionCronSummary[]
}
/** A turn ended with an error instead of an answer. */
export type StopFailureHookInput = BaseHookInput & {
  hook_event_name: 'StopFailure'
  /** What kind of error it was. */
  error: string
  /** More about it, in words. */
  error_details?: string
  /** The text the model said last. */
  last_assistant_message?: string
}
/** A sub-agent begins its work. */
export type SubagentStartHookInput = BaseHookInput & {
  hook_event_name: 'SubagentStart'
  /** The id of the sub-agent. */
  agent_id: string
  /** The kind of sub-agent, as its definition names it. */
  agent_type: string
}
/** A sub-agent has finished. The hook can make it continue. */
export type SubagentStopHookInput = BaseHookInput & {
  hook_event_name: 'SubagentStop'
  /** True if the turn continues only because of a stop hook. Check this to avoid endless loops. */
  stop_hook_active: boolean
  /** The id of the sub-agent. */
  agent_id: string
  /** The file with the sub-agent's own conversation. */
  agent_transcript_path: string
  /** The kind of sub-agent, as its definition names it. */
  agent_type: string
  /** The text the model said last. */
  last_assistant_message?: string
  /** What runs beside the conversation. */
  background_tasks?: BackgroundTaskSummary[]
  /** Prompts that are planned for later. */
  session_crons?: SessionCronSummary[]
}
/** The conversation is about to be replaced by a summary. */
export type PreCompactHookInput = BaseHookInput & {
  hook_event_name: 'PreCompact'
  /** `manual`: the user or host requested it. `auto`: the context was nearly full. */
  trigger: 'manual' | 'auto'
  /** What the user wants the summary to keep, from `/compact`; null where nothing was said. */
  custom_instructions: string | null
}
/** The conversation has been replaced by a summary. */
export type PostCompactHookInput = BaseHookInput & {
  hook_event_name: 'PostCompact'
  /** `manual`: the user or host requested it. `auto`: the context was nearly full. */
  trigger: 'manual' | 'auto'
  /** The summary that replaces the conversation so far. */
  compact_summary: string
}
type ModelSwitchFields = {
  /** The id of the model until now. */
  from_model: string
  /** The id of the model from the next request on. */
  to_model: string
  /** What was asked for: an alias, an id, or null for the default. */
  requested_model: string | null
  /** What the next request sends again, as the last answer counted it; 0 before the first. */
  context_tokens: number
  /** The API probably still has the conversation in the cache of the model until now. */
  prompt_cache_warm: boolean
  /** How long it keeps it. */
  cache_ttl: '5m' | '1h'
  /** What writing that into the cache of the new model costs, about; 0 where its price is not known. */
  estimated_cache_write_usd: number
  /** The price is of the setting `modelPrices`, of the built-in table, or not known. */
  pricing: 'configured' | 'catalog' | 'default'
}
/** The model of the session is about to change. The hook can object. */
export type PreModelSwitchHookInput = BaseHookInput & { hook_event_name: 'PreModelSwitch' } & ModelSwitchFields & {
    /** `command`: `/model`. `sdk`: the host. Kedge has no other. */
    source: 'command' | 'picker' | 'sdk'
  }
/** The model of the session has changed, and what that means for the cache. */
export type PostModelSwitchHookInput = BaseHookInput & { hook_event_name: 'PostModelSwitch' } & ModelSwitchFields & {
    /** `command`: `/model`. `sdk`: the host. `auto`: a tool. Kedge has no other. */
    source: 'command' | 'picker' | 'sdk' | 'auto' | 'resume'
  }
/** The session was started with `--init` or `--maintenance`. */
export type SetupHookInput = BaseHookInput & {
  hook_event_name: 'Setup'
  /** Which of the two. */
  trigger: 'init' | 'maintenance'
}
/** A teammate has nothing left to do. */
export type TeammateIdleHookInput = BaseHookInput & {
  hook_event_name: 'TeammateIdle'
  /** The teammate's name. */
  teammate_name: string
  /** The team. */
  team_name: string
}
type TaskHookFields = {
  /** The task's id in the list. */
  task_id: string
  /** Its title. */
  task_subject: string
  /** What is to be done, where the task says so. */
  task_description?: string
  /** The teammate that the task is about. */
  teammate_name?: string
  /** The team. */
  team_name?: string
}
/** A task was added to the task list. */
export type TaskCreatedHookInput = BaseHookInput & { hook_event_name: 'TaskCreated' } & TaskHookFields
/** A task of the task list is about to be marked as done. */
export type TaskCompletedHookInput = BaseHookInput & { hook_event_name: 'TaskCompleted' } & TaskHookFields
/** An MCP server wants something from the user; the hook may answer first. */
export type ElicitationHookInput = BaseHookInput & {
  hook_event_name: 'Elicitation'
  /** The MCP server it comes from, by its name in the configuration. */
  mcp_server_name: string
  /** What the server asks, in its words. */
  message: string
  /** `form`: fields to fill in. `url`: a page to open. */
  mode?: 'form' | 'url'
  /** The page to open, in mode `url`. */
  url?: string
  /** Ties the question to its answer and to the notice that it is done. */
  elicitation_id?: string
  /** JSON Schema of the fields, in mode `form`. */
  requested_schema?: Record<string, unknown>
}
/** The user has answered an MCP server's question, which has not seen the answer yet. */
export type ElicitationResultHookInput = BaseHookInput & {
  hook_event_name: 'ElicitationResult'
  /** The MCP server it comes from, by its name in the configuration. */
  mcp_server_name: string
  /** Ties the question to its answer and to the notice that it is done. */
  elicitation_id?: string
  /** `form`: fields were asked for. `url`: a page was opened. */
  mode?: 'form' | 'url'
  /** What the user did. */
  action: 'accept' | 'decline' | 'cancel'
  /** What the user filled in. */
  content?: Record<string, unknown>
}
/** A settings file or skill changed while the session runs. */
export type ConfigChangeHookInput = BaseHookInput & {
  hook_event_name: 'ConfigChange'
  /** Which layer of the settings changed. */
  source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills'
  /** The file that changed, where it is one file. */
  file_path?: string
}
/** An instruction file such as CLAUDE.md was read into the conversation. */
export type InstructionsLoadedHookInput = BaseHookInput & {
  hook_event_name: 'InstructionsLoaded'
  /** The file, as an absolute path. */
  file_path: string
  /** Whose instructions they are. */
  memory_type: 'User' | 'Project' | 'Local' | 'Managed'
  /** What made the session read it. */
  load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact'
}
/** The session moved to another working folder. */
export type CwdChangedHookInput = BaseHookInput & {
  hook_event_name: 'CwdChanged'
  /** The folder before. */
  old_cwd: string
  /** The folder from now on. */
  new_cwd: string
}
/** A file the session watches was changed from outside. */
export type FileChangedHookInput = BaseHookInput & {
  hook_event_name: 'FileChanged'
  /** The file, as an absolute path. */
  file_path: string
  /** Whether it was changed, added or removed. */
  event: 'change' | 'add' | 'unlink'
}
/** The session got another folder to work in. */
export type DirectoryAddedHookInput = BaseHookInput & {
  hook_event_name: 'DirectoryAdded'
  /** The folder, as an absolute path. */
  directory: string
  /** `slash_command`: the user added it. `register_repo_root`: the host did. */
  source: 'slash_command' | 'register_repo_root'
}
/** Lines of the model's answer are complete. It changes what is shown, not what is stored. */
export type MessageDisplayHookInput = BaseHookInput & {
  hook_event_name: 'MessageDisplay'
  /** The turn. */
  turn_id: string
  /** The answer: the same for all its parts. */
  message_id: string
  /** Counts the parts, from 0. */
  index: number
  /** The last part of the answer. */
  final: boolean
  /** The lines that were completed since the part before. Only the last part can end within a line, or be empty. */
  delta: string
}
/** A working tree is wanted: the hook may make it in its own way. */
export type WorktreeCreateHookInput = BaseHookInput & {
  hook_event_name: 'WorktreeCreate'
  /** The name the working tree is to have. */
  name: string
}
/** A working tree is no longer needed. */
export type WorktreeRemoveHookInput = BaseHookInput & {
  hook_event_name: 'WorktreeRemove'
  /** Its folder. */
  worktree_path: string
}

/** Before each request that goes to a model, also those of sub-agents, summaries and retries. */
export type ModelRequestHookInput = BaseHookInput & {
  hook_event_name: 'ModelRequest'
  /** The model, by the name it is asked for. */
  model: string
  /** Where the request goes. */
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
  /** The model, by the name it is asked for. */
  model: string
  /** What went wrong, in words. */
  error: string
  /** The HTTP status; null where there was no response. */
  error_status: number | null
  /** Number of the retry, from 1. */
  attempt: number
  /** How many retries there may be. */
  max_retries: number
  /** How long it will wait before the retry. */
  delay_ms: number
  /** What happens unless a hook says otherwise. */
  will_retry: boolean
}

/** The input of a hook. `hook_event_name` tells the events apart. */
export type HookInput =
  | PreToolUseHookInput
  | PostToolUseHookInput
  | PostToolUseFailureHookInput
  | PostToolBatchHookInput
  | PermissionRequestHookInput
  | PermissionDeniedHookInput
  | NotificationHookInput
  | UserPromptSubmitHookInput
  | UserPromptExpansionHookInput
  | SessionStartHookInput
  | SessionEndHookInput
  | StopHookInput
  | StopFailureHookInput
  | SubagentStartHookInput
  | SubagentStopHookInput
  | PreCompactHookInput
  | PostCompactHookInput
  | PreModelSwitchHookInput
  | PostModelSwitchHookInput
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
  | DirectoryAddedHookInput
  | MessageDisplayHookInput
  | WorktreeCreateHookInput
  | WorktreeRemoveHookInput
  | ModelRequestHookInput
  | ModelRetryHookInput

/** What a hook says about a call: run it, refuse it, ask the user, or end the turn and decide when it is resumed. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer'
/** What a `PreToolUse` hook may decide about the call. */
export type PreToolUseHookSpecificOutput = {
  hookEventName: 'PreToolUse'
  /** Runs the call, refuses it, has the user asked, or leaves it open until the session is resumed. */
  permissionDecision?: HookPermissionDecision
  /** Why: the model reads it when the call is refused, the user when asked. */
  permissionDecisionReason?: string
  /** Replaces the input; permission is decided for the new one. */
  updatedInput?: Record<string, unknown>
  /** Text the model reads in addition. */
  additionalContext?: string
}
/** What a `PostToolUse` hook may add or change. */
export type PostToolUseHookSpecificOutput = {
  hookEventName: 'PostToolUse'
  /** Text the model reads in addition. */
  additionalContext?: string
  /** What the model reads instead of the tool's own result. */
  updatedToolOutput?: unknown
  /** The same, for tools of MCP servers only. */
  updatedMCPToolOutput?: unknown
}
/** What a `PostToolUseFailure` hook may add. */
export type PostToolUseFailureHookSpecificOutput = {
  hookEventName: 'PostToolUseFailure'
  /** Text the model reads in addition. */
  additionalContext?: string
}
/** What a `PostToolBatch` hook may add. */
export type PostToolBatchHookSpecificOutput = {
  hookEventName: 'PostToolBatch'
  /** Text the model reads in addition. */
  additionalContext?: string
}
/** What a `Notification` hook may add. */
export type NotificationHookSpecificOutput = {
  hookEventName: 'Notification'
  /** Text the model reads in addition. */
  additionalContext?: string
}
/** What a `UserPromptSubmit` hook may add. */
export type UserPromptSubmitHookSpecificOutput = {
  hookEventName: 'UserPromptSubmit'
  /** Text the model reads in addition. */
  additionalContext?: string
  /** Names the session. */
  sessionTitle?: string
  /** With a block: the message about it doesn't repeat the prompt. */
  suppressOriginalPrompt?: boolean
}
/** What a `UserPromptExpansion` hook may add. */
export type UserPromptExpansionHookSpecificOutput = {
  hookEventName: 'UserPromptExpansion'
  /** Text the model reads in addition. */
  additionalContext?: string
  /** With a block: the message about it doesn't repeat the prompt. */
  suppressOriginalPrompt?: boolean
}
/** What a `SessionStart` hook may add. */
export type SessionStartHookSpecificOutput = {
  hookEventName: 'SessionStart'
  /** Text the model reads in addition. */
  additionalContext?: string
  /** The model reads it before the first prompt, as a text of the user. */
  initialUserMessage?: string
  /** Names the session, unless it has a name. */
  sessionTitle?: string
  /** Files, as absolute paths, whose changes raise `FileChanged`. */
  watchPaths?: string[]
}
/** What a `Setup` hook may add. */
export type SetupHookSpecificOutput = {
  hookEventName: 'Setup'
  /** Text the model reads in addition. */
  additionalContext?: string
}
/** What a `SubagentStart` hook may add. */
export type SubagentStartHookSpecificOutput = {
  hookEventName: 'SubagentStart'
  /** Text the model reads in addition. */
  additionalContext?: string
}
/** Feedback for the model, which continues instead of stopping. */
export type StopHookSpecificOutput = {
  hookEventName: 'Stop'
  /** Text the model reads in addition. */
  additionalContext?: string
}
/** What a `SubagentStop` hook may add. */
export type SubagentStopHookSpecificOutput = {
  hookEventName: 'SubagentStop'
  /** Text the model reads in addition. */
  additionalContext?: string
}
type ElicitationAnswer = {
  /** Accept with `content`, decline, or cancel without an answer. */
  action?: 'accept' | 'decline' | 'cancel'
  /** The values of the fields, when accepted. */
  content?: Record<string, unknown>
}
/** Says something about the new model. */
export type PostModelSwitchHookSpecificOutput = {
  hookEventName: 'PostModelSwitch'
  /** The model reads it with the next prompt. */
  additionalContext?: string
}
/** What a `PreModelSwitch` hook decides: `deny` and `ask` keep the model, because a hook can't ask. */
export type PreModelSwitchHookSpecificOutput = {
  hookEventName: 'PreModelSwitch'
  /** Whether the model may change. */
  permissionDecision?: 'allow' | 'deny' | 'ask'
  /** Why not. */
  permissionDecisionReason?: string
}
/** What the user sees instead of a part of an answer. */
export type MessageDisplayHookSpecificOutput = {
  hookEventName: 'MessageDisplay'
  /** Shown instead of the part. */
  displayContent?: string
}
/** What a `CwdChanged` hook may add. */
export type CwdChangedHookSpecificOutput = {
  hookEventName: 'CwdChanged'
  /** Files, as absolute paths, whose changes raise `FileChanged`. */
  watchPaths?: string[]
}
/** What a `FileChanged` hook may add. */
export type FileChangedHookSpecificOutput = {
  hookEventName: 'FileChanged'
  /** Files, as absolute paths, whose changes raise `FileChanged`. */
  watchPaths?: string[]
}
/** Answers an MCP server's question in the user's place. */
export type ElicitationHookSpecificOutput = { hookEventName: 'Elicitation' } & ElicitationAnswer
/** Replaces the answer before the server gets it. */
export type ElicitationResultHookSpecificOutput = { hookEventName: 'ElicitationResult' } & ElicitationAnswer
/** An absolute path. */
export type WorktreeCreateHookSpecificOutput = {
  hookEventName: 'WorktreeCreate'
  /** The folder the hook made. */
  worktreePath: string
}
/** Headers to send: they add to the existing ones, or replace those of the same name. */
export type ModelRequestHookSpecificOutput = {
  hookEventName: 'ModelRequest'
  /** Headers to add or to replace. */
  headers?: Record<string, string>
}
/** `retry: false`: no more. `true`: once more, where it would have been over. */
export type ModelRetryHookSpecificOutput = {
  hookEventName: 'ModelRetry'
  /** Overrides whether it is tried again. */
  retry?: boolean
  /** Overrides how long to wait. */
  delayMs?: number
}
/** The decision of a `PermissionRequest` hook. */
export type PermissionRequestHookSpecificOutput = {
  hookEventName: 'PermissionRequest'
  /** Allows the call, perhaps with another input and new rules, or denies it with a message for the model. */
  decision:
    | {
        behavior: 'allow'
        /** Runs the call with this input instead. */
        updatedInput?: Record<string, unknown>
        /** Rule changes to make with it. */
        updatedPermissions?: PermissionUpdate[]
      }
    | {
        behavior: 'deny'
        /** What the model reads as the result of its call. */
        message?: string
        /** Ends the turn, too. */
        interrupt?: boolean
      }
}

/** The answer of a hook, waited for; all fields may be left out. */
export type SyncHookJSONOutput = {
  /** `false` ends the turn. */
  continue?: boolean
  /** Keeps what the hook printed out of the transcript view. */
  suppressOutput?: boolean
  /** What the user reads when `continue` is false. */
  stopReason?: string
  /** `block` stops what the event is about, with `reason`; `approve` lets it pass. */
  decision?: 'approve' | 'block'
  /** A warning or note for the user. */
  systemMessage?: string
  /** Why it was decided so. */
  reason?: string
  /** What only this event understands; `hookEventName` must be that of the event. */
  hookSpecificOutput?:
    | PreToolUseHookSpecificOutput
    | UserPromptSubmitHookSpecificOutput
    | UserPromptExpansionHookSpecificOutput
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
    | PreModelSwitchHookSpecificOutput
    | PostModelSwitchHookSpecificOutput
    | MessageDisplayHookSpecificOutput
    | CwdChangedHookSpecificOutput
    | FileChangedHookSpecificOutput
    | ElicitationHookSpecificOutput
    | ElicitationResultHookSpecificOutput
    | WorktreeCreateHookSpecificOutput
    | ModelRequestHookSpecificOutput
    | ModelRetryHookSpecificOutput
}

/** "I am on it, don't wait for me." */
export type AsyncHookJSONOutput = {
  /** Marks the answer as "carry on without me". */
  async: true
  /** Milliseconds it may take. */
  asyncTimeout?: number
}

/** What a hook may answer: at once, or with a promise to work on in the background. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput

/** A hook as a function: gets the event, answers what should happen. It should stop when `signal` is aborted. */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: {
    /** Aborts when the answer is not needed any more. */
    signal: AbortSignal
  },
) => Promise<HookJSONOutput>

/** Hooks, and which calls of an event they are for. */
export interface HookCallbackMatcher {
  /** A tool name, a `|` list or a regular expression; absent means every call. */
  matcher?: string
  /** Run side by side; the strictest answer counts. */
  hooks: HookCallback[]
  /** Seconds, for each hook of this matcher. */
  timeout?: number
  /** `block`: a hook that throws or takes too long blocks what the event is about. Default: `continue`. */
  onFailure?: 'continue' | 'block'
}
