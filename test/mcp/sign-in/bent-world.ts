/** An authorization server that can be bent in any place, and an MCP server that takes its tokens: for what real ones don't do. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type GuardedServer, startGuardedServer } from './guarded-server.js'

export type Bends = {
  /** Over the metadata of the authorization server. */
  metadata?: (issuer: string) => object
  /** Over what the MCP server says of itself. */
  resource?: (url: string) => object
  metadataUrl?: string
  /** Answers a request itself; true: it did. */
  handle?: (request: IncomingMessage, response: ServerResponse, issuer: string) => boolean
  /** Over the answer of the token endpoint. */
  tokens?: object
  /** Over the parameters of the redirect. */
  redirect?: (query: URLSearchParams) => void
}

export type BentWorld = AsyncDisposable & {
  server: GuardedServer
  issuer: string
  /** Requests that the authorization server got: method and path, and what was in them. */
  asked: { path: string; body: URLSearchParams; authorization: string | undefined }[]
}

export async function startBentWorld(bends: Bends = {}): Promise<BentWorld> {
  const asked: BentWorld['asked'] = []
  const codes = new Map<string, string>()
  let count = 0
  const http = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => http.listen(0, 'localhost', resolve))
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`
  const json = (response: ServerResponse, value: object, status = 200) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const url = new URL(request.url ?? '/', issuer)
    const isForm = request.headers['content-type']?.includes('urlencoded')
    const body = new URLSearchParams(isForm ? text : '')
    asked.push({ path: `${request.method} ${url.pathname}`, body, authorization: request.headers.authorization })
    if (bends.handle?.(request, response, issuer)) return
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      return json(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        ...bends.metadata?.(issuer),
      })
    }
    if (url.pathname === '/register')
      return json(response, { ...JSON.parse(text), client_id: `client-${++count}` }, 201)
    if (url.pathname === '/authorize') {
      const code = `code-${++count}`
      codes.set(code, url.searchParams.get('code_challenge') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      bends.redirect?.(back.searchParams)
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname !== '/token') return void response.writeHead(404).end()
    const isRefresh = body.get('grant_type') === 'refresh_token'
    const proof = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const challenge = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    if (!isRefresh && (challenge === undefined || challenge !== proof))
      return json(response, { error: 'invalid_grant' }, 400)
    json(response, {
      access_token: `access-${++count}`,
      refresh_token: `refresh-${count}`,
      token_type: 'Bearer',
      expires_in: 3600,
      ...bends.tokens,
    })
  }

  const server = await startGuardedServer({
    check: (token) => (token.startsWith('access-') ? { scopes: ['tools:read'] } : undefined),
    describe: (url) => ({ resource: url, authorization_servers: [issuer], ...bends.resource?.(url) }),
    ...(bends.metadataUrl === undefined ? {} : { metadataUrl: bends.metadataUrl }),
  })
  return {
    server,
    issuer,
    asked,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      })
    },
  }
}
