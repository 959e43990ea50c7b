/** Servers and authorization servers that lie: a clear error, no token or secret leaves, and nothing hangs. */
import assert from 'node:assert/strict'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { RemoteSignInConfig } from '../../../src/mcp/server-config.js'
import { readAuthorizationAnswer, readPastedAnswer } from '../../../src/mcp/sign-in/authorization-answer.js'
import { refreshSignIn } from '../../../src/mcp/sign-in/refresh-sign-in.js'
import { signIn } from '../../../src/mcp/sign-in/sign-in.js'
import { createSignInFetch, signInAddressRefusal } from '../../../src/mcp/sign-in/sign-in-fetch.js'
import { createSignInStore, type SignInFile } from '../../../src/mcp/sign-in/sign-in-store.js'
import * as library from '../../../src/mcp/transports/official-client.js'
import { listenForRedirect } from '../../../src/platform/http/redirect-listener.js'
import { directNetwork } from '../../../src/platform/network/network.js'
import { type Bends, type BentWorld, startBentWorld } from './bent-world.js'
import { visit } from './browser.js'

/** A file in memory, one at a time. */
function memoryStore() {
  let value: unknown
  let last: Promise<unknown> = Promise.resolve()
  const file: SignInFile = {
    read: async () => value,
    async update(change) {
      value = change(value)
      return undefined
    },
    exclusively(_name, work) {
      const mine = last.then(work)
      last = mine.catch(() => {})
      return mine
    },
  }
  return createSignInStore(file)
}

const clock = { now: () => 1_000_000 }

type Attempt = { config?: RemoteSignInConfig; challenge?: { scope?: string; resourceMetadataUrl?: string } }

async function attempt(world: BentWorld, { config = {}, challenge = {} }: Attempt = {}, store = memoryStore()) {
  const listener = await listenForRedirect()
  const web = createSignInFetch({
    serverUrl: world.server.url,
    allowPrivateAddress: false,
    network: directNetwork,
    timeoutMs: 2000,
  })
  const server = { server: 'tracker', url: world.server.url }
  try {
    const signedIn = await signIn(server, config, challenge, {
      library,
      store,
      clock,
      fetch: web.fetch,
      redirectUrl: listener.url,
      random: () => 'state-of-this-one',
      async ask(address, state) {
        const { url } = await visit(address.href, listener.url)
        const answer = readAuthorizationAnswer(new URL(url).searchParams, state)
        if ('kind' in answer) throw new Error(answer.problem)
        return answer
      },
    })
    return { signedIn, store, fetch: web.fetch, server }
  } finally {
    listener.close()
  }
}

const pathsOf = ({ asked }: BentWorld) => asked.map(({ path }) => path)

test('without a lie it works', async () => {
  await using world = await startBentWorld()
  const { signedIn } = await attempt(world)
  assert.equal(signedIn.issuer, world.issuer)
  assert.equal(signedIn.expiresAt, 1_000_000 + 3_600_000)
})

type Lie = Attempt & { bends: Bends; says: RegExp; never: RegExp }

/** `never`: what the authorization server must not have been asked for. */
const LIES: Record<string, Lie> = {
  'metadata of another issuer': {
    bends: { metadata: () => ({ issuer: 'https://login.example.com' }) },
    says: /issuer/i,
    never: /register|authorize|token/,
  },
  'an answer in the name of another issuer': {
    bends: { redirect: (query) => query.set('iss', 'https://login.example.com') },
    says: /issuer/i,
    never: /token/,
  },
  'no issuer in the answer of one that promised to name it': {
    bends: { metadata: () => ({ authorization_response_iss_parameter_supported: true }) },
    says: /issuer/i,
    never: /token/,
  },
  'an answer that belongs to another sign-in': {
    bends: { redirect: (query) => query.set('state', 'state-of-another-one') },
    says: /another sign-in/,
    never: /token/,
  },
  'an answer with a second code': {
    bends: { redirect: (query) => query.append('code', 'code-of-somebody-else') },
    says: /code twice/,
    never: /token/,
  },
  'a server that is somebody else, by its own description': {
    bends: { resource: () => ({ resource: 'https://bank.example.com/mcp' }) },
    says: /bank\.example\.com/,
    never: /register|authorize|token/,
  },
  'a description at an address of the cloud': {
    bends: {},
    challenge: { resourceMetadataUrl: 'http://169.254.169.254/latest/meta-data' },
    says: /private address 169\.254\.169\.254/,
    never: /./,
  },
  'an authorization server in the private network': {
    bends: { resource: () => ({ authorization_servers: ['http://10.1.2.3:8080'] }) },
    says: /private address 10\.1\.2\.3/,
    never: /./,
  },
  'a token endpoint in the private network': {
    bends: { metadata: () => ({ token_endpoint: 'https://192.168.0.1/token' }) },
    says: /private address 192\.168\.0\.1/,
    never: /token/,
  },
  'a token endpoint without TLS': {
    bends: { metadata: () => ({ token_endpoint: 'http://login.example.com/token' }) },
    says: /no https address/,
    never: /register|authorize|token/,
  },
  'a page to sign in that is no page': {
    bends: { metadata: () => ({ authorization_endpoint: 'file:///etc/passwd' }) },
    says: /no https address/,
    never: /register|authorize|token/,
  },
  'a script for a page to sign in': {
    bends: { metadata: () => ({ authorization_endpoint: 'javascript:alert(1)' }) },
    says: /./,
    never: /register|authorize|token/,
  },
  'no word about PKCE': {
    bends: { metadata: () => ({ code_challenge_methods_supported: undefined }) },
    says: /PKCE/,
    never: /register|authorize|token/,
  },
  'PKCE that proves nothing': {
    bends: { metadata: () => ({ code_challenge_methods_supported: ['plain'] }) },
    says: /S256/,
    never: /authorize|token/,
  },
  'metadata that leads to another host': {
    bends: {
      handle: (asked, response) => redirect(response, /well-known/.test(asked.url ?? ''), 'https://login.example.com/'),
    },
    says: /redirects to login\.example\.com, which is not followed/,
    never: /register|authorize|token/,
  },
  'metadata that leads to itself for ever': {
    bends: {
      handle: (asked, response, issuer) =>
        redirect(response, /well-known/.test(asked.url ?? ''), `${issuer}${asked.url}`),
    },
    says: /redirects more than 3 times/,
    never: /register|authorize|token/,
  },
  'metadata without an end': {
    bends: { handle: (asked, response) => endless(response, /well-known/.test(asked.url ?? '')) },
    says: /larger than 1 MB/,
    never: /register|authorize|token/,
  },
  'metadata that never comes': {
    bends: { handle: (asked) => /well-known/.test(asked.url ?? '') },
    says: /time/i,
    never: /register|authorize|token/,
  },
  'a token of a kind nobody can use': {
    bends: { tokens: { token_type: 'mac' } },
    says: /type mac/,
    never: /nothing/,
  },
  'tokens that are no tokens': {
    bends: { tokens: { access_token: 7 } },
    says: /access_token|expected string/i,
    never: /nothing/,
  },
  'another authorization server than the configuration says': {
    bends: {},
    config: { clientId: 'mine', clientSecret: 'hunter2-secret', issuer: 'https://login.example.com' },
    says: /its configuration says https:\/\/login\.example\.com/,
    never: /register|authorize|token/,
  },
}

describe('a sign-in ends, and nothing leaves, for', () => {
  for (const [name, { bends, says, never, ...how }] of Object.entries(LIES)) {
    test(name, async () => {
      await using world = await startBentWorld(bends)
      const store = memoryStore()
      await assert.rejects(attempt(world, how, store), says)
      assert.deepEqual(
        pathsOf(world).filter((path) => never.test(path.replace('well-known', ''))),
        [],
      )
      assert.deepEqual(await store.list(), [])
    })
  }
})

function redirect(response: ServerResponse, isMeant: boolean, location: string): boolean {
  if (isMeant) response.writeHead(302, { location }).end()
  return isMeant
}

function endless(response: ServerResponse, isMeant: boolean): boolean {
  if (!isMeant) return false
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
  return true
}

test('a code or a refresh token is not carried to where a token endpoint redirects', async () => {
  const elsewhere: string[] = []
  const other = createServer((asked, response) => {
    elsewhere.push(asked.url ?? '')
    response.end('{}')
  })
  await new Promise<void>((resolve) => other.listen(0, 'localhost', resolve))
  const location = `http://localhost:${(other.address() as AddressInfo).port}/token`
  let isBent = true
  await using world = await startBentWorld({
    handle: (asked, response) => {
      if (asked.url !== '/token' || !isBent) return false
      response.writeHead(307, { location }).end()
      return true
    },
  })
  await assert.rejects(attempt(world), /redirects a request that holds secrets/)
  isBent = false
  const { signedIn, store, fetch, server } = await attempt(world)
  isBent = true
  const ports = { store, fetch, clock, library: async () => library }
  await assert.rejects(refreshSignIn(server, signedIn.tokens?.access_token, ports), /redirects a request/)
  await new Promise<void>((resolve) => other.close(() => resolve()))
  assert.deepEqual(elsewhere, [])
})

test('a server that names another authorization server later gets nothing of what the first one gave', async () => {
  let named: string | undefined
  await using world = await startBentWorld({ resource: () => (named ? { authorization_servers: [named] } : {}) })
  const { signedIn, store, fetch, server } = await attempt(world)
  await using thief = await startBentWorld()
  named = thief.issuer
  const ports = { store, fetch, clock, library: async () => library }
  const renewed = await refreshSignIn(server, signedIn.tokens?.access_token, ports)
  assert.notEqual(renewed?.tokens?.access_token, signedIn.tokens?.access_token)
  assert.deepEqual(thief.asked, [])
  // A new sign-in there begins from nothing: with another client, and no token of the first one.
  const moved = await attempt(world, {}, store)
  assert.equal(moved.signedIn.issuer, thief.issuer)
  const sent = JSON.stringify(thief.asked.map(({ body, authorization }) => [...body, authorization]))
  for (const secret of [signedIn, renewed].flatMap((one) => [one?.tokens?.access_token, one?.tokens?.refresh_token]))
    assert.ok(!sent.includes(`"${secret}"`))
})

test('a client of another authorization server renews nothing', async () => {
  await using world = await startBentWorld()
  const { signedIn, store, fetch, server } = await attempt(world)
  const before = world.asked.length
  await store.save({ ...signedIn, client: { ...signedIn.client, issuer: 'https://login.example.com' } })
  const ports = { store, fetch, clock, library: async () => library }
  assert.equal(await refreshSignIn(server, signedIn.tokens?.access_token, ports), undefined)
  assert.equal(world.asked.length, before)
})

test('two sessions that find a token refused at once refresh it once', async () => {
  await using world = await startBentWorld()
  const { signedIn, store, fetch, server } = await attempt(world)
  const before = pathsOf(world).length
  const ports = { store, fetch, clock, library: async () => library }
  const old = signedIn.tokens?.access_token
  const found = await Promise.all([1, 2, 3].map(() => refreshSignIn(server, old, ports)))
  assert.deepEqual(pathsOf(world).slice(before), ['POST /token'])
  assert.equal(new Set(found.map((one) => one?.tokens?.access_token)).size, 1)
})

test('a refresh token that is over ends the sign-in; a server that is away does not', async () => {
  let status = 200
  await using world = await startBentWorld({
    handle: (asked, response) => {
      if (asked.url !== '/token' || status === 200) return false
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
      return true
    },
  })
  const { signedIn, store, fetch, server } = await attempt(world)
  const ports = { store, fetch, clock, library: async () => library }
  const old = signedIn.tokens?.access_token
  await assert.rejects(
    refreshSignIn(server, old, { ...ports, fetch: () => Promise.reject(new TypeError('away')) }),
    /away/,
  )
  assert.ok((await store.find(server))?.tokens)
  status = 400
  assert.equal(await refreshSignIn(server, old, ports), undefined)
  assert.equal((await store.find(server))?.tokens, undefined)
})

describe('which addresses a sign-in asks', () => {
  const rows: [host: string, address: string, server: string, allow: boolean, ok: boolean][] = [
    ['login.example.com', '93.184.216.34', 'mcp.example.com', false, true],
    ['localhost', '127.0.0.1', 'localhost', false, true],
    ['127.0.0.1', '127.0.0.1', 'localhost', false, true],
    // Not from outside, whatever a name leads to.
    ['localhost', '127.0.0.1', 'mcp.example.com', false, false],
    ['login.example.com', '127.0.0.1', 'mcp.example.com', false, false],
    ['login.example.com', '127.0.0.1', 'localhost', false, false],
    ['login.example.com', '10.0.0.5', 'mcp.example.com', false, false],
    ['169.254.169.254', '169.254.169.254', 'localhost', false, false],
    ['10.0.0.5', '10.0.0.5', '10.0.0.5', false, true],
    ['10.0.0.6', '10.0.0.6', '10.0.0.5', false, false],
    ['login.corp', '10.0.0.6', 'mcp.corp', true, true],
    ['localhost', '127.0.0.1', 'mcp.corp', true, false],
  ]
  for (const [host, address, server, allow, ok] of rows) {
    test(`${host} at ${address} for ${server}${allow ? ', private ones allowed' : ''}`, () => {
      assert.equal(signInAddressRefusal(host, address, server, allow) === undefined, ok)
    })
  }
})

test('what is pasted: an address, its parameters, or a code; nothing else', () => {
  assert.deepEqual(readPastedAnswer(' http://localhost:1/callback?code=a&state=s&iss=i \n', 's'), {
    code: 'a',
    iss: 'i',
  })
  assert.deepEqual(readPastedAnswer('code=a&state=s', 's'), { code: 'a' })
  assert.deepEqual(readPastedAnswer('abc-123', 's'), { code: 'abc-123' })
  for (const text of ['', 'two words', 'http://localhost:1/callback?code=a', 'x'.repeat(10_000)])
    assert.equal('kind' in readPastedAnswer(text, 's') && 'stray', 'stray', text.slice(0, 20))
})

describe('the page a browser comes back to', () => {
  test('takes one answer; a second one, another path, method or host changes nothing', async () => {
    const listener = await listenForRedirect()
    const answered = listener.next((query) => (query.get('state') === 'mine' ? undefined : 'Not <mine>.'))
    const foreign = await visit(`${listener.url}?state=other&code=1`)
    assert.deepEqual([foreign.status, foreign.text.includes('<mine>')], [400, false])
    assert.equal((await visit(listener.url.replace('/callback', '/other'))).status, 404)
    assert.equal((await fetch(listener.url, { method: 'POST' })).status, 405)
    const { port } = new URL(listener.url)
    const status = await new Promise((resolve) => {
      const headers = { host: 'attacker.example.com' }
      request({ host: '127.0.0.1', port, path: '/callback?state=mine&code=2', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end()
    })
    assert.equal(status, 421)
    const page = visit(`${listener.url}?state=mine&code=3`)
    assert.equal((await answered).get('code'), '3')
    assert.equal((await visit(`${listener.url}?state=mine&code=4`)).status, 410)
    listener.show({ title: 'Signed in', text: '<b>', isGood: true })
    const shown = await page
    assert.deepEqual([shown.status, shown.text.includes('<b>')], [200, false])
    listener.close()
  })
})
