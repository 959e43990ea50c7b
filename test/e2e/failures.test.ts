/** What a host sees when the API fails: which failures are final, what the result says, and that the session goes on. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { query } from 'kedge'
import { collect, type ModelRequest, type Turn, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'
import { kinds } from './both-ways.js'
import {
  checkClean,
  type Fault,
  KEY,
  lines,
  MARK,
  MODEL,
  outcome,
  type Played,
  playFault,
  retries,
} from './play-fault.js'

const ONE_RETRY = { CLAUDE_CODE_MAX_RETRIES: '1' }
const forever = (turn: Turn) => () => () => turn

describe('API failures', { concurrency: 6, timeout: 400_000 }, () => {
  /** Also as a child process, unless the case has a neighbor that does so. */
  function eitherWay(name: string, fault: Fault, check: (played: Played) => void, isBoth = true): void {
    for (const isolation of isBoth ? isolationsOf(name) : (['in-process'] as const)) {
      test(`${name} (${isolation})`, async () => {
        check(await playFault({ ...fault, options: { ...fault.options, isolation } }))
      })
    }
  }

  /** status, times retried, `error` of the assistant line, error_code, text */
  const statuses: [status: number, retried: number, error: string, code: string, text?: string][] = [
    [400, 0, 'unknown', 'invalid_request'],
    [401, 0, 'authentication_failed', 'invalid_api_key', 'Invalid API key · Fix external API key'],
    [403, 0, 'authentication_failed', 'permission_denied'],
    [404, 0, 'invalid_request', 'model_not_found'],
    [413, 0, 'unknown', 'request_too_large'],
    [429, 1, 'unknown', 'rate_limited'],
    [500, 1, 'unknown', 'server_error'],
    [529, 1, 'unknown', 'overloaded'],
  ]
  for (const [status, retried, error, code, text] of statuses) {
    const fault = { turns: forever({ status, error: { message: `fake ${status}` } }), env: ONE_RETRY }
    eitherWay(
      `${status} is final after ${retried} retries`,
      fault,
      ({ messages, result, requests }) => {
        assert.equal(requests.length, 1 + retried)
        const retry = retried ? ['system/api_retry'] : []
        assert.deepEqual(kinds(messages), ['system/init', ...retry, 'assistant', 'result'])
        assert.deepEqual(retries(messages), retried ? [[1, 1, status, code]] : [])
        const shown = result.subtype === 'success' ? result.result : ''
        if (text) assert.equal(shown, text)
        else assert.ok(shown.startsWith(`API Error: ${status} {"type":"error","error":{"type":"`), shown)
        const [line] = messages.filter((message) => message.type === 'assistant')
        const noUsage = {
          input_tokens: 0,
          output_tokens: 0,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
        }
        assert.deepEqual(line, {
          type: 'assistant',
          message: {
            id: '<id>',
            container: null,
            model: '<synthetic>',
            role: 'assistant',
            stop_reason: 'stop_sequence',
            stop_sequence: '',
            type: 'message',
            usage: {
              ...noUsage,
              server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
              service_tier: null,
              cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
              inference_geo: null,
              iterations: null,
              speed: null,
            },
            content: [{ type: 'text', text: shown }],
            context_management: null,
          },
          parent_tool_use_id: null,
          session_id: '<session_id>',
          uuid: '<uuid>',
          error,
        })
        // Its words are in test/first-hour.
        assert.deepEqual(
          { ...messages.at(-1), error_fix: undefined },
          {
            type: 'result',
            subtype: 'success',
            is_error: true,
            duration_ms: 0,
            duration_api_ms: 0,
            num_turns: 1,
            result: shown,
            stop_reason: 'stop_sequence',
            session_id: '<session_id>',
            total_cost_usd: 0,
            usage: {
              ...noUsage,
              server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
              service_tier: 'standard',
              cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
              inference_geo: '',
              iterations: [],
              speed: 'standard',
            },
            modelUsage: {},
            permission_denials: [],
            uuid: '<uuid>',
            terminal_reason: 'api_error',
            error_code: code,
            error_fix: undefined,
          },
        )
      },
      status === 401 || status === 500,
    )
  }

  for (const status of [400, 413]) {
    const error = { message: 'prompt is too long: 210000 tokens > 200000 maximum' }
    eitherWay(
      `prompt too long (${status})`,
      { turns: forever({ status, error }), losesPrompt: true },
      ({ messages, result, requests }) => {
        assert.equal(requests.length, 1)
        assert.deepEqual(lines(messages), ['!invalid_request Prompt is too long'])
        assert.deepEqual(outcome(result), ['success', true, 'api_error', 'Prompt is too long'])
        assert.equal(result.error_code, 'prompt_too_long')
      },
      false,
    )
  }

  eitherWay(
    'retries are visible and the answer is as if nothing had been',
    { turns: () => [{ status: 429, retryAfter: 1 }, { status: 529 }, 'Recovered.'] },
    ({ messages, result, requests }) => {
      assert.equal(requests.length, 3)
      assert.deepEqual(kinds(messages), ['system/init', 'system/api_retry', 'system/api_retry', 'assistant', 'result'])
      assert.deepEqual(retries(messages), [
        [1, 10, 429, 'rate_limited'],
        [2, 10, 529, 'overloaded'],
      ])
      assert.deepEqual(outcome(result), ['success', false, 'completed', 'Recovered.'])
      assert.deepEqual([result.num_turns, result.usage.input_tokens, result.stop_reason], [1, 10, null])
      for (const { body } of requests) assert.equal(body.stream, true)
    },
  )

  test('a failure after tools keeps what they did: the next message finds it in the history', async () => {
    const turns = () => [bash(), { status: 400 }]
    const { messages, result, ran } = await playFault({ turns, options: { allowedTools: ['Bash'] } })
    assert.deepEqual(kinds(messages), ['system/init', 'assistant', 'user', 'assistant', 'result'])
    assert.deepEqual([ran, result.num_turns, result.is_error, result.usage.output_tokens], [1, 2, true, 5])
  })

  test('nobody listens: the connection is refused as often as retries allow, and the text names the host', async () => {
    const env = { ...ONE_RETRY, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }
    await using options = testOptions({ env: () => ({ ANTHROPIC_API_KEY: KEY, ...env }) }, { model: MODEL })
    const { messages, result, results, error } = await collect(query({ prompt: 'Hi.', options }))
    assert.ok(result && error instanceof Error)
    assert.equal(results.length, 1)
    checkClean(messages)
    assert.deepEqual(kinds(messages), ['system/init', 'system/api_retry', 'assistant', 'result'])
    assert.deepEqual(retries(messages), [[1, 1, null, 'connection_failed']])
    assert.match(String(outcome(result)[3]), /^API Error: Connection error\. 127\.0\.0\.1:1: .*ECONNREFUSED/)
    assert.deepEqual(
      [result.is_error, result.terminal_reason, result.error_code],
      [true, 'api_error', 'connection_failed'],
    )
  })

  // ── cut off, refused, empty ──

  const part = (n: number): Turn => ({ text: `Part ${n}`, stopReason: 'max_tokens' })
  for (const cuts of [1, 3]) {
    const turns = () => [...Array.from({ length: cuts }, (_, n) => part(n)), 'The end.']
    eitherWay(
      `cut off at max_tokens ${cuts} times, then done`,
      { turns },
      ({ messages, result, requests }) => {
        assert.deepEqual(
          lines(messages).map((line) => line.replace(/^(!\w+ ).*$/, '$1')),
          [...Array.from({ length: cuts }, (_, n) => [`Part ${n}`, '!max_output_tokens ']).flat(), 'The end.'],
        )
        const whole = [...Array.from({ length: cuts }, (_, n) => `Part ${n}`), 'The end.'].join('')
        assert.deepEqual(outcome(result), ['success', false, 'completed', whole])
        assert.deepEqual([result.num_turns, result.usage.output_tokens], [1, 5 * (cuts + 1)])
        assert.equal(requests.length, cuts + 1)
        const last = requests.at(-1)?.body.messages
        assert.deepEqual(
          last?.map(({ role }) => role),
          ['user', ...Array(cuts).fill(['assistant', 'user']).flat()],
        )
        assert.match(requests.at(-1)?.prompt ?? '', /cut off/)
      },
      false,
    )
  }

  const endless = { turns: () => [part(0), part(1), part(2), part(3)] }
  eitherWay('the fourth cut ends the turn', endless, ({ messages, result }) => {
    assert.equal(lines(messages).length, 8)
    assert.match(lines(messages)[7] ?? '', /^!max_output_tokens API Error: .*CLAUDE_CODE_MAX_OUTPUT_TOKENS/)
    assert.deepEqual(outcome(result).slice(0, 3), ['success', true, 'max_output_tokens'])
    assert.match(String(outcome(result)[3]), /^API Error: .*output token limit/)
    assert.deepEqual([result.num_turns, result.stop_reason, result.usage.output_tokens], [1, 'stop_sequence', 20])
  })

  test('an answer in one piece whose JSON ends in the middle is asked for again', async () => {
    const body = JSON.stringify({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Half of this is not there.' }],
      usage: { input_tokens: 1, output_tokens: 1 },
    })
    const half: Turn = { status: 200, contentType: 'application/json', rawBody: body.slice(0, -40) }
    const { messages, result } = await playFault({ turns: () => [half, half, 'Whole.'] })
    assert.deepEqual(outcome(result), ['success', false, 'completed', 'Whole.'])
    assert.deepEqual(
      retries(messages).map(([attempt]) => attempt),
      [1, 2],
    )
  })

  test('calls of a message cut off at max_tokens are not run', async () => {
    const turns = () => [{ ...bash(), stopReason: 'max_tokens' as const }, 'Without it.']
    const { messages, result, requests, ran } = await playFault({ turns, options: { allowedTools: ['Bash'] } })
    assert.equal(ran, 0)
    assert.deepEqual(kinds(messages), ['system/init', 'assistant', 'user', 'assistant', 'result'])
    assert.deepEqual(
      requests[1]?.toolResults.map(({ isError }) => isError),
      [true],
    )
    assert.deepEqual(outcome(result), ['success', false, 'completed', 'Without it.'])
  })

  test('four messages with calls, all cut off: none is run, and the session goes on', async () => {
    const turns = () => Array.from({ length: 4 }, () => ({ ...bash(), stopReason: 'max_tokens' as const }))
    const { result, ran } = await playFault({ turns, options: { allowedTools: ['Bash'] } })
    assert.equal(ran, 0)
    assert.deepEqual(outcome(result).slice(0, 3), ['success', true, 'max_output_tokens'])
  })

  for (const content of ['text', 'call', 'nothing']) {
    const parts = content === 'text' ? { text: 'I cannot' } : content === 'call' ? bash() : {}
    const turns = () => [{ ...parts, stopReason: 'refusal' as const }]
    eitherWay(
      `a refusal with ${content}`,
      { turns, options: { allowedTools: ['Bash'] } },
      ({ messages, result, ran }) => {
        assert.equal(ran, 0)
        assert.match(lines(messages).at(-1) ?? '', /^!invalid_request API Error: .*refused/)
        assert.deepEqual(outcome(result).slice(0, 3), ['success', true, 'refusal'])
        assert.deepEqual([result.num_turns, result.stop_reason], [1, 'stop_sequence'])
      },
      content === 'call',
    )
  }

  eitherWay('an answer without content', { turns: () => [{}] }, ({ messages, result }) => {
    assert.deepEqual(kinds(messages), ['system/init', 'result'])
    assert.deepEqual(outcome(result), ['error_during_execution', false, 'empty_response', []])
    assert.deepEqual([result.num_turns, result.usage.output_tokens], [1, 5])
  })

  // ── broken streams ──

  const broken: [name: string, cut: object, again: 'streamed' | 'whole', shown: string[]][] = [
    ['no answer', { noAnswer: 'reset' }, 'streamed', []],
    ['cut before message_start', { ...answer(), cutAfterEvents: 0 }, 'streamed', []],
    ['cut after message_start', { ...answer(), cutAfterEvents: 1, reset: true }, 'streamed', []],
    ['cut inside the text', { ...answer(), cutAfterEvents: 3 }, 'whole', []],
    ['cut after the text', { ...answer(), cutAfterEvents: 5, reset: true }, 'whole', ['Working.']],
    ['cut inside the call', { ...answer(), cutAfterEvents: 7 }, 'whole', ['Working.']],
    ['cut after the call', { ...answer(), cutAfterEvents: 9, reset: true }, 'whole', ['Working.', 'tool_use']],
    ['cut after message_delta', { ...answer(), cutAfterEvents: 10 }, 'whole', ['Working.', 'tool_use']],
    ['ended without message_stop', { ...answer(), omitMessageStop: true }, 'whole', ['Working.', 'tool_use']],
    ['ended inside the text', { ...answer(), cutAfterEvents: 3, cleanEnd: true }, 'whole', []],
    ['error event at the start', { ...answer(), sseError: overloaded(1) }, 'streamed', []],
    ['error event after the text', { ...answer(), sseError: overloaded(5) }, 'whole', ['Working.']],
    ['error event after the call', { ...answer(), sseError: overloaded(9) }, 'whole', ['Working.', 'tool_use']],
  ]
  for (const [name, cut, again, shown] of broken) {
    // One of the shapes of a turn, put together above.
    const turns = () => [cut as Turn, answer(), 'Done.']
    eitherWay(
      `${name}: asked again, ${again}`,
      { turns, options: { allowedTools: ['Bash'] } },
      (played) => {
        const { messages, result, requests, ran } = played
        assert.equal(ran, 1, 'the call is run once')
        assert.deepEqual(lines(messages), [...shown, 'Working.', 'tool_use', 'Done.'])
        assert.deepEqual(outcome(result), ['success', false, 'completed', 'Done.'])
        assert.deepEqual([result.num_turns, retries(messages).length, requests.length], [2, 1, 3])
        const { stream, max_tokens, thinking } = requests[1]?.body ?? {}
        const whole = { stream: undefined, max_tokens: 21_333, thinking: { budget_tokens: 21_332, type: 'enabled' } }
        if (again === 'whole') assert.deepEqual({ stream, max_tokens, thinking }, whole)
        else assert.equal(stream, true)
        // What broke off is no part of the conversation.
        assert.equal(requests[2]?.body.messages.length, 3)
        assert.equal(requests[2]?.toolResults.length, 1)
      },
      name === 'cut after the call',
    )
  }

  test('an answer in one piece is one assistant line, with its stop reason and usage', async () => {
    const turns = () => [
      { text: 'Broken off', cutAfterEvents: 3 },
      { text: 'Whole.', thinking: 'Hm.' },
    ]
    const { messages } = await playFault({ turns, options: { includePartialMessages: true } })
    const [line, ...more] = messages.filter((message) => message.type === 'assistant')
    assert.deepEqual(more, [])
    assert.deepEqual([line?.message.stop_reason, line?.message.usage.output_tokens], ['end_turn', 5])
    assert.deepEqual(
      line?.message.content.map(({ type }) => type),
      ['thinking', 'text'],
    )
    // What was shown of the broken one is closed before it is asked again.
    assert.deepEqual(messages.map((m) => (m.type === 'stream_event' ? m.event : kinds([m])[0])).slice(3), [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Broke' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
      'system/api_retry',
      'assistant',
      'result',
    ])
  })

  test('the repetition in one piece fails for good: one result, nothing run', async () => {
    const turns = () => [{ ...answer(), cutAfterEvents: 9 }, { status: 400 }]
    const { messages, result, ran } = await playFault({ turns, options: { allowedTools: ['Bash'] } })
    assert.equal(ran, 0)
    assert.deepEqual(lines(messages).slice(0, 2), ['Working.', 'tool_use'])
    assert.deepEqual([result.is_error, result.terminal_reason, result.num_turns], [true, 'api_error', 1])
  })

  test('the repetition breaks off too: retries are counted, and their end is the end', async () => {
    const turns = () => (request: ModelRequest) => ({
      ...answer(),
      ...(request.body.stream ? { cutAfterEvents: 9 } : { cutAtByte: 100 }),
    })
    const fault = { turns, env: ONE_RETRY, options: { allowedTools: ['Bash'] } }
    const { messages, result, requests, ran } = await playFault(fault)
    assert.equal(ran, 0)
    assert.equal(requests.length, 2)
    assert.deepEqual(retries(messages), [[1, 1, null, 'connection_failed']])
    assert.match(String(outcome(result)[3]), /^API Error: Connection error\. 127\.0\.0\.1:\d+: the answer broke off/)
  })
})

/** Its events: start, text (start, 2 deltas, stop), call (start, 2 deltas, stop), delta, stop. */
function answer() {
  return { text: 'Working.', tools: [{ id: 'toolu_once', name: 'Bash', input: { command: MARK } }] }
}

function bash() {
  return { tools: [{ name: 'Bash', input: { command: MARK } }] }
}

function overloaded(afterEvents: number) {
  return { type: 'overloaded_error', message: 'Overloaded', afterEvents }
}
