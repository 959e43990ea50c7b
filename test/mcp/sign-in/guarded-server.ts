/** An MCP server over HTTP that takes requests with a token only, and remembers what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Granted = { scopes: readonly string[] }

export type GuardedServer = AsyncDisposable & {
  url: string
  /** Values of `Authorization`, in the order in which they came. */
  tokens: (string | undefined)[]
  /** Tokens that are no longer taken, whatever `check` says. */
  refused: Set<string>
}

export type GuardedServerOptions = {
  /** What a token allows; undefined: it is not taken. */
  check(token: string): Granted | undefined | Promise<Granted | undefined>
  /** Its own description (RFC 9728), or another answer. */
  describe(url: string, response: ServerResponse): object | undefined
  /** Parameters of the challenge besides `resource_metadata`. */
  challenge?: string
  /** In place of its own address. */
  metadataUrl?: string
}

const TOOLS = [
  { name: 'read', scope: 'tools:read' },
  { name: 'write', scope: 'tools:write' },
]

export async function startGuardedServer(options: GuardedServerOptions): Promise<GuardedServer> {
  const tokens: (string | undefined)[] = []
  const refused = new Set<string>()
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const url = `${origin}/mcp`
  const metadataUrl = options.metadataUrl ?? `${origin}/.well-known/oauth-protected-resource/mcp`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const described = options.describe(url, response)
      if (described) response.setHeader('content-type', 'application/json').end(JSON.stringify(described))
      return
    }
    if (request.url !== '/mcp') return void response.writeHead(404).end()
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const header = request.headers.authorization
    tokens.push(header)
    const token = header?.replace(/^Bearer /, '') ?? ''
    const granted = token === '' || refused.has(token) ? undefined : await options.check(token)
    const refuse = (status: number, more = '') =>
      response.writeHead(status, { 'www-authenticate': `Bearer resource_metadata="${metadataUrl}"${more}` }).end()
    if (!granted) return void refuse(401, options.challenge)
    const { id, method, params } = JSON.parse(await readAll(request))
    if (id === undefined) return void response.writeHead(202).end()
    const needed = method === 'tools/call' ? TOOLS.find(({ name }) => name === params.name)?.scope : undefined
    if (needed !== undefined && !granted.scopes.includes(needed))
      return void refuse(403, `, error="insufficient_scope", scope="${needed}"`)
    const result = resultOf(method, params)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }

  return {
    url,
    tokens,
    refused,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function resultOf(method: string, params: { name?: string; protocolVersion?: string }): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'guarded', version: '1' }
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') return { tools: TOOLS.map(({ name }) => ({ name, inputSchema: { type: 'object' } })) }
  if (method === 'tools/call') return { content: [{ type: 'text', text: `did ${params.name}` }] }
  return {}
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
