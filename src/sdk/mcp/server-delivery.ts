/**
 * How MCP servers reach the agent: in the first message, where nobody else can read their headers and variables, or on
 * the command line, which every user of the machine can read.
 */
import { ConfigurationError } from '../../errors.js'
import type { SDKControlInitializeResponse } from '../../protocol/control.js'
import { serversForInitialize } from '../../protocol/option-table/sdk-servers.js'
import type { Options } from '../../protocol/options.js'
import type { HostProcessDefaults } from '../agent-connection.js'
import { agentProgram } from '../start-agent-process.js'

let hasWarned = false

/** Chooses the delivery where the caller has not. An agent in this process has no command line, one behind an open channel was started already. */
export function withServerDelivery(options: Options, caller: HostProcessDefaults): Options {
  if (!serversForInitialize({ ...options, mcpServersDelivery: 'initialize' })) return options
  // Such a session can't read the request at its start.
  if (namesSdkUrl(options)) return { ...options, mcpServersDelivery: 'argv' }
  const { mcpServersDelivery: chosen, transport } = options
  if (chosen !== undefined) return options
  if (transport !== undefined)
    return typeof transport === 'function' ? { ...options, mcpServersDelivery: 'initialize' } : options
  const program = agentProgram(options, caller)
  if (program === 'own') return { ...options, mcpServersDelivery: 'initialize' }
  if (program === 'other') warnOnce()
  return options
}

function namesSdkUrl({ extraArgs = {}, executableArgs = [] }: Options): boolean {
  return 'sdk-url' in extraArgs || executableArgs.some((word) => /^--sdk-url(?:=|$)/.test(word))
}

function warnOnce(): void {
  if (hasWarned) return
  hasWarned = true
  process.emitWarning(
    "mcpServers stand on the command line of another agent program, where every user of this machine can read their env and headers. Set mcpServersDelivery: 'initialize' if the program can take them there, or 'argv' to keep it so.",
    { type: 'DeprecationWarning', code: 'CLAUDE_SDK_MCP_SERVERS_ARGV_DEPRECATED' },
  )
}

/** Throws when an agent did not take the servers it was sent: going on would be a session without them. */
export function requireServersApplied({ mcp_servers_applied: isApplied }: SDKControlInitializeResponse): void {
  if (isApplied === true) return
  throw new ConfigurationError(
    'mcpServersDelivery',
    "The agent program did not take the servers of mcpServers from the first message: set mcpServersDelivery: 'argv', or use a newer program.",
    'unsupported_option',
  )
}
