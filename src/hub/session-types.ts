/** Sessions as callers of the hub see them. */
import type { Options } from '../protocol/options.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import type { SessionStoreEntry } from '../protocol/stored-sessions.js'
import type { Person } from './ask-types.js'
import type { SessionStatus } from './log/entries.js'

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

export type SessionInfo = {
  id: string
  cwd: string
  status: SessionStatus
  title: string | undefined
  mode: PermissionMode | undefined
  model: string | undefined
  effort: string | undefined
  archived: boolean
  costUsd: number
  /** Milliseconds since 1970. */
  lastActivity: number
  /** Open in this hub; others are stored only. */
  isOpen: boolean
  /** Number of the last entry in its log; 0 if there is none. */
  seq: number
  /** Prompts that wait, asks that are open. */
  waiting: number
  asks: number
  error?: string
}

/** A line of a stored conversation; `subpath` names that of a sub-agent. */
export type StoredSessionLine = { subpath?: string; line: SessionStoreEntry }

export type SessionChangeRequest = {
  /** Null takes it away. */
  title?: string | null
  mode?: PermissionMode
  model?: string
  effort?: Effort
  archived?: boolean
  by?: Person
}

export type ListFilter = {
  cwd?: string
  status?: SessionStatus[]
  /** Left out: those that are not archived. */
  archived?: boolean | 'any'
  /** In the title, whatever its case. */
  text?: string
  /** What else has to be true. */
  where?: (info: SessionInfo) => boolean
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
export type RewindRequest = RewindTarget & { what: 'files' | 'conversation' | 'both' }
export type RewindChanges = {
  files: string[]
  insertions: number
  deletions: number
  /** Messages of the conversation that are left behind. */
  messages: number
}
