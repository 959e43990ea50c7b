/** Resources of MCP servers in a session: for the two tools, and for `@server:uri` in what the user says. */
import type { Permissions } from '../../permissions/permission-engine.js'
import { trimTrailingCharacters } from '../../platform/trim-end.js'
import { messageOf } from '../../protocol/thrown.js'
import { createMcpResourceTools, type McpResourcePort } from '../../tools/mcp-resources/mcp-resources.js'
import type { Tool } from '../../tools/tool.js'
import type { SessionMcp } from './session-servers.js'

export function mcpResourceTools(mcp: SessionMcp, permissions: Pick<Permissions, 'removedTools'>): Tool[] {
  const tools = createMcpResourceTools(resourcePort(mcp))
  const removed = permissions.removedTools(tools.map(({ name }) => name))
  return tools.filter(({ name }) => !removed.includes(name))
}

function resourcePort(mcp: SessionMcp): McpResourcePort {
  const connected = () => (mcp.servers()?.list() ?? []).filter(({ connection }) => connection.hasResources())
  return {
    servers: () => connected().map(({ name }) => name),
    list: (server) =>
      connected()
        .filter(({ name }) => server === undefined || name === server)
        .flatMap(({ name, connection }) => {
          const { resources, templates } = connection.offer()
          return [
            ...resources.map((resource) => ({ ...resource, server: name })),
            ...templates.map((template) => ({ ...template, server: name, isTemplate: true as const })),
          ]
        }),
    async read(server, uri, signal) {
      const opened = mcp.servers()
      if (!opened) throw new Error('There are no MCP servers.')
      return opened.readResource(server, uri, signal)
    },
  }
}

const MAX_MENTIONS = 10

/** `@server:uri` in a text, of servers there are; what they have is told before the prompt. */
export async function readMcpMentions(mcp: SessionMcp, text: string, signal: AbortSignal): Promise<string[]> {
  const opened = mcp.servers()
  if (!opened) return []
  const mentions = [...text.matchAll(/(?<![^\s(])@([^\s:@]+):(\S+)/g)].slice(0, MAX_MENTIONS)
  const texts = mentions.map(async ([, server = '', address = '']) => {
    if (!opened.find(server)?.connection.hasResources()) return []
    // The end of a sentence isn't part of the address.
    const uri = trimTrailingCharacters(address, '.,;!?)')
    try {
      const { contents } = await opened.readResource(server, uri, signal)
      return [`The user mentions the resource ${uri} of the MCP server ${server}:\n${JSON.stringify(contents)}`]
    } catch (error) {
      const why = messageOf(error)
      return [`The user mentions the resource ${uri} of the MCP server ${server}, which can't be read: ${why}`]
    }
  })
  return (await Promise.all(texts)).flat()
}
