/**
 * Requests of a sign-in: to addresses that a server named, so none of them is trusted. Private addresses only where the
 * server itself is on one, redirects only within an origin and only of questions, answers bounded in size and time.
 */
import { withFirstAbort } from '../../platform/first-abort.js'
import { createStreamFetch, type StreamFetch } from '../../platform/http/stream-fetch.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import { isLocalhostName, literalAddress, networkKindOfAddress } from '../../platform/web/web-address.js'

export type SignInFetch = {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
  close(): void
}

export type SignInFetchOptions = {
  /** The MCP server that is signed in to. */
  serverUrl: string
  allowPrivateAddress: boolean
  network: NetworkSettings
  /** Default: 15 s for each request. */
  timeoutMs?: number
}

const TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 3
const MAX_BYTES = 1024 * 1024

export function createSignInFetch({
  serverUrl,
  allowPrivateAddress,
  network,
  timeoutMs = TIMEOUT_MS,
}: SignInFetchOptions): SignInFetch {
  const server = new URL(serverUrl).hostname
  const web = createStreamFetch({
    refuse: (host, address) => signInAddressRefusal(host, address, server, allowPrivateAddress),
    network,
  })
  return {
    async fetch(target: string | URL, init?: RequestInit) {
      return withFirstAbort([init?.signal ?? undefined], timeoutMs, async (signal) =>
        readWhole(await follow(web, new URL(target), { ...init, signal })),
      )
    },
    close: () => web.close(),
  }
}

/**
 * Returns why an address must not be asked in a sign-in; undefined if it can be. A server on this computer may use an
 * authorization server on this computer, as developers do; a public one leads nowhere but to the public internet.
 */
export function signInAddressRefusal(
  host: string,
  address: string,
  server: string,
  allowPrivate: boolean,
): string | undefined {
  const kind = networkKindOfAddress(address)
  if (kind === 'public') return undefined
  if (kind === 'loopback' && isLoopbackHost(server) && isLoopbackHost(host)) return undefined
  if (host === server && (literalAddress(host) !== undefined || allowPrivate)) return undefined
  if (allowPrivate && kind === 'private') return undefined
  return `the sign-in leads to ${host} at the private address ${address}, which ${server} may not name`
}

export function isLoopbackHost(host: string): boolean {
  const literal = literalAddress(host)
  return literal === undefined ? isLocalhostName(host) : networkKindOfAddress(literal) === 'loopback'
}

async function follow(web: StreamFetch, first: URL, init: RequestInit): Promise<Response> {
  let url = first
  const isQuestion = (init.method ?? 'GET').toUpperCase() === 'GET'
  for (let redirects = 0; ; redirects += 1) {
    const response = await web.fetch(url, init)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    void response.body?.cancel().catch(() => {})
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
    // What holds a code, a token or a secret goes to the address it was meant for, or nowhere.
    if (!isQuestion) throw new TypeError(`${url.host} redirects a request that holds secrets, which is not followed`)
    if (!next || next.origin !== url.origin)
      throw new TypeError(`${url.host} redirects to ${next?.host ?? 'no address'}, which is not followed`)
    if (redirects >= MAX_REDIRECTS) throw new TypeError(`${url.host} redirects more than ${MAX_REDIRECTS} times`)
    url = next
  }
}

async function readWhole(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) break
    length += next.value.length
    if (length > MAX_BYTES) {
      void reader?.cancel().catch(() => {})
      throw new TypeError('an answer of the authorization server is larger than 1 MB')
    }
    chunks.push(next.value)
  }
  const { status, statusText, headers } = response
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  const copy = new Response(length > 0 ? whole : null, { status, statusText, headers })
  Object.defineProperty(copy, 'url', { value: response.url })
  return copy
}
