/** Tokens that a host gives (`getMcpToken`), and what goes before and after them. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { GetMcpToken, McpTokenRequest, Options } from 'kedge'
import { isolationsOf } from '../../support/tier.js'
import { openSession } from '../session.js'
import { type GuardedServer, startGuardedServer } from './guarded-server.js'

const SCOPES: Record<string, string[]> = { narrow: ['tools:read'], wide: ['tools:read', 'tools:write'] }

const startServer = () =>
  startGuardedServer({
    check: (token) => (SCOPES[token] ? { scopes: SCOPES[token] } : undefined),
    describe: (url) => ({ resource: url, authorization_servers: ['https://login.example.com'] }),
    challenge: ', scope="tools:read"',
  })

/** A host with a list of answers. */
function host(...answers: (string | null | Error)[]) {
  const asked: McpTokenRequest[] = []
  const getMcpToken: GetMcpToken = async (request) => {
    asked.push(request)
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { asked, getMcpToken }
}

const open = (server: GuardedServer, options: Options) =>
  openSession({
    mcpServers: { tracker: { type: 'http', url: server.url } },
    allowedTools: ['mcp__tracker'],
    ...options,
  })

for (const isolation of isolationsOf('a host that gives tokens')) {
  describe(`a host that gives tokens (${isolation})`, () => {
    test('is asked before the first request, when a token is over, and when it is not enough', async () => {
      await using server = await startServer()
      const { asked, getMcpToken } = host('yesterdays', 'narrow', 'wide')
      await using session = await open(server, { getMcpToken, isolation })
      await session.ready('tracker')
      assert.equal((await session.call('mcp__tracker__read')).text, 'did read')
      assert.equal((await session.call('mcp__tracker__write')).text, 'did write')
      const metadata = server.url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')
      const common = { server: 'tracker', url: server.url }
      assert.deepEqual(asked, [
        { ...common, reason: 'connect' },
        { ...common, reason: 'rejected', scopes: ['tools:read'], resourceMetadataUrl: metadata },
        { ...common, reason: 'insufficient_scope', scopes: ['tools:write'], resourceMetadataUrl: metadata },
      ])
      assert.equal(server.tokens[0], 'Bearer yesterdays')
    })

    test('and has none: the server needs a sign-in, and the host hears of it once', async () => {
      await using server = await startServer()
      const { asked, getMcpToken } = host(null, null)
      await using session = await open(server, { getMcpToken, isolation, includeNotices: true })
      const status = await session.until('tracker', (one) => one.status !== 'pending')
      assert.equal(status.status, 'needs-auth')
      assert.match(String(status.error), /getMcpToken gave no token/)
      assert.deepEqual(status.auth?.scopes, ['tools:read'])
      assert.equal(asked.length, 2)
      const { messages } = await session.say('Hello.')
      const again = await session.say('Hello again.')
      const told = [...messages, ...again.messages].filter(
        (message) =>
          message.type === 'system' && message.subtype === 'informational' && message.code === 'mcp_needs_sign_in',
      )
      assert.equal(told.length, 1)
      assert.deepEqual('details' in (told[0] ?? {}) && (told[0] as { details: object }).details, {
        server: 'tracker',
        scopes: 'tools:read',
      })
    })

    test('that fails, or gives what is no token, is named, and the token is not', async () => {
      await using server = await startServer()
      const failing = host(new Error('the vault is closed'))
      await using first = await open(server, { getMcpToken: failing.getMcpToken, isolation })
      assert.match(
        String((await first.until('tracker', (one) => one.status === 'failed')).error),
        /the vault is closed/,
      )
      const odd = host('hunter2\r\nX-Evil: 1')
      await using second = await open(server, { getMcpToken: odd.getMcpToken, isolation })
      const { error } = await second.until('tracker', (one) => one.status === 'failed')
      assert.match(String(error), /getMcpToken must return a token/)
      assert.doesNotMatch(String(error), /hunter2/)
      assert.deepEqual(server.tokens, [])
    })

    test('is not asked for a server whose configuration has a header of its own', async () => {
      await using server = await startServer()
      const { asked, getMcpToken } = host('wide')
      const tracker = { type: 'http', url: server.url, headers: { Authorization: 'Bearer narrow' } } as const
      await using session = await open(server, { getMcpToken, isolation, mcpServers: { tracker } })
      await session.ready('tracker')
      assert.deepEqual(asked, [])
      assert.ok(server.tokens.every((token) => token === 'Bearer narrow'))
    })
  })
}

test('a token is in no timeline', async () => {
  await using server = await startServer()
  const said: string[] = []
  const { getMcpToken } = host('narrow', null)
  await using session = await open(server, {
    getMcpToken,
    debug: true,
    stderr: (text) => void said.push(text),
    env: { DEBUG_CLAUDE_AGENT_SDK: '1' },
  })
  await session.ready('tracker')
  assert.match(said.join(''), /mcp_token/)
  assert.doesNotMatch(said.join(''), /narrow/)
})

test('a token goes to no other origin, where the server may redirect a request to', async () => {
  const elsewhere: (string | undefined)[] = []
  const other = createServer((request, response) => {
    elsewhere.push(request.headers.authorization)
    response.end()
  })
  await new Promise<void>((resolve) => other.listen(0, 'localhost', resolve))
  const location = `http://localhost:${(other.address() as AddressInfo).port}/mcp`
  const redirecting = createServer((_request, response) => response.writeHead(307, { location }).end())
  await new Promise<void>((resolve) => redirecting.listen(0, 'localhost', resolve))
  const url = `http://localhost:${(redirecting.address() as AddressInfo).port}/mcp`
  const { asked, getMcpToken } = host('narrow')
  await using session = await openSession({ mcpServers: { tracker: { type: 'http', url } }, getMcpToken })
  await session.until('tracker', ({ status }) => status === 'failed')
  assert.equal(asked.length, 1)
  assert.ok(elsewhere.every((token) => token === undefined))
  for (const server of [other, redirecting]) {
    server.closeAllConnections()
    server.close()
  }
})

test('without a host that gives tokens, and without sign-ins, the advice names both', async () => {
  await using server = await startServer()
  await using session = await open(server, {})
  const { status, error } = await session.until('tracker', (one) => one.status !== 'pending')
  assert.equal(status, 'needs-auth')
  assert.match(String(error), /`getMcpToken`, `headers`, or `headersHelper`, or set `mcpSignIns`/)
})
