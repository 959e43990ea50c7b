/** Everything that can be done from the keyboard: a list to search (Ctrl+K), and the keys themselves (?). */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { messageOf } from '../../src/protocol/thrown.js'
import { openDialogForAnswer } from '../parts/dialogs.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { sessions } from '../state/all-sessions.js'
import { appScope } from '../state/app-scope.js'
import { COLOR_SCHEMES, chooseColorScheme } from '../state/color-scheme.js'
import { toast } from '../state/notifications.js'
import { openedSession } from '../state/opened-session.js'
import { go, toSessionLink } from '../state/route.js'
import { serverClient } from '../state/server.js'
import { T } from '../texts.js'
import { shownFolder } from './session-list.js'
import { closePanel, isPanelOpen, openPanel } from './session-view-state.js'

type Command = { name: string; about: string; run(): unknown }

const MOST_SHOWN = 50

export async function openCommandPalette(): Promise<void> {
  const command = await openDialogForAnswer<Command | undefined>(appScope, T.commands, undefined, (done) => (
    <CommandSearch commands={listCommands()} onChoice={done} />
  ))
  try {
    await command?.run()
  } catch (error) {
    toast(messageOf(error), { isError: true })
  }
}

export async function openShortcutSheet(): Promise<void> {
  await openDialogForAnswer<void>(appScope, T.shortcuts, undefined, (done) => (
    <>
      <dl class="keys">
        {T.keys.map(([key, about]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => done()}>
          {T.closeSheet}
        </button>
      </div>
    </>
  ))
}

function listCommands(): Command[] {
  const listed = [...sessions.value.values()]
    .filter(({ archived }) => !archived)
    .sort((a, b) => b.lastActivity - a.lastActivity)
  return [
    ...ofSession(),
    { name: T.newSession, about: '', run: () => go('/new') },
    { name: T.inbox, about: '', run: () => go('/inbox') },
    { name: T.searchAll, about: '', run: () => go('/search') },
    { name: T.shortcuts, about: '?', run: openShortcutSheet },
    ...COLOR_SCHEMES.map((scheme) => ({
      name: T.colorScheme(T.colorSchemes[scheme]),
      about: '',
      run: () => chooseColorScheme(scheme),
    })),
    ...listed.map(({ id, title, cwd }) => ({
      name: toDisplaySafeLine(title ?? T.untitled, 120),
      about: shownFolder(cwd),
      run: () => go(toSessionLink(id).slice(1)),
    })),
  ]
}

function ofSession(): Command[] {
  const session = openedSession.value
  if (!session) return []
  const { id, conversation } = session
  const isRunning = conversation.facts.value.status === 'running'
  return [
    ...(isRunning ? [{ name: T.stopTurn, about: 'Esc', run: () => serverClient.interrupt(id) }] : []),
    {
      name: isPanelOpen.value ? T.closeDetails : T.details,
      about: '',
      run: () => (isPanelOpen.value ? closePanel(id) : openPanel(id)),
    },
    { name: T.replay, about: '', run: () => go(toSessionLink(id, '/replay').slice(1)) },
    {
      name: T.copyMarkdown,
      about: '',
      run: async () => {
        const { copyConversationAsMarkdown } = await import('./copy-markdown.js')
        await copyConversationAsMarkdown(id)
        toast(T.copied)
      },
    },
  ]
}

function CommandSearch({ commands, onChoice }: { commands: Command[]; onChoice(command: Command): void }) {
  const text = useSignal('')
  const chosen = useSignal(0)
  const list = useRef<HTMLUListElement>(null)
  const words = text.value.toLowerCase().split(/\s+/)
  const found = commands
    .filter(({ name, about }) => words.every((word) => `${name} ${about}`.toLowerCase().includes(word)))
    .slice(0, MOST_SHOWN)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen.value])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? found.length - 1 : 0
    if (step > 0 && found.length > 0) {
      event.preventDefault()
      chosen.value = (chosen.value + step) % found.length
    }
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    const command = found[chosen.value]
    if (command) onChoice(command)
  }
  return (
    <>
      <input
        type="search"
        aria-label={T.findCommand}
        aria-autocomplete="list"
        aria-controls="commands"
        aria-activedescendant={found.length > 0 ? `command-${chosen.value}` : undefined}
        placeholder={T.findCommand}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
          chosen.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="commands" id="commands" role="listbox" aria-label={T.commands} tabIndex={0} ref={list}>
        {found.map((command, at) => (
          <li
            key={at}
            id={`command-${at}`}
            role="option"
            aria-selected={at === chosen.value}
            onPointerDown={(event) => {
              event.preventDefault()
              onChoice(command)
            }}
          >
            <span class="grow">{command.name}</span> <span class="quiet">{command.about}</span>
          </li>
        ))}
        {found.length === 0 && <li class="quiet">{T.nothingFound}</li>}
      </ul>
    </>
  )
}
