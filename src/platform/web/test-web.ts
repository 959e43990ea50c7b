/** For tests: a small web of their own. Names and public addresses lead to an HTTPS and an HTTP server on loopback. */
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { NetworkSettings } from '../network/network.js'
import { createWebClient, type HostNameResolver } from './web-client.js'
import type { WebClient } from './web-pages.js'

// Made for tests only; valid until 2126 for site.example, www.site.example, other.example, wiki.internal and localhost.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYyAjZbz5tOxRbYlX
0RNRQxFAVXUQCvko8TOWa9leQ2uhRANCAARA3ZdfaV0s10OhstRzs7ZhpVONip80
rImaGo+Dvxm0cItl7jlQ/HZUosHDJweVqbPsqozI7FqJQUDT3CUhMbGS
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIB3DCCAYOgAwIBAgIULyKaZAZAcXkEt00qO09st0Qmm1EwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKa2VkZ2UtdGVzdDAgFw0yNjExMTUwNjE0MTNaGA8yMTI2MTAy
MjA2MTQxM1owFTETMBEGA1UEAwwKa2VkZ2UtdGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABEDdl19pXSzXQ6Gy1HOztmGlU42KnzSsiZoaj4O/GbRwi2XuOVD8
dlSiwcMnB5Wps+yqjMjsWolBQNPcJSExsZKjga4wgaswHQYDVR0OBBYEFFV8VDX6
AmMgxjau/YOA0abjhGapMB8GA1UdIwQYMBaAFFV8VDX6AmMgxjau/YOA0abjhGap
MA8GA1UdEwEB/wQFMAMBAf8wWAYDVR0RBFEwT4IMc2l0ZS5leGFtcGxlghB3d3cu
c2l0ZS5leGFtcGxlgg1vdGhlci5leGFtcGxlgg13aWtpLmludGVybmFsgglsb2Nh
bGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDRwAwRAIgWahvTAJ5WkxQ6/uw0ExCf8M6
F5a6PPICSn4yVV8FJ5gCIGyGcf0tpRDDibDfqHb3Nyu8WB3CD2gKFZAPt4NV0sBs
-----END CERTIFICATE-----`

/** Public addresses, as far as anybody can tell from looking at them. */
export const TEST_TLS = { key: KEY, cert: CERTIFICATE }

export const TEST_PUBLIC_IPV4 = '93.184.216.34'
export const TEST_PUBLIC_IPV6 = '2606:2800:220:1::1'

export type TestWeb = AsyncDisposable & {
  client: WebClient
  /** What its client is made of: who vouches for its servers, and where names lead. */
  network: NetworkSettings
  system: HostNameResolver
  /** Addresses by name; a test may change them at any time. */
  names: Record<string, string[]>
  /** What was looked up and connected to, in order. */
  log: string[]
  /** Addresses nobody answers at. */
  dead: Set<string>
}

/** Connections to port 443 get to an HTTPS server, all others to an HTTP server, whatever their address. */
export async function createTestWeb(listener: RequestListener): Promise<TestWeb> {
  const secure = createHttpsServer(TEST_TLS, listener)
  const plain = createHttpServer(listener)
  const [securePort, plainPort] = [await listen(secure), await listen(plain)]
  const names: Record<string, string[]> = {
    'site.example': [TEST_PUBLIC_IPV4],
    'www.site.example': [TEST_PUBLIC_IPV4],
    'other.example': [TEST_PUBLIC_IPV4],
  }
  const log: string[] = []
  const dead = new Set<string>()
  const system: HostNameResolver = {
    async lookup(name) {
      log.push(`lookup ${name}`)
      const addresses = names[name]
      if (!addresses) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
      return addresses
    },
    route(address, port) {
      log.push(`connect ${address} ${port}`)
      if (dead.has(address)) return { host: '127.0.0.1', port: 1 }
      return { host: '127.0.0.1', port: port === 443 ? securePort : plainPort }
    },
  }
  const secured = { ca: [CERTIFICATE], secureContext: createSecureContext({ ca: CERTIFICATE }) }
  const network: NetworkSettings = { proxyFor: () => undefined, secured: async () => secured }
  const client = createWebClient({ network, names: system })
  return {
    client,
    network,
    system,
    names,
    log,
    dead,
    async [Symbol.asyncDispose]() {
      for (const server of [secure, plain]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, the address is an object.
  return (server.address() as AddressInfo).port
}
