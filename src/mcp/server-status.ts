/** How a server is doing, in the words a host gets. */
import type { McpServerStatus } from '../protocol/mcp-servers.js'
import type { SessionMcpServer } from './configured-server.js'

export function serverStatus({ name, scope, connection }: SessionMcpServer): McpServerStatus {
  const status = connection.status()
  const error = connection.error()
  const info = connection.serverInfo()
  const auth = connection.auth()
  return {
    name,
    status,
    // As observed: not for those of the host.
    ...(status === 'connected' && info && connection.config?.type !== 'sdk' ? { serverInfo: info } : {}),
    ...(error === undefined ? {} : { error }),
    ...(auth === undefined ? {} : { auth }),
    scope,
    ...(status === 'connected'
      ? {
          tools: connection.offer().tools.map((tool) => ({
            name: tool.name,
            annotations: {
              ...(tool.annotations.readOnlyHint ? { readOnly: true } : {}),
              ...(tool.annotations.destructiveHint ? { destructive: true } : {}),
              ...(tool.annotations.openWorldHint ? { openWorld: true } : {}),
            },
            ...(tool.ui.uri === undefined ? {} : { ui: tool.ui.uri }),
          })),
        }
      : {}),
  }
}
