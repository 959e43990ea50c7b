/** What this browser keeps for itself: drafts, and prompts that the server has not confirmed yet. */

export type BrowserStorage = {
  store(key: string, value: unknown): void
  stored<V>(key: string): V | undefined
  storedKeys(start: string): string[]
}

/** `area` is called each time: a browser can refuse even to name its storage. */
export function createBrowserStorage(area: () => Storage, prefix: string): BrowserStorage {
  return {
    store(key, value) {
      try {
        if (value === undefined) area().removeItem(prefix + key)
        else area().setItem(prefix + key, JSON.stringify(value))
      } catch {
        // Full, or not allowed: it is a convenience only.
      }
    },
    stored(key) {
      try {
        const text = area().getItem(prefix + key)
        return text === null ? undefined : JSON.parse(text)
      } catch {
        return undefined
      }
    },
    storedKeys(start) {
      try {
        return Object.keys(area()).flatMap((key) => (key.startsWith(prefix + start) ? [key.slice(prefix.length)] : []))
      } catch {
        return []
      }
    },
  }
}

/** For `createClient()`: its outbox keeps texts. */
export function toClientStorage({ store, stored, storedKeys }: BrowserStorage) {
  return {
    get: (key: string) => JSON.stringify(stored(key)),
    set: (key: string, text: string | undefined) => store(key, text === undefined ? undefined : JSON.parse(text)),
    keys: () => storedKeys(''),
  }
}

export const { store, stored, storedKeys } = createBrowserStorage(() => localStorage, 'kedge:')
