/** What gateways in front of the Messages API were seen to do, one test each; the numbers are those of docs/endpoints.md. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { ask, KEY, testClient } from '../../../test/support/client.js'
import { apiError, eventsOf, type Reply, sse, startModelApi, status, stream } from '../../../test/support/model-api.js'
import type { MessageParam } from '../../protocol/content.js'
import { createStreamRepairer } from '../client/repair-stream.js'
import { listModels } from './list-models.js'

const MODEL = 'claude-sonnet-4-5-20250929'
const start = (more: object = {}) => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [],
    usage: { input_tokens: 10 },
    ...more,
  },
})
const begin = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block })
const text = { type: 'text', text: '' }
const thinking = { type: 'thinking', thinking: '' }
const delta = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more })
const says = (index: number, words: string) => delta(index, { type: 'text_delta', text: words })
const thinks = (index: number, words: string) => delta(index, { type: 'thinking_delta', thinking: words })
const signs = (index: number, signature: string) => delta(index, { type: 'signature_delta', signature })
const end = (index: number) => ({ type: 'content_block_stop', index })
const over = (usage: object = { output_tokens: 5 }, reason = 'end_turn') => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const GOOD = stream(sse(eventsOf({ blocks: [{ text: ['Fine.'] }] })))

async function startWith(t: TestContext, script: Reply[], overrides: Parameters<typeof testClient>[1] = {}) {
  const api = await startModelApi(script)
  t.after(() => api.close())
  return { api, ...testClient(api.url, overrides) }
}

/** The content of an answer that took one request, and the blocks that were told of on the way. */
async function contentOf(t: TestContext, events: readonly object[]) {
  const { api, client, ledger } = await startWith(t, [stream(sse(events))])
  const { events: told, outcome } = await ask(client, { partial: true })
  assert.ok(outcome.ok, JSON.stringify(outcome))
  const blocks = told.flatMap((event) => (event.type === 'block' ? [event.block] : []))
  assert.deepEqual(blocks, outcome.message.content)
  // Whoever shows the answer as it comes gets a stream without contradictions.
  const raw = told.flatMap((event) => (event.type === 'events' ? event.events : []))
  const open = new Set<number>()
  for (const event of raw) {
    if (event.type === 'content_block_start') open.add(event.index)
    if (event.type === 'content_block_delta') assert.ok(open.has(event.index))
    if (event.type === 'content_block_stop') assert.ok(open.delete(event.index))
  }
  assert.deepEqual([open.size, api.seen.length], [0, 1])
  return { content: outcome.message.content, message: outcome.message, entries: ledger.entries() }
}

test('1: message_start twice', async (t) => {
  const { content } = await contentOf(t, [start(), start(), begin(0, text), says(0, 'Hi.'), end(0), ...over()])
  assert.deepEqual(content, [{ type: 'text', text: 'Hi.' }])
})

test('2: thinking inside a text block is thinking of its own', async (t) => {
  const events = [start(), begin(0, text), thinks(0, 'Hm. '), thinks(0, 'Yes.'), says(0, 'Hi.'), thinks(0, ''), end(0)]
  const { content } = await contentOf(t, [...events, begin(1, text), says(1, 'More.'), end(1), ...over()])
  assert.deepEqual(content, [
    text,
    { type: 'thinking', thinking: 'Hm. Yes.', signature: '' },
    { type: 'text', text: 'Hi.' },
    { type: 'text', text: 'More.' },
  ])
})

test('3: more thinking for a block that is closed begins another', async (t) => {
  const events = [start(), begin(0, thinking), thinks(0, 'One.'), signs(0, 's'), end(0), begin(1, text), says(1, 'Hi.')]
  const { content } = await contentOf(t, [...events, end(1), thinks(0, 'Two.'), end(0), ...over()])
  assert.deepEqual(content, [
    { type: 'thinking', thinking: 'One.', signature: 's' },
    { type: 'text', text: 'Hi.' },
    { type: 'thinking', thinking: 'Two.', signature: '' },
  ])
})

test('4: the end of the last block is missing: a text and a whole call are taken, half a call is asked for again', async (t) => {
  const { content } = await contentOf(t, [start(), begin(0, text), says(0, 'Hi.'), ...over()])
  assert.deepEqual(content, [{ type: 'text', text: 'Hi.' }])
  const call = begin(0, { type: 'tool_use', id: 't', name: 'Bash', input: {} })
  const json = (partial: string) => delta(0, { type: 'input_json_delta', partial_json: partial })
  const whole = await contentOf(t, [start(), call, json('{"a":'), json('1}'), ...over()])
  assert.deepEqual(whole.content, [{ type: 'tool_use', id: 't', name: 'Bash', input: { a: 1 } }])
  for (const half of [[json('{"a":')], []]) {
    const { api, client } = await startWith(t, [stream(sse([start(), call, ...half, ...over()])), GOOD])
    assert.ok((await ask(client)).outcome.ok)
    assert.equal(api.seen.length, 2)
  }
})

test('5 and 7: a call in an answer that says end_turn, its input in the first event', async (t) => {
  const call = begin(0, { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } })
  const { content } = await contentOf(t, [start(), call, end(0), ...over()])
  assert.deepEqual(content, [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }])
})

/** What the second request says the model had said. */
async function sentBack(t: TestContext, content: MessageParam['content']) {
  const { api, client } = await startWith(t, [GOOD])
  await ask(client, {
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content },
      { role: 'user', content: 'On.' },
    ],
  })
  const messages = (api.seen[0]?.body['messages'] ?? []) as MessageParam[] // as they were sent
  const [, answer] = messages
  return answer?.content
}

test('6: an empty text block is not sent back', async (t) => {
  const { content } = await contentOf(t, [
    start(),
    begin(0, text),
    end(0),
    begin(1, text),
    says(1, 'Hi.'),
    end(1),
    ...over(),
  ])
  assert.deepEqual(await sentBack(t, content as MessageParam['content']), [
    { type: 'text', text: 'Hi.', cache_control: { type: 'ephemeral' } },
  ])
})

test('8: odd ids of calls stay as they are', async (t) => {
  for (const id of [`call_1__thought__${'A'.repeat(300)}`, 'functions.Bash:0']) {
    const call = { type: 'tool_use' as const, id, name: 'Bash', input: {} }
    assert.deepEqual(await sentBack(t, [call]), [{ ...call, cache_control: { type: 'ephemeral' } }])
  }
})

test('9: what was used is told at the very end', async (t) => {
  const events = [start({ usage: {} }), begin(0, text), says(0, 'Hi.'), end(0)]
  const [last, stop] = over({}, 'end_turn')
  const { message, entries } = await contentOf(t, [
    ...events,
    last ?? {},
    { ...stop, usage: { input_tokens: 70, output_tokens: 8 } },
  ])
  assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [70, 8])
  assert.deepEqual(
    entries.map(({ usage }) => usage.input_tokens),
    [70],
  )
})

const SIGNED: MessageParam[] = [
  { role: 'user', content: 'Go.' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'old' },
      { type: 'text', text: 'Hi.' },
    ],
  },
  { role: 'user', content: 'On.' },
]

test('10: signed thinking that is refused is left out, now and later', async (t) => {
  const refusal = apiError(
    400,
    'invalid_request_error',
    'messages.1.content.0: Invalid `signature` in `thinking` block',
  )
  const { api, client } = await startWith(t, [refusal, GOOD, GOOD, refusal])
  for (let turn = 0; turn < 2; turn += 1) assert.ok((await ask(client, { messages: SIGNED })).outcome.ok)
  assert.deepEqual(
    api.seen.map(({ raw }) => [raw.includes('"signature":"old"'), raw.includes('"text":"Hi."')]),
    [
      [true, true],
      [false, true],
      [false, true],
    ],
  )
  // An endpoint that says more about it means something else.
  const { outcome } = await ask(client, { messages: SIGNED })
  assert.equal(outcome.ok, false)
  assert.equal(api.seen.length, 4)
})

test('11: a signature in a block of its own belongs to the thinking before it', async (t) => {
  const events = [start(), begin(0, thinking), thinks(0, 'Hm.'), end(0), begin(1, thinking), signs(1, 'sig'), end(1)]
  const { content } = await contentOf(t, [...events, begin(2, text), says(2, 'Hi.'), end(2), ...over()])
  assert.deepEqual(content, [
    { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
    { type: 'text', text: 'Hi.' },
  ])
  const two = [
    start(),
    begin(0, thinking),
    thinks(0, 'A.'),
    end(0),
    begin(1, thinking),
    thinks(1, 'B.'),
    end(1),
    ...over(),
  ]
  assert.deepEqual((await contentOf(t, two)).content, [
    { type: 'thinking', thinking: 'A.', signature: '' },
    { type: 'thinking', thinking: 'B.', signature: '' },
  ])
})

/** By what was refused: what the endpoint says, and what then is no longer in the request. */
const REFUSALS: [name: string, message: string, gone: (body: Record<string, unknown>, betas: string) => boolean][] = [
  [
    '12: cache markers',
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    (body) => !JSON.stringify(body).includes('cache_control'),
  ],
  [
    '13: a beta',
    'Unexpected value(s) `interleaved-thinking-2025-05-14` for the `anthropic-beta` header',
    (_, betas) => betas === '',
  ],
  ['13: a field', 'metadata: Extra inputs are not permitted', (body) => !('metadata' in body)],
  ['14: thinking', 'thinking: Extra inputs are not permitted', (body) => !('thinking' in body)],
]

for (const [name, message, gone] of REFUSALS) {
  test(`${name} that an endpoint refuses: left out from then on, and told as a retry`, async (t) => {
    const { api, client } = await startWith(t, [apiError(400, 'invalid_request_error', message), GOOD, GOOD])
    const { events, outcome } = await ask(client, { system: ['Be brief.'] })
    assert.ok(outcome.ok)
    assert.ok((await ask(client, { system: ['Be brief.'] })).outcome.ok)
    assert.deepEqual(
      api.seen.map(({ body, headers }) => gone(body, String(headers['anthropic-beta'] ?? ''))),
      [false, true, true],
    )
    assert.deepEqual(events.filter(({ type }) => type === 'retry').length, 1)
  })
}

test('14: adaptive thinking that is refused becomes a budget, then none', async (t) => {
  const refusal = (what: string) => apiError(400, 'invalid_request_error', `thinking.type: ${what} is not supported`)
  const { api, client } = await startWith(t, [refusal('adaptive'), refusal('enabled'), GOOD], {
    settings: () => ({ thinking: { type: 'adaptive' } }),
  })
  assert.ok((await ask(client, { model: 'claude-opus-4-6' })).outcome.ok)
  assert.deepEqual(
    api.seen.map(({ body }) => Object(body['thinking'])['type']),
    ['adaptive', 'enabled', undefined],
  )
})

test('a limit is never left out, and what only mentions a capability is no refusal of it', async (t) => {
  const texts = [
    'output_config.task_budget: Extra inputs are not permitted',
    'max_tokens must be greater than thinking.budget_tokens',
  ]
  for (const message of texts) {
    const { api, client } = await startWith(t, [apiError(400, 'invalid_request_error', message)], {
      settings: () => ({ taskBudget: 50, effort: 'high' }),
    })
    assert.equal((await ask(client, { model: 'claude-opus-4-6' })).outcome.ok, false)
    assert.equal(api.seen.length, 1)
  }
})

test('15: a prompt that is too long, in other words', async (t) => {
  const texts = [
    'litellm.ContextWindowExceededError: too much',
    'input length and max_tokens exceed context limit',
    "This model's maximum context length is 8192 tokens",
    'Input is too long for requested model.',
    'code: context_length_exceeded',
    'The prompt exceeds the limit of 32768 tokens',
  ]
  for (const message of texts) {
    const { client } = await startWith(t, [apiError(400, 'invalid_request_error', message)])
    const { outcome } = await ask(client)
    assert.equal(!outcome.ok && outcome.failure.code, 'prompt_too_long', message)
  }
})

test('16: an error inside another: the innermost counts', async (t) => {
  const inner = { error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens' } }
  const wraps: object[] = [
    { error: { message: 'upstream', upstream_error: inner } },
    { error: { message: `litellm.RateLimitError: ${JSON.stringify(inner)}` } },
    { error: { type: 'rate_limit_error', error: inner.error } },
    [{ error: { message: 'x', error: inner.error } }],
  ]
  for (const body of wraps) {
    const { api, client } = await startWith(t, [status(429, body)])
    const { outcome } = await ask(client)
    assert.deepEqual([!outcome.ok && outcome.failure.code, api.seen.length], ['prompt_too_long', 1])
  }
})

test('17: the page of a firewall is named and not shown', async (t) => {
  for (const code of [200, 403]) {
    const { client } = await startWith(t, [status(code, '<html>Log in, sk-ant</html>')])
    const { outcome } = await ask(client)
    assert.ok(!outcome.ok)
    assert.match(outcome.failure.text, /text\/html/)
    assert.doesNotMatch(outcome.failure.text, /<html|Log in/)
  }
})

test('18 and 19: comments, no names of events, [DONE], and all of it in one piece', async (t) => {
  const events = eventsOf({ blocks: [{ text: ['Fine.'] }] })
  const data = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(': OPENROUTER PROCESSING\n\n')
  const { api, client } = await startWith(t, [stream(`: hello\n\n${data}data: [DONE]\n\n`)])
  const { outcome } = await ask(client)
  assert.deepEqual([outcome.ok && outcome.message.content, api.seen.length], [[{ type: 'text', text: 'Fine.' }], 1])
})

test('20: another model in the answer, no id; models listed as others list them', async (t) => {
  const events = [start({ id: undefined, model: 'gpt-x' }), begin(0, text), says(0, 'Hi.'), end(0), ...over()]
  const { message, entries } = await contentOf(t, events)
  assert.match(message.id, /^msg_./)
  assert.deepEqual(
    entries.map(({ model }) => model),
    [MODEL],
  )
  const whole = {
    type: 'message',
    role: 'assistant',
    model: 'x',
    content: [{ type: 'text', text: 'Hi.' }],
    stop_reason: 'end_turn',
  }
  const { client } = await startWith(t, [status(200, whole)])
  assert.ok((await ask(client)).outcome.ok)
  const listed = { object: 'list', data: [{ id: 'claude-x', object: 'model', created: 1, owned_by: 'o' }] }
  const { api, http } = await startWith(t, [status(200, listed)])
  const { readModelEnvironment } = await import('./client-environment.js')
  const { nodeClock } = await import('../../platform/clock.js')
  const models = await listModels({
    platform: { http, clock: nodeClock },
    environment: readModelEnvironment({ ANTHROPIC_BASE_URL: api.url }),
    credential: { kind: 'api-key', secret: KEY, source: 'ANTHROPIC_API_KEY' },
    version: '1',
    signal: new AbortController().signal,
  })
  assert.deepEqual(models, { source: 'api', models: [{ id: 'claude-x', displayName: 'claude-x', createdAt: null }] })
})

test('an error in the middle of an answer that does not say what it is', async (t) => {
  const events = [start(), begin(0, text), { error: { code: 402, message: 'Insufficient credits' } }]
  const { api, client } = await startWith(t, [stream(sse(events))])
  const { outcome } = await ask(client)
  assert.deepEqual([!outcome.ok && outcome.failure.code, api.seen.length], ['billing', 1])
})

test('a good stream passes as it is, event by event', () => {
  const words = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 })
  const block = fc.oneof(
    fc.record({ text: words }),
    fc.record({ thinking: words, signature: fc.string({ minLength: 1 }) }),
    fc.record({ tool: fc.constant('Bash'), id: fc.uuid(), json: words }),
  )
  fc.assert(
    fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
      const mender = createStreamRepairer({ isWhole: () => true, newId: () => 'new' })
      for (const event of eventsOf({ blocks })) {
        const [same, ...more] = mender.push(event)
        assert.ok(same === event && more.length === 0)
      }
    }),
  )
})
