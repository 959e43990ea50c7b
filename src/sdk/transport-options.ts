/** Which options mean something for an agent behind a transport; the others are refused by name. */
import { ConfigurationError } from '../errors.js'
import type { Options } from '../protocol/options.js'

/** There is no process to start, and no way to tell whether the agent could be given a session. */
const NEVER = [
  'executable',
  'executableArgs',
  'isolation',
  'pathToClaudeCodeExecutable',
  'sessionStore',
  'spawnClaudeCodeProcess',
  'workspace',
] as const satisfies readonly (keyof Options)[]

/** Those of this process, those that travel in `initialize`, and those that are requests of their own. The rest is command line. */
const FOR_OPEN_CHANNELS: readonly (keyof Options)[] = [
  'abortController',
  'agents',
  'canUseTool',
  'forwardSubagentText',
  'hooks',
  'mcpServers',
  'meter',
  'model',
  'onElicitation',
  'onUserDialog',
  'outputFormat',
  'perTaskStopAffordance',
  'permissionMode',
  'promptSuggestions',
  'stderr',
  'supportedDialogKinds',
  'systemPrompt',
  'tracer',
  'transport',
]

export function checkTransportOptions(options: Options): void {
  const never = NEVER.find((name) => options[name] !== undefined)
  if (never) throw new ConfigurationError(never, `${never} can't be combined with transport.`)
  if (typeof options.transport === 'function') return
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || FOR_OPEN_CHANNELS.some((known) => known === name)) continue
    throw new ConfigurationError(
      name,
      `${name} can't be combined with a transport that is already open: its agent was started without it. A function as transport is given the command line that carries it.`,
    )
  }
  for (const [name, { type }] of Object.entries(options.mcpServers ?? {})) {
    if (type === 'sdk') continue
    throw new ConfigurationError(
      'mcpServers',
      `mcpServers.${name}: through a transport that is already open only servers of this process can be given; setMcpServers() takes others.`,
    )
  }
}

/** What an agent that has started already is asked for before the prompt. */
export function createTransportSetupRequests({ transport, model, permissionMode }: Options): object[] {
  if (transport === undefined || typeof transport === 'function') return []
  return [
    ...(model === undefined ? [] : [{ subtype: 'set_model', model }]),
    ...(permissionMode === undefined ? [] : [{ subtype: 'set_permission_mode', mode: permissionMode }]),
  ]
}
