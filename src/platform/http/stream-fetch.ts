/**
 * `fetch` for connections that stay open for hours: no time limits of its own, every address judged before it is talked
 * to, redirects left to the caller. Node's own fetch gives up after five minutes without a byte.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { directNetwork, type NetworkSettings } from '../network/network.js'
import { isLocalhostName, isLocalName, literalAddress } from '../web/web-address.js'
import { createUnpooledRequests } from './direct-request.js'

export type StreamFetchOptions = {
  /** Why this address of the host must not be talked to; undefined when it may be. */
  refuse(host: string, address: string): string | undefined
  network?: NetworkSettings
}

export type StreamFetch = {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  /** Ends every connection. */
  close(): void
}

const CONNECT_MS = 30_000
/** Statuses that never have a body. */
const BODILESS = [101, 103, 204, 205, 304]

export function createStreamFetch(options: StreamFetchOptions): StreamFetch {
  const open = new Set<ClientRequest>()
  const { network = directNetwork } = options
  const directRequest = createUnpooledRequests(network)
  return {
    async fetch(target, init = {}) {
      const url = new URL(target)
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`no ${url.protocol} here`)
      const request = new Request(url, { ...init, redirect: 'manual' })
      const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined
      const address = await findAddress(url.hostname, options).catch((error: unknown) => {
        // Behind a proxy a machine often knows no names but those nearby.
        if (error instanceof TypeError || isLocalName(url.hostname) || !network.proxyFor(url)) throw error
        return url.hostname
      })
      const connecting = new AbortController()
      const start = await directRequest(url)
      const outgoing = start({
        method: request.method,
        host: address,
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        headers: {
          ...Object.fromEntries(request.headers),
          host: url.host,
          ...(body ? { 'content-length': String(body.length) } : {}),
        },
        tunnelSignal: connecting.signal,
      })
      open.add(outgoing)
      outgoing.once('close', () => open.delete(outgoing))
      return send(outgoing, url, body, connecting, init.signal ?? undefined)
    },
    close() {
      for (const request of open) request.destroy()
    },
  }
}

async function findAddress(host: string, { refuse }: StreamFetchOptions): Promise<string> {
  const literal = literalAddress(host)
  const addresses = literal === undefined ? await lookUp(host) : [literal]
  const reasons: string[] = []
  // IPv4 first: it is the one that works nearly everywhere.
  for (const address of [...addresses].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')))) {
    const reason = refuse(host, address)
    if (reason === undefined) return address
    reasons.push(reason)
  }
  throw new TypeError(reasons[0] ?? `${host} leads to no address`)
}

async function lookUp(host: string): Promise<string[]> {
  const { lookup } = await import('node:dns/promises')
  const found = (await lookup(host, { all: true })).map(({ address }) => address)
  // Servers of this computer often listen on one of the two only; both are tried by the name.
  return isLocalhostName(host) ? [...new Set([...found, '127.0.0.1'])] : found
}

function send(
  outgoing: ClientRequest,
  url: URL,
  body: Uint8Array | undefined,
  connecting: AbortController,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stop = (error: Error) => {
      outgoing.destroy(error)
      connecting.abort()
    }
    const onAbort = () => stop(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    const timer = setTimeout(() => stop(new Error('no connection in time')), CONNECT_MS)
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) return clearTimeout(timer)
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer))
    })
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      reject(new TypeError(reasonOf(error), { cause: error }))
    })
    outgoing.once('close', () => signal?.removeEventListener('abort', onAbort))
    outgoing.once('response', (incoming) => resolve(toResponse(incoming, url)))
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    outgoing.end(body)
  })
}

function toResponse(incoming: IncomingMessage, url: URL): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const status = incoming.statusCode ?? 502
  const hasBody = !BODILESS.includes(status)
  if (!hasBody) incoming.resume()
  const response = new Response(hasBody ? toStream(incoming) : null, { status: status < 200 ? 502 : status, headers })
  Object.defineProperty(response, 'url', { value: url.href })
  return response
}

/** At the pace of whoever reads it. */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let over = false
      const end = (how: () => void) => {
        if (over) return
        over = true
        how()
      }
      incoming.on('data', (chunk: Uint8Array) => {
        if (over) return
        controller.enqueue(new Uint8Array(chunk))
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
      })
      incoming.once('end', () => end(() => controller.close()))
      incoming.on('error', (error) => end(() => controller.error(error)))
      incoming.once('close', () => end(() => controller.error(new TypeError('the connection was cut'))))
    },
    pull: () => void incoming.resume(),
    cancel: () => void incoming.destroy(),
  })
}

/** A system's code or a few words; never an address, header or body. */
function reasonOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? `connection failed (${error.code})` : error.message
}
