/** Tokens for the MCP servers of a session, from the sign-ins of its tenant: what the agent of a worker is given. */
import type { ServerTokens } from '../../mcp/sign-in/server-tokens.js'
import type { SignInStore } from '../../mcp/sign-in/sign-in-store.js'
import type { Clock } from '../../platform/clock.js'
import type { NetworkSettings } from '../../platform/network/network.js'
import type { GetMcpToken } from '../../protocol/mcp-servers.js'

type Given = { tokens: ServerTokens; last: string | undefined }

export function createClusterMcpTokens(
  store: SignInStore,
  { clock, network }: { clock: Clock; network: NetworkSettings },
): GetMcpToken {
  const known = new Map<string, Given>()
  const begin = async (server: string, url: string): Promise<Given> => {
    const { createServerTokens, createSignInFetch } = await import('../../mcp/open.js')
    // Nothing but the authorization server of the sign-in is asked, which was judged when its user signed in.
    const { fetch } = createSignInFetch({ serverUrl: url, allowPrivateAddress: true, network })
    const library = () => import('../../mcp/transports/official-client.js')
    return { tokens: createServerTokens({ server, url }, { kept: { store, library, fetch }, clock }), last: undefined }
  }
  return async ({ server, url, reason, scopes }) => {
    const key = `${server} ${url}`
    const before = reason === 'connect' ? undefined : known.get(key)
    const given = before ?? (await begin(server, url))
    known.set(key, given)
    const token = await given.tokens.current()
    if (!before) {
      given.last = token
      return token
    }
    const status = reason === 'rejected' ? 401 : 403
    const isRenewed = await given.tokens.renew({ status, ...(scopes ? { scope: scopes.join(' ') } : {}) }, given.last)
    given.last = await given.tokens.current()
    return isRenewed ? given.last : undefined
  }
}
