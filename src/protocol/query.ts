/** The handles our functions return: a running query, a conversation (`unstable_v2_*`), and a prewarmed query. */

import type {
  RewindFilesResult,
  SDKControlGetContextUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlMcpAppCallResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  StdoutMessage,
} from './control.js'
import type { SDKControlGetUsageResponse } from './later/later-types.js'
import type { McpCompletion, McpCompletionTarget } from './mcp/mcp-completion.js'
import type { McpServerConfig, McpServerStatus, McpSetServersResult } from './mcp-servers.js'
import type { SDKMessage, SDKResultSuccess, SDKUserMessage } from './messages.js'
import type { AccountInfo, AgentInfo, ModelInfo, Options, SdkPluginConfig, SlashCommand } from './options.js'
import type { PermissionMode } from './permission-types.js'
import type {
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadResponse,
  SDKControlReloadSkillsResponse,
  SDKControlSideQuestionResponse,
} from './requests/session-answers.js'
import type { ReloadPart } from './requests/session-requests.js'

/** A schema of a library that can say itself as JSON Schema, as Standard Schema has it: zod from 4.2 on, ArkType, … */
export interface SelfDescribingSchema<Output = unknown> {
  /** What Standard Schema asks of a library. */
  readonly '~standard': {
    /** For the compiler only: what goes in and what comes out. */
    readonly types?:
      | {
          /** What goes in. */
          readonly input: unknown
          /** What comes out. */
          readonly output: Output
        }
      | undefined
    /** The schema as JSON Schema. */
    readonly jsonSchema: {
      /** JSON Schema of what comes out. */
      output(options: { target: 'draft-2020-12' }): Record<string, unknown>
    }
  }
}
/** `query()` knows the type of `structured_output` from it. */
export type TypedOutputFormat<Output = unknown> = {
  type: 'json_schema'
  /** The schema of the result. */
  schema: SelfDescribingSchema<Output>
}
/** Options whose `outputFormat` says what type the result has. */
export type TypedOptions<Output = unknown> = Omit<Options, 'outputFormat'> & {
  /** The schema of the result. */
  outputFormat: TypedOutputFormat<Output>
}

/** The messages of a query whose `outputFormat` is a schema of a library: `structured_output` is what it describes. */
export type SDKMessageOf<Output> =
  | Exclude<SDKMessage, SDKResultSuccess>
  | (Omit<SDKResultSuccess, 'structured_output'> & {
      /** The answer as data, of the type the schema describes. */
      structured_output?: Output
    })

/**
 * A running query: iterate it for messages, call its methods to steer it. Leaving the loop, `close()` and aborting all
 * end the agent and everything it started. Methods reject once the query is closed.
 */
export interface Query<Output = unknown> extends AsyncGenerator<SDKMessageOf<Output>, void> {
  /** Process id of the agent, or `undefined` when it runs in this process or hasn't started. */
  readonly pid: number | undefined
  /** Resolves when nothing of this query runs any more. Never rejects. */
  readonly closed: Promise<void>

  /**
   * Ends the running turn with a result; `all` also stops background tasks. The query lives on. Resolves with the messages that
   * still wait for their turn.
   */
  interrupt(options?: {
    /** `all` also stops background tasks. */
    scope?: 'turn' | 'all'
  }): Promise<SDKControlInterruptResponse | undefined>
  /**
   * Stops the running turn at the next boundary: no further tool call and no further model request begin. Its result
   * has the `terminal_reason` `yielded`, the model sees nothing of it, and `resume` with `continueTurn` continues the
   * turn, even on another machine. A turn that is over by then ends as usual. Returns false if no turn was running.
   */
  yieldTurn(): Promise<boolean>
  /** Changes what runs without a question, from the next call on. */
  setPermissionMode(mode: PermissionMode): Promise<void>
  /** From the next model request on; without a name, the default model. */
  setModel(model?: string): Promise<void>
  /**
   * `null` lifts the limit, `0` turns thinking off.
   * @deprecated Use the `thinking` option.
   */
  setMaxThinkingTokens(maxThinkingTokens: number | null): Promise<void>
  /** Merges these into the settings layer of the command line. */
  applyFlagSettings(settings: Record<string, unknown>): Promise<void>

  /** All the agent said about itself when it started. */
  initializationResult(): Promise<SDKControlInitializeResponse>
  /** The slash commands the user can type. */
  supportedCommands(): Promise<SlashCommand[]>
  /** The models the user can choose. */
  supportedModels(): Promise<ModelInfo[]>
  /** The sub-agents the model can start. */
  supportedAgents(): Promise<AgentInfo[]>
  /** Returns the account that pays for the requests, as far as the agent knows. */
  accountInfo(): Promise<AccountInfo>
  /** What fills the context window right now. */
  getContextUsage(): Promise<SDKControlGetContextUsageResponse>

  /** How each MCP server is doing, with its tools. */
  mcpServerStatus(): Promise<McpServerStatus[]>
  /** Rejects when the server can't be reached. */
  reconnectMcpServer(serverName: string): Promise<void>
  /** Switches an MCP server off, or on again. */
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>
  /**
   * Has every call of a server asked for, though the mode `bypassPermissions` allows all; `null` takes that back. Rules
   * still allow and deny. `auto` asks as `default` does. Resolves with a warning if there is no such server yet.
   */
  setMcpPermissionModeOverride(serverName: string, mode: 'default' | 'auto' | null): Promise<{ warning?: string }>
  /**
   * Replaces the servers that were set this way before; those of settings files stay. `{}` removes all. With `replaceAll`, the
   * servers of the option `mcpServers` are replaced too.
   */
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: {
      /** Default: `false`, as in the Claude Agent SDK. */
      replaceAll?: boolean
    },
  ): Promise<McpSetServersResult>
  /** A user interface of a server's tool (`ui://…`), as the server gives it: show it walled off. */
  readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse>
  /** Suggestions of a server for an argument of a prompt or a resource template. A server that has none gives an empty list. */
  completeMcpArgument(serverName: string, target: McpCompletionTarget): Promise<McpCompletion>
  /** Calls a tool of a server because its user interface asked for it. Hooks, rules, and users decide as about any call. */
  callMcpAppTool(
    serverName: string,
    toolName: string,
    args: Record<string, unknown>,
  ): Promise<SDKControlMcpAppCallResponse>

  /** Puts files back to what they were at that user message; needs `enableFileCheckpointing`. */
  rewindFiles(
    userMessageId: string,
    options?: {
      /** Only say what would happen. */
      dryRun?: boolean
      /** Whether to also replace files that another program changed. */
      force?: boolean
    },
  ): Promise<RewindFilesResult>
  /** Reads a file where the agent runs, within the folders it may read. */
  readFile(
    path: string,
    options?: {
      /** The most bytes to return. */
      maxBytes?: number
      /** `base64` for pictures and the like. */
      encoding?: 'utf-8' | 'base64'
    },
  ): Promise<SDKControlReadFileResponse>
  /** The file counts as read, unless it changed since that time (`mtime` in whole milliseconds). */
  seedReadState(path: string, mtime: number): Promise<void>
  /** Stops a background task; its `task_notification` will say `stopped`. */
  stopTask(taskId: string): Promise<void>
  /** Moves the running tool call (or all of them) to the background; `false` when none could be moved. */
  backgroundTasks(toolUseId?: string): Promise<boolean>

  /**
   * Adds a message to the conversation. During a turn it joins what the model reads next; between turns it begins one.
   * Resolves when the agent has received it; the answer is among the messages. The query stays open until the message
   * has been answered. To keep it open for longer, begin with `prompt: null` or with a stream that stays open.
   */
  send(message: string | SDKUserMessage): Promise<void>
  /** Sends each message as it comes; resolves when the stream has ended. */
  streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void>
  /** Nothing more will be sent: the query ends when all that was sent is answered. */
  endInput(): void
  /** Summarizes the conversation, as `/compact` with these instructions does, in a separate turn with its own result. */
  compact(instructions?: string): Promise<void>

  /**
   * Asks the model a question about the session that leaves no trace in it, also while a turn runs. The request begins like the
   * last one of the conversation, so most of it comes from the model's cache. Its cost counts.
   */
  ask(question: string): Promise<SDKControlSideQuestionResponse>
  /**
   * Reads files again that the session began with: settings, plugins, skills, agents, output styles, instructions; or only some
   * of them. The system prompt and the tools stay, so that the model's cache holds: the model receives what is new before the next prompt.
   */
  reload(parts?: readonly ReloadPart[]): Promise<SDKControlReloadResponse>
  /** Reads plugins again. With `holdOnCacheImpact` nothing changes if the list of tools would. */
  reloadPlugins(options?: {
    /** Change nothing if the list of tools would change, because the model's cache depends on it. */
    holdOnCacheImpact?: boolean
    /** Further plugins, by absolute path. */
    addPlugins?: SdkPluginConfig[]
    /** Reject while a turn or background work runs. */
    refuseIfBusy?: boolean
  }): Promise<SDKControlReloadPluginsResponse>
  /** Reads skills, commands, and agents again. */
  reloadSkills(): Promise<SDKControlReloadSkillsResponse>
  /** Reads output styles again. The chosen one stays as it was until the session ends. */
  reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse>
  /** Writes settings to a file: `outputStyle` to the local one, where it counts at once, `effortLevel` to the user's. */
  updateSettings(source: 'localSettings' | 'userSettings', settings: Record<string, unknown>): Promise<void>
  /** What the session is like now, as at its start; questions that are still open are answered by the callbacks as before. */
  reinitialize(): Promise<SDKControlInitializeResponse>
  /** What the session has used so far. Kedge knows no plans, so there are no limits of one. */
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options?: {
    /** Kedge never scans other sessions for this. */
    skipBehaviors?: boolean
  }): Promise<SDKControlGetUsageResponse>

  /** Ends the agent now; `closed` says when that is done. */
  close(): void
  /** Ends the query and waits until nothing of it is left: `await using` calls it. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Arguments of a query that only continues a turn, without a prompt. */
export type ContinueParams = {
  /** Nothing new is said. */
  prompt?: undefined
  /** Options that select the session to continue. */
  options: Options & { continueTurn: true }
}
/**
 * What `query()` takes. A text is one turn, a stream as many as it has messages. `null`: the conversation begins with the
 * first `send()`, and stays open until `endInput()` or `close()`.
 */
export type QueryParams = {
  /** A text is one turn, a stream as many as it has messages; `null`: begin with `send()`. */
  prompt: string | AsyncIterable<SDKUserMessage> | null
  /** Everything else; all of it may be left out. */
  options?: Options
}

/** A conversation of several turns: `send()`, then read `stream()` up to its result, and again. */
export interface SDKSession {
  /** Throws until the first message has come; a resumed session knows it at once. */
  readonly sessionId: string
  /** Gives the agent a prompt; it waits its turn when one is running. */
  send(message: string | SDKUserMessage): Promise<void>
  /** The messages of the current turn, its result last. */
  stream(): AsyncGenerator<SDKMessage, void>
  /** Ends the session's process. What was said stays, and can be resumed. */
  close(): void
  /** Ends the session and waits until nothing of it is left: `await using` calls it. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The options of `query()` except those that choose a session: creating and resuming are functions here. */
export type SDKSessionOptions = Omit<Options, 'continue' | 'resume' | 'resumeSessionAt' | 'forkSession' | 'model'> & {
  /** The model to use. */
  model: string
}

/** What `startup()` takes. */
export type StartupParams = {
  /** As for `query()`. */
  options?: Options
  /** How long the agent may take to get ready. Default: 60 s. */
  initializeTimeoutMs?: number
}

/** An agent that is ready and waits for its prompt. */
export interface WarmQuery {
  /** Starts the one query this agent was made for; a second call throws. */
  query(prompt: string | AsyncIterable<SDKUserMessage> | null): Query
  /** Ends an agent that was never used. */
  close(): void
  /** Ends it and waits until nothing of it is left: `await using` calls it. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A connection to an agent program, as text lines in and messages out. */
export interface Transport {
  /** Sends a line to the agent. */
  write(data: string): void | Promise<void>
  /** Ends the connection. */
  close(): void
  /** Whether lines can be sent. */
  isReady(): boolean
  /** The agent's messages, as they come. */
  readMessages(): AsyncGenerator<StdoutMessage, void, unknown>
  /** Nothing more will be sent. */
  endInput(): void
}
