/** What the components of a page show of one client: each session is loaded once, however many of them show it. */
import type { Client, ClientSession, ViewSnapshot } from '../public-client.js'
import { createViewStore, type ReactStore } from './shown-session.js'

export type ShownSessionStore = ReactStore<ViewSnapshot> & { session: ClientSession; isShown(): boolean }

/** Sessions that no component shows stay for the next that does; older ones are loaded again. */
const KEPT = 20

const stores = new WeakMap<Client, Map<string, ShownSessionStore>>()

/** Returns the store of a session. It's connected while components listen to it. */
export function shownSessionStoreOf(client: Client, id: string): ShownSessionStore {
  const all = stores.get(client) ?? new Map<string, ShownSessionStore>()
  stores.set(client, all)
  const known = all.get(id)
  if (known) return known
  const made = createStore(client.session(id), all)
  all.set(id, made)
  return made
}

function createStore(session: ClientSession, all: Map<string, ShownSessionStore>): ShownSessionStore {
  const { read, subscribe } = createViewStore(session.view())
  let listeners = 0
  return {
    session,
    read,
    isShown: () => listeners > 0,
    subscribe(listener) {
      listeners += 1
      const leave = subscribe(listener)
      return () => {
        listeners -= 1
        leave()
        dropOldest(all)
      }
    },
  }
}

function dropOldest(all: Map<string, ShownSessionStore>): void {
  const idle = [...all].filter(([, store]) => !store.isShown())
  for (const [id] of idle.slice(0, Math.max(0, idle.length - KEPT))) all.delete(id)
}
