/** Requests on a connection that several queries share, in both directions, with ids that are unique on it. */
import { isObject } from '../../protocol/json.js'
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import type { LinkEvents, RequestId } from './server-link.js'

/** A request of a query, with the id and the progress token it knows it by. */
export type LinkedRequest = { link: LinkEvents; id: RequestId; token: unknown }

export function createRequestIdTranslator() {
  /** Requests to the server without an answer yet, by the id it sees. */
  const open = new Map<RequestId, LinkedRequest>()
  /** Requests of the server, and who was asked. */
  const asked = new Map<RequestId, LinkEvents>()
  let nextId = 0

  return {
    /** A request as the server is to see it. */
    renamed(link: LinkEvents, id: RequestId, message: JSONRPCMessage): JSONRPCMessage {
      const { params } = message
      const seen = nextId
      nextId += 1
      const meta = params?._meta
      const token = isObject(meta) ? meta.progressToken : undefined
      open.set(seen, { link, id, token })
      const own =
        isObject(meta) && token !== undefined ? { ...params, _meta: { ...meta, progressToken: seen } } : params
      return { ...message, id: seen, ...(own ? { params: own } : {}) }
    },
    find: (seen: RequestId): LinkedRequest | undefined => open.get(seen),
    /** It is answered. */
    take(seen: RequestId): LinkedRequest | undefined {
      const request = open.get(seen)
      open.delete(seen)
      return request
    },
    /** Drops those of a query, all or the one with this id; returns the ids the server knows them by. */
    drop(link: LinkEvents, id?: unknown): RequestId[] {
      const dropped = [...open].filter(
        ([, request]) => request.link === link && (id === undefined || request.id === id),
      )
      for (const [seen] of dropped) open.delete(seen)
      return dropped.map(([seen]) => seen)
    },
    /** The server asks a query. */
    ask: (id: RequestId, link: LinkEvents) => void asked.set(id, link),
    /** True for the answer of whom it asked. */
    takeAnswer(id: RequestId, link: LinkEvents): boolean {
      return asked.get(id) === link && asked.delete(id)
    },
    forget(link: LinkEvents): void {
      for (const [id, who] of asked) if (who === link) asked.delete(id)
    },
    /** Whom a request of the server means that does not say to which call it belongs. */
    onlyUser(links: ReadonlySet<LinkEvents>): LinkEvents | undefined {
      const busy = new Set([...open.values()].map(({ link }) => link))
      const candidates = busy.size > 0 ? busy : links
      return candidates.size === 1 ? [...candidates][0] : undefined
    },
  }
}
