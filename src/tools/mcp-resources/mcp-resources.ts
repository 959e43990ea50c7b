/** ListMcpResourcesTool and ReadMcpResourceTool: what MCP servers offer to read. */
import { defineTool, type Tool } from '../tool.js'
import {
  type ListMcpResourcesInput,
  listMcpResourcesInputSchema,
  type ReadMcpResourceInput,
  readMcpResourceInputSchema,
} from './input.js'
import type { ListMcpResourcesOutput, ReadMcpResourceOutput } from './output.js'
import { listMcpResourcesPrompt, readMcpResourcePrompt } from './prompt.js'

export interface McpResourcePort {
  /** Names of the servers that are connected. */
  servers(): string[]
  list(server: string | undefined): ListMcpResourcesOutput
  /** Rejects with a reason for the model. */
  read(server: string, uri: string, signal: AbortSignal): Promise<ReadMcpResourceOutput>
}

export function createMcpResourceTools(port: McpResourcePort): Tool[] {
  const unknown = (server: string) => {
    const names = port.servers()
    if (names.includes(server)) return undefined
    const shown = names.length === 0 ? 'none is connected' : `there are: ${names.join(', ')}`
    return `Server "${server.slice(0, 200)}" not found; ${shown}.`
  }
  const list = defineTool<ListMcpResourcesInput>({
    name: 'ListMcpResourcesTool',
    description: listMcpResourcesPrompt,
    inputSchema: listMcpResourcesInputSchema,
    isReadOnly: () => true,
    facts: () => ({ kind: 'none' }),
    async execute({ server }) {
      const error = server === undefined ? undefined : unknown(server)
      if (error !== undefined) return { ok: false, error }
      const resources = port.list(server)
      return { ok: true, content: JSON.stringify(resources), output: resources }
    },
  })
  const read = defineTool<ReadMcpResourceInput>({
    name: 'ReadMcpResourceTool',
    description: readMcpResourcePrompt,
    inputSchema: readMcpResourceInputSchema,
    isReadOnly: () => true,
    facts: () => ({ kind: 'none' }),
    async execute({ server, uri }, { signal }) {
      const error = unknown(server)
      if (error !== undefined) return { ok: false, error }
      try {
        const resource = await port.read(server, uri, signal)
        return { ok: true, content: JSON.stringify(resource), output: resource }
      } catch (problem) {
        return { ok: false, error: problem instanceof Error ? problem.message : String(problem) }
      }
    },
  })
  return [list, read]
}
