/** Checks before anything else: the place of a request, and the caller. The same for requests and WebSockets. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { HttpProblem } from '../api/problems.js'
import type { AccessTokens, Caller } from './access-tokens.js'
import type { FailedTokenGuard } from './failed-tokens.js'
import { readPageKey, readPageKeyCookie } from './page-keys.js'
import { PlaceGuard, type PlaceGuardOptions } from './place-guard.js'

export type GuardOptions = PlaceGuardOptions & { tokens: AccessTokens; failures: FailedTokenGuard }

export class RequestGuard extends PlaceGuard {
  readonly #options: GuardOptions

  constructor(options: GuardOptions) {
    super(options)
    this.#options = options
  }

  /** Throws if the caller is unknown. A token in the address isn't accepted: addresses end up in logs and histories. */
  async caller(request: IncomingMessage): Promise<Caller> {
    const { tokens, failures } = this.#options
    const { headers } = request
    const from = request.socket.remoteAddress ?? ''
    const token = bearerOf(headers)
    const cookie = token === undefined ? readPageKeyCookie(headers) : undefined
    if (token === undefined && cookie === undefined)
      throw new HttpProblem('unauthorized', 'The request has no token.', { headers: CHALLENGE })
    const key = readPageKey(headers)
    // Every service on this host sees the cookie: alone it is worth nothing.
    if (token === undefined && key === undefined)
      throw new HttpProblem('unauthorized', 'The request has a cookie without the key of its page.', {
        headers: CHALLENGE,
      })
    const secret = token ?? cookie ?? ''
    // A token that is shown as a cookie is another secret, and a wrong one.
    const shown = token === undefined ? `cookie ${secret} ${key}` : `token ${secret}`
    const wait = failures.wait(from, shown)
    if (wait > 0)
      throw new HttpProblem('too_many_failures', 'Too many wrong tokens came from there.', {
        headers: { 'retry-after': String(wait) },
      })
    const find = () => (token === undefined ? tokens.findCookie(secret, key ?? '') : tokens.find(secret))
    let caller = find()
    if (!caller) {
      await tokens.refresh()
      caller = find()
    }
    failures.note(from, shown, caller !== undefined)
    if (!caller)
      throw new HttpProblem('unauthorized', 'The token is not known, or has expired.', { headers: CHALLENGE })
    return caller
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="kedge"' }

export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined) return undefined
  const [, token = ''] = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? []
  return token
}
