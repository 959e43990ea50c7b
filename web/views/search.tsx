/** Words in all sessions, with a way to the line they are in. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icons.js'
import { clean, cleanLine } from '../safe/clean-text.js'
import { sessions } from '../state/all-sessions.js'
import { go, toSession } from '../state/place.js'
import { titleOf } from '../state/telling.js'
import { T } from '../texts.js'
import { get, reasonOf, ServerProblem } from '../wire/server-api.js'

type Hit = { session: string; seq: number; text: string; at?: string }

export function Search({ text }: { text: string }) {
  const hits = useSignal<readonly Hit[] | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    hits.value = undefined
    problem.value = ''
    if (text === '') return
    get<{ hits: Hit[] }>(`/search?text=${encodeURIComponent(text)}`).then(
      (found) => {
        hits.value = found.hits
      },
      (error) => {
        problem.value = error instanceof ServerProblem && error.status === 404 ? T.noSearch : reasonOf(error)
      },
    )
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
                <a href={toSession(id)}>{titleOf(id)}</a> <span class="quiet">{cleanLine(cwd)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {hits.value && (
        <section aria-label={T.inTexts}>
          <h2>{T.inTexts}</h2>
          {hits.value.length === 0 && <p class="quiet">{T.nothingFound}</p>}
          <ul class="hits">
            {hits.value.map((hit, at) => (
              <li key={at}>
                <a href={toSession(hit.session, `?seq=${hit.seq}`)}>{titleOf(hit.session)}</a>
                <p>{clean(hit.text).slice(0, 400)}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {problem.value !== '' && <p class="quiet">{problem.value}</p>}
    </div>
  )
}
