/** `kedge mcp login`, `logout`, and `status` where there is nothing to sign in to, and with a client that was registered by hand. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { testOptions } from 'kedge/testing'
import { rowsInPart, sampledTest as test } from '../../support/tier.js'
import { startBentWorld } from './bent-world.js'
import { visit } from './browser.js'
import { configureServers, kedge, signInFile, startKedge } from './command.js'

const home = () => testOptions({ env: () => ({}) })

test('what can not be signed in to is named, with what to do', async () => {
  await using options = home()
  const url = 'http://127.0.0.1:9/mcp'
  configureServers(options, {
    program: { command: 'node' },
    own: { type: 'http', url, headers: { authorization: 'Bearer x' } },
    helped: { type: 'http', url, headersHelper: 'true' },
    odd: { type: 'http', url, oauth: { callbackPort: 99_999 } },
    away: { type: 'http', url },
  })
  const rows = [
    ['nobody', /^error: there's no MCP server named nobody\. `kedge mcp list` lists all servers\.\n$/],
    ['program', /^error: program is a program\. Only servers at an address have a sign-in\.\n$/],
    ['own', /^error: own has its own headers in its configuration\. Remove Authorization to sign in\.\n$/],
    ['helped', /Remove `headersHelper` to sign in/],
    ['odd', /`oauth\.callbackPort` must be a port/],
    ['away', /^error: .*(?:ECONNREFUSED|connection failed)/],
  ] as const
  for (const [name, says] of rowsInPart(rows)) {
    const { code, stdout, stderr } = await kedge(options, 'mcp', 'login', name)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, says)
  }
  const status = await kedge(options, 'mcp', 'status', '--json')
  assert.deepEqual(JSON.parse(status.stdout), { servers: [{ name: 'away', url, signedIn: false }] })
  assert.equal((await kedge(options, 'mcp', 'status')).stdout, 'away: not signed in (kedge mcp login away)\n')
  assert.equal((await kedge(options, 'mcp', 'logout', 'away')).stdout, 'You are not signed in to away.\n')
  assert.equal((await kedge(options, 'mcp', 'logout', 'nobody')).code, 1)
})

test('a client that was registered by hand: its secret comes from the environment, and goes to its own authorization server', async () => {
  await using world = await startBentWorld({
    metadata: () => ({
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      registration_endpoint: undefined,
    }),
  })
  await using options = home()
  const oauth = { clientId: 'mine', issuer: world.issuer, scopes: ['tools:read'] }
  configureServers(options, { tracker: { type: 'http', url: world.server.url, oauth } })
  const login = startKedge(options, ['mcp', 'login', '--no-browser', 'tracker'], {
    MCP_CLIENT_SECRET: 'hunter2-secret',
  })
  const address = new URL(await login.address())
  assert.equal(address.searchParams.get('client_id'), 'mine')
  assert.equal(address.searchParams.get('scope'), 'tools:read')
  login.paste((await visit(address.href, address.searchParams.get('redirect_uri') ?? '')).url)
  const { code, stdout, stderr } = await login.ended
  assert.equal(code, 0, stderr)
  assert.doesNotMatch(stdout + stderr, /hunter2/)
  const token = world.asked.find(({ path }) => path === 'POST /token')
  assert.equal(token?.authorization, `Basic ${Buffer.from('mine:hunter2-secret').toString('base64')}`)
  assert.equal(world.asked.filter(({ path }) => path === 'POST /register').length, 0)
  // To renew the token later; for the user alone.
  assert.match(readFileSync(signInFile(options), 'utf8'), /hunter2-secret/)
  const again = await kedge(options, 'mcp', 'login', 'tracker')
  assert.deepEqual([again.code, again.stdout], [0, 'You are signed in to tracker.\n'])
})

test('a server that does not take the token it gave is no success', async () => {
  await using world = await startBentWorld({ tokens: { access_token: 'for-somebody-else' } })
  await using options = home()
  configureServers(options, { tracker: { type: 'http', url: world.server.url } })
  const login = startKedge(options, ['mcp', 'login', '--no-browser', 'tracker'])
  const address = new URL(await login.address())
  login.paste((await visit(address.href, address.searchParams.get('redirect_uri') ?? '')).url)
  const { code, stderr } = await login.ended
  assert.equal(code, 1)
  assert.match(stderr, /signed in to tracker, but it can't be used: The server wants a sign-in \(HTTP 401\)/)
})
