/**
 * Server objects of an MCP library take one connection. Many queries share it: ids and progress tokens of each are made
 * unique on the way in and put back on the way out.
 */
import type { JSONRPCMessage, McpServerInstance } from '../../protocol/mcp-servers.js'
import {
  cancelNotification,
  errorAnswer,
  INTERNAL_ERROR,
  isRequestId,
  type LinkEvents,
  type McpLink,
  type McpTransport,
  type RequestId,
  type SendOptions,
} from './server-link.js'

type Open = { link: LinkEvents; id: RequestId; token: unknown }
type Shared = { join(events: LinkEvents): Promise<McpLink> }

/** Belongs to the caller's object, and goes with it. */
const connections = new WeakMap<McpServerInstance, Shared>()

export function joinServer(instance: McpServerInstance, events: LinkEvents): Promise<McpLink> {
  const known = connections.get(instance)
  if (known) return known.join(events)
  const shared = share(instance, () => connections.delete(instance))
  connections.set(instance, shared)
  return shared.join(events)
}

function share(instance: McpServerInstance, forget: () => void): Shared {
  const links = new Set<LinkEvents>()
  /** Requests to the server without an answer yet, by the id it sees. */
  const open = new Map<RequestId, Open>()
  /** Requests of the server, and who was asked. */
  const asked = new Map<RequestId, LinkEvents>()
  let nextId = 0
  let closed = false
  let sessionId: string | undefined

  const transport: McpTransport = {
    async start() {},
    async send(message, options) {
      fromServer(message, options)
    },
    async close() {
      end()
    },
    /** Of the query whose message is being taken: servers read it right then. */
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
      const request = isRequestId(id) ? open.get(id) : undefined
      if (!request || id === undefined) return
      open.delete(id)
      return request.link.message({ ...message, id: request.id })
    }
    const token = method === 'notifications/progress' ? message.params?.progressToken : undefined
    const related = options?.relatedRequestId ?? (isRequestId(token) ? token : undefined)
    const request = related === undefined ? undefined : open.get(related)
    if (token !== undefined) {
      // Of a call that is over: nobody asks any more how far it is.
      if (request) request.link.message({ ...message, params: { ...message.params, progressToken: request.token } })
    } else if (isRequestId(id)) {
      const link = request?.link ?? onlyUser()
      if (!link) return toServer(errorAnswer(id, INTERNAL_ERROR, SEVERAL))
      asked.set(id, link)
      link.message(message)
    } else if (request) {
      request.link.message(message)
    } else if (related === undefined) {
      for (const link of links) link.message(message)
    }
  }
  /** Whom a request means that does not say to which call it belongs. */
  const onlyUser = (): LinkEvents | undefined => {
    const busy = new Set([...open.values()].map(({ link }) => link))
    const candidates = busy.size > 0 ? busy : links
    return candidates.size === 1 ? [...candidates][0] : undefined
  }

  const cancel = (link: LinkEvents, id: unknown, reason: string) => {
    for (const [seen, request] of open) {
      if (request.link !== link || (id !== undefined && request.id !== id)) continue
      open.delete(seen)
      toServer(cancelNotification(seen, reason), link)
    }
  }
  const deliver = (link: LinkEvents, message: JSONRPCMessage) => {
    const { id, method, params } = message
    if (method === undefined) {
      if (!isRequestId(id) || asked.get(id) !== link) return
      asked.delete(id)
      return toServer(message, link)
    }
    if (method === 'notifications/cancelled')
      return cancel(link, params?.requestId ?? null, String(params?.reason ?? ''))
    if (!isRequestId(id)) return toServer(message, link)
    const seen = nextId
    nextId += 1
    const meta = params?._meta
    const token = isObject(meta) ? meta.progressToken : undefined
    open.set(seen, { link, id, token })
    const own = isObject(meta) && token !== undefined ? { ...params, _meta: { ...meta, progressToken: seen } } : params
    toServer({ ...message, id: seen, ...(own ? { params: own } : {}) }, link)
  }
  const leave = (link: LinkEvents) => {
    if (!links.delete(link)) return
    cancel(link, undefined, 'The query is over.')
    for (const [id, who] of asked) if (who === link) asked.delete(id)
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
