/** A sign-in that is under way: its client, its secrets, and what it becomes once everything is known to be good. */
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { cleanServerLine } from '../clean-text.js'
import type { RemoteSignInConfig } from '../server-config.js'
import type { PreparedSignIn } from './prepare-sign-in.js'
import { type BrowserSignInPorts, SignInError } from './sign-in-ports.js'
import type { ServerIdentity, StoredSignIn } from './stored-sign-in.js'

/** What the library is told and what it finds out, until all of it is known to be good. */
export function createSignInDraft(
  server: ServerIdentity,
  config: RemoteSignInConfig,
  { discovery, before, asked }: PreparedSignIn,
  { random, redirectUrl, clock }: Pick<BrowserSignInPorts, 'random' | 'redirectUrl' | 'clock'>,
) {
  const now = clock.now()
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
  const issuer = metadata?.issuer ?? authorizationServerUrl
  const state = random()
  let client = configuredClient(config, issuer) ?? registeredBefore(before, { issuer, redirectUrl, now, scope: asked })
  let tokens: StoredSignIn['tokens']
  let address: URL | undefined
  let verifier = ''
  let resource: string | undefined
  const methods = metadata?.token_endpoint_auth_methods_supported
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(config.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: config.clientMetadataUrl }),
    clientMetadata: {
      client_name: 'Kedge',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // A program on its user's computer keeps no secret, unless the authorization server insists on one.
      ...(methods === undefined || methods.includes('none') ? { token_endpoint_auth_method: 'none' } : {}),
    },
    state: () => state,
    discoveryState: () => discovery,
    saveDiscoveryState() {},
    clientInformation: () => client,
    // A configured client is bound to its authorization server: no other one may take its place.
    ...(config.clientId === undefined
      ? {
          saveClientInformation(given) {
            client = given
          },
        }
      : {}),
    tokens: () => undefined,
    saveTokens(given) {
      tokens = given
    },
    redirectToAuthorization(url) {
      address = url
    },
    saveCodeVerifier(given) {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveResourceUrl(url) {
      resource = url
    },
  }
  return {
    provider,
    state,
    address: () => address,
    finish(): StoredSignIn {
      const found = { client, tokens, resource, scope: address?.searchParams.get('scope') ?? undefined }
      return toStoredSignIn(server, config, { discovery, redirectUrl, now, ...found })
    },
  }
}

type SignInFindings = Partial<Pick<StoredSignIn, 'client' | 'tokens' | 'resource' | 'scope' | 'redirectUrl'>> & {
  discovery: PreparedSignIn['discovery']
  /** When it began. */
  now: number
}

/** As it is kept. Throws if there is nothing that a server would take. */
export function toStoredSignIn(
  server: ServerIdentity,
  config: RemoteSignInConfig,
  { discovery, client, tokens, resource, scope: asked, redirectUrl, now }: SignInFindings,
): StoredSignIn {
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
  if (!client || !tokens) throw new SignInError('The authorization server gave no token.')
  if (tokens.token_type.toLowerCase() !== 'bearer')
    throw new SignInError(`Tokens of type ${cleanServerLine(tokens.token_type)} are not supported.`)
  const scope = asked ?? tokens.scope
  return {
    ...server,
    issuer: metadata?.issuer ?? authorizationServerUrl,
    authorizationServerUrl,
    ...(metadata ? { metadata } : {}),
    ...(resource === undefined ? {} : { resource }),
    client,
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(config.clientId === undefined && client.client_id !== config.clientMetadataUrl ? { isRegistered: true } : {}),
    ...tokenFields(tokens, now),
    ...(scope ? { scope } : {}),
    signedInAt: new Date(now).toISOString(),
  }
}

/** The tokens of a sign-in with the time they end, as they are kept. */
export function tokenFields(
  tokens: NonNullable<StoredSignIn['tokens']>,
  now: number,
): Pick<StoredSignIn, 'tokens' | 'expiresAt'> {
  const { expires_in: seconds } = tokens
  return { tokens, ...(typeof seconds === 'number' && seconds > 0 ? { expiresAt: now + seconds * 1000 } : {}) }
}

type RegistrationNeeds = { issuer: string; redirectUrl: string | undefined; scope: string | undefined; now: number }

/**
 * A client that was registered at an earlier sign-in is used again, as long as it is known there with the same address and
 * may ask for as much: many authorization servers hold a client to the scopes it was registered with.
 */
export function registeredBefore(
  before: StoredSignIn | undefined,
  { issuer, redirectUrl, scope = '', now }: RegistrationNeeds,
): StoredSignIn['client'] | undefined {
  if (before?.issuer !== issuer || before.redirectUrl !== redirectUrl || !before.isRegistered) return undefined
  // Both are part of a registration, and of no other client.
  const { client_secret_expires_at: end, scope: known } = before.client as Record<string, unknown>
  if (typeof end === 'number' && end > 0 && end * 1000 < now) return undefined
  const allowed = typeof known === 'string' ? known.split(/\s+/) : undefined
  const isAllowed = scope.split(/\s+/).every((one) => one === '' || !allowed || allowed.includes(one))
  return isAllowed ? before.client : undefined
}

/** The client that was registered by hand, if there is one. */
export function configuredClient(
  { clientId, clientSecret }: RemoteSignInConfig,
  issuer: string,
): StoredSignIn['client'] | undefined {
  if (clientId === undefined) return undefined
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), issuer }
}
