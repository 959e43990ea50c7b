/** ToolSearch: finds tools that are not offered yet, and has them offered. */
import type { ToolDefinition } from '../../engine/ports.js'
import type { ToolResultContent } from '../../protocol/content.js'
import { cutMiddle } from '../bound-output.js'
import type { InputSchema } from '../input-schema.js'
import { defineTool, type Tool } from '../tool.js'
import { searchTools, type ToolMatches } from './rank-tools.js'

export interface ToolSearchInput {
  /** Words to look for, or `select:` with names of tools. */
  query: string
  /** How many tools to find at most. */
  max_results: number
}

export const toolSearchInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    query: {
      description: 'Words to look for, "+word" for one that must be there, or "select:A,B" to take tools by name.',
      type: 'string',
    },
    max_results: { description: 'How many tools to find at most; 5 by default.', default: 5, type: 'number' },
  },
  required: ['query'],
  additionalProperties: false,
} satisfies InputSchema<Pick<ToolSearchInput, 'query'> & Partial<ToolSearchInput>>

/** What ToolSearch gives back to hosts. */
export interface ToolSearchOutput {
  /** Names of the tools that were found, the best match first. */
  matches: string[]
  query: string
  total_deferred_tools: number
}

const toolSearchPrompt = `Finds tools that are not offered yet. Those it finds can be called from the next step on, and not before.

- "select:A,B" takes tools by name.
- Words find tools by name and description: "slack message".
- "+slack send" finds only tools that mention slack, the best match for send first.`

export interface ToolSearchPort {
  /** Resolves when no tools are still on their way. */
  ready?(signal: AbortSignal): Promise<void>
  /** Definitions that requests leave out until they are asked for; those asked for before stay listed. */
  deferred(): readonly ToolDefinition[]
  /** From the next request on these are offered. */
  activate(names: readonly string[]): void
  /** The result refers to the tools, and the API inserts their definitions. */
  takesReferences?(): boolean
}

const MAX_NAMES = 50

export function createToolSearchTool(port: ToolSearchPort): Tool<ToolSearchInput> {
  return defineTool<ToolSearchInput>({
    name: 'ToolSearch',
    description: toolSearchPrompt,
    inputSchema: toolSearchInputSchema,
    isReadOnly: () => true,
    facts: () => ({ kind: 'none' }),
    async execute({ query, max_results }, { signal }) {
      await port.ready?.(signal)
      const tools = port.deferred()
      const matches = searchTools(tools, query, Math.max(1, Math.floor(max_results)))
      const names = matches.found.map(({ name }) => name)
      if (names.length > 0) port.activate(names)
      const output: ToolSearchOutput = { matches: names, query, total_deferred_tools: tools.length }
      const content = names.length > 0 && port.takesReferences?.() ? referencesTo(matches) : describe(matches, tools)
      return { ok: true, content, output }
    },
  })
}

function referencesTo({ found, missing }: ToolMatches): ToolResultContent[] {
  const references = found.map(({ name }) => ({ type: 'tool_reference' as const, tool_name: name }))
  const absent = missing.length === 0 ? [] : [{ type: 'text' as const, text: `Not found: ${shortList(missing)}.` }]
  return [...references, ...absent]
}

function describe({ found, missing }: ToolMatches, tools: readonly ToolDefinition[]): string {
  if (tools.length === 0) return 'There are no tools to search for: every tool of this session is offered already.'
  const absent = missing.length === 0 ? '' : `Not found: ${shortList(missing)}. `
  if (found.length === 0) {
    return `No tool matches. ${absent}Try other words, or select: one of these: ${shortList(tools.map(({ name }) => name))}.`
  }
  // Descriptions are omitted here, because the next request contains the definitions.
  const names = shortList(found.map(({ name }) => name))
  return `You can call these tools from your next message on: ${names}. ${absent}`.trim()
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => cutMiddle(name, 200))
  return [...shown, ...(names.length > shown.length ? [`${names.length - shown.length} more`] : [])].join(', ')
}
