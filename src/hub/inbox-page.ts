/** The inbox in pages, oldest request first. Pure. */
import type { Ask, InboxFilter, InboxPage } from '../protocol/session-log/ask-types.js'

/** Requests in a page, unless the caller gives a `limit`. */
export const ASKS_IN_PAGE = 200

/** Returns a page of all open requests. A cursor still works if its request has been answered meanwhile. */
export function createInboxPage(all: readonly Ask[], { among, limit = ASKS_IN_PAGE, cursor }: InboxFilter): InboxPage {
  const inOrder = all
    .filter(({ session }) => among?.includes(session) ?? true)
    .sort((a, b) => compare(a.since, b.since) || compare(a.id, b.id))
  const place = cursor === undefined ? undefined : readAskCursor(cursor)
  if (cursor !== undefined && !place) return { asks: [] }
  const rest = place
    ? inOrder.filter(({ since, id }) => (compare(since, place.at) || compare(id, place.id)) > 0)
    : inOrder
  const asks = rest.slice(0, limit)
  const last = asks.at(-1)
  return last && rest.length > limit ? { asks, next: writeAskCursor(last.since, last.id) } : { asks }
}

export function writeAskCursor(at: string, id: string): string {
  return `${at} ${id}`
}

/** Returns `undefined` for a text that `writeAskCursor` didn't write. */
export function readAskCursor(cursor: string): { at: string; id: string } | undefined {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z) (\S+)$/.exec(cursor) ?? []
  return at === undefined || id === undefined || Number.isNaN(Date.parse(at)) ? undefined : { at, id }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
