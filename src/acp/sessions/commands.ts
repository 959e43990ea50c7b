/** The commands a user can type: those of the agent, and those that every client has through us. Pure. */
import type { AvailableCommand } from '@agentclientprotocol/sdk/unstable'
import type { SlashCommand } from '../../protocol/options.js'

export const ACP_COMMANDS = [
  { name: 'rewind', description: 'Go back: files, conversation or both', hint: '[files|conversation|both]' },
  {
    name: 'mcp',
    description: 'MCP servers: their state, reconnect, enable, disable',
    hint: '[reconnect|enable|disable] [server]',
  },
  { name: 'status', description: 'Account, model, cost and context of this session', hint: '' },
  { name: 'plugins', description: 'Plugins of this session', hint: '' },
  { name: 'btw', description: 'Ask something that leaves no trace in the conversation', hint: 'question' },
  { name: 'reload', description: 'Read settings, plugins, and skills again', hint: '' },
] as const

/** One of Kedge's own commands, as typed in an editor. */
export type AcpCommand = { name: (typeof ACP_COMMANDS)[number]['name']; args: string[] }

export function availableAcpCommands(commands: readonly SlashCommand[]): AvailableCommand[] {
  const own = ACP_COMMANDS.map(({ name, description, hint }) => command(name, description, hint))
  const others = commands
    .filter(({ name }) => !ACP_COMMANDS.some((one) => one.name === name))
    .map(({ name, description, argumentHint }) => command(shownName(name), description, argumentHint))
  return [...others, ...own]
}

/** Reads a prompt as one of Kedge's own commands for editors. Undefined: it is not for us. */
export function readAcpCommand(text: string): AcpCommand | undefined {
  const [word = '', ...args] = text.trim().split(/\s+/)
  const found = ACP_COMMANDS.find(({ name }) => word === `/${name}`)
  return found && { name: found.name, args }
}

/** Prompts of servers as other adapters call them; their clients know these names. */
function shownName(name: string): string {
  const [, title] = /^(.+:.+) \(MCP\)$/.exec(name) ?? []
  return title === undefined ? name : `mcp:${title.replace(/[^\w:-]/g, '_')}`
}

function command(name: string, description: string, hint: string): AvailableCommand {
  return { name, description, ...(hint === '' ? {} : { input: { hint } }) }
}
