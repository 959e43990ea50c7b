/**
 * Where a host leads, and which of its addresses a call may talk to: public ones, those its URL spells out, and those
 * that were approved for this very call. Nothing is looked up before the first permission was given.
 */

import { isLocalhostName, isLocalName, literalAddress, networkKindOfAddress } from '../../platform/web/web-address.js'
import type { WebClient } from '../../platform/web/web-pages.js'

/** What was approved beyond the public internet, of one call. */
export type AddressApproval = { host: string; address: string }

/** Tried one after another. */
const MOST_ADDRESSES = 4

/** The first address of a host that nobody has judged by looking at the URL; undefined when there is none. */
export async function resolveUnjudgedHostAddress(
  web: WebClient,
  host: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (literalAddress(host) !== undefined) return undefined
  const found = await web.resolve(host, signal)
  // A lookup that failed will fail again, and then it is told.
  return found.ok ? found.addresses.find((address) => !isJudged(host, address)) : undefined
}

export type ResolvedAddresses = { ok: true; addresses: string[] } | { ok: false; error: string }

export async function resolveAllowedAddresses(
  web: WebClient,
  url: URL,
  approval: AddressApproval | undefined,
  signal: AbortSignal,
): Promise<ResolvedAddresses> {
  const { hostname: host } = url
  const literal = literalAddress(host)
  if (literal !== undefined) return { ok: true, addresses: [literal] }
  const found = await web.resolve(host, signal)
  if (!found.ok) {
    // Behind a proxy a machine often knows no names but those nearby: the proxy finds the address, and says who may be reached.
    if (found.kind !== 'aborted' && !isLocalName(host) && web.isProxied(url)) return { ok: true, addresses: [host] }
    const unknown = found.reason === 'ENOTFOUND' || found.reason === 'ENODATA'
    return { ok: false, error: `${host} ${unknown ? 'does not exist' : 'could not be looked up'} (${found.reason}).` }
  }
  const usable = found.addresses.filter(
    (address) => isJudged(host, address) || (approval?.host === host && approval.address === address),
  )
  if (usable.length === 0) {
    const [first] = found.addresses
    if (first === undefined) return { ok: false, error: `${host} leads to no address.` }
    return { ok: false, error: `${host} leads to the private address ${first}, which was not approved for this call.` }
  }
  // IPv4 first: it is the one that works nearly everywhere.
  const ordered = [...usable.filter((address) => !address.includes(':')), ...usable.filter((a) => a.includes(':'))]
  return { ok: true, addresses: ordered.slice(0, MOST_ADDRESSES) }
}

/** Public, or this computer by its own name: that much the URL itself says. */
function isJudged(host: string, address: string): boolean {
  const kind = networkKindOfAddress(address)
  return kind === 'public' || (kind === 'loopback' && isLocalhostName(host))
}
