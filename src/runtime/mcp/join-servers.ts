/** MCP as the composition root takes it: the servers, the tools that go with them, and who answers permission questions. */
import type { EngineTool } from '../../engine/ports.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import type { PermissionSettings, ToolSettings } from '../../protocol/option-table/start-settings.js'
import type { ToolSearchPort } from '../../tools/tool-search/tool-search.js'
import type { Found } from '../configuration.js'
import type { MainThread } from '../conversation.js'
import type { AskPorts } from '../permission/ask-host.js'
import { connectServers, type McpHost } from './connect-servers.js'
import { askThroughTool } from './permission-prompt-tool.js'
import { mcpResourceTools } from './session-resources.js'
import { createSessionMcp } from './session-servers.js'

export type McpSessionHost = McpHost & { stderr(text: string): void; askHost: AskPorts['askHost'] }

/** `main` is there once the session is put together. */
export function joinMcp(
  main: () => MainThread,
  {
    promptTool,
    servers,
    mcpWait,
  }: Pick<PermissionSettings, 'promptTool'> & Pick<Found, 'servers'> & Pick<ToolSettings, 'mcpWait'>,
  permissions: Permissions,
  host: McpSessionHost,
) {
  const mcp = createSessionMcp({
    named: servers,
    waits: mcpWait,
    open: (onChange) => connectServers(main(), host, host.stderr, onChange),
    stderr: host.stderr,
  })
  const search: ToolSearchPort = {
    ready: (signal) => mcp.allSettled(signal),
    deferred: () => main().offer.searchable(),
    activate: (names) => main().offer.activate(names),
  }
  return {
    mcp,
    /** Bound like any other, offered only where a server has resources. */
    resourceTools: mcpResourceTools(mcp, permissions),
    search,
    askHost: promptTool === undefined ? host.askHost : askThroughTool(mcp, promptTool),
    find: (name: string): EngineTool | undefined =>
      name.startsWith('mcp__') && main().offer.isAllowed(name) ? mcp.find(name) : undefined,
    start: () => mcp.start(() => main().offer.update()),
  }
}
