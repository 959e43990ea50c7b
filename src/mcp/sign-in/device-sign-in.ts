/**
 * A sign-in on any device (RFC 8628): its user opens a page, compares or types a short code, and the tokens are fetched
 * here. For machines without a browser. The official library has no part of this.
 */
import { isObject, type JsonObject } from '../../protocol/json.js'
import { cleanServerLine } from '../clean-text.js'
import type { RemoteSignInConfig } from '../server-config.js'
import { authenticateSignInClient } from './authenticate-client.js'
import { checkSignInEndpoint } from './find-authorization-server.js'
import { deviceEndpointOf, type PreparedSignIn, prepareSignIn } from './prepare-sign-in.js'
import { configuredClient, registeredBefore, toStoredSignIn } from './sign-in-draft.js'
import { type DeviceSignInPorts, type SignInChallenge, SignInError, toSignInError } from './sign-in-ports.js'
import type { ServerIdentity, StoredSignIn } from './stored-sign-in.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** RFC 8628, 3.2 and 3.5. */
const INTERVAL_S = 5
const SLOWER_S = 5
/** However long an authorization server would wait. */
const MAX_WAIT_S = 30 * 60
const MAX_INTERVAL_S = 60

/** Signs in and keeps the tokens. Rejects with a `SignInError`, and keeps nothing then. */
export async function signInOnDevice(
  server: ServerIdentity,
  config: RemoteSignInConfig,
  challenge: SignInChallenge,
  ports: DeviceSignInPorts,
): Promise<StoredSignIn> {
  try {
    const found = await prepareSignIn(server, config, challenge, ports)
    const prepared = { ...found, asked: withOfflineAccess(found) }
    const endpoint = deviceEndpointOf(prepared)
    if (endpoint === undefined)
      throw new SignInError('The authorization server offers no sign-in on another device. Sign in with a browser.')
    checkSignInEndpoint(endpoint)
    const resource = resourceOf(server, prepared, ports)
    const client = await clientOf(config, prepared, ports)
    const ask = (url: string, fields: Record<string, string>) => post(url, fields, { client, prepared, ports })
    const common: Record<string, string> = resource === undefined ? {} : { resource }
    const scope: Record<string, string> = prepared.asked === undefined ? {} : { scope: prepared.asked }
    const begun = readDeviceAnswer(await ask(endpoint, { ...scope, ...common }))
    ports.show(begun.address, begun.userCode)
    const tokens = await poll(begun, (fields) => ask(tokenEndpointOf(prepared), { ...fields, ...common }), ports)
    if (ports.signal.aborted) throw new SignInError('The sign-in was canceled.')
    const { discovery, asked } = prepared
    const granted = { client, tokens, resource, scope: asked }
    const signedIn = toStoredSignIn(server, config, { discovery, now: ports.clock.now(), ...granted })
    await ports.store.save(signedIn)
    return signedIn
  } catch (error) {
    throw toSignInError(error)
  }
}

/** Some authorization servers give a refresh token to those alone who ask for it, as the library does in a browser. */
function withOfflineAccess({ asked, discovery }: PreparedSignIn): string | undefined {
  const offered: readonly string[] = discovery.authorizationServerMetadata?.scopes_supported ?? []
  const scopes = asked?.split(/\s+/) ?? []
  if (!offered.includes('offline_access') || scopes.includes('offline_access')) return asked
  return [...scopes, 'offline_access'].join(' ')
}

/** What tokens are to be good for: what the server says it is, if that is its own address. */
function resourceOf(
  { url }: ServerIdentity,
  { discovery: { resourceMetadata } }: PreparedSignIn,
  { library }: DeviceSignInPorts,
): string | undefined {
  if (!resourceMetadata) return undefined
  const isAllowed = library.checkResourceAllowed({
    requestedResource: library.resourceUrlFromServerUrl(url),
    configuredResource: resourceMetadata.resource,
  })
  if (!isAllowed)
    throw new SignInError(`The server describes another one: ${cleanServerLine(resourceMetadata.resource, 300)}.`)
  return resourceMetadata.resource
}

async function clientOf(
  config: RemoteSignInConfig,
  { discovery, before, asked }: PreparedSignIn,
  { library, fetch, clock }: DeviceSignInPorts,
): Promise<StoredSignIn['client']> {
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
  const issuer = metadata?.issuer ?? authorizationServerUrl
  const needs = { issuer, redirectUrl: undefined, scope: asked, now: clock.now() }
  const known = configuredClient(config, issuer) ?? registeredBefore(before, needs)
  if (known) return known
  const { clientMetadataUrl } = config
  const more: JsonObject = { ...metadata }
  if (clientMetadataUrl !== undefined && more['client_id_metadata_document_supported'] === true)
    return { client_id: clientMetadataUrl, issuer }
  const methods = metadata?.token_endpoint_auth_methods_supported
  const registered = await library.registerClient(authorizationServerUrl, {
    ...(metadata ? { metadata } : {}),
    fetchFn: fetch,
    ...(asked === undefined ? {} : { scope: asked }),
    clientMetadata: {
      client_name: 'Kedge',
      redirect_uris: [],
      grant_types: [GRANT, 'refresh_token'],
      response_types: [],
      ...(methods === undefined || methods.includes('none') ? { token_endpoint_auth_method: 'none' } : {}),
    },
  })
  return { ...registered, issuer }
}

function tokenEndpointOf({ discovery: { authorizationServerMetadata: metadata } }: PreparedSignIn): string {
  const endpoint = metadata?.token_endpoint
  if (endpoint === undefined) throw new SignInError('The authorization server names no token endpoint.')
  return endpoint
}

async function post(
  url: string,
  fields: Record<string, string>,
  {
    client,
    prepared: { discovery },
    ports: { library, fetch, signal },
  }: { client: StoredSignIn['client']; prepared: PreparedSignIn; ports: DeviceSignInPorts },
): Promise<JsonObject> {
  const body = new URLSearchParams(fields)
  const methods = discovery.authorizationServerMetadata?.token_endpoint_auth_methods_supported ?? []
  const headers = authenticateSignInClient(client, methods, body, library)
  const answer = await fetch(url, { method: 'POST', headers, body, signal })
  const value: unknown = await answer.json().catch(() => undefined)
  if (isObject(value)) return value
  throw new SignInError(`The authorization server answered with HTTP ${answer.status} and no JSON.`)
}

type DeviceAnswer = { deviceCode: string; userCode: string; address: URL; seconds: number; interval: number }

function readDeviceAnswer(answer: JsonObject): DeviceAnswer {
  refuseError(answer)
  const { device_code: deviceCode, user_code: userCode, verification_uri: page, expires_in: seconds } = answer
  const { verification_uri_complete: complete, interval } = answer
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string' || typeof page !== 'string')
    throw new SignInError('The authorization server began no sign-in on another device.')
  checkSignInEndpoint(page)
  const isUsable =
    typeof complete === 'string' && URL.canParse(complete) && new URL(complete).origin === new URL(page).origin
  return {
    deviceCode,
    userCode: cleanServerLine(userCode, 40),
    address: new URL(isUsable ? complete : page),
    seconds: typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, MAX_WAIT_S) : MAX_WAIT_S,
    interval: typeof interval === 'number' && interval > 0 ? Math.min(interval, MAX_INTERVAL_S) : INTERVAL_S,
  }
}

/** Asks until its user has decided, or the code is over. A failed connection is no decision. */
async function poll(
  { deviceCode, seconds, interval }: DeviceAnswer,
  ask: (fields: Record<string, string>) => Promise<JsonObject>,
  { clock, signal }: DeviceSignInPorts,
): Promise<StoredSignIn['tokens']> {
  const end = clock.now() + seconds * 1000
  let wait = interval
  while (!signal.aborted) {
    await clock.sleep(wait * 1000, signal)
    if (signal.aborted) break
    if (clock.now() >= end) throw new SignInError('The code is over. Sign in again to get another one.')
    const answer = await ask({ grant_type: GRANT, device_code: deviceCode }).catch((error: unknown) => {
      if (error instanceof SignInError) throw error
      return { error: 'slow_down' }
    })
    if (answer['error'] === 'authorization_pending') continue
    if (answer['error'] === 'slow_down') {
      wait = Math.min(wait + SLOWER_S, MAX_INTERVAL_S)
      continue
    }
    refuseError(answer)
    return readTokens(answer)
  }
  throw new SignInError('The sign-in was canceled.')
}

function refuseError({ error, error_description: description }: JsonObject): void {
  if (error === undefined) return
  const detail = typeof description === 'string' ? `: ${cleanServerLine(description, 300)}` : ''
  throw new SignInError(`The authorization server refused: ${cleanServerLine(String(error), 100)}${detail}`)
}

function readTokens(answer: JsonObject): StoredSignIn['tokens'] {
  const { access_token: token, token_type: type, refresh_token: refresh, expires_in: seconds, scope } = answer
  if (typeof token !== 'string' || token === '' || typeof type !== 'string')
    throw new SignInError('The authorization server gave no token.')
  return {
    access_token: token,
    token_type: type,
    ...(typeof refresh === 'string' ? { refresh_token: refresh } : {}),
    ...(typeof seconds === 'number' ? { expires_in: seconds } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
  }
}
