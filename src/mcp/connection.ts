/**
 * One server over the life of a session: pending, then connected, failed or needs-auth; disabled and back. A server that
 * was connected and went away is looked for again, each time a little later; one that never answered is not.
 */
import type { Clock } from '../platform/clock.js'
import { raceWithAbort } from '../platform/until-aborted.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import { messageOf } from '../protocol/thrown.js'
import { cleanServerLine } from './clean-text.js'
import { initializeMcpServer, listsOf, type PresuppliedServerManifest, type ServerFacts } from './handshake.js'
import { type ListedKind, type ListKind, listKind, type ServerToolsAndResources } from './lists/list-offer.js'
import { createListRefresher } from './lists/refresh-lists.js'
import { createServerOffer, type ServerOffer } from './lists/server-offer.js'
import { McpError } from './mcp-error.js'
import { createLiveQuestions } from './questions/live-questions.js'
import { createRpc, type McpRequestOptions, type Rpc, type RpcPorts } from './rpc.js'
import type { ServerConfig } from './server-config.js'
import { listenForListChanges } from './stateless/list-changes.js'
import { type ParamHeader, paramHeaders } from './stateless/param-headers.js'
import { STATELESS_ERROR_CODES } from './stateless/stateless-revision.js'
import type { McpTransport } from './transports/mcp-transport.js'

export type { PresuppliedServerManifest } from './handshake.js'

export type ConnectionStatus = 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled'

export type ConnectionPorts = {
  clock: Clock
  open(config: ServerConfig): McpTransport
  onRequest: RpcPorts['onRequest']
  /** Its status, or something it offers, is no longer what it was. */
  onChange(): void
  onLog(params: JsonObject): void
  /** What its user was sent to a page for is done. */
  onPageDone(elicitationId: string): void
  onNote(text: string): void
  connectTimeoutMs: number
  handshake: { capabilities: JsonObject; clientInfo: { name: string; version: string }; logLevel?: string }
}

/** After the n-th loss in a row. */
const BACKOFF_MS = [0, 1000, 2000, 4000, 8000]
/** Connected for so long, it counts as well again. */
const STABLE_MS = 30_000
const MAX_ERROR = 2000

export class Connection {
  readonly config: ServerConfig | undefined
  readonly #problem: string | undefined
  readonly #ports: ConnectionPorts
  #status: ConnectionStatus = 'pending'
  #error: string | undefined
  #auth: object | undefined
  #rpc: Rpc | undefined
  #facts: ServerFacts | undefined
  readonly #offer: ServerOffer
  /** Grows with every attempt: what an older one still has to say no longer counts. */
  #attempt = 0
  #markBegun: (settled: Promise<void>) => void = () => {}
  /** Resolves when the connection is settled, even for callers that started to wait before `begin()`. */
  #settled = new Promise<void>((resolve) => {
    this.#markBegun = resolve
  })
  #losses = 0
  #connectedAt = 0
  #stopWaiting = () => {}
  #refresh: ((kind: ListKind) => Promise<void>) | undefined
  #closing: Promise<void> = Promise.resolve()
  readonly #live: ReturnType<typeof createLiveQuestions>
  /** Asked which revisions it speaks: no host's own server, none behind the older SSE, and none that ended when asked. */
  #discovers: boolean

  constructor(config: ServerConfig | { problem: string }, ports: ConnectionPorts) {
    this.config = 'problem' in config ? undefined : config
    this.#problem = 'problem' in config ? config.problem : undefined
    this.#ports = ports
    this.#offer = createServerOffer(ports.clock)
    this.#discovers = hasNewerRevisions(this.config)
    this.#live = createLiveQuestions(ports.onRequest)
  }

  /** Resolves when it is no longer pending, whatever became of it. */
  settled(): Promise<void> {
    return this.#settled
  }
  status(): ConnectionStatus {
    return this.#status
  }
  error(): string | undefined {
    return this.#error
  }
  auth(): object | undefined {
    return this.#auth
  }
  instructions(): string {
    return this.#facts?.instructions ?? ''
  }

  serverInfo(): ServerFacts['serverInfo'] | undefined {
    return this.#facts?.serverInfo
  }
  offer(): ServerToolsAndResources {
    return this.#offer.current()
  }
  /** Lists whose time, by the server's own word, is over are read again; nobody waits for it. */
  refreshStale(): void {
    if (this.#status === 'connected') for (const kind of this.#offer.stale()) void this.#refresh?.(kind)
  }
  hasResources(): boolean {
    return (this.#status === 'connected' || this.#status === 'pending') && this.#facts?.hasResources === true
  }
  /** Whether it completes arguments. */
  completes(): boolean {
    return this.#facts !== undefined && isObject(this.#facts.capabilities['completions'])
  }
  /** A message of the server that came by another way: the host sent it. */
  receive(message: unknown): void {
    this.#rpc?.receive(message)
  }

  begin(manifest?: PresuppliedServerManifest, after: Promise<void> = Promise.resolve()): void {
    this.#settled = after.then(() => this.#connect(manifest))
    this.#markBegun(this.#settled)
  }

  /** Waits for a server that is on its way. Rejects with an `McpError`. */
  async request(method: string, params: JsonObject, options: McpRequestOptions): Promise<JsonObject> {
    // It may have to be started more than once.
    for (let tries = 0; this.#status === 'pending' && tries < BACKOFF_MS.length; tries += 1) {
      if (options.signal?.aborted) throw new McpError('mcp_cancelled', 'Canceled while the server was starting.')
      await raceWithAbort(options.signal, () => undefined, this.#settled)
    }
    if (this.#status !== 'connected' || !this.#rpc) {
      const isDisabled = this.#status === 'disabled'
      const why = isDisabled ? 'The server is disabled.' : (this.#error ?? 'The server is not connected.')
      throw new McpError('mcp_closed', cleanServerLine(why, 1000))
    }
    const attempt = this.#attempt
    const endCall = this.#live.begin(method, params, options)
    return this.#send(this.#rpc, method, params, options)
      .catch((problem: unknown) => {
        if (attempt === this.#attempt && problem instanceof McpError) this.#learnFrom(problem)
        throw problem
      })
      .finally(endCall)
  }

  /** Answers a question that a task of the server waits for. */
  answerInput(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    return this.#ports.onRequest(method, params, signal)
  }

  /** A call of a tool has headers, where its server wants some; if it finds others missing, its tools are listed once more. */
  async #send(rpc: Rpc, method: string, params: JsonObject, options: McpRequestOptions): Promise<JsonObject> {
    const send = () => {
      const declared = method === 'tools/call' && rpc.isStateless() ? this.#paramHeadersOf(params['name']) : []
      if (declared.length === 0) return rpc.request(method, params, options)
      return rpc.request(method, params, { ...options, headers: paramHeaders(declared, params['arguments']) })
    }
    return send().catch(async (problem: unknown) => {
      const isMismatch = problem instanceof McpError && problem.refusal?.code === STATELESS_ERROR_CODES.headerMismatch
      if (method !== 'tools/call' || !isMismatch) throw problem
      await this.#refresh?.('tools')
      return send()
    })
  }

  #paramHeadersOf(name: unknown): readonly ParamHeader[] {
    return this.#offer.current().tools.find((tool) => tool.name === name)?.paramHeaders ?? []
  }

  async reconnect(): Promise<void> {
    this.#losses = 0
    this.#discovers = hasNewerRevisions(this.config)
    this.#offer.expire()
    this.begin(undefined, this.#leave('The server is being connected again.'))
    this.#become('pending')
    await this.#settled
  }

  async disable(): Promise<void> {
    const left = this.#leave('The server was disabled.')
    this.#become('disabled')
    await left
  }

  /** Resolves when nothing of it runs. */
  async close(): Promise<void> {
    const left = this.#leave('The server was removed.')
    this.#become('disabled', 'The server was removed.')
    this.#markBegun(left)
    await left
  }

  #become(next: ConnectionStatus, why?: string, details?: object): void {
    this.#status = next
    this.#error = why?.slice(0, MAX_ERROR)
    this.#auth = details
    // While it comes back its tools stay on offer: whoever calls one waits.
    if (next !== 'connected' && next !== 'pending') this.#offer.clear()
    this.#ports.onChange()
  }

  /** Ends a connection, if there is one; `#closing` is for whoever has to know that it is over. */
  #drop(old: Rpc | undefined, reason: string): void {
    if (old === this.#rpc) this.#rpc = undefined
    if (old) this.#closing = Promise.all([this.#closing, old.close(reason)]).then(() => undefined)
  }

  #leave(reason: string): Promise<void> {
    this.#attempt += 1
    this.#stopWaiting()
    this.#drop(this.#rpc, reason)
    return this.#closing
  }

  async #connect(manifest?: PresuppliedServerManifest): Promise<void> {
    if (!this.config) return this.#become('failed', `Not usable: ${this.#problem}.`)
    // Turned off, or gone, before it began.
    if (this.#status === 'disabled') return
    this.#drop(this.#rpc, 'The server is being connected again.')
    const attempt = ++this.#attempt
    this.#become('pending')
    const { clock, connectTimeoutMs: timeoutMs } = this.#ports
    let link: Rpc | undefined
    try {
      link = this.#openRpc(this.config, attempt, manifest?.toolsListResult ? 2 : 0)
      this.#rpc = link
      const known = await inTime(
        initializeMcpServer(link, {
          ...this.#ports.handshake,
          clock,
          discovers: this.#discovers,
          timeoutMs,
          manifest,
          isFresh: this.#offer.isFresh,
        }),
        timeoutMs,
        clock,
      )
      if (attempt !== this.#attempt) return this.#drop(link, 'Nobody waits for it any more.')
      for (const note of known.lists.flatMap(({ notes }) => notes)) this.#ports.onNote(note)
      this.#facts = known.facts
      // Once lost, one that is known to be older isn't asked again.
      this.#discovers = link.isStateless()
      this.#offer.take(known.lists)
      this.#connectedAt = clock.monotonic()
      this.#become('connected')
      if (link.isStateless()) this.#listen(link, known.facts.capabilities)
    } catch (problem) {
      this.#drop(link, messageOf(problem))
      if (attempt !== this.#attempt) return
      this.#attempt += 1
      if (this.#endedAtDiscovery(problem, link)) return this.#connect(manifest)
      await this.#failToConnect(problem)
    }
  }

  /** Programs written for older revisions may end at a first request they don't know: started again, they are not asked. */
  #endedAtDiscovery(problem: unknown, link: Rpc | undefined): boolean {
    const ended = problem instanceof McpError && problem.code === 'mcp_closed'
    if (!this.#discovers || !ended || this.config?.type !== 'stdio' || link?.isStateless()) return false
    this.#discovers = false
    return true
  }

  #openRpc(config: ServerConfig, attempt: number, firstId: number): Rpc {
    const { clock, onNote, onLog, onPageDone } = this.#ports
    const isCurrent = () => attempt === this.#attempt
    const refresh = createListRefresher({
      list: (kind) => this.#rpc && listKind(kind, listsOf(this.#rpc, this.#ports.connectTimeoutMs)),
      isCurrent,
      onFound: (found) => this.#takeList(found),
    })
    this.#refresh = refresh
    const onNotification = (method: string, params: JsonObject) => {
      if (!isCurrent()) return
      const kind = changedList(method)
      if (kind) void refresh(kind)
      else if (method === 'notifications/message') onLog(params)
      else if (method === 'notifications/elicitation/complete' && typeof params['elicitationId'] === 'string')
        onPageDone(params['elicitationId'])
    }
    const onClosed = (reason: string) => {
      if (isCurrent()) this.#lose(reason)
    }
    const onRequest = this.#live.answer
    return createRpc(this.#ports.open(config), { clock, onRequest, onNotification, onClosed, onNote }, firstId)
  }

  #listen(link: Rpc, capabilities: JsonObject): void {
    const refresh = async (kind: ListKind) => this.#refresh?.(kind)
    void listenForListChanges(link, { clock: this.#ports.clock, capabilities, refresh })
  }

  #takeList(found: ListedKind): void {
    for (const note of found.notes) this.#ports.onNote(note)
    if (this.#offer.take([found])) this.#ports.onChange()
  }

  async #failToConnect(problem: unknown): Promise<void> {
    const needsAuth =
      problem instanceof McpError && (problem.code === 'mcp_needs_auth' || problem.code === 'mcp_needs_scope')
    // It was well before: it may be about to come back.
    if (this.#losses > 0 && !needsAuth) return this.#tryAgain(messageOf(problem))
    this.#become(needsAuth ? 'needs-auth' : 'failed', messageOf(problem), needsAuth ? problem.auth : undefined)
  }

  /** What a failed request says about the server as a whole. */
  #learnFrom(problem: McpError): void {
    if (problem.code === 'mcp_session_lost') this.#lose(problem.message)
    if (problem.code === 'mcp_needs_auth') {
      void this.#leave(problem.message)
      this.#become('needs-auth', problem.message, problem.auth)
    }
  }

  /** It was connected, and is gone. */
  #lose(reason: string): void {
    if (this.#status !== 'connected') return
    this.#attempt += 1
    this.#drop(this.#rpc, reason)
    if (this.#ports.clock.monotonic() - this.#connectedAt > STABLE_MS) this.#losses = 0
    this.#settled = this.#tryAgain(reason)
  }

  /** Resolves when it is back, or was given up. */
  async #tryAgain(reason: string): Promise<void> {
    const wait = BACKOFF_MS[this.#losses]
    this.#losses += 1
    if (wait === undefined) {
      const tries = `It was tried ${BACKOFF_MS.length} times more.`
      return this.#become('failed', `${reason.replace(/\.?$/, '.')} ${tries}`)
    }
    this.#become('pending', reason)
    const attempt = this.#attempt
    await new Promise<void>((resolve) => {
      const cancel = this.#ports.clock.after(wait, resolve)
      this.#stopWaiting = () => {
        cancel()
        resolve()
      }
    })
    if (attempt === this.#attempt) await this.#connect()
  }
}

function hasNewerRevisions(config: ServerConfig | undefined): boolean {
  return config?.type === 'stdio' || config?.type === 'http'
}

function changedList(method: string): ListKind | undefined {
  const [, kind] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? []
  return kind === 'tools' || kind === 'prompts' || kind === 'resources' ? kind : undefined
}

async function inTime<T>(work: Promise<T>, ms: number, clock: Clock): Promise<T> {
  const done = await clock.atMost(
    ms,
    work.then((value) => ({ value })),
  )
  if (!done) throw new McpError('mcp_timeout', `The server was not ready within ${ms / 1000} s (MCP_TIMEOUT).`)
  return done.value
}
