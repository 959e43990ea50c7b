/** A server at an address: streamable HTTP or SSE of the official library, behind a fetch that judges every address. */
import type { JSONRPCMessage as WireMessage } from '@modelcontextprotocol/client'
import type { Clock } from '../../platform/clock.js'
import { createStreamFetch, type StreamFetch } from '../../platform/http/stream-fetch.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import { addressKind, isLocalhostName, isLocalName, literalAddress } from '../../platform/web/web-address.js'
import type { McpAuthDetails } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'
import { cleanServerLine } from '../clean-text.js'
import { McpError } from '../mcp-error.js'
import type { RemoteConfig } from '../servers.js'
import { boundResponse, readBodyStart } from './bound-response.js'
import type { McpTransport, TransportEvents } from './mcp-transport.js'

export type McpSdkClientModule = typeof import('./official-client.js')

export type RemotePorts = {
  clock: Pick<Clock, 'atMost'>
  load(): Promise<McpSdkClientModule>
  /** Headers that the user's own command prints; rejects when it could not. */
  helpHeaders(command: string): Promise<Record<string, string>>
  network: NetworkSettings
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
    const response = await web.fetch(target, init)
    if (response.status === 401 && library) meaning = await needsAuth(response, url, library, web, ports.clock)
    const isKnownSession = new Headers(init?.headers).has('mcp-session-id')
    if (isKnownSession && (response.status === 404 || (response.status === 400 && (await saysNoSession(response))))) {
      meaning = new McpError('mcp_session_lost', 'The server no longer knows this session.')
    }
    if (meaning) {
      void response.body?.cancel().catch(() => {})
      throw meaning
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
    async send(message, signal) {
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
        const options = { ...(signal ? { requestSignal: signal } : {}), onRequestStreamEnd: unanswered }
        await wire.send(checked, options)
      } catch (error) {
        const known = toMcpError(error)
        // Nobody is there any more: all that waits is told at once.
        if (isUnreachable(error) && !signal?.aborted) leave(known.message)
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
    const known = meaning ?? (error instanceof McpError ? error : undefined)
    meaning = undefined
    return known ?? new McpError('mcp_closed', cleanServerLine(messageOf(error), 500))
  }
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
  const kind = addressKind(address)
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

async function needsAuth(
  response: Response,
  url: URL,
  library: McpSdkClientModule,
  web: StreamFetch,
  clock: Pick<Clock, 'atMost'>,
): Promise<McpError> {
  const { resourceMetadataUrl, scope } = library.extractWWWAuthenticateParams(response)
  const asked = library
    .discoverOAuthProtectedResourceMetadata(url, resourceMetadataUrl ? { resourceMetadataUrl } : {}, web.fetch)
    .catch(() => undefined)
  const metadata = await clock.atMost(DISCOVERY_MS, asked)
  const servers = metadata?.authorization_servers?.slice(0, 10).map((server) => cleanServerLine(String(server), 500))
  const scopes = scope === undefined ? metadata?.scopes_supported : scope.split(/\s+/)
  const auth: McpAuthDetails = {
    ...(resourceMetadataUrl ? { resourceMetadataUrl: resourceMetadataUrl.href } : {}),
    ...(servers && servers.length > 0 ? { authorizationServers: servers } : {}),
    ...(scopes && scopes.length > 0 ? { scopes: scopes.slice(0, 50).map((one) => cleanServerLine(String(one))) } : {}),
  }
  const how = 'give it a token with `headers` or `headersHelper`'
  return new McpError('mcp_needs_auth', `The server wants a sign-in (HTTP 401): ${how}.`, auth)
}
