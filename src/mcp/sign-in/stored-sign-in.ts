/** A sign-in as it is kept: what was granted for one server, by whom, and what it takes to renew it. */
import type {
  AuthorizationServerMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { isObject, type JsonObject } from '../../protocol/json.js'

/** Both count: another address under the same name gets nothing of the first one's. */
export type ServerIdentity = { server: string; url: string }

export type StoredSignIn = ServerIdentity & {
  /** The authorization server, by the name that its metadata and every token carry. */
  issuer: string
  authorizationServerUrl: string
  metadata?: AuthorizationServerMetadata
  /** The resource that tokens are for (RFC 8707). */
  resource?: string
  client: StoredOAuthClientInformation
  /** Where the browser came back to. */
  redirectUrl?: string
  /** The client was registered at the sign-in, with that address, and can be used for the next one. */
  isRegistered?: boolean
  /** Without them, the client alone is known: its user signed out, or the tokens are no longer taken. */
  tokens?: StoredOAuthTokens
  /** In ms since 1970. */
  expiresAt?: number
  /** What was asked for last. */
  scope?: string
  /** Asked for by the server since: the next sign-in asks for these as well. */
  wantedScope?: string
  signedInAt: string
}

export function signInKey({ server, url }: ServerIdentity): string {
  return `${server} ${url}`
}

/** Reads what a file holds; what is not in its own form is left out. */
export function parseSignIns(value: unknown): Map<string, StoredSignIn> {
  const list = isObject(value) && Array.isArray(value['signIns']) ? value['signIns'] : []
  const found = list.filter(isSignIn)
  return new Map(found.map((one) => [signInKey(one), one]))
}

/** Undefined: it is not in its own form. */
export function readStoredSignIn(value: unknown): StoredSignIn | undefined {
  return isSignIn(value) ? value : undefined
}

export function toSignInFile(signIns: ReadonlyMap<string, StoredSignIn>): object {
  return { version: 1, signIns: [...signIns.values()] }
}

function isSignIn(value: unknown): value is StoredSignIn {
  if (!isObject(value)) return false
  const { server, url, issuer, authorizationServerUrl, client, tokens, metadata } = value
  const isText = (one: unknown) => typeof one === 'string'
  return (
    [server, url, issuer, authorizationServerUrl].every(isText) &&
    isObject(client) &&
    isText(client['client_id']) &&
    (metadata === undefined || isObject(metadata)) &&
    (tokens === undefined || isTokens(tokens))
  )
}

function isTokens(value: unknown): value is JsonObject {
  return isObject(value) && typeof value['access_token'] === 'string'
}
