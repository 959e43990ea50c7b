/** MCP servers that the client itself is: their messages go over its connection. */
import type { AgentContext, MessageMcpNotification, MessageMcpRequest } from '@agentclientprotocol/sdk/unstable'
import { methods } from '@agentclientprotocol/sdk/unstable'
import type { JSONRPCMessage, McpSdkServerConfigWithInstance } from '../protocol/mcp-servers.js'
import { messageOf } from '../protocol/thrown.js'

/** What of a connection of an MCP server is used. */
type Link = {
  start?(): Promise<void>
  send(message: JSONRPCMessage): Promise<void>
  onmessage?: (message: JSONRPCMessage) => void
}

const INTERNAL_ERROR = -32603

export class ClientMcpServers {
  readonly #context: AgentContext
  readonly #links = new Map<string, Set<Link>>()
  #requests = 0

  constructor(context: AgentContext) {
    this.#context = context
  }

  config(name: string, serverId: string): McpSdkServerConfigWithInstance {
    const own = new Set<Link>()
    const connect = async (transport: unknown) => {
      const link = transport as Link // made by our own library
      own.add(link)
      this.#of(serverId).add(link)
      this.#serve(serverId, link)
      await link.start?.()
    }
    const close = async () => {
      for (const link of own) this.#of(serverId).delete(link)
      own.clear()
    }
    return { type: 'sdk', name, instance: { connect, close } }
  }

  /** Takes a message that the server sends on its own. */
  take({ serverId, method, params }: MessageMcpNotification): void {
    const message: JSONRPCMessage = { jsonrpc: '2.0', method, ...(params ? { params } : {}) }
    for (const link of this.#links.get(serverId) ?? []) void link.send(message).catch(() => {})
  }

  #of(serverId: string): Set<Link> {
    const links = this.#links.get(serverId) ?? new Set()
    this.#links.set(serverId, links)
    return links
  }

  #serve(serverId: string, link: Link): void {
    const open = new Map<unknown, AbortController>()
    link.onmessage = ({ id, method, params }) => {
      if (method === 'notifications/cancelled') open.get(params?.['requestId'])?.abort()
      // The protocol has no way for other notifications to go there.
      if (id === undefined || method === undefined) return
      const canceled = new AbortController()
      open.set(id, canceled)
      this.#requests += 1
      const request: MessageMcpRequest = {
        serverId,
        requestId: String(this.#requests),
        method,
        ...(params ? { params } : {}),
      }
      const options = { cancellationSignal: canceled.signal, stopWaitingOnCancel: true }
      void this.#context
        .request(methods.client.mcp.message, request, options)
        .then(
          (answer): JSONRPCMessage =>
            'result' in answer
              ? { jsonrpc: '2.0', id, result: Object(answer.result) }
              : { jsonrpc: '2.0', id, error: answer.error },
        )
        .catch((error: unknown): JSONRPCMessage => {
          const message = messageOf(error)
          return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } }
        })
        .then((answer) => {
          open.delete(id)
          return link.send(answer)
        })
        .catch(() => {})
    }
  }
}
