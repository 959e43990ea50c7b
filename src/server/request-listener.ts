/** The first to see a request and the last to see its answer: headers every answer has, what is refused unseen, the log. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { loggedPath } from './access/logged-path.js'
import type { RequestGuard } from './access/request-guard.js'
import { type HttpProblem, toProblem } from './api/problems.js'
import type { createHttpApp } from './http-app.js'
import { APP_FRAME_PATH } from './mcp/app-frames.js'
import type { ServerContext } from './server-context.js'
import type { LoggedRequestFields, ServerLog } from './server-log.js'

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Nothing from elsewhere, no script or style in markup, and no text that becomes markup: the browser itself refuses it.
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; manifest-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types kedge",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export type ListenerParts = {
  app: ReturnType<typeof createHttpApp>
  guard: RequestGuard
  server: ServerContext
  log: ServerLog
  /** Whether it is a path of the API. */
  isRoute(path: string): boolean
}

export function createListener({ app, guard, server, log, isRoute }: ListenerParts) {
  const notes = new WeakMap<object, LoggedRequestFields>()
  const answer = getRequestListener(
    (request, bindings) => app.fetch(request, { ...bindings, note: notes.get(bindings.incoming) }),
    { overrideGlobalObjects: false },
  )
  return (request: IncomingMessage, response: ServerResponse): void => {
    const note: LoggedRequestFields = { id: randomUUID() }
    const since = performance.now()
    response.once('close', () => noteEnd(request, response, { note, since, server, log, isRoute }))
    for (const [name, value] of Object.entries({ ...HEADERS, 'x-request-id': note.id })) response.setHeader(name, value)
    // Its own policy says which pages can frame it.
    if (request.url?.startsWith(APP_FRAME_PATH)) response.removeHeader('x-frame-options')
    try {
      guard.checkPlace(request)
      if (answerOrigin(request, response, guard)) return
    } catch (error) {
      refuse(response, toProblem(error, note.id))
      return
    }
    notes.set(request, note)
    void answer(request, response)
  }
}

/** A page elsewhere that may call. True: it was only asked whether it may. */
function answerOrigin(request: IncomingMessage, response: ServerResponse, guard: RequestGuard): boolean {
  const { origin } = request.headers
  if (!guard.isForeignOrigin(origin)) return false
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
  response.setHeader('cross-origin-resource-policy', 'cross-origin')
  response.setHeader('access-control-expose-headers', 'mcp-session-id')
  if (request.method !== 'OPTIONS') return false
  const own = 'authorization, content-type, last-event-id'
  const ofMcp = 'mcp-session-id, mcp-protocol-version, mcp-method, mcp-name'
  response.setHeader('access-control-allow-headers', `${own}, ${ofMcp}`)
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
  response.writeHead(204).end()
  return true
}

type Noted = Pick<ListenerParts, 'server' | 'log' | 'isRoute'> & { note: LoggedRequestFields; since: number }

function noteEnd(
  { method = '', url = '' }: IncomingMessage,
  { statusCode: status }: ServerResponse,
  { note, since, server, log, isRoute }: Noted,
): void {
  server.metrics.noteRequest(KNOWN_METHODS.includes(method) ? method : 'other', status)
  const path = loggedPath(url, server.tokens.token, isRoute)
  const { id, token } = note
  const ms = Math.round(performance.now() - since)
  log.info('request', { id, method: method.slice(0, 20), path, status, ms, ...(token ? { token } : {}) })
}

function refuse(response: ServerResponse, problem: HttpProblem): void {
  const headers = { 'content-type': 'application/problem+json', connection: 'close', ...problem.headers }
  response.writeHead(problem.status, headers).end(JSON.stringify(problem.toJson()))
}
