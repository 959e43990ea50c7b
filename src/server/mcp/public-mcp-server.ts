/** Serves a server of `createSdkMcpServer()` over HTTP, for clients that are other programs. Part of `kedge/server`. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ConfigurationError } from '../../errors.js'
import type { McpSdkServerConfigWithInstance } from '../../protocol/mcp-servers.js'
import { FailedTokenGuard } from '../access/failed-tokens.js'
import { PlaceGuard } from '../access/place-guard.js'
import { bearerOf } from '../access/request-guard.js'
import { HttpProblem, problemResponse, toProblem } from '../api/problems.js'
import type { McpEndpoint } from './mcp-endpoint.js'

/** The caller of a served MCP server. */
export type McpCaller = {
  /** Keeps callers apart: none can use the sessions or the request state of another. */
  id: string
}

/** A server of `createSdkMcpServer()`; or a function that returns the one for a caller. */
export type McpServerSource =
  | Pick<McpSdkServerConfigWithInstance, 'instance'>
  | ((caller: McpCaller) => Pick<McpSdkServerConfigWithInstance, 'instance'>)

/** What `createMcpHttpServer()` takes. One of `token`, `authenticate`, and `anonymous` is required. */
export type McpHttpServerOptions = {
  /** Where to listen. Default: 127.0.0.1, and a free port. */
  host?: string
  /** The port; 0, the default, takes a free one. */
  port?: number
  /** The path of the endpoint. Default: `/mcp`. */
  path?: string
  /** The token that callers send as `Authorization: Bearer …`; at least 16 characters. */
  token?: string
  /** Finds out who calls, such as by a token of your own. Undefined: the request gets 401. */
  authenticate?(request: IncomingMessage): McpCaller | undefined | Promise<McpCaller | undefined>
  /** Anyone who can reach the address can call the tools. */
  anonymous?: boolean
  /** Needed to listen elsewhere than on this machine: nothing here is encrypted. */
  allowRemote?: boolean
  /** Names the server is called by beside its address, as in the header `Host`: with the port, if there is one. */
  allowHosts?: string[]
  /** Pages of other origins that may call, such as `https://desk.example`. */
  allowOrigins?: string[]
  /** Bytes of a request. Default: 4 MB. */
  maxBody?: number
  /** What `WWW-Authenticate` says in a 401, such as `Bearer resource_metadata="https://…"`. */
  challenge?: string
  /** Receives errors that no caller sees. */
  onError?(error: unknown): void
}

/** A server that was made and can be started, or put into an HTTP server of your own. */
export type McpHttpServer = {
  /** For the server of your own program: `http.createServer(server.listener)`. */
  listener(request: IncomingMessage, response: ServerResponse): void
  /** Listens on a port. */
  listen(): Promise<{ url: string; port: number }>
  /** Ends all connections and sessions. */
  close(): Promise<void>
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']
const MIN_TOKEN_LENGTH = 16
const DEFAULT_MAX_BODY = 4 * 1024 * 1024

/** Makes an MCP server over HTTP of a server of this process; `listen()` starts it. */
export function createMcpHttpServer(source: McpServerSource, options: McpHttpServerOptions): McpHttpServer {
  const { host = '127.0.0.1', port = 0, path = '/mcp', allowHosts = [], allowOrigins = [] } = options
  checkOptions(options, host)
  let hosts = new Set(allowHosts.map((name) => name.toLowerCase()))
  const guard = new PlaceGuard({ hosts: () => hosts, origins: new Set(allowOrigins) })
  const callerOf = createCallerCheck(options)
  const { maxBody = DEFAULT_MAX_BODY, onError = () => {} } = options
  let endpoint: Promise<McpEndpoint<McpCaller>> | undefined
  let http: Server | undefined

  const load = async () => {
    // Loaded with the first request: the library behind it is large.
    const { createMcpEndpoint } = await import('./mcp-endpoint.js')
    const ofCaller = typeof source === 'function' ? source : () => source
    const shared = typeof source === 'function' ? undefined : source
    return createMcpEndpoint({ serverFor: ofCaller, shared, maxBody, onError })
  }
  const answer = async (request: Request, incoming: IncomingMessage): Promise<Response> => {
    try {
      guard.checkPlace(incoming)
      if (new URL(request.url).pathname !== path) throw new HttpProblem('not_found', 'There is nothing at this path.')
      const { origin } = incoming.headers
      if (request.method === 'OPTIONS' && guard.isForeignOrigin(origin)) return preflightResponse(origin)
      const caller = await callerOf(incoming)
      endpoint ??= load()
      const response = await (await endpoint).fetch(request, caller)
      if (guard.isForeignOrigin(origin)) {
        response.headers.set('access-control-allow-origin', origin)
        response.headers.set('access-control-expose-headers', 'mcp-session-id')
        response.headers.set('vary', 'origin')
      }
      return response
    } catch (error) {
      const problem = toProblem(error, '')
      if (problem.status === 500) onError(error)
      return problemResponse(problem)
    }
  }
  const listener = getRequestListener(
    // Made by Node's own server for HTTP/1.
    (request, { incoming }) => answer(request, incoming as IncomingMessage), // as said above
    { overrideGlobalObjects: false },
  )

  return {
    listener: (request, response) => void listener(request, response),
    async listen() {
      http = createHttpServer({ maxHeaderSize: 16_384 }, (request, response) => void listener(request, response))
      const listening = http
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject)
        listening.listen(port, host, resolve)
      })
      const { port: taken } = listening.address() as AddressInfo // it listens on a port
      const names = LOOPBACK.includes(host) ? [host, 'localhost'] : [host]
      const shown = names.map((name) => (name.includes(':') ? `[${name}]` : name))
      hosts = new Set([...hosts, ...shown.map((name) => `${name}:${taken}`)])
      return { url: `http://${shown[0]}:${taken}${path}`, port: taken }
    },
    async close() {
      await (await endpoint)?.close()
      const ending = http
      if (!ending) return
      ending.closeAllConnections()
      await new Promise((resolve) => ending.close(resolve))
    },
  }
}

function createCallerCheck({ token, authenticate, challenge = 'Bearer realm="mcp"' }: McpHttpServerOptions) {
  const failures = new FailedTokenGuard(Date.now)
  const expected = token === undefined ? undefined : digest(token)
  const unauthorized = (detail: string) =>
    new HttpProblem('unauthorized', detail, { headers: { 'www-authenticate': challenge } })
  return async (request: IncomingMessage): Promise<McpCaller> => {
    if (authenticate) {
      const caller = await authenticate(request)
      if (!caller) throw unauthorized('The request has no valid credentials.')
      return caller
    }
    if (!expected) return { id: 'anonymous' }
    const from = request.socket.remoteAddress ?? ''
    const given = bearerOf(request.headers)
    if (given === undefined) throw unauthorized('The request has no token.')
    const wait = failures.wait(from, given)
    if (wait > 0)
      throw new HttpProblem('too_many_failures', 'Too many wrong tokens came from there.', {
        headers: { 'retry-after': String(wait) },
      })
    const isRight = timingSafeEqual(digest(given), expected)
    failures.note(from, given, isRight)
    if (!isRight) throw unauthorized('The token is not known.')
    return { id: 'token' }
  }
}

function checkOptions({ token, authenticate, anonymous, allowRemote }: McpHttpServerOptions, host: string): void {
  const ways = [token, authenticate, anonymous || undefined].filter((way) => way !== undefined)
  if (ways.length !== 1)
    throw new ConfigurationError('token', 'createMcpHttpServer() needs one of token, authenticate, and anonymous.')
  if (token !== undefined && (token.length < MIN_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(token)))
    throw new ConfigurationError(
      'token',
      `The token must have at least ${MIN_TOKEN_LENGTH} characters, without spaces.`,
    )
  if (!LOOPBACK.includes(host) && !allowRemote)
    throw new ConfigurationError(
      'allowRemote',
      `Listening on ${host} is not encrypted. Put a proxy with TLS in front of 127.0.0.1, or set allowRemote.`,
    )
}

function preflightResponse(origin: string): Response {
  const headers = {
    'access-control-allow-origin': origin,
    'access-control-allow-headers':
      'authorization, content-type, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name',
    'access-control-allow-methods': 'GET, POST, DELETE',
    vary: 'origin',
  }
  return new Response(null, { status: 204, headers })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
