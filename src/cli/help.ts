/** `kedge --help`: teaches by example first, then lists the flags people use, by what they are for. */
import { FLAGS, type Flag, type FlagName } from '../protocol/flags.js'
import { COMMANDS } from './subcommands.js'

/** Every flag for people is in one of these; a test sees to it. */
export const GROUPS: readonly (readonly [title: string, flags: readonly FlagName[]])[] = [
  ['Ask', ['print', 'output-format', 'input-format', 'verbose', 'system-prompt', 'append-system-prompt', 'timeout']],
  [
    'What it may do',
    [
      ...(['permission-mode', 'allowedTools', 'disallowedTools', 'tools', 'add-dir', 'trust', 'on-ask'] as const),
      'dangerously-skip-permissions',
    ],
  ],
  [
    'Model and cost',
    ['model', 'effort', 'fallback-model', 'max-turns', 'max-budget-usd', 'max-tokens', 'max-tool-calls'],
  ],
  ['Sessions', ['continue', 'resume']],
  ['When something is wrong', ['debug', 'debug-file', 'help', 'version']],
]

export function helpText(): string {
  return `kedge — an open agent runtime

Begin here
  kedge doctor                                 is everything ready? if not: what to do
  kedge --model practice -p "list the files"   try it offline, without a key
  export ANTHROPIC_API_KEY=…                   then ask a real model:
  kedge -p "What does this repo do?"           ask once, print the answer

Go on
  git diff | kedge -p "Review this"            the prompt and stdin go together
  kedge -c -p "And the tests?"                 go on where you were in this folder
  kedge -p "Add a test" --permission-mode acceptEdits
                                               let it edit files in this folder
  kedge -p "Run the tests" --allowedTools "Bash(npm test:*)"
                                               let it run exactly that; all else is refused
  kedge -p "List the exports" --output-format json | jq -r .result
                                               for scripts: one JSON object

Commands
${COMMANDS.map(({ name, help }) => `  ${`kedge ${name}`.padEnd(22)}${help}`).join('\n')}

Credentials
  ANTHROPIC_API_KEY     an API key of the Anthropic console
  ANTHROPIC_AUTH_TOKEN  a bearer token, for gateways
  ANTHROPIC_BASE_URL    another endpoint that speaks the Messages API
${GROUPS.map(([title, names]) => `\n${title}\n${names.map(line).join('\n')}`).join('\n')}

Exit codes
  0  the last turn ended without an error
  1  it ended with an error, or the command line was wrong

Programs drive kedge with --input-format stream-json --output-format stream-json --verbose
(what the library does with isolation: 'process'). All flags: docs/cli.md
`
}

const byName = new Map<string, Flag>(FLAGS.map((flag) => [flag.name, flag]))

function line(name: FlagName): string {
  const flag = byName.get(name)
  if (!flag) return ''
  const short = flag.short ? `-${flag.short}, ` : ''
  const value = flag.value ? ` ${flag.optional ? `[${flag.value}]` : flag.value}` : ''
  const left = `  ${short}--${flag.name}${value}`
  return left.length < 34 ? `${left.padEnd(34)}${flag.help}` : `${left}\n${' '.repeat(34)}${flag.help}`
}
