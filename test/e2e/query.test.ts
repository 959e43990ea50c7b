import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query, type SDKUserMessage } from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'
import { bothWays, kinds, stable } from './both-ways.js'

const say = (content: SDKUserMessage['message']['content'], uuid?: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
  // Any string a host uses as an id.
  ...(uuid ? { uuid: uuid as SDKUserMessage['uuid'] } : {}),
})

bothWays(
  'a text turn: init, assistant, result',
  () => ['Hello.'],
  {},
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Say hello.', options }))
    assert.equal(run.error, undefined)
    assert.deepEqual(kinds(run.messages), ['system/init', 'assistant', 'result'])
    assert.deepEqual(stable(run.result, options), {
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 0,
      duration_api_ms: 0,
      num_turns: 1,
      result: 'Hello.',
      stop_reason: null,
      session_id: '<session_id>',
      total_cost_usd: 0.000105,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 5,
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: 'standard',
        cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
        inference_geo: '',
        iterations: [],
        speed: 'standard',
      },
      modelUsage: {
        'claude-sonnet-4-5-20250929': {
          inputTokens: 10,
          outputTokens: 5,
          cacheReadInputTokens: 0,
          cacheCreationInputTokens: 0,
          webSearchRequests: 0,
          costUSD: 0.000105,
          contextWindow: 200000,
          maxOutputTokens: 32000,
        },
      },
      permission_denials: [],
      uuid: '<uuid>',
      terminal_reason: 'completed',
    })
    assert.equal(server.requests[0]?.headers['user-agent']?.startsWith('kedge/'), true)
  },
)

test('the same messages in-process, as our process, and through a path', async () => {
  const turns = (): Turn[] => [
    { text: 'Looking.', thinking: 'Hm.', tools: [{ id: 'toolu_1', name: 'Read', input: { file_path: 'a.txt' } }] },
    { tools: [{ id: 'toolu_2', name: 'Bash', input: { command: 'echo one; exit 3' } }] },
    'Done.',
  ]
  const runs = []
  for (const way of [
    {},
    { isolation: 'process' as const },
    { pathToClaudeCodeExecutable: join(process.cwd(), 'dist', 'cli.js') },
  ]) {
    await using server = await startModelServer(turns())
    await using options = testOptions(server, {
      model: 'sonnet',
      includePartialMessages: true,
      allowedTools: ['Bash'],
      ...way,
    })
    writeFileSync(join(options.cwd, 'a.txt'), 'alpha\n')
    runs.push(stable(await collect(query({ prompt: 'Go.', options })), options))
  }
  assert.deepEqual(runs[1], runs[0])
  assert.deepEqual(runs[2], runs[0])
})

bothWays(
  'messages of an iterable are answered one after another',
  () => ['A.', 'B.'],
  {},
  async ({ options }) => {
    async function* prompts() {
      yield say('First.')
      yield say('Second.')
    }
    const run = await collect(query({ prompt: prompts(), options }))
    assert.deepEqual(kinds(run.messages), ['system/init', 'assistant', 'result', 'system/init', 'assistant', 'result'])
    assert.deepEqual(
      run.results.map((result) => (result.subtype === 'success' ? result.result : result.subtype)),
      ['A.', 'B.'],
    )
    assert.equal(new Set(run.messages.map((m) => ('session_id' in m ? m.session_id : ''))).size, 1)
  },
)

bothWays(
  'a message that comes while a tool runs is folded into the turn',
  () => [{ tools: [{ id: 'toolu_m', name: 'Bash', input: { command: 'sleep 0.5; echo one' } }] }, 'After.'],
  { allowedTools: ['Bash'] },
  async ({ options, server }) => {
    let running: () => void = () => {}
    const started = new Promise<void>((resolve) => {
      running = resolve
    })
    async function* prompts() {
      yield say('First.')
      await started
      yield say('Meanwhile.', '11111111-2222-4333-8444-555555555555')
    }
    const asked = query({ prompt: prompts(), options })
    const messages = []
    for await (const message of asked) {
      messages.push(message)
      if (message.type === 'assistant') running()
    }
    assert.deepEqual(
      kinds(messages).filter((kind) => kind !== 'command_lifecycle'),
      ['system/init', 'assistant', 'user', 'assistant', 'result'],
    )
    assert.deepEqual(
      messages.flatMap((m) => (m.type === 'command_lifecycle' ? m.state : [])),
      ['queued', 'started', 'completed'],
    )
    assert.equal(server.requests[1]?.toolResults[0]?.text, 'one')
    const words = server.requests[1]?.body.messages.at(-1)?.content.at(-1)
    assert.match(JSON.stringify(words), /"text":"The user says, while you work:\\nMeanwhile\."/)
  },
)

bothWays(
  'images in user messages reach the model',
  () => ['A dot.'],
  {},
  async ({ options, server }) => {
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, data, media_type: 'image/png' as const },
    }
    async function* prompts() {
      yield say([image, { type: 'text', text: 'What is this?' }])
    }
    const run = await collect(query({ prompt: prompts(), options }))
    assert.equal(run.error, undefined)
    const [message] = server.requests[0]?.body.messages ?? []
    assert.deepEqual(message?.content, [
      image,
      { type: 'text', text: 'What is this?', cache_control: { type: 'ephemeral' } },
    ])
  },
)

bothWays(
  'partial messages: the assistant line comes just before its content_block_stop',
  () => [
    {
      thinking: 'Let me think.',
      text: 'Calling.',
      tools: [{ id: 'toolu_p', name: 'Glob', input: { pattern: '*.none' } }],
    },
    'Ok.',
  ],
  { includePartialMessages: true },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const events = run.messages.map((m) => (m.type === 'stream_event' ? m.event.type : m.type))
    // On a busy machine the call takes so long that its progress is told.
    const first = events.slice(1, events.indexOf('user')).filter((event) => event !== 'tool_progress')
    assert.deepEqual(
      first.filter((event) => event !== 'content_block_delta'),
      [
        'message_start',
        'content_block_start',
        'assistant',
        'content_block_stop',
        'content_block_start',
        'assistant',
        'content_block_stop',
        'content_block_start',
        'assistant',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ],
    )
  },
)

bothWays(
  'user messages are given back on request, and a repeated uuid is dropped',
  () => ['One.'],
  { extraArgs: { 'replay-user-messages': null } },
  async ({ options }) => {
    const uuid = '11111111-2222-4333-8444-555555555555'
    async function* prompts() {
      yield say('Hi.', uuid)
      yield say('Hi.', uuid)
    }
    const run = await collect(query({ prompt: prompts(), options }))
    const replays = run.messages.filter((m) => m.type === 'user' && 'isReplay' in m && m.isReplay)
    assert.equal(run.results.length, 1)
    assert.deepEqual(
      replays.map((m) => ('uuid' in m ? m.uuid : '')),
      [uuid, uuid],
    )
  },
)

for (const isolation of isolationsOf('without a credential the result names')) {
  test(`without a credential the result names the way out, and the iterator throws after it (${isolation})`, async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server, { isolation, env: { ANTHROPIC_API_KEY: undefined } })
    const run = await collect(query({ prompt: 'Hi.', options }))
    assert.deepEqual(kinds(run.messages), ['system/init', 'assistant', 'result'])
    assert.equal(run.result?.is_error, true)
    assert.equal(run.result?.terminal_reason, 'not_authenticated')
    assert.match(
      run.result?.subtype === 'success' ? run.result.result : '',
      /^Not logged in · No API key was found\n[\s\S]*ANTHROPIC_API_KEY[\s\S]*practice/,
    )
    assert.ok(run.error instanceof Error)
    assert.match(run.error.message, /^(Claude Code process exited with code 1: )?No API key was found$/)
    assert.match('fix' in run.error ? String(run.error.fix) : '', /^Set ANTHROPIC_API_KEY /)
    assert.equal(run.error.message.startsWith('Claude'), options.isolation === 'process')
    assert.equal('code' in run.error && run.error.code, 'process_exited')
  })
}

test('request n+1 repeats request n byte for byte up to the new blocks', async () => {
  const turns: Turn[] = [
    ...Array.from(
      { length: 4 },
      (_, n): Turn => ({ tools: [{ id: `toolu_${n}`, name: 'Glob', input: { pattern: `*.${n}` } }] }),
    ),
    'Done.',
  ]
  await using server = await startModelServer(turns)
  await using options = testOptions(server, { systemPrompt: { type: 'preset', preset: 'claude_code' } })
  await collect(query({ prompt: 'Go.', options }))
  const bare = server.requests.map(({ body }) => {
    const { messages, ...rest } = JSON.parse(
      JSON.stringify(body).replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
    )
    return { messages: JSON.stringify(messages).slice(0, -1), rest: JSON.stringify(rest) }
  })
  assert.equal(bare.length, 5)
  for (const [n, { messages, rest }] of bare.entries()) {
    const next = bare[n + 1]
    if (!next) continue
    assert.equal(next.rest, rest)
    assert.ok(next.messages.startsWith(messages), `request ${n + 2} does not begin with request ${n + 1}`)
  }
})
