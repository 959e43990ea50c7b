/** The servers of one session: which there are, how each is doing, and what all of them offer together. */
import { printableText } from '../platform/visible-text.js'
import type { McpServerStatus, McpSetServersResult } from '../protocol/mcp-servers.js'
import { toNamePart } from './clean-text.js'
import type { ServerEntry, SessionMcpServer } from './configured-server.js'
import { type ConnectPorts, connectServer } from './connect-server.js'
import type { PresuppliedServerManifest } from './handshake.js'
import type { ListedTool } from './lists/server-lists.js'
import { type NamedTools, nameTools } from './name-tools.js'
import { expandServerPrompt, promptCommands } from './prompt-commands.js'
import { type ResourceContents, readResource } from './read-resource.js'
import { replaceServers } from './replace-servers.js'
import { serverStatus } from './server-status.js'
import { createMcpTool, type McpTool, type McpToolCaller, type ServerToolPorts } from './server-tool.js'

export type { ServerEntry, SessionMcpServer } from './configured-server.js'
export type { RemoteConfig } from './server-config.js'

export type McpServersPorts = ConnectPorts & {
  tools: Omit<ServerToolPorts, 'callMs' | 'maxTokens' | 'clock' | 'asksInBypass'>
  /** Whether calls of a server are asked for even in a mode that allows everything. */
  asksInBypass(server: string): boolean
  /** Whether there is a sign-in to a server that has not been tried in vain. */
  isSignedIn(server: string, url: string): Promise<boolean>
}

export type McpServers = ReturnType<typeof createMcpServers>

export function createMcpServers(ports: McpServersPorts) {
  const servers = new Map<string, SessionMcpServer>()
  const { callMs, outputTokens: maxTokens } = ports.limits
  const callPorts = { ...ports.tools, clock: ports.platform.clock, callMs, maxTokens }
  let hostIsReady = false
  let manifests: Readonly<Record<string, PresuppliedServerManifest>> = {}
  let tools: NamedTools | undefined
  const made = new WeakMap<ListedTool, McpTool>()

  const onChange = () => {
    tools = undefined
    ports.onChange()
  }

  /** Servers of the host are greeted once it listens. */
  const begin = ({ name, connection }: SessionMcpServer) => {
    if (connection.config?.type === 'sdk' && !hostIsReady) return
    if (connection.config?.type !== 'sdk') return connection.begin()
    const manifest = Object.hasOwn(manifests, name) ? manifests[name] : undefined
    // Not in the middle of what the host is being answered just now.
    connection.begin(manifest, new Promise((resolve) => ports.platform.clock.after(0, resolve)))
  }

  const list = (): SessionMcpServer[] => [...servers.values()]
  const find = (name: string): SessionMcpServer | undefined => servers.get(name)
  const add = (entry: ServerEntry, isDynamic = false): SessionMcpServer => {
    const prefix = `mcp__${toNamePart(entry.name)}__`
    const owns = (toolName: string) => toolName.startsWith(prefix)
    const server = { ...entry, isDynamic, owns, connection: connectServer(entry, servers.keys(), ports, onChange) }
    servers.set(entry.name, server)
    begin(server)
    onChange()
    return server
  }
  const remove = async (server: SessionMcpServer): Promise<void> => {
    servers.delete(server.name)
    const closed = server.connection.close()
    onChange()
    await closed
  }

  const allTools = () => {
    tools ??= nameTools(list(), (name, server, tool) => {
      const known = made.get(tool)
      if (known?.definition.name === name) return known
      const fresh = createMcpTool(name, printableText(server.name, 100), tool, server.connection, {
        ...callPorts,
        asksInBypass: () => ports.asksInBypass(server.name),
      })
      made.set(tool, fresh)
      return fresh
    })
    return tools
  }

  return {
    add,
    find,
    list,
    /** A server whose configuration is gone. */
    async drop(name: string): Promise<void> {
      const server = servers.get(name)
      if (server) await remove(server)
    },
    /** Each server, also one that can't be used, with how its name stands in the names of its tools. */
    words: (): [name: string, word: string][] => [...servers.keys()].map((name) => [name, toNamePart(name)]),
    /** The server that a call of this tool goes to. */
    ownerOf: (toolName: string): SessionMcpServer | undefined => allTools().owners.get(toolName),
    /** The host reads what is sent to it: its own servers are greeted. */
    hostReady(named: readonly string[] = [], given: Readonly<Record<string, PresuppliedServerManifest>> = {}): void {
      if (hostIsReady) return
      hostIsReady = true
      manifests = given
      for (const name of named) {
        if (!servers.has(name)) add({ name, value: { type: 'sdk' }, scope: 'dynamic' }, true)
      }
      for (const server of servers.values()) if (server.connection.config?.type === 'sdk') begin(server)
      // A server that takes over a name later is asked itself.
      manifests = {}
    },
    /** Without those that only a user interface can call. */
    tools: () => allTools().list.filter(({ isForModel }) => isForModel),
    findTool(name: string, caller: McpToolCaller = 'model') {
      const found = allTools().byName.get(name)
      return found?.[caller === 'app' ? 'isForApp' : 'isForModel'] ? found.tool : undefined
    },
    statuses: (): McpServerStatus[] => list().map(serverStatus),
    prompts: () => promptCommands(list()),
    /** Connects servers that want a sign-in, if there has been one since. */
    async connectSignedIn(): Promise<void> {
      const waiting = list().filter(({ connection }) => connection.status() === 'needs-auth')
      await Promise.all(
        waiting.map(async ({ name, connection }) => {
          const { config } = connection
          if (config && 'url' in config && (await ports.isSignedIn(name, config.url))) await connection.reconnect()
        }),
      )
    },
    /** Undefined when there is no such prompt. Rejects when its server could not expand it. */
    expandPrompt: (command: string, text: string, signal: AbortSignal) =>
      expandServerPrompt(list(), command, text, callPorts, signal),
    /** Rejects with a reason for the model. */
    async readResource(name: string, uri: string, signal: AbortSignal): Promise<ResourceContents> {
      const server = servers.get(name)
      if (!server) throw new Error(`There's no MCP server named ${printableText(name, 100)}.`)
      return readResource(server.connection, uri, callPorts, signal)
    },
    set: (wanted: Readonly<Record<string, unknown>>, replaceAll = false): Promise<McpSetServersResult> =>
      replaceServers({ list, find, add, remove }, wanted, replaceAll),
    /** Resolves when nothing of any server runs. */
    async close(): Promise<void> {
      await Promise.all(list().map(({ connection }) => connection.close()))
    },
  }
}
