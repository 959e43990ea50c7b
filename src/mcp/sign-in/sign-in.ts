/**
 * One sign-in to an MCP server in a browser, from what the server says about itself to tokens in the store. The protocol
 * is the official library's; here is what it leaves to its host: who is led where, what is checked first, and what is kept.
 */
import type { AuthResult } from '@modelcontextprotocol/client'
import type { RemoteSignInConfig } from '../server-config.js'
import { deviceEndpointOf, prepareSignIn } from './prepare-sign-in.js'
import { createSignInDraft } from './sign-in-draft.js'
import { type BrowserSignInPorts, type SignInChallenge, SignInError, toSignInError } from './sign-in-ports.js'
import type { ServerIdentity, StoredSignIn } from './stored-sign-in.js'

/** Signs in and keeps the tokens. Rejects with a `SignInError`, and keeps nothing then. */
export async function signIn(
  server: ServerIdentity,
  config: RemoteSignInConfig,
  challenge: SignInChallenge,
  ports: BrowserSignInPorts,
): Promise<StoredSignIn> {
  const { library, store } = ports
  try {
    const prepared = await prepareSignIn(server, config, challenge, ports)
    const draft = createSignInDraft(server, config, prepared, ports)
    const { scope } = prepared
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
    const { code, iss } = await ports.ask(address, draft.state, {
      offersDevice: deviceEndpointOf(prepared) !== undefined,
    })
    await library.auth(draft.provider, {
      ...options,
      authorizationCode: code,
      ...(iss === undefined ? {} : { iss }),
    })
    const signedIn = draft.finish()
    await store.save(signedIn)
    return signedIn
  } catch (error) {
    throw toSignInError(error)
  }
}
