/** In-process servers as an agent meets them: what crosses the control protocol, message by message. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server'
import { createSdkMcpServer, type McpServerInstance, type SdkMcpCallContext, tool } from 'kedge'
import { z } from 'zod'
import { FakeAgent, SESSION } from './fake-agent.js'

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** The same tools on every kind of server object: `whoami` says which call it was, `wait` waits to be canceled. */
type Kind = { name: string; make(hooks?: Hooks): McpServerInstance; sessionKnown: boolean }
type Hooks = { started?: () => void; aborted?: () => void }

const untilAborted = (signal: AbortSignal, { started, aborted }: Hooks) =>
  new Promise<ReturnType<typeof say>>((resolve) => {
    signal.addEventListener('abort', () => {
      aborted?.()
      resolve(say('too late'))
    })
    started?.()
  })

const KINDS: Kind[] = [
  {
    name: 'createSdkMcpServer',
    make: (hooks = {}) =>
      createSdkMcpServer({
        name: 'kind',
        tools: [
          tool('whoami', 'Says who calls.', { who: z.string() }, async ({ who }, { sessionId, reportProgress }) => {
            await reportProgress(1, 2, who)
            return say(`${who} ${sessionId}`)
          }),
          tool('wait', 'Waits.', {}, (_, { signal }) => untilAborted(signal, hooks)),
          tool('ask', 'Asks.', {}, async (_, { sendRequest }) =>
            say(JSON.stringify(await sendRequest({ method: 'elicitation/create', params: { message: 'Sure?' } }))),
          ),
        ],
      }).instance,
    sessionKnown: true,
  },
  {
    name: 'McpServer of the library v1',
    make(hooks = {}) {
      const server = new McpServerV1({ name: 'kind', version: '1.0.0' })
      server.registerTool('whoami', { inputSchema: { who: z.string() } }, async ({ who }, extra) => {
        const progressToken = extra._meta?.progressToken
        const params = { progress: 1, total: 2, message: who }
        if (progressToken !== undefined)
          await extra.sendNotification({ method: 'notifications/progress', params: { ...params, progressToken } })
        return say(`${who} ${extra.sessionId}`)
      })
      server.registerTool('wait', {}, ({ signal }) => untilAborted(signal, hooks))
      server.registerTool('ask', {}, async () => {
        const requestedSchema = { type: 'object' as const, properties: {} }
        return say(JSON.stringify(await server.server.elicitInput({ message: 'Sure?', requestedSchema })))
      })
      return server
    },
    sessionKnown: true,
  },
  {
    name: 'McpServer of the library v2',
    make(hooks = {}) {
      const server = new McpServerV2({ name: 'kind', version: '1.0.0' })
      server.registerTool(
        'whoami',
        { inputSchema: z.object({ who: z.string() }) },
        async ({ who }, { mcpReq, sessionId }) => {
          const progressToken = mcpReq._meta?.progressToken
          const params = { progress: 1, total: 2, message: who }
          if (progressToken !== undefined)
            await mcpReq.notify({ method: 'notifications/progress', params: { ...params, progressToken } })
          return say(`${who} ${sessionId}`)
        },
      )
      server.registerTool('wait', {}, ({ mcpReq }) => untilAborted(mcpReq.signal, hooks))
      server.registerTool('ask', {}, async ({ mcpReq }) => {
        const requestedSchema = { type: 'object' as const, properties: {} }
        return say(JSON.stringify(await mcpReq.elicitInput({ message: 'Sure?', requestedSchema })))
      })
      return server
    },
    sessionKnown: true,
  },
]

const served = (instance: McpServerInstance) => ({
  mcpServers: { kind: { type: 'sdk' as const, name: 'kind', instance } },
})

describe('in-process servers', () => {
  test('handshake, list and calls are as observed', async () => {
    let seen: SdkMcpCallContext | undefined
    const add = tool(
      'add',
      'Adds numbers',
      { a: z.number(), b: z.number().optional() },
      async ({ a, b = 0 }, context) => {
        seen = context
        return say(`sum=${a + b}`)
      },
      { annotations: { readOnlyHint: true } },
    )
    const fail = tool('fail', 'Throws', {}, async () => {
      throw new Error('handler threw')
    })
    const calc = createSdkMcpServer({ name: 'calc', tools: [add, fail] })
    await using agent = new FakeAgent({ mcpServers: { calc } })
    assert.deepEqual(await agent.handshake('calc'), {
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'calc', version: '1.0.0' },
      },
    })
    const ready = await agent.mcp('calc', { method: 'notifications/initialized' })
    assert.deepEqual(ready, { jsonrpc: '2.0', result: {}, id: 0 })
    const listed = await agent.mcp('calc', { id: 1, method: 'tools/list' })
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const execution = { taskSupport: 'forbidden' }
    const numbers = { a: { type: 'number' }, b: { type: 'number' } }
    const addSchema = { $schema, type: 'object', properties: numbers, required: ['a'] }
    const annotations = { readOnlyHint: true }
    assert.deepEqual(listed.result, {
      tools: [
        { name: 'add', description: 'Adds numbers', inputSchema: addSchema, annotations, execution },
        { name: 'fail', description: 'Throws', inputSchema: { $schema, type: 'object', properties: {} }, execution },
      ],
    })

    const meta = { 'claudecode/toolUseId': 'toolu_1', progressToken: 2 }
    const sum = await agent.call('calc', 2, 'add', { a: 2, b: 3, unknown: 1 }, meta)
    assert.deepEqual(sum, { jsonrpc: '2.0', id: 2, result: say('sum=5') })
    assert.deepEqual([seen?.toolUseId, seen?.sessionId, seen?.requestId], ['toolu_1', SESSION, 2])
    assert.deepEqual(seen?._meta, meta)
    const wrong = await agent.call('calc', 3, 'add', { a: 'x' })
    assert.equal(wrong.result?.isError, true)
    assert.match(
      JSON.stringify(wrong.result),
      /MCP error -32602: Input validation error: Invalid arguments for tool add/,
    )
    assert.deepEqual((await agent.call('calc', 4, 'fail')).result, { ...say('handler threw'), isError: true })
    const missing = await agent.call('calc', 5, 'absent')
    assert.deepEqual(missing.result, { ...say('MCP error -32602: Tool absent not found'), isError: true })
    const unknown = await agent.mcp('calc', { id: 6, method: 'resources/list' })
    assert.deepEqual(unknown.error, { code: -32601, message: 'Method not found' })
    assert.deepEqual((await agent.mcp('calc', { id: 'p', method: 'ping' })).result, {})
    await assert.rejects(agent.mcp('nobody', { id: 1, method: 'ping' }), /^Error: SDK MCP server not found: nobody$/)
  })

  test('the agent is told the names; another make of agent gets no manifests, an unsupported version is answered with ours', async () => {
    const calc = createSdkMcpServer({ name: 'inner', version: '2.0.0', instructions: 'Add things.' })
    await using agent = new FakeAgent({ mcpServers: { calc } })
    const params = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: {} }
    const { result } = await agent.mcp('calc', { id: 0, method: 'initialize', params })
    assert.equal(result?.protocolVersion, '2025-11-25')
    assert.equal(result?.instructions, 'Add things.')
    assert.deepEqual(agent.asked[0], { subtype: 'initialize', sdkMcpServers: ['calc'], systemPrompt: '' })
  })

  test('what a handler returns is checked; nothing it returns or throws breaks the connection', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const returns: Record<string, unknown> = {
      nothing: undefined,
      text: 'text',
      notAList: { content: 'x' },
      unknownKind: { content: [{ type: 'weird' }] },
      noText: { content: [{ type: 'text' }] },
      noImage: { content: [{ type: 'image', data: 5, mimeType: 'image/png' }] },
      noBody: { content: [{ type: 'resource', resource: { uri: 'x:y' } }] },
      circular: { content: [], structuredContent: circular },
      bigNumber: { content: [], structuredContent: { a: 1n } },
    }
    const tools = Object.entries(returns).map(([name, value]) =>
      // Callers in plain JavaScript return anything.
      tool(name, name, {}, async () => value as never),
    )
    const strange = tool('strange', 'Throws what has no text.', {}, async () => {
      throw Object.create(null)
    })
    const empty = tool('empty', 'No content.', {}, async () => ({ structuredContent: { a: 1 } }) as never) // as above
    const extra = tool(
      'extra',
      'Unknown field.',
      {},
      async () => ({ content: [{ type: 'text', text: 'x', b: 1n }] }) as never,
    ) // as above
    const server = createSdkMcpServer({ name: 'odd', tools: [...tools, strange, empty, extra] })
    await using agent = new FakeAgent({ mcpServers: { odd: server } })
    for (const name of Object.keys(returns)) {
      const { error } = await agent.call('odd', name, name)
      assert.match(String(error?.message), /^MCP error -32602: Invalid tools\/call result: ./, name)
    }
    assert.deepEqual((await agent.call('odd', 1, 'strange')).result, { ...say('unknown error'), isError: true })
    assert.deepEqual((await agent.call('odd', 2, 'empty')).result, { content: [], structuredContent: { a: 1 } })
    assert.deepEqual((await agent.call('odd', 3, 'extra')).result, say('x'))
    for (const params of [{ name: 7 }, { name: 'empty', arguments: [] }, { name: 'empty', arguments: null }, {}]) {
      const { error } = await agent.mcp('odd', { id: 4, method: 'tools/call', params })
      assert.equal(error?.code, -32602)
    }
  })

  test('messages that are no JSON-RPC are refused, and the next good one is answered', async () => {
    const calc = createSdkMcpServer({ name: 'calc', tools: [] })
    await using agent = new FakeAgent({ mcpServers: { calc } })
    for (const message of [undefined, null, 'x', 7, { method: 7 }, { method: 'ping', id: 1, params: [] }]) {
      const answer = await agent.request({ subtype: 'mcp_message', server_name: 'calc', message })
      assert.equal(answer.subtype, 'error')
    }
    assert.deepEqual((await agent.mcp('calc', { id: 1, method: 'ping' })).result, {})
  })

  test('tools that come and go: the agent is told', async () => {
    const calc = createSdkMcpServer({ name: 'calc', tools: [] })
    await using agent = new FakeAgent({ mcpServers: { calc } })
    await agent.handshake('calc')
    calc.instance.addTool(tool('later', 'Later.', {}, async () => say('here')))
    assert.equal((await agent.fromServer(0)).method, 'notifications/tools/list_changed')
    assert.deepEqual((await agent.call('calc', 1, 'later')).result, say('here'))
    assert.equal(calc.instance.removeTool('later'), true)
    assert.equal(calc.instance.removeTool('later'), false)
    assert.equal((await agent.fromServer(1)).method, 'notifications/tools/list_changed')
    assert.equal((await agent.call('calc', 2, 'later')).result?.isError, true)
    assert.throws(
      () =>
        createSdkMcpServer({
          name: 'x',
          tools: [tool('a', '', {}, async () => say('')), tool('a', '', {}, async () => say(''))],
        }),
      /two tools named a/,
    )
  })

  for (const { name, make } of KINDS) {
    test(`${name}: 50 queries at once, each answered its own, and again when all are over`, async () => {
      const instance = make()
      for (const round of [1, 2]) {
        const agents = Array.from({ length: 50 }, (_, index) => new FakeAgent(served(instance), `session-${index}`))
        const answers = await Promise.all(
          agents.map(async (agent, index) => {
            await agent.handshake('kind')
            const { result } = await agent.mcp('kind', { id: 1, method: 'tools/list' })
            assert.match(JSON.stringify(result), /whoami/)
            // The same ids in every query, as agents number them.
            const answer = agent.call('kind', 2, 'whoami', { who: `${round}-${index}` }, { progressToken: 2 })
            const { params } = await agent.fromServer(0)
            assert.deepEqual(params, { progress: 1, total: 2, message: `${round}-${index}`, progressToken: 2 })
            return answer
          }),
        )
        const expected = agents.map((_, index) => ({
          jsonrpc: '2.0',
          id: 2,
          result: say(`${round}-${index} session-${index}`),
        }))
        assert.deepEqual(answers, expected)
        for (const agent of agents) assert.equal(agent.asked.length, 2)
        await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()))
      }
    })

    test(`${name}: a canceled call is told to its handler only, and never answered`, async () => {
      const counts = { started: 0, aborted: 0 }
      let allStarted = () => {}
      const started = new Promise<void>((resolve) => (allStarted = resolve))
      const instance = make({
        started: () => {
          counts.started += 1
          if (counts.started === 2) allStarted()
        },
        aborted: () => (counts.aborted += 1),
      })
      await using one = new FakeAgent(served(instance))
      await using two = new FakeAgent(served(instance))
      await Promise.all([one.handshake('kind'), two.handshake('kind')])
      let answered = 0
      for (const agent of [one, two]) void agent.call('kind', 7, 'wait').then(() => (answered += 1))
      await started
      const params = { requestId: 7, reason: 'changed my mind' }
      const taken = await one.mcp('kind', { method: 'notifications/cancelled', params })
      assert.deepEqual(taken, { jsonrpc: '2.0', result: {}, id: 0 })
      // Its next call is answered, so the canceled one has had its chance.
      assert.equal((await one.call('kind', 8, 'whoami', { who: 'x' })).error, undefined)
      assert.deepEqual([counts.aborted, answered], [1, 0])
    })

    test(`${name}: the end of a query ends what runs for it, and nothing else`, async () => {
      let aborted = () => {}
      const ended = new Promise<void>((resolve) => (aborted = resolve))
      let running = () => {}
      const started = new Promise<void>((resolve) => (running = resolve))
      const instance = make({ started: () => running(), aborted: () => aborted() })
      await using other = new FakeAgent(served(instance))
      await other.handshake('kind')
      const agent = new FakeAgent(served(instance))
      await agent.handshake('kind')
      void agent.call('kind', 7, 'wait')
      await started
      await agent[Symbol.asyncDispose]()
      await ended
      assert.equal((await other.call('kind', 8, 'whoami', { who: 'x' })).error, undefined)
    })

    test(`${name}: asks the agent and gets its answer, or its refusal`, async () => {
      const instance = make()
      await using bystander = new FakeAgent(served(instance))
      await bystander.handshake('kind', { elicitation: {} })
      await using agent = new FakeAgent(served(instance))
      await agent.handshake('kind', { elicitation: {} })
      const answer = agent.call('kind', 2, 'ask')
      const question = await agent.fromServer(0)
      assert.equal(question.method, 'elicitation/create')
      assert.equal(question.params?.message, 'Sure?')
      const result = { action: 'accept', content: { a: 'b' } }
      await agent.mcp('kind', { id: question.id, result })
      assert.deepEqual((await answer).result, say(JSON.stringify(result)))

      agent.onRequest = () => 'nobody can be asked'
      const refused = await agent.call('kind', 3, 'ask')
      assert.equal(refused.result?.isError, true)
      assert.match(JSON.stringify(refused.result), /nobody can be asked/)
      assert.deepEqual(bystander.asked.slice(1), [])
    })

    test(`${name}: closed by its owner in the middle of a call, it can be connected again`, async () => {
      let running = () => {}
      const started = new Promise<void>((resolve) => (running = resolve))
      const instance = make({ started: () => running() })
      await using agent = new FakeAgent(served(instance))
      await agent.handshake('kind')
      const answer = agent.call('kind', 7, 'wait')
      await started
      await instance.close()
      assert.deepEqual((await answer).error, { code: -32000, message: 'Connection closed' })
      await agent.handshake('kind')
      assert.equal((await agent.call('kind', 8, 'whoami', { who: 'x' })).error, undefined)
    })
  }

  test('a server object that is connected elsewhere: the agent is told why it does not answer', async () => {
    const instance = new McpServerV1({ name: 'kind', version: '1' })
    const elsewhere: Parameters<typeof instance.connect>[0] = {
      start: async () => {},
      send: async () => {},
      close: async () => elsewhere.onclose?.(),
    }
    await instance.connect(elsewhere)
    await using agent = new FakeAgent(served(instance))
    await assert.rejects(agent.handshake('kind'), /Already connected/)
    await instance.close()
    assert.equal((await agent.handshake('kind')).error, undefined)
  })

  test('setMcpServers: servers are there before the agent hears of them, and gone when it says so', async () => {
    const calc = createSdkMcpServer({ name: 'calc', tools: [tool('one', '', {}, async () => say('1'))] })
    const other = createSdkMcpServer({ name: 'calc', tools: [tool('one', '', {}, async () => say('2'))] })
    await using agent = new FakeAgent({})
    await agent.running.initializationResult()
    let early: Promise<unknown> = Promise.resolve()
    agent.onRequest = () => {
      early = agent.call('dyn', 1, 'one')
      return { added: ['dyn'], removed: [], errors: {} }
    }
    const url = 'http://127.0.0.1:1/mcp'
    const result = await agent.running.setMcpServers({ dyn: { ...calc, timeout: 2000 }, far: { type: 'http', url } })
    assert.deepEqual(result, { added: ['dyn'], removed: [], errors: {} })
    assert.deepEqual(agent.asked[1], {
      subtype: 'mcp_set_servers',
      servers: { dyn: { type: 'sdk', name: 'dyn', timeout: 2000 }, far: { type: 'http', url } },
    })
    assert.deepEqual(await early, { jsonrpc: '2.0', id: 1, result: say('1') })

    agent.onRequest = () => 'not now'
    await assert.rejects(agent.running.setMcpServers({ dyn: other, more: other }), /not now/)
    assert.deepEqual((await agent.call('dyn', 2, 'one')).result, say('1'))
    await assert.rejects(agent.call('more', 3, 'one'), /SDK MCP server not found: more/)

    agent.onRequest = () => ({ added: [], removed: ['dyn'], errors: {} })
    await agent.running.setMcpServers({})
    await assert.rejects(agent.call('dyn', 4, 'one'), /SDK MCP server not found: dyn/)
  })

  test('a configuration of type sdk without a server object is refused, at once and by name', async () => {
    const broken = { type: 'sdk', name: 'broken' } as never // a caller in plain JavaScript forgets it
    const expected = { option: 'mcpServers', message: /^mcpServers\.broken: .* needs an `instance`/ }
    assert.throws(() => new FakeAgent({ mcpServers: { broken } }), expected)
    await using agent = new FakeAgent({})
    await assert.rejects(agent.running.setMcpServers({ broken }), expected)
  })

  test('a handler may change its arguments: they are its own', async () => {
    const schema = { type: 'object' as const, properties: { list: { type: 'array' } }, required: ['list'] }
    const pop = tool('pop', 'Pops.', schema, async ({ list }) => say(String(Array.isArray(list) && list.pop())))
    const { instance } = createSdkMcpServer({ name: 'x', tools: [pop] })
    const sent: object[] = []
    type Receiver = { onmessage?: (message: object) => void }
    const transport: Receiver & object = {
      start: async () => {},
      send: async (message: object) => sent.push(message),
    } as object
    await instance.connect(transport)
    const args = { list: [1, 2] }
    transport.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pop', arguments: args } })
    while (sent.length === 0) await new Promise(setImmediate)
    assert.deepEqual(sent, [{ jsonrpc: '2.0', id: 1, result: say('2') }])
    assert.deepEqual(args, { list: [1, 2] })
  })
})

describe('onElicitation', () => {
  const question = {
    subtype: 'elicitation',
    mcp_server_name: 's',
    message: 'Name?',
    mode: 'form',
    requested_schema: {},
  }

  test('gets the question in its own words and answers it; null means that somebody else did', async () => {
    const seen: unknown[] = []
    await using agent = new FakeAgent({
      async onElicitation(request, { signal, requestId }) {
        seen.push(request, signal.aborted, requestId)
        if (request.message === 'skip') return null
        if (request.message === 'default') return { action: 'accept' }
        if (request.message === 'wrong') return {} as never // callers in plain JavaScript return anything
        return { action: 'accept', content: { name: 'Ann' } }
      },
    })
    const answer = await agent.request(question, 'e1')
    assert.deepEqual(answer.response, { action: 'accept', content: { name: 'Ann' } })
    const expected = { serverName: 's', message: 'Name?', mode: 'form', requestedSchema: {} }
    assert.deepEqual(seen, [expected, false, 'e1'])
    const properties = { name: { type: 'string', default: 'Bob' }, age: { type: 'integer' } }
    const offered = await agent.request({ ...question, message: 'default', requested_schema: { properties } })
    assert.deepEqual(offered.response, { action: 'accept', content: { name: 'Bob' } })
    let skipped = false
    void agent.request({ ...question, message: 'skip' }).then(() => (skipped = true))
    const wrong = await agent.request({ ...question, message: 'wrong' })
    assert.match(String(wrong.error), /onElicitation must answer with an action/)
    assert.equal(skipped, false)
  })

  test('without it every question is declined', async () => {
    await using agent = new FakeAgent({})
    assert.deepEqual((await agent.request(question)).response, { action: 'decline' })
  })
})
