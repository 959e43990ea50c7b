/** Which addresses are fetched at all, in which form, and which redirects stay on the same site. */
import { parseUrl } from '../../platform/web/parse-url.js'

const LONGEST_URL = 2000

export type WebUrlResult = { ok: true; url: URL } | { ok: false; reason: string }

/** The address without its fragment, which is not sent, or why it is not fetched. What is wrong with it is not repeated. */
export function readWebUrl(text: string, base?: URL): WebUrlResult {
  const refuse = (reason: string): WebUrlResult => ({ ok: false, reason })
  if (text.length > LONGEST_URL) return refuse(`longer than ${LONGEST_URL} characters`)
  if (/[\u0000-\u001f\u007f]/.test(text)) return refuse('it contains control characters')
  const url = parseUrl(text, base?.href)
  if (!url) return refuse('it is not a complete address such as https://example.com/page')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('only http and https addresses are fetched')
  if (url.username !== '' || url.password !== '')
    return refuse('it contains a user name or password; nothing is logged in to')
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return { ok: true, url }
}

/** The same host, with or without `www.`, at the same port: everything else is for the permission rules to judge anew. */
export function isSameSite(from: URL, to: URL): boolean {
  return bareHost(from) === bareHost(to) && from.port === to.port
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^www\./, '')
}
