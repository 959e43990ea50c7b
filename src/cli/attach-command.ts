/** `kedge attach` where no terminal can show a conversation: its help, or why it can't start. */
import { readCommandLine, wrongCommandLine } from '../platform/command-line/read-command-line.js'
import { ATTACH_COMMAND } from '../protocol/command-table/server-commands.js'
import { printCommandText } from './terminal-output.js'

export async function explainAttach(args: readonly string[]): Promise<number> {
  const read = readCommandLine(ATTACH_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  return printCommandText(wrongCommandLine(ATTACH_COMMAND, 'kedge attach needs a terminal, or --plain.'))
}
