/** Revision 2026-07-28, through sessions of `query()`: what goes over the wire, and what its users see of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/eventually.js'
import { done, type RawServer, rawTool, sendEvent, startRawServer, statelessReply } from './servers/raw-http.js'
import { openSession } from './session.js'

const META = 'io.modelcontextprotocol/'
const open = (server: RawServer, more: Parameters<typeof openSession>[0] = {}) =>
  openSession({
    mcpServers: { raw: { type: 'http', url: server.url } },
    allowedTools: ['mcp__raw'],
    ...more,
  })

test('every request says who asks and in which revision; no session is begun, and headers route it', async () => {
  await using server = await startRawServer(statelessReply({ tools: [rawTool('ping')], reply: () => done('pong') }))
  await using session = await open(server)
  assert.equal((await session.call('mcp__raw__ping')).text, 'pong')
  assert.deepEqual(
    server.seen.map(({ method }) => method),
    ['server/discover', 'tools/list', 'tools/call'],
  )
  for (const { method, params, headers } of server.seen) {
    assert.equal(params['_meta'][`${META}protocolVersion`], '2026-07-28')
    assert.equal(params['_meta'][`${META}clientInfo`].name, 'claude-code')
    const { elicitation, extensions } = params['_meta'][`${META}clientCapabilities`]
    assert.deepEqual(elicitation, { form: {}, url: {} })
    assert.deepEqual(extensions, { [`${META}ui`]: { mimeTypes: ['text/html;profile=mcp-app'] }, [`${META}tasks`]: {} })
    assert.deepEqual(
      [headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-session-id']],
      ['2026-07-28', method, undefined],
    )
  }
  assert.equal(server.of('tools/call')[0]?.headers['mcp-name'], 'ping')
  const [status] = await session.running.mcpServerStatus()
  assert.deepEqual(status?.serverInfo, { name: 'raw', version: '1' })
})

test('a server that names the versions it speaks is asked once more in one of them', async () => {
  let refused = 0
  const reply = statelessReply({ tools: [rawTool('ping')] })
  await using server = await startRawServer((message) => {
    if (message.method !== 'server/discover' || refused++ > 0) return reply(message)
    return { status: 400, error: { code: -32_022, message: 'Unsupported', data: { supported: ['2026-07-28'] } } }
  })
  await using session = await open(server)
  await session.ready('raw')
  assert.equal(server.of('server/discover').length, 2)
  assert.equal(server.of('initialize').length, 0)
})

test('the older way of greeting says that apps can be shown, too', async () => {
  await using server = await startRawServer(({ method }) => {
    if (method !== 'initialize') return { error: { code: -32_601, message: 'Method not found' } }
    return { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } }
  })
  await using session = await open(server)
  await session.ready('raw')
  const [{ params } = assert.fail()] = server.of('initialize')
  assert.deepEqual(params['capabilities'].extensions, { [`${META}ui`]: { mimeTypes: ['text/html;profile=mcp-app'] } })
})

test('a server that only speaks revisions to come is an error that names them', async () => {
  await using server = await startRawServer(() => ({
    status: 400,
    error: { code: -32_022, message: 'Unsupported', data: { supported: ['2031-01-01'] } },
  }))
  await using session = await open(server)
  const { error } = await session.until('raw', ({ status }) => status === 'failed')
  assert.match(error ?? '', /speaks version 2031-01-01 of the protocol; this one speaks 2026-07-28, 2025-11-25/)
})

test('a question in an answer goes to the user, and the call again with the answer and the state as it was', async () => {
  const requestState = '{"opaque": "ünïcode"}'
  const question = { message: 'Sure?', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } }
  await using server = await startRawServer(
    statelessReply({
      tools: [rawTool('ask'), rawTool('other')],
      reply({ params: { name, arguments: input, inputResponses } }) {
        if (name === 'other') return done('other')
        if (inputResponses) return done(`${input.a} ${JSON.stringify(inputResponses)}`)
        const inputRequests = { sure: { method: 'elicitation/create', params: question }, at: { method: 'roots/list' } }
        return { result: { resultType: 'input_required', inputRequests, requestState } }
      },
    }),
  )
  const asked: string[] = []
  await using session = await open(server, {
    onElicitation: async ({ message, serverName }) => {
      asked.push(`${serverName}: ${message}`)
      return { action: 'accept', content: { ok: true } }
    },
  })
  const { text } = await session.call('mcp__raw__ask', { a: 1 })
  assert.match(text, /^1 \{.*"sure":\{"action":"accept","content":\{"ok":true\}\}/)
  assert.match(text, /"at":\{"roots":\[\{"uri":"file:/)
  assert.deepEqual(asked, ['raw: Sure?'])
  await session.call('mcp__raw__other')
  const [first, second, third] = server.of('tools/call')
  assert.notEqual(second?.id, first?.id)
  assert.equal(second?.params['requestState'], requestState)
  assert.deepEqual([third?.params['requestState'], third?.params['inputResponses']], [undefined, undefined])
})

test('arguments that a tool wants as headers are sent as such, written so that any text fits', async () => {
  const wanted = (type: string, header: string) => ({ type, 'x-mcp-header': header })
  const properties = {
    region: wanted('string', 'Region'),
    count: wanted('integer', 'Count'),
    dry: wanted('boolean', 'Dry'),
    deep: { type: 'object', properties: { note: wanted('string', 'Note') } },
    missing: wanted('string', 'Missing'),
  }
  const bad = rawTool('bad', { a: { type: 'number', 'x-mcp-header': 'A' } })
  await using server = await startRawServer(
    statelessReply({ tools: [rawTool('route', properties), bad], reply: () => done('routed') }),
  )
  const notes: string[] = []
  await using session = await open(server, { stderr: (text) => void notes.push(text) })
  const status = await session.ready('raw')
  assert.deepEqual(
    status.tools?.map(({ name }) => name),
    ['route'],
  )
  assert.match(notes.join(''), /the tool bad is left out: `x-mcp-header` is only for texts, integers and booleans/)
  await session.call('mcp__raw__route', { region: 'eu', count: 3, dry: false, deep: { note: ' ü\r\nx: y' } })
  const headers = server.of('tools/call')[0]?.headers ?? {}
  assert.deepEqual(
    ['region', 'count', 'dry', 'note', 'missing'].map((name) => headers[`mcp-param-${name}`]),
    ['eu', '3', 'false', `=?base64?${Buffer.from(' ü\r\nx: y').toString('base64')}?=`, undefined],
  )
})

test('a server that wants headers since it was listed gets them, after its tools were listed once more', async () => {
  let isNew = false
  const tools = () => [rawTool('route', { region: { type: 'string', ...(isNew ? { 'x-mcp-header': 'Region' } : {}) } })]
  await using server = await startRawServer(
    statelessReply({
      tools,
      reply({ headers }) {
        isNew = true
        if (headers['mcp-param-region'] === 'eu') return done('routed')
        return { status: 400, error: { code: -32_020, message: 'Header mismatch' } }
      },
    }),
  )
  await using session = await open(server)
  assert.equal((await session.call('mcp__raw__route', { region: 'eu' })).text, 'routed')
  assert.deepEqual([server.of('tools/list').length, server.of('tools/call').length], [2, 2])
})

test('a call that the user interrupts is closed, and no notice is sent', async () => {
  let isClosed = false
  await using server = await startRawServer(
    statelessReply({
      tools: [rawTool('slow')],
      reply({ response }) {
        response.on('close', () => {
          isClosed = true
        })
        sendEvent(response, { method: 'notifications/message', params: { level: 'info', data: 'begun' } })
        return undefined
      },
    }),
  )
  await using session = await open(server)
  await session.ready('raw')
  session.plan({ tools: [{ name: 'mcp__raw__slow', input: {} }] })
  const turn = session.say('Go.')
  await eventually('the call', () => server.of('tools/call').length === 1)
  await session.running.interrupt()
  await turn
  await eventually('the end of the request', () => isClosed)
  assert.deepEqual(server.of('notifications/cancelled'), [])
})

test('news of a changed list comes over one open request, which is opened again where it is cut', async () => {
  let names = ['a']
  await using server = await startRawServer(
    statelessReply({
      tools: () => names.map((name) => rawTool(name)),
      capabilities: { tools: { listChanged: true } },
      reply({ method, id, response }) {
        if (method !== 'subscriptions/listen') return done('ok')
        sendEvent(response, {
          method: 'notifications/subscriptions/acknowledged',
          params: { _meta: { [`${META}subscriptionId`]: id }, notifications: { toolsListChanged: true } },
        })
        return undefined
      },
    }),
  )
  await using session = await open(server)
  await session.ready('raw')
  const has = (count: number) => session.until('raw', ({ tools }) => tools?.length === count)
  await eventually('a listener', () => server.of('subscriptions/listen').length === 1)
  assert.deepEqual(server.of('subscriptions/listen')[0]?.params['notifications'], { toolsListChanged: true })
  names = ['a', 'b']
  const { response } = server.of('subscriptions/listen')[0] ?? {}
  assert.ok(response)
  sendEvent(response, { method: 'notifications/tools/list_changed' })
  await has(2)
  names = ['a', 'b', 'c']
  response.destroy()
  await has(3)
  await eventually('another listener', () => server.of('subscriptions/listen').length === 2)
})

test('a list whose time is over is read again at the next prompt; the same one changes no request', async () => {
  let names = ['a']
  await using server = await startRawServer(
    statelessReply({ tools: () => names.map((name) => rawTool(name)), list: { ttlMs: 1 }, reply: () => done('ok') }),
  )
  await using session = await open(server)
  await session.call('mcp__raw__a')
  const offered = () => session.model.requests.map(({ body }) => JSON.stringify(body.tools))
  assert.equal(new Set(offered()).size, 1)
  names = ['a', 'b']
  await session.say('Again.')
  await session.until('raw', ({ tools }) => tools?.length === 2)
})
