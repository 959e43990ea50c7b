/** Rows A of the bad-input catalog: a model API that refuses, lies, breaks off, dawdles or floods. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { createSdkMcpServer, query, type SDKMessage, type SDKResultMessage, tool } from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { kinds } from '../e2e/both-ways.js'
import { checkClean, KEY, lines, MARK, MODEL, outcome, playFault, retries, say } from '../e2e/play-fault.js'
import { byTier, isolationsOf } from '../support/tier.js'

const ONE_RETRY = { CLAUDE_CODE_MAX_RETRIES: '1' }
const BASH = { allowedTools: ['Bash'] }
const call = { id: 'toolu_once', name: 'Bash', input: { command: MARK } }
const API_ERROR = ['success', true, 'api_error']

describe('A: model API and stream', { concurrency: 6, timeout: 400_000 }, () => {
  test('A01 HTTP 400: not retried; the result has the message and the request id', async () => {
    const error = { message: `messages.3: something is wrong with ${KEY}` }
    const inBody = await playFault({ turns: () => [{ status: 400, error }] })
    assert.deepEqual(outcome(inBody.result).slice(0, 3), API_ERROR)
    assert.equal(inBody.result.error_code, 'invalid_request')
    assert.match(textOf(inBody.result), /messages\.3: something is wrong with \[redacted\].*req_test_1/)
    // A gateway that keeps the header but not the field.
    const body = { type: 'error', error: { type: 'invalid_request_error', ...error } }
    const inHeader = await playFault({ turns: () => [{ status: 400, body }] })
    assert.match(textOf(inHeader.result), /messages\.3: something is wrong with \[redacted\].*req_test_1/)
  })

  test('A03 HTTP 404: not retried; the result names the model', async () => {
    const { result, messages } = await playFault({
      turns: () => [{ status: 404 }],
      options: { model: 'no-such-model' },
    })
    assert.deepEqual(outcome(result).slice(0, 3), API_ERROR)
    assert.equal(result.error_code, 'model_not_found')
    assert.match(textOf(result), /^API Error: 404 .*no-such-model/)
    assert.deepEqual(retries(messages), [])
  })

  test('A06 HTTP 429, retry-after is a date: one in the past means now', async () => {
    for (const retryAfter of ['Wed, 01 Jan 2020 00:00:00 GMT', 'not a date']) {
      await using server = await startModelServer([{ status: 429, retryAfter }, 'Fine.'])
      await using options = testOptions(server)
      const { messages, result } = await collect(query({ prompt: 'Hi.', options }))
      assert.equal(outcome(result)[3], 'Fine.')
      // No more than the first back-off.
      const [wait = Number.NaN] = waits(messages)
      assert.ok(wait <= 625, `${wait} ms`)
    }
  })

  test('A06 HTTP 429, retry-after is a date: one to come is waited for', async () => {
    await using server = await startModelServer([
      { status: 429, retryAfter: new Date(Date.now() + 120_000).toUTCString() },
    ])
    await using options = testOptions(server)
    const wait = await firstWait(query({ prompt: 'Hi.', options }))
    assert.ok(wait > 90_000 && wait <= 120_000, `${wait} ms`)
  })

  test('A07 HTTP 429, retry-after a day: gives up at once and says what is asked', async () => {
    for (const retryAfter of ['86400', new Date(Date.now() + 86_400_000).toUTCString()]) {
      await using server = await startModelServer([{ status: 429, retryAfter }])
      await using options = testOptions(server)
      const { messages, result } = await collect(query({ prompt: 'Hi.', options }))
      assert.deepEqual(outcome(result).slice(0, 3), API_ERROR)
      assert.equal(result?.error_code, 'rate_limited')
      assert.match(textOf(result), /asks to wait 86[34]\d\d s .* waits 600 s at most/)
      assert.deepEqual(retries(messages), [])
    }
    // The longest wait that is still waited for is announced.
    await using server = await startModelServer([{ status: 429, retryAfter: 600 }])
    await using options = testOptions(server)
    assert.equal(await firstWait(query({ prompt: 'Hi.', options })), 600_000)
  })

  test('A09 HTTP 429 because the money is spent: not retried', async () => {
    const errors = [
      { type: 'rate_limit_error', message: 'Refused.', details: { error_code: 'enforced_spend_limit' } },
      { type: 'rate_limit_error', message: 'Refused.', code: 'spend_limit_reached' },
      { type: 'billing_error', message: 'Refused.' },
      { type: 'rate_limit_error', message: 'Your organization has reached its monthly spend limit.' },
      { type: 'insufficient_quota', message: 'Refused.', code: 'insufficient_quota' },
    ]
    await Promise.all(
      errors.map(async (error) => {
        const { result, messages } = await playFault({ turns: () => [{ status: 429, body: { type: 'error', error } }] })
        assert.deepEqual([...outcome(result).slice(0, 3), result.error_code], [...API_ERROR, 'billing'])
        assert.match(lines(messages)[0] ?? '', /^!billing_error API Error: 429 /)
      }),
    )
  })

  test('A12 HTTP 200 with a page: an error that names the content type and does not show the page', async () => {
    const page = '<html><body>Please log in to the Wi-Fi <script>alert(1)</script></body></html>'
    for (const contentType of ['text/html; charset=utf-8', 'text/plain']) {
      const { result } = await playFault({ turns: () => [{ status: 200, rawBody: page, contentType }] })
      assert.deepEqual([...outcome(result).slice(0, 3), result.error_code], [...API_ERROR, 'unexpected_response'])
      assert.match(
        textOf(result),
        new RegExp(`^API Error: 200 from 127\\.0\\.0\\.1:\\d+ .*${contentType.split(';')[0]}`),
      )
      assert.doesNotMatch(textOf(result), /Wi-Fi|script/)
    }
    // The page as an event stream: no event in it, so nothing that could be an answer.
    const turns = () => () => ({ status: 200, rawBody: page, contentType: 'text/event-stream' })
    const lie = await playFault({ turns, env: ONE_RETRY })
    assert.deepEqual(outcome(lie.result).slice(0, 3), API_ERROR)
    assert.doesNotMatch(textOf(lie.result), /Wi-Fi|script/)
    const refused = await playFault({ turns: () => [{ status: 403, rawBody: page, contentType: 'text/html' }] })
    assert.match(textOf(refused.result), /^API Error: 403 .*text\/html/)
    assert.doesNotMatch(textOf(refused.result), /Wi-Fi|script/)
  })

  test('A13 HTTP 200 with JSON in place of the stream: a message is taken, anything else is a clear error', async () => {
    const usage = { input_tokens: 3, output_tokens: 4 }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: MODEL, usage, stop_sequence: null }
    const whole = { ...message, stop_reason: 'tool_use', content: [{ type: 'tool_use', ...call }] }
    const taken = await playFault({ turns: () => [{ status: 200, body: whole }, 'Done.'], options: BASH })
    assert.deepEqual([...outcome(taken.result), taken.ran], ['success', false, 'completed', 'Done.', 1])
    for (const body of [
      {},
      [],
      null,
      'text',
      { ...message, content: 'no list' },
      { ...whole, content: [{ type: 'tool_use' }] },
    ]) {
      const { result, ran } = await playFault({
        turns: () => [{ status: 200, rawBody: JSON.stringify(body) }],
        options: BASH,
      })
      assert.deepEqual([...outcome(result).slice(0, 3), result.error_code], [...API_ERROR, 'unexpected_response'])
      assert.equal(ran, 0)
    }
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } }
    const refused = await playFault({ turns: () => [{ status: 200, body: error }] })
    assert.deepEqual(
      [...outcome(refused.result).slice(0, 3), refused.result.error_code],
      [...API_ERROR, 'invalid_request'],
    )
  })

  test('A15 refused connection, unknown host, TLS error: limited retries; the text names the host, not the key', async () => {
    await using server = await startModelServer([])
    const urls: [url: string, host: string][] = [
      ['http://127.0.0.1:1', '127.0.0.1:1'],
      ['http://no-such-host.invalid', 'no-such-host.invalid:80'],
      [server.url.replace('http:', 'https:'), `127.0.0.1:${server.port}`],
    ]
    await Promise.all(
      urls.map(async ([url, host]) => {
        const env = { ...ONE_RETRY, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }
        await using options = testOptions({ env: () => env })
        const { messages, results, error } = await collect(query({ prompt: 'Hi.', options }))
        checkClean(messages)
        assert.deepEqual(kinds(messages), ['system/init', 'system/api_retry', 'assistant', 'result'])
        assert.equal(results.length, 1)
        assert.deepEqual(
          [...outcome(results[0]).slice(0, 3), results[0]?.error_code],
          [...API_ERROR, 'connection_failed'],
        )
        assert.ok(textOf(results[0]).startsWith(`API Error: Connection error. ${host}: `), textOf(results[0]))
        assert.ok(error instanceof Error && !String(error.stack).includes(KEY))
      }),
    )
  })

  for (const isolation of isolationsOf('A17 reset before the headers: asked')) {
    test(`A17 reset before the headers: asked again (${isolation})`, async () => {
      for (const noAnswer of ['reset', 'close'] as const) {
        const { messages, result, requests } = await playFault({
          turns: () => [{ noAnswer }, 'Fine.'],
          options: { isolation },
        })
        assert.deepEqual(outcome(result), ['success', false, 'completed', 'Fine.'])
        assert.deepEqual(retries(messages), [[1, 10, null, 'connection_failed']])
        assert.deepEqual(requests[1]?.body, requests[0]?.body)
      }
    })

    test(`A19 reset after a complete call, before message_stop: the call is run once, from the whole message (${isolation})`, async () => {
      const answer = { text: 'Working.', tools: [call] }
      const turns = () => [{ ...answer, cutAfterEvents: 9, reset: true }, answer, 'Done.']
      const { result, ran, requests } = await playFault({ turns, options: { ...BASH, isolation } })
      assert.deepEqual([...outcome(result), ran], ['success', false, 'completed', 'Done.', 1])
      assert.equal(requests[1]?.body.stream, undefined)
      // And never, when the whole message does not come.
      const failed = await playFault({
        turns: () => [{ ...answer, cutAfterEvents: 9, reset: true }, { status: 400 }],
        options: BASH,
      })
      assert.deepEqual([...outcome(failed.result).slice(0, 3), failed.ran], [...API_ERROR, 0])
    })
  }

  test('A21 nothing but pings: kept alive, but not for ever', async () => {
    const dawdling: Turn = { text: 'Too late.', pings: 500, gapMs: 20 }
    const { messages, result } = await playFault({
      turns: () => [dawdling, 'Fine.'],
      env: { KEDGE_STREAM_PING_ONLY_MS: '300' },
    })
    assert.deepEqual(outcome(result), ['success', false, 'completed', 'Fine.'])
    assert.deepEqual(retries(messages), [[1, 10, null, 'connection_failed']])
  })

  test('A21 pings keep a connection that silence of the same length would cut', async () => {
    // Cases beside it keep this process busy for seconds, so the limit is long; so is the wait, where all tests run.
    const [pings, limit] = byTier({ quick: [4, 60_000], all: [60, 14_000] })
    const slow: Turn = { text: 'Slow.', pings, gapMs: 250 }
    const kept = await playFault({ turns: () => [slow], env: { KEDGE_STREAM_IDLE_MS: String(limit) } })
    assert.deepEqual([outcome(kept.result)[3], retries(kept.messages)], ['Slow.', []])
  })

  test('A24 every legal way to write an event stream reads the same', async () => {
    const shapes: ((event: Event) => string)[] = [
      (event) => `data:${JSON.stringify(event)}\n\n`,
      (event) => `event:${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`,
      (event) => `data: ${JSON.stringify(event)}\r\r`,
      (event) => `data: ${JSON.stringify(event, null, 1).replaceAll('\n', '\ndata: ')}\n\n`,
      (event) =>
        `: note\nid: 7\nretry: 10\nevent: ${event.type}\n:\ndata: ${JSON.stringify(event)}\nfuture: field\n\n\n\n`,
      (event) => `data: ${JSON.stringify(event)}\nevent: ${event.type}\nid\n\n`,
    ]
    const bodies = shapes.map((shape) => streamOf(eventsOf([{ type: 'tool_use', ...call }]), shape))
    bodies.push(`\uFEFF${bodies[0]}`)
    await Promise.all(
      bodies.flatMap((rawBody) =>
        [undefined, { size: 7 }].map(async (dripBytes) => {
          const turn: Turn = { status: 200, contentType: 'text/event-stream', rawBody, dripBytes }
          const { result, ran } = await playFault({ turns: () => [turn, 'Done.'], options: BASH })
          assert.deepEqual([...outcome(result), ran], ['success', false, 'completed', 'Done.', 1], rawBody.slice(0, 60))
        }),
      ),
    )
  })

  test('A25 unknown events, deltas and fields are passed over', async () => {
    const raw = [
      { afterEvents: 0, text: 'event: hello\ndata: {"type":"hello"}\n\n' },
      { afterEvents: 1, text: sse({ type: 'future', index: 0, delta: {} }) },
      { afterEvents: 2, text: sse({ type: 'content_block_delta', index: 0, delta: { type: 'future_delta', x: 1 } }) },
      { afterEvents: 6, text: sse({ type: 'message_delta', delta: { future: true }, usage: { future: 1 } }) },
    ]
    const turns = () => [{ text: 'Same as ever.', raw }]
    const { messages, result } = await playFault({ turns, options: { includePartialMessages: true } })
    assert.deepEqual(outcome(result), ['success', false, 'completed', 'Same as ever.'])
    assert.deepEqual(retries(messages), [])
    assert.equal(result.usage.output_tokens, 5)
  })

  const strays: [string, object][] = [
    [
      'a delta for a block that never started',
      { type: 'content_block_delta', index: 7, delta: { type: 'text_delta', text: 'x' } },
    ],
    ['the end of a block that never started', { type: 'content_block_stop', index: 7 }],
    ['a second message_start', { type: 'message_start', message: { id: 'msg_2' } }],
    ['no JSON at all', []],
  ]
  for (const [name, event] of strays) {
    test(`A27 ${name}: the answer is void and asked for once more`, async () => {
      const text = name === 'no JSON at all' ? 'data: {oops\n\n' : sse(event)
      for (const afterEvents of [1, 9]) {
        const bad = { text: 'Working.', tools: [call], raw: [{ afterEvents, text }] }
        const { result, ran, messages } = await playFault({
          turns: () => [bad, { tools: [call] }, 'Done.'],
          options: BASH,
        })
        assert.deepEqual([...outcome(result), ran], ['success', false, 'completed', 'Done.', 1])
        assert.deepEqual(retries(messages), [[1, 10, null, 'connection_failed']])
      }
      // A server that keeps doing it is not asked ten times.
      const turns = () => () => ({ text: 'Hm.', raw: [{ afterEvents: 1, text }] })
      const { result, requests } = await playFault({ turns })
      assert.deepEqual(outcome(result).slice(0, 3), API_ERROR)
      assert.equal(requests.length, 2)
    })
  }

  test('A29 input that never becomes JSON: an error result for the model, nothing runs', async () => {
    for (const json of [`{"command":"${MARK}`, `{"command":"${MARK}"}}`, `["${MARK}"]`, `"${MARK}"`, 'null']) {
      const broken = { type: 'tool_use', ...call, json }
      const turn: Turn = { status: 200, contentType: 'text/event-stream', rawBody: streamOf(eventsOf([broken])) }
      const { result, ran, requests } = await playFault({ turns: () => [turn, 'I see.'], options: BASH })
      assert.deepEqual([...outcome(result), ran], ['success', false, 'completed', 'I see.', 0])
      const [answered] = requests[1]?.toolResults ?? []
      assert.deepEqual([answered?.id, answered?.isError], [call.id, true])
      assert.match(
        answered?.text ?? '',
        /^<tool_use_error>InputValidationError: .*not a valid JSON object, so it was not run/,
      )
      assert.deepEqual(result.permission_denials, [])
    }
  })

  test('A29 also for a tool that needs no input, and for one longer than 8 MB', async () => {
    for (const [json, why] of [
      ['{"a":', 'not a valid JSON object'],
      [`{"a":"${'x'.repeat(8 * 1024 * 1024)}"}`, 'longer than 8 MB'],
    ] as const) {
      let ran = 0
      const count = tool('count', 'Counts.', {}, async () => {
        ran += 1
        return { content: [{ type: 'text', text: 'counted' }] }
      })
      const broken = { type: 'tool_use', id: 'toolu_c', name: 'mcp__own__count', json }
      const turn: Turn = { status: 200, contentType: 'text/event-stream', rawBody: streamOf(eventsOf([broken])) }
      const options = {
        mcpServers: { own: createSdkMcpServer({ name: 'own', tools: [count] }) },
        allowedTools: ['mcp__own__count'],
      }
      const { requests } = await playFault({ turns: () => [turn, 'I see.'], options })
      assert.equal(ran, 0)
      assert.ok(requests[1]?.toolResults[0]?.text.includes(why))
    }
  })

  test('A32 an overloaded error inside the stream counts as 529: back-off, then asked again', async () => {
    for (const afterEvents of [0, 1, 3, 5]) {
      const sseError = { type: 'overloaded_error', message: 'Overloaded', afterEvents }
      const { result, messages } = await playFault({ turns: () => [{ text: 'Broken off', sseError }, 'Fine.'] })
      assert.deepEqual(outcome(result), ['success', false, 'completed', 'Fine.'])
      assert.deepEqual(retries(messages), [[1, 10, 529, 'overloaded']])
    }
    const sseError = { type: 'invalid_request_error', message: 'No.', afterEvents: 1 }
    const final = await playFault({ turns: () => [{ text: 'x', sseError }] })
    assert.deepEqual([...outcome(final.result).slice(0, 3), final.result.error_code], [...API_ERROR, 'invalid_request'])
  })

  test('A33 an unknown stop reason, or none: the turn is completed; calls are not run, and the model is told', async () => {
    for (const reason of ['brand_new', null, 7, '']) {
      const answer = (blocks: object[]): Turn => ({
        status: 200,
        contentType: 'text/event-stream',
        rawBody: streamOf(eventsOf(blocks, reason)),
      })
      const text = await playFault({ turns: () => [answer([{ type: 'text', text: 'So.' }])] })
      assert.deepEqual(outcome(text.result), ['success', false, 'completed', 'So.'])
      const called = await playFault({ turns: () => [answer([{ type: 'tool_use', ...call }]), 'Done.'], options: BASH })
      assert.deepEqual([...outcome(called.result), called.ran], ['success', false, 'completed', 'Done.', 0])
      assert.match(called.requests[1]?.toolResults[0]?.text ?? '', /ended before this call was known to be complete/)
    }
  })

  test('A36 a tool that is not there: an error result for the model', async () => {
    const names = ['LaunchRockets', 'bash', '', 'constructor', '__proto__', 'mcp__none__x', 'B'.repeat(200)]
    const tools = names.map((name, n) => ({ id: `toolu_${n}`, name, input: { command: MARK } }))
    const { result, ran, requests, messages } = await playFault({ turns: () => [{ tools }, 'I see.'], options: BASH })
    assert.deepEqual([...outcome(result), ran], ['success', false, 'completed', 'I see.', 0])
    const results = requests[1]?.toolResults ?? []
    assert.equal(results.length, names.length)
    for (const [n, { text, isError }] of results.entries()) {
      assert.ok(isError && text.startsWith(`<tool_use_error>Error: No such tool available: ${names[n]}. `), text)
    }
    assert.equal(messages.filter(({ type }) => type === 'user').length, names.length)
    assert.deepEqual(result.permission_denials, [])
  })

  test('A38 ids of calls never become file names', async () => {
    const mark = `kedge-evil-${randomUUID()}`
    const ids = [`../../${mark}`, `/tmp/${mark}`, `a\n${mark}`, `..\\${mark}`, `\0${mark}`, mark.repeat(50)]
    const tools = ids.map((id, n) => ({
      id,
      name: n % 2 ? 'Bash' : 'Read',
      input: n % 2 ? { command: MARK } : { file_path: 'none' },
    }))
    await using server = await startModelServer([{ tools }, 'Done.', 'Back.'], { validate: false })
    await using options = testOptions(server, { model: MODEL, ...BASH })
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(outcome(run.result)[3], 'Done.')
    assert.deepEqual(new Set(server.requests[1]?.toolResults.map(({ id }) => id)), new Set(ids))
    const resumed = await collect(query({ prompt: 'Again.', options: { ...options, resume: run.result?.session_id } }))
    assert.equal(outcome(resumed.result)[3], 'Back.')
    const names = [
      ...readdirSync(dirname(options.cwd), { recursive: true }),
      ...readdirSync(tmpdir()),
      ...readdirSync('/tmp'),
    ]
    assert.deepEqual(
      names.filter((name) => String(name).includes(mark)),
      [],
    )
  })

  test('A40 thinking without a signature is left out, when resumed and when it comes so', async () => {
    await using server = await startModelServer([
      { thinking: 'Hm.', text: 'One.' },
      'Two.',
      {
        content: [
          { type: 'thinking', thinking: 'Unsigned.', signature: '' },
          { type: 'tool_use', ...call },
        ],
      },
      'Three.',
    ])
    await using options = testOptions(server, { model: MODEL, ...BASH })
    const first = await collect(query({ prompt: 'First.', options }))
    const file = transcriptOf(options)
    writeFileSync(file, readFileSync(file, 'utf8').replace(',"signature":"sig_test"', ''))
    const resume = first.result?.session_id
    for (const text of ['Two.', 'Three.']) {
      const { result, error } = await collect(query({ prompt: 'Next.', options: { ...options, resume } }))
      assert.deepEqual([outcome(result)[3], error], [text, undefined])
    }
    const sent = server.requests.map(({ body }) => JSON.stringify(body.messages))
    assert.equal(sent.length, 4)
    assert.ok(sent[1]?.includes('One.') && sent[3]?.includes('toolu_once'))
    assert.deepEqual(
      sent.filter((messages) => messages.includes('"thinking"')),
      [],
    )
  })

  test('A45 a base URL with credentials, another scheme or blanks is refused, and its secrets are not repeated', async () => {
    await using server = await startModelServer([])
    const port = `127.0.0.1:${server.port}`
    const urls = [
      `http://user:hunter2@${port}`,
      `http://hunter2@${port}`,
      'file:///etc/passwd',
      `${server.url}  `,
      ` ${server.url}`,
    ]
    urls.push('not a url hunter2', `ftp://${port}`, 'javascript:hunter2', `${server.url}?key=hunter2`, `//${port}`)
    for (const ANTHROPIC_BASE_URL of urls) {
      let stderr = ''
      await using options = testOptions(server, { env: { ANTHROPIC_BASE_URL }, stderr: (text) => (stderr += text) })
      const { messages, results, error } = await collect(query({ prompt: 'Hi.', options }))
      assert.deepEqual(kinds(messages), ['result'], ANTHROPIC_BASE_URL)
      assert.deepEqual(outcome(results[0]).slice(0, 3), ['error_during_execution', true, 'invalid_input'])
      assert.match(textOf(results[0]), /^ANTHROPIC_BASE_URL /)
      assert.doesNotMatch(JSON.stringify(messages) + stderr + String(error), /hunter2/)
    }
    assert.deepEqual([server.requests.length, server.otherRequests.length], [0, 0])
  })

  test('A45 a base URL from project settings is not used: no packet, no key reaches it', async () => {
    await using canary = await startModelServer([])
    await using server = await startModelServer(() => 'Fine.')
    for (const settingSources of [undefined, [], ['project' as const], ['project' as const, 'local' as const]]) {
      await using options = testOptions(server, { settingSources })
      mkdirSync(join(options.cwd, '.claude'))
      for (const name of ['settings.json', 'settings.local.json']) {
        writeFileSync(join(options.cwd, '.claude', name), JSON.stringify({ env: { ANTHROPIC_BASE_URL: canary.url } }))
      }
      const { results } = await collect(query({ prompt: 'Hi.', options }))
      assert.equal(results.length, 1)
    }
    assert.deepEqual([canary.requests.length, canary.otherRequests.length], [0, 0])
  })
})

for (const isolation of isolationsOf('A42 ten thousand events at once')) {
  test(`A42 ten thousand events at once: in order, none lost, memory flat (${isolation})`, async () => {
    const text = Array.from({ length: 20_000 }, (_, n) => `${n} `.padStart(8, '.')).join('')
    await using server = await startModelServer([{ text, chunk: 8 }])
    await using options = testOptions(server, { model: MODEL, includePartialMessages: true, isolation })
    const before = process.memoryUsage().rss
    let received = ''
    let assistant = ''
    let peak = 0
    for await (const message of query({ prompt: 'Flood me.', options })) {
      if (message.type === 'assistant') assistant += lines([message]).join('')
      if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta') continue
      const { delta } = message.event
      if (delta.type === 'text_delta') received += delta.text
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    assert.ok(received === text, `${received.length} of ${text.length} characters, in order`)
    assert.ok(assistant === text)
    assert.ok(readFileSync(transcriptOf(options), 'utf8').includes(text))
    assert.ok(peak - before < 200 * 2 ** 20, `${Math.round((peak - before) / 2 ** 20)} MB more`)
  })

  test(`A43 abort while waiting to retry: over at once (${isolation})`, async () => {
    // The wait is 300 s: that this ends at all is the proof.
    await using server = await startModelServer([{ status: 429, retryAfter: 300 }])
    const abortController = new AbortController()
    await using options = testOptions(server, { abortController, isolation })
    const asked = query({ prompt: 'Hi.', options })
    await assert.rejects(async () => {
      for await (const message of asked) {
        if (message.type === 'system' && message.subtype === 'api_retry') abortController.abort()
      }
    }, /aborted by user/)
    await asked.closed
  })
}

test('A43 interrupt while waiting to retry: the turn has its result, the next message is answered', async () => {
  await using server = await startModelServer([{ status: 429, retryAfter: 300 }, 'Fine.'])
  await using options = testOptions(server)
  let ended: () => void = () => {}
  const first = new Promise<void>((resolve) => {
    ended = resolve
  })
  async function* prompts() {
    yield say('One.')
    await first
    yield say('Two.')
  }
  const asked = query({ prompt: prompts(), options })
  const results: SDKResultMessage[] = []
  for await (const message of asked) {
    if (message.type === 'system' && message.subtype === 'api_retry') await asked.interrupt()
    if (message.type !== 'result') continue
    results.push(message)
    ended()
  }
  assert.deepEqual(results.map(outcome), [
    ['error_during_execution', false, 'aborted_streaming', []],
    ['success', false, 'completed', 'Fine.'],
  ])
})

type Event = { type: string; [key: string]: unknown }

/** The events of a stream with these blocks; `json` replaces the written input of a call. */
function eventsOf(blocks: object[], stopReason: unknown = 'tool_use'): Event[] {
  const usage = { input_tokens: 10, output_tokens: 1 }
  const message = {
    id: 'msg_raw',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [],
    stop_reason: null,
    usage,
  }
  const content = blocks.flatMap((block, index): Event[] => {
    const { input, json, ...start } = { input: undefined, json: undefined, ...block }
    const begun = 'name' in block ? { ...start, input: {} } : block
    const partial_json = json ?? JSON.stringify(input)
    return [
      { type: 'content_block_start', index, content_block: begun },
      ...('name' in block
        ? [{ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }]
        : []),
      { type: 'content_block_stop', index },
    ]
  })
  const delta = { stop_reason: stopReason, stop_sequence: null }
  return [
    { type: 'message_start', message },
    ...content,
    { type: 'message_delta', delta, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
}

function streamOf(events: Event[], shape: (event: Event) => string = sse): string {
  return events.map(shape).join('')
}

function sse(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

function textOf(result: SDKResultMessage | undefined): string {
  return result?.subtype === 'success' ? result.result : (result?.errors.join('\n') ?? '')
}

function waits(messages: readonly SDKMessage[]): number[] {
  return messages.flatMap((m) => (m.type === 'system' && m.subtype === 'api_retry' ? [m.retry_delay_ms] : []))
}

/** How long the query is going to wait before its first retry; it is not waited for. */
async function firstWait(messages: AsyncIterable<SDKMessage>): Promise<number> {
  for await (const message of messages) {
    const [wait] = waits([message])
    if (wait !== undefined) return wait
  }
  throw new Error('There was no retry')
}

function transcriptOf({ env }: { env: Record<string, string | undefined> }): string {
  const projects = join(env.CLAUDE_CONFIG_DIR ?? '', 'projects')
  const [file] = readdirSync(projects, { recursive: true }).filter((name) => String(name).endsWith('.jsonl'))
  return join(projects, String(file))
}
