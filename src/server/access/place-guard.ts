/** Checks where a request was sent and where it came from: Host, Origin, path, and doubled headers. */
import type { IncomingMessage } from 'node:http'
import { HttpProblem } from '../api/problems.js'
import { KEY_HEADER } from './page-keys.js'

export type PlaceGuardOptions = {
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

const FRAMES = '/mcp-app/'

export class PlaceGuard {
  readonly #options: PlaceGuardOptions

  constructor(options: PlaceGuardOptions) {
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
    // Its address is a secret that works once, and pages of other origins can show it (`kedge/elements`).
    if (request.method === 'GET' && path.startsWith(FRAMES) && headers.origin === undefined) return
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
}

function checkOnce({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>()
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = (rawHeaders[n] ?? '').toLowerCase()
    if (!ONCE.has(name)) continue
    if (seen.has(name)) throw new HttpProblem('invalid_request', `The header ${name} came twice.`)
    seen.add(name)
  }
}
