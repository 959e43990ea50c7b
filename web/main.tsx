/** Where the page begins: signs in with what is in the address, then shows itself. */
import { render } from 'preact'
import { ClientError } from '../src/client/client-errors.js'
import { messageOf } from '../src/protocol/thrown.js'
import { isSignedOut, loadAndFollowSessions } from './state/all-sessions.js'
import { applyStoredColorScheme } from './state/color-scheme.js'
import { startNotifications, toast } from './state/notifications.js'
import { followAddressBar, parseRoute, route } from './state/route.js'
import { serverClient } from './state/server.js'
import { followShortcuts } from './state/shortcuts.js'
import { WebApp } from './views/app.js'

/** The token never leaves the fragment, which no server sees, but for this one exchange. */
async function exchangeToken(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return
  history.replaceState(null, '', location.pathname)
  route.value = parseRoute('')
  await serverClient.signIn(token)
}

/** A sign-in link pasted into an open tab changes only the fragment, which loads nothing. */
function followPastedLinks(): void {
  addEventListener('hashchange', () => {
    if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload()
  })
}

async function begin(): Promise<void> {
  followPastedLinks()
  followAddressBar()
  followShortcuts()
  // It will be needed as soon as the session is there.
  if (route.value.view === 'session') {
    void import('./views/conversation-with-composer.js')
    void import('../src/client/view-parts.js')
  }
  try {
    await exchangeToken()
    await loadAndFollowSessions()
    startNotifications()
    serverClient.outbox.resume()
  } catch (error) {
    if (error instanceof ClientError && [401, 403, 429].includes(error.status)) isSignedOut.value = true
    else {
      toast(messageOf(error), { isError: true })
      setTimeout(() => location.reload(), 3000)
    }
  }
  await registerWorker().catch(() => {})
}

/** The browser makes scripts only of addresses that a policy has looked at, where it knows of such. */
async function registerWorker(): Promise<void> {
  const path = '/service-worker.js'
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes } // not in every browser
  const policy = trustedTypes?.createPolicy('kedge', { createScriptURL: () => path })
  await navigator.serviceWorker?.register(policy?.createScriptURL(path) ?? path)
}

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): string }
}

applyStoredColorScheme()
const root = document.getElementById('page')
if (root) render(<WebApp />, root)
void begin()
