/**
 * One sign-in to an MCP server, from what the server says about itself to tokens in the store. The protocol is the
 * official library's; here is what it leaves to its host: who is led where, what is checked first, and what is kept.
 */
import type { AuthResult, OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client'
import type { Clock } from '../../platform/clock.js'
import { messageOf } from '../../protocol/thrown.js'
import { cleanServerLine } from '../clean-text.js'
import type { RemoteSignInConfig } from '../server-config.js'
import type { AuthorizationAnswer } from './authorization-answer.js'
import { isLoopbackHost, type SignInFetch } from './sign-in-fetch.js'
import type { SignInStore } from './sign-in-store.js'
import type { ServerIdentity, StoredSignIn } from './stored-sign-in.js'

export type OAuthLibrary = typeof import('../transports/official-client.js')

/** What a server answered to a request without a token that it takes. */
export type SignInChallenge = { scope?: string; resourceMetadataUrl?: string }

export type SignInPorts = {
  library: OAuthLibrary
  fetch: SignInFetch['fetch']
  store: SignInStore
  clock: Pick<Clock, 'now'>
  /** A text that nobody can guess. */
  random(): string
  /** Where the browser comes back to. */
  redirectUrl: string
  /** Leads the user to an address; resolves with what came back for this `state`. */
  ask(address: URL, state: string): Promise<AuthorizationAnswer>
}

export class SignInError extends Error {}

/** Signs in and keeps the tokens. Rejects with a `SignInError`, and keeps nothing then. */
export async function signIn(
  server: ServerIdentity,
  config: RemoteSignInConfig,
  challenge: SignInChallenge,
  ports: SignInPorts,
): Promise<StoredSignIn> {
  const { library, store } = ports
  const before = await store.find(server)
  try {
    const discovery = await discover(server, config, challenge, ports)
    const scope =
      config.scopes?.join(' ') ?? library.computeScopeUnion(before?.scope, before?.wantedScope, challenge.scope)
    const asked = scope ?? discovery.resourceMetadata?.scopes_supported?.join(' ')
    const draft = createDraft(
      server,
      config,
      discovery,
      { before, ...(asked === undefined ? {} : { scope: asked }) },
      ports,
    )
    // A server that asked for nothing may still have said which scopes there are: the library takes those.
    const options = {
      serverUrl: server.url,
      fetchFn: ports.fetch,
      ...(scope === undefined ? {} : { scope }),
      ...(challenge.resourceMetadataUrl === undefined
        ? {}
        : { resourceMetadataUrl: new URL(challenge.resourceMetadataUrl) }),
    }
    const led: AuthResult = await library.auth(draft.provider, { ...options, forceReauthorization: true })
    const address = draft.address()
    if (led !== 'REDIRECT' || !address) throw new SignInError('The library asked for no authorization.')
    const { code, iss } = await ports.ask(address, draft.state)
    await library.auth(draft.provider, {
      ...options,
      authorizationCode: code,
      ...(iss === undefined ? {} : { iss }),
    })
    const signedIn = draft.finish()
    await store.save(signedIn)
    return signedIn
  } catch (error) {
    if (error instanceof SignInError) throw error
    throw new SignInError(explain(error))
  }
}

async function discover(
  server: ServerIdentity,
  { issuer }: RemoteSignInConfig,
  { resourceMetadataUrl }: SignInChallenge,
  { library, fetch }: SignInPorts,
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
    if (endpoint !== undefined) checkEndpoint(endpoint)
  }
  return { ...found, ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }) }
}

/** A browser is led there, and secrets are sent there: nothing but the web, and over TLS unless it is this computer. */
function checkEndpoint(endpoint: string): void {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))) return
  throw new SignInError(`The authorization server names ${cleanServerLine(endpoint, 300)}, which is no https address.`)
}

/** What the library is told and what it finds out, until all of it is known to be good. */
function createDraft(
  server: ServerIdentity,
  config: RemoteSignInConfig,
  discovery: OAuthDiscoveryState,
  { before, scope }: { before: StoredSignIn | undefined; scope?: string },
  { random, redirectUrl, clock }: SignInPorts,
) {
  const now = clock.now()
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
  const issuer = metadata?.issuer ?? authorizationServerUrl
  const state = random()
  let client =
    configuredClient(config, issuer) ??
    registeredBefore(before, { issuer, redirectUrl, now, ...(scope === undefined ? {} : { scope }) })
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
      if (!client || !tokens) throw new SignInError('The authorization server gave no token.')
      if (tokens.token_type.toLowerCase() !== 'bearer')
        throw new SignInError(`Tokens of type ${cleanServerLine(tokens.token_type)} are not supported.`)
      const scope = address?.searchParams.get('scope') ?? tokens.scope
      return {
        ...server,
        issuer,
        authorizationServerUrl,
        ...(metadata ? { metadata } : {}),
        ...(resource === undefined ? {} : { resource }),
        client,
        redirectUrl,
        ...(config.clientId === undefined && client.client_id !== config.clientMetadataUrl
          ? { isRegistered: true }
          : {}),
        ...tokenFields(tokens, now),
        ...(scope ? { scope } : {}),
        signedInAt: new Date(now).toISOString(),
      }
    },
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

/**
 * A client that was registered at an earlier sign-in is used again, as long as it is known there with the same address and
 * may ask for as much: many authorization servers hold a client to the scopes it was registered with.
 */
function registeredBefore(
  before: StoredSignIn | undefined,
  { issuer, redirectUrl, scope = '', now }: { issuer: string; redirectUrl: string; scope?: string; now: number },
): StoredSignIn['client'] | undefined {
  if (before?.issuer !== issuer || before.redirectUrl !== redirectUrl || !before.isRegistered) return undefined
  // Both are part of a registration, and of no other client.
  const { client_secret_expires_at: end, scope: known } = before.client as Record<string, unknown>
  if (typeof end === 'number' && end > 0 && end * 1000 < now) return undefined
  const allowed = typeof known === 'string' ? known.split(/\s+/) : undefined
  const isAllowed = scope.split(/\s+/).every((one) => one === '' || !allowed || allowed.includes(one))
  return isAllowed ? before.client : undefined
}

function configuredClient(
  { clientId, clientSecret }: RemoteSignInConfig,
  issuer: string,
): StoredSignIn['client'] | undefined {
  if (clientId === undefined) return undefined
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), issuer }
}

function explain(error: unknown): string {
  return cleanServerLine(messageOf(error), 500).replace(/\.?$/, '.')
}
