/** What requests about a running session are answered with. */
import type { McpServerStatus } from '../mcp-servers.js'
import type { AgentInfo, SlashCommand } from '../options.js'

/** The session after plugins were read again, or unchanged where that was held back. */
export type SDKControlReloadPluginsResponse = {
  /** All slash commands. */
  commands: SlashCommand[]
  /** All sub-agents. */
  agents: AgentInfo[]
  /** The plugins. */
  plugins: {
    /** Its name. */
    name: string
    /** Its folder. */
    path: string
    /** Where it is from. */
    source?: string
    /** Its version, as its author wrote it. */
    version?: string
  }[]
  /** How the MCP servers are. */
  mcpServers: McpServerStatus[]
  /** How many problems there were. */
  error_count: number
  /** Where `hold_on_cache_impact` was said: whether nothing was changed because of it. */
  held?: boolean
  /** What would have changed. */
  cache_impact?: {
    /** MCP servers that would come. */
    mcp_servers_added: string[]
    /** MCP servers that would go. */
    mcp_servers_removed: string[]
    /** Kedge has no such tool. */
    lsp_tool_change: ('adds' | 'may-add' | 'removes' | 'may-remove') | null
  }
}
/** The commands and skills there are now. */
export type SDKControlReloadSkillsResponse = {
  /** All slash commands. */
  skills: SlashCommand[]
}
/** The output styles there are now. */
export type SDKControlReloadOutputStylesResponse = {
  /** Their names, those built in first. */
  available_output_styles: string[]
}
/** What a reload has changed. */
export type SDKControlReloadResponse = {
  /** One line for each thing that changed; empty if nothing did. */
  changes: string[]
  /** Files that can't be used, and why. */
  problems: string[]
}
/** The answer to a side question. */
export type SDKControlSideQuestionResponse = {
  /** The model's answer. */
  answer: string
  /** Tokens of the prompt that weren't in the cache. */
  inputTokens: number
  /** Tokens of the prompt that the cache had. */
  cacheReadTokens: number
  /** Tokens of the answer. */
  outputTokens: number
  /** What it has cost, in US dollars; 0 if the price isn't known. */
  costUsd: number
}
/** The end of what a background command wrote. */
export type SDKControlGetTaskOutputResponse = {
  /** At most the last 8 KiB. */
  output: string
  /** The size of all of it. */
  total_bytes: number
  /** Whether `output` is only the end. */
  truncated: boolean
}
/** The hooks that would run, and where they are from. */
export type SDKControlGetHooksListingResponse = {
  /** Events that have a hook. */
  events: {
    /** The event. */
    name: string
    /** When it's raised. */
    summary: string
    /** Whether hooks of it can be for some tools only. */
    supportsMatcher: boolean
    /** How many hooks it has. */
    hookCount: number
  }[]
  /** All hooks. */
  hooks: {
    /** The event. */
    event: string
    /** What it's for; empty: everything. */
    matcher: string
    /** The file or plugin it comes from, or `host`. */
    source: string
    /** The same for people. */
    sourceLabel: string
    /** The plugin that it is from. */
    pluginName?: string
    /** `command`, `http`, `prompt`, `agent`, `mcp_tool`, or `callback`. */
    type: string
    /** What runs, in words. */
    displayText: string
    /** What runs, whole. */
    commandText: string
    /** What `commandText` is. */
    contentLabel: string
    /** A permission rule: it runs for calls that the rule covers. */
    condition?: string
    /** Seconds. */
    timeout?: number
    /** What people read while it runs. */
    statusMessage?: string
    /** Not run again once it worked. */
    runsOnce?: boolean
    /** The turn doesn't wait for it. */
    runsInBackground?: boolean
    /** Settings turned it off. */
    disabled?: true
  }[]
  /** All events there are. */
  eventCatalog: {
    /** The event. */
    name: string
    /** When it's raised. */
    summary: string
    /** Whether hooks of it can be for some tools only. */
    supportsMatcher: boolean
  }[]
  /** What decides whether they run. */
  policy: {
    /** The administrator turned them off. */
    disabledByPolicy: boolean
    /** Only those of the administrator run. */
    managedOnly: boolean
    /** Only those of plugins run. */
    pluginOnly: boolean
    /** None runs. */
    allDisabled: boolean
    /** How many are the administrator's. */
    policyHookCount: number
  }
}

/** A rule in words, in up to three parts. */
export type SDKPermissionRuleDescription = {
  /** What comes first. */
  prefix: string
  /** What is emphasized. */
  emphasis?: string
  /** What comes last. */
  suffix?: string
}
/** A permission rule, and where it is from. */
export type SDKPermissionRuleEntry = {
  /** What it does. */
  behavior: 'allow' | 'deny' | 'ask'
  /** Where it is from. Kedge has no rules of the last four. */
  source:
    | 'userSettings'
    | 'projectSettings'
    | 'localSettings'
    | 'flagSettings'
    | 'policySettings'
    | 'cliArg'
    | 'command'
    | 'session'
    | 'mcpMount'
    | 'toolsNarrowing'
    | 'mcpServerPolicy'
    | 'hostCredential'
  /** As it is written. */
  rule: string
  /** The same in words. */
  description?: SDKPermissionRuleDescription
  /** Whether it can be taken back: in its file, for the session, or not here. */
  editability: 'persistent' | 'session' | 'readonly'
  /** It's there, and has no effect. */
  notInEffect?: boolean
}
/** A folder the session may work in. */
export type SDKPermissionWorkspaceDirectory = {
  /** The folder. */
  path: string
  /** Where it is from. */
  source: string
}
/** A settings file that can't be used as it is. */
export type SDKSettingsParseError = {
  /** The file. */
  file?: string
  /** The setting. */
  path: string
  /** What is wrong. */
  message: string
}
/** The rules and folders that hold. */
export type SDKControlPermissionRulesState = {
  /** All rules. */
  rules: SDKPermissionRuleEntry[]
  /** The working directory, and those added. */
  workspaceDirectories: SDKPermissionWorkspaceDirectory[]
  /** Where the session began. */
  originalCwd: string
  /** Only rules of the administrator count. */
  managedOnly: boolean
  /** Files that can't be used as they are. */
  errors?: SDKSettingsParseError[]
  /** Something was left out. Kedge leaves nothing out. */
  withheld?: boolean
}
/** The answer to `list_permission_rules`. */
export type SDKControlListPermissionRulesResponse = {
  /** The rules and folders that hold. */
  state: SDKControlPermissionRulesState
}
