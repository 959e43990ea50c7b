/** Gives the tools of all servers their names, each once, in an order that does not depend on which server came up first. */
import { marked, toolNameOf } from './clean-text.js'
import type { Server } from './configured-server.js'
import type { ServerTool } from './server-lists.js'
import type { McpTool } from './server-tool.js'

export type NamedTools = { list: McpTool[]; byName: Map<string, McpTool> }

type MakeTool = (name: string, server: Server, tool: ServerTool) => McpTool

/**
 * Names are given in the order of servers' and tools' own names, so that the order in which servers come up has no say:
 * of two that would be called the same, always the same one gets the longer name.
 */
export function nameTools(servers: readonly Server[], make: MakeTool): NamedTools {
  const names = new Map<ServerTool, string>()
  const taken = new Set<string>()
  const every = servers.flatMap((server) => {
    const seen = new Set<string>()
    return server.connection.offer().tools.flatMap((tool) => {
      // The server itself could not tell the two apart.
      if (seen.has(tool.name)) return []
      seen.add(tool.name)
      return { server, tool, origin: `${server.name}\0${tool.name}` }
    })
  })
  const inOrder = [...every].sort((a, b) => (a.origin < b.origin ? -1 : 1))
  for (const { server, tool, origin } of inOrder) {
    const plain = toolNameOf(server.name, tool.name)
    const name = taken.has(plain) ? marked(plain, origin) : plain
    if (taken.has(name)) continue
    taken.add(name)
    names.set(tool, name)
  }
  const list = every.flatMap(({ server, tool }) => {
    const name = names.get(tool)
    return name === undefined ? [] : make(name, server, tool)
  })
  return { list, byName: new Map(list.map((one) => [one.definition.name, one])) }
}
