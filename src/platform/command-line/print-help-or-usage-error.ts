/** Writes help to stdout and what is wrong with a command line to stderr, and sets the exit code: for commands outside src/cli. */
import type { HelpOrUsageError } from './read-command-line.js'

export function printHelpOrUsageError({ text, isHelp }: HelpOrUsageError, wrongCode = 1): void {
  process[isHelp ? 'stdout' : 'stderr'].write(text)
  process.exitCode = isHelp ? 0 : wrongCode
}
