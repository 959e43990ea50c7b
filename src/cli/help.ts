/** `kedge --help`: teaches by example first, then lists the flags people use. */
import { FLAGS, type Flag } from '../protocol/flags.js'

export function helpText(): string {
  return `kedge — an open agent runtime

Usage
  kedge -p "What does this repo do?"           ask once, print the answer
  git diff | kedge -p "Review this"            the prompt and stdin go together
  kedge -p "Add a test" --permission-mode acceptEdits
                                               let it edit files in this folder
  kedge -p "Run the tests" --allowedTools "Bash(npm test:*)"
                                               let it run exactly that
  kedge --model practice -p "list the files"   try it offline, without a key
  kedge models                                 models you can use
  kedge mcp --help                             add, list, test and remove MCP servers
  kedge permissions explain --help             what would happen to a tool call here, and why

Credentials
  ANTHROPIC_API_KEY        an API key of the Anthropic console
  ANTHROPIC_AUTH_TOKEN     a bearer token, for gateways
  ANTHROPIC_BASE_URL       another endpoint that speaks the Messages API

Options
${FLAGS.filter((flag: Flag) => flag.forPeople)
  .map(line)
  .join('\n')}

Exit codes
  0  the last turn ended without an error
  1  it ended with an error, or the command line was wrong

Programs drive kedge with --input-format stream-json --output-format stream-json --verbose
(what the library does with isolation: 'process').
`
}

function line(flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : ''
  const left = `  ${short}--${flag.name}${flag.value ? ` ${flag.value}` : ''}`
  return left.length < 36 ? `${left.padEnd(36)}${flag.help}` : `${left}\n${' '.repeat(36)}${flag.help}`
}
