import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ask, collect, KEY, outcomeOf, request, testClient } from '../../../test/support/client.js'
import {
  type Answer,
  apiError,
  cutStream,
  eventsOf,
  type Reply,
  sse,
  stalledStream,
  startModelApi,
  status,
  stream,
  wholeOf,
} from '../../../test/support/model-api.js'
import { nodeClock } from '../../platform/clock.js'

const ANSWER: Answer = { blocks: [{ text: ['Hello ', 'there.'] }, { tool: 'Bash', id: 't1', json: ['{"a"', ':1}'] }] }
const GOOD = stream(sse(eventsOf(ANSWER)))
const WHOLE = status(200, wholeOf(ANSWER), { 'request-id': 'req_2' })

async function start(t: TestContext, script: Reply[], overrides: Parameters<typeof testClient>[1] = {}) {
  const api = await startModelApi(script)
  t.after(() => api.close())
  return { api, host: new URL(api.url).host, ...testClient(api.url, overrides) }
}

test('one good answer: request and events', async (t) => {
  const { api, client, ledger } = await start(t, [GOOD])
  const { events } = await ask(client, { system: ['Be brief.'] })
  const message = wholeOf(ANSWER)
  const header = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  }
  assert.deepEqual(events, [
    { type: 'block', block: { type: 'text', text: 'Hello there.' }, header, requestId: 'req_1' },
    { type: 'block', block: { type: 'tool_use', id: 't1', name: 'Bash', input: { a: 1 } }, header, requestId: 'req_1' },
    { type: 'end', outcome: { ok: true, message, streamed: true, requestId: 'req_1' } },
  ])
  const [seen] = api.seen
  assert.deepEqual([seen?.method, seen?.path], ['POST', '/v1/messages?beta=true'])
  const { host: _, connection: __, 'content-length': ___, ...headers } = seen?.headers ?? {}
  assert.deepEqual(headers, {
    accept: 'application/json',
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'interleaved-thinking-2025-05-14',
    'user-agent': 'kedge/1.2.3',
    'x-api-key': KEY,
  })
  assert.deepEqual(Object.keys(seen?.body ?? {}), [
    'model',
    'messages',
    'system',
    'tools',
    'metadata',
    'max_tokens',
    'thinking',
    'stream',
  ])
  assert.deepEqual(
    ledger.entries().map(({ model, ok, usage }) => [model, ok, usage.input_tokens, usage.output_tokens]),
    [['claude-sonnet-4-5-20250929', true, 10, 5]],
  )
})

test('a plain request has nothing of what the session asks for', async (t) => {
  const settings = () => ({ effort: 'high' as const, betas: ['context-1m-2025-08-07'] })
  const { api, client } = await start(t, [GOOD, GOOD], { settings })
  await ask(client, { model: 'claude-opus-4-6' })
  await ask(client, { model: 'claude-opus-4-6', plain: true })
  const [full, plain] = api.seen.map(({ body, headers }) => ({ ...body, betas: headers['anthropic-beta'] }))
  const { thinking: _, output_config: __, betas: ___, ...rest } = { thinking: 0, output_config: 0, ...full }
  assert.deepEqual(plain, { ...rest, betas: undefined })
})

test('partial: raw events without pings, each block just before its stop', async (t) => {
  const { client } = await start(t, [GOOD])
  const { events } = await ask(client, { partial: true })
  const names = events.flatMap((event) => (event.type === 'events' ? event.events.map(({ type }) => type) : event.type))
  const block = (deltas: number) => [
    'content_block_start',
    ...Array(deltas).fill('content_block_delta'),
    'block',
    'content_block_stop',
  ]
  assert.deepEqual(names, ['message_start', ...block(2), ...block(2), 'message_delta', 'message_stop', 'end'])
  const raw = eventsOf(ANSWER).filter((event) => 'type' in event && event.type !== 'ping')
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'events' ? event.events : [])),
    raw,
  )
})

test('aliases and the long context', async (t) => {
  const { api, client, ledger } = await start(t, [GOOD, GOOD], { env: { ANTHROPIC_DEFAULT_OPUS_MODEL: 'my-opus' } })
  await ask(client, { model: 'sonnet[1m]' })
  await ask(client, { model: 'opus' })
  assert.deepEqual(
    api.seen.map(({ body, headers }) => [body.model, headers['anthropic-beta']]),
    [
      ['claude-sonnet-4-6', 'interleaved-thinking-2025-05-14,adaptive-thinking-2026-01-28,context-1m-2025-08-07'],
      ['my-opus', undefined],
    ],
  )
  assert.equal(ledger.all().modelUsage['claude-sonnet-4-6[1m]']?.contextWindow, 1_000_000)
  assert.deepEqual(ledger.unpricedModels(), ['my-opus'])
})

test('failures are retried with growing waits, visibly', async (t) => {
  const script = [
    apiError(429, 'rate_limit_error', 'x', { 'retry-after': '3' }),
    apiError(500, 'api_error', 'x'),
    apiError(529, 'overloaded_error', 'x'),
    GOOD,
  ]
  const { client, waits, ledger } = await start(t, script)
  const { events, outcome } = await ask(client)
  assert.equal(outcome.ok, true)
  const retry = (attempt: number, delayMs: number, code: number, error: string) => {
    return { type: 'retry', attempt, maxRetries: 10, delayMs, status: code, error }
  }
  assert.deepEqual(events.slice(0, 3), [
    retry(1, 3000, 429, 'rate_limited'),
    retry(2, 1000, 500, 'server_error'),
    retry(3, 2000, 529, 'overloaded'),
  ])
  assert.deepEqual(waits, [3000, 1000, 2000])
  assert.deepEqual(
    ledger.entries().map((entry) => entry.ok),
    [false, false, false, true],
  )
})

test('retries end', async (t) => {
  const failing = apiError(500, 'api_error', 'fake 500')
  const { api, client } = await start(t, [failing, failing, failing], { env: { CLAUDE_CODE_MAX_RETRIES: '2' } })
  const { outcome } = await ask(client)
  assert.deepEqual(outcome, {
    ok: false,
    failure: {
      kind: 'unknown',
      code: 'server_error',
      text: 'API Error: 500 {"type":"error","error":{"type":"api_error","message":"fake 500"}}',
      status: 500,
    },
  })
  assert.equal(api.seen.length, 3)
})

test('final at once', async (t) => {
  for (const code of [400, 401, 403, 404, 413, 422]) {
    const { api, client, waits } = await start(t, [apiError(code, 'x', 'no')])
    const { outcome } = await ask(client)
    assert.deepEqual([outcome.ok, api.seen.length, waits], [false, 1, []], String(code))
  }
})

test('a wait of a day is reported, not slept', async (t) => {
  const { client, waits } = await start(t, [apiError(429, 'rate_limit_error', 'x', { 'retry-after': '86400' })])
  const { outcome } = await ask(client)
  assert.equal(
    !outcome.ok && outcome.failure.text,
    'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"x"}}\n' +
      'The API asks to wait 86400 s before the next request; Kedge waits 600 s at most.',
  )
  assert.deepEqual(waits, [])
})

test('the model is given up after as many overloaded answers as the caller bears', async (t) => {
  const busy = apiError(529, 'overloaded_error', 'Overloaded')
  const limited = apiError(429, 'rate_limit_error', 'x')
  const { api, client } = await start(t, [
    busy,
    stream(sse([{ type: 'error', error: { type: 'overloaded_error' } }])),
    limited,
    GOOD,
  ])
  const { events, outcome } = await ask(client, { switchOn: ['overloaded'] })
  assert.deepEqual([outcome.ok, !outcome.ok && outcome.failure.code, api.seen.length], [false, 'overloaded', 3])
  assert.equal(events.filter((event) => event.type === 'retry').length, 2)
})

test('without a credential nothing is sent', async (t) => {
  const explanation = 'Set ANTHROPIC_API_KEY.'
  const { api, client, ledger } = await start(t, [GOOD], { credential: () => ({ kind: 'none', explanation }) })
  const { outcome } = await ask(client)
  assert.deepEqual(outcome, {
    ok: false,
    failure: {
      kind: 'authentication_failed',
      code: 'not_authenticated',
      text: `Not logged in · No API key was found\n${explanation}`,
      status: null,
    },
  })
  assert.deepEqual([api.seen.length, ledger.entries().length], [0, 0])
})

test('a gateway may be given its credential by custom header', async (t) => {
  const env = { ANTHROPIC_CUSTOM_HEADERS: 'Authorization: Bearer gateway-token' }
  const { api, client } = await start(t, [GOOD], { env, credential: () => ({ kind: 'none', explanation: '' }) })
  const { outcome } = await ask(client)
  assert.deepEqual([outcome.ok, api.seen[0]?.headers.authorization], [true, 'Bearer gateway-token'])
})

test('a refused credential is reported to its owner, and never shown', async (t) => {
  let refused = 0
  const echo = status(403, { error: { message: `key ${KEY} is not allowed` } })
  const script = [apiError(401, 'authentication_error', 'no'), echo]
  const { client } = await start(t, script, {
    onCredentialRefused: () => {
      refused += 1
    },
  })
  const first = await ask(client)
  assert.equal(!first.outcome.ok && first.outcome.failure.text, 'Invalid API key · Fix external API key')
  const second = await ask(client)
  assert.equal(
    !second.outcome.ok && second.outcome.failure.text,
    'API Error: 403 {"error":{"message":"key [redacted] is not allowed"}}',
  )
  assert.equal(refused, 1)
})

test('a refused connection is retried, then named', async () => {
  const { client, waits } = testClient('http://127.0.0.1:1', { env: { CLAUDE_CODE_MAX_RETRIES: '2' } })
  const { outcome } = await ask(client)
  assert.deepEqual(outcome, {
    ok: false,
    failure: {
      kind: 'unknown',
      code: 'connection_failed',
      text: 'API Error: Connection error. 127.0.0.1:1: ECONNREFUSED',
      status: null,
      reason: 'ECONNREFUSED',
    },
  })
  assert.deepEqual(waits, [500, 1000])
})

test('no headers in time', async (t) => {
  const { client } = await start(t, [() => {}], { env: { API_TIMEOUT_MS: '20', CLAUDE_CODE_MAX_RETRIES: '0' } })
  const { outcome } = await ask(client)
  assert.equal(!outcome.ok && outcome.failure.code, 'timeout')
})

test('a page instead of an answer', async (t) => {
  const { api, host, client } = await start(t, [status(200, '<html>Please log in to the Wi-Fi</html>')])
  const { outcome } = await ask(client)
  assert.deepEqual(outcome, {
    ok: false,
    failure: {
      kind: 'unknown',
      code: 'unexpected_response',
      text: `API Error: 200 from ${host} is not an answer of a model: content type text/html`,
      status: 200,
    },
  })
  assert.equal(api.seen.length, 1)
})

test('JSON instead of a stream is taken when it is a message', async (t) => {
  const overloaded = status(200, { type: 'error', error: { type: 'overloaded_error', message: '' } })
  const { client } = await start(t, [WHOLE, status(200, { hello: 1 }), overloaded, GOOD])
  const first = await ask(client)
  assert.deepEqual(first.events, [
    { type: 'end', outcome: { ok: true, message: wholeOf(ANSWER), streamed: false, requestId: 'req_2' } },
  ])
  const second = await ask(client)
  assert.equal(!second.outcome.ok && second.outcome.failure.code, 'unexpected_response')
  const third = await ask(client)
  assert.deepEqual(
    third.events.map((event) => event.type),
    ['retry', 'block', 'block', 'end'],
  )
})

const events = eventsOf(ANSWER)
const beginning = (count: number) => sse(events.slice(0, count))

test('broken after content: the request is made again in one piece', async (t) => {
  const broken: [string, Reply][] = [
    ['cut', cutStream(Buffer.from(beginning(4)), 'RST')],
    ['ended without message_stop', stream(beginning(events.length - 1))],
    ['error event', stream(`${beginning(4)}${sse([{ type: 'error', error: { type: 'api_error', message: '' } }])}`)],
    [
      'delta for nothing',
      stream(
        `${beginning(4)}${sse([{ type: 'content_block_delta', index: 9, delta: { type: 'text_delta', text: 'x' } }])}`,
      ),
    ],
    ['garbage', stream(`${beginning(4)}data: {"type":\n\n`)],
  ]
  for (const [name, reply] of broken) {
    const { api, client, ledger } = await start(t, [reply, WHOLE], { env: { CLAUDE_CODE_MAX_RETRIES: '0' } })
    const { outcome } = await ask(client)
    assert.deepEqual(outcome, { ok: true, message: wholeOf(ANSWER), streamed: false, requestId: 'req_2' }, name)
    const second = api.seen[1]?.body
    assert.deepEqual(
      [second?.stream, second?.max_tokens, second?.thinking],
      [undefined, 21_333, { budget_tokens: 21_332, type: 'enabled' }],
      name,
    )
    assert.deepEqual(
      ledger.entries().map(({ ok, usage }) => [ok, usage.input_tokens]),
      [
        [false, 10],
        [true, 10],
      ],
      name,
    )
  }
})

test('in one piece, further trouble follows the ordinary rules and is never announced', async (t) => {
  const script = [cutStream(Buffer.from(beginning(4)), 'FIN'), apiError(529, 'overloaded_error', 'x'), GOOD]
  const { api, client, waits } = await start(t, script)
  const { events: all, outcome } = await ask(client, { partial: true })
  assert.equal(outcome.ok && outcome.streamed, false)
  assert.deepEqual(outcome.ok && outcome.message, wholeOf(ANSWER))
  assert.deepEqual(
    all.filter((event) => event.type !== 'events').map((event) => event.type),
    ['retry', 'retry', 'end'],
  )
  assert.deepEqual(waits, [0, 1000])
  assert.equal(api.seen[2]?.body.stream, undefined)
})

test('overloaded in the middle waits like a 529', async (t) => {
  const error = sse([{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }])
  const { client, waits } = await start(t, [stream(beginning(4) + error), WHOLE])
  const { events: all } = await ask(client)
  assert.deepEqual(all[0], {
    type: 'retry',
    attempt: 1,
    maxRetries: 10,
    delayMs: 500,
    status: 529,
    error: 'overloaded',
  })
  assert.deepEqual(waits, [500])
})

test('broken before content: streamed again, and nothing of the first was seen', async (t) => {
  const script = [cutStream(Buffer.from(beginning(2)), 'RST'), stream(''), GOOD]
  const { api, client, waits } = await start(t, script)
  const { events: all, outcome } = await ask(client, { partial: true })
  assert.equal(outcome.ok && outcome.streamed, true)
  assert.equal(
    all.flatMap((event) => (event.type === 'events' ? event.events : [])).filter(({ type }) => type === 'message_start')
      .length,
    1,
  )
  assert.deepEqual(waits, [500, 1000])
  assert.deepEqual(
    api.seen.map(({ body }) => body.stream),
    [true, true, true],
  )
})

test('silence counts as a cut', async (t) => {
  const { client } = await start(t, [stalledStream(beginning(4)), WHOLE], { env: { KEDGE_STREAM_IDLE_MS: '400' } })
  const { outcome, events: all } = await ask(client)
  assert.deepEqual([outcome.ok && outcome.streamed, all.map((event) => event.type)], [false, ['retry', 'end']])
})

test('nothing but pings counts as a cut', async (t) => {
  const script = [stalledStream('', 5), stalledStream(beginning(4), 5), WHOLE]
  const { client } = await start(t, script, { env: { KEDGE_STREAM_PING_ONLY_MS: '400' } })
  const { outcome, events: all } = await ask(client)
  assert.deepEqual([outcome.ok && outcome.streamed, all.map((event) => event.type)], [false, ['retry', 'retry', 'end']])
})

test('abort: at once, during the answer, and during a wait', async (t) => {
  // Time never passes: only the abort can end a wait.
  const sleep = (_: number, signal?: AbortSignal) => nodeClock.sleep(2 ** 31 - 1, signal)
  const script = [stalledStream(beginning(6)), apiError(529, 'overloaded_error', 'x')]
  const { api, client } = await start(t, script, { clock: { ...nodeClock, sleep } })
  assert.deepEqual(await collect(client.stream(request(), AbortSignal.abort())), [])
  assert.equal(api.seen.length, 0)

  for (const expected of ['block', 'retry']) {
    const controller = new AbortController()
    const seen: string[] = []
    for await (const event of client.stream(request(), controller.signal)) {
      seen.push(event.type)
      setImmediate(() => controller.abort())
    }
    assert.deepEqual(seen, [expected])
  }
})

test('abort while the credential is being looked for', async (t) => {
  const { client } = await start(t, [GOOD], { credential: () => new Promise(() => {}) })
  const controller = new AbortController()
  setImmediate(() => controller.abort())
  assert.deepEqual(await collect(client.stream(request(), controller.signal)), [])
})

test('what was used is accounted for when the reader goes away', async (t) => {
  const { client, ledger } = await start(t, [stalledStream(beginning(6))])
  for await (const _ of client.stream(request(), new AbortController().signal)) break
  assert.deepEqual(
    ledger.entries().map(({ ok, usage }) => [ok, usage.input_tokens]),
    [[false, 10]],
  )
})

test('settings are read before each request', async (t) => {
  let effort: 'low' | 'high' = 'low'
  const { api, client } = await start(t, [GOOD, GOOD], { settings: () => ({ effort, thinking: { type: 'disabled' } }) })
  await ask(client, { model: 'opus' })
  effort = 'high'
  await ask(client, { model: 'opus' })
  assert.deepEqual(
    api.seen.map(({ body }) => [body.output_config, body.thinking, body.temperature]),
    [
      [{ effort: 'low' }, undefined, undefined],
      [{ effort: 'high' }, undefined, undefined],
    ],
  )
})

test('input too deep to be written as JSON is a failure, not a crash', async (t) => {
  let input: unknown = []
  for (let depth = 0; depth < 100_000; depth += 1) input = [input]
  const { api, client } = await start(t, [GOOD])
  const messages = [{ role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: 't', name: 'N', input }] }]
  const { outcome } = await ask(client, { messages })
  assert.deepEqual([!outcome.ok && outcome.failure.code, api.seen.length], ['invalid_request', 0])
})

test('two answers at once share nothing', async (t) => {
  const other: Answer = { id: 'msg_2', blocks: [{ text: ['Other.'] }] }
  const slow: Reply = async (response, seen) => {
    await nodeClock.sleep(20)
    return stream(sse(eventsOf(seen.raw.includes('Second') ? other : ANSWER)))(response, seen)
  }
  const { client } = await start(t, [slow, slow])
  const [first, second] = await Promise.all([
    ask(client),
    ask(client, { messages: [{ role: 'user', content: 'Second' }] }),
  ])
  assert.deepEqual(
    [outcomeOf(first.events), outcomeOf(second.events)].map((outcome) => outcome.ok && outcome.message.id),
    ['msg_1', 'msg_2'],
  )
})
