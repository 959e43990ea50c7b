/** How requests of one kind are started: straight or through a proxy, with the connections that are kept for them. */
import type { ProxyServer, TlsSettings } from '../network/network.js'
import type { HttpConnector } from './connection-types.js'

/** How to connect to a host: its proxy, its TLS settings, and the time limit. */
export type ConnectionSetup = { proxy: ProxyServer | undefined; secured: TlsSettings | undefined; connectMs: number }

/** Creates what opens connections to a host. */
export async function createConnector(
  { protocol }: URL,
  { proxy, secured, connectMs }: ConnectionSetup,
): Promise<HttpConnector> {
  if (proxy) return (await import('./proxied.js')).createProxiedConnector(protocol, { proxy, secured, connectMs })
  const { request, Agent } = protocol === 'https:' ? await import('node:https') : await import('node:http')
  const agent = new Agent({ keepAlive: true })
  return {
    start: (to, options, fresh) => request(to, { ...options, ...secured, agent: fresh ? false : agent }),
    agent,
    isRelayed: false,
  }
}
