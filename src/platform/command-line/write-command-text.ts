/** Writes help to stdout and what is wrong with a command line to stderr, and sets the exit code: for commands outside src/cli. */
import type { CommandText } from './read-command-line.js'

export function writeCommandText({ text, isHelp }: CommandText, wrongCode = 1): void {
  process[isHelp ? 'stdout' : 'stderr'].write(text)
  process.exitCode = isHelp ? 0 : wrongCode
}
