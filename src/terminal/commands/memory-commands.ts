/** CLAUDE.md: adding a line after asking where, and editing it. */
import { choiceCard } from '../cards/choice-card.js'
import { wrapText } from '../screen/styled-text.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import { runReportingFailure, type TerminalUi } from '../session/terminal-ui.js'

type ChoiceWords = NonNullable<Parameters<typeof choiceCard<string>>[0]['words']>

export function addTextToMemory(ui: TerminalUi, text: string): void {
  const { machine, screen } = ui
  const words: ChoiceWords = ({ columns, styles }) =>
    wrapText(`  ${styles.cyan(toTerminalSafeLine(text))}`, columns - 1, { indent: '  ' })
  choosePlace(ui, { title: 'Remember this where?', words }, (path) => {
    const before = machine.readText(path) ?? ''
    const gap = before === '' || before.endsWith('\n') ? '' : '\n'
    const problem = machine.writeText(path, `${before}${gap}- ${text}\n`)
    if (problem === undefined) screen.notice('notice', `Remembered in ${path}; it counts from the next session on.`)
    else screen.notice('error', problem)
  })
}

export function editMemoryFile(ui: TerminalUi): void {
  choosePlace(ui, { title: 'Edit which memory?' }, (path) => runReportingFailure(ui, () => edit(ui, path)))
}

function choosePlace(
  { machine, client, backend, screen }: TerminalUi,
  about: { title: string; words?: ChoiceWords },
  onPlace: (path: string) => void,
): void {
  if (backend.isRemote || !client) {
    screen.notice('error', 'The session is on a server: its files are not here.')
    return
  }
  screen.show(
    choiceCard<string>({
      ...about,
      choices: machine.memoryPlaces(client.cwd).map(({ label, path }) => ({ value: path, label, detail: path })),
      onChosen([path]) {
        screen.show(undefined)
        if (path !== undefined) onPlace(path)
      },
      onCanceled: () => screen.show(undefined),
    }),
  )
}

async function edit(ui: TerminalUi, path: string): Promise<void> {
  const before = ui.machine.readText(path) ?? ''
  const after = await ui.screen.outside(() => ui.machine.edit(before, 'CLAUDE.md'))
  if (after === undefined || after === before) return ui.screen.flash('Nothing was changed')
  const problem = ui.machine.writeText(path, after)
  if (problem === undefined) ui.screen.flash(`${path} was written`)
  else ui.screen.notice('error', problem)
}
