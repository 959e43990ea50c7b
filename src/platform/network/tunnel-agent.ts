/**
 * Encrypted connections through a proxy: it is asked for a tunnel (CONNECT), and everything in it is between us and the host. Tunnels
 * are kept and used again as other connections are. Loaded when a proxy is on the way.
 */
import { type ClientRequest, request as plainRequest } from 'node:http'
import { Agent, request as encryptedRequest, type RequestOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import type { ProxyServer, TlsSettings } from './network.js'

export type TunnelOptions = {
  proxy: ProxyServer
  /** For the proxy itself, where it is spoken to in private. */
  secured: TlsSettings | undefined
  keepAlive: boolean
  /** Until the tunnel stands, and the encryption in it. */
  connectMs: number
}

/** What is given to a request beside the usual: it ends the tunnel's making too. Node would leave that open until the proxy answers. */
export type TunneledRequestOptions = RequestOptions & { tunnelSignal?: AbortSignal }

/** As `tls.connect()` takes them, which is what becomes of them. */
type TlsOptions = RequestOptions & { socket: Duplex }
type Done = (error: Error | null, socket?: Duplex) => void

/** Says that it was the proxy, and what it did; never the address, which may hold a password. */
class ProxyError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`proxy: ${code}`)
    this.code = `PROXY_${code}`
  }
}

export class TunnelAgent extends Agent {
  readonly #tunnel: TunnelOptions

  constructor(tunnel: TunnelOptions) {
    super({ keepAlive: tunnel.keepAlive })
    this.#tunnel = tunnel
  }

  override createConnection(options: TunneledRequestOptions, done: Done): undefined {
    const { tunnelSignal } = options
    const asked = this.#ask(`${inUrl(options.host ?? '')}:${options.port ?? 443}`)
    let inside: Duplex | undefined
    const settle = (error: Error | null) => {
      clearTimeout(timer)
      tunnelSignal?.removeEventListener('abort', onAbort)
      // Once: an error that comes later is for whoever has the connection.
      settled(error)
    }
    let settled = (error: Error | null) => {
      settled = () => {}
      if (error) {
        asked.destroy()
        inside?.destroy()
      }
      done(error, error ? undefined : inside)
    }
    const onAbort = () => settle(new ProxyError('ABORTED'))
    const timer = setTimeout(() => settle(new ProxyError('SILENT')), this.#tunnel.connectMs)
    timer.unref()
    tunnelSignal?.addEventListener('abort', onAbort, { once: true })
    asked.on('error', (error) => settle(new ProxyError('code' in error ? String(error.code) : 'FAILED')))
    // A proxy that answers as if this were a page: whatever it says, there is no tunnel.
    asked.on('response', (response) => {
      response.destroy()
      settle(new ProxyError(response.statusCode === 407 ? 'AUTH' : `STATUS_${response.statusCode}`))
    })
    asked.on('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy()
        return settle(new ProxyError(statusCode === 407 ? 'AUTH' : `STATUS_${statusCode}`))
      }
      // Nobody speaks before we do: what came along isn't part of the host's answer.
      if (head.length > 0) {
        socket.destroy()
        return settle(new ProxyError('NO_TUNNEL'))
      }
      const within: TlsOptions = { ...options, socket, servername: serverName(options) }
      inside = super.createConnection(within) ?? undefined
      inside?.once('secureConnect', () => settle(null))
      inside?.once('error', settle)
      inside?.once('close', () => settle(new ProxyError('CUT')))
    })
    asked.end()
    return undefined
  }

  #ask(path: string): ClientRequest {
    const { url, authorization } = this.#tunnel.proxy
    const isEncrypted = url.protocol === 'https:'
    return (isEncrypted ? encryptedRequest : plainRequest)({
      method: 'CONNECT',
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (isEncrypted ? 443 : 80),
      path,
      headers: { host: path, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
      agent: false,
      ...(isEncrypted ? this.#tunnel.secured : {}),
    })
  }
}

function inUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

function serverName({ servername, host }: RequestOptions): string {
  return servername ?? host ?? ''
}
