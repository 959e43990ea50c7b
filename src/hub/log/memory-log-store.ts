/** Logs in memory: for tests, and for hubs that are to leave nothing behind. */
import { KedgeError } from '../../errors.js'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { FEED_LOG_NAME } from './feed.js'
import type { HubStore, LogSummary } from './log-store.js'

type Log = { entries: LogEntry[]; epoch: number; held: boolean; changed: number; summary?: LogSummary }

export function memoryLogStore(now: () => number): HubStore {
  const logs = new Map<string, Log>()
  return {
    async list() {
      const all = [...logs]
        .filter(([session]) => session !== FEED_LOG_NAME)
        .map(([session, { changed, summary }]) => ({
          session,
          changed,
          ...(summary ? { summary } : {}),
        }))
      return all.sort((a, b) => b.changed - a.changed)
    },
    async open({ session, cwd }) {
      const log = logs.get(session) ?? { entries: [], epoch: 0, held: false, changed: now() }
      if (log.held) throw new KedgeError('session_in_use', `Session ${session} is open already.`)
      if (cwd === undefined && !logs.has(session)) throw sessionNotFoundError(session)
      logs.set(session, log)
      log.held = true
      log.epoch += 1
      const { epoch } = log
      return {
        get last() {
          return log.entries.length
        },
        async append(entries) {
          if (log.epoch !== epoch || !log.held || logs.get(session) !== log) throw fencedError(session)
          log.entries.push(...entries)
          log.changed = now()
        },
        async summarize(summary) {
          log.summary = summary
        },
        async release() {
          if (log.epoch === epoch) log.held = false
        },
      }
    },
    async *read(session, after) {
      const entries = logs.get(session)?.entries ?? []
      if (entries.length > after) yield entries.slice(after)
    },
    async receive({ session }, given) {
      const entries: LogEntry[] = []
      for await (const some of given) entries.push(...some)
      if (logs.has(session)) throw sessionInUseError(session)
      logs.set(session, { entries, epoch: 0, held: false, changed: now() })
    },
    async remove(session) {
      logs.delete(session)
    },
  }
}

export function sessionInUseError(session: string): KedgeError {
  return new KedgeError('session_in_use', `There is a session ${session} already.`)
}

export function fencedError(session: string): KedgeError {
  return new KedgeError('session_fenced', `Another process writes the log of session ${session} now.`)
}

export function sessionNotFoundError(session: string): KedgeError {
  return new KedgeError('session_not_found', `There is no session ${session}.`)
}
