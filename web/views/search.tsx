/** Words in all sessions, with a way to the line they are in. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { messageOf } from '../../src/protocol/thrown.js'
import { Icon } from '../parts/icons.js'
import { toDisplaySafeLine, toDisplaySafeText } from '../safe/clean-text.js'
import { sessions } from '../state/all-sessions.js'
import { sessionTitle } from '../state/notifications.js'
import { go, toSessionLink } from '../state/route.js'
import { serverClient } from '../state/server.js'
import { T } from '../texts.js'

/** `start` and `length`: the words that were looked for. */
type Hit = { session: string; title?: string; seq: number; snippet: string; start: number; length: number }

/**
 * Maximum pages requested in a row while nothing is found: the server searches for a while, then names where to
 * continue.
 */
const MOST_PAGES = 20

export function SearchResults({ text }: { text: string }) {
  const hits = useSignal<readonly Hit[] | undefined>(undefined)
  const next = useSignal('')
  const problem = useSignal('')
  const wanted = useRef(text)
  wanted.current = text
  const more = async (words: string) => {
    try {
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const cursor = next.value === '' ? {} : { cursor: next.value }
        const found = await serverClient.search({ text: words, ...cursor })
        // Another search was started meanwhile.
        if (wanted.current !== words) return
        hits.value = [...(hits.value ?? []), ...found.hits]
        next.value = found.next ?? ''
        if (found.hits.length > 0 || next.value === '') return
      }
    } catch (error) {
      if (wanted.current === words) problem.value = messageOf(error)
    }
  }
  useEffect(() => {
    hits.value = undefined
    next.value = ''
    problem.value = ''
    if (text !== '') void more(text)
  }, [text])
  const titles = [...sessions.value.values()].filter(
    ({ title = '', cwd }) => text !== '' && `${title} ${cwd}`.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <div class="page search-page">
      <header>
        <a class="button plain only-phone" href="#/" aria-label={T.allSessions}>
          <Icon name="back" />
        </a>
        <h1>{T.search}</h1>
      </header>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          const words = new FormData(event.currentTarget).get('text')?.toString() ?? ''
          go(`/search?text=${encodeURIComponent(words)}`)
        }}
      >
        <label>
          {T.searchAll}
          <input type="search" name="text" value={text} />
        </label>
      </form>
      {titles.length > 0 && (
        <section aria-label={T.inTitles}>
          <h2>{T.inTitles}</h2>
          <ul class="hits">
            {titles.map(({ id, cwd }) => (
              <li key={id}>
                <a href={toSessionLink(id)}>{sessionTitle(id)}</a> <span class="quiet">{toDisplaySafeLine(cwd)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {hits.value && (
        <section aria-label={T.inTexts}>
          <h2>{T.inTexts}</h2>
          {hits.value.length === 0 && next.value === '' && <p class="quiet">{T.nothingFound}</p>}
          <ul class="hits">
            {hits.value.map((hit, at) => (
              <li key={at}>
                <a href={toSessionLink(hit.session, `?seq=${hit.seq}`)}>{sessionTitle(hit.session)}</a>
                <p>
                  {toDisplaySafeText(hit.snippet.slice(0, hit.start))}
                  <mark>{toDisplaySafeText(hit.snippet.slice(hit.start, hit.start + hit.length))}</mark>
                  {toDisplaySafeText(hit.snippet.slice(hit.start + hit.length))}
                </p>
              </li>
            ))}
          </ul>
          {next.value !== '' && (
            <button type="button" onClick={() => void more(text)}>
              {T.searchOn}
            </button>
          )}
        </section>
      )}
      {problem.value !== '' && <p class="quiet">{problem.value}</p>}
    </div>
  )
}
