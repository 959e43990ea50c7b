/** MCP as the composition root takes it: the servers, the tools that go with them, and who answers permission questions. */
import type { EngineTool, ToolDefinition } from '../../engine/ports.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import type { ToolSearchPort } from '../../tools/tool-search/tool-search.js'
import type { AskPorts } from '../permission/ask-host.js'
import type { SessionParts } from '../session-parts.js'
import type { SessionSettings } from '../settings.js'
import { askThroughTool } from './permission-prompt-tool.js'
import { mcpResourceTools } from './session-resources.js'
import { createSessionMcp, type McpHost } from './session-servers.js'
import { createMcpOffer } from './tool-offer.js'

export type McpSessionHost = McpHost & { stderr(text: string): void; askHost: AskPorts['askHost'] }

export function joinMcp(
  parts: () => SessionParts,
  { promptTool }: SessionSettings,
  permissions: Permissions,
  host: McpSessionHost,
) {
  const mcp = createSessionMcp(parts, host, host.stderr)
  const tools = mcpResourceTools(mcp, permissions)
  const isResourceTool = (name: string) => tools.some((tool) => tool.name === name)
  const search: ToolSearchPort = {
    ready: (signal) => mcp.allSettled(signal),
    deferred: () => parts().mcpOffer.searchable(),
    activate: (names) => parts().mcpOffer.activate(names),
  }
  return {
    mcp,
    /** Bound like any other, offered only where a server has resources. */
    tools,
    search,
    askHost: promptTool === undefined ? host.askHost : askThroughTool(mcp, promptTool),
    /** The definitions every session begins with, and what brings those of servers in. */
    offer(definitions: readonly ToolDefinition[]) {
      const later = definitions.filter(({ name }) => isResourceTool(name))
      return {
        mcp,
        mcpOffer: createMcpOffer(parts, later),
        offered: definitions.filter((definition) => !later.includes(definition)),
      }
    },
    find: (name: string): EngineTool | undefined =>
      name.startsWith('mcp__') && parts().mcpOffer.isAllowed(name) ? mcp.find(name) : undefined,
    start: () => mcp.start(() => parts().mcpOffer.update()),
  }
}
