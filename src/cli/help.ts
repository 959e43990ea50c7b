/** `kedge --help`: teaches by example first, then lists the flags people use, by what they are for. */
import type { Flag, HelpGroup } from '../protocol/option-table/flag-row.js'
import { FLAGS } from '../protocol/option-table/flags.js'
import { SUBCOMMANDS } from './subcommands.js'

export const HELP_TITLES: Readonly<Record<HelpGroup, string>> = {
  ask: 'Ask',
  permissions: 'What it may do',
  model: 'Model and cost',
  sessions: 'Sessions',
  trouble: 'When something is wrong',
}

export function helpText(flags: readonly Flag[] = FLAGS): string {
  const groups = Object.entries(HELP_TITLES).map(
    ([name, title]) => [title, flags.filter(({ group }) => group === name)] as const,
  )
  return `kedge — an open agent runtime

Begin here
  kedge doctor                                 is everything ready? if not: what to do
  kedge --model practice -p "list the files"   try it offline, without a key
  export ANTHROPIC_API_KEY=…                   then ask a real model:
  kedge                                        talk to it in this folder
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
${SUBCOMMANDS.map(({ name, help }) => `  ${`kedge ${name}`.padEnd(22)}${help}`).join('\n')}

Credentials
  ANTHROPIC_API_KEY     an API key of the Anthropic console
  ANTHROPIC_AUTH_TOKEN  a bearer token, for gateways
  ANTHROPIC_BASE_URL    another endpoint that speaks the Messages API
${groups.map(([title, flags]) => `\n${title}\n${flags.map(line).join('\n')}`).join('\n')}

Exit codes
  0  the last turn ended without an error
  1  it ended with an error, or the command line was wrong
  129, 130, 143  it was ended by SIGHUP, SIGINT, SIGTERM

Programs drive kedge with --input-format stream-json --output-format stream-json --verbose
(what the library does with isolation: 'process'). All flags: docs/cli.md
`
}

function line(flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : ''
  const value = flag.value ? ` ${flag.optional ? `[${flag.value}]` : flag.value}` : ''
  const left = `  ${short}--${flag.name}${value}`
  return left.length < 34 ? `${left.padEnd(34)}${flag.help}` : `${left}\n${' '.repeat(34)}${flag.help}`
}
