/** What the terminal needs from a session and its backend: the hub of this process, or a remote server. */

import type { RewindChanges, RewindRequest, SessionChangeRequest, SessionInfo } from '../../hub/session-types.js'
import type { SDKControlGetContextUsageResponse } from '../../protocol/control.js'
import type { FolderTrust } from '../../protocol/folder-settings-types.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import type { AgentInfo, ModelInfo, Options, SlashCommand } from '../../protocol/options.js'
import type {
  SDKControlReloadResponse,
  SDKControlSideQuestionResponse,
} from '../../protocol/requests/session-answers.js'
import type { AnswerOutcome, AskAnswer } from '../../protocol/session-log/ask-types.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import type { NewPrompt } from '../../protocol/session-log/prompt-types.js'
import type { SessionMessage } from '../../protocol/stored-sessions.js'

export type SessionClient = {
  readonly id: string
  readonly cwd: string
  info(): Promise<SessionInfo>
  read(after: number, signal: AbortSignal): AsyncIterable<LogItem>
  send(prompt: NewPrompt): Promise<void>
  removePrompt(id: string): Promise<void>
  interrupt(scope: 'turn' | 'all' | { task: string }): Promise<void>
  answer(ask: string, answer: AskAnswer): Promise<AnswerOutcome>
  change(change: SessionChangeRequest): Promise<void>
  rewind(to: RewindRequest): Promise<RewindChanges>
  /** What was said, as it is stored: all of it, or only what was said before the log begins. */
  stored(): Promise<{ messages: SessionMessage[]; isWhole: boolean }>
  commands(): Promise<SlashCommand[]>
  models(): Promise<ModelInfo[]>
  agents(): Promise<AgentInfo[]>
  context(): Promise<SDKControlGetContextUsageResponse>
  /** A question that leaves no trace in the session. */
  ask(question: string): Promise<SDKControlSideQuestionResponse>
  /** Reads files anew that the session began with. */
  reload(): Promise<SDKControlReloadResponse>
  servers(): Promise<McpServerStatus[]>
  reconnectServer(name: string): Promise<void>
  toggleServer(name: string, isOn: boolean): Promise<void>
  /** Sends the running command to the background; false: none could be. */
  background(call?: string): Promise<boolean>
  /** The end of what a task printed; `file` is where, if that is known. */
  taskOutput(task: string, file: string | undefined): Promise<string>
}

export type SessionBackend = {
  /** On another machine, or in another process: files and commands here are not the session's. */
  readonly isRemote: boolean
  list(): Promise<SessionInfo[]>
  create(options: { cwd: string; settings: Options }): Promise<SessionClient>
  open(id: string, settings?: Options): Promise<SessionClient>
  fork(id: string): Promise<SessionClient>
  /** Other settings for its agent, from its next start on. */
  use(id: string, settings: Options): Promise<void>
  folderTrust(cwd: string): Promise<FolderTrust>
  trustFolder(cwd: string): Promise<{ isRemembered: boolean; reason?: string }>
  /** Removes a session in which nothing was said. */
  forget(id: string): Promise<void>
  /** Lets the session go. */
  leave(id: string): Promise<void>
  end(): Promise<void>
}
