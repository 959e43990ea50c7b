/** All sessions, and all requests, in a component. */
import { useMemo, useSyncExternalStore } from 'react'
import type {
  AnswerOutcome,
  Ask,
  AskAnswer,
  CallOptions,
  Client,
  LiveState,
  OverviewSnapshot,
  SessionInfo,
} from '../public-client.js'
import { useGivenClient } from './kedge-provider.js'
import type { HookOptions } from './use-session.js'

/** The sessions as a component shows them. */
export type ShownSessions = LiveState & {
  /** Those that changed last first. */
  readonly sessions: readonly SessionInfo[]
  /** Creates a session. Nothing runs before its first prompt. */
  readonly create: Client['create']
  /** Loads the list again, for what another client deleted. */
  readonly refresh: () => void
  /** Connects again after `connection` was `ended`. */
  readonly restart: () => void
}

/** The open requests as a component shows them. */
export type ShownRequests = LiveState & {
  /** Requests that wait for an answer, oldest first. */
  readonly requests: readonly Ask[]
  /** Answers a request of the list. The first answer wins: `already` names the person who gave it. */
  readonly answer: (request: Ask, answer: AskAnswer, options?: CallOptions) => Promise<AnswerOutcome>
  /** Connects again after `connection` was `ended`. */
  readonly restart: () => void
}

/** Options of `useSessions()`. */
export type SessionsOptions = HookOptions & {
  /** Only archived sessions, or (the default) only others. */
  archived?: boolean
}

/** Options of `useRequests()`. */
export type RequestsOptions = HookOptions & {
  /** Only requests of this session. */
  session?: string
}

/** What a server renders, and a browser before the list is loaded. */
const EMPTY: OverviewSnapshot = {
  sessions: [],
  requests: [],
  isReady: false,
  connection: 'connecting',
  error: undefined,
}
const readEmpty = () => EMPTY

/** Returns the sessions of the server, always current. */
export function useSessions({ client: given, archived = false }: SessionsOptions = {}): ShownSessions {
  const client = useGivenClient(given)
  const { value, restart, refresh } = useOverview(client)
  return useMemo(() => {
    const { isReady, connection, error } = value
    const sessions = value.sessions.filter((info) => info.archived === archived)
    return { sessions, isReady, connection, error, create: client.create, refresh, restart }
  }, [client, value, archived, refresh, restart])
}

/** Returns the requests that wait for an answer, of one session or of all, always current. */
export function useRequests({ client: given, session }: RequestsOptions = {}): ShownRequests {
  const client = useGivenClient(given)
  const { value, restart } = useOverview(client)
  return useMemo(() => {
    const { isReady, connection, error } = value
    const requests = value.requests.filter((ask) => session === undefined || ask.session === session)
    const answer: ShownRequests['answer'] = (ask, given, more) => client.answer(ask.session, ask, given, more)
    return { requests, isReady, connection, error, answer, restart }
  }, [client, value, session, restart])
}

function useOverview(client: Client) {
  const overview = client.overview()
  const value = useSyncExternalStore(overview.subscribe, () => overview.value, readEmpty)
  return { value, restart: overview.restart, refresh: overview.refresh }
}
