/** The MCP servers that the definition of an agent names or brings. Those it brings are there for it alone, as long as it works. */
import type { EngineTool, ToolDefinition } from '../../engine/ports.js'
import type { ServerEntry, SessionMcpServer } from '../../mcp/servers.js'
import { printableText } from '../../platform/visible-text.js'
import type { AgentDefinition } from '../../protocol/options.js'
import type { Conversation } from '../conversation.js'
import { readServerInstructions, type ServerInstructions } from '../mcp/server-instructions.js'
import { isToolNamed } from './sub-agent-limits.js'

export type AgentMcpServers = {
  tools(): readonly ToolDefinition[]
  find(name: string): EngineTool | undefined
  /** Also a tool of the session that would have the same name. */
  owns(toolName: string): boolean
  instructions(): readonly ServerInstructions[]
  /** Which of them can't be used, and why: for the agent. */
  readonly problems: readonly string[]
  close(): void
}

/** Waits until those that are named or brought are there, or can't be. Undefined: it brings none. */
export async function openAgentMcpServers(
  main: Conversation,
  definition: AgentDefinition,
  signal: AbortSignal,
): Promise<AgentMcpServers | undefined> {
  const {
    shared: { mcp, settings, project },
    permissions,
    emitter,
  } = main
  const { names, entries } = mcpServersOfAgent(definition)
  const isMeant = (server: SessionMcpServer) => names.includes(server.name) || isUsed(server, definition)
  await mcp.someSettled(isMeant, signal)
  const problems = names
    .filter((name) => !mcp.statuses().some((server) => server.name === name))
    .map((name) => `${printableText(name, 100)}: the session has no MCP server of this name`)
  const isOfFile = project.agents.some((agent) => agent.definition === definition)
  const refused = settings.strictMcp && isOfFile ? entries : []
  problems.push(
    ...refused.map(({ name }) => `${printableText(name, 100)}: with strictMcpConfig no file brings servers`),
  )
  const opened = entries.length > refused.length ? await mcp.openFor(entries, signal) : undefined
  for (const { name, connection } of opened?.list() ?? []) {
    const status = connection.status()
    if (status !== 'connected') problems.push(`${printableText(name, 100)}: ${connection.error() ?? status}`)
  }
  for (const problem of problems) await emitter.inform(`An agent's MCP server can't be used: ${problem}`, 'warning')
  if (!opened) return problems.length === 0 ? undefined : { ...NONE, problems }
  return {
    problems,
    tools() {
      const all = opened.tools().map(({ definition: tool }) => tool)
      const removed = permissions.removedTools(all.map(({ name }) => name))
      return all.filter(({ name }) => !removed.includes(name) && !isToolNamed(name, definition.disallowedTools))
    },
    find: opened.findTool,
    owns: (toolName) => opened.list().some((server) => server.owns(toolName)),
    instructions: () => readServerInstructions(opened.list()),
    close: () => void mcp.closeFor(opened),
  }
}

const NONE: Omit<AgentMcpServers, 'problems'> = {
  tools: () => [],
  find: () => undefined,
  owns: () => false,
  instructions: () => [],
  close() {},
}

/** One that lives in the host is the session's, whoever names it. */
export function mcpServersOfAgent({ mcpServers = [] }: Pick<AgentDefinition, 'mcpServers'>): {
  names: string[]
  entries: ServerEntry[]
} {
  const names = mcpServers.filter((one) => typeof one === 'string')
  const entries: ServerEntry[] = []
  for (const spec of mcpServers) {
    if (typeof spec === 'string') continue
    for (const [name, value] of Object.entries(spec)) {
      if (value?.type === 'sdk') names.push(name)
      else entries.push({ name, value, scope: 'dynamic' })
    }
  }
  return { names, entries }
}

/** Its tools are among those that the definition names. */
function isUsed({ owns }: SessionMcpServer, { tools = [] }: AgentDefinition): boolean {
  return tools.some((name) => owns(name) || owns(`${name.replace(/__\*$/, '')}__`))
}
