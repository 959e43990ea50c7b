/** Switching between sessions: pick, copy, name, start over, open in the web app. */
import type { SessionInfo } from '../../hub/session-types.js'
import { agoText, costText } from '../blocks/short-texts.js'
import type { Card } from '../cards/card.js'
import { choiceCard } from '../cards/choice-card.js'
import { shownLine } from '../screen/shown-text.js'
import { type Face, reportFailure } from '../session/face.js'

export async function resumeSession(face: Face, args: string): Promise<void> {
  if (args !== '') return openSession(face, args)
  const sessions = (await face.house.list()).filter(({ id }) => id !== face.desk?.id)
  if (sessions.length === 0) return face.screen.flash('There are no other sessions')
  face.screen.show(
    sessionPicker(sessions, face, {
      onChosen: (id) => reportFailure(face, () => openSession(face, id)),
      onCancelled: () => face.screen.show(undefined),
    }),
  )
}

export function sessionPicker(
  sessions: readonly SessionInfo[],
  { machine }: Pick<Face, 'machine'>,
  { onChosen, onCancelled }: { onChosen(id: string): void; onCancelled(): void },
): Card {
  return choiceCard<string>({
    title: 'Go on with which session?',
    canSearch: true,
    choices: sessions.map(({ id, title, cwd, lastActivity, status, costUsd }) => ({
      value: id,
      label: shownLine(title ?? '(nothing was said)').slice(0, 120),
      detail: [
        agoText(lastActivity, machine.now()),
        shownLine(cwd),
        status === 'idle' || status === 'done' ? '' : status,
        costText(costUsd),
      ]
        .filter((part) => part !== '')
        .join(' · '),
    })),
    hint: 'type to search · enter: choose · esc: back',
    onChosen: ([id]) => id !== undefined && onChosen(id),
    onCancelled,
  })
}

async function openSession(face: Face, id: string): Promise<void> {
  face.screen.show(undefined)
  const before = face.desk
  const desk = await face.house.open(id, face.settings)
  await face.open(desk)
  if (before) await face.house.leave(before.id)
}

export async function forkFromTerminal(face: Face): Promise<void> {
  if (!face.desk) return
  const before = face.desk.id
  const desk = await face.house.fork(before)
  await face.open(desk)
  await face.house.leave(before)
  face.screen.notice('notice', `This is a copy now. The one it was made of: kedge --resume ${before}`)
}

export async function renameFromTerminal(face: Face, title: string): Promise<void> {
  if (title === '') return face.screen.notice('error', 'Say how it should be called: /rename TITLE')
  await face.desk?.change({ title })
  face.screen.flash(`It is called “${shownLine(title)}” now`)
}

/** Starts a new session; the old one keeps its messages. */
export async function clearSession(face: Face): Promise<void> {
  const { desk } = face
  if (!desk) return
  const before = desk.id
  await face.open(await face.house.create({ cwd: desk.cwd, settings: face.settings }))
  await face.house.leave(before)
  face.facts.context = 0
  face.screen.notice('notice', `A new conversation. The one before: kedge --resume ${before}`)
}

export async function serveFromTerminal(face: Face): Promise<void> {
  if (!face.serve) return face.screen.notice('error', 'This session is on a server already.')
  face.screen.notice('notice', await face.serve())
}
