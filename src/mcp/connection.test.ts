import assert from 'node:assert/strict'
import { test } from 'node:test'
import { McpError } from './mcp-error.js'
import { createTestConnection, initializeReply, waitForPendingWork } from './test-answering-server.js'

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
const withTools = (...names: string[]) => ({
  initialize: initializeReply({ tools: {} }),
  'tools/list': { tools: names.map(tool) },
})
const toolNames = ({ connection }: Pick<ReturnType<typeof createTestConnection>, 'connection'>) =>
  connection.offer().tools.map(({ name }) => name)
const TIME = { timeoutMs: 500 }

test('a server is pending until it was greeted, then connected with what it offers', async () => {
  const made = createTestConnection(withTools('a', 'b'))
  const { connection } = made
  assert.deepEqual([connection.status(), connection.serverInfo(), toolNames(made)], ['pending', undefined, []])
  connection.begin()
  await connection.settled()
  assert.deepEqual([connection.status(), connection.error()], ['connected', undefined])
  assert.deepEqual(connection.serverInfo(), { name: 'served', version: '1' })
  assert.deepEqual(toolNames(made), ['a', 'b'])
  assert.deepEqual(made.statuses, ['pending', 'connected'])
  assert.equal(made.waiting(), 0)
})

test('whoever waits for a server that nobody has greeted yet waits until it is', async () => {
  const { connection } = createTestConnection(withTools('a'))
  let isOver = false
  const waiting = connection.settled().then(() => {
    isOver = true
  })
  await waitForPendingWork()
  assert.equal(isOver, false)
  connection.begin()
  await waiting
  assert.equal(connection.status(), 'connected')
})

test('a configuration that can not be used fails with its problem and opens nothing', async () => {
  const { connection, wires } = createTestConnection({}, {}, { problem: '`command` must be a text' })
  connection.begin()
  await connection.settled()
  assert.deepEqual([connection.status(), connection.error()], ['failed', 'Not usable: `command` must be a text.'])
  assert.equal(wires.length, 0)
  await assert.rejects(connection.request('x', {}, TIME), { code: 'mcp_closed', message: /Not usable/ })
})

test('a server that does not answer the greeting fails when its time is over, and its wire is closed', async () => {
  const { connection, pass, wires, waiting } = createTestConnection({ initialize: undefined })
  connection.begin()
  await waitForPendingWork()
  assert.equal(connection.status(), 'pending')
  pass(1000)
  await connection.settled()
  assert.equal(connection.status(), 'failed')
  assert.match(connection.error() ?? '', /within 1 s/)
  assert.deepEqual(
    wires.map(({ isClosed }) => isClosed),
    [true],
  )
  assert.equal(waiting(), 0)
})

test('a wire that can not be opened is a failure with its reason', async () => {
  const { connection } = createTestConnection(
    {},
    {
      open: () => {
        throw new Error('no such program')
      },
    },
  )
  connection.begin()
  await connection.settled()
  assert.deepEqual([connection.status(), connection.error()], ['failed', 'no such program'])
})

test('a request waits for a server on its way; an abort ends the wait', async () => {
  const { connection } = createTestConnection({ ...withTools('a'), ping: { pong: true } })
  const stop = new AbortController()
  const given = connection.request('ping', {}, { ...TIME, signal: stop.signal })
  const asked = connection.request('ping', {}, TIME)
  stop.abort()
  await assert.rejects(given, { code: 'mcp_cancelled', message: 'Canceled while the server was starting.' })
  connection.begin()
  assert.deepEqual(await asked, { pong: true })
})

test('a server that goes away is looked for again, and keeps its tools on offer meanwhile', async () => {
  const made = createTestConnection(withTools('a'))
  const { connection, wires, pass } = made
  connection.begin()
  await connection.settled()
  wires[0]?.closed('it crashed')
  assert.deepEqual([connection.status(), connection.error()], ['pending', 'it crashed'])
  assert.deepEqual(toolNames(made), ['a'])
  pass(0)
  await connection.settled()
  assert.equal(connection.status(), 'connected')
  assert.equal(wires.length, 2)
  assert.equal(wires[0]?.isClosed, true)
  assert.equal(wires[1]?.isClosed, false)
})

test('each loss in a row is waited for longer, after five it is given up, and then nothing waits', async () => {
  const answers: Record<string, ReturnType<typeof initializeReply> | (() => never)> = withTools('a')
  const { connection, wires, pass, waiting, statuses } = createTestConnection(answers)
  connection.begin()
  await connection.settled()
  answers['initialize'] = () => {
    throw new Error('refused')
  }
  wires[0]?.closed('gone')
  for (const [at, wait] of [0, 1000, 2000, 4000, 8000].entries()) {
    if (wait > 0) {
      pass(wait - 1)
      await waitForPendingWork()
      assert.equal(wires.length, at + 1, `not yet tried after ${wait - 1} ms`)
      pass(1)
    } else pass(0)
    await waitForPendingWork()
    assert.equal(wires.length, at + 2, `tried after ${wait} ms`)
  }
  await connection.settled()
  assert.equal(connection.status(), 'failed')
  assert.equal(connection.error(), 'refused. It was tried 5 times more.')
  assert.equal(statuses.at(-1), 'failed')
  assert.equal(waiting(), 0)
  assert.deepEqual(connection.offer().tools, [])
  assert.ok(wires.every(({ isClosed }) => isClosed))
})

test('losses far apart are each the first one', async () => {
  const { connection, wires, pass } = createTestConnection(withTools('a'))
  connection.begin()
  await connection.settled()
  for (let loss = 0; loss < 8; loss += 1) {
    pass(30_001)
    wires.at(-1)?.closed('gone')
    pass(0)
    await connection.settled()
    assert.equal(connection.status(), 'connected', `after loss ${loss}`)
  }
  wires.at(-1)?.closed('gone soon')
  pass(0)
  await waitForPendingWork()
  assert.equal(connection.status(), 'pending', 'the second loss in a row waits')
})

test('a request during the wait for a lost server gets the answer of the new one', async () => {
  const { connection, wires, pass } = createTestConnection({ ...withTools('a'), ping: { pong: 2 } })
  connection.begin()
  await connection.settled()
  wires[0]?.closed('gone')
  const asked = connection.request('ping', {}, TIME)
  pass(0)
  assert.deepEqual(await asked, { pong: 2 })
  assert.deepEqual(
    wires[0]?.sent.filter(({ method }) => method === 'ping'),
    [],
  )
})

test('disabled: what waits is refused, nothing is on offer, and it comes back by reconnect only', async () => {
  const made = createTestConnection({ ...withTools('a'), slow: undefined, ping: {} })
  const { connection, wires } = made
  connection.begin()
  await connection.settled()
  const asked = connection.request('slow', {}, TIME)
  await waitForPendingWork()
  const refused = assert.rejects(asked, { code: 'mcp_closed', message: 'The server was disabled.' })
  await connection.disable()
  await refused
  assert.deepEqual([connection.status(), connection.error(), toolNames(made)], ['disabled', undefined, []])
  await assert.rejects(connection.request('ping', {}, TIME), { message: 'The server is disabled.' })
  wires[0]?.closed('late')
  assert.equal(connection.status(), 'disabled')
  await connection.reconnect()
  assert.equal(connection.status(), 'connected')
  assert.deepEqual(toolNames(made), ['a'])
})

test('disabled while it waits to be tried again: it is not tried', async () => {
  const { connection, wires, pass, waiting } = createTestConnection(withTools('a'))
  connection.begin()
  await connection.settled()
  wires[0]?.closed('gone')
  await connection.disable()
  assert.equal(waiting(), 0)
  pass(60_000)
  await waitForPendingWork()
  assert.equal(wires.length, 1)
  assert.equal(connection.status(), 'disabled')
})

test('removed before it was greeted: whoever waits goes on, and a late greeting does nothing', async () => {
  const { connection, wires } = createTestConnection(withTools('a'))
  const waiting = connection.settled()
  await connection.close()
  await waiting
  connection.begin()
  await connection.settled()
  assert.equal(wires.length, 0)
  assert.deepEqual([connection.status(), connection.error()], ['disabled', 'The server was removed.'])
})

test('a greeting that comes back after a reconnect counts no more, and its wire is closed', async () => {
  const answers = { ...withTools('new'), initialize: undefined as ReturnType<typeof initializeReply> | undefined }
  const made = createTestConnection(answers)
  const { connection, wires } = made
  connection.begin()
  await waitForPendingWork()
  answers.initialize = initializeReply({ tools: {} })
  const again = connection.reconnect()
  await again
  wires[0]?.receive({ jsonrpc: '2.0', id: 0, result: initializeReply({}) })
  await waitForPendingWork()
  assert.deepEqual(toolNames(made), ['new'])
  assert.deepEqual(
    wires.map(({ isClosed }) => isClosed),
    [true, false],
  )
})

test('a session the server forgot makes a new connection; a request that needs a sign-in makes none', async () => {
  const lost = createTestConnection({
    ...withTools('a'),
    ask: () => {
      throw new McpError('mcp_session_lost', 'Forgotten.')
    },
  })
  lost.connection.begin()
  await lost.connection.settled()
  await assert.rejects(lost.connection.request('ask', {}, TIME), { code: 'mcp_session_lost' })
  assert.equal(lost.connection.status(), 'pending')
  lost.pass(0)
  await lost.connection.settled()
  assert.equal(lost.connection.status(), 'connected')

  const locked = createTestConnection({
    ...withTools('a'),
    ask: () => {
      throw new McpError('mcp_needs_auth', 'Sign in.', { auth: { url: 'https://x.example' } })
    },
  })
  locked.connection.begin()
  await locked.connection.settled()
  await assert.rejects(locked.connection.request('ask', {}, TIME), { code: 'mcp_needs_auth' })
  locked.pass(60_000)
  await waitForPendingWork()
  const { connection } = locked
  assert.deepEqual(
    [connection.status(), connection.error(), connection.auth()],
    ['needs-auth', 'Sign in.', { url: 'https://x.example' }],
  )
  assert.equal(locked.wires.length, 1)
})

test('a server that wants a sign-in from the start says so, and is no failure', async () => {
  const { connection } = createTestConnection({
    initialize: () => {
      throw new McpError('mcp_needs_auth', 'Sign in.', { auth: { issuer: 'i' } })
    },
  })
  connection.begin()
  await connection.settled()
  assert.deepEqual([connection.status(), connection.auth()], ['needs-auth', { issuer: 'i' }])
})

test('a list that changed is read anew; what an old connection announces is not', async () => {
  const answers = withTools('a')
  const made = createTestConnection(answers)
  const { connection, wires, pass } = made
  connection.begin()
  await connection.settled()
  answers['tools/list'] = { tools: [tool('a'), tool('b')] }
  wires[0]?.receive({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await waitForPendingWork()
  assert.deepEqual(toolNames(made), ['a', 'b'])
  wires[0]?.closed('gone')
  pass(0)
  await connection.settled()
  const changes = made.statuses.length
  wires[0]?.receive({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await waitForPendingWork()
  assert.equal(made.statuses.length, changes)
  assert.deepEqual(
    made.asked()[1]?.filter((method) => method === 'tools/list'),
    ['tools/list'],
  )
})

test('a list that can not be read anew leaves the old one, with a note', async () => {
  const answers: Record<string, object | undefined> = withTools('a')
  const made = createTestConnection(answers as Parameters<typeof createTestConnection>[0])
  made.connection.begin()
  await made.connection.settled()
  delete answers['tools/list']
  const before = made.statuses.length
  made.wires[0]?.receive({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await waitForPendingWork()
  assert.deepEqual(toolNames(made), ['a'])
  assert.deepEqual(made.notes, ['MCP error -32601: no tools/list'])
  assert.equal(made.statuses.length, before, 'nothing changed, so nobody is told')
})

test('log messages go to their port, other notifications nowhere', async () => {
  const logged: unknown[] = []
  const { connection, wires } = createTestConnection(withTools(), { onLog: (params) => logged.push(params) })
  connection.begin()
  await connection.settled()
  wires[0]?.receive({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })
  wires[0]?.receive({ jsonrpc: '2.0', method: 'notifications/elsewhere', params: {} })
  connection.receive({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'by the host' } })
  assert.deepEqual(logged, [{ level: 'info', data: 'x' }, { data: 'by the host' }])
})

test('a reason without end is cut', async () => {
  const { connection } = createTestConnection(
    {},
    {
      open: () => {
        throw new Error('x'.repeat(100_000))
      },
    },
  )
  connection.begin()
  await connection.settled()
  assert.equal(connection.error()?.length, 2000)
  await assert.rejects(connection.request('x', {}, TIME), ({ message }: Error) => [...message].length <= 1000)
})

test('resources are there as long as the server is, or is on its way back', async () => {
  const { connection, wires } = createTestConnection({
    initialize: initializeReply({ resources: {} }),
    'resources/list': { resources: [{ uri: 'a://b' }] },
  })
  assert.equal(connection.hasResources(), false)
  connection.begin()
  await connection.settled()
  assert.equal(connection.hasResources(), true)
  wires[0]?.closed('gone')
  assert.equal(connection.hasResources(), true)
  await connection.disable()
  assert.equal(connection.hasResources(), false)
})
