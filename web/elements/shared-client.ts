/** Elements that use one server with one token share a client, and each session is loaded once, however many of them show it. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { createClient } from '../../src/client/create-client.js'
import { createOutboxSignal } from '../state/outbox.js'
import type { Client, OutgoingPrompt, SignedInCaller } from '../state/server-types.js'
import { createBrowserStorage, toClientStorage } from '../state/stored.js'
import { type WatchedSession, watchSession } from '../state/watched-session.js'
import type { KedgeElementProps } from './element-types.js'

/** A client, with what elements know of its server. */
export type SharedClient = {
  client: Client
  me: ReadonlySignal<SignedInCaller | undefined>
  outbox: ReadonlySignal<readonly OutgoingPrompt[]>
  /** Asks the server once who the caller is. */
  loadCaller(): void
  /** Returns a session, and what to call when it isn't shown any more. */
  acquireSession(id: string): { session: WatchedSession; release(): void }
}

const shared = new WeakMap<Client, SharedClient>()

export function findOrCreateSharedClient(client: Client): SharedClient {
  const known = shared.get(client) ?? createSharedClient(client)
  shared.set(client, known)
  return known
}

function createSharedClient(client: Client): SharedClient {
  const me = signal<SignedInCaller | undefined>(undefined)
  let isLoading = false
  const sessions = new Map<string, { session: WatchedSession; users: number }>()
  return {
    client,
    me,
    outbox: createOutboxSignal(client),
    loadCaller() {
      if (me.value || isLoading) return
      isLoading = true
      const take = (caller: SignedInCaller) => {
        me.value = caller
      }
      // The stream of the element shows what is wrong.
      void client
        .me()
        .then(take, () => {})
        .finally(() => {
          isLoading = false
        })
    },
    acquireSession(id) {
      const known = sessions.get(id) ?? { session: watchSession(client, id), users: 0 }
      sessions.set(id, known)
      known.users += 1
      return {
        session: known.session,
        release() {
          known.users -= 1
          if (known.users > 0) return
          known.session.close()
          sessions.delete(id)
        },
      }
    },
  }
}

/** `release` is called when it isn't used any more. */
export type AcquiredClient = { client: Client; release(): void }

type ServerAddress = Pick<KedgeElementProps, 'server' | 'token'>
type MadeClient = ServerAddress & { client: Client; users: number }

let made: readonly MadeClient[] = []

/** Returns the client for an address and a token. */
export function acquireClient({ server, token }: ServerAddress): AcquiredClient {
  const known = made.find((one) => one.server === server && one.token === token) ?? makeClient({ server, token })
  if (!made.includes(known)) made = [...made, known]
  known.users += 1
  return {
    client: known.client,
    release() {
      known.users -= 1
      // It isn't ended: prompts of its outbox can still be on their way.
      if (known.users === 0) made = made.filter((one) => one !== known)
    },
  }
}

function makeClient({ server, token }: ServerAddress): MadeClient {
  const url = addressOf(server)
  const storage = toClientStorage(createBrowserStorage(() => sessionStorage, `kedge:${url ?? ''}:`))
  const client = createClient({ storage, ...(url === undefined ? {} : { url }), ...(token ? { token } : {}) })
  client.outbox.resume()
  return { server, token, client, users: 0 }
}

/** A path is one of the page's own server. */
function addressOf(server: string): string | undefined {
  if (server === '') return undefined
  return URL.canParse(server, document.baseURI) ? new URL(server, document.baseURI).href : server
}
