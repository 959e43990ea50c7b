/** What flags bring as JSON or as files: system prompts, agents, MCP servers. What can't be used is refused, never left out. */
import type { FileSystem } from '../platform/files/files.js'
import { resolve } from '../platform/paths.js'
import { checkControlRequest } from '../protocol/check-request.js'
import type { FlagReader } from '../protocol/option-table/parse-argv.js'
import type { ModelSettings, ToolSettings } from '../protocol/option-table/start-settings.js'
import type { AgentDefinition } from '../protocol/options.js'
import { messageOf } from '../protocol/thrown.js'
import type { StartRefusal } from './configuration.js'

type Place = { cwd: string; files: FileSystem }
type Contents = Pick<ModelSettings, 'systemPrompt' | 'appendSystemPrompt' | 'flagAgents'> &
  Pick<ToolSettings, 'mcpServers'>

export function readFlagContents(flags: FlagReader, place: Place): Contents | { refusal: StartRefusal } {
  const systemPrompt = readPrompt(flags, 'system-prompt', 'System', place)
  if (typeof systemPrompt === 'object') return systemPrompt
  const appendSystemPrompt = readPrompt(flags, 'append-system-prompt', 'Append system', place)
  if (typeof appendSystemPrompt === 'object') return appendSystemPrompt
  const flagAgents = readAgents(flags.text('agents'))
  if ('refusal' in flagAgents) return flagAgents
  const mcpServers = readMcpConfigs(flags.repeated('mcp-config'), place)
  if ('refusal' in mcpServers) return mcpServers
  return { systemPrompt, appendSystemPrompt, flagAgents: flagAgents.agents, mcpServers: mcpServers.servers }
}

/** The words are those hosts know. */
function readPrompt(
  flags: FlagReader,
  flag: 'system-prompt' | 'append-system-prompt',
  what: string,
  { cwd, files }: Place,
): string | undefined | { refusal: StartRefusal } {
  const text = flags.text(flag)
  const file = flags.text(`${flag}-file`)
  if (file === undefined) return text
  if (text !== undefined) return refuse(`Cannot use both --${flag} and --${flag}-file. Please use only one.`)
  const path = resolve(cwd, file)
  try {
    return files.readTextSync(path)
  } catch (error) {
    if (!files.existsSync(path)) return refuse(`${what} prompt file not found: ${path}`)
    return refuse(`${what} prompt file can't be read: ${messageOf(error)}`)
  }
}

function readAgents(
  text: string | undefined,
): { agents: Readonly<Record<string, AgentDefinition>> } | { refusal: StartRefusal } {
  if (text === undefined) return { agents: {} }
  let agents: unknown
  try {
    agents = JSON.parse(text)
  } catch (error) {
    return refuse(`--agents is no JSON: ${messageOf(error)}`)
  }
  const checked = checkControlRequest({ subtype: 'initialize', agents })
  if (!checked.ok) return refuse(`--agents: ${checked.problem.replace(/^Invalid initialize request: /, '')}`)
  return { agents: checked.request.subtype === 'initialize' ? (checked.request.agents ?? {}) : {} }
}

/** Merges several configurations. The last one wins for each name. */
function readMcpConfigs(
  texts: readonly string[],
  { cwd, files }: Place,
): { servers: ToolSettings['mcpServers'] } | { refusal: StartRefusal } {
  const all: Record<string, unknown> = {}
  for (const text of texts) {
    let servers: unknown
    try {
      const json = text.trimStart().startsWith('{') ? text : files.readTextSync(resolve(cwd, text))
      const value: unknown = JSON.parse(json)
      servers = typeof value === 'object' && value !== null && 'mcpServers' in value ? value.mcpServers : undefined
    } catch {
      // Falls through to the refusal.
    }
    if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) {
      return refuse('Invalid MCP configuration: --mcp-config needs {"mcpServers":{…}} or a file that holds it.')
    }
    Object.assign(all, servers)
  }
  return { servers: all }
}

function refuse(message: string): { refusal: StartRefusal } {
  return { refusal: { stderr: `Error: ${message}`, message, code: 'invalid_option', reason: 'invalid_input' } }
}
