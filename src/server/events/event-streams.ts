/** Events of one session or of all: history, then what comes, without a gap; as server-sent events or for a WebSocket. */
import type { IncomingMessage } from 'node:http'
import type { LogItem, SerializedLogEntry } from '../../protocol/session-log/entries.js'
import type { Caller } from '../access/access-tokens.js'
import { HttpProblem, toProblem } from '../api/problems.js'
import type { ServerContext } from '../server-context.js'
import type { OpenEventReader } from './event-readers.js'
import { estimateDeltaBytes, mergeDeltas } from './merge-deltas.js'
import { HEARTBEAT_MS, packItems } from './packets.js'

export type StreamRequest = {
  caller: Caller
  /** Undefined: all of them. */
  session: string | undefined
  after: number
  deltas: boolean
}

/** In the stream over all sessions, an item has a second number, `all`. */
export type StreamItem = (LogItem | SerializedLogEntry) & { all?: number }

const GAP_MS = 30

/** The number in the header `Last-Event-ID`; `undefined` if it's missing or empty. */
export function lastEventId({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const header = headers['last-event-id']
  if (header === undefined || header === '') return undefined
  if (!/^\d{1,15}$/.test(String(header))) throw new HttpProblem('invalid_request', 'Last-Event-ID is a number.')
  return Number(header)
}

/** Throws when the number is none of the log, or there are too many readers. */
export async function openEventReader(server: ServerContext, wanted: StreamRequest) {
  const { caller, session, after } = wanted
  const last = await server.hub.last(session)
  if (after > last) throw new HttpProblem('after_unknown', `The log ends at ${last}, before ${after}.`, { last })
  return server.readers.open(caller, session ?? 'all')
}

/** What a reader gets, as text. */
export function packEventStream(
  server: ServerContext,
  wanted: StreamRequest,
  { signal }: OpenEventReader,
  format: 'sse' | 'json',
) {
  return packItems(itemsOf(server, wanted, signal), {
    mayWait: ({ kind }) => kind === 'delta',
    sizeOf: (item) => sizeOf(item, server.written),
    write: (items) => (format === 'sse' ? toEvents : toArray)(items, server.written),
    heartbeat: format === 'sse' ? ': still here\n\n' : '[]',
    heartbeatMs: HEARTBEAT_MS,
    gapMs: GAP_MS,
    signal,
  })
}

async function* itemsOf(
  server: ServerContext,
  { caller, session, after, deltas }: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamItem[], void> {
  if (session !== undefined) {
    yield* server.hub.readTexts(session, { after, signal, deltas })
    return
  }
  for await (const item of server.hub.read('all', { after, signal }))
    if (await server.maySee(caller, item.session)) yield [item]
}

export function eventStreamResponse(server: ServerContext, wanted: StreamRequest, reader: OpenEventReader): Response {
  return sseResponse(server, reader, packEventStream(server, wanted, reader, 'sse'))
}

/** Whatever comes of the reader: its place is free again. */
export function sseResponse(
  { log }: Pick<ServerContext, 'log'>,
  reader: OpenEventReader,
  stream: AsyncGenerator<string, void>,
): Response {
  const encoder = new TextEncoder()
  let isFirst = true
  /** The reader has left, while the next packet was waited for. */
  let isLeft = false
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      if (isFirst) {
        isFirst = false
        // Now, so that the reader knows it is connected.
        controller.enqueue(encoder.encode('retry: 1000\n\n'))
        return
      }
      try {
        const { value, done } = await stream.next()
        if (isLeft) return
        if (done) {
          reader.close()
          controller.close()
        } else controller.enqueue(encoder.encode(value))
      } catch (error) {
        // At this point, closing the connection is the only signal left; the reader reconnects and gets the rest then.
        if (toProblem(error, '').status === 500) log.error('stream failed', error)
        reader.close()
        if (!isLeft) controller.close()
      }
    },
    async cancel() {
      isLeft = true
      reader.close()
      await stream.return()
    },
  }
  // A packet is made when it is asked for, and none ahead of that.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), {
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  })
}

/** What JSON makes of an item. An entry goes to many readers as it comes: it's written once. */
function textOf(item: StreamItem, written: WeakMap<object, string>): string {
  if ('text' in item) return item.text
  const known = written.get(item)
  if (known !== undefined) return known
  const text = JSON.stringify(item)
  if (item.kind !== 'delta') written.set(item, text)
  return text
}

/** Deltas aren't written for this: they are many, and are put together before they go out. */
function sizeOf(item: StreamItem, written: WeakMap<object, string>): number {
  return item.kind === 'delta' ? estimateDeltaBytes(item) : textOf(item, written).length
}

/** A delta has no id: a reader that reconnects asks for what follows the last entry. */
function toEvents(items: readonly StreamItem[], written: WeakMap<object, string>): string {
  return mergeDeltas(items)
    .map((item) => {
      const id = item.kind === 'delta' ? '' : `id: ${item.all ?? item.seq}\n`
      return `${id}event: ${item.kind}\ndata: ${textOf(item, written)}\n\n`
    })
    .join('')
}

function toArray(items: readonly StreamItem[], written: WeakMap<object, string>): string {
  return `[${mergeDeltas(items)
    .map((item) => textOf(item, written))
    .join(',')}]`
}
