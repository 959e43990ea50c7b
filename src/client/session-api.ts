/** What can be done with one session, as types: each call takes its id first, as `Sessions` of the hub does. */

import type {
  RewindChanges,
  RewindRequest,
  RewindTarget,
  SessionChangeRequest,
  SessionInfo,
} from '../hub/session-types.js'
import type {
  McpToolApp,
  SDKControlGetContextUsageResponse,
  SDKControlMcpAppCallResponse,
} from '../protocol/control.js'
import type { McpServerStatus } from '../protocol/mcp-servers.js'
import type { AgentInfo, ModelInfo, SlashCommand } from '../protocol/options.js'
import type { SDKControlReloadResponse, SDKControlSideQuestionResponse } from '../protocol/requests/session-answers.js'
import type { AnswerOutcome, Ask, AskAnswer } from '../protocol/session-log/ask-types.js'
import type { LogEntry, LogItem } from '../protocol/session-log/entries.js'
import type { Prompt, PromptReceipt } from '../protocol/session-log/prompt-types.js'
import type { SessionMessage } from '../protocol/stored-sessions.js'
import type { LoggedFileChange, LoggedTask } from '../server/api/logged-tasks-and-changes.js'
import type { AskReference, CallOptions, PromptToSend, ReadOptions } from './client-types.js'

/** Messages from before a session's log begins. */
export type SessionHistory = {
  /** The last of them, oldest first. */
  messages: SessionMessage[]
  /** The number of messages before these. */
  earlier: number
}

/** A file of a session. */
export type SessionFileContent = {
  /** Its path. */
  path: string
  /** Its content, in `encoding`. */
  content: string
  /** How `content` is encoded. */
  encoding: 'utf-8' | 'base64'
  /** Its size in bytes. */
  size: number
}

/** A piece of a log. */
export type LogPage = {
  /** The entries, in order. */
  entries: LogEntry[]
  /** Number of the last entry in the whole log. */
  last: number
}

/** Everything that can be done with one session. */
export type SessionOperations = StoredSession & PromptOperations & RequestOperations & SessionRecord & AgentOperations

type StoredSession = {
  /** Returns what a session is doing. */
  info(session: string, options?: CallOptions): Promise<SessionInfo>
  /** Changes title, mode, model, effort, or puts it into the archive. */
  change(session: string, change: SessionChangeRequest, options?: CallOptions): Promise<SessionInfo>
  /** Copies a session, whole or up to a message. */
  fork(
    session: string,
    at?: {
      /** The `uuid` of the last message that the copy has. */
      message: string
    },
    options?: CallOptions,
  ): Promise<SessionInfo>
  /** Undoes everything from a user message on: files, conversation, or both. `dryRun` only returns what would change. */
  rewind(session: string, to: RewindRequest, options?: CallOptions): Promise<RewindChanges>
  /** Goes back to before a message, and leaves files as they are. */
  rewindConversation(session: string, to: RewindTarget, options?: CallOptions): Promise<RewindChanges>
  /** Ends its agent. The session stays stored. */
  close(session: string, options?: CallOptions): Promise<void>
  /** Removes it with all that belongs to it. */
  delete(session: string, options?: CallOptions): Promise<void>
}

type PromptOperations = {
  /** Sends a prompt. It is one prompt, however often it is sent. */
  send(session: string, prompt: string | PromptToSend, options?: CallOptions): Promise<PromptReceipt>
  /** Returns the prompts that wait, in order. */
  queue(session: string, options?: CallOptions): Promise<Prompt[]>
  /** Takes a prompt out of the queue. */
  removePrompt(session: string, id: string, options?: CallOptions): Promise<void>
  /** Puts the prompts that wait in another order. */
  reorder(session: string, order: string[], options?: CallOptions): Promise<void>
  /** Stops the running turn (the default), all that waits too, or one task. */
  interrupt(
    session: string,
    scope?:
      | 'turn'
      | 'all'
      | {
          /** The id of the task. */
          task: string
        },
    options?: CallOptions,
  ): Promise<void>
  /** Resumes prompts that wait since a restart or an error. */
  resumeTurn(session: string, options?: CallOptions): Promise<void>
}

type RequestOperations = {
  /** Returns one open request. */
  ask(session: string, id: string, options?: CallOptions): Promise<Ask>
  /** Answers a request. The first answer counts: `already` names the person who gave it. */
  answer(session: string, ask: AskReference, answer: AskAnswer, options?: CallOptions): Promise<AnswerOutcome>
}

type SessionRecord = {
  /** Yields everything after a number, then new items, without end: the stream reconnects on its own. */
  read(session: string, options?: ReadOptions): AsyncGenerator<LogItem, void>
  /** The same, as many at a time as there are. */
  readSome(session: string, options?: ReadOptions): AsyncGenerator<readonly LogItem[], void>
  /** Yields the stored entries after a number, some at a time, and ends. */
  stored(session: string, after?: number, options?: CallOptions): AsyncGenerator<readonly LogEntry[], void>
  /** Returns a piece of the log: the entries after a number. */
  log(session: string, options?: CallOptions & { after?: number; limit?: number }): Promise<LogPage>
  /** Returns all messages of the conversation, oldest first: without those that a rewind removed. */
  messages(session: string, options?: CallOptions): Promise<SessionMessage[]>
  /** Returns what was said before the log begins: before a fork, or before the server knew the session. */
  earlier(session: string, options?: CallOptions & { limit?: number }): Promise<SessionHistory>
  /** Returns the whole session as one file of JSON lines, for `importSession()` here or elsewhere. */
  export(session: string, options?: CallOptions): Promise<Blob>
  /** Returns the names of files in its folder that match a few letters, the nearest first. */
  files(session: string, text?: string, options?: CallOptions & { limit?: number }): Promise<string[]>
  /** Returns a file inside its folders, as far as its rules permit. */
  file(
    session: string,
    path: string,
    options?: CallOptions & { encoding?: 'utf-8' | 'base64'; bytes?: number },
  ): Promise<SessionFileContent>
  /** Returns what it changed in files, edit by edit, as patches. */
  changes(session: string, options?: CallOptions & { path?: string }): Promise<LoggedFileChange[]>
  /** Returns its work in the background, the latest last. */
  tasks(session: string, options?: CallOptions): Promise<LoggedTask[]>
  /** Returns the ids of the tasks that run beside its turns. */
  runningTasks(session: string, options?: CallOptions): Promise<string[]>
  /** Returns the end of what a task printed. */
  taskOutput(session: string, task: string, options?: CallOptions): Promise<string>
}

type AgentOperations = {
  /** Returns the slash commands. */
  commands(session: string, options?: CallOptions): Promise<SlashCommand[]>
  /** Returns the models it can use. */
  models(session: string, options?: CallOptions): Promise<ModelInfo[]>
  /** Returns the sub-agents. */
  agents(session: string, options?: CallOptions): Promise<AgentInfo[]>
  /** Returns what fills the context window. */
  context(session: string, options?: CallOptions): Promise<SDKControlGetContextUsageResponse>
  /** Asks a question about the session that leaves no trace in it, also while a turn runs. */
  askAside(session: string, question: string, options?: CallOptions): Promise<SDKControlSideQuestionResponse>
  /** Reads settings, plugins, skills, agents, output styles, and instructions anew. Returns what changed. */
  reload(session: string, options?: CallOptions): Promise<SDKControlReloadResponse>
  /** Returns the MCP servers and how they are. */
  mcpServers(session: string, options?: CallOptions): Promise<McpServerStatus[]>
  /** Connects to an MCP server again. */
  reconnectMcpServer(session: string, name: string, options?: CallOptions): Promise<void>
  /** Turns an MCP server on or off for this session. */
  toggleMcpServer(session: string, name: string, enabled: boolean, options?: CallOptions): Promise<void>
  /** Lists user interfaces of MCP tools (MCP Apps). Empty if the session's agent isn't running. */
  mcpApps(session: string, options?: CallOptions): Promise<McpToolApp[]>
  /** Returns the address of a user interface, for a frame with the attribute `sandbox`. It works once, for a minute. */
  openMcpApp(session: string, app: Pick<McpToolApp, 'server' | 'uri'>, options?: CallOptions): Promise<string>
  /** Calls a tool of a server for its user interface. Rules and users decide, as about calls of the model. */
  callMcpApp(
    session: string,
    call: {
      /** The server, by its name in the configuration. */
      server: string
      /** The tool, by the server's name for it. */
      tool: string
      /** What it's to be called with. */
      arguments: Record<string, unknown>
    },
    options?: CallOptions,
  ): Promise<SDKControlMcpAppCallResponse>
  /** Sends the running command, or all of them, to the background. False: none could be. */
  moveToBackground(session: string, useId?: string, options?: CallOptions): Promise<boolean>
}
