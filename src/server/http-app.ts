/**
 * The routes, made from the table of operations. Each request goes through authentication, authorization, and input
 * checks before its operation runs.
 */
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as HonoContext } from 'hono'
import { type Caller, hasScope } from './access/access-tokens.js'
import { loggedName } from './access/logged-path.js'
import type { RequestGuard } from './access/request-guard.js'
import { createOperationInputReader, type OperationInputReader } from './api/check-input.js'
import { PAGE_STYLE } from './api/docs-page.js'
import { listPathParamNames, type Operation } from './api/operation.js'
import { HttpProblem, problemResponse, toProblem } from './api/problems.js'
import { APP_FRAME_PATH } from './mcp/app-frames.js'
import type { ServedMcpSessions } from './mcp/served-sessions.js'
import { createWebAppFileResponder } from './page-files.js'
import type { ServerContext } from './server-context.js'
import type { LoggedRequestFields, ServerLog } from './server-log.js'
import { toUniversalProblemUrn } from './universal/universal-problems.js'

type Env = { Bindings: HttpBindings & { note: LoggedRequestFields } }

export type HttpAppOptions = {
  server: ServerContext
  guard: RequestGuard
  log: ServerLog
  operations: readonly Operation[]
  mcp: ServedMcpSessions
  problem?(): Promise<string | undefined>
  metrics?(): Promise<string>
}

/** The web app, and the elements for other pages. */
const PAGE_PATHS = [
  ...['/', '/assets/:name', '/icon.svg', '/manifest.webmanifest', '/service-worker.js'],
  ...['/elements.js', '/elements/:name'],
]

/** Sessions as the tools of an MCP server. */
export const MCP_PATH = '/mcp'

export function createHttpApp(options: HttpAppOptions): Hono<Env> {
  const { server, guard, operations } = options
  const app = new Hono<Env>({ strict: true })
  const page = createWebAppFileResponder()
  for (const path of PAGE_PATHS) app.get(path, (c) => page(c.req.path, (name) => c.req.header(name)) ?? c.notFound())
  app.get('/page.css', (c) => c.body(PAGE_STYLE, 200, { 'content-type': 'text/css' }))
  app.get('/healthz', (c) => c.text('ok\n'))
  app.get('/readyz', async (c) => {
    const problem = server.isDraining ? 'draining' : await options.problem?.()
    return problem === undefined ? c.text('ok\n') : c.text(`${problem}\n`, 503)
  })
  app.get('/metrics', async (c) => {
    const caller = await guard.caller(c.env.incoming)
    if (!hasScope(caller, 'read') || caller.sessions)
      throw new HttpProblem('forbidden_scope', 'This needs a token for all.')
    const [states, asks] = await Promise.all([server.agents?.statuses() ?? [], server.hub.asks()])
    const text = server.metrics.text({ states, asks, readers: server.readers.count, now: Date.now() })
    const more = (await options.metrics?.()) ?? ''
    return c.body(text + more, 200, { 'content-type': 'text/plain; version=0.0.4' })
  })
  app.get(`${APP_FRAME_PATH}:ticket`, (c) => server.appFrames.take(c.req.path) ?? c.text('', 404))
  app.all(MCP_PATH, async (c) => {
    const caller = await guard.caller(c.env.incoming)
    c.env.note.token = caller.id
    return options.mcp.fetch(c.req.raw, caller)
  })
  for (const operation of operations) {
    const check = createOperationInputReader(operation)
    app.on(operation.method.toUpperCase(), operation.path.replace(/\{(\w+)\}/g, ':$1'), (c) =>
      perform(operation, check, c, options),
    )
  }
  app.notFound(async (c) => {
    await guard.caller(c.env.incoming)
    const allow = operations.filter(({ path }) => fits(path, c.req.path)).map(({ method }) => method.toUpperCase())
    if (allow.length === 0) throw new HttpProblem('not_found', 'There is nothing at this path.')
    const headers = { allow: allow.join(', ') }
    throw new HttpProblem('method_not_allowed', `${c.req.method.slice(0, 20)} is not possible here.`, { headers })
  })
  app.onError((error, c) => {
    const { note } = c.env
    const problem = toProblem(error, note.id)
    if (problem.status === 500) options.log.error('request failed', error, note.id)
    return problemResponse(
      problem,
      c.req.path.startsWith('/universal/') ? toUniversalProblemUrn(problem.code) : undefined,
    )
  })
  return app
}

/** The caller of an operation that is the same for everyone. */
const ANONYMOUS: Caller = { id: '', name: '', scopes: ['read'] }

async function callerOf({ scope }: Operation, guard: RequestGuard, { incoming, note }: Env['Bindings']) {
  if (scope === 'none') return ANONYMOUS
  const caller = await guard.caller(incoming)
  note.token = caller.id
  if (!hasScope(caller, scope)) throw new HttpProblem('forbidden_scope', `This needs the scope ${scope}.`)
  return caller
}

async function perform(
  operation: Operation,
  check: OperationInputReader,
  c: HonoContext<Env>,
  { server, guard, log }: HttpAppOptions,
): Promise<Response> {
  const { incoming, note } = c.env
  const caller = await callerOf(operation, guard, c.env)
  const { searchParams } = new URL(incoming.url ?? '/', 'http://server')
  const params = Object.fromEntries(listPathParamNames(operation.path).map((name) => [name, c.req.param(name) ?? '']))
  const input = await check({ params, search: searchParams, incoming }, server.maxBody)
  if (!operation.isFinal) server.checkNotDraining()
  if (operation.isLocal && !server.agents)
    throw new HttpProblem('not_on_cluster', 'Files of this session are on the machine of its worker.')
  const { session } = input.params
  const audit = (status: number) => {
    if (operation.method === 'get' || operation.id === 'explainPermission') return
    const { session: _, ...others } = input.params
    const what = Object.values(others)
      .map((name) => loggedName(name, server.tokens.token))
      .join(' ')
    try {
      server.audit.add({
        at: new Date().toISOString(),
        token: caller.id,
        name: caller.name,
        operation: operation.id,
        status,
        ...(session === undefined ? {} : { session }),
        ...(what === '' ? {} : { what }),
      })
    } catch (error) {
      log.error('audit failed', error, note.id)
    }
  }
  try {
    if (session !== undefined) await server.use(caller, session)
    const result = await operation.run(input, { server, caller, request: incoming, requestId: note.id })
    const { status } = operation.answer
    audit(status)
    if (result instanceof Response) return result
    return status === 204 ? new Response(null, { status }) : Response.json(result, { status })
  } catch (error) {
    audit(toProblem(error, note.id).status)
    throw error
  }
}

/** Whether a request of any method can be for it. */
export function createOperationPathCheck(operations: readonly Operation[]): (path: string) => boolean {
  return (path) =>
    path === MCP_PATH ||
    /^\/(?:assets|elements)\//.test(path) ||
    operations.some((operation) => fits(operation.path, path))
}

function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, n) => part.startsWith('{') || part === given[n])
}
