/** Stands in for a tool of an MCP server that is still starting: whoever calls it waits. */
import type { EngineTool } from '../../engine/ports.js'
import type { SessionMcpServer } from '../../mcp/servers.js'
import type { JsonObject } from '../../protocol/json.js'

export function createPendingServerTool(
  name: string,
  { connection }: SessionMcpServer,
  real: () => EngineTool | undefined,
): EngineTool {
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
    async execute(call, ...rest) {
      const tool = real()
      return tool ? tool.execute(call, ...rest) : { ok: false, error: `${name} is gone.` }
    },
  }
}
