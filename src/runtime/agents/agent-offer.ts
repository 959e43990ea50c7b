/** The tools an agent is offered: what its parent has at the time of a request, narrowed, and those of servers it brings. */
import type { ToolDefinition } from '../../engine/ports.js'
import { dropMissingToolLines } from '../../tools/drop-missing-tool-lines.js'
import type { Conversation, ToolOffer } from '../conversation.js'
import { instructionLines } from '../mcp/server-instructions.js'
import { toolsInRequest } from '../tools/main-offer.js'
import type { AgentSpec } from './agent-spec.js'
import { toolsForAgent } from './sub-agent-limits.js'

type Facts = Pick<AgentSpec, 'definition' | 'alsoTools' | 'own'>

export interface SubAgentToolOffer extends ToolOffer {
  /** Also one of a server that is on its way: who calls it waits. */
  has(name: string): boolean
}

/** Creates the tool offer of a sub-agent. */
export function createSubAgentToolOffer(
  parent: Conversation,
  { definition, alsoTools, own }: Facts,
): SubAgentToolOffer {
  let known: readonly ToolDefinition[] = []
  const tools = (): readonly ToolDefinition[] => {
    // Agents do not search: what is left for a search is theirs at once.
    const all = [...new Set([...parent.offer.offered, ...parent.offer.deferred])]
    const narrowed = toolsForAgent(definition, all, alsoTools).filter(({ name }) => !own?.owns(name))
    const now = new Map([...narrowed, ...(own?.tools() ?? [])].map((tool) => [tool.name, tool]))
    // What comes later stands last, so that requests begin as they did before.
    const before = known.flatMap(({ name }) => now.get(name) ?? [])
    known = [...new Set([...before, ...now.values()])]
    return known
  }
  let last: { names: string; tools: readonly ToolDefinition[] } | undefined
  /** A sub-agent can have fewer tools than its parent's descriptions mention. */
  const described = (offered: readonly ToolDefinition[]): readonly ToolDefinition[] => {
    const names = offered.map(({ name }) => name).join()
    if (last?.names !== names) last = { names, tools: dropMissingToolLines(offered) }
    return last.tools
  }
  return {
    get offered() {
      return tools()
    },
    deferred: [],
    hasMore: parent.offer.hasMore,
    definitions: () => toolsInRequest(described(tools()), parent.offer.hasMore()),
    reminders: parent.offer.reminders,
    has: (name: string) =>
      tools().some((tool) => tool.name === name) ||
      (name.startsWith('mcp__') && !own?.owns(name) && toolsForAgent(definition, [nameless(name)]).length > 0),
  }
}

function nameless(name: string): ToolDefinition {
  return { name, description: '', input_schema: {} }
}

/** Returns what a sub-agent reads about servers: how to use those whose tools it has, and which are starting or unusable. */
export function describeServersToSubAgent(
  { shared: { mcp } }: Conversation,
  { definition, own }: Facts,
  tools: readonly string[],
): string[] {
  const starting = definition.tools && !definition.tools.includes('*') ? [] : mcp.pending()
  const usable = mcp.instructions().filter(({ owns }) => tools.some((name) => owns(name) && !own?.owns(name)))
  const instructions = instructionLines([...usable, ...(own?.instructions() ?? [])])
  return [
    ...(starting.length === 0
      ? []
      : [`MCP servers that are still starting: ${starting.join(', ')}. Their tools are there a little later.`]),
    ...(own?.problems ?? []).map((problem) => `An MCP server of yours can't be used: ${problem}`),
    ...(instructions.length === 0 ? [] : [instructions.join('\n')]),
  ]
}
