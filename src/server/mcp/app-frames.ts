/**
 * User interfaces of MCP tools (MCP Apps) for frames in the web app. Each is a document with an address that works once. Its
 * origin is opaque (`sandbox` without `allow-same-origin`), so it has no cookies, no storage, and no access to the page or to
 * this server, also if somebody opens the address itself.
 */
import { randomBytes } from 'node:crypto'
import { isObject } from '../../protocol/json.js'

export const APP_FRAME_PATH = '/mcp-app/'
const SECONDS = 60
const MOST_WAITING = 200
const MOST_BYTES = 4_000_000
const MOST_ORIGINS = 50
/** What an interface can name: an origin, with any name below a domain. */
const ORIGIN = /^(?:https|wss):\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::\d{1,5})?$/i

type Waiting = { html: string; policy: string; until: number }

export class AppFrames {
  readonly #waiting = new Map<string, Waiting>()

  /** Returns the path of the document. Throws if it can't be shown. `embedders`: origins of pages that can frame it. */
  add(html: string, csp: unknown, embedders: readonly string[]): string {
    if (Buffer.byteLength(html) > MOST_BYTES) throw new Error('The interface is larger than 4 MB.')
    for (const [key, { until }] of this.#waiting) if (until < Date.now()) this.#waiting.delete(key)
    const [oldest] = this.#waiting.size >= MOST_WAITING ? this.#waiting.keys() : []
    if (oldest !== undefined) this.#waiting.delete(oldest)
    const ticket = randomBytes(32).toString('base64url')
    this.#waiting.set(ticket, { html, policy: policyOf(csp, embedders), until: Date.now() + SECONDS * 1000 })
    return `${APP_FRAME_PATH}${ticket}`
  }

  /** Undefined: there is none, or it was taken. */
  take(path: string): Response | undefined {
    const ticket = path.slice(APP_FRAME_PATH.length)
    const found = this.#waiting.get(ticket)
    this.#waiting.delete(ticket)
    if (!found || found.until < Date.now()) return undefined
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': found.policy }
    return new Response(found.html, { headers })
  }
}

/** Exported for its test. What isn't an origin is left out: nothing of it may become a directive of its own. */
export function policyOf(csp: unknown, embedders: readonly string[]): string {
  const wanted = isObject(csp) ? csp : {}
  const origins = (name: string) => {
    const list = wanted[name]
    const named = Array.isArray(list) ? list.slice(0, MOST_ORIGINS) : []
    return named.filter((one): one is string => typeof one === 'string' && ORIGIN.test(one)).join(' ')
  }
  const [resources, connects, frames] = [origins('resourceDomains'), origins('connectDomains'), origins('frameDomains')]
  return [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    `script-src 'unsafe-inline' ${resources}`,
    `style-src 'unsafe-inline' ${resources}`,
    `img-src data: blob: ${resources}`,
    `font-src data: ${resources}`,
    `media-src data: blob: ${resources}`,
    `connect-src ${connects || "'none'"}`,
    "worker-src 'none'",
    `frame-src ${frames || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors 'self' ${embedders.join(' ')}`,
  ]
    .map((directive) => directive.trim())
    .join('; ')
}
