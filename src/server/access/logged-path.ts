/** The path of a request as logs have it. Tokens end up in addresses by mistake, and logs are read by more people than may use them. */
import { MIN_TOKEN_LENGTH } from './access-tokens.js'

export const REDACTED = '[redacted]'
const OWN_TOKEN = /kdg[_-]/i
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const LONGEST = 500

/**
 * `isRoute`: a path of the API, whose parts are ids. Of other paths, whatever is long enough to be a secret is left out:
 * an old token, a cookie, a key. The query is never part of it.
 */
export function loggedPath(url: string, secret: string, isRoute: (path: string) => boolean): string {
  const [path = ''] = url.split(/[?#]/, 1)
  const isKnown = isRoute(path)
  const isSecret = (part: string) => {
    const plain = decoded(part)
    if (isToken(plain, secret) || plain.includes('@')) return true
    return !isKnown && plain.length >= MIN_TOKEN_LENGTH && !UUID.test(plain)
  }
  return path
    .split('/')
    .map((part) => (isSecret(part) ? REDACTED : part))
    .join('/')
    .slice(0, LONGEST)
}

/** For names in an audit log: a caller may give a token where its id is meant. */
export function loggedName(name: string, secret: string): string {
  return isToken(name, secret) ? REDACTED : name
}

function isToken(text: string, secret: string): boolean {
  return OWN_TOKEN.test(text) || (secret !== '' && text.includes(secret))
}

/** As often as it was encoded, within reason. */
function decoded(text: string): string {
  let plain = text
  for (let n = 0; n < 3 && plain.includes('%'); n += 1) {
    try {
      plain = decodeURIComponent(plain)
    } catch {
      return plain
    }
  }
  return plain
}
