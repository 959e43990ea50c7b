/** One list of all sessions: open here, with a log, or only a transcript. Pure. */
import type { SDKSessionInfo } from '../protocol/stored-sessions.js'
import type { StoredLogInfo } from './log/log-store.js'
import type { ListFilter, SessionInfo, SessionPage } from './session-types.js'

/** Those that changed last first. */
export function mergeSessionLists(stored: SDKSessionInfo[], logs: StoredLogInfo[], open: SessionInfo[]): SessionInfo[] {
  const sessions = new Map<string, SessionInfo>()
  for (const { session, changed, summary } of logs) {
    if (summary) sessions.set(session, fromLog(session, changed, summary))
  }
  for (const info of stored) {
    const known = sessions.get(info.sessionId)
    const title = known?.title ?? info.customTitle ?? info.summary
    const lastActivity = Math.max(info.lastModified, known?.lastActivity ?? 0)
    sessions.set(info.sessionId, { ...(known ?? fromTranscript(info)), title, lastActivity })
  }
  for (const info of open) sessions.set(info.id, info)
  return [...sessions.values()].sort((a, b) => b.lastActivity - a.lastActivity || (a.id < b.id ? -1 : 1))
}

/**
 * Returns one page of sessions. A page starts after the last session of the previous one, which keeps its place unless
 * it changes.
 */
export function pageOfSessions(sessions: SessionInfo[], filter: ListFilter): SessionPage {
  const { cwd, status, archived = false, text, where, limit = 100, cursor } = filter
  const fits = (info: SessionInfo) =>
    (cwd === undefined || info.cwd === cwd) &&
    (status === undefined || status.includes(info.status)) &&
    (archived === 'any' || info.archived === archived) &&
    (text === undefined || (info.title ?? '').toLowerCase().includes(text.toLowerCase())) &&
    (where === undefined || where(info))
  const all = sessions.filter(fits)
  const start = cursor === undefined ? 0 : all.findIndex((info) => isBehind(info, cursor))
  const some = start < 0 ? [] : all.slice(start, start + limit)
  const last = some.at(-1)
  return { sessions: some, ...(last && all.at(-1) !== last ? { next: `${last.lastActivity} ${last.id}` } : {}) }
}

function isBehind({ lastActivity, id }: SessionInfo, cursor: string): boolean {
  const [at = '', session = ''] = cursor.split(' ')
  return lastActivity < Number(at) || (lastActivity === Number(at) && id > session)
}

const UNKNOWN = { mode: undefined, model: undefined, effort: undefined, isOpen: false, asks: 0 }

function fromLog(id: string, changed: number, summary: NonNullable<StoredLogInfo['summary']>): SessionInfo {
  const { cwd, status, title, archived, costUsd, waiting, seq, lastTurn } = summary
  // No agent runs it here. If another process runs it, opening it reports that.
  const resting = status === 'running' || status === 'needs-you' ? 'idle' : status
  const fields = { id, cwd, status: resting, title, archived, costUsd, waiting, seq, lastActivity: changed }
  return { ...UNKNOWN, ...fields, ...(lastTurn && { lastTurn }) }
}

function fromTranscript({ sessionId, cwd = '', lastModified }: SDKSessionInfo): SessionInfo {
  const nothing = { title: undefined, archived: false, costUsd: 0, waiting: 0, seq: 0 }
  return { ...UNKNOWN, ...nothing, id: sessionId, cwd, status: 'done', lastActivity: lastModified }
}
