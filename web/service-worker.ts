/** Makes the page installable, and leads a click on a notification to its card. Keeps nothing: what is shown comes from the server. */

// The types of a page and of a worker exclude each other; these are the parts that are used.
type Client = {
  url: string
  visibilityState: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void }
/** What the server sends. */
type News = { session: string; text: string; title?: string; ask?: { id: string } }
type Push = WorkerEvent & { data: { json(): News } | null }
type Click = WorkerEvent & { notification: { data?: { href?: string }; close(): void } }
type WorkerScope = {
  clients: {
    matchAll(filter: { type: 'window' }): Promise<Client[]>
    openWindow(url: string): Promise<unknown>
    claim(): Promise<void>
  }
  registration: { showNotification(title: string, options: object): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: string, listener: (event: never) => void): void
}
const scope = globalThis as unknown as WorkerScope // it is one

scope.addEventListener('install', () => void scope.skipWaiting())
scope.addEventListener('activate', (event: WorkerEvent) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', () => {})
scope.addEventListener('push', (event: Push) => {
  const news = event.data?.json()
  const href = news ? `#/s/${news.session}${news.ask ? `?ask=${news.ask.id}` : ''}` : '#/inbox'
  event.waitUntil(tell(news?.title ?? 'Kedge', news?.text ?? '', href))
})
scope.addEventListener('notificationclick', (event: Click) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data?.href ?? '#/inbox'))
})

/** Nothing where the page is in sight: it says so itself. */
async function tell(title: string, body: string, href: string): Promise<void> {
  const open = await scope.clients.matchAll({ type: 'window' })
  if (open.some(({ visibilityState }) => visibilityState === 'visible')) return
  await scope.registration.showNotification(title, { body, tag: href, icon: '/icon.svg', data: { href } })
}

async function show(href: string): Promise<void> {
  // Only places in the page itself.
  const place = href.startsWith('#/') ? href : '#/inbox'
  const [open] = await scope.clients.matchAll({ type: 'window' })
  if (!open) await scope.clients.openWindow(`/${place}`)
  else {
    // Some browsers let a worker come to the front only in the moment of a click; the page has to be there all the same.
    await open.focus().catch(() => undefined)
    await open.navigate(`/${place}`)
  }
}

export {}
