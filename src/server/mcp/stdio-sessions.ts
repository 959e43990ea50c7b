/** Sessions for the one MCP client that started this process. */
import { randomBytes } from 'node:crypto'
import { createRequestStateCodec } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createHub } from '../../hub/create-hub.js'
import type { Options } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import type { Caller, TokenScope } from '../access/access-tokens.js'
import { AllowedRootFolders } from '../access/allowed-root-folders.js'
import { HttpProblem } from '../api/problems.js'
import { createRelayedServer } from './relayed-server.js'
import { McpSessionGate, type ServedSessionHost } from './session-gate.js'
import { createSessionMcpServer } from './session-mcp-server.js'

export type StdioSessionsOptions = { scopes: TokenScope[]; roots: readonly string[]; options: Options }

/** Resolves when the client is gone. */
export async function serveSessionsOnStdio({ scopes, roots: given, options }: StdioSessionsOptions): Promise<void> {
  const roots = new AllowedRootFolders(given)
  const hub = createHub({ options })
  const holds = async (session: string) => roots.holds((await hub.folderOf(session)) ?? '')
  const host: ServedSessionHost = {
    hub,
    firstFolder: roots.first,
    isFor: (_caller, { cwd }) => roots.holds(cwd),
    maySee: (_caller, session) => holds(session),
    async makeRoom() {},
    noteNew() {},
    checkNotDraining() {},
    note() {},
    async use(_caller, session) {
      if (!(await holds(session))) throw new HttpProblem('session_not_found', `There is no session ${session}.`)
    },
    folder(wanted) {
      const folder = roots.resolve(wanted)
      if (folder === undefined) throw new HttpProblem('invalid_folder', "Sessions can't work in that folder.")
      return folder
    },
  }
  const caller: Caller = { id: 'stdio', name: 'mcp', scopes }
  const served = createSessionMcpServer(new McpSessionGate(host, caller))
  const states = createRequestStateCodec<{ state: string }>({ key: randomBytes(32) })
  const transport = new StdioServerTransport(process.stdin, process.stdout)
  const connection = serveStdio(() => createRelayedServer(served, { states }), {
    transport,
    onerror: (error) => void process.stderr.write(`${messageOf(error)}\n`),
  })
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, () => resolve())
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
    process.stdout.on('error', () => resolve())
  })
  await connection.close()
  await hub.end()
}
