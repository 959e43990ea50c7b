/** What a typed line is: a command of the terminal, a command for the shell, something to remember, or a prompt. */
import { type Face, reportFailure } from '../session/face.js'
import { TERMINAL_COMMANDS } from './command-table.js'
import { remember } from './memory-commands.js'
import { runShell } from './shell-command.js'

/** False: it is for the agent. */
export function runTyped(face: Face, text: string): boolean {
  const line = text.trim()
  if (line.startsWith('!') && line.length > 1) {
    reportFailure(face, () => runShell(face, line.slice(1).trim()))
    return true
  }
  if (/^#\s*\S/.test(line) && !line.includes('\n')) {
    remember(face, line.replace(/^#+\s*/, ''))
    return true
  }
  const [, name, args = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(line) ?? []
  const command = TERMINAL_COMMANDS.find((one) => one.name === name)
  if (!command) return false
  reportFailure(face, async () => command.run(face, args.trim()))
  return true
}
