/** Control requests about a session that runs: read things again, ask aside, list what holds. */
import type { SdkPluginConfig } from '../options.js'

/** Gives the session a title. */
export type SDKControlRenameSessionRequest = {
  subtype: 'rename_session'
  /** The title, on one line. */
  title: string
  /** The one that chose it. It makes no difference here. */
  source?: 'remote' | 'host'
  /** The session it's for; refused if that isn't this one. */
  session_id?: string
}
/** What the session has cost, as text. */
export type SDKControlGetSessionCostRequest = { subtype: 'get_session_cost' }
/** The models the session can use. */
export type SDKControlListModelsRequest = { subtype: 'list_models' }
/** What the session has used, as data. */
export type SDKControlGetUsageRequest = {
  subtype: 'get_usage'
  /** Kedge never scans other sessions for this. */
  skip_behaviors?: boolean
}
/** The version of the agent. */
export type SDKControlGetBinaryVersionRequest = { subtype: 'get_binary_version' }
/** Calls a tool of an MCP server in place of the model. Deny rules hold. */
export type SDKControlMcpCallRequest = {
  subtype: 'mcp_call'
  /** The tool as the model calls it: `mcp__server__tool`. */
  tool: string
  /** What it's called with. */
  arguments?: Record<string, unknown>
  /** Milliseconds after which the call is given up, from 1000 to 600000. */
  timeout_ms?: number
  /** The result is for a program. Kedge gives content as the server did in either case. */
  result_not_for_model?: boolean
  /** The call is judged as one of the model, and asked about; otherwise only what denies counts. */
  check_permissions?: boolean
}
/** Files of the working directory whose path contains the text. */
export type SDKControlFileSuggestionsRequest = {
  subtype: 'file_suggestions'
  /** Part of a path, or letters of it in order. */
  query: string
}
/** Takes back a message that waits for its turn. */
export type SDKControlCancelAsyncMessageRequest = {
  subtype: 'cancel_async_message'
  /** The `uuid` of the message. */
  message_uuid: string
}
/** Adds a folder inside the working directory, or inside one given at the start, and reads what is in it. */
export type SDKControlRegisterRepoRootRequest = {
  subtype: 'register_repo_root'
  /** The folder. */
  directory: string
  /** Tells the model its instructions. */
  reload_claude_md?: boolean
  /** Plugins are read again. */
  reload_plugins?: boolean
  /** Skills are read again. */
  reload_skills?: boolean
}
/** Reads plugins again. */
export type SDKControlReloadPluginsRequest = {
  subtype: 'reload_plugins'
  /** Change nothing if the list of tools would change, because the model's cache depends on it. */
  hold_on_cache_impact?: boolean
  /** Further plugins, by absolute path. */
  add_plugins?: SdkPluginConfig[]
  /** Refuse while a turn or background work runs. */
  refuse_if_busy?: boolean
}
/** Reads skills and commands again. */
export type SDKControlReloadSkillsRequest = { subtype: 'reload_skills' }
/** Reads output styles again. */
export type SDKControlReloadOutputStylesRequest = { subtype: 'reload_output_styles' }
/** What `reload` can read again. */
export type ReloadPart = 'plugins' | 'skills' | 'agents' | 'output_styles' | 'settings' | 'instructions'
/** A request of Kedge's own: reads files again that the session began with. */
export type SDKControlReloadRequest = {
  subtype: 'reload'
  /** Which; all of them if not said. */
  parts?: ReloadPart[]
}
/** A request of Kedge's own: a question about the session that leaves no trace in it. */
export type SDKControlSideQuestionRequest = {
  subtype: 'side_question'
  /** The question. */
  question: string
}
/** Whether anybody watches the output. Kedge holds no output back, so nothing changes. */
export type SDKControlSetHasSubscribersRequest = {
  subtype: 'set_has_subscribers'
  /** `null`: the host doesn't know. */
  has_subscribers: boolean | null
}
/** The end of what a background command wrote. */
export type SDKControlGetTaskOutputRequest = {
  subtype: 'get_task_output'
  /** Which. */
  task_id: string
}
/** The settings that hold, and each file. */
export type SDKControlGetSettingsRequest = { subtype: 'get_settings' }
/** The hooks that would run. */
export type SDKControlGetHooksListingRequest = { subtype: 'get_hooks_listing' }
/** Writes settings to a file: `outputStyle` to the local one, `effortLevel` to the user's. */
export type SDKControlUpdateSettingsRequest = {
  subtype: 'update_settings'
  /** Which file. */
  source: 'localSettings' | 'userSettings'
  /** The settings, by name. */
  settings: Record<string, unknown>
}
/** The permission rules that hold, and the folders. */
export type SDKControlListPermissionRulesRequest = { subtype: 'list_permission_rules' }

/** Requests about a session that runs. */
export type SessionRequest =
  | SDKControlRenameSessionRequest
  | SDKControlGetSessionCostRequest
  | SDKControlListModelsRequest
  | SDKControlGetUsageRequest
  | SDKControlGetBinaryVersionRequest
  | SDKControlMcpCallRequest
  | SDKControlFileSuggestionsRequest
  | SDKControlCancelAsyncMessageRequest
  | SDKControlRegisterRepoRootRequest
  | SDKControlReloadPluginsRequest
  | SDKControlReloadSkillsRequest
  | SDKControlReloadOutputStylesRequest
  | SDKControlReloadRequest
  | SDKControlSideQuestionRequest
  | SDKControlSetHasSubscribersRequest
  | SDKControlGetTaskOutputRequest
  | SDKControlGetSettingsRequest
  | SDKControlGetHooksListingRequest
  | SDKControlUpdateSettingsRequest
  | SDKControlListPermissionRulesRequest
