/** The servers of one session: which there are, how each is doing, and what all of them offer together. */
import type { Platform } from '../platform/platform.js'
import { printable } from '../platform/visible-text.js'
import type { JsonObject } from '../protocol/json.js'
import type { McpServerStatus, McpSetServersResult } from '../protocol/mcp-servers.js'
import { createBridgeTransport, type SendToHost } from './bridge-transport.js'
import { marked, nameWord, toolNameOf } from './clean-text.js'
import { type Connection, createConnection, type Manifest } from './connection.js'
import { expandPrompt, promptCommands } from './prompt-commands.js'
import { type ResourceContents, readResource } from './read-resource.js'
import { checkServer, type ServerConfig, type Variables } from './server-config.js'
import type { Limits } from './server-limits.js'
import type { ServerTool } from './server-lists.js'
import { createMcpTool, type McpTool, type ToolPorts } from './server-tool.js'
import type { McpTransport } from './server-wire.js'
import { createStdioTransport } from './stdio-transport.js'

export type ServerEntry = {
  name: string
  /** As it stands in the configuration. */
  value: unknown
  scope: string
}

export type RemoteConfig = Extract<ServerConfig, { type: 'http' | 'sse' }>

export type ServersPorts = {
  platform: Pick<Platform, 'clock' | 'processes'>
  cwd: string
  /** What children get and configurations may name: without our own keys. */
  variables: Variables
  limits: Limits
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
  ): Promise<JsonObject>
  capabilities(config: ServerConfig): JsonObject
  /** A status, or something on offer, changed. */
  onChange(): void
  onLog(server: string, params: JsonObject): void
  /** For people. */
  note(text: string): void
  tools: Omit<ToolPorts, 'callMs' | 'maxTokens'>
}

export type Server = ServerEntry & {
  connection: Connection
  /** The host may take it away again. */
  isDynamic: boolean
  /** Whether a tool of this name could be one of its tools. */
  owns(toolName: string): boolean
}

export type Servers = ReturnType<typeof createServers>

const MAX_NAME = 200

export function createServers(ports: ServersPorts) {
  const servers = new Map<string, Server>()
  const { limits } = ports
  let hostIsReady = false
  let manifests: Readonly<Record<string, Manifest>> = {}
  let tools: { list: McpTool[]; byName: Map<string, McpTool> } | undefined
  const made = new WeakMap<ServerTool, McpTool>()

  const onChange = () => {
    tools = undefined
    ports.onChange()
  }

  const open = (name: string, config: ServerConfig): McpTransport => {
    if (config.type === 'sdk') return createBridgeTransport(name, ports.sendToHost)
    if (config.type !== 'stdio') return ports.openRemote(name, config)
    const { command, args, env } = config
    return createStdioTransport({ command, args, env: { ...ports.variables, ...env }, cwd: ports.cwd }, ports.platform)
  }

  const connectionOf = ({ name, value }: ServerEntry): Connection => {
    const checked = checkServer(value, ports.variables)
    const problem = nameProblem(name, servers.keys()) ?? (checked.ok ? undefined : checked.problem)
    const config = checked.ok && problem === undefined ? checked.config : { problem: problem ?? '' }
    return createConnection(config, {
      clock: ports.platform.clock,
      open: (given) => open(name, given),
      onRequest: (method, params, signal) =>
        ports.onRequest(name, 'problem' in config ? undefined : config, method, params, signal),
      onChange,
      onLog: (params) => ports.onLog(name, params),
      onNote: (text) => ports.note(`MCP server ${printable(name, 100)}: ${text}`),
      connectTimeoutMs: limits.connectMs,
      handshake: {
        capabilities: 'problem' in config ? {} : ports.capabilities(config),
        clientInfo: ports.clientInfo,
      },
    })
  }

  /** Servers of the host are greeted once it listens. */
  const begin = ({ name, connection }: Server) => {
    if (connection.config?.type === 'sdk' && !hostIsReady) return
    if (connection.config?.type !== 'sdk') return connection.begin()
    const manifest = Object.hasOwn(manifests, name) ? manifests[name] : undefined
    // Not in the middle of what the host is being answered just now.
    connection.begin(manifest, new Promise((resolve) => ports.platform.clock.after(0, resolve)))
  }

  const add = (entry: ServerEntry, isDynamic = false): Server => {
    const prefix = `mcp__${nameWord(entry.name)}__`
    const owns = (toolName: string) => toolName.startsWith(prefix)
    const server = { ...entry, isDynamic, owns, connection: connectionOf(entry) }
    servers.set(entry.name, server)
    begin(server)
    onChange()
    return server
  }

  const remove = async (server: Server): Promise<void> => {
    servers.delete(server.name)
    const closed = server.connection.close()
    onChange()
    await closed
  }

  const allTools = () => {
    tools ??= nameTools([...servers.values()], (name, server, tool) => {
      const known = made.get(tool)
      if (known?.definition.name === name) return known
      const callPorts = { ...ports.tools, callMs: limits.callMs, maxTokens: limits.outputTokens }
      const fresh = createMcpTool(name, printable(server.name, 100), tool, server.connection, callPorts)
      made.set(tool, fresh)
      return fresh
    })
    return tools
  }

  return {
    add,
    find: (name: string) => servers.get(name),
    list: (): Server[] => [...servers.values()],
    words: (): string[] => [...servers.keys()].map(nameWord),
    /** The host reads what is sent to it: its own servers are greeted. */
    hostReady(named: readonly string[] = [], given: Readonly<Record<string, Manifest>> = {}): void {
      if (hostIsReady) return
      hostIsReady = true
      manifests = given
      for (const name of named) {
        if (!servers.has(name)) add({ name, value: { type: 'sdk' }, scope: 'dynamic' }, true)
      }
      for (const server of servers.values()) if (server.connection.config?.type === 'sdk') begin(server)
      // What takes over a name later speaks for itself.
      manifests = {}
    },
    tools: () => allTools().list,
    findTool: (name: string) => allTools().byName.get(name)?.tool,
    statuses: (): McpServerStatus[] => [...servers.values()].map(statusOf),
    prompts: () => promptCommands([...servers.values()]),
    /** Undefined when there is no such prompt. Rejects when its server could not say it. */
    expandPrompt: (command: string, text: string, signal: AbortSignal) =>
      expandPrompt([...servers.values()], command, text, { ...ports.tools, callMs: limits.callMs }, signal),
    /** Rejects with a reason for the model. */
    async readResource(name: string, uri: string, signal: AbortSignal): Promise<ResourceContents> {
      const server = servers.get(name)
      if (!server) throw new Error(`There is no MCP server ${printable(name, 100)}.`)
      const callPorts = { ...ports.tools, callMs: limits.callMs, maxTokens: limits.outputTokens }
      return readResource(server.connection, uri, callPorts, signal)
    },
    /**
     * Replaces the servers that were set this way, and those that live in the host, by these. As observed, others that the
     * host named at the start stay, unless they are named again.
     */
    async set(wanted: Readonly<Record<string, unknown>>): Promise<McpSetServersResult> {
      const isWanted = ({ name }: Server) => Object.hasOwn(wanted, name)
      const same = (server: Server) => JSON.stringify(server.value) === JSON.stringify(wanted[server.name])
      const gone = [...servers.values()].filter((server) => server.isDynamic && !isWanted(server))
      const changed = [...servers.values()].filter(
        (server) => isWanted(server) && !same(server) && server.scope === 'dynamic',
      )
      const errors: [string, string][] = []
      await Promise.all([...gone, ...changed].map(remove))
      const added: Server[] = []
      for (const [name, value] of Object.entries(wanted)) {
        const there = servers.get(name)
        if (there && same(there)) continue
        if (there) errors.push([name, `There is a server of this name already (${there.scope}).`])
        else added.push(add({ name, value, scope: 'dynamic' }, true))
      }
      // Those of the host answer only after this was answered.
      const ownProcesses = added.filter(({ connection }) => connection.config?.type !== 'sdk')
      await Promise.all(ownProcesses.map(({ connection }) => connection.settled()))
      for (const { name, connection } of ownProcesses) {
        if (connection.status() !== 'connected') errors.push([name, connection.error() ?? connection.status()])
      }
      return {
        added: added.map(({ name }) => name),
        removed: gone.map(({ name }) => name),
        errors: Object.fromEntries(errors),
      }
    },
    /** Resolves when nothing of any server runs. */
    async close(): Promise<void> {
      await Promise.all([...servers.values()].map(({ connection }) => connection.close()))
    },
  }
}

function nameProblem(name: string, others: Iterable<string>): string | undefined {
  if (name === '' || name.length > MAX_NAME) return `its name is empty or longer than ${MAX_NAME} characters`
  if (printable(name) !== name) return 'its name holds characters that can not be seen'
  const word = nameWord(name)
  for (const other of others) {
    if (other !== name && nameWord(other) === word) {
      return `its tools would have the same names as those of ${JSON.stringify(other)}: rename one of the two`
    }
  }
  return undefined
}

type MakeTool = (name: string, server: Server, tool: ServerTool) => McpTool

/**
 * Names are given in the order of servers' and tools' own names, so that the order in which servers come up has no say:
 * of two that would be called the same, always the same one gets the longer name.
 */
function nameTools(servers: readonly Server[], make: MakeTool): { list: McpTool[]; byName: Map<string, McpTool> } {
  const names = new Map<ServerTool, string>()
  const taken = new Set<string>()
  const every = servers.flatMap((server) => {
    const seen = new Set<string>()
    return server.connection.offer().tools.flatMap((tool) => {
      // The server itself could not tell the two apart.
      if (seen.has(tool.name)) return []
      seen.add(tool.name)
      return { server, tool, origin: `${server.name}\0${tool.name}` }
    })
  })
  const inOrder = [...every].sort((a, b) => (a.origin < b.origin ? -1 : 1))
  for (const { server, tool, origin } of inOrder) {
    const plain = toolNameOf(server.name, tool.name)
    const name = taken.has(plain) ? marked(plain, origin) : plain
    if (taken.has(name)) continue
    taken.add(name)
    names.set(tool, name)
  }
  const list = every.flatMap(({ server, tool }) => {
    const name = names.get(tool)
    return name === undefined ? [] : make(name, server, tool)
  })
  return { list, byName: new Map(list.map((one) => [one.definition.name, one])) }
}

function statusOf({ name, scope, connection }: Server): McpServerStatus {
  const status = connection.status()
  const error = connection.error()
  const info = connection.serverInfo()
  const auth = connection.auth()
  return {
    name,
    status,
    // As observed: not for those of the host.
    ...(status === 'connected' && info && connection.config?.type !== 'sdk' ? { serverInfo: info } : {}),
    ...(error === undefined ? {} : { error }),
    ...(auth === undefined ? {} : { auth }),
    scope,
    ...(status === 'connected'
      ? {
          tools: connection.offer().tools.map((tool) => ({
            name: tool.name,
            annotations: {
              ...(tool.annotations.readOnlyHint ? { readOnly: true } : {}),
              ...(tool.annotations.destructiveHint ? { destructive: true } : {}),
              ...(tool.annotations.openWorldHint ? { openWorld: true } : {}),
            },
          })),
        }
      : {}),
  }
}
