/** What a command line says about a session, in groups by what it is about. Rows of the option table name these settings. */
import type { AgentDefinition, Options, SettingSource, ThinkingConfig, ThinkingDisplay } from '../options.js'
import type { PermissionMode } from '../permission-types.js'

export type ModelSettings = {
  model?: string
  fallbackModel?: string
  /** Undefined: what suits the model. */
  thinking?: ThinkingConfig
  thinkingDisplay?: ThinkingDisplay
  effort?: NonNullable<Options['effort']>
  /** From settings: faster answers at a higher price, if the model has them. */
  fast?: boolean
  /** Ask by batches: half the price, and long waits. */
  batch: boolean
  betas: string[]
  /** Tokens for one turn, as the model sees them. */
  taskBudget?: number
  systemPrompt?: string
  appendSystemPrompt?: string
  /** The main thread runs as this agent. */
  agent?: string
  /** Those of `--agents`. */
  flagAgents: Readonly<Record<string, AgentDefinition>>
  /** The JSON Schema that answers have to match, as text. */
  outputSchema?: string
}

export type LimitSettings = {
  maxTurns: number | null
  maxBudgetUsd: number | null
  maxTokens: number | null
  maxToolCalls: number | null
  timeoutMs: number | null
  /** What happens to background work when a turn is over, and how long it can continue then. */
  onTurnEnd: NonNullable<Options['onTurnEnd']>
  backgroundCeilingMs: number | null
  /** One answer is printed. A command that reaches its time limit ends with its turn, because no later turn would wait for it. */
  prints: boolean
  /** Results of tool calls that stay when old ones are left out; undefined: none is. */
  keepToolResults?: number
}

export type ToolSettings = {
  /** Built-in tools that exist; undefined: all. */
  tools?: string[]
  /** The host said which tools there are: an agent's own list does not narrow that. */
  choseTools: boolean
  /** The session may lead a team. */
  teams: boolean
  /** It has a task list in place of the to-do list. */
  taskList: boolean
  /** Those of `--mcp-config`; each entry is checked when its server is connected. */
  mcpServers: Record<string, unknown>
  /** No server is started before `initialize`, which can name further ones. */
  awaitsInitialize: boolean
  /** No MCP servers but those. */
  strictMcp: boolean
  /** The host is asked for tokens of servers. */
  hostGivesMcpTokens: boolean
  /** The host leads its user through sign-ins. */
  hostLeadsMcpSignIns: boolean
  /** Sign-ins that are kept for the user count; undefined: where the user's settings do. */
  mcpSignIns?: boolean
  /** The first turn waits until each server is connected or has failed. */
  mcpWait: boolean
  /** There are slash commands and skills. */
  slashCommands: boolean
}

export type PermissionSettings = {
  allow: string[]
  deny: string[]
  mode: PermissionMode
  /** The host chose the mode: settings do not. */
  choseMode: boolean
  allowBypass: boolean
  directories: string[]
  /** Whether the host answers permission questions. */
  asksHost: boolean
  /** True for a command line with one prompt and no user who could be asked. */
  unattended: boolean
  /** The MCP tool that answers permission questions. */
  promptTool?: string
  /** Ask the host for every call, whatever the rules say. */
  gated: boolean
  /** Questions to the host come with their reason and a preview. */
  askDetails: boolean
  /** The host may leave a question open. */
  parksAsks: boolean
  /** A request that no one can answer ends the turn. */
  failOnAsk: boolean
}

export type SessionChoice = {
  persist: boolean
  sessionId?: string
  resume?: string
  continueLatest: boolean
  fork: boolean
  resumeAt?: string
  /** The prompt of the only turn that `resumeAt` may leave out. */
  dropsTurn?: string
  /** The unfinished turn continues before anything else. */
  continuesTurn: boolean
  /** The host wants every line of the session as well. */
  mirrors: boolean
  /** The session to resume comes from the host, in front of its first message. */
  resumesFromHost: boolean
  setup?: 'init' | 'maintenance'
  /** What files were like at each user message is kept. */
  checkpoints: boolean
}

export type ConfigurationSourceSettings = {
  /** Which settings files count. */
  sources: SettingSource[]
  /** What comes with the folder may act; otherwise its settings only narrow. */
  trusted: boolean
  /** `--settings`: JSON, or the path of a file. */
  settingsFlag?: string
  /** Folders of plugins; absolute. */
  pluginFolders: string[]
}

/** What the host wants to receive, and to do itself. */
export type HostPreferences = {
  partial: boolean
  replay: boolean
  toolOutput: boolean
  /** Tell the host of every hook that runs, not only of those at the start. */
  hookEvents: boolean
  /** Tell it what the original 0.2.50 does not: retries, denials, notes, progress of tasks. */
  notices: boolean
  /** Files that the session began with are read again when they change. */
  reloadsOnChange: boolean
  /** The host wants to know when we are idle. */
  reportsState: boolean
  /** The caller wants to know when we are idle: after every turn, even if background work continues. */
  showsState: boolean
  /** The host sums conversations up. */
  hostSummarizes: boolean
}

export type StartSettings = ModelSettings &
  LimitSettings &
  ToolSettings &
  PermissionSettings &
  SessionChoice &
  ConfigurationSourceSettings &
  HostPreferences
