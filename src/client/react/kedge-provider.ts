/** The client that the hooks below use, unless they are given one. */
import { type Context, createContext, createElement, type ReactElement, type ReactNode, useContext } from 'react'
import type { Client } from '../public-client.js'

const ClientContext: Context<Client | undefined> = createContext<Client | undefined>(undefined)

/** Gives a client to all hooks below it. */
export function KedgeProvider({
  client,
  children,
}: {
  /** What `createClient()` returned. */
  client: Client
  /** The part of the page that may use it. */
  children?: ReactNode
}): ReactElement {
  return createElement(ClientContext.Provider, { value: client }, children)
}

/** Returns the client of the nearest `<KedgeProvider>`. */
export function useClient(): Client {
  return useGivenClient(undefined)
}

/** Returns the given client, or else that of the provider. */
export function useGivenClient(given: Client | undefined): Client {
  const provided = useContext(ClientContext)
  const client = given ?? provided
  if (client) return client
  throw new TypeError(
    'No client: put <KedgeProvider client={createClient(…)}> around it, or pass { client } to the hook.',
  )
}
