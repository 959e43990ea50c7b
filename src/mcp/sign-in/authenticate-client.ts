/** How a client says who it is, in a request that the official library doesn't make. */
import type { OAuthLibrary } from './sign-in-ports.js'
import type { StoredSignIn } from './stored-sign-in.js'

/** Adds the client to the body, or to the headers it returns, as the authorization server wants it. */
export function authenticateSignInClient(
  client: StoredSignIn['client'],
  methods: string[],
  body: URLSearchParams,
  library: OAuthLibrary,
): Headers {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' })
  const method = library.selectClientAuthMethod(client, methods)
  if (method === 'client_secret_basic') {
    headers.set('authorization', `Basic ${btoa(`${client.client_id}:${client.client_secret ?? ''}`)}`)
    return headers
  }
  body.set('client_id', client.client_id)
  if (method === 'client_secret_post' && client.client_secret) body.set('client_secret', client.client_secret)
  return headers
}
