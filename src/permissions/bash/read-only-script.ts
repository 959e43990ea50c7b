/** A quick look at a command line: does it only look at things? For scheduling, not for permission: where files lie is not asked. */
import { changesShellState, isHarmlessRedirectTarget } from './auto-approve.js'
import { fileWordsOfReadOnlyCommand } from './questions/read-only.js'
import { MAX_APPROVABLE_COMMAND_LENGTH } from './syntax/parse-command.js'
import type { ShellScript } from './syntax/syntax.js'

export function isReadOnlyScript(script: ShellScript): boolean {
  if (script.commands.length === 0) return false
  if (
    script.problems.length > 0 ||
    script.invisible ||
    script.text.length > MAX_APPROVABLE_COMMAND_LENGTH ||
    changesShellState(script)
  )
    return false
  const redirects = [...script.redirects, ...script.commands.flatMap((command) => command.redirects)]
  return (
    redirects.every(({ kind, target }) => kind === 'read' || isHarmlessRedirectTarget(target) || target.pipe) &&
    script.commands.every(
      ({ words, assignments }) =>
        assignments.length === 0 && (words.length === 0 || fileWordsOfReadOnlyCommand(words) !== undefined),
    )
  )
}
