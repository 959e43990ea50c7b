/** The frame of the web app: list of sessions, current view, announcements. */
import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icons.js'
import { lazyComponent } from '../parts/lazy.js'
import { ToastSection } from '../parts/toast-section.js'
import { areSessionsLoaded, connectionState, isSignedOut, sessions } from '../state/all-sessions.js'
import { appScope } from '../state/app-scope.js'
import { announcement, dismiss, toasts } from '../state/notifications.js'
import { leaveSession, showSession } from '../state/opened-session.js'
import { PageScopeContext } from '../state/page-scope.js'
import { route } from '../state/route.js'
import { T } from '../texts.js'
import { SessionList } from './session-list.js'
import { SessionScreen } from './session-view.js'

const SignIn = lazyComponent(() => import('./sign-in.js').then((part) => part.SignIn))
const Inbox = lazyComponent(() => import('./inbox.js').then((part) => part.Inbox))
const NewSession = lazyComponent(() => import('./new-session.js').then((part) => part.NewSessionDialog))
const Search = lazyComponent(() => import('./search.js').then((part) => part.SearchResults))
const Replay = lazyComponent(() => import('./replay.js').then((part) => part.Replay))

export function WebApp() {
  const { value: here } = route
  const id = here.view === 'session' ? here.id : undefined
  useEffect(() => {
    if (isSignedOut.value || !areSessionsLoaded.value) return
    if (id === undefined) leaveSession()
    else showSession(id)
  }, [id, isSignedOut.value, areSessionsLoaded.value])
  if (isSignedOut.value) return <SignIn />
  return (
    <PageScopeContext.Provider value={appScope}>
      {/* On a phone the list is a view of its own, once there is something in it. */}
      <div class={`frame at-${here.view === 'home' && sessions.value.size === 0 ? 'new' : here.view}`}>
        <a class="skip" href="#main" onClick={toMain}>
          {T.skip}
        </a>
        <SessionList />
        <main id="main" tabIndex={-1}>
          <Lost />
          {areSessionsLoaded.value && <Here />}
        </main>
      </div>
      <ToastSection list={{ toasts, announcement, dismiss }} />
    </PageScopeContext.Provider>
  )
}

function toMain(event: Event) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function Here() {
  const { value: here } = route
  switch (here.view) {
    case 'session':
      return <SessionScreen id={here.id} ask={here.ask} seq={here.seq} key={here.id} />
    case 'replay':
      return <Replay id={here.id} start={here.seq} key={here.id} />
    case 'inbox':
      return <Inbox />
    case 'search':
      return <Search text={here.text} />
    case 'new':
      return <NewSession />
    default:
      return (
        <>
          <div class="not-phone">
            <NewSession />
          </div>
          <div class="home-bar only-phone">
            <h1 class="unseen">{T.sessions}</h1>
            <a class="button" href="#/new">
              <Icon name="plus" /> {T.newSession}
            </a>
          </div>
        </>
      )
  }
}

function Lost() {
  if (connectionState.value !== 'lost') return null
  return (
    <p class="lost" role="status">
      {T.lost}
    </p>
  )
}
