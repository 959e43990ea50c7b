/** badinput.md, section M: MCP servers behind HTTP that misbehave, by id where there is one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { query } from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { addressRefusal } from '../../src/mcp/transports/remote-transport.js'
import { runOdd } from './mcp-run.js'
import { startOddWeb } from './odd-mcp-web.js'

const once: Turn[] = [{ tools: [{ name: 'mcp__odd__ask', input: {} }] }, 'Done.']
const remote = (url: string, more: object = {}) => ({
  mcpServers: { odd: { type: 'http' as const, url, alwaysLoad: true, ...more } },
})

describe('badinput M, over HTTP', { concurrency: 3 }, () => {
  it('M33: a stream that was cut is resumed; nothing is run twice', async () => {
    await using web = await startOddWeb('cut')
    const run = await runOdd('', once, remote(web.url))
    assert.deepEqual(run.results, ['[{"type":"text","text":"resumed"}]'])
    assert.equal(web.executions(), 1)
    assert.ok(web.seen.some(({ method, headers }) => method === 'GET' && headers['last-event-id'] === 'e1'))
  })

  it('M37: a sign-in is never begun by us: needs-auth, with what a host needs; there is nothing to call back', async () => {
    await using web = await startOddWeb('sign-in')
    const { status } = await runOdd('', ['Done.'], remote(web.url))
    assert.equal(status?.status, 'needs-auth')
    assert.match(status?.error ?? '', /headersHelper/)
    assert.deepEqual(status?.auth, {
      resourceMetadataUrl: new URL('/.well-known/oauth-protected-resource', web.url).href,
      authorizationServers: ['https://login.example.com'],
      scopes: ['read', 'write'],
    })
    // Nobody was sent anywhere, no client was registered, no code was exchanged.
    assert.ok(web.seen.every(({ url }) => url === '/mcp' || url?.startsWith('/.well-known/oauth-protected-resource')))
  })

  it('a token of headersHelper opens it; what the helper printed is told to nobody', async () => {
    await using web = await startOddWeb('sign-in')
    const helper = (text: string) => ({ headersHelper: `printf '%s' '${text}'` })
    const run = await runOdd('', once, remote(web.url, helper('{"Authorization":"Bearer good"}')))
    assert.deepEqual(run.results, ['[{"type":"text","text":"done"}]'])
    assert.doesNotMatch(JSON.stringify(run.messages), /Bearer good/)
    for (const [printed, why] of [
      ['not json secret', /must print a JSON object of texts/],
      ['{"A":1}', /must print a JSON object of texts/],
      ['{"A":"x\\ny"}', /can't be used/],
    ] as const) {
      const { status } = await runOdd('', ['Done.'], remote(web.url, helper(printed)))
      assert.equal(status?.status, 'failed')
      assert.match(status?.error ?? '', why)
      assert.doesNotMatch(status?.error ?? '', /secret/)
    }
  })

  it('a redirect to another host is not followed, and gets no header of ours', async () => {
    await using web = await startOddWeb('redirect')
    const { status } = await runOdd('', ['Done.'], remote(web.url, { headers: { 'X-Key': 'secret' } }))
    assert.equal(status?.status, 'failed')
    assert.ok(web.seen.every(({ url }) => url === '/mcp'))
  })

  it('a session that the server forgot is begun anew, and the call is made once', async () => {
    await using web = await startOddWeb('fine')
    await using server = await startModelServer([...once, ...once])
    await using options = testOptions(server, { allowedTools: ['mcp__odd'], ...remote(web.url) })
    const say = (content: string) => ({
      type: 'user' as const,
      message: { role: 'user' as const, content },
      parent_tool_use_id: null,
      session_id: '',
    })
    let goOn = () => {}
    const first = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const prompt = (async function* () {
      yield say('One.')
      await first
      web.forget()
      yield say('Two.')
    })()
    const running = query({ prompt, options })
    const watched = (async function* () {
      for await (const message of running) {
        if (message.type === 'result') goOn()
        yield message
      }
    })()
    const run = await collect(watched)
    assert.equal(run.error, undefined)
    assert.equal(web.executions(), 2)
    assert.equal(web.seen.filter(({ message }) => message?.method === 'initialize').length, 2)
    assert.equal(JSON.stringify(run.messages).split('"text":"done"').length - 1, 4)
  })

  it('a server that is gone is looked for again; meanwhile calls fail with a reason', async () => {
    await using web = await startOddWeb('fine')
    await using server = await startModelServer([...once.slice(0, 1), ...once])
    await using options = testOptions(server, { allowedTools: ['mcp__odd'], ...remote(web.url) })
    const running = query({ prompt: 'Go.', options })
    const watched = (async function* () {
      for await (const message of running) {
        if (message.type === 'system') await web.stop()
        if (message.type === 'user' && !JSON.stringify(message).includes('done')) await web.startAgain()
        yield message
      }
    })()
    const run = await collect(watched)
    const text = JSON.stringify(run.messages)
    assert.match(text, /MCP server odd: connection failed \(ECONNREFUSED\)/)
    assert.match(text, /"text":"done"/)
    assert.equal(web.executions(), 1)
  })

  it('an answer without end is cut off', { timeout: 120_000 }, async () => {
    await using web = await startOddWeb('endless')
    const run = await runOdd('', once, remote(web.url))
    assert.equal(run.results.length, 1)
    assert.match(run.results[0] ?? '', /MCP server odd: /)
  })

  it('where a name leads is judged: as the address says, or as it was allowed', () => {
    const ok = (host: string, address: string, configured = host, allowed = false) =>
      addressRefusal(host, address, configured, allowed) === undefined
    assert.ok(ok('example.com', '93.184.216.34'))
    assert.ok(ok('localhost', '127.0.0.1') && ok('[::1]', '::1') && ok('10.0.0.7', '10.0.0.7'))
    assert.ok(ok('nas', '192.168.1.5') && ok('api.internal', '10.1.1.1'))
    assert.ok(
      !ok('example.com', '127.0.0.1') && !ok('example.com', '10.0.0.7') && !ok('example.com', '169.254.169.254'),
    )
    assert.ok(ok('example.com', '10.0.0.7', 'example.com', true))
    // Only the host of the configuration itself: not where a server sends us.
    assert.ok(!ok('10.0.0.7', '10.0.0.7', 'example.com', true) && !ok('localhost', '127.0.0.1', 'example.com', true))
  })
})
