/** Completion during typing: commands of the terminal and of the agent, files of the folder. */
import type { SlashCommand } from '../../protocol/options.js'
import { type CompletionItem, type CompletionSource, ranked } from '../editor/completion-menu.js'
import type { TerminalUi } from '../session/terminal-ui.js'
import { TERMINAL_COMMANDS } from './command-table.js'

const FRESH_MS = 10_000

export function completionSource(ui: TerminalUi): CompletionSource {
  let commands: readonly SlashCommand[] = []
  let asked: string | undefined
  let files: { list: Promise<string[]>; at: number } | undefined
  const ask = () => {
    const { desk } = ui
    if (!desk || asked === desk.id) return
    asked = desk.id
    desk.commands().then(
      (found) => {
        commands = found
      },
      () => {
        asked = undefined
      },
    )
  }
  return (word) => {
    if (word.kind === 'command') {
      ask()
      return commandItems(commands, word.text.slice(1))
    }
    if (ui.house.isRemote || !ui.desk) return []
    const now = ui.machine.now()
    if (!files || now - files.at > FRESH_MS) files = { list: ui.machine.files(ui.desk.cwd), at: now }
    return files.list.then((list) => fileItems(list, word.text.slice(1).replace(/^"/, '')))
  }
}

function commandItems(commands: readonly SlashCommand[], query: string): CompletionItem[] {
  const own = TERMINAL_COMMANDS.map(({ name, help, hint }) => ({ name, description: help, argumentHint: hint ?? '' }))
  const others = commands.filter(({ name }) => !own.some((one) => one.name === name))
  return ranked([...own, ...others], query, ({ name }) => name).map(({ name, description, argumentHint }) => ({
    insert: `/${name}${argumentHint === '' ? '' : ' '}`,
    label: `/${name} ${argumentHint}`.trim(),
    detail: description,
  }))
}

function fileItems(list: readonly string[], query: string): CompletionItem[] {
  return ranked(list, query, (path) => path).map((path) => ({
    insert: /\s/.test(path) ? `@"${path}" ` : `@${path} `,
    label: path,
    detail: '',
  }))
}
