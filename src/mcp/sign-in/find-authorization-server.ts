/** Finds the authorization server of an MCP server, and rejects one that nobody should be led to. */
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client'
import { cleanServerLine } from '../clean-text.js'
import type { RemoteSignInConfig } from '../server-config.js'
import { isLoopbackHost } from './sign-in-fetch.js'
import { type SignInChallenge, SignInError, type SignInPorts } from './sign-in-ports.js'
import type { ServerIdentity } from './stored-sign-in.js'

/** Asks a server who signs its users in. Rejects if the answer contradicts the configuration, or leads to an unsafe address. */
export async function findAuthorizationServer(
  server: ServerIdentity,
  { issuer }: RemoteSignInConfig,
  { resourceMetadataUrl }: SignInChallenge,
  { library, fetch }: Pick<SignInPorts, 'library' | 'fetch'>,
): Promise<OAuthDiscoveryState> {
  const found = await library.discoverOAuthServerInfo(server.url, {
    fetchFn: fetch,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
  })
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = found
  const named = metadata?.issuer ?? authorizationServerUrl
  if (issuer !== undefined && issuer.replace(/\/$/, '') !== named.replace(/\/$/, '')) {
    throw new SignInError(
      `The server names the authorization server ${cleanServerLine(named, 300)}; its configuration says ${issuer}.`,
    )
  }
  if (metadata && metadata.code_challenge_methods_supported === undefined) {
    throw new SignInError(`${cleanServerLine(named, 300)} doesn't say that it supports PKCE, which MCP requires.`)
  }
  for (const endpoint of [
    metadata?.authorization_endpoint,
    metadata?.token_endpoint,
    metadata?.registration_endpoint,
  ]) {
    if (endpoint !== undefined) checkSignInEndpoint(endpoint)
  }
  return { ...found, ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }) }
}

/** A browser is led there, and secrets are sent there: nothing but the web, and over TLS unless it is this computer. */
export function checkSignInEndpoint(endpoint: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))) return
  throw new SignInError(`The authorization server names ${cleanServerLine(endpoint, 300)}, which is no https address.`)
}
