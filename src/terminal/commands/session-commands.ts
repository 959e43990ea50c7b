/** Switching between sessions: pick, copy, name, start over, open in the web app. */
import type { SessionInfo } from '../../hub/session-types.js'
import { agoText, costText } from '../blocks/short-texts.js'
import type { Card } from '../cards/card.js'
import { choiceCard } from '../cards/choice-card.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import { runReportingFailure, type TerminalUi } from '../session/terminal-ui.js'

export async function resumeFromTerminal(ui: TerminalUi, args: string): Promise<void> {
  if (args !== '') return openSession(ui, args)
  const sessions = (await ui.backend.list()).filter(({ id }) => id !== ui.client?.id)
  if (sessions.length === 0) return ui.screen.flash('There are no other sessions')
  ui.screen.show(
    sessionPicker(sessions, ui, {
      onChosen: (id) => runReportingFailure(ui, () => openSession(ui, id)),
      onCanceled: () => ui.screen.show(undefined),
    }),
  )
}

export function sessionPicker(
  sessions: readonly SessionInfo[],
  { machine }: Pick<TerminalUi, 'machine'>,
  { onChosen, onCanceled }: { onChosen(id: string): void; onCanceled(): void },
): Card {
  return choiceCard<string>({
    title: 'Continue which session?',
    canSearch: true,
    choices: sessions.map(({ id, title, cwd, lastActivity, status, costUsd }) => ({
      value: id,
      label: toTerminalSafeLine(title ?? '(nothing was said)').slice(0, 120),
      detail: [
        agoText(lastActivity, machine.now()),
        toTerminalSafeLine(cwd),
        status === 'idle' || status === 'done' ? '' : status,
        costText(costUsd),
      ]
        .filter((part) => part !== '')
        .join(' · '),
    })),
    hint: 'type to search · enter: choose · esc: back',
    onChosen: ([id]) => id !== undefined && onChosen(id),
    onCanceled,
  })
}

async function openSession(ui: TerminalUi, id: string): Promise<void> {
  ui.screen.show(undefined)
  const before = ui.client
  const client = await ui.backend.open(id, ui.settings)
  await ui.open(client)
  if (before) await ui.backend.leave(before.id)
}

export async function forkFromTerminal(ui: TerminalUi): Promise<void> {
  if (!ui.client) return
  const before = ui.client.id
  const client = await ui.backend.fork(before)
  await ui.open(client)
  await ui.backend.leave(before)
  ui.screen.notice('notice', `This is a copy now. The one it was made of: kedge --resume ${before}`)
}

export async function renameFromTerminal(ui: TerminalUi, title: string): Promise<void> {
  if (title === '') return ui.screen.notice('error', 'Say how it should be called: /rename TITLE')
  await ui.client?.change({ title })
  ui.screen.flash(`It is called “${toTerminalSafeLine(title)}” now`)
}

/** Starts a new session; the old one keeps its messages. */
export async function openEmptySession(ui: TerminalUi): Promise<void> {
  const { client } = ui
  if (!client) return
  const before = client.id
  await ui.open(await ui.backend.create({ cwd: client.cwd, settings: ui.settings }))
  await ui.backend.leave(before)
  ui.screen.notice('notice', `A new conversation. The one before: kedge --resume ${before}`)
}

export async function serveFromTerminal(ui: TerminalUi): Promise<void> {
  if (!ui.serve) return ui.screen.notice('error', 'This session is on a server already.')
  ui.screen.notice('notice', await ui.serve())
}
