/** The frame of the page: list of sessions, the place one is at, what is told to everybody. */
import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icons.js'
import { later } from '../parts/later.js'
import { isLoaded, isOut, link, sessions } from '../state/all-sessions.js'
import { leaveSession, openSession } from '../state/opened-session.js'
import { place } from '../state/place.js'
import { dismiss, spoken, toasts } from '../state/telling.js'
import { T } from '../texts.js'
import { SessionList } from './session-list.js'
import { SessionView } from './session-view.js'

const SignIn = later(() => import('./sign-in.js').then((part) => part.SignIn))
const Inbox = later(() => import('./inbox.js').then((part) => part.Inbox))
const NewSession = later(() => import('./new-session.js').then((part) => part.NewSession))
const Search = later(() => import('./search.js').then((part) => part.Search))
const Replay = later(() => import('./replay.js').then((part) => part.Replay))

export function App() {
  const { value: here } = place
  const id = here.view === 'session' ? here.id : undefined
  useEffect(() => {
    if (isOut.value || !isLoaded.value) return
    if (id === undefined) leaveSession()
    else openSession(id)
  }, [id, isOut.value, isLoaded.value])
  if (isOut.value) return <SignIn />
  return (
    <>
      {/* On a phone the list is a view of its own, once there is something in it. */}
      <div class={`frame at-${here.view === 'home' && sessions.value.size === 0 ? 'new' : here.view}`}>
        <a class="skip" href="#main" onClick={toMain}>
          {T.skip}
        </a>
        <SessionList />
        <main id="main" tabIndex={-1}>
          <Lost />
          {isLoaded.value && <Here />}
        </main>
      </div>
      <Told />
    </>
  )
}

function toMain(event: Event) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function Here() {
  const { value: here } = place
  switch (here.view) {
    case 'session':
      return <SessionView id={here.id} ask={here.ask} seq={here.seq} key={here.id} />
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
  if (link.value !== 'lost') return null
  return (
    <p class="lost" role="status">
      {T.lost}
    </p>
  )
}

/** Live regions are there from the start: one that comes with its text is not read out. */
function Told() {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {spoken.value}
      </div>
      <section class="toasts" aria-label={T.notices}>
        {toasts.value.map(({ id, text, href, isError }) => (
          <div class={isError ? 'toast bad' : 'toast'} key={id}>
            {href === undefined ? (
              <span>{text}</span>
            ) : (
              <a href={href} onClick={() => dismiss(id)}>
                {text}
              </a>
            )}
            <button type="button" class="plain" aria-label={T.dismiss} onClick={() => dismiss(id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </section>
    </>
  )
}
