/** Pages a session has read, for a while: several questions about one page cost one download. */
import type { Clock } from '../../platform/clock.js'

export type CachedPage = {
  url: string
  status: number
  statusText: string
  bytes: number
  text: string
  /** Only the beginning of the page. */
  cut: boolean
}

export interface PageCache {
  get(url: string): CachedPage | undefined
  set(url: string, page: CachedPage): void
}

const LIFETIME_MS = 15 * 60 * 1000
const MOST_PAGES = 50
const MOST_CHARACTERS = 2_000_000

export function createPageCache(clock: Pick<Clock, 'monotonic'>): PageCache {
  const pages = new Map<string, { page: CachedPage; since: number }>()

  /** The oldest are the first in the map. */
  function shrink(): void {
    let characters = 0
    for (const { page } of pages.values()) characters += page.text.length
    for (const [url, { page, since }] of pages) {
      const tooMany = pages.size > MOST_PAGES || characters > MOST_CHARACTERS
      if (!tooMany && clock.monotonic() - since < LIFETIME_MS) return
      pages.delete(url)
      characters -= page.text.length
    }
  }

  return {
    get(url) {
      shrink()
      return pages.get(url)?.page
    },
    set(url, page) {
      pages.delete(url)
      pages.set(url, { page, since: clock.monotonic() })
      shrink()
    },
  }
}
