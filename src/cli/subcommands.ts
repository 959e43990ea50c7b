/** Words that aren't a prompt: commands of Claude Code that Kedge doesn't have, misspelled ones, and `attach` without a terminal. */
import { createUsageError, readCommandLine } from '../platform/command-line/read-command-line.js'
import { TOP_LEVEL_COMMANDS } from '../protocol/command-table/all-commands.js'
import { nearestName } from '../protocol/command-table/nearest-name.js'
import { ATTACH_COMMAND } from '../protocol/command-table/server-command-rows.js'
import { printCommandText } from './terminal-output.js'

/** Commands of Claude Code, and words that look like one: each with what to use instead. None is ever a prompt. */
const INSTEAD: Readonly<Record<string, string>> = {
  agents: 'Define agents in .claude/agents, or with --agents.',
  auth: 'Kedge has no login. Set ANTHROPIC_API_KEY; `kedge doctor` shows which key is used.',
  config: 'Settings are in ~/.claude/settings.json and .claude/settings.json. `kedge doctor` checks them.',
  install: 'Install Kedge with npm: npm install -g kedge',
  login: 'Kedge has no login. Set ANTHROPIC_API_KEY.',
  logout: 'Kedge has no login. Unset ANTHROPIC_API_KEY.',
  'migrate-installer': 'Install Kedge with npm: npm install -g kedge',
  plugin: 'Load plugins from folders: --plugin-dir DIR.',
  plugins: 'Load plugins from folders: --plugin-dir DIR.',
  'remote-control': 'Programs control Kedge with --input-format stream-json.',
  'setup-token': 'Kedge has no login. Set ANTHROPIC_API_KEY.',
  upgrade: '`kedge update` prints the command that updates Kedge.',
}

const HINT = "(To ask a model: kedge -p '…')"

/** Undefined: it isn't a command of the original that is missing here. */
export function unsupportedSubcommandText(word = ''): string | undefined {
  const instead = Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : undefined
  return instead && `error: Kedge has no command '${word}'. ${instead}\n${HINT}`
}

/** Why these words are no prompt; undefined: they are one. Only for words without `-p`. */
export function whyWordsAreNoPrompt([word = '', ...more]: readonly string[]): string | undefined {
  const missing = unsupportedSubcommandText(word)
  if (missing !== undefined) return missing
  if (more.length > 0 || !/^[a-z][\w-]*$/i.test(word)) return undefined
  const names = TOP_LEVEL_COMMANDS.map(({ name }) => name)
  const meant = nearestName(word.toLowerCase(), names, 2)
  return `error: unknown command '${word}'\n${meant === undefined ? HINT : `(Did you mean kedge ${meant}? ${HINT.slice(1)}`}`
}

/** `kedge attach` where no terminal can show a conversation: its help, or why it can't start. */
export async function explainAttach(args: readonly string[]): Promise<number> {
  const read = readCommandLine(ATTACH_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  return printCommandText(createUsageError(ATTACH_COMMAND, 'kedge attach needs a terminal, or --plain.'))
}
