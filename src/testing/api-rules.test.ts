/** The rules of the API that the server enforces, each broken once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMessagesRequest } from './api-rules.js'
import { startModelServer } from './server.js'
import { AUTHORIZED_HEADERS, callServer, createHelloRequest, streamFromServer } from './test-client.js'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const text = (value: string) => ({ type: 'text', text: value })
const use = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
const tool = (name: string) => ({ name, input_schema: { type: 'object' } })
const cached = { ...text('x'), cache_control: { type: 'ephemeral' } }

const unanswered = (place: string, ids: string) =>
  `${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ` +
  'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
const unexpected = (place: string, id: string) =>
  `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
  'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'

const broken: [rule: string, body: Record<string, unknown>, message: string][] = [
  ['model', { model: undefined }, 'model: Field required'],
  ['messages', { messages: undefined }, 'messages: Field required'],
  ['messages not a list', { messages: {} }, 'messages: Input should be a valid list'],
  ['no messages', { messages: [] }, 'messages: at least one message is required'],
  ['max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
  ['max_tokens a fraction', { max_tokens: 1.5 }, 'max_tokens: Input should be a valid integer'],
  ['max_tokens 0', { max_tokens: 0 }, 'max_tokens: Input should be greater than or equal to 1'],
  ['unknown field', { maxTokens: 1 }, 'maxTokens: Extra inputs are not permitted'],
  ['role', { messages: [{ role: 'system', content: 'x' }] }, "messages.0.role: Input should be 'user' or 'assistant'"],
  ['field of a message', { messages: [{ ...user('x'), id: '1' }] }, 'messages.0.id: Extra inputs are not permitted'],
  ['no content', { messages: [user(undefined)] }, 'messages.0.content: Field required'],
  ['content not a list', { messages: [user(7)] }, 'messages.0.content: Input should be a valid list'],
  [
    'empty content',
    { messages: [user('')] },
    'messages.0: all messages must have non-empty content except for the optional final assistant message',
  ],
  [
    'empty assistant in the middle',
    { messages: [user('x'), assistant([]), user('y')] },
    'messages.1: all messages must have non-empty content except for the optional final assistant message',
  ],
  ['empty text', { messages: [user([text('')])] }, 'messages: text content blocks must be non-empty'],
  ['empty system text', { system: [text('')] }, 'system: text content blocks must be non-empty'],
  ['first role', { messages: [assistant('x')] }, 'messages: first message must use the "user" role'],
  [
    'roles alternate',
    { messages: [user('a'), user('b')] },
    'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
  ],
  ['call at the end', { messages: [user('a'), assistant([use('t1')])] }, unanswered('messages.1', 't1')],
  [
    'call without result',
    { messages: [user('a'), assistant([use('t1'), use('t2')]), user([result('t1')])] },
    unanswered('messages.1', 't2'),
  ],
  [
    'text before the result',
    { messages: [user('a'), assistant([use('t1')]), user([text('x'), result('t1')])] },
    unanswered('messages.1', 't1'),
  ],
  ['result without call', { messages: [user([result('t9')])] }, unexpected('messages.0.content', 't9')],
  [
    'result of an older call',
    {
      messages: [user('a'), assistant([use('t1')]), user([result('t1')]), assistant('b'), user([result('t1')])],
    },
    unexpected('messages.4.content', 't1'),
  ],
  [
    'two results of one call',
    { messages: [user('a'), assistant([use('t1')]), user([result('t1'), result('t1')])] },
    'messages.2.content: each tool_use must have a single result. Found multiple `tool_result` blocks with id: t1',
  ],
  [
    'an id used twice',
    {
      messages: [user('a'), assistant([use('t1')]), user([result('t1')]), assistant([use('t1')]), user([result('t1')])],
    },
    'messages.3.content: `tool_use` ids must be unique',
  ],
  [
    'call of a user',
    { messages: [user([use('t1')])] },
    'messages.0.content.0: `tool_use` blocks can only be in `assistant` messages',
  ],
  [
    'input not an object',
    { messages: [user('a'), assistant([{ ...use('t1'), input: 'x' }])] },
    'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  ],
  [
    'odd id',
    { messages: [user('a'), assistant([use('t 1')])] },
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    'empty text in a result',
    { messages: [user('a'), assistant([use('t1')]), user([{ ...result('t1'), content: [text('')] }])] },
    'messages: text content blocks must be non-empty',
  ],
  [
    'thinking without signature',
    { messages: [user('a'), assistant([{ type: 'thinking', thinking: 'x' }])] },
    'messages.1.content.0.thinking.signature: Field required',
  ],
  [
    'field of a block',
    { messages: [user([{ ...text('x'), uuid: '1' }])] },
    'messages.0.content.0.text.uuid: Extra inputs are not permitted',
  ],
  [
    'an image that is none',
    { messages: [user([{ type: 'image', source: { type: 'base64', data: 'AA==', media_type: 'image/svg+xml' } }])] },
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg' or 'image/png' or 'image/gif' or 'image/webp'",
  ],
  [
    'a document without content, in a result',
    {
      messages: [
        user('a'),
        assistant([use('t1')]),
        user([
          {
            ...result('t1'),
            content: [{ type: 'document', source: { type: 'base64', data: '', media_type: 'application/pdf' } }],
          },
        ]),
      ],
    },
    'messages.2.content.0.tool_result.content.0.document.source.base64.data: Input should be a non-empty base64 string',
  ],
  ['tools unique', { tools: [tool('A'), tool('A')] }, 'tools: Tool names must be unique.'],
  ['tool name', { tools: [tool('a.b')] }, "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"],
  ['tool schema', { tools: [{ name: 'A' }] }, 'tools.0.custom.input_schema: Field required'],
  [
    'tool schema type',
    { tools: [{ name: 'A', input_schema: {} }] },
    'tools.0.custom.input_schema.type: Field required',
  ],
  [
    'thinking budget',
    { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ],
  [
    'small thinking budget',
    { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1023 } },
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
  ],
  [
    'temperature with thinking',
    { max_tokens: 2000, temperature: 0, thinking: { type: 'enabled', budget_tokens: 1024 } },
    '`temperature` may only be set to 1 when thinking is enabled.',
  ],
  [
    'cache_control',
    { system: [cached, cached], tools: [{ ...tool('A'), cache_control: {} }], messages: [user([cached, cached])] },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
]

for (const [rule, body, message] of broken) {
  test(`refuses: ${rule}`, () => {
    assert.deepEqual(checkMessagesRequest({ ...createHelloRequest(), ...body }), { status: 400, message })
  })
}

test('refuses a block of an unknown type', () => {
  const refusal = checkMessagesRequest({ ...createHelloRequest(), messages: [user([{ type: 'video' }])] })
  assert.match(refusal?.message ?? '', /^messages\.0\.content\.0: Input tag 'video' found using 'type' does not match/)
})

test('accepts what the API accepts', () => {
  for (const body of [
    {},
    { system: 'x', temperature: 0.5, stream: true, metadata: { user_id: 'u' } },
    { system: [cached], tools: [tool('A')], messages: [user([cached, cached, cached])] },
    { max_tokens: 2000, temperature: 1, thinking: { type: 'enabled', budget_tokens: 1999 } },
    { thinking: { type: 'adaptive' } },
    { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    { messages: [user('a'), assistant('prefilled')] },
    { messages: [user('a'), assistant([])] },
    {
      messages: [
        user([{ type: 'image', source: { type: 'base64', data: 'AA==', media_type: 'image/png' } }]),
        assistant([{ type: 'thinking', thinking: 'x', signature: 's' }, text('y'), use('t1'), use('t2')]),
        user([result('t2'), { ...result('t1'), is_error: true, content: [text('bad')] }, text('and')]),
        assistant([use('t3')]),
        user([{ type: 'tool_result', tool_use_id: 't3' }]),
        assistant([use('t4')]),
        user([
          {
            ...result('t4'),
            content: [{ type: 'document', source: { type: 'base64', data: 'AA==', media_type: 'application/pdf' } }],
          },
        ]),
      ],
    },
  ]) {
    assert.equal(checkMessagesRequest({ ...createHelloRequest(), ...body }), undefined)
  }
})

test('a refused request is answered as the API does, uses no turn, and fails the test', async () => {
  const server = await startModelServer(['Hi'])
  const answer = await callServer(`${server.url}/v1/messages`, { body: createHelloRequest({ messages: [] }) })
  assert.deepEqual(
    [answer.status, JSON.parse(answer.text)],
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'messages: at least one message is required' },
        request_id: 'req_test_1',
      },
    ],
  )
  assert.deepEqual([server.requests.length, server.otherRequests.length], [0, 1])
  assert.throws(() => server.assertDone(), /POST \/v1\/messages is invalid: messages: at least one message is required/)
  assert.equal((await streamFromServer(server)).status, 200)
  await server.close()
})

test('headers: a key and a version are required', async () => {
  const server = await startModelServer(['a', 'b'])
  const post = async (headers: Record<string, string>, body: unknown = createHelloRequest()) => {
    const { status, text } = await callServer(`${server.url}/v1/messages`, { body, headers })
    return [status, JSON.parse(text).error?.message]
  }
  assert.deepEqual(await post({ 'anthropic-version': '2023-06-01' }), [401, 'x-api-key header is required'])
  assert.deepEqual(await post({ 'x-api-key': 'k' }), [400, 'anthropic-version: header is required'])
  assert.deepEqual(await post(AUTHORIZED_HEADERS, '{"model":'), [400, 'The request body is not valid JSON'])
  assert.deepEqual(await post(AUTHORIZED_HEADERS, '[]'), [400, 'The request body is not valid JSON'])
  assert.deepEqual(await post({ authorization: 'Bearer t', 'anthropic-version': '2023-06-01' }), [200, undefined])
  assert.equal(server.failures.length, 4)
  await server.close()
})

test('validate: false lets everything through that is JSON', async () => {
  await using server = await startModelServer(['Hi'], { validate: false })
  const answer = await callServer(`${server.url}/v1/messages`, { body: { messages: 'odd' }, headers: {} })
  assert.equal(answer.status, 200)
  assert.deepEqual([server.requests[0]?.opening, server.requests[0]?.tools], ['', []])
})
