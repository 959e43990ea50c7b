/** An MCP server over HTTP that is no library's: a test says what it answers to each message, and sees what it was sent. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type RawMessage = {
  method: string
  id: string | number | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look deep into what was sent.
  params: Record<string, any>
  headers: IncomingHttpHeaders
  response: ServerResponse
}
/** What goes back as the answer; undefined: the test has written to the response itself. */
export type RawReply = { result: object } | { error: object; status?: number } | undefined

export type RawServer = AsyncDisposable & {
  url: string
  seen: RawMessage[]
  /** All messages of one method. */
  of(method: string): RawMessage[]
}

export async function startRawServer(
  reply: (message: RawMessage) => RawReply | Promise<RawReply>,
  { host = 'localhost' } = {},
): Promise<RawServer> {
  const seen: RawMessage[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params = {} } = JSON.parse(await readAll(request))
    const message = { method, id, params, headers: request.headers, response }
    seen.push(message)
    if (id === undefined) return void response.writeHead(202).end()
    const given = await reply(message)
    if (!given) return
    const { status = 200, ...body } = { status: undefined, ...given }
    response.writeHead(status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
  }
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://${host}:${port}/mcp`,
    seen,
    of: (method) => seen.filter((message) => message.method === method),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One event of a response that streams. */
export function sendEvent(response: ServerResponse, message: object): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
}

export type StatelessServerOptions = {
  tools?: object[] | (() => object[])
  capabilities?: object
  /** Fields of every list. */
  list?: object
  /** Fields of the answer to `server/discover`. */
  discover?: object
  /** For everything but discovery and the list of tools. */
  reply?(message: RawMessage): RawReply | Promise<RawReply>
}

/** Answers as a server of revision 2026-07-28 does. */
export function statelessReply(options: StatelessServerOptions) {
  const { tools = [], capabilities = { tools: {} }, list = {}, discover = {}, reply } = options
  return (message: RawMessage): RawReply | Promise<RawReply> => {
    const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    if (message.method === 'server/discover') {
      const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'raw', version: '1' } }
      return { result: { ...complete, supportedVersions: ['2026-07-28'], capabilities, _meta, ...discover } }
    }
    if (message.method === 'tools/list')
      return { result: { ...complete, tools: typeof tools === 'function' ? tools() : tools, ...list } }
    return reply ? reply(message) : { error: { code: -32_601, message: `no ${message.method}` } }
  }
}

export const rawTool = (name: string, properties: object = {}) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties },
})
export const done = (text: string) => ({
  result: { resultType: 'complete', content: [{ type: 'text', text }] },
})

async function readAll(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}
