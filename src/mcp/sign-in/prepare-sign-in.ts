/** What is found out before a user is led anywhere: who signs users in, and what there is to ask for. */
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../protocol/json.js'
import type { RemoteSignInConfig } from '../server-config.js'
import { findAuthorizationServer } from './find-authorization-server.js'
import type { SignInChallenge, SignInPorts } from './sign-in-ports.js'
import type { ServerIdentity, StoredSignIn } from './stored-sign-in.js'

export type PreparedSignIn = {
  discovery: OAuthDiscoveryState
  /** The sign-in that is kept. */
  before: StoredSignIn | undefined
  /** The scopes that the configuration, an earlier sign-in, or the server named; undefined: none of them did. */
  scope: string | undefined
  /** The scopes to ask for. */
  asked: string | undefined
}

export async function prepareSignIn(
  server: ServerIdentity,
  config: RemoteSignInConfig,
  challenge: SignInChallenge,
  ports: Pick<SignInPorts, 'library' | 'fetch' | 'store'>,
): Promise<PreparedSignIn> {
  const before = await ports.store.find(server)
  const discovery = await findAuthorizationServer(server, config, challenge, ports)
  const scope =
    config.scopes?.join(' ') ?? ports.library.computeScopeUnion(before?.scope, before?.wantedScope, challenge.scope)
  return { discovery, before, scope, asked: scope ?? discovery.resourceMetadata?.scopes_supported?.join(' ') }
}

/** Where a sign-in on another device begins (RFC 8628); undefined: it isn't offered. */
export function deviceEndpointOf({ discovery }: Pick<PreparedSignIn, 'discovery'>): string | undefined {
  const metadata: JsonObject = { ...discovery.authorizationServerMetadata }
  const endpoint = metadata['device_authorization_endpoint']
  return typeof endpoint === 'string' ? endpoint : undefined
}
