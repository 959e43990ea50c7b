/** The command line of `kedge acp`: a few defaults for its sessions. Editors say the rest for each session. */
import type { Options } from '../protocol/options.js'
import { isPermissionMode, unknownModeText } from '../protocol/permission-modes.js'

const HELP = `Usage: kedge acp [options]

An agent for editors that speak the Agent Client Protocol (agentclientprotocol.com),
on stdin and stdout. Configure it in your editor as a program: kedge acp
docs/acp.md says how, for each editor.

Options:
  --model NAME            the model of new sessions (practice: an offline stand-in)
  --permission-mode MODE  the mode of new sessions
  --settings FILE         settings above those of user and project
  --no-project-settings   use nothing that folders bring along
  --help                  this text

A key comes from the environment: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN.
`

export type AcpArguments = { options: Options } | { text: string; code: number }

export function readAcpArguments(args: readonly string[]): AcpArguments {
  const options: Options = { settingSources: ['user', 'project', 'local'] }
  const rest = [...args]
  const wrong = (text: string) => ({ text: `error: ${text}\nRun \`kedge acp --help\` for all options.\n`, code: 1 })
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name = '', joined] = arg.split(/=(.*)/s, 2)
    if (name === '--help' || name === '-h') return { text: HELP, code: 0 }
    if (name === '--no-project-settings') {
      options.settingSources = ['user']
      continue
    }
    if (!['--model', '--permission-mode', '--settings'].includes(name)) return wrong(`kedge acp has no option '${arg}'`)
    const value = joined ?? rest.shift()
    if (value === undefined || value === '') return wrong(`${name} needs a value`)
    if (name === '--model') options.model = value
    else if (name === '--settings') options.settings = value
    else if (isPermissionMode(value)) options.permissionMode = value
    else return wrong(unknownModeText(value))
  }
  return { options }
}
