/** All sessions and all open requests, always current: one stream over everything, and a cursor in it. */

import type { NumberedFeedEntry } from '../hub/log/feed.js'
import type { SessionInfo } from '../hub/session-types.js'
import { firstAbort } from '../platform/first-abort.js'
import type { Ask } from '../protocol/session-log/ask-types.js'
import type { LogEntry } from '../protocol/session-log/entries.js'
import { NotFoundError } from './client-errors.js'
import type { CallOptions, ReadOptions } from './client-types.js'
import { createLiveValue, type LiveState, type LiveValue } from './live-value.js'
import { sessionInfoAfterEntry } from './session-after.js'
import { type Backoff, onPageWake } from './wait-and-wake.js'

/** The sessions and requests at a moment. A later one is another object. */
export type OverviewSnapshot = LiveState & {
  /** Sessions, those that changed last first: 500 that are open for work, and 100 of the archive. */
  readonly sessions: readonly SessionInfo[]
  /** Requests that wait for an answer, oldest first. */
  readonly requests: readonly Ask[]
}

/** All sessions and all open requests, always current. It's connected while it has listeners. */
export type LiveOverview = LiveValue<OverviewSnapshot, []> & {
  /** Loads the list again. What another client deleted is in no stream; a page does this when it's seen again. */
  refresh(): void
}

export type OverviewPorts = {
  backoff: Backoff
  list(
    filter: { limit: number; archived?: true },
    options: CallOptions,
  ): Promise<{ sessions: SessionInfo[]; last: number }>
  info(session: string, options: CallOptions): Promise<SessionInfo>
  asks(of: undefined, options: CallOptions): Promise<Ask[]>
  readAll(options: ReadOptions): AsyncGenerator<readonly NumberedFeedEntry[], void>
}

type Known = { sessions: ReadonlyMap<string, SessionInfo>; requests: ReadonlyMap<string, Ask> }

const NOTHING: Known = { sessions: new Map(), requests: new Map() }

export function createLiveOverview(ports: OverviewPorts): LiveOverview {
  let known = NOTHING
  /** The last load and the stream after it. */
  let round: AbortController | undefined
  /** Entries of sessions that are being fetched: the response might not include them. */
  const early = new Map<string, LogEntry[]>()

  const setSession = (id: string, info: SessionInfo | undefined) => {
    const sessions = new Map(known.sessions)
    if (info) sessions.set(id, info)
    else sessions.delete(id)
    known = { ...known, sessions }
  }
  const fetchOne = async (id: string, signal: AbortSignal) => {
    const info = await ports.info(id, { signal }).catch((error: unknown) => {
      // Anything else shows in the stream too.
      return error instanceof NotFoundError ? undefined : known.sessions.get(id)
    })
    if (signal.aborted) return
    const later = (early.get(id) ?? []).filter(({ seq }) => info && seq > info.seq)
    early.delete(id)
    setSession(id, info && later.reduce(sessionInfoAfterEntry, info))
    source.tell()
  }
  const take = (entry: NumberedFeedEntry, signal: AbortSignal) => {
    known = { ...known, requests: requestsAfter(known.requests, entry) }
    const info = known.sessions.get(entry.session)
    const waiting = early.get(entry.session)
    if (waiting) waiting.push(entry)
    else if (!info || entry.seq > info.seq + 1) {
      early.set(entry.session, [entry])
      void fetchOne(entry.session, signal)
    }
    if (info && entry.seq > info.seq) setSession(info.id, sessionInfoAfterEntry(info, entry))
  }
  /** Returns the number that the stream continues after. */
  const load = async (signal: AbortSignal) => {
    const current = await ports.list({ limit: 500 }, { signal })
    // Later than the number: an entry that comes after it was counted already, or is still to be.
    const [archived, open] = await Promise.all([
      ports.list({ limit: 100, archived: true }, { signal }),
      ports.asks(undefined, { signal }),
    ])
    signal.throwIfAborted()
    early.clear()
    known = {
      sessions: new Map([...current.sessions, ...archived.sessions].map((info) => [info.id, info])),
      requests: new Map(open.map((ask) => [ask.id, ask])),
    }
    source.setState({ isReady: true })
    source.tell()
    return current.last
  }
  const followOnce = async (signal: AbortSignal) => {
    const onState: ReadOptions['onState'] = (connection, error) => {
      // A list that is loaded again was live all the time.
      if (connection === 'connecting' || signal.aborted) return
      source.setState({ connection, error })
      source.tell()
    }
    for await (const entries of ports.readAll({ after: await load(signal), signal, onState })) {
      source.heard()
      for (const entry of entries) take(entry, signal)
      source.tell()
    }
  }
  const refresh = () => round?.abort(REFRESHED)
  const follow = async (signal: AbortSignal) => {
    const unlisten = onPageWake(refresh)
    try {
      for (let isAgain = true; isAgain; ) {
        round = new AbortController()
        const both = firstAbort([signal, round.signal])
        await followOnce(both.signal).catch((error: unknown) => {
          if (signal.aborted || !both.signal.aborted) throw error
        })
        both.release()
        isAgain = round.signal.aborted && !signal.aborted
      }
    } finally {
      unlisten()
    }
  }
  const forget = () => {
    known = NOTHING
    source.tell()
  }
  const source = createLiveValue<OverviewSnapshot, []>(
    { backoff: ports.backoff, snapshot: (state) => ({ ...listed(known), ...state }), follow, forget },
    [],
  )
  const { live } = source
  return Object.assign(live, { refresh })
}

const REFRESHED = new Error('The list is loaded again.')

function requestsAfter(requests: Known['requests'], entry: NumberedFeedEntry): Known['requests'] {
  const next = new Map(requests)
  if (entry.kind === 'ask') next.set(entry.data.id, entry.data)
  else if (entry.kind === 'answered' || entry.kind === 'withdrawn') next.delete(entry.data.ask)
  else return requests
  return next
}

function listed({ sessions, requests }: Known): Pick<OverviewSnapshot, 'sessions' | 'requests'> {
  return {
    sessions: [...sessions.values()].sort((a, b) => b.lastActivity - a.lastActivity),
    requests: [...requests.values()].sort((a, b) => (a.since < b.since ? -1 : 1)),
  }
}
