/** Stored sessions as callers see them: lists, their messages, and a store of the caller's own. */
import type { UUID } from './content.js'

// ── reading what is stored ───────────────────────────────────────────────────

/** A stored session, as a list shows it. */
export type SDKSessionInfo = {
  /** What `resume` takes. */
  sessionId: string
  /** One line to show: the title if it has one, else a summary, else how it began. */
  summary: string
  /** Milliseconds since 1970. */
  lastModified: number
  /** When it began, in milliseconds since 1970. */
  createdAt?: number
  /** Bytes; absent for sessions that aren't files. */
  fileSize?: number
  /** Given with `renameSession()`. */
  customTitle?: string
  /** What the user wrote first. */
  firstPrompt?: string
  /** The branch that was checked out when it was last written to. */
  gitBranch?: string
  /** The folder it works in. */
  cwd?: string
  /** Given with `tagSession()`. */
  tag?: string
  /** By `archiveSession()`; false once a prompt followed, or it was taken back. Absent: it never was, or a store has it. */
  archived?: boolean
}

/** A line of a stored conversation. */
export type SessionMessage = {
  /** The author of the message; `system` marks events such as a compaction. */
  type: 'user' | 'assistant' | 'system'
  /** Names the message, in `forkSession`, `resumeSessionAt` and others. */
  uuid: UUID
  /** The session it belongs to. */
  session_id: string
  /** For `user` and `assistant`, the message as the model API has it. */
  message: unknown
  /** The call that started the sub-agent that said it; null in the main conversation. */
  parent_tool_use_id: string | null
  /** The sub-agent that started the one this belongs to; null at the top. */
  parent_agent_id: string | null
  /** When it was said, in ISO 8601. */
  timestamp?: string
  /** For a `system` line, what it is about, such as `compact_boundary`. */
  subtype?: string
}

/** Where to look for a session. */
export type SessionLookupOptions = {
  /** The working directory the session belongs to. Default: all of them are searched. */
  dir?: string
  /** Look here instead of on disk. */
  sessionStore?: SessionStore
}
type Page = {
  /** How many at most. */
  limit?: number
  /** How many to pass over first. */
  offset?: number
}

/** What `listSessions()` takes. */
export type ListSessionsOptions = SessionLookupOptions &
  Page & {
    /** With `dir`: also the sessions of the other worktrees of its repository. Default: true. */
    includeWorktrees?: boolean
    /** False: without those that a program began. Default: true. */
    includeProgrammatic?: boolean
  }
/** What `getSessionInfo()` takes. */
export type GetSessionInfoOptions = SessionLookupOptions
/** What `getSessionMessages()` takes. */
export type GetSessionMessagesOptions = SessionLookupOptions &
  Page & {
    /** Also lines of type `system`. */
    includeSystemMessages?: boolean
    /** Also what was said before the conversation was summed up. Not in the original. */
    includeCompacted?: boolean
  }
/** What `listSubagents()` takes. */
export type ListSubagentsOptions = SessionLookupOptions
/** What `getSubagentMessages()` takes. */
export type GetSubagentMessagesOptions = SessionLookupOptions & Page

// ── changing what is stored ──────────────────────────────────────────────────

/** Where the session to change is. */
export type SessionMutationOptions = SessionLookupOptions
/** What `forkSession()` takes. */
export type ForkSessionOptions = SessionLookupOptions & {
  /** The last message the copy has. Default: all of them. */
  upToMessageId?: string
  /** A title for the copy. */
  title?: string
}
/** What `forkSession()` gives. */
export type ForkSessionResult = {
  /** The id of the copy. */
  sessionId: string
}
/** What `importSessionToStore()` takes. */
export type ImportSessionToStoreOptions = {
  /** The working directory the session belongs to. Default: all of them are searched. */
  dir?: string
  /** Default: true. */
  includeSubagents?: boolean
  /** Entries of one `append()`. Default: 500. */
  batchSize?: number
}

// ── a store of one's own ─────────────────────────────────────────────────────

/** Names one append-only list of entries: a session, or with `subpath` something that belongs to it, such as a sub-agent. */
export type SessionKey = {
  /** Made from the working directory. */
  projectKey: string
  /** The session. */
  sessionId: string
  /** A part of it, such as a sub-agent's conversation; absent: the session itself. */
  subpath?: string
}

/** A line of a session. Stores keep it as it is, unknown fields too. */
export type SessionStoreEntry = {
  /** The kind of line, as `TranscriptLine` has it. */
  type: string
  /** The id of the line, where it has one: what comes twice is kept once. */
  uuid?: string
  /** When it was written, as an ISO date. */
  timestamp?: string
  [key: string]: unknown
}

/** What a list of sessions can be made from without loading them. */
export type SessionSummaryEntry = {
  /** The session. */
  sessionId: string
  /** When it was changed last, in milliseconds. */
  mtime: number
  /** What was found out so far; only `foldSessionSummary()` reads it. */
  data: Record<string, unknown>
}

/** Where sessions live when not on this disk. The optional methods serve lists, deletion and sub-agents. */
export interface SessionStore {
  /**
   * Adds at the end, in order. An entry whose `uuid` is already there may be skipped. `token` is that of the lease the
   * writer holds: with one that is older than the latest, nothing is added and the promise rejects with an error whose
   * `code` is `session_fenced`.
   */
  append(key: SessionKey, entries: SessionStoreEntry[], token?: number): Promise<void>
  /** All entries in order; `null` when there never were any. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>
  /** The sessions of a project, each with when it was changed last. */
  listSessions?(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>
  /** The same, with the fields that a list shows of each session, so they need not be loaded. */
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>
  /** Without `subpath`: the session with all that belongs to it. */
  delete?(key: SessionKey): Promise<void>
  /** The parts a session has, such as its sub-agents. */
  listSubkeys?(key: {
    /** The project, as the session store names it. */
    projectKey: string
    /** The session. */
    sessionId: string
  }): Promise<string[]>
  /** Lets one program at a time write to a session. Without it, it is up to the callers that no two do. */
  leases?: SessionLeases
}

/** The right to write to a session, for a while. It is for the session as a whole: `key` has no `subpath`. */
export interface SessionLeases {
  /** How long a lease holds without being renewed; three times in that time it is. Default: 30 s. */
  readonly ttlMs?: number
  /** A token that is larger than every one given for this session before; or who holds an unexpired lease. */
  acquire(key: SessionKey, holder: string, ttlMs: number): Promise<{ token: number } | { heldBy: string }>
  /** Renews the lease for this time from now on. False if another owner has the lease by now. */
  renew(key: SessionKey, token: number, ttlMs: number): Promise<boolean>
  /** Ends the lease, so others need not wait for it. Does nothing if another owner has it. */
  release(key: SessionKey, token: number): Promise<void>
}

/** `batched`: entries are handed over several at a time, and all of them before a result; `eager`: each at once. */
export type SessionStoreFlush = 'batched' | 'eager'
