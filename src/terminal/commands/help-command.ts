/** Keys and commands on one page. */
import type { TerminalUi } from '../session/terminal-ui.js'
import { KEY_HELP } from './key-help.js'
import type { TerminalCommand } from './terminal-command.js'

export function openHelp(ui: TerminalUi, all: readonly TerminalCommand[]): void {
  const commands = all
    .filter(({ name }) => name !== 'quit')
    .map(({ name, help, hint }) => `| /${name}${hint ? ` ${hint}` : ''} | ${help} |`)
  const keys = KEY_HELP.map(({ keys: names, does }) => `| ${names} | ${does} |`)
  ui.screen.say(
    [
      '| Key | Effect |',
      '|---|---|',
      ...keys,
      '',
      '| Command | Effect |',
      '|---|---|',
      ...commands,
      '',
      'Commands and skills of your folders are listed when you type `/`.',
    ].join('\n'),
  )
}
