/** JSON-RPC with one server: sorts what it sends into answers to our requests, requests of its own, and notifications. */

import type { Clock } from '../platform/clock.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import { createServerRequestResponder, type ServerAnswerPorts } from './answer-server.js'
import { createPendingRequests, type McpRequestOptions } from './pending-requests.js'
import type { McpTransport } from './transports/mcp-transport.js'

export { RpcRefusal } from './answer-server.js'
export type { McpRequestOptions } from './pending-requests.js'

export type RpcPorts = {
  clock: Pick<Clock, 'after'>
  onRequest: ServerAnswerPorts['onRequest']
  onNotification(method: string, params: JsonObject): void
  onClosed(reason: string): void
  onNote(text: string): void
}

export type Rpc = ReturnType<typeof createRpc>

/**
 * Creates a JSON-RPC connection over a transport. `firstId`: what was known beforehand, and so never asked, has had
 * its numbers.
 */
export function createRpc(transport: McpTransport, ports: RpcPorts, firstId = 0) {
  /** A server that is gone can't be notified, and needn't be. */
  const tell = (message: JSONRPCMessage) => void transport.send(message).catch(() => {})
  const requests = createPendingRequests(
    { clock: ports.clock, transport, tell, onCallsOver: () => answers.endSamples() },
    firstId,
  )
  const answers = createServerRequestResponder({ onRequest: ports.onRequest, tell, hasCalls: requests.hasCalls })

  const fail = (reason: string) => {
    if (!requests.failAll(reason)) return
    answers.abortAll()
    ports.onClosed(reason)
  }

  const receive = (message: unknown) => {
    if (!isObject(message)) return ports.onNote("a message that isn't a JSON object")
    const { id, method, params } = message
    if (typeof method !== 'string') return requests.settle(message)
    const given = isObject(params) ? params : {}
    if (isId(id)) return void answers.answer(id, method, given)
    if (method === 'notifications/cancelled' && isId(given['requestId'])) return answers.abort(given['requestId'])
    if (method === 'notifications/progress' && typeof given['progressToken'] === 'number') {
      return requests.progress(given['progressToken'], given)
    }
    return ports.onNotification(method, given)
  }

  return {
    start: () => transport.start({ message: receive, closed: fail, note: ports.onNote }),
    receive,
    agreed: (version: string) => transport.setProtocolVersion?.(version),
    /** Rejects with an `McpError`. */
    request: (method: string, params: JsonObject | undefined, options: McpRequestOptions): Promise<JsonObject> =>
      requests.send(method, params, options),
    notify: (method: string, params?: JsonObject) => tell({ method, ...(params ? { params } : {}), jsonrpc: '2.0' }),
    /** Resolves when nothing of the server runs any more. */
    async close(reason: string): Promise<void> {
      fail(reason)
      await transport.close()
    },
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
