/** `kedge/server`: the server as a part of your own program, or on a port of its own. */
import { buildServer, type KedgeServer, type ServerOptions } from './build-server.js'

export type { KedgeServer, ServerOptions } from './build-server.js'

/** Makes a server for agents over HTTP; `listen()` starts it. */
export function createServer(options: ServerOptions = {}): KedgeServer {
  return buildServer(options)
}
