/**
 * Server objects of an MCP library take one connection. Many queries share it: ids and progress tokens of each are made
 * unique on the way in and put back on the way out.
 */
import type { JSONRPCMessage, McpServerInstance } from '../../protocol/mcp-servers.js'
import {
  createCancelNotification,
  errorResponse,
  type HostTransport,
  INTERNAL_ERROR,
  isRequestId,
  type LinkEvents,
  type McpLink,
  type SendOptions,
} from './server-link.js'
import { createRequestIdTranslator } from './shared-requests.js'

type Shared = { join(events: LinkEvents): Promise<McpLink> }

/** Belongs to the caller's object, and goes with it. */
const connections = new WeakMap<McpServerInstance, Shared>()

export function connectToMcpInstance(instance: McpServerInstance, events: LinkEvents): Promise<McpLink> {
  const known = connections.get(instance)
  if (known) return known.join(events)
  const shared = share(instance, () => connections.delete(instance))
  connections.set(instance, shared)
  return shared.join(events)
}

function share(instance: McpServerInstance, forget: () => void): Shared {
  const links = new Set<LinkEvents>()
  const requests = createRequestIdTranslator()
  let closed = false
  let sessionId: string | undefined

  const transport: HostTransport = {
    async start() {},
    async send(message, options) {
      fromServer(message, options)
    },
    async close() {
      end()
    },
    /** Session id of the query whose message is being delivered: servers read it right then. */
    get sessionId() {
      return sessionId
    },
  }
  const end = () => {
    if (closed) return
    closed = true
    forget()
    transport.onclose?.()
    for (const link of links) link.closed()
    links.clear()
  }
  const toServer = (message: JSONRPCMessage, link?: LinkEvents) => {
    if (closed) return
    sessionId = link?.sessionId
    transport.onmessage?.(message, {})
    sessionId = undefined
  }

  const fromServer = (message: JSONRPCMessage, options: SendOptions | undefined) => {
    const { id, method } = message
    if (method === undefined) {
      const request = isRequestId(id) ? requests.take(id) : undefined
      return request?.link.message({ ...message, id: request.id })
    }
    const token = method === 'notifications/progress' ? message.params?.progressToken : undefined
    const related = options?.relatedRequestId ?? (isRequestId(token) ? token : undefined)
    const request = related === undefined ? undefined : requests.find(related)
    if (token !== undefined) {
      // Progress of a call that is over is dropped.
      if (request) request.link.message({ ...message, params: { ...message.params, progressToken: request.token } })
    } else if (isRequestId(id)) {
      const link = request?.link ?? requests.onlyUser(links)
      if (!link) return toServer(errorResponse(id, INTERNAL_ERROR, SEVERAL))
      requests.ask(id, link)
      link.message(message)
    } else if (request) {
      request.link.message(message)
    } else if (related === undefined) {
      for (const link of links) link.message(message)
    }
  }

  const cancel = (link: LinkEvents, id: unknown, reason: string) => {
    for (const seen of requests.drop(link, id)) toServer(createCancelNotification(seen, reason), link)
  }
  const deliver = (link: LinkEvents, message: JSONRPCMessage) => {
    const { id, method, params } = message
    if (method === undefined) {
      if (isRequestId(id) && requests.takeAnswer(id, link)) toServer(message, link)
    } else if (method === 'notifications/cancelled') {
      cancel(link, params?.requestId ?? null, String(params?.reason ?? ''))
    } else {
      toServer(isRequestId(id) ? requests.renamed(link, id, message) : message, link)
    }
  }
  const leave = (link: LinkEvents) => {
    if (!links.delete(link)) return
    cancel(link, undefined, 'The query is over.')
    requests.forget(link)
    // The object is free again: for a later query, or whatever else its owner wants to connect it to.
    if (links.size === 0) end()
  }

  const connected = instance.connect(transport)
  connected.catch(forget)
  return {
    async join(events) {
      links.add(events)
      await connected
      return { deliver: (message) => deliver(events, message), close: () => leave(events) }
    },
  }
}

const SEVERAL =
  'Several sessions use this server and the request names no call: send it with the `extra` that the handler of the call got.'
