/** A server object of this process, as one client of it sees it: requests with answers, and what it says by itself. */
import type { JSONRPCMessage, McpServerInstance } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'

/** A server object, or what makes one: objects of an MCP library take one client each. */
export type ServedMcpServer = { instance: McpServerInstance }

type Settle = (answer: JSONRPCMessage) => void

/** What the server wants while a request of the client runs. */
export type RequestListener = {
  signal: AbortSignal
  notify(message: JSONRPCMessage): void
  ask(method: string, params: Record<string, unknown> | undefined): Promise<Record<string, unknown>>
}

export type InstanceLink = {
  /** What the server answers to `initialize`. */
  readonly greeting: Record<string, unknown>
  request(method: string, params: Record<string, unknown>, listener: RequestListener): Promise<Record<string, unknown>>
  close(): void
}

/** The error of JSON-RPC that the server answered with. */
export class ServedRequestProblem extends Error {
  readonly code: number
  readonly data: unknown

  constructor(error: NonNullable<JSONRPCMessage['error']>) {
    super(error.message)
    this.code = error.code
    this.data = error.data
  }
}

/** The object sets what takes messages. */
type InstanceTransport = {
  takesInputRequests: boolean
  onmessage?: (message: JSONRPCMessage, extra?: object) => void
  onclose?: () => void
  start(): Promise<void>
  send(message: JSONRPCMessage, options?: { relatedRequestId?: string | number }): Promise<void>
  close(): Promise<void>
}

const CLOSED = { code: -32000, message: 'The server closed the connection.' }
/** No request of ours is named by it: those that a client may have set. */
const NEWEST_HANDSHAKE = '2025-11-25'

/** Connects to the object. `notify` gets what belongs to no request, such as a changed list. */
export async function connectToInstance(
  { instance }: ServedMcpServer,
  notify: (message: JSONRPCMessage) => void,
): Promise<InstanceLink> {
  const waiting = new Map<number, { settle: Settle; listener: RequestListener }>()
  let nextId = 1
  const transport: InstanceTransport = {
    /** `input_required` goes on to the client, in whichever way its revision has for it. */
    takesInputRequests: true,
    async start() {},
    async send(message: JSONRPCMessage, options: { relatedRequestId?: string | number } = {}) {
      take(message, options.relatedRequestId)
    },
    async close() {
      end()
    },
  }
  const end = () => {
    for (const { settle } of waiting.values()) settle({ jsonrpc: '2.0', error: CLOSED })
    waiting.clear()
  }
  const take = (message: JSONRPCMessage, related: unknown) => {
    const { id, method } = message
    if (method === undefined) return void waiting.get(Number(id))?.settle(message)
    const listener = waiting.get(Number(related))?.listener
    if (id === undefined) return listener ? listener.notify(message) : notify(message)
    const reply = (answer: Pick<JSONRPCMessage, 'result' | 'error'>) =>
      transport.onmessage?.({ jsonrpc: '2.0', id, ...answer })
    const refuse = (error: unknown) => reply({ error: { code: -32603, message: messageOf(error) } })
    if (!listener) return void refuse('The request belongs to no request of a client.')
    void listener.ask(method, message.params).then((result) => reply({ result }), refuse)
  }
  const request: InstanceLink['request'] = (method, params, listener) =>
    new Promise((resolve, reject) => {
      const id = nextId
      nextId += 1
      const cancel = () => {
        const reason = { requestId: id, reason: 'The client canceled the request.' }
        transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: reason })
        settle({ jsonrpc: '2.0', error: { code: -32000, message: 'canceled' } })
      }
      const settle: Settle = ({ error, result = {} }) => {
        waiting.delete(id)
        listener.signal.removeEventListener('abort', cancel)
        if (error) reject(new ServedRequestProblem(error))
        else resolve(result)
      }
      waiting.set(id, { settle, listener })
      listener.signal.addEventListener('abort', cancel, { once: true })
      transport.onmessage?.({ jsonrpc: '2.0', id, method, params })
    })
  await instance.connect(transport)
  const clientInfo = { name: 'kedge', version: '1.0.0' }
  const params = { protocolVersion: NEWEST_HANDSHAKE, capabilities: {}, clientInfo }
  const alone = { signal: new AbortController().signal, notify, ask: async () => ({}) }
  const greeting = await request('initialize', params, alone)
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return {
    greeting,
    request,
    close() {
      end()
      transport.onclose?.()
    },
  }
}
