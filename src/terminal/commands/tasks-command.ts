/** Work in the background: which there is, the end of what it prints, and stopping it. */
import type { SessionView } from '../../view/view-state.js'
import { backgroundTasks } from '../blocks/background-tasks.js'
import { agoText, shortCount } from '../blocks/short-texts.js'
import { textOfToolResult } from '../blocks/tool-lines.js'
import type { CardViewOptions } from '../cards/card.js'
import { choiceCard } from '../cards/choice-card.js'
import { cutText } from '../screen/styled-text.js'
import { commandOutputLines, toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import { runReportingFailure, type TerminalUi } from '../session/terminal-ui.js'

const AGAIN_MS = 1000
const SHOWN_OUTPUT = 8000
const STARTED = /^Command running in background with ID: (\S+)\. Output is being written to: (.+?)$/m

export function openBackgroundTasks(ui: TerminalUi): void {
  const { view, machine } = ui
  const tasks = backgroundTasks(view)
  if (tasks.length === 0) {
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
    void (client?.taskOutput(task, findTaskOutputFile(view, task)) ?? Promise.resolve(''))
      .catch(() => '')
      .then((text) => {
        output = text || taskOutputTail(view, task)
        ui.screen.refresh()
        cancel = machine.after(AGAIN_MS, () => look(task))
      })
  }
  const words = ({ columns, height, styles }: CardViewOptions) => {
    const lines = commandOutputLines(output.slice(-SHOWN_OUTPUT)).filter((line) => line.trim() !== '')
    return lines
      .slice(-Math.max(2, height - tasks.length * 2 - 4))
      .map((line) => styles.dim(cutText(`  ${line}`, columns - 1)))
  }
  ui.screen.show(
    choiceCard<string>({
      title: 'In the background',
      words,
      choices: tasks.map(({ id, description, type, since, lastTool, tokens }) => ({
        value: id,
        label: toTerminalSafeLine(description || id),
        detail: [
          type,
          agoText(Date.parse(since) || machine.now(), machine.now()),
          lastTool ?? '',
          tokens ? `${shortCount(tokens)} tokens` : '',
        ]
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
  look(tasks[0]?.id)
}

/** Returns the end of what a task has printed while the session was followed. */
export function taskOutputTail(view: SessionView, task: string): string {
  return callOfTask(view, task)?.output.slice(-SHOWN_OUTPUT) ?? ''
}

/** Returns the file that a command prints to, if the result of its call names it. */
export function findTaskOutputFile(view: SessionView, task: string): string | undefined {
  const { result } = callOfTask(view, task) ?? {}
  const [, id, file] = (result && STARTED.exec(textOfToolResult(result))) ?? []
  return id === task ? file : undefined
}

function callOfTask({ tasks, open }: SessionView, task: string) {
  const useId = tasks.find(({ id }) => id === task)?.useId ?? open.taskCalls.get(task)
  return open.calls.get(useId ?? '')
}
