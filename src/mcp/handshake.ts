/** The first words with a server: which version of the protocol, who it is, what it can do, and the lists of that. */

import { isObject, type JsonObject } from '../protocol/json.js'
import { cleanInstructions, cleanServerLine } from './clean-text.js'
import { type GreetingOptions, greetServer, readInitializeAnswer } from './greet-server.js'
import type { Rpc } from './rpc.js'
import {
  type ListedEntries,
  type ListedTool,
  listPrompts,
  listResources,
  listTemplates,
  listTools,
  type ServerPrompt,
  type ServerResource,
} from './server-lists.js'

/** What a host said beforehand about one of its own servers, so that nobody has to ask. */
export type PresuppliedServerManifest = { initializeResult?: object; toolsListResult?: object }

/** What an MCP server offers. */
export type ServerToolsAndResources = {
  tools: ListedTool[]
  prompts: ServerPrompt[]
  resources: ServerResource[]
  templates: ServerResource[]
}

export type ServerFacts = {
  serverInfo: { name: string; version: string }
  /** How the server wants to be used, in its own words; empty if it says nothing. */
  instructions: string
  hasResources: boolean
  /** Lists anew what the server says has changed. */
  list(
    kind: 'tools' | 'prompts' | 'resources',
    rpc: Rpc | undefined,
  ): Promise<ListedEntries<Partial<ServerToolsAndResources>>> | undefined
}

export { PROTOCOL_VERSION } from './greet-server.js'

export type HandshakeOptions = GreetingOptions & {
  manifest: PresuppliedServerManifest | undefined
}

export type McpServerHandshake = {
  facts: ServerFacts
  offer: ServerToolsAndResources
  notes: string[]
}

/** Initializes an MCP server and lists what it offers. Rejects when the server can't be used. */
export async function initializeMcpServer(rpc: Rpc, options: HandshakeOptions): Promise<McpServerHandshake> {
  const { timeoutMs, manifest } = options
  await rpc.start()
  const told = manifest?.initializeResult
  const greeting = told ? readInitializeAnswer({ ...told }) : await greetServer(rpc, options)
  if (told) rpc.agreed(greeting.version)
  const can = greeting.capabilities
  const info = greeting.serverInfo
  const ask = (through: Rpc, method: string) => (params: JsonObject | undefined) =>
    through.request(method, params, { timeoutMs })

  const list = async (
    kind: 'tools' | 'prompts' | 'resources',
    through: Rpc,
  ): Promise<ListedEntries<Partial<ServerToolsAndResources>>> => {
    if (kind === 'tools') {
      const { entries, notes } = await listTools(ask(through, 'tools/list'))
      return { entries: [{ tools: entries }], notes }
    }
    if (kind === 'prompts') {
      const { entries, notes } = await listPrompts(ask(through, 'prompts/list'))
      return { entries: [{ prompts: entries }], notes }
    }
    const [resources, templates] = await Promise.all([
      listResources(ask(through, 'resources/list')),
      // Many servers have none and say so with an error.
      listTemplates(ask(through, 'resources/templates/list')).catch(() => ({ entries: [], notes: [] })),
    ])
    return {
      entries: [{ resources: resources.entries, templates: templates.entries }],
      notes: [...resources.notes, ...templates.notes],
    }
  }

  const offer: ServerToolsAndResources = { tools: [], prompts: [], resources: [], templates: [] }
  const notes: string[] = []
  const listed = manifest?.toolsListResult
  const tools = listed ? listTools(async () => ({ ...listed })) : undefined
  const first = await Promise.all([
    tools
      ? tools.then(({ entries, notes: said }) => ({ entries: [{ tools: entries }], notes: said }))
      : isObject(can['tools'])
        ? list('tools', rpc)
        : undefined,
    // A server whose prompts or resources can't be listed still has its tools.
    ...(['prompts', 'resources'] as const).map((kind) =>
      isObject(can[kind])
        ? list(kind, rpc).catch((error: unknown) => ({ entries: [], notes: [`its ${kind} can't be listed: ${error}`] }))
        : undefined,
    ),
  ])
  for (const part of first) {
    for (const entry of part?.entries ?? []) Object.assign(offer, entry)
    notes.push(...(part?.notes ?? []))
  }
  return {
    facts: {
      serverInfo: { name: cleanServerLine(info['name']), version: cleanServerLine(info['version']) },
      instructions: cleanInstructions(greeting.instructions),
      hasResources: isObject(can['resources']),
      list: (kind, through) => (through ? list(kind, through) : undefined),
    },
    offer,
    notes,
  }
}
