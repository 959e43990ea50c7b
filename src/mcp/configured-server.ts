/** A server of the session: where its configuration came from, and its connection. */
import type { Connection } from './connection.js'

export type ServerEntry = {
  name: string
  /** As it stands in the configuration. */
  value: unknown
  scope: string
}

/** An MCP server of a session: its configuration and its connection. */
export type SessionMcpServer = ServerEntry & {
  connection: Connection
  /** The host may take it away again. */
  isDynamic: boolean
  /** Whether a tool of this name could be one of its tools. */
  owns(toolName: string): boolean
}
