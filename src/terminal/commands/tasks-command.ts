/** Work in the background: which there is, the end of what it prints, and stopping it. */
import { agoText, shortCount } from '../blocks/short-texts.js'
import type { CardViewOptions } from '../cards/card.js'
import { choiceCard } from '../cards/choice-card.js'
import { printedLines, toTerminalSafeLine } from '../screen/shown-text.js'
import { cutText } from '../screen/styled-text.js'
import { runReportingFailure, type TerminalUi } from '../session/terminal-ui.js'

const AGAIN_MS = 1000

export function openTasks(ui: TerminalUi): void {
  const { facts, machine } = ui
  if (facts.tasks.size === 0) {
    ui.screen.flash('Nothing runs in the background')
    return
  }
  let output = ''
  let cancel = () => {}
  let isOpen = true
  const close = () => {
    isOpen = false
    cancel()
    ui.screen.show(undefined)
  }
  const look = (task: string | undefined) => {
    cancel()
    if (!isOpen || task === undefined) return
    const { client } = ui
    const file = facts.tasks.get(task)?.file
    void (client?.taskOutput(task, file) ?? Promise.resolve(''))
      .catch(() => '')
      .then((text) => {
        output = text || (facts.tasks.get(task)?.output ?? '')
        ui.screen.refresh()
        cancel = machine.after(AGAIN_MS, () => look(task))
      })
  }
  const words = ({ columns, height, styles }: CardViewOptions) => {
    const lines = printedLines(output.slice(-8000)).filter((line) => line.trim() !== '')
    return lines
      .slice(-Math.max(2, height - facts.tasks.size * 2 - 4))
      .map((line) => styles.dim(cutText(`  ${line}`, columns - 1)))
  }
  ui.screen.show(
    choiceCard<string>({
      title: 'In the background',
      words,
      choices: [...facts.tasks.values()].map(({ id, description, kind, since, lastTool, tokens }) => ({
        value: id,
        label: toTerminalSafeLine(description || id),
        detail: [kind, agoText(since, machine.now()), lastTool ?? '', tokens ? `${shortCount(tokens)} tokens` : '']
          .filter((part) => part !== '')
          .join(' · '),
      })),
      hint: 'up, down: look at another · x: stop it · esc: back',
      onMoved: look,
      onChosen: close,
      onCanceled: close,
      onKey(key, task) {
        if (key.id === 'text' && key.text === 'x' && task !== undefined) {
          runReportingFailure(ui, async () => ui.client?.interrupt({ task }))
          close()
          return true
        }
        return false
      },
    }),
  )
  look([...facts.tasks.keys()][0])
}
