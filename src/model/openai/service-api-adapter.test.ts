import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ask, collect, instantClock, outcomeOf, request } from '../../../test/support/client.js'
import { type Answer, cutStream, type Reply, startModelApi, status, stream } from '../../../test/support/model-api.js'
import { answered, chatStream, dataLines, type OpenAiApi, responsesStream } from '../../../test/support/openai-api.js'
import type { ToolDefinition } from '../../engine/ports.js'
import { nodePlatform } from '../../platform/node-platform.js'
import type { ContentBlockParam, MessageParam } from '../../protocol/content.js'
import { createLedger } from '../ledger.js'
import type { ModelRequestSettings } from '../provider.js'
import { createProviders } from '../providers.js'
import type { ConfiguredServiceModel } from './service.js'

const APIS: readonly OpenAiApi[] = ['responses', 'chat']
const BASH: ToolDefinition = {
  name: 'Bash',
  description: 'Runs a command.',
  input_schema: { $schema: 'https://json-schema.org/x', type: 'object', properties: { command: { type: 'string' } } },
}
const ANSWER: Answer = {
  blocks: [
    { thinking: ['Let me ', 'see.'], signature: 'encrypted' },
    { text: ['Hello ', 'there.'] },
    { tool: 'Bash', id: 'call_1', json: ['{"comm', 'and":"ls"}'] },
    { tool: 'Bash', id: 'call_2', json: ['{"command":"pwd"}'] },
  ],
}

type World = { api: OpenAiApi; about?: ConfiguredServiceModel; settings?: ModelRequestSettings; model?: string }

async function start(t: TestContext, script: Reply[], { api, about, settings = {}, model = 'mine/thinker-1' }: World) {
  const server = await startModelApi(script)
  t.after(() => server.close())
  const ledger = createLedger()
  const name = model.slice(model.indexOf('/') + 1)
  const entry = {
    api,
    baseUrl: `${server.url}/v1`,
    apiKeyEnv: 'MINE',
    models: { [name]: { reasoning: true, ...about } },
  }
  const clock = instantClock()
  const provider = createProviders({
    env: { MINE: 'sk-secret-0123456789' },
    cwd: '/',
    home: '/nowhere',
    configDir: '/nowhere/.claude',
    sessionId: 'session-1',
    platform: { ...nodePlatform(), clock },
    version: '1.2.3',
    ledger,
    services: { mine: entry },
    settings: () => settings,
    onAuthStatus: () => {},
  }).of(model)
  return { server, ledger, provider, client: provider.port, waits: clock.waits, model }
}

const contentOf = (outcome: Awaited<ReturnType<typeof ask>>['outcome']): readonly ContentBlockParam[] => {
  assert.ok(outcome.ok, JSON.stringify(outcome))
  // Both are blocks of the same API.
  return outcome.message.content as ContentBlockParam[]
}
const withoutSignatures = (blocks: readonly ContentBlockParam[]) =>
  blocks.map((block) => (block.type === 'thinking' ? { type: 'thinking', thinking: block.thinking } : block))

for (const api of APIS) {
  test(`${api}: thinking, text and two calls, streamed and counted`, async (t) => {
    const { client, server, ledger, model } = await start(t, [answered(api, ANSWER)], { api })
    const { outcome } = await ask(client, { model, system: ['Be brief.', '', 'Be kind.'], tools: [BASH] })
    assert.deepEqual(withoutSignatures(contentOf(outcome)), [
      { type: 'thinking', thinking: 'Let me see.' },
      { type: 'text', text: 'Hello there.' },
      { type: 'tool_use', id: 'call_1', name: 'Bash', input: { command: 'ls' } },
      { type: 'tool_use', id: 'call_2', name: 'Bash', input: { command: 'pwd' } },
    ])
    assert.deepEqual(outcome.ok && [outcome.message.stop_reason, outcome.streamed, outcome.requestId], [
      'tool_use',
      true,
      'req_1',
    ])
    const [seen] = server.seen
    assert.deepEqual(
      [seen?.path, seen?.headers.authorization, seen?.body['model']],
      [api === 'chat' ? '/v1/chat/completions' : '/v1/responses', 'Bearer sk-secret-0123456789', 'thinker-1'],
    )
    const usage = ledger.entries()[0]?.usage
    assert.deepEqual([usage?.input_tokens, usage?.cache_read_input_tokens, usage?.output_tokens], [6, 4, 5])
    assert.equal(ledger.entries()[0]?.model, 'mine/thinker-1')
  })

  test(`${api}: the conversation goes on: calls, results, pictures, errors, and thinking where it came from`, async (t) => {
    const world = { api, about: { maxOutputTokens: 2000 } }
    const script = [answered(api, ANSWER), answered(api, { blocks: [{ text: ['Done.'] }] })]
    const { client, server, model } = await start(t, script, world)
    const first: MessageParam = { role: 'user', content: 'Look.' }
    const { outcome } = await ask(client, { model, messages: [first] })
    const image = { type: 'base64' as const, media_type: 'image/png' as const, data: 'aGk=' }
    const results: ContentBlockParam[] = [
      {
        type: 'tool_result',
        tool_use_id: 'call_1',
        content: [
          { type: 'text', text: 'a.txt' },
          { type: 'image', source: image },
        ],
      },
      { type: 'tool_result', tool_use_id: 'call_2', content: 'no such folder', is_error: true },
      { type: 'text', text: 'And now?' },
    ]
    const messages: MessageParam[] = [
      first,
      { role: 'assistant', content: [...contentOf(outcome)] },
      { role: 'user', content: results },
    ]
    assert.ok((await ask(client, { model, messages })).outcome.ok)
    const body = server.seen[1]?.body ?? {}
    const picture = 'data:image/png;base64,aGk='
    if (api === 'responses') {
      assert.deepEqual(body['input'], [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
        {
          type: 'reasoning',
          id: 'item_0',
          summary: [{ type: 'summary_text', text: 'Let me see.' }],
          encrypted_content: 'encrypted',
        },
        { type: 'message', role: 'assistant', content: 'Hello there.' },
        { type: 'function_call', call_id: 'call_1', name: 'Bash', arguments: '{"command":"ls"}' },
        { type: 'function_call', call_id: 'call_2', name: 'Bash', arguments: '{"command":"pwd"}' },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: [
            { type: 'input_text', text: 'a.txt' },
            { type: 'input_image', image_url: picture, detail: 'auto' },
          ],
        },
        { type: 'function_call_output', call_id: 'call_2', output: 'Error:\nno such folder' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And now?' }] },
      ])
      assert.deepEqual([body['max_output_tokens'], body['store'], body['prompt_cache_key']], [2000, false, 'session-1'])
    } else {
      assert.deepEqual(body['messages'], [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: 'Hello there.',
          reasoning_content: 'Let me see.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } },
            { id: 'call_2', type: 'function', function: { name: 'Bash', arguments: '{"command":"pwd"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'a.txt\n(An image of this result follows.)' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Error:\nno such folder' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: picture, detail: 'auto' } },
            { type: 'text', text: 'And now?' },
          ],
        },
      ])
      assert.equal(body['max_tokens'], 2000)
    }
    // A longer history begins with the bytes of the shorter one.
    const [short, long] = server.seen.map(({ raw }) => raw.slice(0, raw.indexOf('Look.')))
    assert.equal(short, long)
  })

  test(`${api}: thinking of another model or vendor is not handed on`, async (t) => {
    const { client, server, model } = await start(t, [answered(api, { blocks: [{ text: ['x'] }] })], { api })
    const content: ContentBlockParam[] = [
      { type: 'thinking', thinking: 'A', signature: 'EqQBsigned' },
      { type: 'redacted_thinking', data: 'kedge:{"service":"mine","model":"mine/other","kept":{"type":"reasoning"}}' },
      { type: 'thinking', thinking: 'B', signature: 'kedge:{"broken' },
      { type: 'text', text: 'words' },
    ]
    const messages: MessageParam[] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content },
      { role: 'user', content: 'b' },
    ]
    assert.ok((await ask(client, { model, messages })).outcome.ok)
    const raw = server.seen[0]?.raw ?? ''
    assert.deepEqual([raw.includes('words'), /EqQB|kedge:|"reasoning","id|"A"|"B"/.test(raw)], [true, false])
  })

  test(`${api}: a stream that breaks off is asked for in one piece; one that breaks before a word, again`, async (t) => {
    const whole = api === 'chat' ? chatStream(ANSWER) : responsesStream(ANSWER)
    const half = Buffer.from(whole.slice(0, whole.indexOf('there.')))
    const { client, server, model } = await start(t, [cutStream(half, 'FIN'), answered(api, ANSWER)], { api })
    const { outcome } = await ask(client, { model })
    assert.deepEqual(withoutSignatures(contentOf(outcome))[1], { type: 'text', text: 'Hello there.' })
    assert.equal(contentOf(outcome).length, 4)
    assert.deepEqual([outcome.ok && outcome.streamed, server.seen[1]?.body['stream']], [false, undefined])
    const early = await start(t, [cutStream(Buffer.from(whole.slice(0, 40)), 'RST'), answered(api, ANSWER)], { api })
    const again = await ask(early.client, { model })
    assert.deepEqual([again.outcome.ok && again.outcome.streamed, early.server.seen[1]?.body['stream']], [true, true])
  })

  test(`${api}: a stream cut at any byte is never taken for a whole answer`, async (t) => {
    const answer: Answer = { blocks: [{ text: ['One ', 'two.'] }, { tool: 'Bash', id: 'c1', json: ['{"a":', '1}'] }] }
    const whole = Buffer.from(api === 'chat' ? chatStream(answer) : responsesStream(answer))
    // A Chat server has said that it is done with the reason; what follows is only counting.
    const saidSo = api === 'chat' ? whole.indexOf('"tool_calls"}') + 14 : whole.length - 2
    const cuts = Array.from({ length: 40 }, (_, i) => Math.floor((i / 40) * saidSo))
    const script = cuts.flatMap((at): Reply[] => [stream(whole.subarray(0, at)), answered(api, answer)])
    const { client, server, model } = await start(t, script, { api })
    for (const cut of cuts) {
      const before = server.seen.length
      const { outcome } = await ask(client, { model })
      assert.deepEqual([contentOf(outcome).length, server.seen.length - before], [2, 2], `cut at ${cut}`)
    }
  })

  test(`${api}: failures have the codes of the Messages API`, async (t) => {
    const rows: [number, object, string, number][] = [
      [
        401,
        { message: 'Incorrect API key provided: sk-secret-0123456789', code: 'invalid_api_key' },
        'invalid_api_key',
        1,
      ],
      [403, { message: 'no', code: 'unsupported_country' }, 'permission_denied', 1],
      [404, { message: 'The model does not exist', code: 'model_not_found' }, 'model_not_found', 1],
      [429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }, 'billing', 1],
      [400, { message: 'too much', code: 'context_length_exceeded' }, 'prompt_too_long', 1],
      [400, { message: "This model's maximum context length is 8192 tokens" }, 'prompt_too_long', 1],
      [400, { message: 'bad thing', param: 'input' }, 'invalid_request', 1],
      [500, { message: 'oh' }, 'server_error', 11],
    ]
    for (const [code, error, expected, requests] of rows) {
      const script = Array.from({ length: requests }, () => status(code, { error }))
      const { client, server, model } = await start(t, script, { api })
      const { outcome } = await ask(client, { model })
      assert.ok(!outcome.ok)
      assert.deepEqual([outcome.failure.code, server.seen.length], [expected, requests], JSON.stringify(error))
      assert.ok(!outcome.failure.text.includes('sk-secret'), outcome.failure.text)
    }
  })

  test(`${api}: what an endpoint does not take is left out from then on`, async (t) => {
    const refuse = (param: string, message: string) =>
      status(400, { error: { message, param, code: 'unsupported_value' } })
    const effort = api === 'chat' ? 'reasoning_effort' : 'reasoning.effort'
    const script = [
      refuse(effort, `Unsupported parameter: '${effort}' is not supported with this model.`),
      refuse('messages', 'image input is not supported by this model'),
      answered(api, { blocks: [{ text: ['ok'] }] }),
      answered(api, { blocks: [{ text: ['ok'] }] }),
    ]
    const { client, server, model } = await start(t, script, { api, settings: { effort: 'high' } })
    const image: ContentBlockParam = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
    }
    const messages: MessageParam[] = [{ role: 'user', content: [{ type: 'text', text: 'See?' }, image] }]
    for (const _ of [1, 2]) assert.ok((await ask(client, { model, messages })).outcome.ok)
    const has = server.seen.map(({ raw }) => [
      /"(?:reasoning_)?effort"/.test(raw),
      raw.includes('aGk='),
      raw.includes('can not see'),
    ])
    assert.deepEqual(has, [
      [true, true, false],
      [false, true, false],
      [false, false, true],
      [false, false, true],
    ])
  })

  test(`${api}: a request aborted in the middle ends`, async (t) => {
    const controller = new AbortController()
    const slow: Reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': working\n\n')
      setImmediate(() => controller.abort())
    }
    const { client, model } = await start(t, [slow], { api })
    const events = await collect(client.stream(request({ model }), controller.signal))
    assert.ok(events.every(({ type }) => type !== 'end'))
  })

  test(`${api}: names too long for the service come back as they were`, async (t) => {
    const name = `mcp__${'server'.repeat(10)}__${'tool'.repeat(10)}`
    let sent = ''
    const reply: Reply = (response, seen) => {
      const [tool] = seen.body['tools'] as { name?: string; function?: { name: string } }[]
      sent = tool?.function?.name ?? tool?.name ?? ''
      return answered(api, { blocks: [{ tool: sent, id: 'c', json: ['{}'] }] })(response, seen)
    }
    const { client, model } = await start(t, [reply], { api })
    const { outcome } = await ask(client, { model, tools: [{ ...BASH, name }] })
    assert.deepEqual([sent.length, contentOf(outcome)], [64, [{ type: 'tool_use', id: 'c', name, input: {} }]])
  })

  test(`${api}: without tools and without sight, calls and pictures are told in words`, async (t) => {
    const about = { tools: false, images: false, reasoning: false, contextWindow: 4096 }
    const { client, server, provider, model } = await start(t, [answered(api, { blocks: [{ text: ['ok'] }] })], {
      api,
      about,
    })
    const messages: MessageParam[] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x.txt' }] },
    ]
    assert.ok((await ask(client, { model, messages, tools: [BASH] })).outcome.ok)
    const { tools, ...body } = server.seen[0]?.body ?? {}
    assert.deepEqual(
      [
        tools,
        /Called Bash: .{0,4}command/.test(JSON.stringify(body)),
        JSON.stringify(body).includes('Its result: x.txt'),
      ],
      [undefined, true, true],
    )
    assert.deepEqual(provider.notices?.(model)?.length, 3)
  })

  test(`${api}: a web search, which only the Messages API has, is refused before it is sent`, async (t) => {
    const { client, server, model } = await start(t, [], { api })
    const { outcome } = await ask(client, { model, tools: [{ type: 'web_search_20250305', name: 'web_search' }] })
    assert.deepEqual([outcome.ok || outcome.failure.status, server.seen.length], [400, 0])
  })

  test(`${api}: an answer that is cut by its limit, and one that is refused`, async (t) => {
    const text = { blocks: [{ text: ['so far'] }] }
    const script = ['max_tokens', 'refusal'].map((stopReason) => answered(api, { ...text, stopReason }))
    const { client, model } = await start(t, script, { api })
    const reasons: unknown[] = []
    for (const _ of script) {
      const { outcome } = await ask(client, { model })
      reasons.push(outcome.ok && outcome.message.stop_reason)
    }
    assert.deepEqual(reasons, ['max_tokens', 'refusal'])
  })
}

test('without a key nothing is sent to a service in the net, and what to set is said', async () => {
  const provider = createProviders({
    env: {},
    cwd: '/',
    home: '/nowhere',
    configDir: '/nowhere/.claude',
    sessionId: 's',
    platform: nodePlatform(),
    version: '1',
    ledger: createLedger(),
    settings: () => ({}),
    onAuthStatus: () => {},
  }).of('openai/gpt-5')
  const { outcome } = await ask(provider.port, { model: 'openai/gpt-5' })
  assert.ok(!outcome.ok)
  assert.deepEqual([outcome.failure.code, outcome.failure.text.includes('OPENAI_API_KEY')], ['not_authenticated', true])
  assert.match((await provider.fixFor(outcome.failure, 'openai/gpt-5')) ?? '', /OPENAI_API_KEY/)
})

/** One Chat answer, and what it is read as. */
async function readAs(t: TestContext, events: readonly unknown[]) {
  const { client, model } = await start(t, [stream(dataLines(events))], { api: 'chat' })
  const outcome = outcomeOf(await collect(client.stream(request({ model }), new AbortController().signal)))
  return outcome.ok ? { content: withoutSignatures(contentOf(outcome)), stop: outcome.message.stop_reason } : outcome
}
const chunk = (delta: object, finish_reason: string | null = null) => ({ id: 'x', choices: [{ delta, finish_reason }] })
const call = (id: string, name: string, json: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: json },
})
const used = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })

/** An id of our own is another each time. */
const withKnownIds = (read: unknown): unknown => JSON.parse(JSON.stringify(read).replace(/call_[0-9a-f]{24}/g, 'made'))

test('servers that speak almost like it', async (t) => {
  const two = [used('a', 'Bash', { x: 1 }), used('b', 'Read', { y: 2 })]
  const rows: [string, unknown[], unknown][] = [
    [
      'Gemini: no index, stop where it calls',
      [chunk({ tool_calls: [call('a', 'Bash', '{"x":1}'), call('b', 'Read', '{"y":2}')] }, 'stop'), '[DONE]'],
      { content: two, stop: 'tool_use' },
    ],
    [
      'Ollama: index 0 for all, input as an object',
      [
        chunk({ tool_calls: [{ index: 0, ...call('a', 'Bash', { x: 1 }) }] }),
        chunk({ tool_calls: [{ index: 0, ...call('b', 'Read', { y: 2 }) }] }, 'stop'),
        '[DONE]',
      ],
      { content: two, stop: 'tool_use' },
    ],
    [
      'later pieces with an empty id and the name again',
      [
        chunk({ tool_calls: [{ index: 0, ...call('a', 'Bash', '') }] }),
        chunk({ tool_calls: [{ index: 0, ...call('', 'Bash', '{"x":') }] }),
        chunk({ tool_calls: [{ index: 0, id: null, function: { arguments: '1}' } }] }, 'tool_calls'),
        '[DONE]',
      ],
      { content: [two[0]], stop: 'tool_use' },
    ],
    [
      'a first piece without an id, a later one with it and the name again',
      [
        chunk({ tool_calls: [{ index: 0, ...call('', 'Bash', '') }] }),
        chunk({ tool_calls: [{ index: 0, ...call('a', 'Bash', '{"x":1}') }] }, 'tool_calls'),
        '[DONE]',
      ],
      { content: [used('made', 'Bash', { x: 1 })], stop: 'tool_use' },
    ],
    [
      'whole calls without ids, 0 for all',
      [
        chunk({ tool_calls: [{ index: 0, ...call('', 'Bash', '{"x":1}') }] }),
        chunk({ tool_calls: [{ index: 0, ...call('', 'Read', '{"y":2}') }] }, 'stop'),
        '[DONE]',
      ],
      { content: [used('made', 'Bash', { x: 1 }), used('made', 'Read', { y: 2 })], stop: 'tool_use' },
    ],
    [
      'no input at all',
      [chunk({ tool_calls: [{ index: 0, ...call('a', 'Bash', '') }] }, 'tool_calls'), '[DONE]'],
      { content: [used('a', 'Bash', {})], stop: 'tool_use' },
    ],
    [
      'llama.cpp: no usage, no reason at the end',
      [chunk({ content: 'Hi' }), chunk({ content: '.' }), '[DONE]'],
      { content: [{ type: 'text', text: 'Hi.' }], stop: 'end_turn' },
    ],
    [
      'OpenRouter: reasoning',
      [chunk({ reasoning: 'Hm.' }), chunk({ content: 'Hi' }, 'eos'), '[DONE]'],
      {
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Hi' },
        ],
        stop: 'end_turn',
      },
    ],
  ]
  for (const [name, events, expected] of rows) assert.deepEqual(withKnownIds(await readAs(t, events)), expected, name)
})

test('errors in the middle of a stream', async (t) => {
  const quota = { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } }
  const rows: [OpenAiApi, unknown, string][] = [
    ['chat', quota, 'billing'],
    ['chat', { object: 'error', message: 'maximum context length is 10', code: 400 }, 'prompt_too_long'],
    ['chat', { error: { message: 'unauthorized', code: 401 } }, 'invalid_api_key'],
    ['responses', { type: 'error', ...quota.error }, 'billing'],
    ['responses', { type: 'error', sequence_number: 2, ...quota }, 'billing'],
    ['responses', { type: 'response.failed', response: { id: 'r', ...quota, status: 'failed' } }, 'billing'],
  ]
  for (const [api, event, expected] of rows) {
    const { client, model } = await start(t, [stream(dataLines([event]))], { api })
    const { outcome } = await ask(client, { model })
    assert.equal(outcome.ok || outcome.failure.code, expected, JSON.stringify(event))
  }
})

test('the signature of a thought goes back with the call it came with', async (t) => {
  const extra_content = { google: { thought_signature: 'sig' } }
  const first = [chunk({ tool_calls: [{ ...call('a', 'Bash', '{}'), extra_content }] }, 'stop'), '[DONE]']
  const script = [stream(dataLines(first)), answered('chat', { blocks: [{ text: ['ok'] }] })]
  const { client, server, model } = await start(t, script, { api: 'chat' })
  const { outcome } = await ask(client, { model })
  const messages: MessageParam[] = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: [...contentOf(outcome)] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
  ]
  await ask(client, { model, messages })
  const sent = server.seen[1]?.body['messages'] as { tool_calls?: { extra_content?: unknown }[] }[]
  assert.deepEqual(sent[1]?.tool_calls?.[0]?.extra_content, extra_content)
})
