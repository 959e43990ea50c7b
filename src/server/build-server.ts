/** Puts the server together: hub, guard, routes, streams; starts it and ends it in order. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createHub } from '../hub/create-hub.js'
import type { HubStore } from '../hub/log/log-store.js'
import type { LocalAgents, Sessions } from '../hub/sessions.js'
import { homeFolder } from '../platform/home.js'
import type { Options } from '../protocol/options.js'
import { configFolder } from '../sessions/transcript-paths.js'
import { AccessTokens, MIN_TOKEN_LENGTH, type TokenStorage } from './access/access-tokens.js'
import { AllowedRootFolders } from './access/allowed-root-folders.js'
import { AuditLog } from './access/audit-log.js'
import { FailedTokenGuard } from './access/failed-tokens.js'
import { RequestGuard } from './access/request-guard.js'
import { OPERATIONS } from './api/operation-table.js'
import { EventReaders } from './events/event-readers.js'
import { EventSockets } from './events/event-sockets.js'
import { createHttpApp, createOperationPathCheck } from './http-app.js'
import { ServedMcpSessions } from './mcp/served-sessions.js'
import { type PostSender, sendPost } from './notify/send-post.js'
import { userNotificationOf } from './notify/user-notifications.js'
import { createListener } from './request-listener.js'
import { ServerContext } from './server-context.js'
import { ServerLog } from './server-log.js'
import { ServerMetrics } from './server-metrics.js'

/** What `createServer()` takes. */
export type ServerOptions = {
  /** Where to listen. Default: 127.0.0.1, and port 4141; 0 takes a free one. */
  host?: string
  /** The port; 0 takes a free one. */
  port?: number
  /** Needed to listen elsewhere than on this machine: nothing here is encrypted. */
  allowRemote?: boolean
  /** Default: one that is made on first start and kept in a file that only you can read. */
  token?: string
  /** Sessions work in these folders and below. Default: the current one. */
  roots?: string[]
  /** Names the server is called by beside its address, as in the header `Host`: with the port, if there is one. */
  allowHosts?: string[]
  /** Pages of other origins that may call, such as `https://desk.example`. */
  allowOrigins?: string[]
  /** For every agent. */
  options?: Options
  /** How long an ask waits, in milliseconds, before it counts as denied. Default: no limit. */
  askTimeoutMs?: number
  /**
   * Addresses that receive a signed request when a session needs a user, ends, or fails. `POST /v1/webhooks` adds
   * others.
   */
  webhooks?: string[]
  /** Contact for push services: a `mailto:` address or a page. */
  pushContact?: string
  /** How long a client may take to send the head of a request; six times as long for all of it. Default: 10 s. */
  headersTimeoutMs?: number
  /** Where tokens and the audit log are kept. Default: `server` beside the settings of the user. */
  folder?: string
  /** Bytes of a request. Default: 20 MB. */
  maxBody?: number
  /** Default: 2000, 500, 1000 and 200. */
  maxConnections?: number
  /** How many sessions may be open at once. */
  maxOpenSessions?: number
  /** How many event streams there may be. */
  maxReaders?: number
  /** How many of them for one session. */
  maxReadersPerSession?: number
  /** Receives the log, line by line. Default: no log. */
  log?: (line: string) => void
}

/** A server that was made and can be started, or put into an HTTP server of your own. */
export type KedgeServer = {
  /** For the server of your own program: `http.createServer(server.listener)`. */
  listener(request: IncomingMessage, response: ServerResponse): void
  /** And for its WebSockets: `http.on('upgrade', server.upgrade)`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Takes up what an earlier process left. `listen` does it. */
  start(): Promise<void>
  /** Listens on a port. */
  listen(): Promise<{ url: string; port: number }>
  /** Takes nothing new, gives running turns time to end, then ends everything. Asks and prompts stay stored. */
  close(drain?: {
    /** How long running turns may take to end. */
    seconds?: number
  }): Promise<void>
  /** The token that may do everything. */
  readonly token: string
  /** The token is in it, unless you gave one. */
  readonly tokenFile: string
}

export type ServerParts = {
  /** Where logs are kept, if not beside the transcripts. */
  store?: HubStore
  /** Sends webhooks and push messages. */
  post?: PostSender
  /** The hub of a program that has one already, or of many machines. */
  hub?: Sessions
  /** The agents of that hub; left out: they run on other machines. */
  agents?: LocalAgents
  /** Token storage that several nodes share. */
  tokens?: TokenStorage
  /** Why it can't serve now; undefined: it can. */
  problem?(): Promise<string | undefined>
  /** Beside its own. */
  metrics?(): Promise<string>
}

/** For connections to end by themselves. */
const PATIENCE_MS = 500
export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 4141
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']
export function buildServer(
  given: ServerOptions,
  { store, post = sendPost, hub: shared, agents: sharedAgents, tokens: storage, problem, metrics }: ServerParts = {},
): KedgeServer {
  const {
    host = DEFAULT_HOST,
    port = DEFAULT_PORT,
    roots = [process.cwd()],
    allowHosts = [],
    allowOrigins = [],
  } = given
  checkOptions(given, host)
  const { env } = process
  const folder = given.folder ?? join(configFolder(env, homeFolder(env)), 'server')
  const log = new ServerLog(given.log ?? (() => {}))
  const tokens = new AccessTokens({ folder, token: given.token, now: Date.now, storage })
  log.hide(tokens.token)
  const { hub, agents }: HubToServe = shared ? { hub: shared, agents: sharedAgents } : createOwnHub(given, store)
  const { maxReaders = 1000, maxReadersPerSession = 200, maxOpenSessions = 500, maxBody = 20_000_000 } = given
  const context = new ServerContext({
    hub,
    agents,
    tokens,
    log,
    maxOpenSessions,
    roots: new AllowedRootFolders(roots, { areRemote: agents === undefined }),
    metrics: new ServerMetrics(),
    maxBody,
    options: given.options ?? {},
    folder,
    post,
    embedders: allowOrigins,
    contact: given.pushContact ?? 'mailto:nobody@example.com',
    readers: new EventReaders({ maxReaders, maxReadersPerSession }),
    audit: new AuditLog(folder),
  })
  let hosts = new Set(allowHosts.map((name) => name.toLowerCase()))
  const guard = new RequestGuard({
    tokens,
    failures: new FailedTokenGuard(Date.now),
    hosts: () => hosts,
    origins: new Set(allowOrigins),
  })
  const mcp = new ServedMcpSessions(context)
  const more = { ...(problem ? { problem } : {}), ...(metrics ? { metrics } : {}) }
  const app = createHttpApp({ server: context, guard, log, operations: OPERATIONS, mcp, ...more })
  const listener = createListener({ app, guard, server: context, log, isRoute: createOperationPathCheck(OPERATIONS) })
  const sockets = new EventSockets({ server: context, guard, log })
  const over = new AbortController()
  let http: Server | undefined
  let starting: Promise<void> | undefined

  const start = async () => {
    // A server with its own hub resumes what earlier processes left.
    if (!shared) await agents?.recover()
    const after = await hub.last()
    void watch(after)
    await context.webhooks.start(given.webhooks ?? [])
  }
  /** Counts what happens. */
  const watch = async (after: number) => {
    try {
      for await (const item of hub.read('all', { after, signal: over.signal })) {
        if (context.isImported(item)) continue
        context.metrics.noteEntry(item)
        const notice = userNotificationOf(item)
        if (notice) context.push.tell(notice)
      }
    } catch (error) {
      if (!over.signal.aborted) log.error('the stream over all sessions failed', error)
    }
  }

  const server: KedgeServer = {
    listener,
    upgrade: (request, socket, head) => sockets.upgrade(request, socket, head),
    start: () => (starting ??= start()),
    async listen() {
      await server.start()
      http = makeHttpServer(given, listener)
      http.on('upgrade', server.upgrade)
      const listening = http
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject)
        listening.listen(port, host, resolve)
      })
      const { port: taken } = listening.address() as AddressInfo // it listens on a port
      const names = LOOPBACK.includes(host) ? [host, 'localhost'] : [host]
      const shown = names.map((name) => (name.includes(':') ? `[${name}]` : name))
      hosts = new Set([...hosts, ...shown.map((name) => `${name}:${taken}`)])
      if (taken === 80) hosts = new Set([...hosts, ...shown])
      log.info('listening', { host, port: taken })
      return { url: `http://${shown[0]}:${taken}`, port: taken }
    },
    async close({ seconds = 0 } = {}) {
      context.isDraining = true
      log.info('draining', { seconds })
      const until = Date.now() + seconds * 1000
      while (Date.now() < until && (await agents?.statuses())?.includes('running'))
        await new Promise((resolve) => setTimeout(resolve, 50))
      over.abort()
      context.push.end()
      context.webhooks.end()
      context.readers.end()
      sockets.end()
      context.acp.end()
      await mcp.end()
      await hub.end()
      context.metrics.end()
      if (!http) return
      await closeConnections(http, sockets)
      log.info('ended')
    },
    token: tokens.token,
    tokenFile: tokens.file,
  }
  return server
}

type HubToServe = { hub: Sessions; agents: LocalAgents | undefined }

function createOwnHub({ options = {}, askTimeoutMs }: ServerOptions, store: HubStore | undefined): HubToServe {
  const hub = createHub({
    all: true,
    keepAsks: true,
    options,
    ...(askTimeoutMs === undefined ? {} : { askTimeoutMs }),
    ...(store ? { store } : {}),
  })
  return { hub, agents: hub }
}

/** Lets answers that are on their way arrive; cuts the other connections off. */
async function closeConnections(http: Server, sockets: EventSockets): Promise<void> {
  const closed = new Promise((resolve) => http.close(resolve))
  const idle = setInterval(() => http.closeIdleConnections(), 20)
  const patience = setTimeout(() => {
    sockets.cutOff()
    http.closeAllConnections()
  }, PATIENCE_MS)
  await closed
  clearInterval(idle)
  clearTimeout(patience)
}

/** Cuts off clients that are slow to send their request. */
function makeHttpServer(
  { headersTimeoutMs = 10_000, maxConnections = 2000 }: ServerOptions,
  listener: KedgeServer['listener'],
): Server {
  const connectionsCheckingInterval = Math.min(2000, headersTimeoutMs)
  const http = createHttpServer({ maxHeaderSize: 16_384, connectionsCheckingInterval }, listener)
  http.headersTimeout = headersTimeoutMs
  http.requestTimeout = 6 * headersTimeoutMs
  http.keepAliveTimeout = 10_000
  http.maxHeadersCount = 100
  http.maxConnections = maxConnections
  return http
}

function checkOptions({ token, allowRemote = false }: ServerOptions, host: string): void {
  if (token !== undefined && (token.length < MIN_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(token)))
    throw new Error(`The token must have at least ${MIN_TOKEN_LENGTH} characters, without spaces.`)
  if (LOOPBACK.includes(host)) return
  if (token === undefined) throw new Error(`Listening on ${host} needs --token and --allow-remote.`)
  if (!allowRemote)
    throw new Error(
      `Listening on ${host} lets others on the network read everything, because nothing is encrypted here. Put a proxy with TLS in front of 127.0.0.1 instead, or say --allow-remote.`,
    )
}
