/** `!command`: runs what the user typed in their own shell, shows it, and lets the model know with the next prompt. */

import { cutText } from '../screen/styled-text.js'
import { commandOutputLines, toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import type { TerminalUi } from '../session/terminal-ui.js'

/** So much of what it printed goes to the model: the end. */
const TOLD = 30_000
const LIVE_LINES = 8

export async function runUserShellCommand(ui: TerminalUi, command: string): Promise<void> {
  const { machine, client, backend, shell } = ui
  const { styles } = ui.screen
  if (backend.isRemote || !client)
    return ui.screen.notice('error', 'The session is on a server: there is no shell for it here.')
  let output = ''
  const stop = shell.begin()
  const title = `${styles.magenta('!')} ${toTerminalSafeLine(command)}`
  ui.screen.show({
    title: command,
    kind: 'choice',
    view: ({ columns }) => ({
      rows: [
        cutText(title, columns - 1),
        ...commandOutputLines(output.slice(-4000).replace(/\n$/, ''))
          .slice(-LIVE_LINES)
          .map((line) => styles.dim(cutText(`  ${line}`, columns - 1))),
        styles.dim('  esc stops it'),
      ],
    }),
    key(key) {
      if (key.id === 'escape' || key.id === 'ctrl-c') stop.abort()
      return true
    },
  })
  const {
    output: whole,
    code,
    isCut,
  } = await machine.runShell(
    command,
    client.cwd,
    (text) => {
      output = (output + text).slice(-8000)
      ui.screen.refresh()
    },
    stop.signal,
  )
  ui.screen.show(undefined)
  const lines = commandOutputLines(whole.replace(/\n$/, ''))
  const end = stop.signal.aborted ? styles.red('stopped') : code === 0 ? '' : styles.red(`exit code ${code}`)
  ui.screen.print([
    '',
    title,
    ...lines.map((line) => `  ${line}`),
    ...(isCut ? [styles.dim('  (the beginning is left out)')] : []),
    ...(end === '' ? [] : [`  ${end}`]),
  ])
  shell.end(
    `<shell-command>\nThe user ran this command in ${client.cwd}:\n${command}\nExit code: ${code}\nOutput:\n${whole.slice(-TOLD)}\n</shell-command>`,
  )
}
