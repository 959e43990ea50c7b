/**
 * The second half of a browser's sign-in. Cookies go to every port of a host, so another service there sees them; the key
 * is made by the page, stays in the storage of its origin, and comes with each request in a header that only it sends.
 */
import type { IncomingHttpHeaders } from 'node:http'

export const KEY_HEADER = 'x-kedge-key'
/** What a page that opens a WebSocket offers, since it can't set headers there: this, and this with a dot and the key. */
export const SOCKET_PROTOCOL = 'kedge'
const KEY_PROTOCOL = `${SOCKET_PROTOCOL}.key.`

const COOKIE = 'kedge_session'
/** As a pattern: nothing shorter is hard enough to guess. */
export const PAGE_KEY_PATTERN = '^[A-Za-z0-9_-]{32,128}$'
const KEY = new RegExp(PAGE_KEY_PATTERN)

/** The key of a page; undefined: there is none, or it is too short to be one. */
export function readPageKey(headers: IncomingHttpHeaders): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
  const inProtocol = offered.find((one) => one.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length)
  const given = headers[KEY_HEADER] ?? inProtocol
  return typeof given === 'string' && KEY.test(given) ? given : undefined
}

/** Chooses the protocol of a socket: the key is never sent back. */
export function chooseSocketProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false
}

/** Servers on other ports of the host have cookies with other names; one that came over TLS can't be set by others. */
function namesFor({ host = '' }: IncomingHttpHeaders): { plain: string; secure: string } {
  const [, port] = /:(\d+)$/.exec(host) ?? []
  const plain = port === undefined ? COOKIE : `${COOKIE}_${port}`
  return { plain, secure: `__Host-${plain}` }
}

export function readPageKeyCookie(headers: IncomingHttpHeaders): string | undefined {
  const { plain, secure } = namesFor(headers)
  const found = new Map<string, string>()
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name = '', value] = part.trim().split('=', 2)
    if (value && !found.has(name)) found.set(name, value)
  }
  return found.get(secure) ?? found.get(plain)
}

/** The header that gives a browser its cookie, or takes it away (`seconds` 0). */
export function createPageKeyCookieHeader(headers: IncomingHttpHeaders, value: string, seconds: number): string {
  const { plain, secure } = namesFor(headers)
  // Browsers say with every POST which page sends it, and by which scheme that page was loaded.
  const isSecure = headers.origin?.startsWith('https://') === true
  const rest = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`
  return isSecure ? `${secure}=${value}; ${rest}; Secure` : `${plain}=${value}; ${rest}`
}
