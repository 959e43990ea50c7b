/** A server of a few lines with one session, for what a real one never does: it lies, stalls, and repeats itself. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LogEntry, LogItem } from '../../src/protocol/session-log/entries.js'

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

export type FakeServer = AsyncDisposable & {
  url: string
  /** The log; more can be added at any time. */
  entries: LogEntry[]
  /** What came, as `GET /v1/…`. */
  requests: string[]
  /** Bodies of the prompts that came. */
  prompts: { id: string; content: string }[]
  /** Answers a request in another way; undefined: as usual. */
  handle: ((line: string) => Handler | undefined) | undefined
  streams: Set<ServerResponse>
  /** Writes items to all open streams. */
  write(items: readonly LogItem[]): void
  /** Resolves once so many streams were opened in all. */
  opened(count: number): Promise<void>
}

export const json = (response: ServerResponse, status: number, value: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

export function eventText(item: LogItem): string {
  return `${item.kind === 'delta' ? '' : `id: ${item.seq}\n`}event: ${item.kind}\ndata: ${JSON.stringify(item)}\n\n`
}

export async function startFakeServer(): Promise<FakeServer> {
  let count = 0
  let wake = () => {}
  const fake: FakeServer = {
    url: '',
    entries: [],
    requests: [],
    prompts: [],
    handle: undefined,
    streams: new Set(),
    write(items) {
      for (const stream of fake.streams) stream.write(items.map(eventText).join(''))
    },
    async opened(wanted) {
      while (count < wanted)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const asUsual: Handler = (request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server')
    const after = Number(request.headers['last-event-id'] ?? searchParams.get('after') ?? 0)
    const rest = fake.entries.filter(({ seq }) => seq > after)
    const last = fake.entries.at(-1)?.seq ?? 0
    if (pathname.endsWith('/history')) return json(response, 200, { messages: [], earlier: 0 })
    if (pathname.endsWith('/log'))
      return json(response, 200, { entries: rest.slice(0, Number(searchParams.get('limit'))), last })
    if (pathname.endsWith('/prompts')) {
      const { id, content } = JSON.parse(body)
      const repeated = fake.prompts.some((prompt) => prompt.id === id)
      fake.prompts.push({ id, content })
      return json(response, 202, { id, seq: 1, repeated })
    }
    if (!pathname.endsWith('/events')) return json(response, 200, { id: 's', seq: last })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`retry: 1000\n\n${rest.map(eventText).join('')}`)
    fake.streams.add(response)
    response.on('close', () => fake.streams.delete(response))
    count += 1
    wake()
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const line = `${request.method} ${request.url}`
      fake.requests.push(line)
      const handle = fake.handle?.(line) ?? asUsual
      handle(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}
