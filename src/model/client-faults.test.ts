/** One good stream, broken in every place and in every way: the answer is the same, and whole, or there is none. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ask, KEY, testClient } from '../../test/support/client.js'
import {
  type Answer,
  cutStream,
  eventsOf,
  type Reply,
  sse,
  stalledStream,
  startModelApi,
  status,
  stream,
  wholeOf,
} from '../../test/support/model-api.js'

const ANSWER: Answer = {
  blocks: [
    { thinking: ['Was ', 'nun?'], signature: 'sig' },
    { text: ['Grüße ', '€ ', '🙂 and more.'] },
    { tool: 'Bash', id: 'toolu_1', json: ['{"command":"e', 'cho hi"}'] },
    { tool: 'Read', id: 'toolu_2', json: ['{"file_path":', '"/a"}'] },
  ],
  stopReason: 'tool_use',
}
const TEXT = sse(eventsOf(ANSWER))
const BYTES = Buffer.from(TEXT)
const MESSAGE = wholeOf(ANSWER)

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

function cuts(): number[] {
  const boundaries: number[] = [0]
  let position = 0
  for (const event of TEXT.split('\n\n').slice(0, -1)) {
    position += Buffer.byteLength(event) + 2
    boundaries.push(position)
  }
  const random = numbers(42)
  const anywhere = Array.from({ length: 60 }, () => Math.floor(Number(random.next().value) * BYTES.length))
  return [...boundaries, ...anywhere]
}

/** Whatever was announced, the outcome holds each block once, and only of a message that was complete. */
async function checkBroken(
  t: TestContext,
  name: string,
  broken: Reply,
  env: Record<string, string> = {},
): Promise<string> {
  // By mode, not by number: whether a cut comes before or after content decides how the client asks again.
  const again: Reply = (response, seen) => {
    const reply = seen.body.stream === true ? stream(TEXT) : status(200, MESSAGE)
    return reply(response, seen)
  }
  const api = await startModelApi([broken, again, again])
  t.after(() => api.close())
  const { client } = testClient(api.url, { env })
  const { events, outcome } = await ask(client, { partial: true })
  assert.ok(outcome.ok, name)
  assert.deepEqual(outcome.message, MESSAGE, name)
  const announced = events.flatMap((event) => (event.type === 'block' ? [event.block] : []))
  const whole = outcome.message.content
  if (outcome.streamed) assert.deepEqual(announced, whole, name)
  else assert.deepEqual(announced, whole.slice(0, announced.length), name)
  const starts = events.filter((event) => event.type === 'event' && event.event.type === 'message_start')
  assert.ok(starts.length <= 1, `${name}: ${starts.length} message_start events`)
  await api.close()
  return `${outcome.streamed ? 'streamed' : 'whole'} after ${api.seen.length}`
}

for (const how of ['FIN', 'RST'] as const) {
  test(`cut by ${how} at every event and in between`, async (t) => {
    const results = new Map<string, number>()
    const all = cuts()
    for (let i = 0; i < all.length; i += 8) {
      const batch = all.slice(i, i + 8).map(async (at) => {
        const result = await checkBroken(t, `${how} at byte ${at}`, cutStream(BYTES.subarray(0, at), how))
        results.set(result, (results.get(result) ?? 0) + 1)
      })
      await Promise.all(batch)
    }
    // Cuts before the first block are streamed again, later ones fetched whole; behind the last event nothing is lost.
    assert.ok((results.get('streamed after 2') ?? 0) >= 3, JSON.stringify([...results]))
    assert.ok((results.get('whole after 2') ?? 0) >= 60, JSON.stringify([...results]))
    assert.equal(
      [...results.values()].reduce((a, b) => a + b),
      all.length,
    )
  })
}

test('stalled at every event', async (t) => {
  const env = { KEDGE_STREAM_IDLE_MS: '40' }
  const events = TEXT.split('\n\n').slice(0, -2)
  const results = await Promise.all(
    events.map((_, count) => {
      const start = events.slice(0, count).map((event) => `${event}\n\n`)
      return checkBroken(t, `stalled after ${count} events`, stalledStream(start.join('')), env)
    }),
  )
  assert.deepEqual(new Set(results), new Set(['streamed after 2', 'whole after 2']))
})

test('ended properly, but too early, at every event', async (t) => {
  const events = TEXT.split('\n\n').slice(0, -1)
  const results = await Promise.all(
    events.map((_, count) => {
      const start = events.slice(0, count).map((event) => `${event}\n\n`)
      return checkBroken(t, `ended after ${count} events`, stream(start.join('')))
    }),
  )
  assert.deepEqual(new Set(results), new Set(['streamed after 2', 'whole after 2']))
})

test('every status, with and without retry-after: one end, a bounded number of requests, no key in the text', async (t) => {
  const retried = (code: number) => code === 408 || code === 409 || code === 429 || code >= 500
  const wrong: string[] = []
  const check = async (code: number, headers: Record<string, string>) => {
    const reply = status(code, { error: { type: 'x', message: `echo ${KEY}` } }, headers)
    const api = await startModelApi([reply, reply, reply, reply])
    t.after(() => api.close())
    const { client } = testClient(api.url, { env: { CLAUDE_CODE_MAX_RETRIES: '2' } })
    const { outcome } = await ask(client)
    const expected = retried(code) ? 3 : 1
    if (
      outcome.ok ||
      api.seen.length !== expected ||
      outcome.failure.text.includes(KEY) ||
      outcome.failure.text === ''
    ) {
      wrong.push(`${code} ${JSON.stringify(headers)}: ${api.seen.length} requests, ${JSON.stringify(outcome)}`)
    }
    await api.close()
  }
  const codes = Array.from({ length: 200 }, (_, i) => 400 + i)
  for (let i = 0; i < codes.length; i += 20) {
    const batch = codes.slice(i, i + 20)
    await Promise.all(batch.flatMap((code) => [check(code, {}), check(code, { 'retry-after': '1' })]))
  }
  assert.deepEqual(wrong, [])
})

test('ten thousand events keep their order', async (t) => {
  const pieces = Array.from({ length: 10_000 }, (_, i) => `${i} `)
  const api = await startModelApi([stream(sse(eventsOf({ blocks: [{ text: pieces }] })))])
  t.after(() => api.close())
  const { events, outcome } = await ask(testClient(api.url).client, { partial: true })
  assert.deepEqual(outcome.ok && outcome.message.content, [{ type: 'text', text: pieces.join('') }])
  const deltas = events.flatMap((event) =>
    event.type === 'event' && event.event.type === 'content_block_delta' && event.event.delta.type === 'text_delta'
      ? [event.event.delta.text]
      : [],
  )
  assert.deepEqual(deltas, pieces)
})
