/** A stream without end: reconnects on its own, continues after the last number it has, and puts items into their order. */

import { firstAbort } from '../platform/first-abort.js'
import type { LogEntry } from '../protocol/session-log/entries.js'
import { messageOf } from '../protocol/thrown.js'
import type { ApiRequests } from './api-requests.js'
import { ClientError, isFinalError, ServerUnreachableError } from './client-errors.js'
import type { ReadOptions } from './client-types.js'
import { type EventConnection, type FollowedItem, readServerSentEvents, readWebSocketEvents } from './event-source.js'
import { type Backoff, backoffDelay, waitOrPageWake } from './wait-and-wake.js'

export type EventStreamSettings = {
  requests: ApiRequests
  stream: 'sse' | 'websocket'
  silenceMs: number
  backoff: Backoff
  /** The client was ended. */
  ended: AbortSignal
}

/** Takes what came, and returns what is next: each entry once. */
type EventOrder = { readonly last: number; take(items: readonly FollowedItem[]): Promise<readonly FollowedItem[]> }

/**
 * Yields items in batches until `signal` aborts. Throws if the server rejects the stream, or if the session is gone.
 * `session` is undefined for the stream over all sessions.
 */
export async function* followEvents(
  settings: EventStreamSettings,
  session: string | undefined,
  { after = 0, deltas = true, signal: given, onState, onConnect }: ReadOptions = {},
): AsyncGenerator<readonly FollowedItem[], void> {
  const { requests, stream, silenceMs, backoff } = settings
  const { signal, release } = firstAbort([given, settings.ended])
  if (signal.aborted) return
  const path = session === undefined ? '/events' : `/sessions/${encodeURIComponent(session)}/events`
  const order = session === undefined ? feedOrder(after) : sessionOrder(requests, session, { after, signal })
  const connect = (last: number) => {
    const connection: EventConnection = { requests, path, after: last, deltas, silenceMs, signal }
    return stream === 'websocket' ? readWebSocketEvents(connection) : readServerSentEvents(connection)
  }
  onState?.('connecting')
  try {
    let failures = 0
    for (;;) {
      let problem: Error | undefined
      try {
        let isFirst = true
        for await (const items of connect(order.last)) {
          if (isFirst) {
            isFirst = false
            onState?.('live')
            onConnect?.()
          }
          const next = await order.take(items)
          if (next.length > 0) {
            failures = 0
            yield next
          }
          if (signal.aborted) return
        }
      } catch (error) {
        if (signal.aborted) return
        if (isFinalError(error)) throw error
        problem = connectionProblem(error)
      }
      if (signal.aborted) return
      onState?.('lost', problem)
      await waitOrPageWake(backoffDelay(backoff, failures), signal).catch(() => {})
      failures += 1
      if (signal.aborted) return
    }
  } finally {
    release()
  }
}

function connectionProblem(error: unknown): ClientError {
  if (error instanceof ClientError) return error
  return new ServerUnreachableError({
    code: 'server_unreachable',
    message: `The stream broke off: ${messageOf(error)}`,
    fix: 'Nothing: it continues where it was.',
    cause: error,
  })
}

const PAGE = 1000

/**
 * Entries of a session are numbered without gaps: one that was there is left out, and what is missing before another is
 * read from the log. A delta is of the moment after its entry.
 */
function sessionOrder(
  requests: ApiRequests,
  session: string,
  { after, signal }: { after: number; signal: AbortSignal },
): EventOrder {
  let last = after
  const missing = async (until: number): Promise<LogEntry[]> => {
    const found: LogEntry[] = []
    while (last < until) {
      const limit = Math.min(PAGE, until - last)
      const { entries } = await readLogPage(requests, session, { after: last, limit, signal })
      if (entries[0]?.seq !== last + 1) throw new Error(`The log has nothing after ${last}, before ${until}.`)
      for (const entry of entries) {
        if (entry.seq !== last + 1) continue
        last = entry.seq
        found.push(entry)
      }
    }
    return found
  }
  return {
    get last() {
      return last
    },
    async take(items) {
      const next: FollowedItem[] = []
      for (const item of items) {
        const isDelta = item.kind === 'delta'
        const before = isDelta ? item.seq : item.seq - 1
        if (before > last) next.push(...(await missing(before)))
        if (before < last) continue
        if (!isDelta) last = item.seq
        next.push(item)
      }
      return next
    },
  }
}

export function readLogPage(
  requests: ApiRequests,
  session: string,
  { signal, ...query }: { after: number; limit: number; signal?: AbortSignal | undefined },
): Promise<{ entries: LogEntry[]; last: number }> {
  return requests.call('GET', `/sessions/${encodeURIComponent(session)}/log`, { query, signal })
}

/** This many numbers are remembered, for entries that come twice or late. */
const REMEMBERED = 5000

/** The numbers over all sessions have gaps, where sessions were deleted or aren't for this caller. */
function feedOrder(after: number): EventOrder {
  let last = after
  const seen = new Set<number>()
  return {
    get last() {
      return last
    },
    async take(items) {
      const next: FollowedItem[] = []
      for (const item of items) {
        const { all = 0 } = item
        if (all <= after || seen.has(all)) continue
        seen.add(all)
        if (seen.size > REMEMBERED) for (const oldest of seen) if (seen.delete(oldest)) break
        last = Math.max(last, all)
        next.push(item)
      }
      return next
    },
  }
}
