import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JSONRPCMessage, McpServerConfig } from '../../protocol/mcp-servers.js'
import { settleConversation } from '../../runtime/test-conversation.js'
import { NoAnswerWantedError } from '../../transport/peer.js'
import { createSdkMcpServer, tool } from './create-server.js'
import { createHostServers } from './host-servers.js'
import type { HostTransport } from './server-link.js'

const never = new AbortController().signal
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
const named = (name: string, said = name) =>
  createSdkMcpServer({ name, tools: [tool('say', 'Says its name.', {}, async () => text(said))] })

/** A server object of somebody's MCP library: takes one connection, does what the test says. */
function foreign() {
  const seen: JSONRPCMessage[] = []
  let transport: HostTransport | undefined
  const instance = {
    async connect(given: unknown) {
      transport = given as HostTransport
      transport.onmessage = (message) => void seen.push(message)
      await transport.start()
    },
    async close() {
      await transport?.close()
    },
  }
  const config = { type: 'sdk', name: 'foreign', instance } as unknown as McpServerConfig
  return {
    seen,
    config,
    say: (message: object) => transport?.send({ jsonrpc: '2.0', ...message }),
    transport: () => transport,
  }
}

function start(servers: Record<string, McpServerConfig> | undefined, answer: () => Promise<object> = async () => ({})) {
  const told: unknown[] = []
  const hosts = createHostServers({
    servers,
    tell: async (request) => {
      told.push(request)
      return (await answer()) as Record<string, unknown>
    },
    sessionId: () => 'session-1',
  })
  const ask = (server_name: string, message: object, signal = never) =>
    hosts.handle({ subtype: 'mcp_message', server_name, message: { jsonrpc: '2.0', ...message } }, signal)
  const say = async (name: string) => {
    const answered = await ask(name, { id: 1, method: 'tools/call', params: { name: 'say' } })
    return (answered['mcp_response'] as { result: ReturnType<typeof text> }).result.content[0]?.text
  }
  return { hosts, told, ask, say }
}

describe('servers in this process', () => {
  it('are those of the options that live here', async () => {
    const { hosts, say } = start({ a: named('a'), other: { command: 'npx' }, b: named('b') })
    assert.deepEqual(hosts.names(), ['a', 'b'])
    assert.deepEqual([await say('a'), await say('b')], ['a', 'b'])
    assert.deepEqual(start(undefined).hosts.names(), [])
  })

  it('that nobody knows are refused by name', async () => {
    const { ask } = start({})
    await assert.rejects(ask('x', { id: 1, method: 'ping' }), { message: 'SDK MCP server not found: x' })
  })

  it('say beforehand what they would answer, where they are ours', () => {
    const manifests = start({ a: named('a'), f: foreign().config }).hosts.manifests() ?? {}
    assert.deepEqual(Object.keys(manifests), ['a'])
    assert.equal(start({ f: foreign().config }).hosts.manifests(), undefined)
  })

  it('take only messages', async () => {
    const { hosts } = start({ a: named('a') })
    for (const message of [undefined, 7, null, { method: 7 }, { method: 'x', params: [] }])
      await assert.rejects(hosts.handle({ server_name: 'a', message }, never), /carries no JSON-RPC message/)
  })

  it('answer notifications with a nod', async () => {
    const { ask } = start({ a: named('a') })
    assert.deepEqual(await ask('a', { method: 'notifications/initialized' }), {
      mcp_response: { jsonrpc: '2.0', result: {}, id: 0 },
    })
  })
})

describe('servers that are added', () => {
  it('stand beside the others, and may be taken back', async () => {
    const { hosts, say } = start({ a: named('a', 'old') })
    const { replaced, undo } = hosts.add({ a: named('a', 'new'), b: named('b'), c: { command: 'x' } })
    assert.deepEqual([replaced, hosts.names()], [['a'], ['a', 'b']])
    assert.equal(await say('a'), 'new')
    undo()
    assert.deepEqual([hosts.names(), await say('a')], [['a'], 'old'])
  })

  it('take the place of others, which are closed', async () => {
    const old = foreign()
    const { hosts, ask, say } = start({ a: old.config })
    await ask('a', { method: 'notifications/initialized' })
    let isClosed = false
    const transport = old.transport()
    if (transport) transport.onclose = () => (isClosed = true)
    hosts.add({ a: named('a', 'new') }).keep()
    await settleConversation()
    assert.deepEqual([isClosed, await say('a')], [true, 'new'])
  })

  it('that are the same object stay as they are', () => {
    const same = named('a')
    assert.deepEqual(start({ a: same }).hosts.add({ a: same }).replaced, [])
  })

  it('are gone when they are removed, or when all is over', async () => {
    const { hosts, ask } = start({ a: named('a'), b: named('b') })
    hosts.remove(['a', 'unheard-of'])
    assert.deepEqual(hosts.names(), ['b'])
    hosts.close()
    await assert.rejects(ask('b', { id: 1, method: 'ping' }))
  })
})

describe('a server of somebody’s library', () => {
  it('gets requests under ids of its own, and its answers find back', async () => {
    const { config, seen, say } = foreign()
    const { ask } = start({ f: config })
    const first = ask('f', { id: 'x', method: 'tools/list' })
    const second = ask('f', { id: 'y', method: 'ping' })
    await settleConversation()
    assert.deepEqual(
      seen.map(({ id, method }) => [id, method]),
      [
        [0, 'tools/list'],
        [1, 'ping'],
      ],
    )
    await say({ id: 1, result: { two: 2 } })
    await say({ id: 0, result: { one: 1 } })
    assert.deepEqual(await first, { mcp_response: { jsonrpc: '2.0', id: 'x', result: { one: 1 } } })
    assert.deepEqual(await second, { mcp_response: { jsonrpc: '2.0', id: 'y', result: { two: 2 } } })
  })

  it('is asked once for an id that is still open', async () => {
    const { ask } = start({ f: foreign().config })
    void ask('f', { id: 1, method: 'ping' }).catch(() => {})
    const { mcp_response: again } = await ask('f', { id: 1, method: 'ping' })
    assert.deepEqual((again as JSONRPCMessage).error, { code: -32600, message: 'The id 1 is still in use' })
  })

  it('hears that a request was given up', async () => {
    const { config, seen } = foreign()
    const stop = new AbortController()
    const asked = start({ f: config }).ask('f', { id: 1, method: 'tools/call' }, stop.signal)
    await settleConversation()
    stop.abort()
    await assert.rejects(asked, NoAnswerWantedError)
    assert.deepEqual(seen.at(-1), {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 0, reason: 'The request was canceled.' },
    })
  })

  it('asks the agent, whose answer or error it gets', async () => {
    const { config, seen, say } = foreign()
    const answers = [
      async () => ({ mcp_response: { jsonrpc: '2.0', id: 5, result: { roots: [] } } }),
      async () => {
        throw new Error('not now')
      },
    ]
    const { ask, told } = start({ f: config }, () => answers.shift()?.() ?? Promise.resolve({}))
    await ask('f', { method: 'notifications/initialized' })
    await say({ id: 5, method: 'roots/list' })
    await settleConversation()
    assert.deepEqual(told, [
      { subtype: 'mcp_message', server_name: 'f', message: { jsonrpc: '2.0', id: 5, method: 'roots/list' } },
    ])
    assert.deepEqual(seen.at(-1), { jsonrpc: '2.0', id: 5, result: { roots: [] } })
    await say({ id: 6, method: 'roots/list' })
    await settleConversation()
    assert.deepEqual(seen.at(-1), { jsonrpc: '2.0', id: 6, error: { code: -32603, message: 'not now' } })
  })

  it('that ends the connection leaves no request open', async () => {
    const { config, transport } = foreign()
    const asked = start({ f: config }).ask('f', { id: 1, method: 'ping' })
    await settleConversation()
    await transport()?.close()
    const { mcp_response: answer } = await asked
    assert.deepEqual((answer as JSONRPCMessage).error, { code: -32000, message: 'Connection closed' })
  })

  it('is shared by queries, and free again when the last is over', async () => {
    const { config, seen, say, transport } = foreign()
    const [one, two] = [start({ f: config }), start({ f: config })]
    const asked = [one.ask('f', { id: 1, method: 'ping' }), two.ask('f', { id: 1, method: 'ping' })]
    await settleConversation()
    const shared = transport()
    assert.equal(seen.length, 2)
    await say({ id: 1, result: { for: 'two' } })
    await say({ id: 0, result: { for: 'one' } })
    const answers = await Promise.all(asked)
    assert.deepEqual(
      answers.map(({ mcp_response }) => (mcp_response as JSONRPCMessage).result),
      [{ for: 'one' }, { for: 'two' }],
    )
    await say({ method: 'notifications/tools/list_changed' })
    assert.deepEqual([one.told.length, two.told.length], [1, 1])
    one.hosts.close()
    await settleConversation()
    await say({ method: 'notifications/tools/list_changed' })
    assert.deepEqual([one.told.length, two.told.length], [1, 2])
    two.hosts.close()
    await settleConversation()
    const three = start({ f: config })
    void three.ask('f', { id: 1, method: 'ping' }).catch(() => {})
    await settleConversation()
    assert.notEqual(transport(), shared)
  })
})
