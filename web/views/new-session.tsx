/** The beginning: a new session in a folder, or a practice session that shows how everything is answered. */
import { useSignal } from '@preact/signals'
import { messageOf } from '../../src/protocol/thrown.js'
import { Icon } from '../parts/icons.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { me, replaceSessionInList, sessions } from '../state/all-sessions.js'
import { sendPrompt } from '../state/outbox.js'
import { go, toSessionLink } from '../state/route.js'
import { serverClient } from '../state/server.js'
import type { NewSession, PermissionMode } from '../state/server-types.js'
import { T } from '../texts.js'

const MODES = ['default', 'acceptEdits', 'plan'] as const

export function NewSessionDialog() {
  const folders = [...new Set([...(me.value?.folders ?? []), ...[...sessions.value.values()].map(({ cwd }) => cwd)])]
  const problem = useSignal('')
  /** Kept here, because changes in other sessions rerender this view. */
  const typed = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const isFirst = sessions.value.size === 0
  const begin = async (fields: NewSession, prompts: string[]) => {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = ''
    try {
      const info = await serverClient.create(fields)
      replaceSessionInList(info)
      for (const content of prompts) sendPrompt(serverClient, info.id, { content, when: 'queue', attachments: [] })
      go(toSessionLink(info.id).slice(1))
    } catch (error) {
      problem.value = messageOf(error)
    } finally {
      isBusy.value = false
    }
  }
  const submit = (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const field = (name: string) => given.get(name)?.toString().trim() ?? ''
    const [cwd, mode, title, prompt] = [field('cwd'), field('mode'), field('title'), field('prompt')]
    // As the list of choices has it.
    const fields: NewSession = { cwd, mode: mode as PermissionMode }
    void begin({ ...fields, ...(title === '' ? {} : { title }) }, prompt === '' ? [] : [prompt])
  }
  return (
    <div class="page start-page">
      <header>
        <a class="button plain only-phone" href="#/" aria-label={T.allSessions}>
          <Icon name="back" />
        </a>
        <h1>{isFirst ? T.welcome : T.newSession}</h1>
      </header>
      {isFirst && <p class="lead">{T.welcomeText}</p>}
      <form class="new-session" onSubmit={submit}>
        <label>
          {T.folder}
          <input
            name="cwd"
            required
            list="folders"
            value={typed.value ?? folders[0] ?? ''}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
            }}
          />
          <datalist id="folders">
            {folders.map((folder) => (
              <option key={folder} value={folder} />
            ))}
          </datalist>
        </label>
        <label>
          {T.firstPrompt}
          <textarea name="prompt" rows={4} placeholder={T.writePrompt} />
        </label>
        <div class="two">
          <label>
            {T.titleOptional}
            <input name="title" maxLength={200} />
          </label>
          <label>
            {T.mode}
            <select name="mode">
              {MODES.map((mode) => (
                <option key={mode} value={mode}>
                  {T.modes[mode]}
                </option>
              ))}
            </select>
          </label>
        </div>
        {problem.value !== '' && (
          <p role="alert" class="bad">
            {problem.value}
          </p>
        )}
        <button type="submit" class="good" disabled={isBusy.value}>
          {T.start}
        </button>
      </form>
      <section class="practice" aria-label={T.practice}>
        <h2>{T.practice}</h2>
        <p>{T.practiceText}</p>
        <button
          type="button"
          disabled={isBusy.value || folders.length === 0}
          onClick={() => void begin({ cwd: folders[0] ?? '', model: 'practice', title: T.practice }, T.practicePrompts)}
        >
          <Icon name="play" /> {T.startPractice}
        </button>
        <p class="quiet">{folders[0] === undefined ? '' : T.practiceWhere(toDisplaySafeLine(folders[0]))}</p>
      </section>
    </div>
  )
}
