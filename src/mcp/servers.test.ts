import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../platform/clock.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import { createMcpServers, type McpServersPorts } from './servers.js'
import {
  createAnsweringServer,
  initializeReply,
  type TestServerReply,
  waitForPendingWork,
} from './test-answering-server.js'
import { createTestClock } from './test-transport.js'

const tool = (name: string, annotations = {}) => ({ name, inputSchema: { type: 'object' }, annotations })
const offering = (...names: string[]): Record<string, TestServerReply> => ({
  initialize: initializeReply({ tools: {} }),
  'tools/list': { tools: names.map((name) => tool(name)) },
})

/** Remote servers answer as told, by name; those of the host too. Nothing is started. */
function start(
  remote: Record<string, Record<string, TestServerReply>> = {},
  host: Record<string, Record<string, TestServerReply>> = {},
) {
  const time = createTestClock()
  const made: Record<string, ReturnType<typeof createAnsweringServer>> = {}
  const asked: string[] = []
  const notes: string[] = []
  let changes = 0
  const ports: McpServersPorts = {
    platform: { clock: time.clock as unknown as Clock, processes: undefined as never },
    cwd: '/repo',
    variables: { TOKEN: 't' },
    limits: { connectMs: 1000, callMs: 1000, outputTokens: 1000 },
    asksInBypass: () => false,
    logLevel: 'warning',
    serverLists: { allowed: undefined, denied: [] },
    clientInfo: { name: 'kedge', version: '1' },
    async sendToHost(server, message: JSONRPCMessage) {
      asked.push(`${server} ${message.method}`)
      const answers = host[server]
      const given = message.method === undefined ? undefined : answers?.[message.method]
      return { jsonrpc: '2.0', id: message.id ?? null, result: given ?? {} }
    },
    openRemote(server) {
      made[server] ??= createAnsweringServer(remote[server] ?? {})
      return made[server].open()
    },
    onRequest: async () => ({}),
    capabilities: () => ({}),
    onChange: () => {
      changes += 1
    },
    onLog: () => {},
    onPageDone: () => {},
    note: (text) => notes.push(text),
    isSignedIn: async () => false,
    tools: { identity: undefined as never } as never,
  }
  const servers = createMcpServers(ports)
  const add = (name: string, value: unknown = { type: 'http', url: 'https://example.com/mcp' }, scope = 'project') =>
    servers.add({ name, value, scope })
  const settled = async () => {
    time.pass(0)
    for (let n = 0; n < 20; n += 1) await waitForPendingWork()
  }
  const toolNames = () => servers.tools().map(({ definition }) => definition.name)
  const stateOf = () => servers.statuses().map(({ name, status }) => `${name} ${status}`)
  return { ...time, servers, add, settled, toolNames, stateOf, made, asked, notes, changes: () => changes }
}

describe('the servers of a session', () => {
  test('are pending, then connected; their tools are named after them', async () => {
    const { add, settled, stateOf, toolNames, servers } = start({
      files: offering('read', 'write'),
      'my web': offering('get'),
    })
    add('files')
    add('my web')
    assert.deepEqual(stateOf(), ['files pending', 'my web pending'])
    assert.deepEqual(toolNames(), [])
    await settled()
    assert.deepEqual(stateOf(), ['files connected', 'my web connected'])
    assert.deepEqual(toolNames(), ['mcp__files__read', 'mcp__files__write', 'mcp__my_web__get'])
    assert.ok(servers.findTool('mcp__files__read'))
    assert.equal(servers.findTool('mcp__files__gone'), undefined)
    assert.deepEqual(servers.words(), [
      ['files', 'files'],
      ['my web', 'my_web'],
    ])
  })

  test('each knows which names of tools could be its own', () => {
    const { add } = start()
    const one = add('my web')
    assert.equal(one.owns('mcp__my_web__anything'), true)
    assert.equal(one.owns('mcp__my_web2__get'), false)
    assert.equal(one.owns('Bash'), false)
  })

  test('a tool is made once, and again when the list that was read again is another', async () => {
    const answers = offering('x')
    const { add, settled, servers, made } = start({ a: answers })
    add('a')
    await settled()
    const [first] = servers.tools()
    assert.equal(servers.tools()[0], first)
    add('b', { type: 'sdk' })
    assert.equal(servers.tools()[0]?.tool, first?.tool)
    const announce = () => made['a']?.wires[0]?.receive({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    announce()
    await settled()
    assert.equal(servers.tools()[0]?.tool, first?.tool)
    Object.assign(answers, offering('x', 'y'))
    announce()
    await settled()
    assert.notEqual(servers.tools()[0]?.tool, first?.tool)
  })

  test('every change is told, and an unusable configuration is a server that says so', async () => {
    const { add, settled, servers, changes, made } = start()
    add('broken', { type: 'http' })
    add('odd', 'text')
    add('', { type: 'sdk' })
    add('in\u200bvisible', { type: 'sdk' })
    add('x'.repeat(201), { type: 'sdk' })
    await settled()
    assert.ok(changes() >= 5)
    const errors = servers.statuses().map(({ status, error }) => `${status}: ${error}`)
    assert.equal(errors.filter((error) => error.startsWith('failed: ')).length, 5)
    assert.match(errors[1] ?? '', /its configuration is no object/)
    assert.match(errors[2] ?? '', /its name is empty or longer than 200 characters/)
    assert.match(errors[3] ?? '', /characters that can not be seen/)
    assert.match(errors[4] ?? '', /longer than 200/)
    assert.deepEqual(made, {})
  })

  test('two whose tools would have the same names: the second can not be used', async () => {
    const { add, settled, servers } = start({ 'a b': offering('x'), a_b: offering('x') })
    add('a b')
    add('a_b')
    await settled()
    assert.deepEqual(
      servers.statuses().map(({ status }) => status),
      ['connected', 'failed'],
    )
    assert.match(servers.statuses()[1]?.error ?? '', /the same names as those of "a b": rename one of the two/)
  })

  test('one that is added again under its own name takes the place of the first', async () => {
    const { add, servers } = start({ a: offering('x') })
    add('a')
    const second = add('a')
    assert.equal(servers.find('a'), second)
    assert.equal(servers.list().length, 1)
    assert.notEqual(second.connection.config, undefined)
  })

  test('a resource of a server that is not there', async () => {
    const { servers } = start()
    const read = servers.readResource('no\u0007ne', 'x://y', new AbortController().signal)
    await assert.rejects(read, /There's no MCP server named no.*ne\./)
  })

  test('closing closes every wire', async () => {
    const { add, settled, servers, made } = start({ a: offering('x'), b: offering('y') })
    add('a')
    add('b')
    await settled()
    await servers.close()
    assert.deepEqual(
      ['a', 'b'].map((name) => made[name]?.wires.map(({ isClosed }) => isClosed)),
      [[true], [true]],
    )
  })
})

describe('servers of the host', () => {
  test('are greeted once the host listens, and not before', async () => {
    const { add, settled, servers, asked, stateOf, toolNames } = start({}, { own: offering('x') })
    add('own', { type: 'sdk' })
    await settled()
    assert.deepEqual([asked, stateOf()], [[], ['own pending']])
    servers.hostReady()
    await settled()
    assert.deepEqual(stateOf(), ['own connected'])
    assert.deepEqual(toolNames(), ['mcp__own__x'])
    assert.equal(asked[0], 'own initialize')
  })

  test('that the host names itself are added, those it has configured are not added twice', async () => {
    const { add, settled, servers, asked } = start({}, { own: offering('x'), more: offering('y') })
    add('own', { type: 'sdk' }, 'project')
    servers.hostReady(['own', 'more'])
    servers.hostReady(['late'])
    await settled()
    assert.deepEqual(
      servers.list().map(({ name, scope, isDynamic }) => [name, scope, isDynamic]),
      [
        ['own', 'project', false],
        ['more', 'dynamic', true],
      ],
    )
    assert.equal(asked.filter((line) => line.endsWith(' initialize')).length, 2)
  })

  test('one that comes when the host listens is greeted at once', async () => {
    const { add, settled, servers, stateOf } = start({}, { own: offering('x') })
    servers.hostReady()
    add('own', { type: 'sdk' })
    await settled()
    assert.deepEqual(stateOf(), ['own connected'])
  })

  test('what it says of itself is not told as that of others is', async () => {
    const { add, settled, servers } = start({ web: offering('x') }, { own: offering('x') })
    add('own', { type: 'sdk' })
    add('web')
    servers.hostReady()
    await settled()
    const [own, web] = servers.statuses()
    assert.equal(own?.serverInfo, undefined)
    assert.deepEqual(web?.serverInfo, { name: 'served', version: '1' })
  })
})

describe('setting servers', () => {
  const http = (path: string) => ({ type: 'http', url: `https://example.com/${path}` })

  test('those set before give way; those of files stay', async () => {
    const { add, servers, settled } = start({ file: offering(), a: offering(), b: offering() })
    add('file')
    await settled()
    assert.deepEqual(await servers.set({ a: http('a') }), { added: ['a'], removed: [], errors: {} })
    assert.deepEqual(await servers.set({ b: http('b') }), { added: ['b'], removed: ['a'], errors: {} })
    assert.deepEqual(
      servers.list().map(({ name }) => name),
      ['file', 'b'],
    )
    assert.deepEqual(await servers.set({}), { added: [], removed: ['b'], errors: {} })
  })

  test('the same again changes nothing, another configuration makes a new connection', async () => {
    const { servers, made } = start({ a: offering() })
    await servers.set({ a: http('one') })
    assert.deepEqual(await servers.set({ a: http('one') }), { added: [], removed: [], errors: {} })
    assert.equal(made['a']?.wires.length, 1)
    assert.deepEqual(await servers.set({ a: http('two') }), { added: ['a'], removed: [], errors: {} })
    assert.deepEqual(
      made['a']?.wires.map(({ isClosed }) => isClosed),
      [true, false],
    )
  })

  test('a name that a file has is not taken over', async () => {
    const { add, servers, settled } = start({ file: offering() })
    add('file', http('file'))
    await settled()
    assert.deepEqual(await servers.set({ file: http('other') }), {
      added: [],
      removed: [],
      errors: { file: 'There is a server of this name already (project).' },
    })
    assert.deepEqual(servers.find('file')?.value, http('file'))
  })

  test('one that does not connect is added, with what went wrong', async () => {
    const { servers } = start({ a: offering(), silent: {} })
    const result = await servers.set({ a: http('a'), silent: http('s'), broken: { type: 'http' } })
    assert.deepEqual(result.added, ['a', 'silent', 'broken'])
    assert.deepEqual(Object.keys(result.errors), ['silent', 'broken'])
    assert.match(result.errors['silent'] ?? '', /no initialize/)
  })

  test('those of the host are not waited for: they answer only after this was answered', async () => {
    const { servers, settled, stateOf } = start({}, { own: offering('x') })
    servers.hostReady()
    assert.deepEqual(await servers.set({ own: { type: 'sdk' } }), { added: ['own'], removed: [], errors: {} })
    assert.deepEqual(stateOf(), ['own pending'])
    await settled()
    assert.deepEqual(stateOf(), ['own connected'])
  })
})

describe('how a server is doing', () => {
  test('tools with what their server says of them, as far as it is true', async () => {
    const hints = { readOnlyHint: true, destructiveHint: false, openWorldHint: true }
    const answers = {
      initialize: initializeReply({ tools: {} }),
      'tools/list': { tools: [tool('a', hints), tool('b', { destructiveHint: true }), tool('c')] },
    }
    const { add, settled, servers } = start({ web: answers })
    add('web', undefined, 'user')
    assert.deepEqual(servers.statuses(), [{ name: 'web', status: 'pending', scope: 'user' }])
    await settled()
    assert.deepEqual(servers.statuses(), [
      {
        name: 'web',
        status: 'connected',
        serverInfo: { name: 'served', version: '1' },
        scope: 'user',
        tools: [
          { name: 'a', annotations: { readOnly: true, openWorld: true } },
          { name: 'b', annotations: { destructive: true } },
          { name: 'c', annotations: {} },
        ],
      },
    ])
  })
})
