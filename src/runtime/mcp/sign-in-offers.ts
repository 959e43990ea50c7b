/**
 * Sign-ins in a running session: a server that wants one is offered to the host, which shows it to its user. The user
 * begins it and leads it; here is what happens in between, and the connection afterwards.
 */
import type { RemoteConfig } from '../../mcp/servers.js'
import type { SignInEnd, SignInLead } from '../../mcp/sign-in/lead-sign-in.js'
import type { McpServerStatus, McpSignInAnswer, McpSignInRequest } from '../../protocol/mcp-servers.js'
import type { MainThread } from '../conversation.js'
import type { SessionMcp } from './session-servers.js'
import { openSignInStore } from './session-sign-ins.js'

/** Asks the host; rejects if it can't answer. */
export type AskMcpSignIn = (request: McpSignInRequest, signal: AbortSignal) => Promise<McpSignInAnswer>

export type SignInOfferPorts = {
  askHost: AskMcpSignIn
  /** The configuration of a server at an address; undefined: it has none any more. */
  configOf(server: string): RemoteConfig | undefined
  lead(offer: Pick<SignInLead, 'server' | 'config' | 'challenge' | 'method' | 'show' | 'signal'>): Promise<SignInEnd>
  /** Connects it with its new tokens. Returns why that failed. */
  connect(server: string): Promise<string | undefined>
  /** Tells everybody who reads the session. */
  inform(text: string, level: 'notice' | 'warning', code: 'mcp_signed_in' | 'mcp_sign_in_failed', server: string): void
}

export type SignInOffers = ReturnType<typeof createSignInOffers>

function createSignInOffers(ports: SignInOfferPorts) {
  /** Those that are open: under the name of their server. */
  const open = new Map<string, AbortController>()
  /** Their user doesn't want to, in this session. */
  const declined = new Set<string>()
  let isClosed = false

  const offer = (status: McpServerStatus) => {
    const end = new AbortController()
    open.set(status.name, end)
    void offerSignIn(status, ports, end.signal)
      .catch(() => 'declined')
      .then((what) => what === 'declined' && !end.signal.aborted && declined.add(status.name))
      .finally(() => open.get(status.name) === end && open.delete(status.name))
  }
  return {
    /** Servers have changed. */
    look(statuses: readonly McpServerStatus[]): void {
      if (isClosed) return
      for (const [name, end] of open) {
        const now = statuses.find((status) => status.name === name)?.status
        // Signed in elsewhere, switched off, or gone.
        if (now !== 'needs-auth' && now !== 'pending') end.abort()
      }
      for (const status of statuses) {
        if (status.status !== 'needs-auth' || open.has(status.name) || declined.has(status.name)) continue
        if (ports.configOf(status.name)) offer(status)
      }
    },
    /** Its user asks for this server again. */
    again(server: string): void {
      declined.delete(server)
    },
    close(): void {
      isClosed = true
      for (const end of open.values()) end.abort()
    },
  }
}

/** Those of a session. */
export function createSessionSignInOffers(
  main: () => MainThread,
  askHost: AskMcpSignIn,
  mcp: SessionMcp,
): SignInOffers {
  return createSignInOffers({
    askHost,
    configOf(server) {
      const config = mcp.servers()?.find(server)?.connection.config
      return config && 'url' in config ? config : undefined
    },
    async lead(offer) {
      const { platform, settings } = main().shared
      const { leadSignIn } = await import('../../mcp/open.js')
      const store = await openSignInStore(settings.configDir, platform)
      return leadSignIn({ ...offer, store, platform, library: () => import('../../mcp/transports/official-client.js') })
    },
    connect: async (server) => (await mcp.reconnect(server))?.problem,
    inform: (text, level, code, server) => void main().emitter.inform(text, level, { code, details: { server } }),
  })
}

async function offerSignIn(
  { name: server, auth = {} }: McpServerStatus,
  { askHost, configOf, lead, connect, inform }: SignInOfferPorts,
  signal: AbortSignal,
): Promise<'declined' | 'done'> {
  let problem: string | undefined
  while (!signal.aborted) {
    const config = configOf(server)
    if (!config) return 'done'
    const about = { server, url: shownUrl(config.url) }
    const answer = await askHost({ ...about, step: 'offer', ...(problem === undefined ? {} : { problem }) }, signal)
    if (answer.action !== 'start') return 'declined'
    const { scopes, resourceMetadataUrl } = auth
    const end = await lead({
      server,
      config,
      challenge: {
        ...(scopes ? { scope: scopes.join(' ') } : {}),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      },
      method: answer.method ?? 'browser',
      signal,
      async show({ address, code, problem: wrong }, until) {
        const visit = await askHost(
          {
            ...about,
            step: 'visit',
            address: address.href,
            ...(code === undefined ? { canPaste: true } : { code }),
            ...(wrong === undefined ? {} : { problem: wrong }),
          },
          until,
        ).catch((error: unknown) => {
          // The user is back, or nobody waits any more.
          if (until.aborted) return new Promise<never>(() => {})
          throw error
        })
        return visit.action === 'finish' ? { pasted: visit.callback } : 'canceled'
      },
    })
    if (end.kind === 'canceled') return 'declined'
    problem = end.kind === 'failed' ? end.problem : await connect(server)
    if (problem === undefined) {
      inform(`Signed in to ${server}.`, 'notice', 'mcp_signed_in', server)
      return 'done'
    }
    inform(`Not signed in to ${server}: ${problem}`, 'warning', 'mcp_sign_in_failed', server)
  }
  return 'done'
}

/** A query may be a key of its own. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
