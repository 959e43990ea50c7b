/** The in-process MCP servers of one query: which there are, and whom a message is for. */
import type { SDKControlInitializeRequest } from '../../protocol/control.js'
import type { JSONRPCMessage, McpServerConfig } from '../../protocol/mcp-servers.js'
import { createHostServer, type HostServer } from './host-server.js'
import { SdkMcpServer } from './sdk-mcp-server.js'

export type HostServers = {
  names(): string[]
  /** What our own servers would answer to the handshake, so that nobody has to ask. */
  manifests(): SDKControlInitializeRequest['sdkMcpServerManifests']
  handle(request: Record<string, unknown>, signal: AbortSignal): Promise<Record<string, unknown>>
  /** Puts new servers beside the others, before the agent hears of them; it may then keep them or take them back. */
  add(servers: Record<string, McpServerConfig>): { replaced: string[]; keep(): void; undo(): void }
  remove(names: string[]): void
  close(): void
}

export type HostServersOptions = {
  servers: Record<string, McpServerConfig> | undefined
  tell(request: {
    subtype: 'mcp_message'
    server_name: string
    message: JSONRPCMessage
  }): Promise<Record<string, unknown>>
  sessionId(): string | undefined
}

export function createHostServers({ servers = {}, tell, sessionId }: HostServersOptions): HostServers {
  const byName = new Map<string, HostServer>()

  const add: HostServers['add'] = (added) => {
    const replaced: [string, HostServer | undefined][] = []
    for (const [name, config] of Object.entries(added)) {
      if (config.type !== 'sdk') continue
      const before = byName.get(name)
      if (before?.instance === config.instance) continue
      const server = createHostServer({
        instance: config.instance,
        tell: (message) => tell({ subtype: 'mcp_message', server_name: name, message }),
        sessionId,
      })
      byName.set(name, server)
      replaced.push([name, before])
    }
    return {
      replaced: replaced.flatMap(([name, before]) => (before ? name : [])),
      keep() {
        for (const [, before] of replaced) before?.close()
      },
      undo() {
        for (const [name, before] of replaced) {
          byName.get(name)?.close()
          if (before) byName.set(name, before)
          else byName.delete(name)
        }
      },
    }
  }
  add(servers)

  return {
    names: () => [...byName.keys()],
    manifests() {
      const known = [...byName].flatMap(([name, { instance, listen }]) => {
        const manifest = instance instanceof SdkMcpServer ? instance.manifest : undefined
        // Nobody will greet it; but what it offers may change.
        if (manifest) listen()
        return manifest ? [[name, manifest] as const] : []
      })
      return known.length > 0 ? Object.fromEntries(known) : undefined
    },
    async handle(request, signal) {
      const name = String(request.server_name)
      const server = byName.get(name)
      if (!server) throw new Error(`SDK MCP server not found: ${name}`)
      return server.take(request.message, signal)
    },
    add,
    remove(names) {
      for (const name of names) {
        byName.get(name)?.close()
        byName.delete(name)
      }
    },
    close() {
      for (const server of byName.values()) server.close()
      byName.clear()
    },
  }
}
