/** Sessions as callers of the hub see them. */
import type { Options } from '../protocol/options.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import type { Person } from '../protocol/session-log/ask-types.js'
import type { SessionStatus } from '../protocol/session-log/entries.js'
import type { SessionStoreEntry } from '../protocol/stored-sessions.js'

/** A session to begin. `options` are for its agent; they are not stored, and may be given again when it is opened. */
export type SessionSpec = {
  /** A UUID; made up if not given. */
  id?: string
  cwd: string
  title?: string
  mode?: PermissionMode
  model?: string
  effort?: Effort
  options?: Options
}
export type Effort = NonNullable<Options['effort']>

/** A session as lists show it. */
export type SessionInfo = {
  /** Its id, a UUID. */
  id: string
  /** The folder it works in. */
  cwd: string
  /** What it's doing. */
  status: SessionStatus
  /** Undefined until it has one. */
  title: string | undefined
  /** The permission mode; undefined until it was chosen. */
  mode: PermissionMode | undefined
  /** The model; undefined until it was chosen. */
  model: string | undefined
  /** The effort the model is asked for; undefined until it was chosen. */
  effort: string | undefined
  /** Put away: lists leave it out. */
  archived: boolean
  /** What it has cost so far. */
  costUsd: number
  /** Milliseconds since 1970. */
  lastActivity: number
  /** Open in this hub; others are stored only. */
  isOpen: boolean
  /** Number of the last entry in its log; 0 if there is none. */
  seq: number
  /** How many prompts wait. */
  waiting: number
  /** How many requests are open. */
  asks: number
  /** Why it can't continue. */
  error?: string
  /** `failed`: its last turn ended with an error that no user caused. Absent: it didn't, or there was none. */
  lastTurn?: 'failed'
}

/** A line of a stored conversation; `subpath` names that of a sub-agent. */
export type StoredSessionLine = { subpath?: string; line: SessionStoreEntry }

/** What to change about a session. What is left out stays. */
export type SessionChangeRequest = {
  /** Null takes it away. */
  title?: string | null
  /** The permission mode. */
  mode?: PermissionMode
  /** The model, from the next request on. */
  model?: string
  /** The effort the model is asked for. */
  effort?: Effort
  /** Put it away, or back. */
  archived?: boolean
  /** The person who changes it. */
  by?: Person
}

export type ListFilter = {
  /** Those that work in this folder. */
  cwd?: string
  /** Those that are doing one of these. */
  status?: SessionStatus[]
  /** Left out: those that are not archived. */
  archived?: boolean | 'any'
  /** In the title, whatever its case. */
  text?: string
  /** What else has to be true. */
  where?: (info: SessionInfo) => boolean
  /** How many sessions a page has at most. */
  limit?: number
  /** `next` of the page before. */
  cursor?: string
}
export type SessionPage = { sessions: SessionInfo[]; next?: string }

export type RewindTarget = {
  /** The `uuid` of a user message: everything from it on is undone. */
  message: string
  /** Only say what would be undone. */
  dryRun?: boolean
}
/** What to undo, and back to where. */
export type RewindRequest = RewindTarget & {
  /** The files, the conversation, or both. */
  what: 'files' | 'conversation' | 'both'
}

/** What a rewind changed, or would change. */
export type RewindChanges = {
  /** The files, with their whole paths. */
  files: string[]
  /** Lines that it adds. */
  insertions: number
  /** Lines that it removes. */
  deletions: number
  /** Messages of the conversation that are left behind. */
  messages: number
}
