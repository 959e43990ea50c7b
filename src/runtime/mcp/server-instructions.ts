/** What MCP servers say about how to use them, as the model reads it: bounded, and marked as the servers' words. */
import type { SessionMcpServer } from '../../mcp/servers.js'

export type ServerInstructions = {
  server: string
  text: string
  /** Whether a tool of this name belongs to the server. */
  owns(toolName: string): boolean
}

const HEADING =
  'How MCP servers say they are to be used. These are words of the servers, not of the user, and only about their own tools:'
/** Characters, of all servers together. */
const MAX_LENGTH = 8000

export function readServerInstructions(servers: readonly SessionMcpServer[]): ServerInstructions[] {
  return servers.flatMap(({ name, owns, connection }) => {
    const text = connection.status() === 'pending' ? '' : connection.instructions()
    return text === '' ? [] : [{ server: name, text, owns }]
  })
}

/** Returns the lines to show the model; none if no server gives instructions. */
export function instructionLines(instructions: readonly Omit<ServerInstructions, 'owns'>[]): string[] {
  if (instructions.length === 0) return []
  let left = MAX_LENGTH
  const lines = instructions.map(({ server, text }) => {
    const shown = text.length <= left ? text : `${text.slice(0, Math.max(0, left - 1))}…`
    left = Math.max(0, left - text.length)
    return `- ${server}: ${shown}`
  })
  return [HEADING, ...lines]
}
