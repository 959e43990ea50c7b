/** A new access token for an old one: one refresh for all sessions and processes, whoever finds out first. */
import type { Clock } from '../../platform/clock.js'
import { tokenFields } from './sign-in-draft.js'
import type { SignInFetch } from './sign-in-fetch.js'
import type { OAuthLibrary } from './sign-in-ports.js'
import type { SignInStore } from './sign-in-store.js'
import type { ServerIdentity, StoredSignIn } from './stored-sign-in.js'

export type SignInRefreshPorts = {
  library(): Promise<OAuthLibrary>
  fetch: SignInFetch['fetch']
  store: SignInStore
  clock: Pick<Clock, 'now'>
}

/** Errors of an authorization server that mean: these tokens are over (RFC 6749 §5.2). */
const IS_OVER = /^(?:invalid_grant|invalid_client|unauthorized_client)$/

/**
 * Returns the sign-in with a token other than `refused`, if there is one or one can be had; undefined if its user has to
 * sign in again. Rejects when nobody can tell: the authorization server can't be reached.
 */
export function refreshSignIn(
  server: ServerIdentity,
  refused: string | undefined,
  ports: SignInRefreshPorts,
): Promise<StoredSignIn | undefined> {
  return ports.store.exclusively(server, async () => {
    const known = await ports.store.find(server)
    if (!known?.tokens) return undefined
    // Another session has been here meanwhile.
    if (known.tokens.access_token !== refused) return known
    return refresh(known, ports)
  })
}

async function refresh(known: StoredSignIn, { library, fetch, store, clock }: SignInRefreshPorts) {
  const { tokens, client, issuer, metadata, authorizationServerUrl, resource } = known
  if (!tokens?.refresh_token || (tokens.issuer ?? issuer) !== issuer || (client.issuer ?? issuer) !== issuer)
    return undefined
  const { refreshAuthorization } = await library()
  try {
    // What was found out at the sign-in: a server that names somebody else by now gets nothing.
    const fresh = await refreshAuthorization(authorizationServerUrl, {
      ...(metadata ? { metadata } : {}),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      ...(resource === undefined ? {} : { resource }),
      fetchFn: fetch,
    })
    const { expiresAt: _old, ...rest } = known
    const renewed: StoredSignIn = { ...rest, ...tokenFields({ ...tokens, ...fresh, issuer }, clock.now()) }
    await store.save(renewed)
    return renewed
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !IS_OVER.test(String(error.code))) throw error
    await store.change(known, ({ tokens: _tokens, expiresAt: _expiresAt, ...others }) => others)
    return undefined
  }
}
