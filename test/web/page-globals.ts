/** What code of the page takes from a browser, over Node's own sockets: for logic that needs no document. */
import { WebSocket as NodeSocket } from 'ws'

export type PageGlobals = { storage: Map<string, string>; leadTo(url: string): void }

/** In a browser an error that nobody listens to is none. */
class WebSocket extends NodeSocket {
  constructor(address: URL, protocols: string[]) {
    super(address, protocols)
    this.on('error', () => {})
  }
}

/** Before the first module of the page is loaded. */
export function installPage(): PageGlobals {
  const storage = new Map<string, string>()
  const localStorage = new Proxy(
    {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    },
    {
      ownKeys: () => [...storage.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )
  const events = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible', title: '' })
  const location = { href: 'http://127.0.0.1/', hash: '' }
  const { fetch } = globalThis
  Object.assign(globalThis, {
    localStorage,
    document,
    location,
    WebSocket,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    fetch: (path: string, more?: RequestInit) => fetch(new URL(path, location.href), more),
  })
  return {
    storage,
    leadTo(url) {
      location.href = url
    },
  }
}
