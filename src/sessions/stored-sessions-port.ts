/** What can be done with stored sessions, wherever they are: on this disk, or in a store of the caller's own. */
import type {
  ForkSessionOptions,
  ForkSessionResult,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ListSessionsOptions,
  SDKSessionInfo,
  SessionMessage,
  SessionStoreEntry,
} from '../protocol/stored-sessions.js'

/** What both places can do; `dir` narrows the search. Ids are checked before. */
export interface StoredSessions {
  list(options: ListSessionsOptions): Promise<SDKSessionInfo[]>
  info(sessionId: string): Promise<SDKSessionInfo | undefined>
  messages(sessionId: string, options: GetSessionMessagesOptions): Promise<SessionMessage[]>
  /** Adds a line; rejects when there is no such session. */
  annotate(sessionId: string, line: SessionStoreEntry): Promise<void>
  /** Puts it away, or takes that back. */
  archive(sessionId: string, archived: boolean): Promise<void>
  fork(sessionId: string, options: ForkSessionOptions): Promise<ForkSessionResult>
  remove(sessionId: string): Promise<void>
  subagents(sessionId: string): Promise<string[]>
  subagentMessages(sessionId: string, agentId: string, options: GetSubagentMessagesOptions): Promise<SessionMessage[]>
}

/** The key of a sub-agent's own transcript, below that of its session. */
export const SUBAGENT_KEY_PATTERN = /^subagents\/agent-([\w-]+)$/
