/** Five kinds of proxies, three ways to name a host, two kinds of addresses: what gets through, what is told, what is left behind. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { nodeFiles } from '../../src/platform/files/files.js'
import { HttpError } from '../../src/platform/http/http.js'
import { createHttpClient } from '../../src/platform/http/node-http.js'
import { readNetworkSettings } from '../../src/platform/network/network.js'
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY, SERVER_CERTIFICATE, SERVER_KEY } from './certificates.js'
import { listen, type ProxySetup, startProxy } from './proxy.js'

const PASSWORD = 'very-secret'
const folder = mkdtempSync(join(tmpdir(), 'kedge-network-'))
const inFolder = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const KEDGE_EXTRA_CA_CERTS = inFolder('ca.pem', AUTHORITY)

const answer: RequestListener = (asked, response) => {
  const client = 'getPeerCertificate' in asked.socket ? (asked.socket as TLSSocket).getPeerCertificate() : undefined
  response.end(`${asked.headers.host} ${asked.url} ${client?.subject?.CN ?? 'nobody'}`)
}
const tls = { key: SERVER_KEY, cert: SERVER_CERTIFICATE, ca: AUTHORITY, requestCert: true, rejectUnauthorized: false }
const plain = createServer(answer)
const secure = createSecureServer(tls, answer)
let ports = { securePort: 0, plainPort: 0 }
before(async () => {
  ports = { securePort: await listen(secure), plainPort: await listen(plain) }
})
after(async () => {
  for (const server of [plain, secure]) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  rmSync(folder, { recursive: true })
})

async function open(env: Record<string, string>, connectMs = 5000) {
  const network = await readNetworkSettings({ KEDGE_EXTRA_CA_CERTS, ...env }, nodeFiles)
  const http = createHttpClient({ connectMs })
  return {
    async get(url: string, { signal = new AbortController().signal, timeoutMs = 5000 } = {}) {
      try {
        const response = await http.request({
          method: 'GET',
          url: new URL(url),
          headers: {},
          signal,
          timeoutMs,
          network,
        })
        let text = ''
        for await (const piece of response.body) text += piece
        return `${response.status} ${text}`
      } catch (error) {
        assert.ok(error instanceof HttpError, String(error))
        assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}`, new RegExp(PASSWORD))
        return `${error.code} ${error.reason}`
      }
    },
    [Symbol.dispose]: () => http.close(),
  }
}

/** How each answers for a host that is behind it: a tunnel, and a request that is passed on. */
const KINDS: Record<
  string,
  { setup: Omit<ProxySetup, 'securePort' | 'plainPort'>; login?: string; https: RegExp; http: RegExp }
> = {
  'a plain one': { setup: {}, https: /^200 site\.example/, http: /^200 site\.example/ },
  'one that wants a password': {
    setup: { login: `me:${PASSWORD}` },
    login: `me:${PASSWORD}@`,
    https: /^200 site\.example/,
    http: /^200 site\.example/,
  },
  'one that wants another password': {
    setup: { login: 'me:other' },
    login: `me:${PASSWORD}@`,
    https: /^connection_failed PROXY_AUTH$/,
    http: /^connection_failed PROXY_AUTH$/,
  },
  'one that cuts': {
    setup: { behavior: 'cuts' },
    https: /^connection_failed (?:PROXY_CUT|ECONNRESET)$/,
    http: /^connection_failed ECONNRESET$/,
  },
  'one that lies': {
    setup: { behavior: 'lies' },
    https: /^connection_failed PROXY_NO_TUNNEL$/,
    // What it says is no answer of a model; that is told by its type, above this layer.
    http: /^200 <html>/,
  },
}
for (const [kind, { setup, login = '', https, http }] of Object.entries(KINDS)) {
  test(`${kind}: through it, around it, and on this computer, for both kinds of addresses`, async () => {
    await using proxy = await startProxy({ ...setup, ...ports })
    const env = {
      HTTPS_PROXY: `http://${login}127.0.0.1:${proxy.port}`,
      HTTP_PROXY: `http://${login}127.0.0.1:${proxy.port}`,
    }
    using client = await open(env)
    assert.match(await client.get('https://site.example/a?b'), https)
    assert.match(await client.get('http://site.example/a?b'), http)
    assert.deepEqual(proxy.log.splice(0).slice(0, 2), ['CONNECT site.example:443', 'GET http://site.example/a?b'])

    using around = await open({ ...env, NO_PROXY: '0.0.0.0/8' })
    assert.match(await around.get(`https://0.0.0.0:${ports.securePort}/`), /^200 0\.0\.0\.0/)
    assert.match(await around.get(`http://0.0.0.0:${ports.plainPort}/`), /^200 0\.0\.0\.0/)
    assert.match(await client.get(`https://127.0.0.1:${ports.securePort}/`), /^200 127\.0\.0\.1/)
    assert.match(await client.get(`http://127.0.0.1:${ports.plainPort}/`), /^200 127\.0\.0\.1/)
    assert.deepEqual(proxy.log, [])
  })
}

test('a proxy that is spoken to in private', async () => {
  await using proxy = await startProxy({ encrypted: true, login: 'me:x', ...ports })
  using client = await open({ ALL_PROXY: `https://me:x@localhost:${proxy.port}` })
  assert.match(await client.get('https://site.example/'), /^200 site\.example/)
  assert.match(await client.get('http://site.example/'), /^200 site\.example/)
})

test('a tunnel is kept and used again; one that was closed meanwhile is opened anew', async () => {
  await using proxy = await startProxy(ports)
  using client = await open({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })
  for (let i = 0; i < 10; i++) assert.match(await client.get(`https://site.example/${i}`), /^200/)
  assert.equal(proxy.log.length, 1)
  secure.closeIdleConnections()
  assert.match(await client.get('https://site.example/'), /^200/)
  assert.ok(proxy.log.length <= 3, `${proxy.log.length} tunnels`)
})

test('a silent proxy is given up, and nothing stays open to it, also when the request is taken back', async () => {
  await using proxy = await startProxy({ behavior: 'is silent', ...ports })
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
  using hasty = await open(env, 50)
  assert.equal(await hasty.get('https://site.example/'), 'connection_failed PROXY_SILENT')
  while (proxy.open() > 0) await new Promise((resolve) => setImmediate(resolve))
  // On a busy machine the first one is given up before the proxy reads it.
  const before = proxy.log.length
  using patient = await open(env, 60_000)
  const taken = new AbortController()
  const waiting = patient.get('https://site.example/', { signal: taken.signal, timeoutMs: 60_000 })
  while (proxy.log.length === before) await new Promise((resolve) => setImmediate(resolve))
  taken.abort()
  assert.equal(await waiting, 'aborted aborted')
  while (proxy.open() > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('a proxy that refuses the host, and one that is not there', async () => {
  await using proxy = await startProxy({ behavior: 'refuses', ...ports })
  using refused = await open({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })
  assert.equal(await refused.get('https://site.example/'), 'connection_failed PROXY_STATUS_403')
  using gone = await open({ HTTPS_PROXY: 'http://127.0.0.1:1' })
  assert.equal(await gone.get('https://site.example/'), 'connection_failed PROXY_ECONNREFUSED')
})

test('a certificate that nobody vouches for is refused inside of a tunnel too', async () => {
  await using proxy = await startProxy(ports)
  using client = await open({ KEDGE_EXTRA_CA_CERTS: '', HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })
  assert.match(await client.get('https://site.example/'), /^connection_failed (?:UNABLE_TO_VERIFY|SELF_SIGNED)/)
  using other = await open({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })
  assert.equal(await other.get('https://other.example/'), 'connection_failed ERR_TLS_CERT_ALTNAME_INVALID')
})

test('a certificate of our own is shown to the host, straight and through a proxy, and to no one else', async () => {
  await using proxy = await startProxy(ports)
  const own = {
    CLAUDE_CODE_CLIENT_CERT: inFolder('client.pem', CLIENT_CERTIFICATE),
    CLAUDE_CODE_CLIENT_KEY: inFolder('client.key', CLIENT_KEY),
    CLAUDE_CODE_CLIENT_KEY_PASSPHRASE: 'made-up',
  }
  using client = await open({ ...own, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` })
  assert.equal(await client.get('https://site.example/'), '200 site.example / kedge-test-client')
  assert.match(await client.get(`https://127.0.0.1:${ports.securePort}/`), /kedge-test-client$/)
  using wrong = await open({ ...own, CLAUDE_CODE_CLIENT_KEY_PASSPHRASE: 'other' })
  assert.equal(await wrong.get(`https://127.0.0.1:${ports.securePort}/`), 'connection_failed CLIENT_CERTIFICATE')
})
