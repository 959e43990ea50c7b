/**
 * `HttpClient` on `node:http` and `node:https`, each loaded at its first use because both cost milliseconds at start.
 * An idle connection never keeps the process alive: the agent unrefs it.
 */
import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { directNetwork } from '../network/network.js'
import type { HttpConnector } from './connection-types.js'
import { createConnector } from './connector.js'
import { type HttpClient, HttpError, type HttpRequest, type HttpResponse } from './http.js'
import { readResponseBody } from './http-body.js'

/** A connection that takes longer is one to nowhere; the system itself would try for minutes. */
const CONNECT_MS = 10_000

export function createHttpClient({ connectMs = CONNECT_MS } = {}): HttpClient {
  /** By what they are for: the protocol, the proxy on the way, the certificates. */
  const connectors = new Map<unknown, Map<string, Promise<HttpConnector>>>()
  const agents: Agent[] = []

  async function connectorFor({ url, network = directNetwork }: HttpRequest): Promise<HttpConnector> {
    const proxy = network.proxyFor(url)
    const secured = url.protocol === 'https:' || proxy ? await network.secured() : undefined
    const key = `${url.protocol}${proxy ? `${proxy.url.href}\0${proxy.authorization}` : ''}`
    const those = connectors.get(secured) ?? new Map<string, Promise<HttpConnector>>()
    connectors.set(secured, those)
    const known = those.get(key)
    if (known) return known
    const created = createConnector(url, { proxy, secured, connectMs })
    those.set(key, created)
    created.then(
      (connector) => agents.push(connector.agent),
      () => those.delete(key),
    )
    return created
  }

  return {
    async request(request) {
      const host = hostOf(request.url)
      const connector = await connectorFor(request).catch((error: unknown) => {
        throw new HttpError('connection_failed', host, reasonOf(error))
      })
      const first = await send(connector, request, false, connectMs)
      if (first !== 'stale connection') return first
      const second = await send(connector, request, true, connectMs)
      if (second !== 'stale connection') return second
      throw new HttpError('connection_failed', host, 'ECONNRESET')
    },
    close() {
      for (const agent of agents) {
        for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
      }
    },
  }
}

/** A kept-alive connection the server closed meanwhile shows only when it is used: then a fresh one is due. */
function send(
  connector: HttpConnector,
  request: HttpRequest,
  fresh: boolean,
  connectMs: number,
): Promise<HttpResponse | 'stale connection'> {
  const { url, signal } = request
  const host = hostOf(url)
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new HttpError('aborted', host, 'aborted'))
    const body = toBytes(request.body ?? [])
    const connecting = new AbortController()
    const options = { method: request.method, headers: withLength(request, body), tunnelSignal: connecting.signal }
    let outgoing: ClientRequest
    try {
      outgoing = connector.start(url, options, fresh)
    } catch (error) {
      return reject(new HttpError('connection_failed', host, reasonOf(error)))
    }
    let answered = false
    const fail = (error: HttpError) => {
      if (answered) return
      answered = true
      stopWaiting()
      signal.removeEventListener('abort', onAbort)
      outgoing.destroy()
      connecting.abort()
      reject(error)
    }
    const onAbort = () => fail(new HttpError('aborted', host, 'aborted'))
    signal.addEventListener('abort', onAbort, { once: true })
    const timer = setTimeout(
      () => fail(new HttpError('timeout', host, `no answer within ${request.timeoutMs} ms`)),
      request.timeoutMs,
    )
    timer.unref()
    const stopConnecting = watchConnecting(
      outgoing,
      url.protocol === 'https:' ? 'secureConnect' : 'connect',
      connectMs,
      () => fail(new HttpError('connection_failed', host, 'ETIMEDOUT')),
    )
    const stopWaiting = () => {
      clearTimeout(timer)
      stopConnecting()
    }

    // Stays for good: a request may still fail after its response, which the reader of the body is told by other means.
    outgoing.on('error', (error) => {
      if (!answered && outgoing.reusedSocket && !fresh && isReset(error)) {
        answered = true
        stopWaiting()
        signal.removeEventListener('abort', onAbort)
        resolve('stale connection')
        return
      }
      fail(new HttpError('connection_failed', host, reasonOf(error)))
    })
    outgoing.on('response', (incoming) => {
      if (answered) return incoming.destroy()
      if (connector.isRelayed && incoming.statusCode === 407)
        return fail(new HttpError('connection_failed', host, 'PROXY_AUTH'))
      answered = true
      stopWaiting()
      signal.removeEventListener('abort', onAbort)
      resolve(toResponse(incoming, request, host))
    })
    void writeBody(outgoing, body)
  })
}

/** `connected`: the event of the socket that says so. One that was kept alive is connected already. */
function watchConnecting(outgoing: ClientRequest, connected: string, limitMs: number, onLate: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return
    timer = setTimeout(onLate, limitMs)
    timer.unref()
    socket.once(connected, stop)
  })
  return stop
}

function toResponse(incoming: IncomingMessage, { signal, isBinary }: HttpRequest, host: string): HttpResponse {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return { status: incoming.statusCode ?? 0, headers, ...readResponseBody(incoming, signal, host, isBinary) }
}

/** What is handed to the connection at a time: it holds on to that until it is sent, encrypted as well. */
const PIECE = 1024 * 1024

async function writeBody(outgoing: ClientRequest, pieces: readonly Uint8Array[]): Promise<void> {
  // Together with the headers, in as few packets as there can be.
  outgoing.cork()
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += PIECE) {
      const isTaken = outgoing.write(piece.length > PIECE ? piece.subarray(start, start + PIECE) : piece)
      if (isTaken || piece.length <= PIECE) continue
      outgoing.uncork()
      await drained(outgoing)
      if (outgoing.destroyed) return
      outgoing.cork()
    }
  }
  outgoing.end()
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done)
      outgoing.off('close', done)
      resolve()
    }
    outgoing.on('drain', done)
    outgoing.on('close', done)
  })
}

function withLength(request: HttpRequest, body: readonly Uint8Array[]): Record<string, string> {
  if (!request.body) return { ...request.headers }
  const length = body.reduce((sum, piece) => sum + piece.length, 0)
  return { ...request.headers, 'content-length': String(length) }
}

/** Few pieces, so that few are written: neighboring texts become one. */
function toBytes(pieces: readonly (string | Uint8Array)[]): Uint8Array[] {
  const all: Uint8Array[] = []
  let text = ''
  for (const piece of [...pieces, new Uint8Array(0)]) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    if (text !== '') all.push(Buffer.from(text))
    if (piece.length > 0) all.push(piece)
    text = ''
  }
  return all
}

function hostOf(url: URL): string {
  return url.port === '' ? `${url.hostname}:${url.protocol === 'https:' ? 443 : 80}` : url.host
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return 'connection failed'
}
