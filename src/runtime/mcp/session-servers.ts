/** MCP servers of one session. Nothing of it is loaded before there is a server. */
import type { EngineTool, ToolDefinition } from '../../engine/ports.js'
import type { PresuppliedServerManifest } from '../../mcp/connection.js'
import type { McpToolCaller } from '../../mcp/server-tool.js'
import type { McpServers, ServerEntry, SessionMcpServer } from '../../mcp/servers.js'
import { raceWithAbort } from '../../platform/until-aborted.js'
import type { McpServerStatus } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'
import { createPendingServerTool } from './pending-server-tool.js'
import { createPromptChangeNotifier } from './prompt-change-notifier.js'
import { createServerControls } from './server-controls.js'
import { readServerInstructions } from './server-instructions.js'

export type SessionMcpPorts = {
  /** Those that the settings name, wherever they come from. */
  named: readonly ServerEntry[]
  /** All of them are waited for before the session first describes itself. */
  waits: boolean
  /** None is started before the host has spoken: it may bring further ones. */
  holds: boolean
  /** The host is asked for tokens, which it gives only while it is read: not while it waits for `initialize`. */
  asksHostForTokens: boolean
  /** Loads what speaks to servers; none is connected yet. */
  open(onChange: () => void, asksInBypass: (server: string) => boolean): Promise<McpServers>
  stderr(text: string): void
}

export type SessionMcp = ReturnType<typeof createSessionMcp>

export function createSessionMcp({ named, waits, holds, asksHostForTokens, open, stderr }: SessionMcpPorts) {
  /** Those of the settings, and those of the agent that the main thread became. */
  const entries = [...named]
  let servers: McpServers | undefined
  let loading: Promise<McpServers | undefined> | undefined
  let hostIsReady = false
  let closed = false
  let isFirst = true
  let onChange = () => {}
  const list = () => servers?.list() ?? []
  const promptChanges = createPromptChangeNotifier(() => servers?.prompts().map(nameOf) ?? [])
  const asking = createAskingServers(() => [...list(), ...entries].map(nameOf))
  const openServers = (changed: () => void) => open(changed, asking.has)
  const ofAgents = createAgentServers(openServers, () => closed)

  const load = (): Promise<McpServers | undefined> => {
    loading ??= openServers(() => onChange())
      .then((opened) => {
        if (closed) return undefined
        servers = opened
        for (const entry of entries) opened.add(entry, isOfHost(entry.value))
        return opened
      })
      .catch((error: unknown) => sayUnusable(error, stderr))
    return loading
  }
  const hostReady = (
    ofHost: readonly string[] = [],
    manifests: Readonly<Record<string, PresuppliedServerManifest>> = {},
  ) => {
    if (hostIsReady) return
    hostIsReady = true
    if (entries.length === 0 && ofHost.length === 0) return
    void load().then((opened) => opened?.hostReady(ofHost, manifests))
  }
  /** Until none of those is on its way that `isMeant`. */
  const someSettled = async (isMeant: (server: SessionMcpServer) => boolean, signal: AbortSignal) => {
    await loading
    const awaited = list().filter((server) => isPending(server) && isMeant(server))
    await settled(awaited, signal)
  }

  return {
    ...createServerControls({
      servers: () => servers,
      loading: () => loading,
      load,
      hostIsReady: () => hostIsReady,
      answered: promptChanges.answered,
    }),
    /** Begins to connect to what the settings name; nobody waits for it. */
    start(changed: () => void): void {
      onChange = changed
      if (entries.length > 0 && !holds) void load()
    },
    /** Servers that the host names in `initialize`. False: it is too late for them. */
    supply(given: Readonly<Record<string, unknown>>): boolean {
      if (!holds || hostIsReady) return false
      putFirst(entries, given)
      return true
    },
    /** The host listens. Servers of its own are greeted once it has its answer to `initialize`. */
    hostReady,
    /**
     * Before a turn is announced. The first waits for all, so that what the model is offered stays the same; each has the time
     * that MCP_TIMEOUT gives it. Later ones wait for those of the host, and those that are to be there from the start.
     */
    async ready(signal: AbortSignal): Promise<void> {
      hostReady()
      for (const { connection } of list()) connection.refreshStale()
      const all = waits && isFirst
      const signedIn = servers?.connectSignedIn()
      if (waits) await raceWithAbort(signal, () => undefined, signedIn ?? Promise.resolve())
      isFirst = false
      await someSettled((server) => all || isNeededAtOnce(server), signal)
    },
    /** Before the host is told what there is: those that need nothing of it. */
    async described(signal: AbortSignal): Promise<void> {
      if (waits) await someSettled((server) => !needsHost(server, asksHostForTokens), signal)
      promptChanges.begin()
    },
    /** Tells of prompts that came or went since the host was last told of all. */
    tellPrompts: promptChanges.tell,
    someSettled,
    /** Until no server is on its way any more. */
    allSettled: (signal: AbortSignal) => someSettled(() => true, signal),
    /** Further ones, of the agent that the main thread is; of the same name, the session's count. */
    add(further: readonly ServerEntry[]): void {
      const fresh = further.filter(({ name }) => !entries.some((entry) => entry.name === name))
      if (fresh.length === 0) return
      entries.push(...fresh)
      if (holds && !hostIsReady) return
      void load().then((opened) => {
        for (const entry of fresh) if (opened && !opened.find(entry.name)) opened.add(entry)
      })
    },
    ...configuredServers(entries, async () => (await loading) ?? servers),
    setAsking: asking.set,
    openFor: ofAgents.open,
    closeFor: ofAgents.close,
    servers: () => servers,
    prompts: () => servers?.prompts() ?? [],
    /** Undefined when there is no such prompt. Waits for a server that is on its way. */
    async expandPrompt(name: string, text: string, signal: AbortSignal) {
      await someSettled((server) => server.owns(name), signal)
      return servers?.expandPrompt(name, text, signal)
    },
    ...serverNames(list, () => [...(servers ? [servers] : []), ...ofAgents.all()]),
    ...serverOffers(() => servers, list),
    ...serverStates(() => servers, list, entries),
    /** Resolves when nothing of any server runs. */
    async close(): Promise<void> {
      closed = true
      promptChanges.end()
      await loading
      await Promise.all([servers, ...ofAgents.all()].map((all) => all?.close()))
    },
  }
}

/** What is configured, wherever that is, and how it is taken back. */
function configuredServers(entries: ServerEntry[], opened: () => Promise<McpServers | undefined>) {
  return {
    entries: (): readonly ServerEntry[] => entries,
    /** Those whose configuration is gone. */
    async drop(names: readonly string[]): Promise<void> {
      const kept = entries.filter(({ name }) => !names.includes(name))
      entries.splice(0, entries.length, ...kept)
      const servers = await opened()
      await Promise.all(names.map((name) => servers?.drop(name)))
    },
  }
}

/** Servers whose calls are asked for even where the mode allows everything: by name, also before they are there. */
function createAskingServers(known: () => readonly string[]) {
  const names = new Set<string>()
  return {
    has: (name: string): boolean => names.has(name),
    /** Returns a warning where no server has that name: it counts once there is one. */
    set(name: string, isAsking: boolean): string | undefined {
      if (isAsking) names.add(name)
      else names.delete(name)
      return known().includes(name) ? undefined : `There's no MCP server named ${name}.`
    },
  }
}

function isNeededAtOnce({ connection: { config } }: SessionMcpServer): boolean {
  return config?.type === 'sdk' || config?.alwaysLoad === true
}

function needsHost({ connection: { config } }: SessionMcpServer, asksHostForTokens: boolean): boolean {
  return config?.type === 'sdk' || (asksHostForTokens && config !== undefined && 'url' in config)
}

/** The servers that a host names in `initialize` outdo others of their name. */
function putFirst(entries: ServerEntry[], given: Readonly<Record<string, unknown>>): void {
  const others = entries.filter(({ name }) => !Object.hasOwn(given, name))
  const fresh = Object.entries(given).map(([name, value]) => ({ name, value, scope: 'dynamic' }))
  entries.splice(0, entries.length, ...fresh, ...others)
}

function sayUnusable(error: unknown, stderr: (text: string) => void): undefined {
  stderr(`Error: MCP servers can't be used: ${messageOf(error)}\n`)
}

/** How all servers are doing; before they are loaded, each is on its way. */
function serverStates(
  servers: () => McpServers | undefined,
  list: () => readonly SessionMcpServer[],
  entries: readonly ServerEntry[],
) {
  return {
    /** Servers that have to be there and are not, each with the reason. */
    missing: (): string[] => list().flatMap((server) => whyMissing(server, servers())),
    pending: (): string[] => (servers() ? list().filter(isPending).map(nameOf) : entries.map(nameOf)),
    statuses: (): McpServerStatus[] =>
      servers()?.statuses() ?? entries.map(({ name, scope }) => ({ name, status: 'pending', scope })),
  }
}

/** What all servers offer together. */
function serverOffers(servers: () => McpServers | undefined, list: () => readonly SessionMcpServer[]) {
  return {
    /** What servers say about how to use them. */
    instructions: () => readServerInstructions(list()),
    hasResources: () => list().some(({ connection }) => connection.hasResources()),
    /** The tool of that name; of a server that is on its way, one that waits for it. */
    find(name: string, caller?: McpToolCaller): EngineTool | undefined {
      const found = servers()?.findTool(name, caller)
      if (found || !name.startsWith('mcp__')) return found
      const awaited = list().find((server) => isPending(server) && server.owns(name))
      return awaited && createPendingServerTool(name, awaited, () => servers()?.findTool(name))
    },
    definitions: (): readonly { definition: ToolDefinition; alwaysLoad: boolean }[] => servers()?.tools() ?? [],
  }
}

/** Which tool names belong to which servers. */
function serverNames(list: () => readonly SessionMcpServer[], all: () => readonly McpServers[]) {
  return {
    /** How the names of all servers stand in tool names: once for each server, so two can be the same. */
    words: (): string[] => [...new Map(all().flatMap((some) => some.words())).values()],
    /** Names of the session's servers that a tool of this name could belong to. */
    ownersOf: (toolName: string): string[] =>
      list()
        .filter((server) => server.owns(toolName))
        .map(nameOf),
  }
}

/** Servers that agents bring: there for one agent alone, as long as it works. Not those of the host, which are everybody's. */
function createAgentServers(openServers: (onChange: () => void) => Promise<McpServers>, isClosed: () => boolean) {
  const running = new Set<McpServers>()
  return {
    all: () => running,
    /** All of them have settled. */
    async open(entries: readonly ServerEntry[], signal: AbortSignal): Promise<McpServers> {
      const opened = await openServers(() => {})
      running.add(opened)
      for (const entry of entries) opened.add(entry)
      // Its caller may be gone, and the session over, before it knows them.
      if (isClosed()) await opened.close()
      await settled(opened.list(), signal)
      return opened
    },
    async close(opened: McpServers): Promise<void> {
      await opened.close()
      running.delete(opened)
    },
  }
}

function whyMissing({ name, connection }: SessionMcpServer, servers: McpServers | undefined): string[] {
  if (!connection.config?.required || connection.status() === 'connected') return []
  const { error } = servers?.statuses().find((one) => one.name === name) ?? {}
  return [`The MCP server ${name} is required and ${connection.status()}${error ? `: ${error}` : '.'}`]
}

const isOfHost = (value: unknown) =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'sdk'
const isPending = ({ connection }: SessionMcpServer) => connection.status() === 'pending'
const nameOf = ({ name }: { name: string }) => name

async function settled(servers: readonly SessionMcpServer[], signal: AbortSignal): Promise<void> {
  if (servers.length === 0 || signal.aborted) return
  const all = Promise.all(servers.map(({ connection }) => connection.settled()))
  await raceWithAbort(signal, () => undefined, all)
}
