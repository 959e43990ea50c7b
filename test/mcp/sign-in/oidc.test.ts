/** Signing in to a server of a real authorization server (oidc-provider), by the command and in sessions. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { describe } from 'node:test'
import type { Options } from 'kedge'
import { sampledTest as test } from '../../support/tier.js'
import { openSession, type Session } from '../session.js'
import { visit } from './browser.js'
import { configureServers, kedge, recordingBrowser, signInFile, startKedge } from './command.js'
import { type OidcWorld, startOidcWorld } from './oidc-world.js'

async function openSignedOut(world: OidcWorld, more: Options = {}): Promise<Session> {
  const tracker = { type: 'http', url: world.server.url } as const
  const session = await openSession({
    mcpServers: { tracker },
    mcpSignIns: true,
    allowedTools: ['mcp__tracker'],
    ...more,
  })
  configureServers(session.options, { tracker })
  return session
}

/** As a person on this machine: the browser opens, and comes back by itself. */
async function signIn(session: Session) {
  const browser = recordingBrowser(session.options)
  const login = startKedge(session.options, ['mcp', 'login', 'tracker'], browser.more)
  const page = await visit(await browser.opened())
  return { page, ...(await login.ended) }
}

const homeOf = ({ options: { env } }: Session) => ({ HOME: env['HOME'], CLAUDE_CONFIG_DIR: env['CLAUDE_CONFIG_DIR'] })

describe('signing in, with oidc-provider', () => {
  test('in the browser: discovery, registration, PKCE, a page that says so; a running session goes on with it', async () => {
    await using world = await startOidcWorld()
    await using session = await openSignedOut(world)
    const before = await session.until('tracker', ({ status }) => status !== 'pending')
    assert.equal(before.status, 'needs-auth')
    assert.match(String(before.error), /run `kedge mcp login tracker`/)
    assert.deepEqual(before.auth?.authorizationServers, [world.issuer])

    const { page, code, stdout } = await signIn(session)
    assert.equal(page.status, 200)
    assert.match(page.text, /Signed in to tracker/)
    assert.deepEqual([code, /Signed in to tracker\. It has 2 tools\./.test(stdout)], [0, true], stdout)
    assert.ok(world.asked.includes('POST /reg'), world.asked.join('\n'))

    await session.running.reconnectMcpServer('tracker')
    await session.ready('tracker')
    assert.equal((await session.call('mcp__tracker__read')).text, 'did read')
  })

  test('a session that wants a sign-in is connected at its next turn, without being told', async () => {
    await using world = await startOidcWorld()
    await using session = await openSignedOut(world)
    await session.until('tracker', ({ status }) => status === 'needs-auth')
    await signIn(session)
    assert.equal((await session.call('mcp__tracker__read')).text, 'did read')
  })

  test('tokens are in a file for the user alone, and nowhere else', async () => {
    await using world = await startOidcWorld()
    await using session = await openSignedOut(world)
    const { stdout, stderr } = await signIn(session)
    const file = signInFile(session.options)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    const { access_token: access, refresh_token: refresh } = kept.signIns[0].tokens
    const said: string[] = []
    const debugging = await openSession({
      mcpServers: { tracker: { type: 'http', url: world.server.url } },
      mcpSignIns: true,
      allowedTools: ['mcp__tracker'],
      debug: true,
      stderr: (text) => void said.push(text),
      env: homeOf(session),
    })
    await debugging.call('mcp__tracker__read')
    const everything = [stdout, stderr, ...said, JSON.stringify(debugging.model.requests)].join('\n')
    await debugging[Symbol.asyncDispose]()
    for (const secret of [access, refresh]) assert.ok(!everything.includes(secret))
    const status = await kedge(session.options, 'mcp', 'status', '--json')
    assert.ok(![access, refresh].some((secret) => status.stdout.includes(secret)))
  })

  test('without a browser: the address it ended at is pasted, and that of another sign-in is not taken', async () => {
    await using world = await startOidcWorld()
    await using session = await openSignedOut(world)
    const login = startKedge(session.options, ['mcp', 'login', '--no-browser', 'tracker'])
    const address = await login.address()
    const redirect = new URL(address).searchParams.get('redirect_uri') ?? ''
    const { url } = await visit(address, redirect)
    const foreign = new URL(url)
    foreign.searchParams.set('state', 'of another sign-in')
    login.paste(foreign.href)
    login.paste('http://localhost/?nothing')
    login.paste(url)
    const { code, stdout, stderr } = await login.ended
    assert.equal(code, 0, stderr)
    assert.match(stderr, /belongs to another sign-in/)
    assert.match(stdout, /Signed in to tracker/)
  })

  test('a token that is over is renewed once, whoever finds out, and the new one is kept for all', async () => {
    await using world = await startOidcWorld()
    await using session = await openSignedOut(world)
    await signIn(session)
    const second = await openSession({
      mcpServers: { tracker: { type: 'http', url: world.server.url } },
      mcpSignIns: true,
      allowedTools: ['mcp__tracker'],
      env: homeOf(session),
    })
    const sessions = [session, second]
    for (const one of sessions) assert.equal((await one.call('mcp__tracker__read')).text, 'did read')
    const old = JSON.parse(readFileSync(signInFile(session.options), 'utf8')).signIns[0].tokens.access_token
    world.server.refused.add(old)
    const tokenRequests = () => world.asked.filter((path) => path === 'POST /token').length
    const before = tokenRequests()
    const answers = await Promise.all(sessions.map((one) => one.call('mcp__tracker__read')))
    await second[Symbol.asyncDispose]()
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['did read', 'did read'],
    )
    // A second refresh with the same token would have ended the whole sign-in there.
    assert.equal(tokenRequests() - before, 1)
  })

  test('a call that needs more rights says so; after the next sign-in it works, and the server was never gone', async () => {
    await using world = await startOidcWorld()
    await using session = await openSignedOut(world)
    await signIn(session)
    const refused = await session.call('mcp__tracker__write')
    assert.equal(refused.isError, true)
    assert.match(refused.text, /wants more rights \(tools:write\).*kedge mcp login tracker/)
    assert.equal((await session.ready('tracker')).status, 'connected')
    const status = await kedge(session.options, 'mcp', 'status', 'tracker')
    assert.match(status.stdout, /the server wants more rights/)
    const { code, stderr } = await signIn(session)
    assert.equal(code, 0, stderr)
    assert.equal((await session.call('mcp__tracker__write')).text, 'did write')
    assert.equal((await session.call('mcp__tracker__read')).text, 'did read')
  })

  test('logout revokes the tokens there, and forgets them here', async () => {
    await using world = await startOidcWorld()
    await using session = await openSignedOut(world)
    await signIn(session)
    const status = JSON.parse((await kedge(session.options, 'mcp', 'status', '--json')).stdout)
    assert.deepEqual(
      status.servers.map(({ name, signedIn, authorizationServer, canRenew }: Record<string, unknown>) => [
        ...[name, signedIn, authorizationServer, canRenew],
      ]),
      [['tracker', true, world.issuer, true]],
    )
    const { code, stdout } = await kedge(session.options, 'mcp', 'logout', 'tracker')
    assert.deepEqual([code, stdout], [0, 'Signed out of tracker.\n'])
    assert.equal(world.asked.filter((path) => path === 'POST /token/revocation').length, 2)
    const kept = JSON.parse(readFileSync(signInFile(session.options), 'utf8'))
    assert.deepEqual(kept.signIns, [])
    assert.equal(
      (await kedge(session.options, 'mcp', 'logout', 'tracker')).stdout,
      'You are not signed in to tracker.\n',
    )
    await session.running.reconnectMcpServer('tracker').catch(() => {})
    assert.equal((await session.until('tracker', ({ status }) => status !== 'pending')).status, 'needs-auth')
  })

  test('who refuses is not signed in, and the page and the command say why', async () => {
    await using world = await startOidcWorld()
    await using session = await openSignedOut(world)
    const browser = recordingBrowser(session.options)
    const login = startKedge(session.options, ['mcp', 'login', 'tracker'], browser.more)
    const address = new URL(await browser.opened())
    const back = new URL(address.searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', 'no <b>thanks</b>')
    back.searchParams.set('state', address.searchParams.get('state') ?? '')
    const page = await visit(back.href)
    assert.deepEqual([page.status, page.text.includes('<b>'), /access_denied/.test(page.text)], [400, false, true])
    const { code, stderr } = await login.ended
    assert.equal(code, 1)
    assert.match(stderr, /not signed in to tracker: The authorization server refused: access_denied/)
  })
})
