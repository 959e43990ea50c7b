/** One good stream, broken in every place and in every way: the answer is the same, and whole, or there is none. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ask, KEY, testClient } from '../../../test/support/client.js'
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
} from '../../../test/support/model-api.js'
import type { ModelEvent } from '../../engine/ports.js'

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

/** One server for many cases: the model of a request names its case, and `reply` gets how often it came. */
async function serveCases(t: TestContext, reply: (name: string, count: number) => Reply) {
  const counts = new Map<string, number>()
  const route: Reply = (response, seen) => {
    const name = String(seen.body['model'])
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return reply(name, count)(response, seen)
  }
  const api = await startModelApi(Array(2000).fill(route))
  t.after(() => api.close())
  return { url: api.url, requests: (name: string) => counts.get(name) ?? 0 }
}

/** Whatever was announced, the outcome holds each block once, and only of a message that was complete. */
async function checkBroken(
  t: TestContext,
  cases: ReadonlyMap<string, Reply>,
  env: Record<string, string> = {},
): Promise<Map<string, number>> {
  // Whether the stream broke before or after content decides how the client asks again.
  const again: Reply = (response, seen) => {
    return (seen.body['stream'] === true ? stream(TEXT) : status(200, MESSAGE))(response, seen)
  }
  const api = await serveCases(t, (name, count) => (count === 1 ? (cases.get(name) ?? again) : again))
  const { client } = testClient(api.url, { env })
  const results = new Map<string, number>()
  const check = async (name: string) => {
    const { events, outcome } = await ask(client, { partial: true, model: name })
    assert.ok(outcome.ok, name)
    assert.deepEqual(outcome.message, MESSAGE, name)
    const announced = events.flatMap((event) => (event.type === 'block' ? [event.block] : []))
    const whole = outcome.message.content
    if (outcome.streamed) assert.deepEqual(announced, whole, name)
    else assert.deepEqual(announced, whole.slice(0, announced.length), name)
    const raw = events.flatMap((event) => (event.type === 'events' ? event.events : []))
    const starts = raw.filter((event) => event.type === 'message_start')
    assert.ok(starts.length <= 1, `${name}: ${starts.length} message_start events`)
    checkClosed(events, name)
    const result = `${outcome.streamed ? 'streamed' : 'whole'} after ${api.requests(name)}`
    results.set(result, (results.get(result) ?? 0) + 1)
  }
  await inBatches([...cases.keys()], check)
  return results
}

/** What was shown of a stream ends like a whole one: every block is closed once, then the message. */
function checkClosed(events: readonly ModelEvent[], name: string): void {
  const raw = events.flatMap((event) => (event.type === 'events' ? event.events : []))
  const indexes = (type: string) =>
    raw.flatMap((event) => (event.type === type && 'index' in event ? [event.index] : []))
  assert.deepEqual(indexes('content_block_stop'), indexes('content_block_start'), name)
  const ends = raw.filter(({ type }) => type === 'message_stop')
  assert.equal(ends.length, raw.length > 0 ? 1 : 0, name)
  assert.equal(ends[0], raw.at(-1), name)
}

async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += 16) await Promise.all(items.slice(i, i + 16).map(work))
}

for (const how of ['FIN', 'RST'] as const) {
  test(`cut by ${how} at every event and in between`, async (t) => {
    const cases = new Map(cuts().map((at) => [`${how} at byte ${at}`, cutStream(BYTES.subarray(0, at), how)]))
    const results = await checkBroken(t, cases)
    // Cuts before the first block are streamed again, later ones fetched whole; behind the last event nothing is lost.
    const streamed = results.get('streamed after 2') ?? 0
    const whole = results.get('whole after 2') ?? 0
    const unnoticed = results.get('streamed after 1') ?? 0
    assert.ok(streamed >= 3 && whole >= 60 && unnoticed <= 1, JSON.stringify([...results]))
    assert.equal(streamed + whole + unnoticed, cases.size)
  })
}

/** The text of the first events of the stream, for every number of them that leaves the message incomplete. */
function beginnings(): string[] {
  const events = TEXT.split('\n\n').slice(0, -1)
  return events.map((_, count) =>
    events
      .slice(0, count)
      .map((event) => `${event}\n\n`)
      .join(''),
  )
}

test('stalled at every event', async (t) => {
  const cases = new Map(beginnings().map((start, count) => [`stalled after ${count}`, stalledStream(start)]))
  const results = await checkBroken(t, cases, { KEDGE_STREAM_IDLE_MS: '500' })
  assert.deepEqual(Object.fromEntries(results), { 'streamed after 2': 3, 'whole after 2': cases.size - 3 })
})

test('ended properly, but too early, at every event', async (t) => {
  const cases = new Map(beginnings().map((start, count) => [`ended after ${count}`, stream(start)]))
  const results = await checkBroken(t, cases)
  assert.deepEqual(Object.fromEntries(results), { 'streamed after 2': 3, 'whole after 2': cases.size - 3 })
})

test('every status, with and without retry-after: one end, a bounded number of requests, no key in the text', async (t) => {
  const retried = (code: number) => code === 408 || code === 409 || code === 429 || code >= 500
  const codes = Array.from({ length: 200 }, (_, i) => 400 + i)
  const names = codes.flatMap((code) => [`${code} plain`, `${code} retry-after`])
  const api = await serveCases(t, (name) => {
    const headers: Record<string, string> = name.endsWith('plain') ? {} : { 'retry-after': '1' }
    return status(Number.parseInt(name, 10), { error: { type: 'x', message: `echo ${KEY}` } }, headers)
  })
  const { client } = testClient(api.url, { env: { CLAUDE_CODE_MAX_RETRIES: '1' } })
  const wrong: string[] = []
  await inBatches(names, async (name) => {
    const { outcome } = await ask(client, { model: name })
    const expected = retried(Number.parseInt(name, 10)) ? 2 : 1
    const text = outcome.ok ? KEY : outcome.failure.text
    if (api.requests(name) !== expected || text.includes(KEY) || text === '') {
      wrong.push(`${name}: ${api.requests(name)} requests, ${JSON.stringify(outcome)}`)
    }
  })
  assert.deepEqual(wrong, [])
})

test('ten thousand events keep their order', async (t) => {
  const pieces = Array.from({ length: 10_000 }, (_, i) => `${i} `)
  const api = await startModelApi([stream(sse(eventsOf({ blocks: [{ text: pieces }] })))])
  t.after(() => api.close())
  const { events, outcome } = await ask(testClient(api.url).client, { partial: true })
  assert.deepEqual(outcome.ok && outcome.message.content, [{ type: 'text', text: pieces.join('') }])
  const raw = events.flatMap((event) => (event.type === 'events' ? event.events : []))
  const deltas = raw.flatMap((event) =>
    event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? [event.delta.text] : [],
  )
  assert.deepEqual(deltas, pieces)
})
