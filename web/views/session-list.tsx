/** The sessions, by project, each with what it does; and the ways to the inbox, the search, a new session. */
import { useSignal } from '@preact/signals'
import { ago, dollars } from '../parts/formats.js'
import { Icon } from '../parts/icons.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { inbox, readStatusWithFailure, sessions } from '../state/all-sessions.js'
import { route, toSessionLink } from '../state/route.js'
import type { SessionInfo } from '../state/server-types.js'
import { T } from '../texts.js'

export function SessionList() {
  const filter = useSignal('')
  const isArchive = useSignal(false)
  const wanted = filter.value.trim().toLowerCase()
  const all = [...sessions.value.values()]
  const listed = all
    .filter(({ archived }) => archived === isArchive.value)
    .filter(({ title = '', cwd }) => `${title} ${cwd}`.toLowerCase().includes(wanted))
    .sort((a, b) => b.lastActivity - a.lastActivity)
  const projects = new Map<string, SessionInfo[]>()
  for (const info of listed) projects.set(info.cwd, [...(projects.get(info.cwd) ?? []), info])
  const { value: here } = route
  const waiting = inbox.value.length
  return (
    <nav class="side" aria-label={T.sessions}>
      <div class="brand">
        <a href="#/" aria-label={T.home}>
          <Icon name="anchor" />
          <span class="name">{T.name}</span>
        </a>
        <a class="button small" href="#/new">
          <Icon name="plus" /> {T.newSession}
        </a>
      </div>
      <a
        class={waiting > 0 ? 'entry inbox waits' : 'entry inbox'}
        href="#/inbox"
        aria-current={current(here.view === 'inbox')}
      >
        <Icon name="inbox" /> <span class="grow">{T.inbox}</span>
        {waiting > 0 && <span class="count">{waiting}</span>}
        {waiting > 0 && <span class="unseen">{T.waitForYou(waiting)}</span>}
      </a>
      <div class="find">
        <Icon name="search" />
        <input
          type="search"
          aria-label={T.filterSessions}
          placeholder={T.filterSessions}
          value={filter.value}
          onInput={({ currentTarget }) => {
            filter.value = currentTarget.value
          }}
          onKeyDown={({ key }) => {
            if (key === 'Enter' && wanted !== '') location.hash = `/search?text=${encodeURIComponent(wanted)}`
          }}
        />
      </div>
      <div class="projects">
        {[...projects].map(([cwd, members]) => (
          <section key={cwd} aria-label={T.project(toDisplaySafeLine(cwd))}>
            <h2 title={toDisplaySafeLine(cwd)}>{shownFolder(cwd)}</h2>
            <ul>
              {members.map((info) => (
                <li key={info.id}>
                  <Row info={info} isHere={'id' in here && here.id === info.id} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {listed.length === 0 && <p class="quiet">{wanted === '' ? T.noSessions : T.nothingFound}</p>}
      </div>
      <label class="entry quiet">
        <input
          type="checkbox"
          checked={isArchive.value}
          onChange={({ currentTarget }) => {
            isArchive.value = currentTarget.checked
          }}
        />
        {T.showArchive}
      </label>
    </nav>
  )
}

function Row({ info, isHere }: { info: SessionInfo; isHere: boolean }) {
  const status = readStatusWithFailure(info)
  const { id, title, costUsd, lastActivity, waiting } = info
  return (
    <a class="entry session" href={toSessionLink(id)} aria-current={current(isHere)}>
      <StatusDot status={status} />
      <span class="grow">
        <span class="title">{toDisplaySafeLine(title ?? T.untitled, 120)}</span>
        <span class="facts">
          {T.statuses[status]}
          {waiting > 0 && ` · ${T.queued(waiting)}`}
          {costUsd > 0 && ` · ${dollars(costUsd)}`}
        </span>
      </span>
      <time class="facts">{ago(lastActivity)}</time>
    </a>
  )
}

export function StatusDot({ status }: { status: SessionInfo['status'] | string }) {
  return <span class={`dot ${status}`} aria-hidden="true" />
}

function current(isHere: boolean): 'page' | undefined {
  return isHere ? 'page' : undefined
}

export function shownFolder(cwd: string): string {
  return toDisplaySafeLine(cwd.split('/').findLast((part) => part !== '') ?? cwd)
}
