/** The official API client as an oracle: it must understand what the model server and replayed cassettes send. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Anthropic, { APIConnectionError, APIError, InternalServerError, RateLimitError } from '@anthropic-ai/sdk'
import { startModelServer } from './server.js'
import type { Turn } from './turn.js'

const input = { file_path: '/tmp/ä 😀.txt', limit: 3, nested: { list: [1, null, true] } }
const full: Turn = { thinking: 'Let me think.', text: 'Grüße 😀', tools: [{ name: 'Read', input }, { name: 'Now' }] }
const content = [
  { type: 'thinking', thinking: 'Let me think.', signature: 'sig_test' },
  { type: 'text', text: 'Grüße 😀' },
  { type: 'tool_use', id: 'toolu_test_1', name: 'Read', input },
  { type: 'tool_use', id: 'toolu_test_2', name: 'Now', input: {} },
]
const body = { model: 'claude-test', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] }

function client(server: { url: string }, maxRetries = 0) {
  return new Anthropic({ baseURL: server.url, apiKey: 'sk-ant-test', maxRetries })
}

test('reads an answer', async () => {
  await using server = await startModelServer([full])
  const { data, request_id } = await client(server).messages.create(body).withResponse()
  assert.deepEqual(data.content, content)
  assert.deepEqual(
    [data.id, data.stop_reason, data.usage.input_tokens, data.usage.output_tokens, request_id],
    ['msg_test_1', 'tool_use', 10, 5, 'req_test_1'],
  )
})

test('reads a stream, however it is written and cut up', async () => {
  const shapes: Turn[] = [
    full,
    { ...full, chunk: 1, pings: 2 },
    { ...full, newline: '\r\n', multilineData: true },
    { ...full, raw: [{ afterEvents: 2, text: ': comment\n\nevent: future\ndata: {}\n\n' }] },
    { ...full, dripBytes: { size: 1 } },
    { ...full, dripBytes: { size: 7 }, newline: '\r\n' },
  ]
  for (const shape of shapes) {
    await using server = await startModelServer([shape])
    const message = await client(server).messages.stream(body).finalMessage()
    assert.deepEqual(message.content, content)
    assert.deepEqual(
      [message.stop_reason, message.usage.input_tokens, message.usage.output_tokens],
      ['tool_use', 10, 5],
    )
  }
})

test('reads errors, and retries what can be retried', async () => {
  await using limited = await startModelServer([{ status: 429, retryAfter: 0 }, { status: 529 }, 'Recovered.'])
  const message = await client(limited, 2).messages.create(body)
  assert.deepEqual(message.content, [{ type: 'text', text: 'Recovered.' }])
  await using final = await startModelServer([{ status: 429 }, { status: 500, rawBody: '<html>' }])
  await assert.rejects(client(final).messages.create(body), (error) => {
    assert.ok(error instanceof RateLimitError)
    assert.deepEqual([error.requestID, error.type], ['req_test_1', 'rate_limit_error'])
    return true
  })
  await assert.rejects(client(final).messages.create(body), InternalServerError)
})

test('sees faults of the connection and of the stream', async () => {
  await using server = await startModelServer([
    { noAnswer: 'close' },
    { text: 'Hi', cutAfterEvents: 3 },
    { text: 'Hi', cutAfterEvents: 3, reset: true },
    { text: 'Hi', sseError: { type: 'overloaded_error', message: 'Overloaded' } },
    { text: 'Hi', cutAfterEvents: 3, cleanEnd: true },
  ])
  const finish = () => client(server).messages.stream(body).finalMessage()
  await assert.rejects(finish(), APIConnectionError)
  await assert.rejects(finish())
  await assert.rejects(finish())
  await assert.rejects(finish(), (error) => error instanceof APIError && /overloaded_error/.test(error.message))
  await assert.rejects(finish())
})

test('does not repeat a request that failed the test', async () => {
  const server = await startModelServer([])
  await assert.rejects(client(server, 5).messages.create(body), InternalServerError)
  assert.equal(server.requests.length, 1)
  await server.close()
})

test('counts tokens and lists models', async () => {
  await using server = await startModelServer([], { models: ['claude-test'], countTokens: () => 7 })
  const { max_tokens, ...counted } = body
  assert.deepEqual({ ...(await client(server).messages.countTokens(counted)) }, { input_tokens: 7 })
  const ids: string[] = []
  for await (const model of client(server).models.list()) ids.push(model.id)
  assert.deepEqual(ids, ['claude-test'])
  assert.equal((await client(server).models.retrieve('claude-test')).id, 'claude-test')
})
