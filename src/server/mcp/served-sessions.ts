/** The path `/mcp` of the server: its sessions as an MCP server, for callers with a token. The library loads with the first. */
import type { Caller } from '../access/access-tokens.js'
import type { ServerContext } from '../server-context.js'
import type { McpEndpoint } from './mcp-endpoint.js'

type SessionCaller = { id: string; caller: Caller }

export class ServedMcpSessions {
  readonly #server: ServerContext
  #endpoint: Promise<McpEndpoint<SessionCaller>> | undefined

  constructor(server: ServerContext) {
    this.#server = server
  }

  async fetch(request: Request, caller: Caller): Promise<Response> {
    this.#endpoint ??= this.#load()
    return (await this.#endpoint).fetch(request, { id: caller.id, caller })
  }

  async end(): Promise<void> {
    await (await this.#endpoint)?.close()
  }

  async #load(): Promise<McpEndpoint<SessionCaller>> {
    const server = this.#server
    const [{ createMcpEndpoint }, { createSessionMcpServer }, { McpSessionGate }] = await Promise.all([
      import('./mcp-endpoint.js'),
      import('./session-mcp-server.js'),
      import('./session-gate.js'),
    ])
    const host = {
      hub: server.hub,
      firstFolder: server.roots.first,
      isFor: server.isFor.bind(server),
      maySee: server.maySee.bind(server),
      makeRoom: server.makeRoom.bind(server),
      noteNew: server.noteNew.bind(server),
      checkNotDraining: server.checkNotDraining.bind(server),
      use: server.use.bind(server),
      folder: server.folder.bind(server),
      note: ({ id, name }: Caller, operation: string, session: string) =>
        server.audit.add({ at: new Date().toISOString(), token: id, name, operation, session, status: 200 }),
    }
    return createMcpEndpoint<SessionCaller>({
      serverFor: ({ caller }) => createSessionMcpServer(new McpSessionGate(host, caller)),
      maxBody: server.maxBody,
      onError: (error) => server.log.error('mcp', error),
    })
  }
}
