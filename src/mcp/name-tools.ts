/** Gives the tools of all servers their names, each once, in an order that does not depend on which server came up first. */
import { toNamePart, toPrefixedMcpToolName, withUniqueEnd } from './clean-text.js'
import type { SessionMcpServer } from './configured-server.js'
import type { ListedTool } from './lists/server-lists.js'
import type { McpTool } from './server-tool.js'

export type NamedTools = { list: McpTool[]; byName: Map<string, McpTool>; owners: Map<string, SessionMcpServer> }

type MakeTool = (name: string, server: SessionMcpServer, tool: ListedTool) => McpTool

/**
 * Names are given in the order of servers' and tools' own names, so that the order in which servers come up has no say:
 * of two that would be called the same, always the same one gets the longer name. Exact names come before those that had
 * to be changed to fit.
 */
export function nameTools(servers: readonly SessionMcpServer[], make: MakeTool): NamedTools {
  const names = new Map<ListedTool, string>()
  const taken = new Set<string>()
  const every = servers.flatMap((server) => {
    const seen = new Set<string>()
    return server.connection.offer().tools.flatMap((tool) => {
      // The server itself could not tell the two apart.
      if (seen.has(tool.name)) return []
      if (server.connection.config?.toolPolicies?.get(tool.name) === 'deny') return []
      seen.add(tool.name)
      return { server, tool, origin: `${server.name}\0${tool.name}` }
    })
  })
  const inOrder = [...every].sort((a, b) => inexact(a.tool) - inexact(b.tool) || (a.origin < b.origin ? -1 : 1))
  for (const { server, tool, origin } of inOrder) {
    const plain = toPrefixedMcpToolName(server.name, tool.name)
    const name = taken.has(plain) || isOfAnother(plain, server, servers) ? withUniqueEnd(plain, origin) : plain
    if (taken.has(name)) continue
    taken.add(name)
    names.set(tool, name)
  }
  const owners = new Map<string, SessionMcpServer>()
  const list = every.flatMap(({ server, tool }) => {
    const name = names.get(tool)
    if (name === undefined) return []
    owners.set(name, server)
    return make(name, server, tool)
  })
  return { list, byName: new Map(list.map((one) => [one.definition.name, one])), owners }
}

/**
 * Whether the name reads as a tool of a server with a longer name. It is that server's even while it offers nothing: a
 * name never passes from one server to another because one of them comes up.
 */
function isOfAnother(name: string, server: SessionMcpServer, servers: readonly SessionMcpServer[]): boolean {
  return servers.some((other) => other !== server && other.name.length > server.name.length && other.owns(name))
}

const inexact = ({ name }: ListedTool): number => (toNamePart(name) === name ? 0 : 1)
