/** A session in a list after an entry of its log: the same fold as the hub's own. */

import type { SessionInfo } from '../hub/session-types.js'
import type { LogEntry } from '../protocol/session-log/entries.js'
import { failedTurnMark } from '../protocol/session-log/turn-outcome.js'

export function sessionInfoAfterEntry(info: SessionInfo, entry: LogEntry): SessionInfo {
  const next = { ...info, seq: entry.seq, lastActivity: Date.parse(entry.at) }
  if (entry.kind === 'ask') next.asks += 1
  if (entry.kind === 'answered' || entry.kind === 'withdrawn') next.asks = Math.max(0, next.asks - 1)
  if (entry.kind === 'prompt' && entry.data.change === 'queued') next.waiting += 1
  if (entry.kind === 'prompt' && (entry.data.change === 'started' || entry.data.change === 'removed'))
    next.waiting = Math.max(0, next.waiting - 1)
  if (entry.kind === 'prompt' && entry.data.change === 'started') delete next.lastTurn
  if (entry.kind === 'message' && entry.data.type === 'result') {
    next.costUsd = entry.data.session_total_cost_usd ?? entry.data.total_cost_usd
    const mark = failedTurnMark(entry.data)
    if (mark) next.lastTurn = mark
    else delete next.lastTurn
  }
  if (entry.kind !== 'state') return next
  const { title, error, by: _, rewound: _rewound, cwd: _cwd, ...change } = entry.data
  Object.assign(next, change)
  if (title !== undefined) next.title = title ?? undefined
  if (error === null) delete next.error
  else if (error !== undefined) next.error = error
  return next
}
