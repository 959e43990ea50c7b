/** Gets one page: through redirects on its own site, with limits on time and size, as text. */
import { literalAddress, networkKindOfAddress } from '../../platform/web/web-address.js'
import type { WebClient, WebFailure, WebResponse } from '../../platform/web/web-pages.js'
import { type AddressApproval, resolveAllowedAddresses } from './allowed-addresses.js'
import type { CachedPage } from './page-cache.js'
import { decodePageText, mediaType, pageKindOfContentType } from './page-text.js'
import { isSameSite, readWebUrl } from './web-url.js'

/** What it takes to get one page. */
export type FetchPorts = {
  web: WebClient
  userAgent: string
  /** A rule forbids this address. */
  isDenied(url: string): Promise<boolean>
  signal: AbortSignal
}

export type FetchOutcome =
  | { kind: 'page'; page: CachedPage }
  /** Not followed: the rules have to judge the new address first. */
  | { kind: 'redirect'; from: string; to: string; status: number; statusText: string }
  /** `says`: the text that came with an error, for what it is worth. */
  | { kind: 'failure'; error: string; says?: string }

const MOST_REDIRECTS = 10
const MOST_BYTES = 10 * 1024 * 1024
const CONNECT_MS = 10_000
const PAGE_LIMIT = 100_000
/** Limits for the page that comes with an error. */
const ERROR_BYTES = 65_536
const ERROR_LIMIT = 1000
const ACCEPT =
  'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, application/xml;q=0.7, */*;q=0.1'

export async function fetchPage(
  start: URL,
  approval: AddressApproval | undefined,
  ports: FetchPorts,
): Promise<FetchOutcome> {
  const seen = new Set<string>()
  for (let url = start; ; ) {
    const found = await resolveAllowedAddresses(ports.web, url, approval, ports.signal)
    if (!found.ok) return failure(found.error)
    url = upgrade(url, found.addresses)
    if (seen.has(url.href)) return failure(`${url.href} sends its visitors round in circles.`)
    if (seen.size > MOST_REDIRECTS) return failure(`${start.href} was redirected more than ${MOST_REDIRECTS} times.`)
    seen.add(url.href)

    const response = await connect(url, found.addresses, ports)
    if (!response.ok) return failure(describeFailure(url, response))
    const target = redirectTarget(response)
    if (target === undefined) return readPage(url, response, ports)
    response.discard()
    const next = readWebUrl(target, url)
    if (!next.ok) return failure(`${url.href} points to an address that is not fetched: ${next.reason}.`)
    const sameHost = next.url.hostname === url.hostname
    if (!isSameSite(url, next.url) || (!sameHost && (await ports.isDenied(next.url.href)))) {
      const { status, statusText } = response
      return { kind: 'redirect', from: url.href, to: next.url.href, status, statusText }
    }
    url = next.url
  }
}

/** Public hosts are spoken to in private. Where a port is named, nobody knows which one would be the encrypted one. */
function upgrade(url: URL, addresses: readonly string[]): URL {
  // A name among them is one that only a proxy can look up.
  const isPublic = addresses.every((a) => networkKindOfAddress(a) === 'public' || isName(a, url))
  if (url.protocol !== 'http:' || url.port !== '' || !isPublic) return url
  const upgraded = new URL(url)
  upgraded.protocol = 'https:'
  return upgraded
}

function isName(address: string, { hostname }: URL): boolean {
  return address === hostname && literalAddress(hostname) === undefined
}

async function connect(url: URL, addresses: readonly string[], ports: FetchPorts): Promise<WebResponse | WebFailure> {
  const headers = { accept: ACCEPT, 'user-agent': ports.userAgent }
  let last: WebFailure = { ok: false, kind: 'no connection', reason: 'no address' }
  for (const address of addresses) {
    const response = await ports.web.get({ url, address, headers, signal: ports.signal, connectTimeoutMs: CONNECT_MS })
    if (response.ok || response.kind !== 'no connection') return response
    last = response
  }
  return last
}

function redirectTarget({ status, headers }: WebResponse): string | undefined {
  const target = headers['location']
  if (target === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  // Headers come byte by byte; what is written in other scripts than Latin is meant as UTF-8.
  return new TextDecoder().decode(Uint8Array.from(target, (character) => character.charCodeAt(0)))
}

async function readPage(url: URL, response: WebResponse, ports: FetchPorts): Promise<FetchOutcome> {
  const { status, statusText, headers } = response
  const type = headers['content-type'] ?? ''
  const isError = status < 200 || status > 299
  if (pageKindOfContentType(type) === undefined) {
    response.discard()
    return failure(isError ? statusLine(url, response) : notText(url, mediaType(type), headers['content-length']))
  }
  const body = await response.read(isError ? ERROR_BYTES : MOST_BYTES)
  const options = {
    base: url.href,
    limit: isError ? ERROR_LIMIT : PAGE_LIMIT,
    signal: ports.signal,
  }
  const text = body.ok ? await decodePageText(body.bytes, type, options) : undefined
  if (isError) {
    return { ...failure(statusLine(url, response)), ...(text?.text && { says: text.text }) }
  }
  if (!body.ok) return failure(describeFailure(url, body))
  if (!text) return failure(notText(url, mediaType(type) || 'an unknown type', String(body.bytes.length)))
  return { kind: 'page', page: { url: url.href, status, statusText, bytes: body.bytes.length, ...text } }
}

function statusLine(url: URL, { status, statusText }: WebResponse): string {
  return `${url.href} answered ${`${status} ${statusText}`.trim()}.`
}

function notText(url: URL, type: string, size: string | undefined): string {
  const bytes = size !== undefined && /^\d+$/.test(size) ? `${size} bytes` : 'size unknown'
  return `${url.href} is no text but a file of type ${nameOnly(type)} (${bytes}). Download it with Bash, such as curl -L -o FILE URL, and open it with Read.`
}

function describeFailure(url: URL, { kind, reason }: WebFailure): string {
  switch (kind) {
    case 'too large':
      return `${url.href} is too large: ${reason}, and at most ${MOST_BYTES} are fetched. Download it with Bash and read parts of it.`
    case 'unknown encoding':
      return `${url.href} is compressed in a way that is not supported (${nameOnly(reason)}).`
    case 'broken off':
      return `${url.href} broke off before its end (${reason}).`
    default:
      return `${url.href} could not be reached (${reason}).`
  }
}

/** A server's word for a type or an encoding, and no more than that. */
function nameOnly(text: string): string {
  return text.replace(/[^\w.+/ -]/g, '').slice(0, 80)
}

function failure(error: string): Extract<FetchOutcome, { kind: 'failure' }> {
  return { kind: 'failure', error }
}
