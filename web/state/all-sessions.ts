/** Every session with what it does, and everything that waits for a person: one stream, and a cursor in it. */
import { batch, computed, signal } from '@preact/signals'
import { ForbiddenError, UnauthorizedError } from '../../src/client/client-errors.js'
import type { ConnectionState } from '../../src/client/client-types.js'
import { sessionInfoAfterEntry } from '../../src/client/session-after.js'
import { serverClient } from './server.js'
import type { Ask, LogEntry, NumberedFeedEntry, SessionInfo, SignedInCaller } from './server-types.js'

export const me = signal<SignedInCaller | undefined>(undefined)
/** Sessions run on other machines: what only their agents and files could tell is left out. */
export const isCluster = computed(() => me.value?.isCluster === true)
/** True while no user is signed in. */
export const isSignedOut = signal(false)
export const connectionState = signal<ConnectionState>('connecting')
export const sessions = signal<ReadonlyMap<string, SessionInfo>>(new Map())
export const asks = signal<ReadonlyMap<string, Ask>>(new Map())
export const areSessionsLoaded = signal(false)
/** Asks that came while the web app was open, for notifications. */
export const latestAsk = signal<Ask | undefined>(undefined)
/** Turns that ended in sessions. */
export const latestEndedTurn = signal<{ session: string; isError: boolean; at: string } | undefined>(undefined)

export const inbox = computed(() => [...asks.value.values()].sort((a, b) => (a.since < b.since ? -1 : 1)))

/** Returns the session's state: `error` if it rests after a failed turn. */
export function readStatusWithFailure({
  status,
  lastTurn,
}: Pick<SessionInfo, 'status' | 'lastTurn'>): SessionInfo['status'] {
  return lastTurn === 'failed' && (status === 'idle' || status === 'done') ? 'error' : status
}

let cursor = 0
let refreshing: Promise<void> | undefined

/** Throws if no user is signed in. */
export async function loadAndFollowSessions(): Promise<void> {
  me.value = await serverClient.me()
  isSignedOut.value = false
  await refreshSessionsAndAsks()
  void follow()
  document.addEventListener('visibilitychange', () => {
    // What was deleted elsewhere is in no stream.
    if (document.visibilityState === 'visible') void refreshSessionsAndAsks().catch(() => {})
  })
}

async function follow(): Promise<void> {
  const onState = (state: ConnectionState) => {
    connectionState.value = state
  }
  try {
    for await (const entries of serverClient.readAll({ after: cursor, onState })) take(entries)
  } catch (error) {
    onState('lost')
    if (error instanceof UnauthorizedError || error instanceof ForbiddenError) isSignedOut.value = true
    // The log isn't the one the cursor was of: start over.
    else location.reload()
  }
}

export function refreshSessionsAndAsks(): Promise<void> {
  refreshing ??= load().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function load(): Promise<void> {
  const before = asks.value
  const [listed, archived, open] = await Promise.all([
    serverClient.list({ limit: 500 }),
    serverClient.list({ limit: 100, archived: true }),
    serverClient.asks(),
  ])
  batch(() => {
    if (cursor === 0) cursor = listed.last
    const all = [...listed.sessions, ...archived.sessions]
    // A later entry may have come while this was on its way.
    const newer = (info: SessionInfo) => {
      const known = sessions.value.get(info.id)
      return known && known.seq > info.seq ? known : info
    }
    sessions.value = new Map(all.map((info) => [info.id, newer(info)]))
    // And asks may have come or gone.
    const came = [...asks.value.values()].filter(({ id }) => !before.has(id))
    const isGone = (id: string) => before.has(id) && !asks.value.has(id)
    const still = [...open.filter(({ id }) => !isGone(id)), ...came]
    asks.value = new Map(still.map((ask) => [ask.id, ask]))
    areSessionsLoaded.value = true
  })
}

/** The session as it is after a change that this page made. */
export function replaceSessionInList(info: SessionInfo): void {
  sessions.value = new Map([...sessions.value, [info.id, info]])
}

export function removeSessionFromList(id: string): void {
  batch(() => {
    sessions.value = new Map([...sessions.value].filter(([one]) => one !== id))
    asks.value = new Map([...asks.value].filter(([, ask]) => ask.session !== id))
  })
}

export function removeAskFromList(id: string): void {
  if (asks.value.has(id)) asks.value = new Map([...asks.value].filter(([one]) => one !== id))
}

function take(items: readonly NumberedFeedEntry[]): void {
  batch(() => {
    const known = new Map(sessions.value)
    for (const item of items) {
      const info = known.get(item.session)
      if (!info) {
        early.set(item.session, [...(early.get(item.session) ?? []), item])
        void fetchOne(item.session)
      } else if (item.seq > info.seq) {
        known.set(item.session, sessionInfoAfterEntry(info, item))
        // One between them was lost on its way.
        if (item.seq > info.seq + 1) void fetchOne(item.session)
      }
      noteAsk(item)
    }
    sessions.value = known
  })
}

/** Entries that arrive while their session is being fetched, because the response might not include them. */
const early = new Map<string, LogEntry[]>()
const fetching = new Map<string, Promise<void>>()

/** Fetches a session once, even if several entries refer to it meanwhile. */
function fetchOne(id: string): Promise<void> {
  const one =
    fetching.get(id) ??
    serverClient
      .info(id)
      .then(
        (info) => {
          const found = (early.get(id) ?? []).reduce(
            (now, entry) => (entry.seq > now.seq ? sessionInfoAfterEntry(now, entry) : now),
            info,
          )
          if (found.seq >= (sessions.value.get(id)?.seq ?? 0)) replaceSessionInList(found)
        },
        () => {},
      )
      .finally(() => {
        fetching.delete(id)
        early.delete(id)
      })
  fetching.set(id, one)
  return one
}

function noteAsk(entry: LogEntry): void {
  if (entry.kind === 'ask') {
    const { data: ask } = entry
    asks.value = new Map([...asks.value, [ask.id, ask]])
    // Readers of the ask also need its session.
    const known = sessions.value.has(ask.session) ? Promise.resolve() : fetchOne(ask.session)
    void known.then(() => {
      latestAsk.value = ask
    })
  } else if (entry.kind === 'answered' || entry.kind === 'withdrawn') removeAskFromList(entry.data.ask)
  else if (entry.kind === 'message' && entry.data.type === 'result')
    latestEndedTurn.value = { session: entry.session, isError: entry.data.is_error, at: entry.at }
}
