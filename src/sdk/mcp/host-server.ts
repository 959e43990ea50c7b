/** One in-process server as one query sees it: takes the agent's messages, gives the server's answers and messages. */
import type { JSONRPCMessage, McpServerInstance } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'
import { NoAnswerWantedError } from '../../transport/peer.js'
import { SdkMcpServer } from './sdk-mcp-server.js'
import {
  CONNECTION_CLOSED,
  createCancelNotification,
  errorResponse,
  type HostTransport,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isRequestId,
  type LinkEvents,
  type McpLink,
  type RequestId,
} from './server-link.js'
import { connectToMcpInstance } from './shared-connection.js'

export type HostServer = {
  readonly instance: McpServerInstance
  take(message: unknown, signal: AbortSignal): Promise<Record<string, unknown>>
  /** Hear what the server says by itself, before anybody has asked it something. */
  listen(): void
  close(): void
}

export type HostServerPorts = {
  instance: McpServerInstance
  /** A message of the server for the agent, and what it answers. */
  tell(message: JSONRPCMessage): Promise<Record<string, unknown>>
  sessionId(): string | undefined
}

/** As observed: what needs no answer is answered with this. */
const TAKEN: JSONRPCMessage = { jsonrpc: '2.0', result: {}, id: 0 }

export function createHostServer({ instance, tell, sessionId }: HostServerPorts): HostServer {
  /** The agent's requests without an answer; `undefined` is the answer to one it gave up. */
  const pending = new Map<RequestId, (answer: JSONRPCMessage | undefined) => void>()
  let link: Promise<McpLink> | undefined
  let closed = false

  const settle = (id: unknown, answer: JSONRPCMessage | undefined) => {
    if (!isRequestId(id)) return
    pending.get(id)?.(answer)
    pending.delete(id)
  }
  const lost = () => {
    link = undefined
    for (const id of [...pending.keys()]) settle(id, errorResponse(id, CONNECTION_CLOSED, 'Connection closed'))
  }
  const events: LinkEvents = {
    message(message) {
      const { id, method } = message
      if (method === undefined) return settle(id, message)
      const told = tell(message)
      // Nobody has to hear a notification; but a server that asks must not wait for ever.
      if (!isRequestId(id)) return void told.catch(() => {})
      told.then(
        ({ mcp_response: answer }) => (isAnswer(answer) ? deliver(answer) : undefined),
        (error) => deliver(errorResponse(id, INTERNAL_ERROR, messageOf(error))),
      )
    },
    closed: lost,
    get sessionId() {
      return sessionId()
    },
  }
  const deliver = async (message: JSONRPCMessage) => {
    const current = await link?.catch(() => undefined)
    current?.deliver(message)
  }
  const connect = () => {
    link ??=
      instance instanceof SdkMcpServer ? connectDirectly(instance, events) : connectToMcpInstance(instance, events)
    // A server that can't be connected now may be later.
    link.catch(() => (link = undefined))
    return link
  }

  const request = async (id: RequestId, message: JSONRPCMessage, signal: AbortSignal) => {
    if (pending.has(id)) return errorResponse(id, INVALID_REQUEST, `The id ${id} is still in use`)
    const answer = new Promise<JSONRPCMessage | undefined>((resolve) => pending.set(id, resolve))
    const current = await connect()
    // The query ended while the server was being connected: it must not begin anything for it.
    if (closed) return undefined
    const giveUp = () => {
      settle(id, undefined)
      current.deliver(createCancelNotification(id, 'The request was canceled.'))
    }
    signal.addEventListener('abort', giveUp, { once: true })
    current.deliver(message)
    return answer.finally(() => signal.removeEventListener('abort', giveUp))
  }

  return {
    instance,
    async take(message, signal) {
      if (!isMessage(message)) throw new Error('mcp_message carries no JSON-RPC message')
      const { id, method, params } = message
      if (method === undefined || !isRequestId(id)) {
        const current = await connect()
        current.deliver(message)
        if (method === 'notifications/cancelled') settle(params?.requestId, undefined)
        return { mcp_response: TAKEN }
      }
      try {
        const answer = await request(id, message, signal)
        if (answer) return { mcp_response: answer }
      } finally {
        pending.delete(id)
      }
      throw new NoAnswerWantedError()
    },
    listen: () => void connect().catch(() => {}),
    close() {
      closed = true
      const closing = link
      link = undefined
      closing?.then((current) => current.close()).catch(() => {})
      for (const id of [...pending.keys()]) settle(id, undefined)
    },
  }
}

async function connectDirectly(server: SdkMcpServer, events: LinkEvents): Promise<McpLink> {
  let open = true
  const close = () => {
    if (!open) return
    open = false
    transport.onclose?.()
  }
  const transport: HostTransport = {
    async start() {},
    async send(message) {
      if (open) events.message(message)
    },
    async close() {
      if (!open) return
      close()
      events.closed()
    },
    get sessionId() {
      return events.sessionId
    },
  }
  await server.connect(transport)
  return { deliver: (message) => open && transport.onmessage?.(message), close }
}

function isAnswer(value: unknown): value is JSONRPCMessage {
  return isMessage(value) && value.method === undefined && isRequestId(value.id)
}

/** The agent's own message: what its methods carry is checked by the server that takes it. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null) return false
  const { method, params } = value as Record<string, unknown> // any object can be looked into
  const isParams = params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params))
  return (method === undefined || typeof method === 'string') && isParams
}
