/** Calls that a server makes a task of (extension io.modelcontextprotocol/tasks), through sessions of `query()`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SDKMessage } from 'kedge'
import { eventually } from '../support/eventually.js'
import { done, type RawMessage, type RawServer, rawTool, startRawServer, statelessReply } from './servers/raw-http.js'
import { openSession, type Session } from './session.js'

const task = (status: string, more: object = {}) => ({
  result: { resultType: 'task', taskId: 't/1 ü', status, ttlMs: 60_000, pollIntervalMs: 200, ...more },
})
const seen = (status: string, more: object = {}) => ({
  result: { ...task(status, more).result, resultType: 'complete' },
})
const { result: answer } = done('the answer')

/** The call becomes a task; `look` answers each question about it. */
async function open(look: (message: RawMessage) => ReturnType<typeof seen>, more: object = {}) {
  const server = await startRawServer(
    statelessReply({
      tools: [rawTool('build')],
      reply: (message) => (message.method === 'tools/call' ? task('working') : look(message)),
    }),
  )
  const session = await openSession({
    mcpServers: { raw: { type: 'http', url: server.url } },
    allowedTools: ['mcp__raw'],
    ...more,
  })
  return { server, session, [Symbol.asyncDispose]: () => end(session, server) }
}
async function end(session: Session, server: RawServer) {
  await session[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
}

test('a task that is over soon is a call like any other', async () => {
  await using opened = await open(() => seen('completed', { result: answer }))
  const { text, isError } = await opened.session.call('mcp__raw__build')
  assert.deepEqual([text, isError], ['the answer', false])
  const [look] = opened.server.of('tasks/get')
  assert.equal(look?.params['taskId'], 't/1 ü')
  assert.equal(look?.headers['mcp-name'], `=?base64?${Buffer.from('t/1 ü').toString('base64')}?=`)
  const { extensions } = look?.params['_meta']['io.modelcontextprotocol/clientCapabilities'] ?? {}
  assert.deepEqual(extensions['io.modelcontextprotocol/tasks'], {})
})

test('a longer one is a background task, outlives its connection, and tells the model what came of it', async () => {
  let isOver = false
  let cuts = 0
  await using opened = await open((message) => {
    if (!isOver && message.method === 'tasks/get' && cuts++ < 2) message.response.destroy()
    return isOver ? seen('completed', { result: answer }) : seen('working', { statusMessage: 'Linking' })
  })
  const { session } = opened
  const { text, messages } = await session.call('mcp__raw__build')
  const [, id] = /works on this as task (m\w+)/.exec(text) ?? []
  assert.ok(id, text)
  const started = messages.find((message) => message.type === 'system' && message.subtype === 'task_started')
  assert.ok(started?.type === 'system' && started.subtype === 'task_started')
  assert.deepEqual([started.task_id, started.task_type, started.description], [id, 'mcp_task', 'raw: build'])
  isOver = true
  const after: SDKMessage[] = []
  for (;;) {
    const { value, done: isDone } = await session.running.next()
    assert.ok(!isDone)
    after.push(value)
    if (value.type === 'result') break
  }
  const ended = after.find((message) => message.type === 'system' && message.subtype === 'task_notification')
  assert.ok(ended?.type === 'system' && ended.subtype === 'task_notification')
  assert.deepEqual([ended.task_id, ended.status], [id, 'completed'])
  const last = JSON.stringify(session.model.requests.at(-1)?.body.messages.at(-1))
  assert.match(last, /MCP task \\"raw: build\\" completed.*<result>the answer/)
  assert.ok(cuts >= 2)
})

test('a question of a task goes to the user once, and the answer to the task', async () => {
  let answered: unknown
  const ask = { method: 'elicitation/create', params: { message: 'Really?', requestedSchema: { type: 'object' } } }
  await using opened = await open(
    ({ method, params }) => {
      if (method === 'tasks/update') answered = params['inputResponses']
      if (answered) return seen('completed', { result: answer })
      return seen('input_required', { inputRequests: { sure: ask } })
    },
    { onElicitation: async () => ({ action: 'accept', content: { ok: true } }) },
  )
  assert.equal((await opened.session.call('mcp__raw__build')).text, 'the answer')
  assert.deepEqual(answered, { sure: { action: 'accept', content: { ok: true } } })
})

test('a task that fails is a failed call with the words of its server', async () => {
  await using opened = await open(() => seen('failed', { error: { code: -1, message: 'out of disk' } }))
  const { text, isError } = await opened.session.call('mcp__raw__build')
  assert.deepEqual([text, isError], ['The task failed: out of disk', true])
})

test('a call that is interrupted cancels its task', async () => {
  await using opened = await open(() => seen('working'))
  const { session, server } = opened
  await session.ready('raw')
  session.plan({ tools: [{ name: 'mcp__raw__build', input: {} }] })
  const turn = session.say('Go.')
  await eventually('a look at the task', () => server.of('tasks/get').length > 0)
  await session.running.interrupt()
  await turn
  await eventually('the cancel', () => server.of('tasks/cancel').length === 1)
})
