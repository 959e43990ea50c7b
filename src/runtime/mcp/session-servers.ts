/** MCP servers of one session. Nothing of it is loaded before there is a server. */
import type { EngineTool, ToolDefinition } from '../../engine/ports.js'
import type { Manifest } from '../../mcp/connection.js'
import type { Server, ServerEntry, Servers } from '../../mcp/servers.js'
import type { JsonObject } from '../../protocol/json.js'
import type { JSONRPCMessage, McpServerStatus, McpSetServersResult } from '../../protocol/mcp-servers.js'

export type SessionMcpPorts = {
  /** Those that the settings name, wherever they come from. */
  named: readonly ServerEntry[]
  /** Loads what speaks to servers; none is connected yet. */
  open(onChange: () => void): Promise<Servers>
  stderr(text: string): void
}

export type SessionMcp = ReturnType<typeof createSessionMcp>

export type McpProblem = { problem: string; code: 'server_not_found' | 'mcp_failed' }

export function createSessionMcp({ named, open, stderr }: SessionMcpPorts) {
  /** Those of the settings, and those of the agent that the main thread became. */
  const entries = [...named]
  let servers: Servers | undefined
  let loading: Promise<Servers | undefined> | undefined
  let hostIsReady = false
  let closed = false
  /** Those that agents bring, as long as they work. */
  const ofAgents = new Set<Servers>()
  let onChange = () => {}

  const load = (): Promise<Servers | undefined> => {
    if (loading) return loading
    loading = open(() => onChange()).then((opened) => {
      if (closed) return undefined
      servers = opened
      for (const entry of entries) opened.add(entry, isOfHost(entry.value))
      return opened
    })
    loading = loading.catch((error: unknown) => {
      stderr(`Error: MCP servers can't be used: ${error instanceof Error ? error.message : String(error)}\n`)
      return undefined
    })
    return loading
  }

  const find = (name: string): Server | McpProblem =>
    servers?.find(name) ?? { problem: `Server not found: ${name}`, code: 'server_not_found' }

  const failure = ({ name, connection }: Server): McpProblem | undefined => {
    if (connection.status() === 'connected') return undefined
    return { problem: `${name}: ${connection.error() ?? connection.status()}`, code: 'mcp_failed' }
  }

  const hostReady = (ofHost: readonly string[] = [], manifests: Readonly<Record<string, Manifest>> = {}) => {
    if (hostIsReady) return
    hostIsReady = true
    if (entries.length === 0 && ofHost.length === 0) return
    void load().then((opened) => opened?.hostReady(ofHost, manifests))
  }

  return {
    /** Begins to connect to what the settings name; nobody waits for it. */
    start(changed: () => void): void {
      onChange = changed
      if (entries.length > 0) void load()
    },
    /** The host listens. Servers of its own are greeted once it has its answer to `initialize`. */
    hostReady,
    /** Before a turn is announced: those of the host, and those that are to be there from the start. */
    async ready(signal: AbortSignal): Promise<void> {
      hostReady()
      await loading
      const awaited = (servers?.list() ?? []).filter(
        ({ connection }) =>
          connection.status() === 'pending' && (connection.config?.type === 'sdk' || connection.config?.alwaysLoad),
      )
      await settled(awaited, signal)
    },
    /** Servers that have to be there and are not, each with the reason. */
    missing: (): string[] =>
      (servers?.list() ?? []).flatMap(({ name, connection }) => {
        if (!connection.config?.required || connection.status() === 'connected') return []
        const { error } = servers?.statuses().find((one) => one.name === name) ?? {}
        return `The MCP server ${name} is required and ${connection.status()}${error ? `: ${error}` : '.'}`
      }),
    /** Until no server is on its way any more. */
    async allSettled(signal: AbortSignal): Promise<void> {
      await loading
      await settled((servers?.list() ?? []).filter(isPending), signal)
    },
    /** Until none of those is on its way that `isMeant`. */
    async someSettled(isMeant: (server: Server) => boolean, signal: AbortSignal): Promise<void> {
      await loading
      await settled(
        (servers?.list() ?? []).filter((server) => isPending(server) && isMeant(server)),
        signal,
      )
    },
    /** Further ones, of the agent that the main thread is; of the same name, the session's count. */
    add(further: readonly ServerEntry[]): void {
      const fresh = further.filter(({ name }) => !entries.some((entry) => entry.name === name))
      if (fresh.length === 0) return
      entries.push(...fresh)
      void load().then((opened) => {
        for (const entry of fresh) if (opened && !opened.find(entry.name)) opened.add(entry)
      })
    },
    /** Servers for one agent alone, all of which have settled. Not those of the host, which are everybody's. */
    async openFor(own: readonly ServerEntry[], signal: AbortSignal): Promise<Servers> {
      const opened = await open(() => {})
      ofAgents.add(opened)
      for (const entry of own) opened.add(entry)
      // Its caller may be gone, and the session over, before it knows them.
      if (closed) await opened.close()
      await settled(opened.list(), signal)
      return opened
    },
    async closeFor(opened: Servers): Promise<void> {
      await opened.close()
      ofAgents.delete(opened)
    },
    servers: () => servers,
    prompts: () => servers?.prompts() ?? [],
    /** Undefined when there is no such prompt. Waits for a server that is on its way. */
    async expandPrompt(name: string, text: string, signal: AbortSignal) {
      await loading
      await settled(
        (servers?.list() ?? []).filter((server) => isPending(server) && server.owns(name)),
        signal,
      )
      return servers?.expandPrompt(name, text, signal)
    },
    /** How the names of its servers stand in the names of their tools. */
    words: (): string[] => [servers, ...ofAgents].flatMap((all) => all?.words() ?? []),
    hasResources: () => servers?.list().some(({ connection }) => connection.hasResources()) ?? false,
    pending: (): string[] => (servers ? servers.list().filter(isPending).map(nameOf) : entries.map(nameOf)),
    statuses: (): McpServerStatus[] =>
      servers?.statuses() ?? entries.map(({ name, scope }) => ({ name, status: 'pending', scope })),
    /** The tool of that name; of a server that is on its way, one that waits for it. */
    find(name: string): EngineTool | undefined {
      const found = servers?.findTool(name)
      if (found || !name.startsWith('mcp__')) return found
      const awaited = (servers?.list() ?? []).find((server) => isPending(server) && server.owns(name))
      return awaited && waitingTool(name, awaited, () => servers?.findTool(name))
    },
    definitions: (): readonly { definition: ToolDefinition; alwaysLoad: boolean }[] => servers?.tools() ?? [],
    /** A message that a server in the host sent by itself; what it asks is answered. */
    receive(name: string, message: JSONRPCMessage): McpProblem | undefined {
      const server = find(name)
      if ('problem' in server) return server
      server.connection.receive(message)
      return undefined
    },
    async reconnect(name: string): Promise<McpProblem | undefined> {
      await loading
      const server = find(name)
      if ('problem' in server) return server
      await server.connection.reconnect()
      return failure(server)
    },
    async toggle(name: string, enabled: boolean): Promise<McpProblem | undefined> {
      await loading
      const server = find(name)
      if ('problem' in server) return server
      const isOn = server.connection.status() !== 'disabled'
      if (isOn === enabled) return undefined
      if (!enabled) return void (await server.connection.disable())
      await server.connection.reconnect()
      return failure(server)
    },
    async set(wanted: Readonly<Record<string, unknown>>): Promise<McpSetServersResult> {
      if (!loading && Object.keys(wanted).length === 0) return { added: [], removed: [], errors: {} }
      const opened = await load()
      if (!opened) return { added: [], removed: [], errors: {} }
      if (hostIsReady) opened.hostReady()
      return opened.set(wanted)
    },
    /** Resolves when nothing of any server runs. */
    async close(): Promise<void> {
      closed = true
      await loading
      await Promise.all([servers, ...ofAgents].map((all) => all?.close()))
    },
  }
}

const isOfHost = (value: unknown) =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'sdk'
const isPending = ({ connection }: Server) => connection.status() === 'pending'
const nameOf = ({ name }: { name: string }) => name

async function settled(servers: readonly Server[], signal: AbortSignal): Promise<void> {
  if (servers.length === 0 || signal.aborted) return
  const all = Promise.all(servers.map(({ connection }) => connection.settled()))
  await new Promise<void>((resolve) => {
    const done = () => {
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
    void all.then(done)
  })
}

/** Stands in for a tool of a server that is still starting: whoever calls it waits. */
function waitingTool(name: string, { connection }: Server, real: () => EngineTool | undefined): EngineTool {
  return {
    name,
    isReadOnly: () => false,
    // The loop hands over objects only.
    parse: (input) => ({ ok: true, input: input as JsonObject }),
    async check() {
      await connection.settled()
      if (real()) return undefined
      const why = connection.error()
      return `Error: No such tool available: ${name}${why === undefined ? '' : ` (its server: ${why})`}`
    },
    facts: (input) => real()?.facts(input) ?? { kind: 'other' },
    moreFacts: async (call, signal) => real()?.moreFacts(call, signal),
    async execute(call, signal, progress) {
      const tool = real()
      return tool ? tool.execute(call, signal, progress) : { ok: false, error: `${name} is gone.` }
    },
  }
}

export type { ServerEntry }
