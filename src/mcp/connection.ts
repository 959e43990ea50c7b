/**
 * One server over the life of a session: pending, then connected, failed or needs-auth; disabled and back. A server that
 * was connected and went away is looked for again, each time a little later; one that never answered is not.
 */
import type { Clock } from '../platform/clock.js'
import type { JsonObject } from '../protocol/json.js'
import { cleanLine } from './clean-text.js'
import { handshake, type Offer, type ServerFacts } from './handshake.js'
import { McpError, messageOf } from './mcp-error.js'
import { createRpc, type RequestOptions, type Rpc, type RpcPorts } from './rpc.js'
import type { ServerConfig } from './server-config.js'
import type { Listed } from './server-lists.js'
import type { McpTransport } from './server-wire.js'

export type Status = 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled'

/** What a host said beforehand about one of its own servers, so that nobody has to ask. */
export type Manifest = { initializeResult?: object; toolsListResult?: object }

export type ConnectionPorts = {
  clock: Clock
  open(config: ServerConfig): McpTransport
  onRequest: RpcPorts['onRequest']
  /** Its status, or something it offers, is no longer what it was. */
  onChange(): void
  onLog(params: JsonObject): void
  onNote(text: string): void
  connectTimeoutMs: number
  handshake: { capabilities: JsonObject; clientInfo: { name: string; version: string } }
}

export type Connection = ReturnType<typeof createConnection>

/** After the n-th loss in a row. */
const BACKOFF_MS = [0, 1000, 2000, 4000, 8000]
/** Connected for so long, it counts as well again. */
const STABLE_MS = 30_000
const MAX_ERROR = 2000

export function createConnection(config: ServerConfig | { problem: string }, ports: ConnectionPorts) {
  const { clock } = ports
  let status: Status = 'pending'
  let error: string | undefined
  let auth: object | undefined
  let rpc: Rpc | undefined
  let facts: ServerFacts | undefined
  let offer: Offer = { tools: [], prompts: [], resources: [], templates: [] }
  /** Grows with every attempt: what an older one still has to say is nobody's business. */
  let attempt = 0
  let markBegun: (settled: Promise<void>) => void = () => {}
  /** Whoever waits for a server that nobody has greeted yet waits for that. */
  let settled = new Promise<void>((resolve) => {
    markBegun = resolve
  })
  let losses = 0
  let connectedAt = 0
  let stopWaiting = () => {}
  let closing: Promise<void> = Promise.resolve()
  /** What is being listed anew. */
  const listing = new Map<string, { again: boolean }>()

  const become = (next: Status, why?: string, details?: object) => {
    status = next
    error = why?.slice(0, MAX_ERROR)
    auth = details
    // While it comes back its tools stay on offer: who calls one waits.
    if (next !== 'connected' && next !== 'pending') offer = { tools: [], prompts: [], resources: [], templates: [] }
    ports.onChange()
  }

  /** Ends a connection, if there is one; `closing` is for whoever has to know that it is over. */
  const drop = (old: Rpc | undefined, reason: string) => {
    if (old === rpc) rpc = undefined
    if (old) closing = Promise.all([closing, old.close(reason)]).then(() => undefined)
  }

  const leave = (reason: string): Promise<void> => {
    attempt += 1
    stopWaiting()
    drop(rpc, reason)
    return closing
  }

  const connect = async (manifest?: Manifest): Promise<void> => {
    if ('problem' in config) return become('failed', `Not usable: ${config.problem}.`)
    // Turned off, or gone, before it began.
    if (status === 'disabled') return
    drop(rpc, 'The server is being connected again.')
    const mine = ++attempt
    listing.clear()
    become('pending')
    let link: Rpc | undefined
    try {
      link = createRpc(
        ports.open(config),
        {
          clock,
          onRequest: ports.onRequest,
          onNotification: (method, params) => mine === attempt && hear(method, params),
          onClosed: (reason) => mine === attempt && lost(reason),
          onNote: ports.onNote,
        },
        manifest?.toolsListResult ? 2 : 0,
      )
      rpc = link
      const timeoutMs = ports.connectTimeoutMs
      const known = await inTime(handshake(link, { ...ports.handshake, timeoutMs, manifest }), timeoutMs, clock)
      if (mine !== attempt) return drop(link, 'Nobody waits for it any more.')
      for (const note of known.notes) ports.onNote(note)
      ;({ facts, offer } = known)
      connectedAt = clock.monotonic()
      become('connected')
    } catch (problem) {
      drop(link, messageOf(problem))
      if (mine !== attempt) return
      attempt += 1
      const needsAuth = problem instanceof McpError && problem.code === 'mcp_needs_auth'
      // It was well before: it may be about to come back.
      if (losses > 0 && !needsAuth) return again(messageOf(problem))
      become(needsAuth ? 'needs-auth' : 'failed', messageOf(problem), needsAuth ? problem.auth : undefined)
    }
  }

  const begin = (manifest?: Manifest, after: Promise<void> = Promise.resolve()): void => {
    settled = after.then(() => connect(manifest))
    markBegun(settled)
  }

  /** It was connected, and is gone. */
  const lost = (reason: string) => {
    if (status !== 'connected') return
    attempt += 1
    drop(rpc, reason)
    if (clock.monotonic() - connectedAt > STABLE_MS) losses = 0
    settled = again(reason)
  }

  /** Resolves when it is back, or was given up. */
  const again = async (reason: string): Promise<void> => {
    const wait = BACKOFF_MS[losses]
    losses += 1
    if (wait === undefined) {
      return become('failed', `${reason.replace(/\.?$/, '.')} It was tried ${BACKOFF_MS.length} times more.`)
    }
    become('pending', reason)
    const mine = attempt
    await new Promise<void>((resolve) => {
      const cancel = clock.after(wait, resolve)
      stopWaiting = () => {
        cancel()
        resolve()
      }
    })
    if (mine === attempt) await connect()
  }

  /** Lists again; a change that is announced meanwhile makes it look once more. */
  const relist = async (kind: 'tools' | 'prompts' | 'resources', mine: number) => {
    const running = listing.get(kind)
    if (running) {
      running.again = true
      return
    }
    const state = { again: false }
    listing.set(kind, state)
    do {
      state.again = false
      await refresh(() => facts?.list(kind, rpc), mine)
    } while (state.again && mine === attempt)
    if (listing.get(kind) === state) listing.delete(kind)
  }
  const refresh = async (list: () => Promise<Listed<Partial<Offer>>> | undefined, mine: number) => {
    const found = await list()?.catch((problem: unknown) => ({ entries: [], notes: [messageOf(problem)] }))
    if (!found || mine !== attempt) return
    for (const part of found.entries) offer = { ...offer, ...part }
    for (const note of found.notes) ports.onNote(note)
    if (found.entries.length > 0) ports.onChange()
  }

  const hear = (method: string, params: JsonObject) => {
    const [, kind] = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method) ?? []
    if (kind === 'tools' || kind === 'prompts' || kind === 'resources') void relist(kind, attempt)
    else if (method === 'notifications/message') ports.onLog(params)
  }

  return {
    config: 'problem' in config ? undefined : config,
    begin,
    /** Resolves when it is no longer pending, whatever became of it. */
    settled: () => settled,
    status: () => status,
    error: () => error,
    auth: () => auth,
    serverInfo: () => facts?.serverInfo,
    offer: () => offer,
    hasResources: () => (status === 'connected' || status === 'pending') && facts?.hasResources === true,
    /** A message of the server that came by another way: the host sent it. */
    receive: (message: unknown) => rpc?.receive(message),
    /** Waits for a server that is on its way. Rejects with an `McpError`. */
    async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
      // It may have to be started more than once.
      for (let tries = 0; status === 'pending' && tries < BACKOFF_MS.length; tries += 1) {
        if (options.signal?.aborted) throw new McpError('mcp_cancelled', 'Cancelled while the server was starting.')
        await untilAborted(settled, options.signal)
      }
      if (status !== 'connected' || !rpc) {
        const why = status === 'disabled' ? 'The server is disabled.' : (error ?? 'The server is not connected.')
        throw new McpError('mcp_closed', cleanLine(why, 1000))
      }
      const mine = attempt
      return rpc.request(method, params, options).catch((problem: unknown) => {
        if (mine === attempt && problem instanceof McpError) {
          if (problem.code === 'mcp_session_lost') lost(problem.message)
          if (problem.code === 'mcp_needs_auth') {
            void leave(problem.message)
            become('needs-auth', problem.message, problem.auth)
          }
        }
        throw problem
      })
    },
    async reconnect(): Promise<void> {
      losses = 0
      begin(undefined, leave('The server is being connected again.'))
      become('pending')
      await settled
    },
    async disable(): Promise<void> {
      const left = leave('The server was disabled.')
      become('disabled')
      await left
    },
    /** Resolves when nothing of it runs. */
    async close(): Promise<void> {
      const left = leave('The server was removed.')
      become('disabled', 'The server was removed.')
      markBegun(left)
      await left
    },
  }
}

async function inTime<T>(work: Promise<T>, ms: number, clock: Clock): Promise<T> {
  const done = await clock.atMost(
    ms,
    work.then((value) => ({ value })),
  )
  if (!done) throw new McpError('mcp_timeout', `The server was not ready within ${ms / 1000} s (MCP_TIMEOUT).`)
  return done.value
}

function untilAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
    void promise.then(done)
  })
}
