/** The generated family of the rows A: one good stream broken everywhere, every kind of status, and odd answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Options, query, type SDKMessage } from 'kedge'
import { collect, type ModelRequest, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { checkClean, countMarks, KEY, MARK, MODEL, outcome, playFault, retries } from '../e2e/play-fault.js'
import { byTier } from '../support/tier.js'

const answer = {
  thinking: 'Let me see.',
  text: 'Grüße 🙂, working.',
  tools: [{ id: 'toolu_once', name: 'Bash', input: { command: MARK } }],
}
/** start, thinking (5), text (4), call (4), delta, stop */
const EVENTS = 16
const BYTES = 2070
/** One in this many cases is tried. */
const EVERY = byTier({ quick: 16, all: 1 })

/** The first request gets the broken stream, its repetition the whole one, and the tool result the last word. */
async function playBroken(fault: object, env: Record<string, string> = {}) {
  const model = (request: ModelRequest): Turn => {
    if (request.toolResults.length > 0) return 'All done.'
    return request.index === 0 ? { ...answer, ...fault } : answer
  }
  return play(model, { allowedTools: ['Bash'] }, env)
}

async function play(model: (request: ModelRequest) => Turn, overrides: Options, env: Record<string, string>) {
  await using server = await startModelServer(model)
  await using options = testOptions(server, { model: MODEL, ...overrides, env: { ANTHROPIC_API_KEY: KEY, ...env } })
  const { messages, results, error } = await collect(query({ prompt: 'Go.', options }))
  checkClean(messages)
  assert.equal(results.length, 1)
  return { messages, results, error, requests: server.requests, ran: countMarks(options.cwd) }
}

/** So many at a time. */
async function each<T>(items: readonly T[], width: number, run: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** Numbers from 0 to below `limit` that look random and are the same in every run. */
function numbers(count: number, limit: number): number[] {
  let state = 7
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  })
}

test('a stream cut or stalled anywhere: one result, the call runs once, the end is that of the whole stream', async () => {
  const whole = await playBroken({})
  const expected = [['success', false, 'completed', 'All done.'], undefined, 1, 2]
  const summary = ({ results, error, ran }: typeof whole) => [outcome(results[0]), error, ran, results[0]?.num_turns]
  assert.deepEqual(summary(whole), expected)
  assert.equal(retries(whole.messages).length, 0)

  const places = [
    ...Array.from({ length: EVENTS }, (_, n) => ({ cutAfterEvents: n })),
    ...numbers(40, BYTES).map((n) => ({ cutAtByte: n })),
  ]
  const faults: object[] = [
    ...places,
    ...places.map((place) => ({ ...place, reset: true })),
    ...Array.from({ length: EVENTS }, (_, n) => ({ cutAfterEvents: n, cleanEnd: true })),
    ...Array.from({ length: EVENTS }, (_, n) => ({ stallAfterEvents: n })),
  ]
  const wrong: unknown[] = []
  const again = { streamed: 0, whole: 0, none: 0 }
  const tried = faults.filter((_, index) => index % EVERY === 0)
  await each(tried, 12, async (fault) => {
    const env: Record<string, string> = 'stallAfterEvents' in fault ? { KEDGE_STREAM_IDLE_MS: '500' } : {}
    const played = await playBroken(fault, env)
    const repeated = played.requests[1]
    const isResult = (repeated?.toolResults.length ?? 0) > 0
    again[isResult ? 'none' : repeated?.body.stream ? 'streamed' : 'whole'] += 1
    try {
      assert.deepEqual(summary(played), expected)
      // Of the broken message nothing is in the conversation.
      assert.deepEqual(bare(played.requests.at(-1)), bare(whole.requests.at(-1)))
    } catch (error) {
      wrong.push([fault, error])
    }
  })
  assert.deepEqual(wrong, [])
  // All three ways to go on were taken; only cuts behind the last event need no second request.
  assert.ok(again.streamed >= 8 / EVERY && again.whole >= 60 / EVERY, JSON.stringify(again))
})

/** The conversation without its cache markers. */
function bare(request: ModelRequest | undefined): unknown {
  return JSON.parse(
    JSON.stringify(request?.body.messages, (key, value) => (key === 'cache_control' ? undefined : value)),
  )
}

test('every kind of status, with and without retry-after: one result that names it, no more requests than allowed', async () => {
  const statuses = [
    400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 413, 414, 415, 416, 418, 421, 422, 423, 424,
  ]
  statuses.push(425, 426, 428, 429, 431, 444, 451, 499, 500, 501, 502, 503, 504, 505, 507, 511, 520, 529, 599)
  assert.equal(statuses.length, 40)
  const retried = (status: number) => [408, 409, 429].includes(status) || status >= 500
  const faults = statuses.flatMap((status) => [{ status }, { status, retryAfter: 0 }, { status, rawBody: '' }])
  const wrong: unknown[] = []
  await each(
    faults.filter((_, index) => index % EVERY === 0),
    40,
    async (fault) => {
      const forever = await play(() => fault, {}, { CLAUDE_CODE_MAX_RETRIES: '1' })
      const once = await play(({ index }) => (index === 0 ? fault : 'Fine.'), {}, { CLAUDE_CODE_MAX_RETRIES: '1' })
      const repeats = retried(fault.status) ? 1 : 0
      const [result] = forever.results
      const text = result?.subtype === 'success' ? result.result : ''
      try {
        assert.deepEqual(outcome(result).slice(0, 3), ['success', true, 'api_error'])
        assert.equal(forever.error instanceof Error && forever.error.message, text)
        if (fault.status !== 401) assert.ok(text.startsWith(`API Error: ${fault.status} `), text)
        assert.deepEqual([forever.requests.length, retries(forever.messages).length], [1 + repeats, repeats])
        assert.equal(outcome(once.results[0])[3], repeats ? 'Fine.' : text)
      } catch (error) {
        wrong.push([fault, error])
      }
    },
  )
  assert.deepEqual(wrong, [])
})

// The limits hold for the second try as well: short ones would end it, too, on a busy machine.
test('no headers, or no end: given up after the time that is allowed, and asked again', async () => {
  const faults: [Turn, Record<string, string>][] = [
    [{ noAnswer: 'hang' }, { API_TIMEOUT_MS: '2000' }],
    [{ status: 200, contentType: 'text/event-stream', rawBody: '' }, {}],
    [{ text: 'Hm.', stallAfterEvents: 3 }, { KEDGE_STREAM_IDLE_MS: '2000' }],
  ]
  for (const [turn, env] of faults) {
    const { messages, result } = await playFault({ turns: () => [turn, 'Fine.'], env })
    assert.deepEqual(outcome(result), ['success', false, 'completed', 'Fine.'])
    assert.equal(retries(messages).length, 1)
  }
})

const bash = (id: string) => ({ type: 'tool_use' as const, id, name: 'Bash', input: { command: MARK } })
const odd: [name: string, turn: Turn, marks: number][] = [
  ['two calls with one id', { content: [bash('toolu_same'), bash('toolu_same')] }, 2],
  [
    'blank texts around a call',
    { content: [{ type: 'text', text: '' }, bash('toolu_1'), { type: 'text', text: ' \n' }] },
    1,
  ],
  [
    'usage that is no number',
    { content: [bash('toolu_1')], usage: JSON.parse('{"input_tokens":"7","output_tokens":-3}') },
    1,
  ],
  ['tool_use as the reason, but no call', { text: 'Nothing to do.', stopReason: 'tool_use' }, 0],
  ['broken UTF-16', { text: 'half \ud83d of a character', tools: [{ name: 'Bash', input: { command: MARK } }] }, 1],
  [
    'input with __proto__',
    { content: [{ ...bash('toolu_1'), input: JSON.parse('{"command":"true","__proto__":{"x":1}}') }] },
    0,
  ],
]
for (const [name, turn, marks] of odd) {
  test(`odd answer: ${name}`, async () => {
    const last = marks > 0 || name.startsWith('input') ? ['Done.'] : []
    const { result, ran } = await playFault({ turns: () => [turn, ...last], options: { allowedTools: ['Bash'] } })
    assert.deepEqual(outcome(result).slice(0, 3), ['success', false, 'completed'])
    assert.equal(ran, marks)
    assert.ok(result.total_cost_usd >= 0 && Number.isFinite(result.total_cost_usd))
  })
}

const SESSIONS = byTier({ quick: 12, all: 100 })
test(`${SESSIONS} sessions, each with its own fault, do not disturb each other`, async () => {
  const faults: Turn[] = [
    { status: 400 },
    { noAnswer: 'reset' },
    { text: 'x', cutAfterEvents: 3 },
    { stopReason: 'refusal' },
    'Fine.',
  ]
  const expected = ['api_error', 'completed', 'completed', 'refusal', 'completed']
  const seen = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, n) => {
      const fault = faults[n % faults.length] ?? 'Fine.'
      const { messages, results } = await play(({ index }) => (index === 0 ? fault : `I am ${n}.`), {}, {})
      const ids = new Set(messages.map((message: SDKMessage) => ('session_id' in message ? message.session_id : '')))
      assert.equal(ids.size, 1)
      return [results[0]?.terminal_reason, outcome(results[0])[3]]
    }),
  )
  for (const [n, [reason, text]] of seen.entries()) {
    assert.equal(reason, expected[n % faults.length])
    if (reason === 'completed' && n % faults.length !== 4) assert.equal(text, `I am ${n}.`)
  }
})
