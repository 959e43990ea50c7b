/** The matrix server over HTTP and over SSE, in the process of the test: one server object per connection, as the library wants it. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { type Counts, libraryServer } from './matrix-tools.js'

type Accept<T> = (
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, T>,
  makeServer: () => McpServer,
) => Promise<unknown>

export type MatrixServer = AsyncDisposable & { url: string }

export const startMatrixServer = (kind: 'http' | 'sse', counts: Counts): Promise<MatrixServer> =>
  kind === 'http' ? start('/mcp', counts, acceptHttp) : start('/sse', counts, acceptSse)

async function start<T>(path: string, counts: Counts, accept: Accept<T>): Promise<MatrixServer> {
  const sessions = new Map<string, T>()
  const sockets = new Set<Socket>()
  /** As if the process had ended and been started again: nothing is known of anybody. */
  const crash = () => {
    sessions.clear()
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((request, response) => {
    accept(request, response, sessions, () => libraryServer(counts, crash)).catch((error) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async [Symbol.asyncDispose]() {
      crash()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const acceptHttp: Accept<StreamableHTTPServerTransport> = async (request, response, sessions, makeServer) => {
  const id = request.headers['mcp-session-id']?.toString()
  let transport = sessions.get(id ?? '')
  if (id !== undefined && !transport) return response.writeHead(404).end()
  if (!transport) {
    const fresh = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (started) => void sessions.set(started, fresh),
    })
    // The library's own types disagree about optional fields.
    await makeServer().connect(fresh as Parameters<McpServer['connect']>[0])
    transport = fresh
  }
  return transport.handleRequest(request, response)
}

const acceptSse: Accept<SSEServerTransport> = async (request, response, sessions, makeServer) => {
  if (request.method === 'GET') {
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    return makeServer().connect(transport)
  }
  const id = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('sessionId')
  const transport = sessions.get(id ?? '')
  if (!transport) return response.writeHead(404).end()
  return transport.handlePostMessage(request, response)
}
