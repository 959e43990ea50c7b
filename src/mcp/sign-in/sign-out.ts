/** Ends a sign-in: the authorization server is told that its tokens are over (RFC 7009), and nothing of them is kept. */
import type { JsonObject } from '../../protocol/json.js'
import { messageOf } from '../../protocol/thrown.js'
import { cleanServerLine } from '../clean-text.js'
import { authenticateSignInClient } from './authenticate-client.js'
import type { SignInFetch } from './sign-in-fetch.js'
import type { OAuthLibrary } from './sign-in-ports.js'
import type { SignInStore } from './sign-in-store.js'
import type { ServerIdentity, StoredSignIn } from './stored-sign-in.js'

export type SignOutResult =
  | { kind: 'not-signed-in' }
  /** `unconfirmed`: the tokens are forgotten here, and may still be taken there. */
  | { kind: 'revoked' | 'not-offered' | 'unconfirmed'; problem?: string }

export async function signOut(
  server: ServerIdentity,
  ports: { library(): Promise<OAuthLibrary>; fetch: SignInFetch['fetch']; store: SignInStore },
): Promise<SignOutResult> {
  const { store } = ports
  return store.exclusively(server, async () => {
    const known = await store.find(server)
    if (!known) return { kind: 'not-signed-in' }
    await store.remove(server)
    if (!known.tokens) return { kind: 'not-signed-in' }
    return revoke(known, await ports.library(), ports.fetch)
  })
}

async function revoke(known: StoredSignIn, library: OAuthLibrary, fetch: SignInFetch['fetch']): Promise<SignOutResult> {
  const { tokens, client } = known
  // RFC 8414 has these two names; the metadata of OpenID does not, though its servers send them.
  const metadata: JsonObject = { ...known.metadata }
  const endpoint = metadata['revocation_endpoint']
  const tokenEndpoint = metadata['token_endpoint']
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return { kind: 'not-offered' }
  const url = new URL(endpoint)
  // The tokens go nowhere but to who gave them.
  if (typeof tokenEndpoint !== 'string' || new URL(tokenEndpoint).origin !== url.origin)
    return { kind: 'unconfirmed', problem: `${url.host} isn't where the tokens came from` }
  const methods =
    metadata['revocation_endpoint_auth_methods_supported'] ?? metadata['token_endpoint_auth_methods_supported']
  const pairs: [string, string | undefined][] = [
    ['refresh_token', tokens?.refresh_token],
    ['access_token', tokens?.access_token],
  ]
  try {
    for (const [hint, token] of pairs) {
      if (token === undefined) continue
      const body = new URLSearchParams({ token, token_type_hint: hint })
      const headers = authenticateSignInClient(client, Array.isArray(methods) ? methods.map(String) : [], body, library)
      const answer = await fetch(url, { method: 'POST', headers, body })
      if (!answer.ok) return { kind: 'unconfirmed', problem: `HTTP ${answer.status}` }
    }
    return { kind: 'revoked' }
  } catch (error) {
    return { kind: 'unconfirmed', problem: cleanServerLine(messageOf(error), 300) }
  }
}
