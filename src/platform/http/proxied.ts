/** Requests through a proxy: in a tunnel where they are encrypted, else handed to it with the whole address. Loaded when there is one. */
import { type OutgoingHttpHeaders, Agent as PlainAgent, type RequestOptions, request as requestPlain } from 'node:http'
import { Agent as EncryptedAgent, request as requestEncrypted } from 'node:https'
import type { ProxyServer, TlsSettings } from '../network/network.js'
import { TunnelAgent } from '../network/tunnel-agent.js'
import { literalAddress } from '../web/web-address.js'
import type { HttpConnector, RequestStarter } from './connection-types.js'

type ProxiedSetup = { proxy: ProxyServer; secured: TlsSettings | undefined; connectMs: number }

/** With connections that are kept. */
export function createProxiedConnector(protocol: string, { proxy, secured, connectMs }: ProxiedSetup): HttpConnector {
  if (protocol === 'https:') {
    const through = (keepAlive: boolean) => new TunnelAgent({ proxy, secured, keepAlive, connectMs })
    const agent = through(true)
    return {
      start: (to, options, fresh) =>
        requestEncrypted(to, { ...options, ...secured, agent: fresh ? through(false) : agent }),
      agent,
      isRelayed: false,
    }
  }
  const isEncrypted = proxy.url.protocol === 'https:'
  const agent = isEncrypted ? new EncryptedAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true })
  return {
    start: (to, options, fresh) =>
      relay(to, { ...options, agent: fresh ? false : agent }, options.headers, { proxy, secured, connectMs }),
    agent,
    isRelayed: true,
  }
}

/** With a connection of its own. */
export function createProxiedRequestStarter(url: URL, way: ProxiedSetup): RequestStarter {
  if (url.protocol !== 'https:') return (settings) => relay(url, { ...settings, agent: false }, settings.headers, way)
  const agent = new TunnelAgent({ ...way, keepAlive: false })
  const literal = literalAddress(url.hostname)
  const servername = literal === undefined ? url.hostname : ''
  const host = literal ?? url.hostname
  return (settings) => requestEncrypted({ ...settings, host, servername, ...way.secured, agent })
}

function relay(to: URL, options: RequestOptions, headers: OutgoingHttpHeaders, { proxy, secured }: ProxiedSetup) {
  const { url, authorization } = proxy
  const isEncrypted = url.protocol === 'https:'
  return (isEncrypted ? requestEncrypted : requestPlain)({
    ...options,
    ...(isEncrypted ? secured : {}),
    protocol: url.protocol,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (isEncrypted ? 443 : 80),
    path: `${to.origin}${to.pathname}${to.search}`,
    headers: {
      ...headers,
      host: to.host,
      ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
    },
  })
}
