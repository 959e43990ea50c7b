/** A real HTTP server that answers like a model API, one scripted reply per request, for the tests of the model client. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Seen = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  raw: string
  body: Record<string, unknown>
}
export type Reply = (response: ServerResponse, seen: Seen) => void | Promise<void>

export interface ModelApi {
  readonly url: string
  readonly seen: Seen[]
  close(): Promise<void>
}

/** `models`: what `GET /v1/models` lists, with 404 without them. Requests beyond the script are answered with status 418, which nobody retries. */
export async function startModelApi(script: readonly Reply[], models?: object[]): Promise<ModelApi> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const raw = await textOf(request)
    const { method = '', url = '', headers } = request
    // What a service says of its models is asked beside the script.
    if (method === 'GET' && url.endsWith('/models'))
      return void response.writeHead(models ? 200 : 404).end(JSON.stringify({ data: models }))
    const entry = { method, path: url, headers, raw, body: raw === '' ? {} : JSON.parse(raw) }
    seen.push(entry)
    const reply = script[seen.length - 1] ?? status(418, { type: 'error', error: { type: 'unscripted', message: '' } })
    await reply(response, entry)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, the address is an object.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

// ── replies ──────────────────────────────────────────────────────────────────

export function status(code: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    const type = typeof body === 'string' ? 'text/html' : 'application/json'
    response.writeHead(code, { 'content-type': type, ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

export function apiError(code: number, type: string, message: string, headers: Record<string, string> = {}): Reply {
  return status(code, { type: 'error', error: { type, message } }, headers)
}

/** The text of an event stream as it is, then the end. */
export function stream(text: string | Buffer): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_1' })
    response.end(text)
  }
}

/** The beginning of a stream, then a broken connection. */
export function cutStream(start: Buffer, how: 'FIN' | 'RST'): Reply {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_cut' })
    response.flushHeaders()
    if (start.length > 0) await new Promise<void>((resolve) => response.write(start, () => resolve()))
    // The last bytes are to be read before the end is noticed, or every cut would be the same.
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (how === 'FIN') response.socket?.end()
    else response.socket?.resetAndDestroy()
  }
}

/** The beginning of a stream, then silence, or a ping every few milliseconds. */
export function stalledStream(start: string, pingEveryMs?: number): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(start === '' ? ':\n' : start)
    if (pingEveryMs === undefined) return
    const timer = setInterval(() => response.write('event: ping\ndata: {"type":"ping"}\n\n'), pingEveryMs)
    response.on('close', () => clearInterval(timer))
  }
}

// ── streams ──────────────────────────────────────────────────────────────────

export type Block =
  | { text: string[] }
  | { thinking: string[]; signature: string }
  | { tool: string; id: string; json: string[] }

export type Answer = { id?: string; blocks: readonly Block[]; stopReason?: string; outputTokens?: number }

export function sse(events: readonly object[]): string {
  return events
    .map((event) => `event: ${'type' in event ? event.type : ''}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}

export function eventsOf({ id = 'msg_1', blocks, stopReason = 'end_turn', outputTokens = 5 }: Answer): object[] {
  return [
    { type: 'message_start', message: messageHeader(id) },
    { type: 'ping' },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptyBlock(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: outputTokens },
    },
    { type: 'message_stop' },
  ]
}

/** The same answer in one piece. */
export function wholeOf({ id = 'msg_1', blocks, stopReason = 'end_turn', outputTokens = 5 }: Answer): object {
  const content = blocks.map((block) => {
    if ('text' in block) return { type: 'text', text: block.text.join('') }
    if ('tool' in block)
      return { type: 'tool_use', id: block.id, name: block.tool, input: JSON.parse(block.json.join('')) }
    return { type: 'thinking', thinking: block.thinking.join(''), signature: block.signature }
  })
  const header = messageHeader(id)
  return { ...header, content, stop_reason: stopReason, usage: { ...header.usage, output_tokens: outputTokens } }
}

function messageHeader(id: string) {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  }
}

function emptyBlock(block: Block): object {
  if ('text' in block) return { type: 'text', text: '' }
  if ('tool' in block) return { type: 'tool_use', id: block.id, name: block.tool, input: {} }
  return { type: 'thinking', thinking: '', signature: '' }
}

function deltasOf(block: Block): object[] {
  if ('text' in block) return block.text.map((text) => ({ type: 'text_delta', text }))
  if ('tool' in block) return block.json.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  const thoughts = block.thinking.map((thinking) => ({ type: 'thinking_delta', thinking }))
  return [...thoughts, { type: 'signature_delta', signature: block.signature }]
}
