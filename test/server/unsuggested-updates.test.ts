/** Updates that a request does not suggest, sent by every other way to answer it than `POST …/answer`. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { client, methods } from '@agentclientprotocol/sdk/unstable'
import { WebSocket } from 'ws'
import { overHttp } from './over-http.js'
import { type Serving, serve } from './serving.js'

const MKFIFO = { tools: [{ name: 'Bash', input: { command: 'mkfifo made' } }] }
const WIDE = [{ type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'userSettings' }]

/** The settings files that exist: updates of an answer are saved to them. */
const savedTo = ({ options }: Serving): string[] =>
  [
    join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'settings.json'),
    join(options.cwd, '.claude', 'settings.json'),
    join(options.cwd, '.claude', 'settings.local.json'),
  ].filter((file) => existsSync(file))

test('a reply of the universal API takes no updates, whatever its token', async () => {
  await using serving = await serve([MKFIFO])
  const created = await serving.call('POST', '/universal/v1/sessions/mine', { body: { agent: 'claude' } })
  const session = created.json.nativeSessionId
  await serving.call('POST', '/universal/v1/sessions/mine/messages', { body: { message: 'go' } })
  const ask = await serving.ask(session)
  const at = '/universal/v1/sessions/mine'
  const replies = [
    ['permissions', { reply: 'once', updates: WIDE }],
    ['permissions', { reply: 'always', updates: WIDE }],
    ['permissions', { reply: 'always', updatedPermissions: WIDE }],
    ['questions', { answers: [['yes']], updates: WIDE }],
  ] as const
  for (const [kind, body] of replies) {
    const { status, json } = await serving.call('POST', `${at}/${kind}/${ask.id}/reply`, { body })
    assert.deepEqual([status, json.code], [400, 'invalid_request'], JSON.stringify(body))
  }
  assert.equal((await serving.call('GET', `/v1/sessions/${session}/asks/${ask.id}`)).status, 200, 'still open')
  assert.deepEqual(savedTo(serving), [])
})

test('a WebSocket takes no answers', async () => {
  await using serving = await serve([MKFIFO])
  const session = await serving.begin()
  await serving.send(session, '1')
  const ask = await serving.ask(session)
  const answer = { kind: 'allow', updates: WIDE }
  for (const message of [
    { ask: ask.id, answer },
    { ask: ask.id, ...answer },
    { after: 0, ask: ask.id, ...answer },
  ]) {
    const ws = new WebSocket(`${serving.url.replace('http', 'ws')}/v1/sessions/${session}/events`, {
      headers: { authorization: `Bearer ${serving.server.token}` },
    })
    ws.once('open', () => ws.send(JSON.stringify(message)))
    const code = await new Promise((resolve) => ws.once('close', resolve))
    assert.equal(code, 1008, JSON.stringify(message))
  }
  assert.equal((await serving.call('GET', `/v1/sessions/${session}/asks/${ask.id}`)).status, 200, 'still open')
  assert.deepEqual(savedTo(serving), [])
})

test('an editor chooses among the options it was offered; others are a denial, and updates beside them are not used', async () => {
  await using serving = await serve([MKFIFO, MKFIFO, 'Done.'], {
    options: { env: { ANTHROPIC_API_KEY: 'test' } } as never,
  })
  const updates = { updates: WIDE, updatedPermissions: WIDE }
  const chosen = ['allow-always-99', 'allow']
  const { agent } = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, () => ({
      outcome: { outcome: 'selected' as const, optionId: chosen.shift() ?? '', ...updates, _meta: { kedge: updates } },
      ...updates,
      _meta: { kedge: updates },
    }))
    .onNotification('*', () => {})
    .connect(overHttp(serving, '/v1/acp/editor').stream)
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
  const { cwd } = serving.options
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] })
  await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'go' }] })
  assert.deepEqual(chosen, [], 'both calls were asked about: the first answer left no rule behind')
  const answers = (await serving.log(sessionId, ({ kind, data }) => kind === 'message' && 'result' in data)).flatMap(
    (entry) => (entry.kind === 'answered' ? [entry.data.answer] : []),
  )
  assert.deepEqual(
    answers.map((answer) => [answer.kind, 'updates' in answer]),
    [
      ['deny', false],
      ['allow', false],
    ],
  )
  assert.ok(existsSync(join(cwd, 'made')))
  assert.deepEqual(savedTo(serving), [])
})
