/** MCP servers on their way to an agent: those that live in this process are sent by name, without the live object. */
import { ConfigurationError } from '../../errors.js'
import type { McpSdkServerConfig, McpServerConfig, McpServerConfigForProcessTransport } from '../mcp-servers.js'
import type { Options } from '../options.js'

/** An in-process server is a live object; its name alone leads nowhere. */
export function checkMcpServersOption({ mcpServers = {} }: Options): void {
  for (const [name, config] of Object.entries(mcpServers)) {
    if (config?.type !== 'sdk' || typeof config.instance?.connect === 'function') continue
    const text = `mcpServers.${name}: a server of type sdk needs an \`instance\`, as createSdkMcpServer() makes it.`
    throw new ConfigurationError('mcpServers', text)
  }
}

/** Those that travel in `initialize` are left out: their headers and variables would be readable by every user of the machine. */
export function encodeMcpServers(options: Options): string | undefined {
  const { mcpServers = {} } = options
  const apart = Object.keys(serversForInitialize(options) ?? {})
  const named = Object.entries(mcpServers).filter(([name]) => !apart.includes(name))
  if (named.length === 0) return undefined
  return JSON.stringify({ mcpServers: withoutServerInstances(Object.fromEntries(named)) })
}

/** The servers that `initialize` carries: programs and addresses, where `mcpServersDelivery` says so. Undefined: none. */
export function serversForInitialize({
  mcpServers = {},
  mcpServersDelivery,
}: Options): Record<string, McpServerConfigForProcessTransport> | undefined {
  if (mcpServersDelivery !== 'initialize') return undefined
  const servers = Object.entries(mcpServers).filter(([, { type }]) => type !== 'sdk')
  return servers.length > 0 ? withoutServerInstances(Object.fromEntries(servers)) : undefined
}

export function withoutServerInstances(
  servers: Record<string, McpServerConfig>,
): Record<string, McpServerConfigForProcessTransport> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, config]) => [
      name,
      config.type === 'sdk' ? withoutInstance(name, config) : config,
    ]),
  )
}

/** It is known by the name it has in this query, whatever it calls itself. */
function withoutInstance(name: string, { timeout, sampling }: McpSdkServerConfig): McpSdkServerConfig {
  return { type: 'sdk', name, ...(timeout === undefined ? {} : { timeout }), ...(sampling ? { sampling } : {}) }
}
