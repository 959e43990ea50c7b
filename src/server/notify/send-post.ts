/** Sends a notification to another server: one POST, no redirects, with a time limit. */
import { lookup } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isLocalName, literalAddress, networkKindOfAddress } from '../../platform/web/web-address.js'

export type OutgoingPost = {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  /** True if a user chose the address, which must not reach our own network then. */
  isPublicOnly: boolean
  signal: AbortSignal
}

/** The status; rejects when there is none. */
export type PostSender = (post: OutgoingPost) => Promise<number>

const TIMEOUT_MS = 10_000

export const sendPost: PostSender = ({ url, headers, body, isPublicOnly, signal }) =>
  new Promise((resolve, reject) => {
    const { protocol, hostname } = new URL(url)
    if (isPublicOnly && !isPublicHost(hostname)) throw new Error(`${hostname} is not a public address.`)
    const send = protocol === 'https:' ? httpsRequest : httpRequest
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const options = { method: 'POST', headers: { ...headers, ...length }, agent: false, signal } as const
    const request = send(url, { ...options, ...(isPublicOnly ? { lookup: publicLookup } : {}) }, (answer) => {
      // What it says beside the status is nothing to us.
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error('There was no answer in time.')))
    request.on('error', reject)
    request.end(body)
  })

/** As far as the name itself tells. */
export function isPublicHost(hostname: string): boolean {
  const literal = literalAddress(hostname)
  return literal === undefined ? !isLocalName(hostname) : networkKindOfAddress(literal) === 'public'
}

/** Names may stand for anything: it is the address that is looked at, and that one is then connected to. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses?.filter(({ address }) => networkKindOfAddress(address) === 'public') ?? []
    if (error || !first) callback(error ?? new Error(`${hostname} is not a public address.`), '', 4)
    else if (options.all) callback(null, [first])
    else callback(null, first.address, first.family)
  })
}
