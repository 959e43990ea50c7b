/** Where the page is: kept in the fragment of its address, so that a link leads to a session, a card or a line. */
import { signal } from '@preact/signals'

export type Route =
  | { view: 'home' }
  | { view: 'inbox' }
  | { view: 'new' }
  | { view: 'search'; text: string }
  | { view: 'session'; id: string; ask?: string; seq?: number; isDetails?: true }
  | { view: 'replay'; id: string; seq?: number }

export const route = signal<Route>(parseRoute(location.hash))

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [first, id, third] = path.split('/')
  const asked = new URLSearchParams(search)
  const number = Number(asked.get('seq'))
  const seq = number > 0 ? { seq: number } : {}
  if (first === 's' && id && third === 'replay') return { view: 'replay', id, ...seq }
  if (first === 's' && id) {
    const ask = asked.get('ask')
    const details = third === 'details' ? { isDetails: true as const } : {}
    return { view: 'session', id, ...seq, ...(ask ? { ask } : {}), ...details }
  }
  if (first === 'inbox' || first === 'new') return { view: first }
  if (first === 'search') return { view: 'search', text: asked.get('text') ?? '' }
  return { view: 'home' }
}

export function followAddressBar(): void {
  addEventListener('hashchange', () => {
    route.value = parseRoute(location.hash)
  })
}

export function go(path: string): void {
  location.hash = path
}
export const toSessionLink = (id: string, more = '') => `#/s/${id}${more}`
