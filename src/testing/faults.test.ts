/** Every fault a turn can ask for, as it looks on the wire. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from './server.js'
import {
  abortAfterEvents,
  callServer,
  createHelloRequest,
  parseServerSentEvents,
  streamFromServer,
} from './test-client.js'
import type { Turn } from './turn.js'

async function receive(turn: Turn) {
  await using server = await startModelServer([turn])
  const received = await streamFromServer(server)
  return { ...received, outcome: await server.requests[0]?.ended }
}

const names = (text: string) => parseServerSentEvents(text).map(({ event }) => event)

test('a status answers with the error of the API', async () => {
  for (const [status, type] of [
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [418, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [529, 'overloaded_error'],
  ] as const) {
    const answer = await receive({ status })
    const body = JSON.parse(answer.text)
    assert.deepEqual(
      [answer.status, body.type, body.error.type, typeof body.error.message, body.request_id],
      [status, 'error', type, 'string', 'req_test_1'],
    )
  }
})

test('retryAfter, headers, and another error or body', async () => {
  const limited = await receive({
    status: 429,
    retryAfter: 2,
    headers: { 'x-extra': 'yes' },
    error: { message: 'Slow' },
  })
  assert.deepEqual(
    [limited.headers['retry-after'], limited.headers['x-extra'], JSON.parse(limited.text)],
    ['2', 'yes', { type: 'error', error: { type: 'rate_limit_error', message: 'Slow' }, request_id: 'req_test_1' }],
  )
  assert.equal((await receive({ status: 500, body: { odd: true } })).text, '{"odd":true}')
  const page = await receive({ status: 502, rawBody: '<html>Bad gateway</html>', contentType: 'text/html' })
  assert.deepEqual([page.text, page.headers['content-type']], ['<html>Bad gateway</html>', 'text/html'])
  const garbage = await receive({ status: 200, rawBody: Uint8Array.of(0x68, 0x69), contentType: 'text/event-stream' })
  assert.deepEqual([garbage.status, garbage.text], [200, 'hi'])
  const odd = await receive({ text: 'Hi', contentType: 'text/plain', headers: { 'x-more': '1' } })
  assert.deepEqual([odd.headers['content-type'], odd.headers['x-more']], ['text/plain', '1'])
})

test('cutAfterEvents sends whole events, then closes', async () => {
  const whole = names((await receive('Hi')).text)
  for (let n = 0; n < whole.length; n++) {
    const cut = await receive({ text: 'Hi', cutAfterEvents: n })
    assert.deepEqual([names(cut.text), cut.broken, cut.outcome], [whole.slice(0, n), 'ECONNRESET', 'cut'])
  }
})

test('cutAtByte sends exactly so many bytes, whatever the way it ends', async () => {
  const whole = (await receive('Hi')).text
  for (const n of [0, 1, 7, 100, whole.length - 1]) {
    const closed = await receive({ text: 'Hi', cutAtByte: n })
    assert.deepEqual([closed.text, closed.broken, closed.outcome], [whole.slice(0, n), 'ECONNRESET', 'cut'])
    const clean = await receive({ text: 'Hi', cutAtByte: n, cleanEnd: true })
    assert.deepEqual([clean.text, clean.broken, clean.outcome], [whole.slice(0, n), undefined, 'complete'])
  }
  const late = await receive({ text: 'Hi', cutAtByte: whole.length })
  assert.deepEqual([late.text, late.broken], [whole, undefined])
})

test('reset breaks the connection after what was sent', async () => {
  const cut = await receive({ text: 'Hi', cutAfterEvents: 2, reset: true })
  assert.deepEqual(
    [names(cut.text), cut.broken, cut.outcome],
    [['message_start', 'content_block_start'], 'ECONNRESET', 'cut'],
  )
})

test('cuts also work on a JSON document', async () => {
  await using server = await startModelServer([
    { text: 'Hi', cutAtByte: 5 },
    { status: 500, cutAtByte: 3 },
  ])
  const answer = await callServer(`${server.url}/v1/messages`, { body: createHelloRequest() })
  assert.deepEqual([answer.text, answer.broken], ['{"id"', 'ECONNRESET'])
  const error = await callServer(`${server.url}/v1/messages`, { body: createHelloRequest() })
  assert.deepEqual([error.status, error.text, error.broken], [500, '{"t', 'ECONNRESET'])
})

test('stallAfterEvents sends so many events and then nothing', async () => {
  await using server = await startModelServer([{ text: 'Hi', stallAfterEvents: 3 }])
  const { text, broken } = await abortAfterEvents(3, server)
  assert.deepEqual(
    [names(text), broken],
    [['message_start', 'content_block_start', 'content_block_delta'], 'ABORT_ERR'],
  )
  assert.equal(await server.requests[0]?.ended, 'aborted')
})

test('noAnswer closes or resets without a byte', async () => {
  for (const noAnswer of ['close', 'reset'] as const) {
    await using server = await startModelServer([{ noAnswer }])
    await assert.rejects(streamFromServer(server), { code: 'ECONNRESET' })
    assert.equal(await server.requests[0]?.ended, 'cut')
  }
})

test('sseError puts an error event into the stream and ends it', async () => {
  const first = await receive({ text: 'Hi', sseError: { type: 'overloaded_error', message: 'Overloaded' } })
  assert.deepEqual(parseServerSentEvents(first.text).slice(1), [
    {
      event: 'error',
      data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_test_1' },
    },
  ])
  assert.deepEqual([first.status, first.broken], [200, undefined])
  const at = async (afterEvents: number) =>
    names((await receive({ text: 'Hi', sseError: { type: 'api_error', message: 'x', afterEvents } })).text)
  assert.deepEqual(await at(0), ['error'])
  assert.deepEqual(await at(3), ['message_start', 'content_block_start', 'content_block_delta', 'error'])
})

test('omitMessageStop and pings', async () => {
  const { text, broken } = await receive({ text: 'x', omitMessageStop: true, pings: 2 })
  assert.deepEqual(names(text), [
    'message_start',
    'ping',
    'ping',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
  ])
  assert.equal(broken, undefined)
})

test('raw text goes into the stream where it is asked for', async () => {
  const { text } = await receive({
    text: 'x',
    raw: [
      { afterEvents: 0, text: ': a comment\n\n' },
      { afterEvents: 1, text: 'event: future\ndata: {"type":"future"}\n\n' },
      { afterEvents: 6, text: ': the end\n' },
    ],
  })
  assert.match(text, /^: a comment\n\nevent: message_start\n/)
  assert.deepEqual(names(text).slice(0, 3), ['message_start', 'future', 'content_block_start'])
  assert.match(text, /"message_stop"\}\n\n: the end\n$/)
})

test('every line ending and data over several lines read the same', async () => {
  const plain = parseServerSentEvents((await receive('Hi')).text)
  for (const newline of ['\n', '\r\n', '\r'] as const) {
    for (const multilineData of [false, true]) {
      const { text } = await receive({ text: 'Hi', newline, multilineData })
      assert.equal(/\r/.test(text), newline !== '\n')
      assert.equal(/data: \{\r?\n?data: /.test(text), multilineData)
      // A lone CR at the very end could be half of a CRLF: this parser waits for the byte after it.
      assert.deepEqual(parseServerSentEvents(newline === '\r' ? `${text}\n` : text), plain)
    }
  }
})

test('dripBytes splits the stream at every byte boundary, also inside characters', async () => {
  const answer = { text: 'Grüße 😀', chunk: 99 }
  const whole = Buffer.from((await receive(answer)).text)
  for (const size of [1, 2, 3, 5, 7, 64, whole.length - 1, whole.length]) {
    const { text, sizes } = await receive({ ...answer, dripBytes: { size } })
    assert.equal(text, whole.toString())
    const last = whole.length % size
    assert.deepEqual(sizes, [...Array(Math.floor(whole.length / size)).fill(size), ...(last ? [last] : [])])
  }
})

test('gapMs and dripBytes deliver everything', async () => {
  const whole = (await receive('Hi')).text
  assert.equal((await receive({ text: 'Hi', gapMs: 2 })).text, whole)
  assert.equal((await receive({ text: 'Hi', dripBytes: { size: 100, everyMs: 1 } })).text, whole)
})
