/** Tells people what needs them: in the page, in its title, to screen readers, and by notifications where they are allowed. */
import { effect, untracked } from '@preact/signals'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { T } from '../texts.js'
import { asks, latestAsk, latestEndedTurn, sessions } from './all-sessions.js'
import { askTitle } from './ask-title.js'
import { route, toSessionLink } from './route.js'
import { serverClient } from './server.js'
import type { Ask } from './server-types.js'
import { createToasts } from './toast-list.js'

export const { toasts, announcement, toast, dismiss } = createToasts()

export function sessionTitle(session: string): string {
  return toDisplaySafeLine(sessions.value.get(session)?.title ?? T.untitled, 80)
}

export function startNotifications(): void {
  effect(() => {
    const count = asks.value.size
    const place = route.value
    const shown = 'id' in place ? `${sessionTitle(place.id)} · ${T.name}` : T.name
    document.title = count > 0 ? `(${count}) ${shown}` : shown
  })
  effect(() => {
    const ask = latestAsk.value
    // Only a new ask is news, not whatever else is looked at to tell of it.
    if (ask) untracked(() => asks.value.has(ask.id) && tellAsk(ask))
  })
  effect(() => {
    const end = latestEndedTurn.value
    if (!end || Date.now() - Date.parse(end.at) > 60_000) return
    if (document.visibilityState !== 'hidden') return
    untracked(() => {
      const title = sessionTitle(end.session)
      notify(end.isError ? T.turnFailedIn(title) : T.turnOverIn(title), '', toSessionLink(end.session))
    })
  })
}

function tellAsk(ask: Ask): void {
  const text = T.needsYouIn(sessionTitle(ask.session), askTitle(ask, sessions.value.get(ask.session)?.cwd ?? ''))
  const href = toSessionLink(ask.session, `?ask=${ask.id}`)
  const here = route.peek()
  const isSeen = here.view === 'inbox' || (here.view === 'session' && here.id === ask.session)
  if (isSeen) announcement.value = text
  else toast(text, { href })
  if (document.visibilityState === 'hidden') notify(text, toDisplaySafeLine(ask.why.text, 120), href)
}

/** So that news come while no page is open. Where the browser or the server can't, the page itself still tells. */
export async function subscribeToPush(): Promise<void> {
  const worker = await navigator.serviceWorker?.ready
  if (!worker || !('pushManager' in worker)) return
  const { publicKey } = await serverClient.request<{ publicKey: string }>('GET', '/push/key')
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  await serverClient.request('POST', '/push', {
    body: { ...subscription.toJSON(), kinds: ['needs_you', 'done', 'failed'] },
  })
}

export function readNotificationPermission(): NotificationPermission | 'missing' {
  return 'Notification' in window ? Notification.permission : 'missing'
}

/** By the service worker: phones know no other way, and a click finds the page. */
function notify(title: string, body: string, href: string): void {
  if (readNotificationPermission() !== 'granted') return
  void navigator.serviceWorker?.ready.then((worker) =>
    worker.showNotification(title, { body, tag: href, icon: '/icon.svg', data: { href } }),
  )
}
