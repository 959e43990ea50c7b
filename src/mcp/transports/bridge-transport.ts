/** A server that lives in the host: every message is a control request, and the answer to it comes back with the answer. */
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'
import { McpError } from '../mcp-error.js'
import type { McpTransport, TransportEvents } from './mcp-transport.js'

/** Hands one message to the host; resolves with what the server answered, if it did. Rejects when the host could not. */
export type SendToHost = (server: string, message: JSONRPCMessage, signal?: AbortSignal) => Promise<unknown>

export function createBridgeTransport(server: string, sendToHost: SendToHost): McpTransport {
  let events: TransportEvents | undefined
  return {
    async start(given) {
      events = given
    },
    async send(message, signal) {
      let answer: unknown
      try {
        answer = await sendToHost(server, message, signal)
      } catch (error) {
        throw new McpError('mcp_closed', messageOf(error))
      }
      // Notifications are answered too, with an empty result that nobody waits for.
      if (message.id !== undefined && message.method !== undefined) events?.message(answer)
    },
    async close() {
      events?.closed('The server was disconnected.')
      events = undefined
    },
  }
}
