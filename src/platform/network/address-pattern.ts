/** Patterns of addresses, as settings list them: `https://*.example.com/*`. */

/**
 * Whether a pattern covers an address. `*` stands for any characters; in front of the path, for any but a slash, so that no
 * path can pass for a host. Without a path, only `/` is covered, or any path if the pattern ends with `*`. User, password, and
 * fragment are not looked at.
 */
export function coversAddress(pattern: string, address: string): boolean {
  if (!URL.canParse(address)) return false
  if (pattern.trim() === '*') return true
  const [, scheme = '', host = '', path = ''] = /^([a-z*]+:\/\/)([^/?#]*)(.*)$/is.exec(pattern.trim()) ?? []
  if (scheme === '') return false
  const url = new URL(address)
  const theirHost = url.host.replace(/\.(?=:|$)/, '')
  const wanted = host
    .toLowerCase()
    .replace(/^([^:]*):(\d+)$/, (whole, name, port) =>
      (url.protocol === 'https:' && port === '443') || (url.protocol === 'http:' && port === '80') ? name : whole,
    )
  const wantedPath = path === '' ? (wanted.endsWith('*') ? '*' : '/') : path
  return (
    coversText(scheme.toLowerCase(), `${url.protocol}//`) &&
    coversText(wanted, theirHost) &&
    coversText(wantedPath, `${url.pathname}${url.search}`)
  )
}

/** In one pass from the left: no pattern can make it take for ever. */
function coversText(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
