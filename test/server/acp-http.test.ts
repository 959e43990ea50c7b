/** The Agent Client Protocol over HTTP, with a client of the official library whose messages are posted and streamed. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { client, methods } from '@agentclientprotocol/sdk/unstable'
import { overHttp } from './over-http.js'
import { type Anything, serve, write } from './serving.js'

test('an editor works over HTTP as it does over a pipe; others see its session, and its folders are those of the server', async () => {
  await using serving = await serve([write('a.txt'), 'Written.', write('b.txt'), 'More.'], {
    options: { env: { ANTHROPIC_API_KEY: 'test' } } as never,
  })
  const { cwd } = serving.options
  const path = '/v1/acp/editor-1'
  assert.equal(
    (await serving.call('POST', path, { body: { jsonrpc: '2.0', id: 1, method: 'session/list' } })).json.code,
    'connection_not_found',
  )
  const http = overHttp(serving, path)
  const asked: Anything[] = []
  let answer: (outcome: Anything) => void = () => {}
  const updates: string[] = []
  const app = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params)
      const [allow] = params.options.filter(({ kind }) => kind === 'allow_once')
      if (asked.length === 1) return { outcome: { outcome: 'selected' as const, optionId: allow?.optionId ?? '' } }
      return new Promise((resolve) => {
        answer = resolve
      })
    })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update.sessionUpdate))
    .onNotification('*', () => {})
  const { agent } = app.connect(http.stream)
  const hello = await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
  assert.equal(hello.agentInfo?.name, 'kedge')
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] })
  const prompt = [{ type: 'text' as const, text: 'go' }]
  const told: Anything = await agent.request(methods.agent.session.prompt, { sessionId, prompt })
  assert.equal(told.stopReason, 'end_turn')
  assert.equal(asked.length, 1)
  assert.ok(existsSync(join(cwd, 'a.txt')))
  const answered = (await serving.log(sessionId, ({ kind }) => kind === 'answered')).at(-1)
  assert.equal(answered?.kind === 'answered' && answered.data.by.interface, 'acp')
  // Answers and news come by different ways.
  for (const kind of ['tool_call', 'agent_message_chunk'])
    while (!updates.includes(kind)) await new Promise(setImmediate)
  assert.deepEqual(
    http.ids,
    http.ids.map((_, n) => String(n + 1)),
  )
  const { servers } = (await serving.call('GET', '/v1/acp')).json
  assert.deepEqual([servers[0].serverId, servers[0].agent], ['editor-1', 'claude'])

  // Folders and sessions elsewhere are out of reach, and are not listed.
  const post = async (body: object, at = path) =>
    (await serving.call('POST', at, { body: { jsonrpc: '2.0', id: 'x', ...body } })).json
  assert.equal((await post({ method: 'session/new', params: { cwd: '/etc', mcpServers: [] } })).code, 'invalid_folder')
  const wide = { cwd, additionalDirectories: ['/etc'], mcpServers: [] }
  assert.equal((await post({ method: 'session/new', params: wide })).code, 'invalid_folder')
  const foreign = '11111111-2222-4333-8444-555555555555'
  const load = { sessionId: foreign, cwd, mcpServers: [] }
  assert.equal((await post({ method: 'session/load', params: load })).code, 'session_not_found')
  const listed = (await post({ method: 'session/list', params: {} })).result.sessions
  assert.deepEqual(
    listed.map((one: Anything) => one.sessionId),
    [sessionId],
  )

  // A stream that was cut goes on after the last number; what was said before is there again.
  const before = http.ids.length
  http.cut()
  void http.listen(String(before - 2)).catch(() => {})
  while (http.ids.length < before + 2) await new Promise(setImmediate)
  assert.deepEqual(http.ids.slice(before), [String(before - 1), String(before)])
  const unknown = await serving.call('GET', path, { headers: { 'last-event-id': '9999' } })
  assert.equal(unknown.json.code, 'after_unknown')

  // Its editor leaves in the middle of an ask: the session stays, and somebody else answers.
  void agent.request(methods.agent.session.prompt, { sessionId, prompt }).catch(() => {})
  while (asked.length < 2) await new Promise(setImmediate)
  assert.equal((await serving.call('DELETE', path)).status, 204)
  assert.equal((await serving.call('DELETE', path)).status, 204)
  const [ask] = (await serving.call('GET', `/v1/asks?session=${sessionId}`)).json.asks
  await serving.call('POST', `/v1/sessions/${sessionId}/asks/${ask.id}/answer`, { body: { kind: 'allow' } })
  answer({ outcome: { outcome: 'cancelled' } })
  // The prompt that waited for its answer, and what the editor said too late.
  while (http.refused.length < 2) await new Promise(setImmediate)
  assert.deepEqual(new Set(http.refused), new Set(['connection_not_found']))
  await serving.log(
    sessionId,
    ({ kind, data }) =>
      kind === 'message' && data.type === 'result' && data.subtype === 'success' && data.result === 'More.',
  )
  assert.ok(existsSync(join(cwd, 'b.txt')))
})

test('messages that are none, and tokens that may not, are refused; the universal paths work too', async () => {
  await using serving = await serve([])
  const path = '/universal/v1/acp/c'
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }
  for (const body of [
    [],
    [initialize],
    { id: 1 },
    { jsonrpc: '1.0', id: 1, method: 'x' },
    { jsonrpc: '2.0', method: 5 },
  ])
    assert.equal((await serving.call('POST', path, { body })).status, 400)
  assert.equal((await serving.call('POST', `${path}?agent=codex`, { body: initialize })).status, 400)
  assert.equal((await serving.call('GET', path)).status, 404)
  const { token } = (
    await serving.call('POST', '/v1/tokens', { body: { name: 'Bob', scopes: ['read', 'answer', 'prompt'] } })
  ).json
  assert.equal((await serving.call('POST', path, { body: initialize, token })).status, 403)
  const { json } = await serving.call('POST', `${path}?agent=mock`, { body: initialize })
  assert.equal(json.result.protocolVersion, 1)
  mkdirSync(join(serving.options.cwd, 'x'))
  const call = (method: string, params: object = {}) =>
    serving.call('POST', path, { body: { jsonrpc: '2.0', id: 'q', method, params } })
  const { sessionId } = (await call('session/new', { cwd: join(serving.options.cwd, 'x'), mcpServers: [] })).json.result
  const prompt = [{ type: 'text', text: 'hello' }]
  assert.equal((await call('session/prompt', { sessionId, prompt })).json.result.stopReason, 'end_turn')
  // Any number of requests: nothing is kept of those that were answered.
  const warnings: string[] = []
  const warned = ({ name }: Error) => void warnings.push(name)
  process.on('warning', warned)
  for (let n = 0; n < 12; n += 1) assert.equal((await call('no/such')).json.error.code, -32601)
  await new Promise(setImmediate)
  process.off('warning', warned)
  assert.deepEqual(warnings, [])
  assert.equal(
    (await serving.call('POST', path, { body: { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } } }))
      .status,
    202,
  )
  assert.equal((await serving.call('DELETE', path)).status, 204)
  assert.deepEqual((await serving.call('GET', '/universal/v1/acp')).json.servers, [])
})
