/** The model server as a client sees it: answers, ids, other endpoints, concurrency, closing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from './server.js'
import {
  AUTHORIZED_HEADERS,
  callServer,
  createHelloRequest,
  parseServerSentEvents,
  streamFromServer,
  type TestResponse,
} from './test-client.js'

const start = (id: string) => ({
  type: 'message_start',
  message: {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  },
})

test('streams thinking, text and a tool call as the API does', async () => {
  await using server = await startModelServer([
    {
      thinking: 'Let me think.',
      text: 'Calling a tool.',
      tools: [{ id: 'toolu_pa1', name: 'Bash', input: { command: 'echo partial' } }],
    },
  ])
  const answer = await streamFromServer(server)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(answer.headers['request-id'], 'req_test_1')
  const delta = (index: number, value: object) => ({ type: 'content_block_delta', index, delta: value })
  assert.deepEqual(
    parseServerSentEvents(answer.text),
    [
      start('msg_test_1'),
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      delta(0, { type: 'thinking_delta', thinking: 'Let me ' }),
      delta(0, { type: 'thinking_delta', thinking: 'think.' }),
      delta(0, { type: 'signature_delta', signature: 'sig_test' }),
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      delta(1, { type: 'text_delta', text: 'Calling ' }),
      delta(1, { type: 'text_delta', text: 'a tool.' }),
      { type: 'content_block_stop', index: 1 },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'toolu_pa1', name: 'Bash', input: {} },
      },
      delta(2, { type: 'input_json_delta', partial_json: '{"command":"e' }),
      delta(2, { type: 'input_json_delta', partial_json: 'cho partial"}' }),
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ].map((data) => ({ event: data.type, data })),
  )
})

test('answers in one JSON document when no stream is asked for', async () => {
  await using server = await startModelServer([
    { text: 'Hi.', tools: [{ name: 'Read' }, { name: 'Read' }], usage: { input_tokens: 7, output_tokens: 3 } },
    {
      content: [{ type: 'redacted_thinking', data: 'x' }],
      stopReason: 'stop_sequence',
      stopSequence: 'END',
      model: 'm2',
    },
  ])
  const first = await callServer(`${server.url}/v1/messages?beta=true`, { body: createHelloRequest() })
  assert.deepEqual(JSON.parse(first.text), {
    id: 'msg_test_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [
      { type: 'text', text: 'Hi.' },
      { type: 'tool_use', id: 'toolu_test_1', name: 'Read', input: {} },
      { type: 'tool_use', id: 'toolu_test_2', name: 'Read', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 },
  })
  const second = JSON.parse((await callServer(`${server.url}/v1/messages`, { body: createHelloRequest() })).text)
  assert.deepEqual(
    { id: second.id, model: second.model, content: second.content, stop: [second.stop_reason, second.stop_sequence] },
    {
      id: 'msg_test_2',
      model: 'm2',
      content: [{ type: 'redacted_thinking', data: 'x' }],
      stop: ['stop_sequence', 'END'],
    },
  )
})

test('chunk sets the characters per delta and never cuts a character in half', async () => {
  await using server = await startModelServer([
    { text: 'ab😀cd', chunk: 3 },
    { text: '😀', chunk: 1 },
  ])
  const deltas = (text: string) =>
    parseServerSentEvents(text).flatMap(({ data }) => {
      const { delta } = Object(data)
      return delta?.type === 'text_delta' ? [delta.text] : []
    })
  assert.deepEqual(deltas((await streamFromServer(server)).text), ['ab😀', 'cd'])
  assert.deepEqual(deltas((await streamFromServer(server)).text), ['😀'])
})

test('records what was asked', async () => {
  await using server = await startModelServer(['One.', 'Two.'])
  const body = createHelloRequest({
    stream: true,
    system: [
      { type: 'text', text: 'You are' },
      { type: 'text', text: 'a test.' },
    ],
    tools: [{ name: 'Read', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'Read it' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'no such file' }], is_error: true },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  })
  await callServer(`${server.url}/v1/messages?beta=true`, { body, headers: { ...AUTHORIZED_HEADERS, 'x-app': 'cli' } })
  await streamFromServer(server)
  const [first, second] = server.requests
  assert.ok(first && second)
  const { headers, ended, ...rest } = first
  assert.deepEqual(rest, {
    index: 0,
    path: '/v1/messages?beta=true',
    body,
    system: 'You are\na test.',
    opening: 'Read it',
    prompt: 'And?',
    toolResults: [{ id: 't1', text: 'no such file', isError: true }],
    tools: ['Read'],
  })
  assert.equal(headers['x-app'], 'cli')
  assert.equal(await ended, 'complete')
  assert.deepEqual([second.index, second.prompt, server.script.requests], [1, 'Hello', [first, second]])
})

test('counts tokens, lists models, and knows no other path', async () => {
  await using server = await startModelServer([], { models: ['claude-a', 'claude-b'], countTokens: () => 42 })
  const get = async (path: string) => {
    const { status, text } = await callServer(server.url + path, { method: 'GET' })
    return { status, body: JSON.parse(text) }
  }
  const { max_tokens, ...counted } = createHelloRequest({ model: 'claude-a' })
  const count = await callServer(`${server.url}/v1/messages/count_tokens?beta=true`, { body: counted })
  assert.deepEqual([count.status, JSON.parse(count.text)], [200, { input_tokens: 42 }])
  const model = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' })
  assert.deepEqual(await get('/v1/models?limit=1000'), {
    status: 200,
    body: { data: [model('claude-a'), model('claude-b')], has_more: false, first_id: 'claude-a', last_id: 'claude-b' },
  })
  assert.deepEqual(await get('/v1/models/claude-b'), { status: 200, body: model('claude-b') })
  for (const path of ['/v1/models/claude-c', '/v2/messages']) {
    assert.deepEqual(await get(path), {
      status: 404,
      body: {
        type: 'error',
        error: { type: 'not_found_error', message: 'Not found' },
        request_id: path === '/v2/messages' ? 'req_test_5' : 'req_test_4',
      },
    })
  }
  assert.deepEqual(server.requests, [])
  assert.deepEqual(
    server.otherRequests.map(({ method, path }) => `${method} ${path}`),
    [
      'POST /v1/messages/count_tokens?beta=true',
      'GET /v1/models?limit=1000',
      'GET /v1/models/claude-b',
      'GET /v1/models/claude-c',
      'GET /v2/messages',
    ],
  )
})

test('a model that is not offered is not found', async () => {
  const server = await startModelServer(['Hi'], { models: ['claude-a'] })
  const answer = await streamFromServer(server)
  assert.deepEqual(
    [answer.status, JSON.parse(answer.text).error],
    [404, { type: 'not_found_error', message: 'model: claude-test' }],
  )
  await server.close()
})

test('answers 200 requests at once, each with its own answer', async () => {
  await using server = await startModelServer((request) => ({ text: `Answer to ${request.prompt}`, gapMs: 1 }))
  const texts = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const { text } = await streamFromServer(server, { messages: [{ role: 'user', content: `question ${i}` }] })
      return parseServerSentEvents(text)
        .map(({ data }) => Object(data).delta?.text ?? '')
        .join('')
    }),
  )
  assert.deepEqual(
    texts,
    texts.map((_, i) => `Answer to question ${i}`),
  )
  assert.equal(server.requests.length, 200)
})

test('close() ends open connections, and can be called twice', async () => {
  const server = await startModelServer([{ text: 'Hi', stallAfterEvents: 2 }, { noAnswer: 'hang' }])
  let stalled: Promise<TestResponse> | undefined
  await new Promise<void>((resolve) => {
    stalled = callServer(`${server.url}/v1/messages`, {
      body: createHelloRequest({ stream: true }),
      onText: () => resolve(),
    })
  })
  const hanging = assert.rejects(streamFromServer(server), { code: 'ECONNRESET' })
  while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
  await Promise.all([server.close(), server.close()])
  assert.equal((await stalled)?.broken, 'ECONNRESET')
  await hanging
  await assert.rejects(streamFromServer(server), { code: 'ECONNREFUSED' })
  server.assertDone()
})

test('tells when the client has left, even before the turn is known', async () => {
  const never = new Promise<string>(() => {})
  await using server = await startModelServer([{ text: 'Hi', stallAfterEvents: 1 }, () => never])
  for (const i of [0, 1]) {
    const leaving = new AbortController()
    const answer = callServer(`${server.url}/v1/messages`, {
      body: createHelloRequest({ stream: true }),
      signal: leaving.signal,
    })
    while (!server.requests[i]) await new Promise((resolve) => setTimeout(resolve, 2))
    leaving.abort()
    await answer.catch(() => {})
    assert.equal(await server.requests[i]?.ended, 'aborted')
  }
})

test('env() points an agent at the server', async () => {
  await using server = await startModelServer([])
  assert.deepEqual(server.env(), {
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.port}`,
    ANTHROPIC_API_KEY: 'sk-ant-test',
  })
})
