/** What callers of `query()` may set, and the small records the agent describes itself with. */

import type { MessageParam } from './content.js'
import type { HookCallbackMatcher, HookEvent } from './hooks.js'
import type {
  GetMcpToken,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  OnElicitation,
  OnMcpSignIn,
} from './mcp-servers.js'
import type { CanUseTool, PermissionMode } from './permission-types.js'
import type { AgentProcess, AgentStart, Channel, SpawnOptions } from './spawn.js'
import type { SessionStore, SessionStoreFlush } from './stored-sessions.js'
import type { Meter, Tracer } from './tracing.js'
import type { MakeWorkspace } from './workspace/workspace.js'

// ── records ──────────────────────────────────────────────────────────────────

/** The account that pays for the requests, as far as the agent knows. */
export type AccountInfo = {
  /** Always empty: Kedge has no user accounts. */
  email?: string
  /** Empty with Kedge: a key does not say whose it is. */
  organization?: string
  /** Empty with Kedge, which uses no subscription. */
  subscriptionType?: string
  /** Where the auth token comes from, such as `ANTHROPIC_AUTH_TOKEN`. */
  tokenSource?: string
  /** Where the API key comes from, such as `ANTHROPIC_API_KEY`, `apiKeyHelper` or `none`. */
  apiKeySource?: string
  /** The cloud that serves the models, if one does. */
  apiProvider?:
    | 'firstParty'
    | 'bedrock'
    | 'vertex'
    | 'foundry'
    | 'anthropicAws'
    | 'anthropicGoogleCloud'
    | 'mantle'
    | 'gateway'
}

/** How much work the model should put into an answer. */
export type EffortLevel = 'low' | 'medium' | 'high' | 'max'

/** A server of the session, by its name, or one that only this agent has. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>

/** A sub-agent the model can hand work to. */
export type AgentDefinition = {
  /** When to use it, in words the model reads. */
  description: string
  /** Names of the tools it has; absent means all of its parent's. */
  tools?: string[]
  /** Tools the sub-agent never gets, whatever `tools` says. */
  disallowedTools?: string[]
  /** Its system prompt. */
  prompt: string
  /** An alias or a model id. Absent or `inherit`: the model of the main thread. */
  model?: 'sonnet' | 'opus' | 'haiku' | 'inherit' | (string & {})
  /** The agent's MCP servers: names of the session's servers, or configurations. */
  mcpServers?: AgentMcpServerSpec[]
  /** A reminder added to its system prompt. */
  criticalSystemReminder_EXPERIMENTAL?: string
  /** Skills whose text the sub-agent has from the start. */
  skills?: string[]
  /** Model requests before it is stopped. */
  maxTurns?: number
  /** Tokens of all its requests and answers, cached ones included, before it is stopped. It's told what is left. */
  maxTokens?: number
  /** What its requests may cost before it is stopped. It's told what is left. A model without a known price costs nothing here. */
  maxBudgetUsd?: number
  /** Its first user message when it is the main thread. */
  initialPrompt?: string
  /** It works in the background whenever it is called. */
  background?: boolean
  /** How hard it thinks; default: as the session does. */
  effort?: EffortLevel
  /** Narrows what it may do; it never widens what its parent may. */
  permissionMode?: PermissionMode
}

/** A sub-agent the model can start, as a list shows it. */
export type AgentInfo = {
  /** What the model calls it by, in `subagent_type`. */
  name: string
  /** What the model reads to choose it. */
  description: string
  /** The agent's model. Default: the session's model. */
  model?: string
}

/** A command the user can type, as a list shows it. */
export type SlashCommand = {
  /** Its name, without the slash. */
  name: string
  /** What it does, in a sentence. */
  description: string
  /** What to write after it, such as `[file]`; empty where it takes nothing. */
  argumentHint: string
}

/** A model the user can choose, as a list shows it. */
export type ModelInfo = {
  /** What to pass as `model`. */
  value: string
  /** Its name for people. */
  displayName: string
  /** What it is good for, in a sentence. */
  description: string
  /** Whether `effort` changes anything. */
  supportsEffort?: boolean
  /** The levels of `effort` it takes. */
  supportedEffortLevels?: EffortLevel[]
  /** Whether it decides itself how much to think. */
  supportsAdaptiveThinking?: boolean
  /** The setting `fastMode` counts for it. */
  supportsFastMode?: boolean
}

/** How much of the thinking is sent: a summary, or nothing. */
export type ThinkingDisplay = 'summarized' | 'omitted'
/** The model decides how much it thinks. */
export type ThinkingAdaptive = {
  type: 'adaptive'
  /** What is shown of the thinking. */
  display?: ThinkingDisplay
}
/** The model thinks, up to a number of tokens. */
export type ThinkingEnabled = {
  type: 'enabled'
  /** That number. */
  budgetTokens?: number
  /** What is shown of the thinking. */
  display?: ThinkingDisplay
}
/** The model does not think first. */
export type ThinkingDisabled = { type: 'disabled' }
/** Whether and how much the model thinks before it answers. */
export type ThinkingConfig = ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled

/** The kinds of output formats. */
export type OutputFormatType = 'json_schema'
/** What kind of output is wanted. */
export type BaseOutputFormat = {
  /** The kind: JSON by a schema is the only one. */
  type: OutputFormatType
}
/** The result is to be JSON that fits a schema. */
export type JsonSchemaOutputFormat = {
  type: 'json_schema'
  /** That schema. */
  schema: Record<string, unknown>
}
/** What form the result is to have. */
export type OutputFormat = JsonSchemaOutputFormat

/** Betas of the API that can be asked for. */
export type SdkBeta = 'context-1m-2025-08-07'
/** A plugin, by its folder. */
export type SdkPluginConfig = {
  type: 'local'
  /** The folder it is in. */
  path: string
}
/** Settings files that can be read: the user's, the project's, and the user's for this project. */
export type SettingSource = 'user' | 'project' | 'local'
/** Where a setting is kept: for the user, for the project, or for the user in this project. */
export type ConfigScope = 'local' | 'user' | 'project'

/** What commands in the sandbox can reach over the network. */
export type SandboxNetworkConfig = {
  /** Hosts that are reached without a question; `*.example.com` stands for all below it. */
  allowedDomains?: string[]
  /** Only the hosts that managed settings list; those of users and projects count for nothing. */
  allowManagedDomainsOnly?: boolean
  /** Paths of Unix sockets that may be opened. */
  allowUnixSockets?: string[]
  /** Lets commands open any Unix socket. Some of them are as good as the whole machine. */
  allowAllUnixSockets?: boolean
  /** Lets commands listen on ports of this machine. */
  allowLocalBinding?: boolean
  /** The port of your HTTP proxy, used instead of the sandbox's proxy. */
  httpProxyPort?: number
  /** The port of your SOCKS proxy, used instead of the sandbox's proxy. */
  socksProxyPort?: number
}
/** What sandboxed commands may do with files, beside what the permission rules say. */
export type SandboxFilesystemConfig = {
  /** Paths they may write to. */
  allowWrite?: string[]
  /** Paths they may not write to. */
  denyWrite?: string[]
  /** Paths they may not read. */
  denyRead?: string[]
}
/** Violations that are not reported: paths, by command. */
export type SandboxIgnoreViolations = Record<string, string[]>
/** Walls of the kernel around commands: which files and hosts they reach. */
export type SandboxSettings = {
  /** Whether commands run in the sandbox at all; default false. */
  enabled?: boolean
  /** Runs commands in the sandbox without a question; default true. */
  autoAllowBashIfSandboxed?: boolean
  /** Whether the model may ask to run a command outside; default true. A permission is needed each time. */
  allowUnsandboxedCommands?: boolean
  /** What commands reach over the network. */
  network?: SandboxNetworkConfig
  /** What commands read and write, beside what permission rules say. */
  filesystem?: SandboxFilesystemConfig
  /** Attempts to get out that are not reported, by command. */
  ignoreViolations?: SandboxIgnoreViolations
  /** Weaker walls, for containers that do not allow the full ones. */
  enableWeakerNestedSandbox?: boolean
  /** Commands that always run outside, with a permission. */
  excludedCommands?: string[]
  /** The ripgrep to search for protected files with. */
  ripgrep?: {
    /** The program to search with. */
    command: string
    /** Arguments before all others. */
    args?: string[]
  }
  [key: string]: unknown
}

/** A conversation that is to be summed up. */
export type SummaryRequest = {
  /** `manual`: the user or host requested it. `auto`: the context was nearly full. */
  trigger: 'manual' | 'auto'
  /** What the summary should mind: of the user, and of PreCompact hooks. */
  instructions: string[]
  /** The conversation to sum up. */
  messages: MessageParam[]
}

// ── options ──────────────────────────────────────────────────────────────────

/** A dialog that an agent asks its host to show. */
export type UserDialogRequest = {
  /** Which dialog. Answer a kind you do not know with `{ behavior: 'cancelled' }`. */
  dialogKind: string
  /** The content to show. Each kind of dialog has its own shape. */
  payload: Record<string, unknown>
  /** The call it is about, if it is about one. */
  toolUseID?: string
}
/** The answer of the user to a dialog. */
export type UserDialogResult =
  | {
      /** The user has chosen. */
      behavior: 'completed'
      /** The user's answer. Each kind of dialog has its own shape. */
      result: unknown
    }
  | {
      /** The user has closed it: the agent does what it does without an answer. */
      behavior: 'cancelled'
    }
/** `null` means that the answer went to the agent by another way; nothing is sent then. */
export type OnUserDialog = (
  request: UserDialogRequest,
  options: {
    /** Aborts when the answer is not needed any more. */
    signal: AbortSignal
    /** The id of the question. */
    requestId: string
  },
) => Promise<UserDialogResult | null>

/** The options of `query()`. All are optional. */
export type Options = {
  /** Aborting it ends the query and everything it started. */
  abortController?: AbortController
  /** Folders beside `cwd` the tools may work in; absolute. */
  additionalDirectories?: string[]
  /** Run the main thread as this agent (from `agents` or settings). */
  agent?: string
  /** Sub-agents the model can start, by name; beside those of files and plugins. */
  agents?: Record<string, AgentDefinition>
  /** Rules that run without asking, such as `Read` or `Bash(git log:*)`. Not a ceiling: see `tools`. */
  allowedTools?: string[]
  /** Asked for calls that neither rules nor mode decide. */
  canUseTool?: CanUseTool
  /** Continue the latest session of this folder. */
  continue?: boolean
  /** Default: `process.cwd()`. */
  cwd?: string
  /** Rules that never run; a bare tool name also hides the tool from the model. */
  disallowedTools?: string[]
  /** The built-in tools that exist: names, `[]` for none, or the preset for all. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' }
  /** Replaces the environment. Default: `process.env`. `CLAUDE_AGENT_SDK_CLIENT_APP` names your app to the API. */
  env?: { [envVar: string]: string | undefined }
  /** Runtime for the agent process; detected when absent. Naming one means `isolation: 'process'`. */
  executable?: 'bun' | 'deno' | 'node'
  /** Arguments for the runtime (`executable`) that starts the agent, before the agent's own. */
  executableArgs?: string[]
  /** Further CLI flags, without the dashes; `null` for flags without a value. */
  extraArgs?: Record<string, string | null>
  /** Tried once when the model stays overloaded. */
  fallbackModel?: string
  /** Keep copies of files before they change, for `rewindFiles()`. */
  enableFileCheckpointing?: boolean
  /** With `resume`: continue in a new session, leaving the old one as it is. */
  forkSession?: boolean
  /** Beta features of the API to ask for, by the names of its `anthropic-beta` header. */
  betas?: SdkBeta[]
  /** Functions called at each event; they can allow, deny, change or stop what happens. */
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>
  /** `false` writes nothing to disk; such a session can't be resumed. */
  persistSession?: boolean
  /** Also yield `stream_event` messages. */
  includePartialMessages?: boolean
  /** Also yield what sub-agents say (and, with `includePartialMessages`, their stream events), those in the background included. */
  forwardSubagentText?: boolean
  /** Also yield `system/hook_started`, `hook_progress` and `hook_response` for every hook. */
  includeHookEvents?: boolean
  /** Whether and how much the model thinks before it answers. */
  thinking?: ThinkingConfig
  /** How much work the model puts into an answer; what its model does not know is left out. */
  effort?: EffortLevel
  /**
   * The most thinking tokens per model response. `thinking` wins over it.
   *
   * @deprecated Use `thinking`.
   */
  maxThinkingTokens?: number
  /** Model requests per user turn. */
  maxTurns?: number
  /** Ends the query with `error_max_budget_usd` once its requests have cost this much. */
  maxBudgetUsd?: number
  /** MCP servers by name: programs, addresses, or servers in this process. */
  mcpServers?: Record<string, McpServerConfig>
  /**
   * How programs and addresses among `mcpServers` reach the agent. `initialize`: in the first message, so no other user of
   * the machine can read their variables and headers. `argv`: on the command line, for agents that know nothing else.
   * Default: `initialize` for Kedge's own agent, `argv` for another program (`pathToClaudeCodeExecutable`).
   */
  mcpServersDelivery?: 'argv' | 'initialize'
  /** Answers questions of MCP servers to the user. Without it, and without a hook that answers, they are declined. */
  onElicitation?: OnElicitation
  /** Shows dialogs of agents of the 0.3 line to the user. Kedge's own agent has none. */
  onUserDialog?: OnUserDialog
  /** The kinds of dialog that `onUserDialog` can show: agents send no others. Needs `onUserDialog`. */
  supportedDialogKinds?: string[]
  /** Background tasks can be stopped one by one here, so an interrupt leaves them alone. Kedge's agent always does. */
  perTaskStopAffordance?: true
  /** A model id, an alias (`sonnet`, `opus`, `haiku`), or `practice` for the built-in offline stand-in. */
  model?: string
  /** Ask for an answer that matches a JSON Schema. */
  outputFormat?: OutputFormat
  /** Run this program as the agent instead of our own. */
  pathToClaudeCodeExecutable?: string
  /** What runs without a question; default `default`. The rules of settings hold in every mode. */
  permissionMode?: PermissionMode
  /** `bypassPermissions` may be chosen later, with `setPermissionMode()` or by a settings file. */
  allowDangerouslySkipPermissions?: boolean
  /** An MCP tool that answers permission questions instead of `canUseTool`. */
  permissionPromptToolName?: string
  /** `none`: Kedge sends no permission requests, not even to `canUseTool`, and denies those calls. Default: `host`. */
  permissionPrompts?: 'host' | 'none'
  /** Folders with commands, agents, skills, hooks and MCP servers to load. */
  plugins?: SdkPluginConfig[]
  /** Suggest the user's next prompt after each turn. */
  promptSuggestions?: boolean
  /** The id of the session to continue. */
  resume?: string
  /** Id for the new session; a UUID. */
  sessionId?: string
  /** With `resume`: forget everything after this assistant message. */
  resumeSessionAt?: string
  /**
   * With `resume`: continues the turn that was cut off, parked (`parkAsks`), or yielded (`yieldTurn()`), which then
   * gets its one `result`. A `prompt` comes after that turn. Calls that had not begun run now, and calls that only read
   * run again. For other calls that had begun, the model sees a note. See docs/durable-sessions.md.
   */
  continueTurn?: boolean
  /** With `resumeSessionAt`: the prompt of the turn that is to be forgotten; refused if anything else would be forgotten too. */
  resumeDropsTurn?: string
  /** Title of a new session. A resumed session keeps its own (`renameSession()`). */
  title?: string
  /** The skills and commands the model may load, by name, without a question about it; `'all'`: every one. Default: as settings say. */
  skills?: string[] | 'all'
  /** How to make a plan, in place of our own words; what holds in plan mode, and how it ends, is still said. */
  planModeInstructions?: string
  /** Calls of these names run the tool of the other name, whose rules count. One step: an alias of an alias is a name like any other. */
  toolAliases?: Record<string, string>
  /** Where sessions are kept as well. One that is resumed comes from there, and is then kept nowhere else. */
  sessionStore?: SessionStore
  /** How its entries are handed over. Default `batched`. */
  sessionStoreFlush?: SessionStoreFlush
  /** How long it may take to give a session. Default: 60,000. */
  loadTimeoutMs?: number
  /** Runs commands inside walls of the kernel: which files and hosts they reach. */
  sandbox?: SandboxSettings
  /** Settings for this query, above those of user, project and local files: an object, JSON, or the path of a file. */
  settings?: string | Record<string, unknown>
  /** Settings files to read; none by default. */
  settingSources?: SettingSource[]
  /** Writes what the agent does to stderr. */
  debug?: boolean
  /** Writes what the agent does to this file. */
  debugFile?: string
  /** Receives what the agent writes to stderr, in chunks as they come. */
  stderr?: (data: string) => void
  /** Only the MCP servers of `mcpServers`; none of files and settings. */
  strictMcpConfig?: boolean
  /** Default: none. The preset is Kedge's own coding prompt. */
  systemPrompt?:
    | string
    | string[]
    | {
        type: 'preset'
        preset: 'claude_code'
        /** Text after the preset. */
        append?: string
      }
  /** Start the agent process yourself: in a container, a VM, elsewhere. */
  spawnClaudeCodeProcess?: (options: SpawnOptions) => AgentProcess

  // ── ours ──
  /** Where the agent runs. Default `in-process`; naming an executable or a spawn function means `process`. */
  isolation?: 'in-process' | 'process'
  /**
   * Connects to an agent behind a socket, in a worker, or in a test. A function receives the command line and opens a
   * channel to an agent that was started with it. A channel is already open, to an agent that has its settings. Kedge
   * rejects options that can't be sent to that agent.
   */
  transport?: Channel | ((start: AgentStart) => Channel | Promise<Channel>)
  /**
   * What Read, Write, Edit, Grep, Glob, Bash and hook commands work on: the function gets the workspace of this machine and returns
   * the one to use, such as one that answers with an editor's unsaved buffers. Only with an agent in this process.
   */
  workspace?: MakeWorkspace
  /** Ends the whole query after this long, with a result whose `terminal_reason` is `timeout`. */
  timeoutMs?: number
  /** The agent may lead a team: TeamCreate, TeamDelete, SendMessage, teammates started with Task, a task list they share. */
  agentTeams?: boolean
  /**
   * What happens to background work when a turn is over and nothing else waits. `wait` (the default): the query
   * continues until the work has ended and the model has seen its result. `cancel`: Kedge stops the work, and a result
   * has `terminal_reason` `background_cancelled`. `detach`: the query ends, and the work continues while this process
   * lives.
   */
  onTurnEnd?: 'wait' | 'detach' | 'cancel'
  /** Cancels work that is still going on in the background this long after the last turn of the user. No limit by default. */
  backgroundCeilingMs?: number
  /**
   * Returns access tokens for MCP servers that want a sign-in: before the first request, and when a token is no longer
   * taken. Not for servers whose configuration has a header `Authorization`.
   */
  getMcpToken?: GetMcpToken
  /**
   * Leads the user through a sign-in to an MCP server that wants one; the server is connected afterwards, without a new
   * session. Only where `mcpSignIns` apply.
   */
  onMcpSignIn?: OnMcpSignIn
  /**
   * Whether sessions use the sign-ins of `kedge mcp login`. Default: if `settingSources` names `user`. Tokens of
   * `getMcpToken` come first.
   */
  mcpSignIns?: boolean
  /**
   * `false`: the first turn does not wait for MCP servers, whose tools come when they are there. By default they are connected, or
   * have failed, before anything is asked of the model.
   */
  mcpWait?: boolean
  /**
   * Also yield messages that 0.2.50 does not have: `api_retry`, `model_fallback`, `permission_denied`, `informational`,
   * `task_progress`, `task_updated`, `background_tasks_changed`, and `command_lifecycle` for messages that have a `uuid`.
   * Without it, only `informational` with the code `session_not_saved` is yielded.
   */
  includeNotices?: boolean
  /**
   * Read settings, plugins, skills, agents, output styles, and instructions again when their files change. What changed is an
   * `informational` message with the code `configuration_reloaded`. Default: `false`; the terminal does.
   */
  reloadOnChange?: boolean
  /** Put the live output of commands into `tool_progress` messages. */
  includeToolOutput?: boolean
  /** Sums up a conversation that became too long, in place of the model. What it returns is all the model will know of it. */
  summarize?: (
    request: SummaryRequest,
    options: {
      /** Aborts when the answer is not needed any more. */
      signal: AbortSignal
    },
  ) => Promise<string>
  /** How many of the latest tool results to keep when the conversation comes near the limit. Older ones are left out first. */
  keepToolResults?: number
  /**
   * Tokens for everything the model does in one turn. The model sees what is left and paces itself. The API enforces
   * it, for models that support it; other models reject the request.
   */
  taskBudget?: {
    /** Tokens the task may take. */
    total: number
  }
  /**
   * What happens to a permission request that no one can answer: `deny` (the default) continues without the call,
   * `fail` ends the turn with an error.
   */
  onAsk?: 'deny' | 'fail'
  /** `canUseTool` is also told why it is asked (`why`) and what would happen (`preview`): a diff, the parts of a command. */
  askDetails?: boolean
  /**
   * Lets `canUseTool` answer `{ behavior: 'park' }` when it receives `canPark`: the turn ends with `terminal_reason:
   * 'waiting'`, and the call stays open until the session is resumed with `continueTurn`, which asks again. In the same
   * way, `onElicitation` can answer `{ action: 'park' }`.
   */
  parkAsks?: boolean
  /**
   * Whether Kedge treats the folder as untrusted. It then uses only deny and ask rules and texts for the model from the
   * folder's own files, although `settingSources` names them: its user hasn't approved the rest. `folderTrust()` says
   * whether they have.
   */
  untrusted?: boolean
  /** Tokens of all requests of this run, sub-agents included: the answer that goes over is the last. */
  maxTokens?: number
  /** Calls of tools in this run, sub-agents included: the answer that goes over is the last. */
  maxToolCalls?: number
  /**
   * Sends model requests as batches of the Messages API: half the price, and each response can take minutes or hours.
   * For work without a waiting user. Not with `includePartialMessages`, and not with other providers.
   */
  batch?: boolean
  /** One trace of the query: run, turns, model, tools, sub-agents, permission, hooks. A tracer of OpenTelemetry fits. */
  tracer?: Tracer
  /** Metrics of the query: durations, tokens, cost, retries, decisions. A meter of OpenTelemetry fits. */
  meter?: Meter
  /** `always`: `canUseTool` is asked for every call, also those that rules or the mode would let run. */
  gate?: 'always'
}
