/**
 * What interfaces (server, terminal, ACP agent) work with. `Sessions` is what every hub can do, wherever its agents run;
 * `LocalAgents` needs the agents in this process. The local hub has both, the hub of a cluster only the first: an
 * interface without `LocalAgents` knows by that, and by nothing else, that agents run on other machines.
 */
import { KedgeError } from '../errors.js'
import type { FolderTrust } from '../protocol/folder-settings-types.js'
import type { Options } from '../protocol/options.js'
import type { Query } from '../protocol/query.js'
import type {
  AnswerOutcome,
  Ask,
  AskAnswer,
  CheckOpenAsk,
  InboxFilter,
  InboxPage,
  Person,
} from '../protocol/session-log/ask-types.js'
import type { LogEntry, LogItem, SerializedLogEntry, SessionStatus } from '../protocol/session-log/entries.js'
import type { NewPrompt, Prompt, PromptReceipt } from '../protocol/session-log/prompt-types.js'
import type { SessionMessage } from '../protocol/stored-sessions.js'
import type { NumberedFeedEntry } from './log/feed.js'
import type { LogReadOptions } from './log/session-log.js'
import type { SearchPage, SessionTextSearchQuery } from './search-sessions.js'
import type {
  ListFilter,
  RewindChanges,
  RewindTarget,
  SessionChangeRequest,
  SessionInfo,
  SessionPage,
  SessionSpec,
  StoredSessionLine,
} from './session-types.js'

/** Everything an interface can do with sessions without an agent in this process. */
export type Sessions = SessionCatalog &
  PromptQueue &
  RequestInbox &
  SessionLogs &
  Conversations & { end(): Promise<void> }

/** Which sessions there are, and what applies to each. */
export type SessionCatalog = {
  /** Creates a session. Nothing runs before its first prompt. */
  create(spec: SessionSpec): Promise<SessionInfo>
  /**
   * Stores a log that came from another server, under a free id; `then` adds the conversation, and if it throws, the
   * log is removed too. The log must not contain anything open: it would be resumed.
   */
  receive(
    session: string,
    cwd: string,
    entries: AsyncIterable<readonly LogEntry[]>,
    then: () => void,
  ): Promise<SessionInfo>
  /** Opens a stored session; nothing runs before its next prompt. `options` are for its agent from then on. */
  open(session: string, options?: Options): Promise<SessionInfo>
  info(session: string): Promise<SessionInfo>
  /** Lists sessions, those that changed last first. */
  list(filter?: ListFilter): Promise<SessionPage>
  /** Searches the text of all sessions. */
  search(query: SessionTextSearchQuery): Promise<SearchPage>
  /** Returns the folder a session works in; undefined if there is no such session. */
  folderOf(session: string): Promise<string | undefined>
  /** Rejects with `session_in_use` if a session has this id. */
  mustBeFree(session: string): Promise<void>
  change(session: string, change: SessionChangeRequest): Promise<SessionInfo>
  /** Gives its agent other options. An idle agent ends, and the next prompt starts another with them. */
  use(session: string, options: Options): Promise<void>
  /** Copies a session, whole or up to a message. */
  fork(session: string, at?: { message: string }, options?: Options): Promise<SessionInfo>
  /** Ends its agent. The session stays stored. */
  close(session: string): Promise<void>
  /** Removes it with all that belongs to it. Does nothing when there is none. */
  delete(session: string): Promise<void>
}

/** What a session is to do, in which order, and what it is doing. */
export type PromptQueue = {
  send(session: string, prompt: NewPrompt): Promise<PromptReceipt>
  /** Returns the prompts that wait, in order. */
  queue(session: string): Promise<Prompt[]>
  removePrompt(session: string, id: string, by?: Person): Promise<void>
  reorder(session: string, order: string[]): Promise<void>
  interrupt(session: string, scope?: 'turn' | 'all' | { task: string }): Promise<void>
  /** Resumes prompts that have waited since before the process began, or since an error. */
  resumeTurn(session: string): Promise<void>
  /** Returns the ids of the tasks that run beside its turns. */
  runningTasks(session: string): Promise<string[]>
}

/** The requests that wait for a person. */
export type RequestInbox = {
  /** Returns the open ones, oldest first: of one session, or of all. */
  asks(of?: { session?: string }): Promise<Ask[]>
  /** Lists open requests in pages, oldest first. */
  listAsks(filter?: InboxFilter): Promise<InboxPage>
  /** `check` throws if this caller can't give the answer. */
  answer(session: string, ask: string, answer: AskAnswer, by: Person, check?: CheckOpenAsk): Promise<AnswerOutcome>
}

/** The numbered entries of each session, and of `all` sessions together, which have numbers of their own. */
export type SessionLogs = {
  /** Yields everything after a number, then new items. */
  read(session: 'all', options?: LogReadOptions): AsyncGenerator<NumberedFeedEntry, void>
  read(session: string, options?: LogReadOptions): AsyncGenerator<LogItem, void>
  /** The same of one session, as many at a time as there are. */
  readSome(session: string, options?: LogReadOptions): AsyncGenerator<readonly LogItem[], void>
  /** Like `readSome`, for callers that only forward the items: old entries can come as text. */
  readTexts(session: string, options?: LogReadOptions): AsyncGenerator<readonly (LogItem | SerializedLogEntry)[], void>
  /** Yields the stored entries after a number, some at a time, and opens nothing. */
  stored(session: string, after: number): AsyncIterable<readonly LogEntry[]>
  /** Returns the number of the last entry, of a session or (left out) of all. */
  last(session?: string): Promise<number>
}

/** What was said, as it is stored. */
export type Conversations = {
  /** Returns the conversation without what a rewind left behind. */
  messages(session: string): Promise<SessionMessage[]>
  /** The same with what was said before it was summarized, and with the marks of that. */
  history(session: string): Promise<SessionMessage[]>
  /** Returns what its sub-agents said, by the id of the tool call that started each. */
  agentMessages(session: string): Promise<Map<string, SessionMessage[]>>
  /** Returns every stored line, those of sub-agents too: for taking the conversation to another server. */
  storedLines(session: string): Promise<StoredSessionLine[]>
  /** Goes back to before a message, and leaves files as they are. `rewindAsRequested` does both. */
  rewindConversation(session: string, to: RewindTarget): Promise<RewindChanges>
}

/** What needs the agents, or their files, in this process. */
export type LocalAgents = {
  /** Returns a session's agent, and starts it if none runs: commands, models, account, MCP servers, context. */
  agent(session: string): Promise<Query>
  /** Makes these the only MCP servers of a running agent beside those of settings files. */
  setMcpServers(session: string, servers: NonNullable<Options['mcpServers']>): Promise<void>
  /** Puts files back to what they were at a message. */
  rewindFiles(session: string, to: RewindTarget): Promise<RewindChanges>
  /** Returns what configuration a folder brings, and whether its user trusts it. An interface asks a user who does not. */
  folderTrust(cwd: string): Promise<FolderTrust>
  trustFolder(cwd: string): Promise<{ isRemembered: boolean; reason?: string }>
} & OpenSessions

/** Sessions that this process holds in memory. */
export type OpenSessions = {
  /** How many are open. */
  readonly size: number
  statuses(): Promise<SessionStatus[]>
  isOpen(session: string): boolean
  /** Closes a session in which nothing runs or waits; false: something does. */
  closeIfIdle(session: string): Promise<boolean>
  /** Restores what an earlier process left: open requests and waiting prompts. */
  recover(): Promise<void>
  /** From now on `read('all')` works, also for sessions that are open already. */
  openFeed(): Promise<void>
}

/** A hub whose agents run in this process. */
export type LocalHub = Sessions & LocalAgents

const NO_AGENT = `A cluster node can't list commands, models, or MCP servers. The session's app defines them (defineApp).`

/** Throws `not_on_cluster` where agents run on other machines; `reason` says what that means for what was asked. */
export function requireLocalAgents(agents: LocalAgents | undefined, reason: string = NO_AGENT): LocalAgents {
  if (agents) return agents
  throw new KedgeError('not_on_cluster', reason)
}
