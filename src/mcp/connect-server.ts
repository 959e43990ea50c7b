/** Makes the connection of one configured server: checks its name and configuration, and chooses how it is reached. */
import type { Platform } from '../platform/platform.js'
import { printableText } from '../platform/visible-text.js'
import type { JsonObject } from '../protocol/json.js'
import type { McpQuestionOrigin } from '../protocol/mcp/mcp-paused-request.js'
import type { McpServerLists } from '../protocol/mcp/mcp-server-lists.js'
import { toNamePart } from './clean-text.js'
import type { ServerEntry } from './configured-server.js'
import { Connection } from './connection.js'
import { findAdmissionProblem } from './policy/server-admission.js'
import { type ConfigVariables, checkServerConfig, type RemoteConfig, type ServerConfig } from './server-config.js'
import type { ServerLimits } from './server-limits.js'
import { createBridgeTransport, type SendToHost } from './transports/bridge-transport.js'
import type { McpTransport } from './transports/mcp-transport.js'
import { createStdioTransport } from './transports/stdio-transport.js'

export type ConnectPorts = {
  platform: Pick<Platform, 'clock' | 'processes'>
  cwd: string
  /** What children get and configurations may name: without our own keys. */
  variables: ConfigVariables
  limits: ServerLimits
  /** Which servers may be used at all. */
  serverLists: McpServerLists
  clientInfo: { name: string; version: string }
  sendToHost: SendToHost
  openRemote(server: string, config: RemoteConfig): McpTransport
  /** What a server asks of us. */
  onRequest(
    server: string,
    config: ServerConfig | undefined,
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    /** The call that the question belongs to, if that is known. */
    origin?: McpQuestionOrigin,
  ): Promise<JsonObject>
  capabilities(config: ServerConfig): JsonObject
  /** A status, or something on offer, changed. */
  onChange(): void
  /** From which level on servers send log messages. */
  logLevel: string
  onLog(server: string, params: JsonObject): void
  onPageDone(server: string, elicitationId: string): void
  /** For people. */
  note(text: string): void
}

const MAX_NAME = 200

/**
 * Starts the connection to a configured MCP server. `others` are the names that are taken. What can't be used becomes
 * a connection that says so.
 */
export function connectServer(
  { name, value, scope }: ServerEntry,
  others: Iterable<string>,
  ports: ConnectPorts,
  onChange: () => void,
): Connection {
  const checked = checkServerConfig(value, ports.variables)
  const problem =
    nameProblem(name, others) ??
    (checked.ok ? findAdmissionProblem(name, checked.config, ports.serverLists) : checked.problem)
  const config =
    checked.ok && problem === undefined ? withoutOwnApproval(checked.config, name, scope) : { problem: problem ?? '' }
  return new Connection(config, {
    clock: ports.platform.clock,
    open: (given) => openTransport(name, given, ports),
    onRequest: (method, params, signal, origin) =>
      ports.onRequest(name, 'problem' in config ? undefined : config, method, params, signal, origin),
    onChange,
    onLog: (params) => ports.onLog(name, params),
    onPageDone: (elicitationId) => ports.onPageDone(name, elicitationId),
    onNote: (text) => ports.note(`MCP server ${printableText(name, 100)}: ${text}`),
    connectTimeoutMs: ports.limits.connectMs,
    handshake: {
      capabilities: 'problem' in config ? {} : ports.capabilities(config),
      clientInfo: ports.clientInfo,
      logLevel: ports.logLevel,
    },
  })
}

/** What comes with a folder or a plugin approves nothing of its own, nor does a program that could be anything. */
function withoutOwnApproval(config: ServerConfig, name: string, scope: string): ServerConfig {
  const mayApprove = 'url' in config && scope !== 'project' && !name.startsWith('plugin:')
  if (!config.toolPolicies || mayApprove) return config
  return { ...config, toolPolicies: new Map([...config.toolPolicies].filter(([, policy]) => policy !== 'allow')) }
}

function openTransport(name: string, config: ServerConfig, ports: ConnectPorts): McpTransport {
  if (config.type === 'sdk') return createBridgeTransport(name, ports.sendToHost)
  if (config.type !== 'stdio') return ports.openRemote(name, config)
  const { command, args, env } = config
  return createStdioTransport({ command, args, env: { ...ports.variables, ...env }, cwd: ports.cwd }, ports.platform)
}

function nameProblem(name: string, others: Iterable<string>): string | undefined {
  if (name === '' || name.length > MAX_NAME) return `its name is empty or longer than ${MAX_NAME} characters`
  if (printableText(name) !== name) return 'its name holds characters that can not be seen'
  const word = toNamePart(name)
  for (const other of others) {
    if (other !== name && toNamePart(other) === word) {
      return `its tools would have the same names as those of ${JSON.stringify(other)}: rename one of the two`
    }
  }
  return undefined
}
