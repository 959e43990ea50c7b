/** One connection of a stream, until it ends: server-sent events or a WebSocket. An empty list means that it's alive. */
import type { LogItem } from '../protocol/session-log/entries.js'
import type { ApiRequests } from './api-requests.js'
import { ClientError, createIncompatibleAnswerError, errorOfStreamCloseCode, isFinalError } from './client-errors.js'
import { watchConnection } from './wait-and-wake.js'

/** An item of a stream. In the stream over all sessions an entry has one more number. */
export type FollowedItem = LogItem & { all?: number }

export type EventConnection = {
  requests: ApiRequests
  path: string
  after: number
  deltas: boolean
  silenceMs: number
  signal: AbortSignal
}

/** Throws what the server says if it rejects the stream; ends if the connection does. */
export async function* readServerSentEvents(
  connection: EventConnection,
): AsyncGenerator<readonly FollowedItem[], void> {
  const { requests, path, after, deltas, silenceMs, signal } = connection
  const response = await requests.open('GET', path, {
    headers: { accept: 'text/event-stream', 'last-event-id': String(after) },
    query: { deltas: deltas ? undefined : false },
    signal,
  })
  const isStream = /text\/event-stream/.test(response.headers.get('content-type') ?? '')
  if (!isStream || !response.body) throw createIncompatibleAnswerError('a stream')
  const reader = response.body.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  const watch = watchConnection(silenceMs, stop)
  signal.addEventListener('abort', stop, { once: true })
  const decoder = new TextDecoder()
  const parse = createEventParser()
  try {
    yield []
    while (!signal.aborted) {
      // How long the caller took for what came before is no silence of the server.
      watch.heard()
      const { value, done } = await reader.read()
      if (done) return
      yield parse(decoder.decode(value, { stream: true }))
    }
  } finally {
    watch.stop()
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Returns what makes items of text as it comes. Ids are left out: an item has its number. */
export function createEventParser(): (text: string) => FollowedItem[] {
  let rest = ''
  let data: string[] = []
  return (text) => {
    const items: FollowedItem[] = []
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const bare = line.endsWith('\r') ? line.slice(0, -1) : line
      if (bare.startsWith('data:')) data.push(bare.slice(5))
      else if (bare === '' && data.length > 0) {
        items.push(JSON.parse(data.join('\n')))
        data = []
      }
    }
    return items
  }
}

/** The same over a WebSocket. */
export async function* readWebSocketEvents(connection: EventConnection): AsyncGenerator<readonly FollowedItem[], void> {
  const { requests, path, after, deltas, silenceMs, signal } = connection
  const socket = requests.socket(path, { after, deltas: deltas ? undefined : false })
  const received: FollowedItem[][] = []
  let wake = () => {}
  let isOpen = false
  let closed: { code: number; reason: string } | undefined
  const close = (code = 0, reason = '') => {
    closed ??= { code, reason }
    wake()
  }
  const stop = () => close()
  const watch = watchConnection(silenceMs, stop)
  signal.addEventListener('abort', stop, { once: true })
  socket.onopen = () => {
    isOpen = true
    received.push([])
    watch.heard()
    wake()
  }
  socket.onmessage = ({ data }) => {
    received.push(JSON.parse(String(data)))
    watch.heard()
    wake()
  }
  socket.onerror = () => {}
  socket.onclose = ({ code, reason }) => close(code, reason)
  try {
    for (;;) {
      yield* received.splice(0)
      if (closed) break
      await new Promise<void>((resolve) => {
        wake = resolve
        if (closed || received.length > 0) resolve()
      })
    }
    if (closed.code === 1008) throw errorOfStreamCloseCode(closed.reason)
    if (!isOpen && !signal.aborted) await throwRejection(connection)
  } finally {
    watch.stop()
    signal.removeEventListener('abort', stop)
    socket.close()
  }
}

/** A rejected WebSocket looks like a broken one; a request shows which it is. */
async function throwRejection({ requests, path, signal }: EventConnection): Promise<void> {
  const place = path.replace(/\/events$/, '') || '/me'
  await requests.call('GET', place, { signal }).catch((error) => {
    if (error instanceof ClientError && isFinalError(error)) throw error
  })
}
