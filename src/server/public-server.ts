/** `kedge/server`: the server as a part of your program, or on its own port. */
import { buildServer, type KedgeServer, type ServerOptions } from './build-server.js'

export type { KedgeServer, ServerOptions } from './build-server.js'
export {
  createMcpHttpServer,
  type McpCaller,
  type McpHttpServer,
  type McpHttpServerOptions,
  type McpServerSource,
} from './mcp/public-mcp-server.js'

/** Makes a server for agents over HTTP; `listen()` starts it. */
export function createServer(options: ServerOptions = {}): KedgeServer {
  return buildServer(options)
}
