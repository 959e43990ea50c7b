/** What a typed line is: a command of the terminal, a command for the shell, something to remember, or a prompt. */
import { runReportingFailure, type TerminalUi } from '../session/terminal-ui.js'
import { TERMINAL_COMMANDS } from './command-table.js'
import { addTextToMemory } from './memory-commands.js'
import { runUserShellCommand } from './shell-command.js'

/** False: it is for the agent. */
export function runTypedTerminalCommand(ui: TerminalUi, text: string): boolean {
  const line = text.trim()
  if (line.startsWith('!') && line.length > 1) {
    runReportingFailure(ui, () => runUserShellCommand(ui, line.slice(1).trim()))
    return true
  }
  if (/^#\s*\S/.test(line) && !line.includes('\n')) {
    addTextToMemory(ui, line.replace(/^#+\s*/, ''))
    return true
  }
  const [, name, args = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(line) ?? []
  const command = TERMINAL_COMMANDS.find((one) => one.name === name)
  if (!command) return false
  runReportingFailure(ui, async () => command.run(ui, args.trim()))
  return true
}
