import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { readWebBody } from './web-body.js'

const never = new AbortController().signal

/** A response whose bytes the test writes. */
function response(headers: Record<string, string> = {}) {
  const stream = new PassThrough()
  const incoming = Object.assign(stream, { headers }) as unknown as IncomingMessage
  return { incoming, stream }
}

async function read(chunks: (string | Uint8Array)[], headers: Record<string, string> = {}, maxBytes = 1000) {
  const { incoming, stream } = response(headers)
  for (const chunk of chunks) stream.write(chunk)
  stream.end()
  const body = await readWebBody(incoming, maxBytes, never)
  return { said: body.ok ? Buffer.from(body.bytes).toString() : `${body.kind}: ${body.reason}`, stream }
}

describe('the body of a page', () => {
  test('as it is', async () => {
    assert.equal((await read(['Hello ', 'you'])).said, 'Hello you')
    assert.equal((await read(['plain'], { 'content-encoding': ' Identity ' })).said, 'plain')
    assert.equal((await read([])).said, '')
  })

  const packed: [encoding: string, pack: (text: string) => Uint8Array][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ]
  for (const [encoding, pack] of packed) {
    test(`in ${encoding}, made by ${pack.name}, in any pieces`, async () => {
      const bytes = pack('Hello you, '.repeat(20))
      const headers = { 'content-encoding': encoding }
      assert.equal((await read([bytes], headers)).said, 'Hello you, '.repeat(20))
      const pieces = [...bytes].map((byte) => Buffer.from([byte]))
      assert.equal((await read(pieces, headers)).said, 'Hello you, '.repeat(20))
    })
  }

  test('an encoding on top of another, or of a stranger, is named and not guessed', async () => {
    assert.equal((await read(['x'], { 'content-encoding': 'gzip, br' })).said, 'unknown encoding: gzip, br')
    assert.equal((await read(['x'], { 'content-encoding': 'zstd' })).said, 'unknown encoding: zstd')
    const long = await read(['x'], { 'content-encoding': 'q'.repeat(1000) })
    assert.equal(long.said.length, 'unknown encoding: '.length + 100)
  })

  test('is as long as agreed, and not a byte longer', async () => {
    assert.equal((await read(['x'.repeat(1000)])).said.length, 1000)
    assert.equal((await read(['x'.repeat(1001)])).said, 'too large: more than 1000 bytes')
    assert.equal((await read(['x'], { 'content-length': '1001' })).said, 'too large: 1001 bytes')
    assert.equal((await read(['x'], { 'content-length': 'many' })).said, 'x')
  })

  test('what is small on the wire and large unpacked stops at the limit', async () => {
    const bomb = gzipSync('x'.repeat(1_000_000))
    assert.ok(bomb.length < 2000)
    assert.equal((await read([bomb], { 'content-encoding': 'gzip' })).said, 'too large: more than 1000 bytes')
  })

  test('bytes that are not what they are called, or end too early', async () => {
    const headers = { 'content-encoding': 'gzip' }
    assert.match((await read(['not packed'], headers)).said, /^broken off: Z_/)
    assert.match((await read([gzipSync('Hello you').subarray(0, -4)], headers)).said, /^broken off: Z_BUF_ERROR/)
  })

  test('a packed body of nothing ends', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const { said } = await read([], { 'content-encoding': encoding })
      assert.match(said, /^(?:|broken off: .*)$/, encoding)
    }
  })

  test('a connection that breaks', async () => {
    const { incoming, stream } = response()
    const reading = readWebBody(incoming, 1000, never)
    stream.write('half')
    stream.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    assert.deepEqual(await reading, { ok: false, kind: 'broken off', reason: 'ECONNRESET' })
  })

  test('an abort ends it, before or in the middle, and leaves no listener', async () => {
    const before = response()
    assert.equal((await readWebBody(before.incoming, 1000, AbortSignal.abort())).ok, false)
    assert.equal(before.stream.destroyed, true)
    const { incoming, stream } = response()
    const controller = new AbortController()
    const reading = readWebBody(incoming, 1000, controller.signal)
    stream.write('half')
    controller.abort()
    assert.deepEqual(await reading, { ok: false, kind: 'aborted', reason: 'aborted' })
  })

  test('the connection is closed, however it ended', async () => {
    assert.equal((await read(['fine'])).stream.destroyed, true)
    assert.equal((await read(['x'], { 'content-length': '9999' })).stream.destroyed, true)
    assert.equal((await read(['x'], { 'content-encoding': 'zstd' })).stream.destroyed, true)
  })
})
