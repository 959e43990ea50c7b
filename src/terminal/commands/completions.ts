/** Completion during typing: commands of the terminal and of the agent, files of the folder. */
import type { SlashCommand } from '../../protocol/options.js'
import { type CompletionItem, type CompletionSource, rankByQuery } from '../editor/completion-menu.js'
import type { TerminalUi } from '../session/terminal-ui.js'
import { TERMINAL_COMMANDS } from './command-table.js'

const FRESH_MS = 10_000

export function completionSource(ui: TerminalUi): CompletionSource {
  let commands: readonly SlashCommand[] = []
  let asked: string | undefined
  let files: { list: Promise<string[]>; at: number } | undefined
  const ask = () => {
    const { client } = ui
    if (!client || asked === client.id) return
    asked = client.id
    client.commands().then(
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
    if (ui.backend.isRemote || !ui.client) return []
    const now = ui.machine.now()
    if (!files || now - files.at > FRESH_MS) files = { list: ui.machine.files(ui.client.cwd), at: now }
    return files.list.then((list) => fileItems(list, word.text.slice(1).replace(/^"/, '')))
  }
}

function commandItems(commands: readonly SlashCommand[], query: string): CompletionItem[] {
  const own = TERMINAL_COMMANDS.map(({ name, help, hint }) => ({ name, description: help, argumentHint: hint ?? '' }))
  const others = commands.filter(({ name }) => !own.some((one) => one.name === name))
  return rankByQuery([...own, ...others], query, ({ name }) => name).map(({ name, description, argumentHint }) => ({
    insert: `/${name}${argumentHint === '' ? '' : ' '}`,
    label: `/${name} ${argumentHint}`.trim(),
    detail: description,
  }))
}

function fileItems(list: readonly string[], query: string): CompletionItem[] {
  return rankByQuery(list, query, (path) => path).map((path) => ({
    insert: /\s/.test(path) ? `@"${path}" ` : `@${path} `,
    label: path,
    detail: '',
  }))
}
