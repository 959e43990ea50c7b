import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import type { AnySdkMcpTool, CreateSdkMcpServerOptions, SdkMcpCallContext } from '../../protocol/sdk-mcp.js'
import { settleConversation } from '../../runtime/test-conversation.js'
import { createSdkMcpServer, tool } from './create-server.js'
import { SdkMcpServer } from './sdk-mcp-server.js'
import type { HostTransport, SendOptions } from './server-link.js'

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
const echo = tool('echo', 'Says it again.', { words: z.string() }, async ({ words }) => text(words))

/** A client that is connected, and what it was sent. */
async function connect(server: SdkMcpServer, more: Partial<HostTransport> = {}) {
  const sent: [JSONRPCMessage, SendOptions | undefined][] = []
  let started = false
  const transport: HostTransport = {
    async start() {
      started = true
    },
    async send(message, options) {
      sent.push([message, options])
    },
    async close() {
      transport.onclose?.()
    },
    ...more,
  }
  await server.connect(transport)
  assert.ok(started)
  let nextId = 0
  const tell = (message: object) => transport.onmessage?.({ jsonrpc: '2.0', ...message })
  return {
    sent,
    tell,
    transport,
    async ask(method: string, params?: object): Promise<JSONRPCMessage> {
      nextId += 1
      const id = nextId
      tell({ id, method, ...(params ? { params } : {}) })
      for (;;) {
        const found = sent.find(([message]) => message.id === id && message.method === undefined)
        if (found) return found[0]
        await settleConversation()
      }
    },
  }
}
const start = (tools: AnySdkMcpTool[] = [echo], more: Partial<CreateSdkMcpServerOptions> = {}) =>
  new SdkMcpServer({ name: 'mine', tools, ...more })
const resultOf = ({ result, error }: JSONRPCMessage): Record<string, unknown> | undefined => result ?? error

describe('a server of our own', () => {
  it('greets with its name, in a version that both speak', async () => {
    const { ask } = await connect(start([], { version: '2.0', instructions: 'Be kind.' }))
    const greet = async (protocolVersion: unknown) => resultOf(await ask('initialize', { protocolVersion }))
    assert.deepEqual(await greet('2025-03-26'), {
      protocolVersion: '2025-03-26',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'mine', version: '2.0' },
      instructions: 'Be kind.',
    })
    for (const other of ['1999-01-01', undefined, 7])
      assert.equal((await greet(other))?.['protocolVersion'], '2025-11-25')
    assert.deepEqual(resultOf(await ask('ping')), {})
  })

  it('lists its tools', async () => {
    const hinted = tool('hinted', 'Has more.', { type: 'object', properties: {} }, async () => text(''), {
      annotations: { readOnlyHint: true },
      searchHint: 'look',
      timeout: 5000,
    })
    const { ask } = await connect(start([echo, hinted]))
    const { tools } = resultOf(await ask('tools/list')) as { tools: Record<string, unknown>[] }
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['echo', 'hinted'],
    )
    const { inputSchema: schema, ...listed } = tools[1] ?? {}
    assert.deepEqual(listed, {
      name: 'hinted',
      description: 'Has more.',
      annotations: { readOnlyHint: true },
      execution: { taskSupport: 'forbidden' },
      _meta: { 'anthropic/searchHint': 'look', 'kedge/timeoutMs': 5000 },
    })
    assert.deepEqual(schema, { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {} })
    assert.equal('_meta' in (tools[0] ?? {}), false)
  })

  it('that is always loaded says so with every tool', async () => {
    const { manifest } = start([echo], { alwaysLoad: true })
    assert.ok(manifest)
    const { tools } = manifest.toolsListResult as { tools: { _meta: object }[] }
    assert.deepEqual(tools[0]?._meta, { 'anthropic/alwaysLoad': true })
  })

  it('has no two tools of one name', () => {
    assert.throws(() => start([echo, echo]), {
      option: 'tools',
      message: 'The MCP server mine has two tools named echo.',
    })
  })

  it('tells everybody when its tools change', async () => {
    const server = start([])
    const [one, two] = [await connect(server), await connect(server)]
    const changes = () =>
      [one, two].map(({ sent }) => sent.filter(([{ method }]) => method?.includes('list_changed')).length)
    server.addTool(echo)
    assert.deepEqual(changes(), [1, 1])
    assert.equal(server.removeTool('nothing'), false)
    assert.equal(server.removeTool('echo'), true)
    assert.deepEqual(changes(), [2, 2])
    assert.deepEqual(resultOf(await one.ask('tools/list')), { tools: [] })
    await two.transport.close()
    await settleConversation()
    server.addTool(echo)
    assert.deepEqual(changes(), [3, 2], 'who left is not told')
  })

  it('does not know other methods', async () => {
    const { ask } = await connect(start())
    assert.deepEqual((await ask('resources/list')).error, { code: -32601, message: 'Method not found' })
  })
})

describe('a call', () => {
  const call = async (tools: AnySdkMcpTool[], params: object) => (await connect(start(tools))).ask('tools/call', params)
  const failed = (said: string) => ({ ...text(said), isError: true })

  it('gives what the handler returns', async () => {
    assert.deepEqual(resultOf(await call([echo], { name: 'echo', arguments: { words: 'hi' } })), text('hi'))
  })

  it('of what is not there, or with wrong arguments, is a result the model can read', async () => {
    assert.deepEqual(resultOf(await call([echo], { name: 'other' })), failed('MCP error -32602: Tool other not found'))
    const wrong = resultOf(await call([echo], { name: 'echo', arguments: { words: 7 } })) as ReturnType<typeof failed>
    assert.equal(wrong.isError, true)
    assert.match(wrong.content[0]?.text ?? '', /Input validation error: Invalid arguments for tool echo: /)
  })

  it('without a name, or with arguments that are none, is no call', async () => {
    assert.equal((await call([echo], {})).error?.code, -32602)
    assert.equal((await call([echo], { name: 'echo', arguments: [] })).error?.code, -32602)
  })

  it('whose handler throws anything is a result too', async () => {
    for (const [thrown, said] of [
      [new Error('oh no'), 'oh no'],
      ['just words', 'just words'],
      [Object.create(null), 'unknown error'],
    ] as const) {
      const bad = tool('bad', '', {}, async () => {
        throw thrown
      })
      assert.deepEqual(resultOf(await call([bad], { name: 'bad' })), failed(said))
    }
  })

  it('whose handler returns what is no result is an error', async () => {
    const odd = tool('odd', '', {}, async () => 7 as never)
    const { error } = await call([odd], { name: 'odd' })
    assert.equal(error?.code, -32602)
    assert.match(error?.message ?? '', /Invalid tools\/call result: expected an object, received number/)
  })

  it('can not change what the agent sent', async () => {
    const args = { list: [1] }
    // A schema of this kind gives back the very object it was given.
    const schema = { type: 'object', properties: { list: { type: 'array' } } } as const
    const push = tool('push', '', schema, async (given) => {
      const { list } = given as typeof args
      list.push(2)
      return text(String(list))
    })
    assert.deepEqual(resultOf(await call([push], { name: 'push', arguments: args })), text('1,2'))
    assert.deepEqual(args, { list: [1] })
  })
})

describe('a handler', () => {
  /** Runs it, and gives it what it asks for. */
  const running = async (work: (context: SdkMcpCallContext) => Promise<unknown>, meta?: object) => {
    const probe = tool('probe', '', {}, async (_, context) => text(JSON.stringify((await work(context)) ?? null)))
    const client = await connect(start([probe]), { sessionId: 'session-1' })
    const params = { name: 'probe', ...(meta ? { _meta: meta } : {}) }
    return { ...client, call: () => client.ask('tools/call', params) }
  }
  const said = (message: JSONRPCMessage) =>
    JSON.parse((resultOf(message) as ReturnType<typeof text>).content[0]?.text ?? '')

  it('knows its session and its call', async () => {
    const { call } = await running(
      async ({ sessionId, toolUseId, requestId, _meta }) => [sessionId, toolUseId, requestId, _meta],
      {
        'claudecode/toolUseId': 'toolu_1',
      },
    )
    assert.deepEqual(said(await call()), ['session-1', 'toolu_1', 1, { 'claudecode/toolUseId': 'toolu_1' }])
    const plain = await running(async (context) => ['toolUseId' in context, '_meta' in context])
    assert.deepEqual(said(await plain.call()), [false, false])
  })

  it('reports progress where that is wanted', async () => {
    const report = async ({ reportProgress }: SdkMcpCallContext) => {
      await reportProgress(1)
      await reportProgress(2, 3, 'soon')
    }
    const { sent, call } = await running(report, { progressToken: 'p1' })
    await call()
    const method = 'notifications/progress'
    assert.deepEqual(sent.slice(0, 2), [
      [{ jsonrpc: '2.0', method, params: { progressToken: 'p1', progress: 1 } }, { relatedRequestId: 1 }],
      [
        { jsonrpc: '2.0', method, params: { progressToken: 'p1', progress: 2, total: 3, message: 'soon' } },
        { relatedRequestId: 1 },
      ],
    ])
    const quiet = await running(report)
    await quiet.call()
    assert.equal(quiet.sent.length, 1, 'nobody asked how far it is')
  })

  it('asks the agent, and gets its answer or its error', async () => {
    const { sent, tell, call } = await running(({ sendRequest }) =>
      sendRequest({ method: 'roots/list' }).catch((e) => e.message),
    )
    const first = call()
    await settleConversation()
    assert.deepEqual(sent[0], [{ jsonrpc: '2.0', id: 0, method: 'roots/list' }, { relatedRequestId: 1 }])
    tell({ id: 99, result: {} })
    tell({ id: 0, result: { roots: [] } })
    assert.deepEqual(said(await first), { roots: [] })
    const second = call()
    await settleConversation()
    tell({ id: 1, error: { code: 1, message: 'no' } })
    assert.equal(said(await second), 'no')
  })

  it('that is canceled hears of it, and what it still says goes nowhere', async () => {
    let finish = () => {}
    let heard: unknown
    const { sent, tell } = await running(async ({ signal, sendNotification }) => {
      signal.addEventListener('abort', () => {
        heard = signal.reason
      })
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      await sendNotification({ method: 'notifications/message' })
    })
    tell({ id: 7, method: 'tools/call', params: { name: 'probe' } })
    await settleConversation()
    tell({ method: 'notifications/cancelled', params: { requestId: 7, reason: 'changed my mind' } })
    assert.equal(heard, 'changed my mind')
    finish()
    await settleConversation()
    assert.deepEqual(sent, [])
  })

  it('is told when nobody is there any more', async () => {
    const outcome: unknown[] = []
    const { tell, transport } = await running(async ({ signal, sendRequest }) => {
      await sendRequest({ method: 'roots/list' }).catch((error) => outcome.push(error.code))
      outcome.push(signal.aborted)
      await sendRequest({ method: 'roots/list' }).catch((error) => outcome.push(error.code))
    })
    tell({ id: 7, method: 'tools/call', params: { name: 'probe' } })
    await settleConversation()
    await transport.close()
    await settleConversation()
    assert.deepEqual(outcome, ['transport_closed', true, 'transport_closed'])
  })
})

describe('what callers write', () => {
  it('needs a name and a time that makes sense', () => {
    for (const name of ['', 7 as never, undefined as never])
      assert.throws(() => createSdkMcpServer({ name }), { option: 'name' })
    for (const timeout of [999, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => tool('t', '', {}, async () => text(''), { timeout }), { option: 'timeout' })
  })

  it('is a server beside all others', () => {
    const server = createSdkMcpServer({ name: 'mine', tools: [echo], timeout: 5000, sampling: true })
    const { instance, ...config } = server
    assert.deepEqual(config, { type: 'sdk', name: 'mine', timeout: 5000, sampling: true })
    assert.ok(instance instanceof SdkMcpServer)
    assert.deepEqual(Object.keys(createSdkMcpServer({ name: 'plain' })).sort(), ['instance', 'name', 'type'])
  })
})
