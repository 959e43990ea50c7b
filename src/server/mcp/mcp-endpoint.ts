/**
 * An MCP endpoint over HTTP: for every revision since 2025-03-26 with sessions, as clients of these open them, and for
 * 2026-07-28 without. Loaded with the first request for it.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  createRequestStateCodec,
  isJsonContentType,
  isLegacyRequest,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { isObject } from '../../protocol/json.js'
import { createRelayedServer } from './relayed-server.js'
import { connectToInstance, type ServedMcpServer } from './served-instance.js'

/** The sender of a request; the id also keeps the sessions of callers apart. */
export type McpEndpointCaller = { id: string }

export type McpEndpointOptions<Principal extends McpEndpointCaller> = {
  /** The server for a caller. */
  serverFor(principal: Principal): ServedMcpServer
  /** The one object that all callers have: they are notified of its changes. */
  shared?: ServedMcpServer | undefined
  /** Bytes of a request. */
  maxBody: number
  onError(error: unknown): void
}

export type McpEndpoint<Principal extends McpEndpointCaller> = {
  fetch(request: Request, principal: Principal): Promise<Response>
  close(): Promise<void>
}

type OpenSession = { transport: WebStandardStreamableHTTPServerTransport; owner: string; lastUse: number }

const MOST_SESSIONS = 500
const MOST_OF_ONE = 50
const IDLE_MS = 60 * 60 * 1000
const STATE_SECONDS = 24 * 60 * 60

const NOTICES = {
  'notifications/tools/list_changed': 'toolsChanged',
  'notifications/prompts/list_changed': 'promptsChanged',
  'notifications/resources/list_changed': 'resourcesChanged',
} as const

export function createMcpEndpoint<Principal extends McpEndpointCaller>(
  options: McpEndpointOptions<Principal>,
): McpEndpoint<Principal> {
  const { serverFor, shared, maxBody, onError } = options
  const sessions = new Map<string, OpenSession>()
  const states = createRequestStateCodec<{ state: string }>({
    key: randomBytes(32),
    ttlSeconds: STATE_SECONDS,
    // What one caller was given for one request is of no use to another, or for another request.
    bind: ({ mcpReq, http }) => `${http?.authInfo?.clientId ?? ''}\0${mcpReq.method}`,
  })
  const authOf = (principal: Principal) => ({ token: '', clientId: principal.id, scopes: [], extra: { principal } })
  const modern = createMcpHandler(
    ({ authInfo }) => {
      // Set in `authOf`, for every request.
      const principal = authInfo?.extra?.['principal'] as Principal
      return createRelayedServer(serverFor(principal), { states })
    },
    { legacy: 'reject', maxRequestBodySize: maxBody, onerror: onError },
  )

  const publishing = shared && publishChanges(shared, modern.notify)
  publishing?.catch(onError)

  const open = async (request: Request, parsedBody: unknown, principal: Principal) => {
    makeRoom(sessions, principal.id)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBody,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, owner: principal.id, lastUse: Date.now() })
      },
      onsessionclosed: (id) => {
        sessions.delete(id)
      },
    })
    const server = await createRelayedServer(serverFor(principal), { states })
    server.onerror = onError
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody, authInfo: authOf(principal) })
    if (transport.sessionId === undefined) await server.close()
    return response
  }

  const fetch = async (request: Request, principal: Principal): Promise<Response> => {
    const body = request.method === 'POST' ? await readBody(request.clone(), maxBody) : undefined
    if (body instanceof Response) return body
    if (!(await isLegacyRequest(request, body?.json)))
      return modern.fetch(request, { authInfo: authOf(principal), ...(body ? { parsedBody: body.json } : {}) })
    const id = request.headers.get('mcp-session-id')
    if (id === null && isInitialize(body?.json)) return open(request, body?.json, principal)
    const known = id === null ? undefined : sessions.get(id)
    // Another caller's session looks like one that doesn't exist.
    if (id !== null && known?.owner !== principal.id) return errorAnswer(404, -32001, 'Session not found')
    if (!known) return errorAnswer(400, -32000, 'Bad Request: send initialize first, then Mcp-Session-Id')
    known.lastUse = Date.now()
    return known.transport.handleRequest(request, {
      authInfo: authOf(principal),
      ...(body ? { parsedBody: body.json } : {}),
    })
  }

  return {
    fetch,
    async close() {
      const open = [...sessions.values()]
      sessions.clear()
      await publishing?.then((stop) => stop(), onError)
      await Promise.all([modern.close(), ...open.map(({ transport }) => transport.close())])
    },
  }
}

/** Publishes what a shared object says by itself to clients of 2026-07-28 that listen. */
async function publishChanges(
  served: ServedMcpServer,
  notify: ReturnType<typeof createMcpHandler>['notify'],
): Promise<() => void> {
  const link = await connectToInstance(served, ({ method = '', params }) => {
    if (method === 'notifications/resources/updated') notify.resourceUpdated(String(params?.['uri']))
    else if (Object.hasOwn(NOTICES, method)) notify[NOTICES[method as keyof typeof NOTICES]]() // it is one of its keys
  })
  return () => link.close()
}

/** The oldest idle sessions end first: of this caller, then of anyone. */
function makeRoom(sessions: Map<string, OpenSession>, owner: string): void {
  const end = (id: string, { transport }: OpenSession) => {
    sessions.delete(id)
    void transport.close()
  }
  for (const [id, session] of sessions) if (Date.now() - session.lastUse > IDLE_MS) end(id, session)
  const oldest = (of: (session: OpenSession) => boolean) =>
    [...sessions].filter(([, session]) => of(session)).sort(([, a], [, b]) => a.lastUse - b.lastUse)
  const own = oldest((session) => session.owner === owner)
  if (own.length >= MOST_OF_ONE && own[0]) end(...own[0])
  const [first] = sessions.size >= MOST_SESSIONS ? oldest(() => true) : []
  if (first) end(...first)
}

function isInitialize(message: unknown): boolean {
  return isObject(message) && message['method'] === 'initialize'
}

/** What isn't JSON by its type is left to the library, which knows what to answer. */
async function readBody(request: Request, maxBody: number): Promise<{ json: unknown } | Response | undefined> {
  if (!isJsonContentType(request.headers.get('content-type'))) return undefined
  const read = await readRequestBody(request, maxBody)
  if (read.tooLarge) return errorAnswer(413, -32000, `Payload too large: at most ${maxBody} bytes`)
  try {
    return { json: JSON.parse(read.text) }
  } catch {
    return errorAnswer(400, -32700, 'Parse error: Invalid JSON')
  }
}

function errorAnswer(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
