/** Checks before anything else: Host, Origin, and the caller. The same for requests and WebSockets. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { HttpProblem } from '../api/problems.js'
import type { AccessTokens, Caller } from './access-tokens.js'
import type { FailedTokenGuard } from './failed-tokens.js'
import { KEY_HEADER, readPageKey, readPageKeyCookie } from './page-keys.js'

export type GuardOptions = {
  tokens: AccessTokens
  failures: FailedTokenGuard
  /** As in the header `Host`, with the port. */
  hosts(): ReadonlySet<string>
  /** Those of other pages that may call, beside our own. */
  origins: ReadonlySet<string>
}

const ODD_PARTS = /\/(\.|%2e){1,2}(\/|$)|\\|%5c|%00/i

/** Headers of which two would let two readers see two requests. */
const ONCE = new Set([
  ...['host', 'origin', 'authorization', 'content-length', 'content-type', 'cookie', 'last-event-id'],
  ...[KEY_HEADER, 'sec-websocket-protocol'],
])

export class RequestGuard {
  readonly #options: GuardOptions

  constructor(options: GuardOptions) {
    this.#options = options
  }

  /** Throws if the request was made for another host, or by a foreign page. */
  checkPlace(request: IncomingMessage): void {
    const { headers } = request
    checkOnce(request)
    const host = (headers.host ?? '').toLowerCase()
    if (!this.#options.hosts().has(host))
      throw new HttpProblem('forbidden_host', 'This server is not known by that name.')
    // None of our paths has such parts, and a proxy might read them differently.
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (!path.startsWith('/') || ODD_PARTS.test(path))
      throw new HttpProblem('not_found', 'A request names a path of this server.')
    const { origin } = headers
    if (origin !== undefined && !this.isKnownOrigin(origin))
      throw new HttpProblem('forbidden_origin', 'That page may not call this server.')
    const site = headers['sec-fetch-site']
    // Browsers say where a request comes from, also where they leave `Origin` out.
    if (origin === undefined && site !== undefined && site !== 'same-origin' && site !== 'none')
      throw new HttpProblem('forbidden_origin', 'Another page may not call this server.')
  }

  /** Its own pages, and those that were listed. */
  isKnownOrigin(origin: string): boolean {
    if (this.#options.origins.has(origin)) return true
    const [, host = ''] = /^https?:\/\/([^/]+)$/.exec(origin) ?? []
    return this.#options.hosts().has(host.toLowerCase())
  }

  isForeignOrigin(origin: string | undefined): origin is string {
    return origin !== undefined && this.#options.origins.has(origin)
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

function checkOnce({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>()
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = (rawHeaders[n] ?? '').toLowerCase()
    if (!ONCE.has(name)) continue
    if (seen.has(name)) throw new HttpProblem('invalid_request', `The header ${name} came twice.`)
    seen.add(name)
  }
}

function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined) return undefined
  const [, token = ''] = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? []
  return token
}
