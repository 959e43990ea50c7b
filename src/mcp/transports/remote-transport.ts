/** A server at an address: streamable HTTP or SSE of the official library, behind a fetch that judges every address. */
import type { JSONRPCMessage as WireMessage } from '@modelcontextprotocol/client'
import type { Clock } from '../../platform/clock.js'
import { createStreamFetch, type StreamFetch } from '../../platform/http/stream-fetch.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import { isLocalhostName, isLocalName, literalAddress, networkKindOfAddress } from '../../platform/web/web-address.js'
import type { McpAuthDetails } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'
import { cleanServerLine } from '../clean-text.js'
import { McpError } from '../mcp-error.js'
import type { RemoteConfig } from '../servers.js'
import type { ServerTokens, TokenChallenge } from '../sign-in/server-tokens.js'
import { boundResponse, readBodyStart } from './bound-response.js'
import type { McpTransport, TransportEvents } from './mcp-transport.js'

export type McpSdkClientModule = typeof import('./official-client.js')

export type RemotePorts = {
  clock: Pick<Clock, 'atMost'>
  load(): Promise<McpSdkClientModule>
  /** Headers that the user's own command prints; rejects when it could not. */
  helpHeaders(command: string): Promise<Record<string, string>>
  network: NetworkSettings
  /** Undefined: none are known, and the configuration has its own. */
  tokens?: ServerTokens | undefined
  /** What its user can do about a sign-in. */
  signInAdvice?: string
}

/** A server has so long to hear that we are leaving, and to describe how to sign in. */
const GOODBYE_MS = 500
const DISCOVERY_MS = 5000
/** Reconnection of a stream that was cut: the number of attempts, with growing delays. */
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
}

export function createRemoteTransport(config: RemoteConfig, ports: RemotePorts): McpTransport {
  const url = new URL(config.url)
  const web = createStreamFetch({
    refuse: (host, address) => addressRefusal(host, address, url.hostname, config.allowPrivateAddress),
    network: ports.network,
  })
  let library: McpSdkClientModule | undefined
  let wire: InstanceType<McpSdkClientModule['StreamableHTTPClientTransport' | 'SSEClientTransport']> | undefined
  let events: TransportEvents | undefined
  /** What an answer meant, where the library has other words for it. */
  let meaning: McpError | undefined
  /** Why we cut a stream ourselves, for whoever waited for an answer in it. */
  let cutBecause: string | undefined

  const watchedFetch = async (target: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetchWithToken(target, init, { url, web, library, tokens: ports.tokens })
    const challenge = library && readChallenge(response, library)
    let problem: McpError | undefined
    if (challenge && library) {
      const auth = await describeSignIn(challenge, url, library, web, ports.clock)
      problem = refusalOf(challenge, auth, ports.signInAdvice)
    }
    const isKnownSession = new Headers(init?.headers).has('mcp-session-id')
    if (isKnownSession && (response.status === 404 || (response.status === 400 && (await saysNoSession(response))))) {
      problem = new McpError('mcp_session_lost', 'The server no longer knows this session.')
    }
    if (problem) {
      meaning = problem
      void response.body?.cancel().catch(() => {})
      throw problem
    }
    return boundResponse(response, (problem) => {
      cutBecause = problem
    })
  }

  const leave = (reason: string) => {
    const told = events
    events = undefined
    told?.closed(reason)
  }

  return {
    async start(given) {
      library = await ports.load()
      const helped = config.headersHelper === undefined ? {} : await ports.helpHeaders(config.headersHelper)
      const options = { fetch: watchedFetch, requestInit: { headers: { ...config.headers, ...helped } } }
      const { SSEClientTransport, StreamableHTTPClientTransport } = library
      wire =
        config.type === 'sse'
          ? new SSEClientTransport(url, options)
          : new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION })
      events = given
      wire.onmessage = (message) => events?.message(message)
      wire.onclose = () => leave('The connection was closed.')
      let isOpen = false
      wire.onerror = (error) => {
        // An event stream of the older kind is all there is: without it no answer can come.
        const isOver =
          config.type === 'sse' ? error.name === 'SseError' || 'event' in error : /^Maximum reconn/.test(error.message)
        if (isOpen && isOver) leave('The connection to the server was cut.')
      }
      try {
        await wire.start()
        isOpen = true
      } catch (error) {
        throw toMcpError(error)
      }
    },
    closesRequests: true,
    async send(message, signal, headers) {
      if (!wire) throw new McpError('mcp_closed', 'The server is not connected.')
      const { id, method } = message
      const unanswered = () => {
        if (id === undefined || method === undefined) return
        const why = cutBecause === undefined ? '' : ` (${cutBecause})`
        cutBecause = undefined
        const error = { code: -32_000, message: `The connection was cut before the answer came${why}.` }
        events?.message({ jsonrpc: '2.0', id, error })
      }
      try {
        // Ours has the same shape, and the library checks it.
        const checked = message as WireMessage
        if (!('terminateSession' in wire)) return await wire.send(checked)
        const options = {
          ...(signal ? { requestSignal: signal } : {}),
          ...(headers ? { headers } : {}),
          onRequestStreamEnd: unanswered,
        }
        await wire.send(checked, options)
      } catch (error) {
        const known = toMcpError(error)
        // Nobody is there any more: all that waits is told at once. A listener that is cut says nothing of the others.
        if (isUnreachable(error) && !signal?.aborted && method !== 'subscriptions/listen') leave(known.message)
        throw known
      }
    },
    setProtocolVersion: (version) => wire?.setProtocolVersion(version),
    async close() {
      const open = wire
      wire = undefined
      if (open && 'terminateSession' in open)
        await ports.clock.atMost(
          GOODBYE_MS,
          open.terminateSession().catch(() => {}),
        )
      await open?.close().catch(() => {})
      web.close()
      leave('The connection was closed.')
    },
  }

  function toMcpError(error: unknown): McpError {
    const known = error instanceof McpError ? error : meaning
    meaning = undefined
    return known ?? new McpError('mcp_closed', cleanServerLine(httpFailureText(error) ?? messageOf(error), 500))
  }
}

/** With the status, which the library's message leaves out; undefined if it isn't an answer's. */
function httpFailureText(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined
  return error.message.replace(/^Error POSTing to endpoint: ?/, `The server answered with HTTP ${error.status}: `)
}

function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.message.startsWith('connection failed')
}

/**
 * Returns why an MCP server's address must not be used; undefined if it can be. As for WebFetch: what the address
 * itself says is the user's choice, where a name leads to is not.
 */
export function addressRefusal(
  host: string,
  address: string,
  configured: string,
  allowPrivate: boolean | undefined,
): string | undefined {
  const kind = networkKindOfAddress(address)
  if (kind === 'public') return undefined
  const saysSo =
    literalAddress(host) !== undefined ||
    (kind === 'loopback' ? isLocalhostName(host) : isLocalName(host)) ||
    allowPrivate
  if (host === configured && saysSo) return undefined
  return `${host} leads to the private address ${address}: set allowPrivateAddress for this server if that is right`
}

async function saysNoSession(response: Response): Promise<boolean> {
  return /session/i.test(await readBodyStart(response.clone(), 4096))
}

type TokenFetchPorts = Pick<RemotePorts, 'tokens'> & {
  url: URL
  web: StreamFetch
  library: McpSdkClientModule | undefined
}

/** With a token, which goes to no other origin; once more with another one if it is not taken. */
async function fetchWithToken(
  target: string | URL,
  init: RequestInit | undefined,
  { tokens, url, web, library }: TokenFetchPorts,
): Promise<Response> {
  const isOwnHeader = new Headers(init?.headers).has('authorization')
  if (!tokens || !library || isOwnHeader || new URL(target).origin !== url.origin) return web.fetch(target, init)
  const token = await tokens.current()
  const response = await web.fetch(target, withToken(init, token))
  const challenge = readChallenge(response, library)
  if (!challenge) return response
  if (!(await tokens.renew(challenge, token))) {
    if (challenge.status === 401) tokens.giveUp(token)
    return response
  }
  void response.body?.cancel().catch(() => {})
  const other = await tokens.current()
  const second = await web.fetch(target, withToken(init, other))
  if (second.status === 401) tokens.giveUp(other)
  return second
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}

/** Undefined: the answer has nothing to do with a sign-in. A 403 that names no missing right is the server's last word. */
function readChallenge(response: Response, library: McpSdkClientModule): TokenChallenge | undefined {
  const { status } = response
  if (status !== 401 && status !== 403) return undefined
  const { resourceMetadataUrl, scope, error } = library.extractWWWAuthenticateParams(response)
  if (status === 403 && error !== 'insufficient_scope') return undefined
  return {
    status,
    ...(scope === undefined ? {} : { scope: cleanServerLine(scope, 2000) }),
    ...(resourceMetadataUrl ? { resourceMetadataUrl: resourceMetadataUrl.href } : {}),
  }
}

async function describeSignIn(
  { scope, resourceMetadataUrl }: TokenChallenge,
  url: URL,
  library: McpSdkClientModule,
  web: StreamFetch,
  clock: Pick<Clock, 'atMost'>,
): Promise<McpAuthDetails> {
  const asked = library
    .discoverOAuthProtectedResourceMetadata(url, resourceMetadataUrl ? { resourceMetadataUrl } : {}, web.fetch)
    .catch(() => undefined)
  const metadata = await clock.atMost(DISCOVERY_MS, asked)
  const servers = metadata?.authorization_servers?.slice(0, 10).map((server) => cleanServerLine(String(server), 500))
  const scopes = scope === undefined ? metadata?.scopes_supported : scope.split(/\s+/)
  return {
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
    ...(servers && servers.length > 0 ? { authorizationServers: servers } : {}),
    ...(scopes && scopes.length > 0 ? { scopes: scopes.slice(0, 50).map((one) => cleanServerLine(String(one))) } : {}),
  }
}

function refusalOf(challenge: TokenChallenge, auth: McpAuthDetails, advice: string | undefined): McpError {
  const how = advice ?? 'give it a token with `headers` or `headersHelper`'
  if (challenge.status === 401)
    return new McpError('mcp_needs_auth', `The server wants a sign-in (HTTP 401): ${how}.`, { auth })
  const rights = challenge.scope === undefined ? '' : ` (${challenge.scope})`
  return new McpError(
    'mcp_needs_scope',
    `The server wants more rights${rights} than the sign-in has (HTTP 403): ${how}.`,
    { auth },
  )
}
