/** CLAUDE.md: adding a line after asking where, and editing it. */
import { choiceCard } from '../cards/choice-card.js'
import { shownLine } from '../screen/shown-text.js'
import { wrapText } from '../screen/styled-text.js'
import { attempt, type Face } from '../session/face.js'

export function remember(face: Face, text: string): void {
  const { machine, desk, house } = face
  if (house.isRemote || !desk) {
    face.screen.notice('error', 'The session is on a server: its files are not here.')
    return
  }
  face.screen.show(
    choiceCard<string>({
      title: 'Remember this where?',
      words: ({ columns, styles }) => wrapText(`  ${styles.cyan(shownLine(text))}`, columns - 1, { indent: '  ' }),
      choices: machine.memoryPlaces(desk.cwd).map(({ label, path }) => ({ value: path, label, detail: path })),
      onChosen([path]) {
        face.screen.show(undefined)
        if (path === undefined) return
        const before = machine.readText(path) ?? ''
        const gap = before === '' || before.endsWith('\n') ? '' : '\n'
        const problem = machine.writeText(path, `${before}${gap}- ${text}\n`)
        if (problem === undefined)
          face.screen.notice('notice', `Remembered in ${path}; it counts from the next session on.`)
        else face.screen.notice('error', problem)
      },
      onCancelled: () => face.screen.show(undefined),
    }),
  )
}

export function openMemory(face: Face): void {
  const { machine, desk, house } = face
  if (house.isRemote || !desk) {
    face.screen.notice('error', 'The session is on a server: its files are not here.')
    return
  }
  face.screen.show(
    choiceCard<string>({
      title: 'Edit which memory?',
      choices: machine.memoryPlaces(desk.cwd).map(({ label, path }) => ({ value: path, label, detail: path })),
      onChosen([path]) {
        face.screen.show(undefined)
        if (path !== undefined) attempt(face, () => edit(face, path))
      },
      onCancelled: () => face.screen.show(undefined),
    }),
  )
}

async function edit(face: Face, path: string): Promise<void> {
  const before = face.machine.readText(path) ?? ''
  const after = await face.screen.outside(() => face.machine.edit(before, 'CLAUDE.md'))
  if (after === undefined || after === before) return face.screen.flash('Nothing was changed')
  const problem = face.machine.writeText(path, after)
  if (problem === undefined) face.screen.flash(`${path} was written`)
  else face.screen.notice('error', problem)
}
