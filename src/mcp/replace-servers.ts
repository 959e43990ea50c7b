/** `setMcpServers()`: the servers that a host named so far give way to the ones it names now. */
import type { McpSetServersResult } from '../protocol/mcp-servers.js'
import type { ServerEntry, SessionMcpServer } from './configured-server.js'

export type ServerSet = {
  list(): SessionMcpServer[]
  find(name: string): SessionMcpServer | undefined
  add(entry: ServerEntry, isDynamic: boolean): SessionMcpServer
  remove(server: SessionMcpServer): Promise<void>
}

/**
 * Replaces the servers that were set this way, and those that live in the host, by these. As observed, others that the
 * host named at the start stay, unless they are named again or `replaceAll` is set.
 */
export async function replaceServers(
  servers: ServerSet,
  wanted: Readonly<Record<string, unknown>>,
  replaceAll: boolean,
): Promise<McpSetServersResult> {
  const isWanted = ({ name }: SessionMcpServer) => Object.hasOwn(wanted, name)
  const isSame = (server: SessionMcpServer) => JSON.stringify(server.value) === JSON.stringify(wanted[server.name])
  const isOld = ({ isDynamic, scope }: SessionMcpServer) => isDynamic || (replaceAll && scope === 'dynamic')
  const gone = servers.list().filter((server) => isOld(server) && !isWanted(server))
  const changed = servers.list().filter((server) => isWanted(server) && !isSame(server) && server.scope === 'dynamic')
  const errors: [string, string][] = []
  await Promise.all([...gone, ...changed].map(servers.remove))
  const added: SessionMcpServer[] = []
  for (const [name, value] of Object.entries(wanted)) {
    const there = servers.find(name)
    if (there && isSame(there)) continue
    if (there) errors.push([name, `There is a server of this name already (${there.scope}).`])
    else added.push(servers.add({ name, value, scope: 'dynamic' }, true))
  }
  // Those of the host answer only after this was answered.
  const ownProcesses = added.filter(({ connection }) => connection.config?.type !== 'sdk')
  await Promise.all(ownProcesses.map(({ connection }) => connection.settled()))
  for (const { name, connection } of ownProcesses) {
    if (connection.status() !== 'connected') errors.push([name, connection.error() ?? connection.status()])
  }
  return {
    added: added.map(({ name }) => name),
    removed: gone.map(({ name }) => name),
    errors: Object.fromEntries(errors),
  }
}
