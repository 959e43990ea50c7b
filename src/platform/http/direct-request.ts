/**
 * Starts requests to addresses that were judged before: the name is only announced, never looked up again. Where a proxy is on the
 * way, it looks the name up.
 */
import type { NetworkSettings } from '../network/network.js'
import { literalAddress } from '../web/web-address.js'
import type { RequestStarter } from './connection-types.js'

const CONNECT_MS = 30_000

/** Each request has a connection of its own, closed afterwards: none is shared with another host or session. */
export function createUnpooledRequests(network: NetworkSettings): (url: URL) => Promise<RequestStarter> {
  return async (url) => {
    const proxy = network.proxyFor(url)
    const secured = url.protocol === 'https:' || proxy ? await network.secured() : undefined
    if (proxy)
      return (await import('./proxied.js')).createProxiedRequestStarter(url, { proxy, secured, connectMs: CONNECT_MS })
    if (url.protocol !== 'https:') {
      const { request } = await import('node:http')
      return (settings) => request({ ...settings, agent: false })
    }
    const { request } = await import('node:https')
    // Certificates for bare addresses are checked against the address, and those are not announced by name.
    const servername = literalAddress(url.hostname) === undefined ? url.hostname : ''
    return (settings) => request({ ...settings, servername, ...secured, agent: false })
  }
}
