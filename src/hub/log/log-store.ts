/** Where logs are kept: a port, so that many machines can share one place. A log has one writer at a time. */
import type { LogEntry, SerializedLogEntry, SessionStatus } from '../../protocol/session-log/entries.js'

export interface HubStore {
  /** Sessions that have a log (the feed is none), those that changed last first. */
  list(): Promise<StoredLogInfo[]>
  /**
   * Takes the right to write to a log; with `cwd`, one that is not there yet is made. Rejects with `session_in_use` when another
   * process has it, and with `session_not_found`.
   */
  open(place: SessionLogKey): Promise<LogWriter>
  /** Entries after `seq` in order, some at a time; nothing when there is no log. Needs no right to write. */
  read(session: string, after: number): AsyncIterable<readonly LogEntry[]>
  /** Like `read`, for code that forwards entries unchanged, if that is less work. */
  readTexts?(session: string, after: number): AsyncIterable<readonly SerializedLogEntry[]>
  /** A log from elsewhere: the whole of it or nothing, and never over another one (`session_in_use`). */
  receive(place: Required<SessionLogKey>, entries: AsyncIterable<readonly LogEntry[]>): Promise<void>
  /** Removes the log; nothing happens when there is none. */
  remove(session: string): Promise<void>
}

/** `cwd`: the folder the session works in, where that is known. */
export type SessionLogKey = { session: string; cwd?: string | undefined }

export interface LogWriter {
  /** The number of the last entry; 0 in a new log. */
  readonly last: number
  /**
   * Appends all entries or none, in order; they are on disk when it resolves. The first follows the last existing
   * entry. Rejects with `session_fenced` if another process has taken the right to write.
   */
  append(entries: readonly LogEntry[]): Promise<void>
  /** What lists show of it. May be lost in a crash: the log is the truth. */
  summarize(summary: LogSummary): Promise<void>
  /** Others may write now. */
  release(): Promise<void>
}

export type LogSummary = {
  cwd: string
  status: SessionStatus
  title?: string | undefined
  archived: boolean
  costUsd: number
  waiting: number
  /** Asks that are open. */
  asks?: number
  lastTurn?: 'failed' | undefined
  seq: number
  /** True if the writer closed the session after this, so nothing was written since. */
  final?: boolean
}
/** `changed` is in milliseconds since 1970. */
export type StoredLogInfo = { session: string; changed: number; summary?: LogSummary }
