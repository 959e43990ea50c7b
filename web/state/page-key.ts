/**
 * The half of the sign-in that only this origin has. Browsers send a cookie to every port of a host; storage belongs to one
 * port, so a service on another port that sees the cookie can't use it.
 */
import { store, stored } from './stored.js'

const NAME = 'page-key'
/** Where nothing can be kept, it lasts as long as the page. */
let own = ''

/** Read each time: another tab may have signed in. */
export function pageKey(): string {
  const known = stored<string>(NAME) ?? own
  if (known) return known
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  own = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  store(NAME, own)
  return own
}
