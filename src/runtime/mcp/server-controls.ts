/** What a host may do to the MCP servers of a running session: reconnect, switch off and on, replace, write to its own. */
import { readToolUiResource } from '../../mcp/read-interface.js'
import type { McpServers, SessionMcpServer } from '../../mcp/servers.js'
import type { SDKControlMcpReadResourceResponse } from '../../protocol/control.js'
import type { McpCompletion, McpCompletionTarget } from '../../protocol/mcp/mcp-completion.js'
import type { JSONRPCMessage, McpSetServersResult } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'

export type McpControlProblem = { problem: string; code: 'server_not_found' | 'mcp_failed' }

type ControlPorts = {
  servers(): McpServers | undefined
  /** Undefined: nothing was loaded yet. */
  loading(): Promise<McpServers | undefined> | undefined
  load(): Promise<McpServers | undefined>
  hostIsReady(): boolean
  /** Keeps news of its servers from the host until it has its answer. */
  answered<Answer>(work: () => Promise<Answer>): Promise<Answer>
}

export function createServerControls({ servers, loading, load, hostIsReady, answered }: ControlPorts) {
  const find = (name: string): SessionMcpServer | McpControlProblem =>
    servers()?.find(name) ?? { problem: `Server not found: ${name}`, code: 'server_not_found' }
  const reconnect = async (name: string): Promise<McpControlProblem | undefined> => {
    await loading()
    const server = find(name)
    if ('problem' in server) return server
    await server.connection.reconnect()
    return failure(server)
  }
  const toggle = async (name: string, enabled: boolean): Promise<McpControlProblem | undefined> => {
    await loading()
    const server = find(name)
    if ('problem' in server) return server
    const isOn = server.connection.status() !== 'disabled'
    if (isOn === enabled) return undefined
    if (!enabled) return void (await server.connection.disable())
    await server.connection.reconnect()
    return failure(server)
  }

  return {
    /** A message that a server in the host sent by itself; what it asks is answered. */
    receive(name: string, message: JSONRPCMessage): McpControlProblem | undefined {
      const server = find(name)
      if ('problem' in server) return server
      server.connection.receive(message)
      return undefined
    },
    reconnect: (name: string): Promise<McpControlProblem | undefined> => answered(() => reconnect(name)),
    toggle: (name: string, enabled: boolean): Promise<McpControlProblem | undefined> =>
      answered(() => toggle(name, enabled)),
    /** A user interface that a tool brings, for the host to show. Other addresses are for the model's tools. */
    async readInterface(
      name: string,
      uri: string,
      signal: AbortSignal,
    ): Promise<SDKControlMcpReadResourceResponse | McpControlProblem> {
      await loading()
      const server = find(name)
      if ('problem' in server) return server
      if (!uri.startsWith('ui://')) return { problem: `Not a ui:// address: ${uri}`, code: 'mcp_failed' }
      try {
        return await readToolUiResource(server.connection, uri, signal)
      } catch (error) {
        return { problem: `${name}: ${messageOf(error)}`, code: 'mcp_failed' }
      }
    },
    /** Suggestions for an argument that a user types. */
    async complete(
      name: string,
      target: McpCompletionTarget,
      signal: AbortSignal,
    ): Promise<McpCompletion | McpControlProblem> {
      await loading()
      const server = find(name)
      if ('problem' in server) return server
      try {
        const { completeMcpArgument } = await import('../../mcp/open.js')
        return await completeMcpArgument(server.connection, target, signal)
      } catch (error) {
        return { problem: `${name}: ${messageOf(error)}`, code: 'mcp_failed' }
      }
    },
    async set(wanted: Readonly<Record<string, unknown>>, replaceAll = false): Promise<McpSetServersResult> {
      if (!loading() && Object.keys(wanted).length === 0) return { added: [], removed: [], errors: {} }
      const opened = await load()
      if (!opened) return { added: [], removed: [], errors: {} }
      if (hostIsReady()) opened.hostReady()
      return opened.set(wanted, replaceAll)
    },
  }
}

function failure({ name, connection }: SessionMcpServer): McpControlProblem | undefined {
  if (connection.status() === 'connected') return undefined
  return { problem: `${name}: ${connection.error() ?? connection.status()}`, code: 'mcp_failed' }
}
