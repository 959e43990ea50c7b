/** `kedge --help`, and `kedge help COMMAND`. */

import { docsText, examplesText, flagRow, joinSections, sectionText } from '../platform/command-line/help-page.js'
import { type HelpOrUsageError, helpFor } from '../platform/command-line/read-command-line.js'
import { TOP_LEVEL_COMMANDS } from '../protocol/command-table/all-commands.js'
import type { Command } from '../protocol/command-table/command-row.js'
import type { Flag, HelpGroup } from '../protocol/option-table/flag-row.js'
import { FLAGS } from '../protocol/option-table/flags.js'
import { unsupportedSubcommandText } from './subcommands.js'

export const HELP_GROUP_TITLES: Readonly<Record<HelpGroup, string>> = {
  ask: 'Prompt and output options',
  permissions: 'Permission options',
  model: 'Model and cost options',
  sessions: 'Session options',
  trouble: 'Help and debugging options',
}

const ABOUT = `Run an AI agent in this folder: in your terminal, or once with -p. It asks you
before it changes files or runs commands, unless a rule or the permission mode
allows that. With -p no one can answer, so such calls are denied.`

const EXAMPLES: Command['examples'] = [
  ['kedge doctor', 'check your setup and get fixes'],
  ['kedge --model practice -p "list the files"', 'try it offline, without an API key'],
  ['kedge', 'start a conversation in this folder; needs ANTHROPIC_API_KEY or another key'],
  ['kedge -p "What does this repo do?"', 'print one answer'],
  ['git diff | kedge -p "Review this"', 'send the prompt together with stdin'],
  ['kedge -c -p "And the tests?"', 'continue the latest session in this folder'],
  ['kedge -p "Add a test" --permission-mode acceptEdits', 'let it edit files in this folder'],
  ['kedge -p "Run the tests" --allowedTools "Bash(npm test:*)"', 'allow one command; others are denied'],
  ['kedge -p "List the exports" --output-format json | jq -r .result', 'for scripts: print one JSON object'],
]

export const ENVIRONMENT_VARIABLE_HELP: readonly (readonly [name: string, help: string])[] = [
  ['ANTHROPIC_API_KEY', 'API key from the Anthropic console'],
  ['ANTHROPIC_AUTH_TOKEN', 'bearer token, for gateways'],
  ['ANTHROPIC_BASE_URL', 'another endpoint with the Messages API'],
  ['CLAUDE_CONFIG_DIR', 'folder for settings and sessions (default: ~/.claude)'],
]

export const EXIT_CODE_HELP: readonly (readonly [code: string, help: string])[] = [
  ['0', 'the last turn ended without an error'],
  ['1', 'it ended with an error, or the command line was wrong'],
  ['129, 130, 143', 'it was ended by SIGHUP, SIGINT, SIGTERM'],
]

export function helpText(flags: readonly Flag[] = FLAGS): string {
  return joinSections([
    'Usage: kedge [options] [PROMPT]\n       kedge -p [options] PROMPT\n       kedge COMMAND',
    ABOUT,
    sectionText(
      'Commands',
      TOP_LEVEL_COMMANDS.map(({ name, help }) => [name, help]),
    ),
    'Run `kedge COMMAND --help` for the options of a command.',
    ...Object.entries(HELP_GROUP_TITLES).map(([group, title]) =>
      sectionText(title, flags.filter((flag) => flag.group === group).map(optionRow)),
    ),
    examplesText(EXAMPLES),
    sectionText('Environment', ENVIRONMENT_VARIABLE_HELP),
    sectionText('Exit codes', EXIT_CODE_HELP),
    docsText('cli'),
  ])
}

function optionRow(flag: Flag): readonly [string, string] {
  const { value, optional } = flag
  return flagRow({ ...flag, ...(value === undefined ? {} : { value: optional ? `[${value}]` : value }) })
}

const ROOT: Command = { name: '', help: '', about: '', commands: TOP_LEVEL_COMMANDS, examples: [], page: 'cli' }

/** `kedge help`: of all, or of the command that the words name. */
export function helpCommand(words: readonly string[]): HelpOrUsageError {
  const [word] = words
  if (word === undefined || word.startsWith('-')) return { text: helpText(), isHelp: true }
  const instead = unsupportedSubcommandText(word)
  return instead === undefined ? helpFor(ROOT, words) : { text: `${instead}\n`, isHelp: false }
}
