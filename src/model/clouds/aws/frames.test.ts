import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOf } from '../../../../test/support/model-api.js'
import { chunkFrame, frame } from '../../../../test/support/providers/messages-family.js'
import { readAwsEventFrames } from './frames.js'

const EVENTS = eventsOf({
  blocks: [{ text: ['Grüße', ' 🌍', ' done'] }, { tool: 'Read', id: 'toolu_1', json: ['{"a"', ':1}'] }],
})
const BYTES = Buffer.concat(EVENTS.map((event) => chunkFrame(event)))

async function read(...chunks: Buffer[]): Promise<unknown[]> {
  async function* texts() {
    for (const chunk of chunks) yield chunk.toString('latin1')
  }
  const all: unknown[] = []
  for await (const batch of readAwsEventFrames(texts())) all.push(...batch)
  return all
}

test('cut at every byte into two, and into single bytes, the events are the same', async () => {
  assert.deepEqual(await read(BYTES), EVENTS)
  const few = BYTES.subarray(
    0,
    EVENTS.slice(0, 3).reduce((sum, event) => sum + chunkFrame(event).length, 0),
  )
  for (let at = 1; at < few.length; at += 1)
    assert.equal((await read(few.subarray(0, at), few.subarray(at))).length, 3, `cut at ${at}`)
  assert.deepEqual(await read(...Array.from(BYTES, (_, at) => BYTES.subarray(at, at + 1))), EVENTS)
})

test('an end at any byte loses what is not whole, and nothing is made up', async () => {
  const lengths = EVENTS.map((event) => chunkFrame(event).length)
  for (let at = 0; at < BYTES.length; at += 7) {
    let [whole, sum] = [0, 0]
    for (const length of lengths) {
      sum += length
      if (sum <= at) whole += 1
    }
    assert.deepEqual(await read(BYTES.subarray(0, at)), EVENTS.slice(0, whole), `end at ${at}`)
  }
})

test('a byte that changed on the way is noticed wherever it is: both checksums count', async () => {
  const one = chunkFrame(EVENTS[2] ?? {})
  const [before, after] = [chunkFrame(EVENTS[0] ?? {}), chunkFrame(EVENTS[1] ?? {})]
  for (let at = 0; at < one.length; at += 1) {
    const changed = Buffer.from(one)
    changed[at] = (changed[at] ?? 0) ^ 0x41
    assert.deepEqual(await read(Buffer.concat([before, changed, after])), [EVENTS[0], undefined], `byte ${at}`)
  }
})

test('a frame that is longer than any event, or shorter than a frame, is refused before it is waited for', async () => {
  const start = chunkFrame(EVENTS[0] ?? {})
  for (const total of [0xffff_ffff, 33 * 1024 * 1024, 15, 0]) {
    const bad = Buffer.alloc(16)
    bad.writeUInt32BE(total, 0)
    bad.writeUInt32BE(crc(bad.subarray(0, 8)), 8)
    assert.deepEqual(await read(Buffer.concat([start, bad])), [EVENTS[0], undefined], String(total))
  }
})

test('exceptions and errors become the errors of the Messages API; what is unknown is passed over', async () => {
  const exception = (name: string) =>
    frame({ ':message-type': 'exception', ':exception-type': name }, { message: 'why' })
  const typeOf = async (bytes: Buffer) => {
    const [event] = (await read(bytes)) as { error: { type: string; message: string } }[]
    return event?.error.type
  }
  assert.equal(await typeOf(exception('throttlingException')), 'rate_limit_error')
  assert.equal(await typeOf(exception('serviceUnavailableException')), 'overloaded_error')
  assert.equal(await typeOf(exception('modelStreamErrorException')), 'api_error')
  assert.equal(await typeOf(exception('modelTimeoutException')), 'timeout_error')
  assert.equal(await typeOf(exception('validationException')), 'invalid_request_error')
  assert.equal(await typeOf(exception('somethingNew')), 'api_error')
  const error = frame({ ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'oh' }, {})
  assert.deepEqual(await read(error), [{ type: 'error', error: { type: 'api_error', message: 'InternalFailure: oh' } }])
  const others = [
    frame({ ':message-type': 'event', ':event-type': 'initial-response' }, {}),
    frame({ ':message-type': 'something' }, {}),
  ]
  assert.deepEqual(await read(Buffer.concat([...others, chunkFrame(EVENTS[0] ?? {})])), [EVENTS[0]])
})

test('the payload may be written otherwise; one without an event is not one', async () => {
  const headers = { ':message-type': 'event', ':event-type': 'chunk' }
  const bytes = Buffer.from(JSON.stringify(EVENTS[0])).toString('base64')
  assert.deepEqual(await read(frame(headers, { p: 'abc', bytes })), [EVENTS[0]])
  assert.deepEqual(await read(frame(headers, { p: 'abc' })), [undefined])
  assert.deepEqual(await read(frame(headers, { bytes: Buffer.from('no json').toString('base64') })), [undefined])
})

/** Bit by bit, as it is defined. */
function crc(bytes: Buffer): number {
  let value = 0xffff_ffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return ~value >>> 0
}
