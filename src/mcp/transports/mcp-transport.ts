/** The wire to one MCP server, whatever it is made of: a child process, HTTP, or the host's own messages. */
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'

export interface TransportEvents {
  /** Anything the other side sent; not checked yet. */
  message(message: unknown): void
  /** Nothing more will come. Called once, also after `close`. */
  closed(reason: string): void
  /** Something odd that does no harm: a banner on stdout, a dropped stream. For people. */
  note(text: string): void
}

export interface McpTransport {
  /** Rejects when there is no server to talk to. */
  start(events: TransportEvents): Promise<void>
  /** Rejects when the message can't have arrived. `headers`: where there are such things, to route the message by. */
  send(message: JSONRPCMessage, signal?: AbortSignal, headers?: Readonly<Record<string, string>>): Promise<void>
  /** Resolves when nothing of it runs any more. Never rejects. */
  close(): Promise<void>
  /** The version both sides agreed on; HTTP repeats it in every request. */
  setProtocolVersion?(version: string): void
  /** A request that is given up is closed, which the server notices: it needn't be told. */
  closesRequests?: true
}

/** Longest message that is taken. A longer one is dropped, and the connection with it: nobody knows what was in it. */
export const MAX_MESSAGE_CHARACTERS = 100 * 1024 * 1024
