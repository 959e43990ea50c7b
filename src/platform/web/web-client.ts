/** `WebClient` on Node's own modules, each loaded at its first use. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { KedgeError } from '../../errors.js'
import type { RequestStarter } from '../http/connection-types.js'
import { createUnpooledRequests } from '../http/direct-request.js'
import { directNetwork, type NetworkSettings } from '../network/network.js'
import { readWebBody } from './web-body.js'
import type { ResolvedWebAddresses, WebClient, WebFailure, WebRequest, WebResponse } from './web-pages.js'

/** What tests replace: the names and addresses they use lead to servers of their own. */
export type HostNameResolver = {
  lookup(name: string): Promise<string[]>
  /** Where a connection to an address goes. */
  route(address: string, port: number): { host: string; port: number }
}

export type WebClientOptions = {
  network?: NetworkSettings
  names?: HostNameResolver
}

const systemNames: HostNameResolver = {
  async lookup(name) {
    const { lookup } = await import('node:dns/promises')
    return (await lookup(name, { all: true })).map(({ address }) => address)
  },
  route: (host, port) => ({ host, port }),
}

export function createWebClient(options: WebClientOptions = {}): WebClient {
  const { network = directNetwork, names = systemNames } = options
  const directRequest = createUnpooledRequests(network)
  return {
    isProxied: (url) => network.proxyFor(url) !== undefined,
    resolve: (name, signal) => resolve(names, name, signal),
    async get(request) {
      const { STATUS_CODES } = await import('node:http')
      const route = names.route(request.address, portOf(request.url))
      try {
        const start = await directRequest(request.url)
        return await send(request, (settings) => start({ ...settings, ...route }), STATUS_CODES)
      } catch (error) {
        return failure('no connection', error)
      }
    },
  }
}

function resolve(
  names: HostNameResolver,
  name: string,
  signal: AbortSignal,
): Promise<ResolvedWebAddresses | WebFailure> {
  return new Promise((done) => {
    if (signal.aborted) return done(aborted())
    // The system's lookup can't be called off, but nobody has to wait for it.
    const onAbort = () => done(aborted())
    signal.addEventListener('abort', onAbort, { once: true })
    names
      .lookup(name)
      .then(
        (addresses) => done({ ok: true, addresses: [...new Set(addresses)] }),
        (error: unknown) => done(failure('no connection', error)),
      )
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** What a status means, by its number: the words of the server are not needed for it. */
type Phrases = Readonly<Record<number, string | undefined>>

function send(request: WebRequest, start: RequestStarter, phrases: Phrases): Promise<WebResponse | WebFailure> {
  const { url, signal } = request
  return new Promise((done) => {
    if (signal.aborted) return done(aborted())
    const connecting = new AbortController()
    let outgoing: ClientRequest
    try {
      outgoing = start({
        method: 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { ...request.headers, host: url.host, 'accept-encoding': 'gzip, deflate, br' },
        tunnelSignal: connecting.signal,
      })
    } catch (error) {
      return done(failure('no connection', error))
    }
    const finish = (result: WebResponse | WebFailure) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      if (!result.ok) {
        outgoing.destroy()
        connecting.abort()
      }
      done(result)
    }
    const onAbort = () => finish(aborted())
    signal.addEventListener('abort', onAbort, { once: true })
    const timer = setTimeout(
      () => finish({ ok: false, kind: 'no connection', reason: 'no connection in time' }),
      request.connectTimeoutMs,
    )
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return clearTimeout(timer)
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer))
    })
    // Stays for good: a request may still fail after its response, which the reader of the body is told by other means.
    outgoing.on('error', (error) => finish(failure('no connection', error)))
    outgoing.on('response', (incoming) => finish(toResponse(incoming, signal, phrases)))
    outgoing.end()
  })
}

function toResponse(incoming: IncomingMessage, signal: AbortSignal, phrases: Phrases): WebResponse {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  // Until it is read a broken connection is nobody's error.
  incoming.on('error', () => {})
  return {
    ok: true,
    status: incoming.statusCode ?? 0,
    statusText: phrases[incoming.statusCode ?? 0] ?? '',
    headers,
    read: (maxBytes) => readWebBody(incoming, maxBytes, signal),
    discard: () => void incoming.destroy(),
  }
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

function aborted(): WebFailure {
  return { ok: false, kind: 'aborted', reason: 'aborted' }
}

function failure(kind: WebFailure['kind'], error: unknown): WebFailure {
  // It names the variable that is wrong, and never its value.
  // Not by its class, of which the part that knows proxies has a copy.
  if (KedgeError.isInstance(error) && 'option' in error) return { ok: false, kind, reason: error.message }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { ok: false, kind, reason: code ?? 'connection failed' }
}
