/** A small HTTP server on the loopback address: reads whole requests, closes without waiting for anyone. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request that reached a test server. */
export type IncomingCall = {
  /** The HTTP method. */
  method: string
  /** With the query. */
  path: string
  /** Its headers, names in lower case. */
  headers: Record<string, string>
  /** Its body as text. */
  body: string
}

export type HttpListener = AsyncDisposable & { url: string; port: number; close(): Promise<void> }

/** Serves until `close()`, which ends open connections at once. A handler that throws loses its connection. */
export async function startHttpListener(
  handle: (call: IncomingCall, response: ServerResponse) => Promise<unknown>,
): Promise<HttpListener> {
  const server = createServer((request, response) => {
    readCall(request)
      .then((call) => handle(call, response))
      // Mostly a client that left while it still sent its request: there is nobody to answer.
      .catch(() => response.destroy())
  })
  // Tests stall on purpose, and an idle connection closed by the server races with the client's next request.
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return closing
  }
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, close, [Symbol.asyncDispose]: close }
}

/** Header values as one string each. */
export function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

async function readCall(request: IncomingMessage): Promise<IncomingCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: flatHeaders(request.headers),
    body: Buffer.concat(chunks).toString('utf8'),
  }
}
