/** An MCP server over HTTP, written by hand, that can be told to do one thing wrong. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Message = { id?: number; method?: string; params?: { arguments?: object } }
type Seen = {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  message?: Message
}

export type OddWeb = AsyncDisposable & {
  url: string
  seen: Seen[]
  /** How often a tool was really run. */
  executions(): number
  /** From now on it no longer knows the sessions it had. */
  forget(): void
  /** Ends and is back at the same address when called again. */
  stop(): Promise<void>
  startAgain(): Promise<void>
}

export type Odd = 'cut' | 'sign-in' | 'redirect' | 'endless' | 'fine'

export async function startOddWeb(odd: Odd): Promise<OddWeb> {
  const seen: Seen[] = []
  let executions = 0
  let sessions = 0
  let known = new Set<string>()
  let port = 0
  /** The call whose stream is cut. */
  let cutCall = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await read(request)
    const message: Message | undefined = text === '' ? undefined : JSON.parse(text)
    const { method, url, headers } = request
    seen.push({ method, url, headers, ...(message ? { message } : {}) })
    if (url?.startsWith('/.well-known')) {
      return json(response, 200, {
        resource: `http://127.0.0.1:${port}/mcp`,
        authorization_servers: ['https://login.example.com'],
        scopes_supported: ['read'],
      })
    }
    if (odd === 'sign-in' && headers.authorization !== 'Bearer good') {
      const where = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource`
      response.setHeader('www-authenticate', `Bearer resource_metadata="${where}", scope="read write"`)
      return json(response, 401, { error: 'who are you?' })
    }
    if (odd === 'redirect') {
      response.writeHead(307, { location: `http://127.0.0.2:${port}/stolen` })
      return response.end()
    }
    if (method === 'DELETE') return response.writeHead(200).end()
    const session = String(headers['mcp-session-id'] ?? '')
    if (message?.method !== 'initialize' && !known.has(session))
      return json(response, 404, { error: 'no such session' })
    if (method === 'GET') {
      if (headers['last-event-id'] !== 'e1') return response.writeHead(405).end()
      return stream(response, [
        `id: e2\ndata: ${result(cutCall, { content: [{ type: 'text', text: 'resumed' }] })}\n\n`,
      ])
    }
    if (message?.id === undefined) return response.writeHead(202).end()
    if (message.method === 'tools/call') cutCall = message.id
    switch (message.method) {
      case 'initialize': {
        sessions += 1
        known.add(`s${sessions}`)
        response.setHeader('mcp-session-id', `s${sessions}`)
        return json(
          response,
          200,
          JSON.parse(
            result(message.id, {
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 'odd-web', version: '1' },
            }),
          ),
        )
      }
      case 'tools/list':
        return json(
          response,
          200,
          JSON.parse(result(message.id, { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] })),
        )
      default: {
        executions += 1
        if (odd === 'cut') {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write('id: e1\nretry: 50\ndata: \n\n')
          return void setTimeout(() => response.destroy(), 50)
        }
        if (odd === 'endless') {
          response.writeHead(200, { 'content-type': 'application/json' })
          const more = () => {
            while (!response.destroyed && response.write('x'.repeat(1024 * 1024)));
          }
          response.on('drain', more)
          return more()
        }
        return json(response, 200, JSON.parse(result(message.id, { content: [{ type: 'text', text: 'done' }] })))
      }
    }
  }

  const listen = async () => {
    const server = createServer((request, response) => void answer(request, response))
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    // A server that listens on a port has such an address.
    port = (server.address() as AddressInfo).port
    return server
  }
  let server = await listen()
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    executions: () => executions,
    forget: () => {
      known = new Set()
    },
    stop,
    async startAgain() {
      server = await listen()
    },
    [Symbol.asyncDispose]: stop,
  }
}

const result = (id: number, value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value })

function json(response: ServerResponse, status: number, value: object) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function stream(response: ServerResponse, events: string[]) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(event)
  response.end()
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
