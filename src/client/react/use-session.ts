/** One session in a component. */
import { useMemo, useSyncExternalStore } from 'react'
import { EMPTY_VIEW_FACTS } from '../../view/empty-view-facts.js'
import type { Client, ClientSession, SessionStatus, ViewSnapshot } from '../public-client.js'
import { shownSessionStoreOf } from './client-stores.js'
import { useGivenClient } from './kedge-provider.js'

/** What every hook takes. */
export type HookOptions = {
  /** The client, if it isn't that of `<KedgeProvider>`. */
  client?: Client
}

/** A session as a component shows it: the value of its live view, and what can be done. Calls stay the same functions. */
export type ShownSession = ViewSnapshot &
  Pick<ClientSession, 'send' | 'sendLater' | 'interrupt' | 'answer' | 'close'> & {
    /** What it's doing; `undefined` while it isn't loaded. */
    readonly status: SessionStatus | undefined
    /** Everything else that can be done with it. */
    readonly session: ClientSession
    /** Connects again after `connection` was `ended`. */
    readonly restart: () => void
  }

/** What a server renders, and a browser before the session is loaded. */
const EMPTY: ViewSnapshot = {
  items: [],
  facts: EMPTY_VIEW_FACTS,
  requests: [],
  waitingPrompts: [],
  tasks: [],
  todos: [],
  activity: [],
  seq: 0,
  isReady: false,
  connection: 'connecting',
  error: undefined,
}
const readEmpty = () => EMPTY

/** Returns a session, always current. An item that changes is another object, so it can be the prop of a component in `memo()`. */
export function useSession(id: string, { client: given }: HookOptions = {}): ShownSession {
  const client = useGivenClient(given)
  const store = shownSessionStoreOf(client, id)
  const value = useSyncExternalStore(store.subscribe, store.read, readEmpty)
  return useMemo(() => {
    const { session } = store
    const { send, sendLater, interrupt, answer, close } = session
    const status = value.isReady ? value.facts.status : undefined
    return { ...value, status, session, send, sendLater, interrupt, answer, close, restart: session.view().restart }
  }, [store, value])
}
