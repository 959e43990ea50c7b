import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { nodeClock } from '../../platform/clock.js'
import { readServerEvents } from './read-sse.js'
import { watchBody } from './stream-timeout.js'

async function* chunks(...texts: string[]): AsyncGenerator<string> {
  yield* texts
}

async function read(...texts: string[]): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const batch of readServerEvents(chunks(...texts))) all.push(...batch)
  return all
}

test('the rules of the format', async () => {
  const rows: [string, string[], unknown[]][] = [
    ['plain', ['event: a\ndata: {"a":1}\n\n'], [{ a: 1 }]],
    ['no blank after the colon', ['data:{"a":1}\n\n'], [{ a: 1 }]],
    ['CRLF', ['event: a\r\ndata: {"a":1}\r\n\r\n'], [{ a: 1 }]],
    ['CR', ['data: {"a":1}\r\r'], [{ a: 1 }]],
    ['CRLF split', ['data: {"a":1}\r', '\n\r', '\n'], [{ a: 1 }]],
    ['several data lines', ['data: {"a":\ndata: 1}\n\n'], [{ a: 1 }]],
    ['comments, ids, retries, unknown fields', [':hi\nid: 7\nretry: 5\nnew: x\ndata: {"a":1}\n\n'], [{ a: 1 }]],
    ['byte order mark', ['\uFEFFdata: {"a":1}\n\n'], [{ a: 1 }]],
    ['no data', ['event: a\n\n'], []],
    ['not JSON', ['data: {"a":\n\n'], [undefined]],
    ['no blank line at the end', ['data: {"a":1}\n'], []],
    ['no line end', ['data: {"a":1}'], []],
    ['nothing', [''], []],
  ]
  for (const [name, texts, expected] of rows) assert.deepEqual(await read(...texts), expected, name)
})

test('chunk borders do not matter', async () => {
  const stream = 'event: a\ndata: {"text":"one"}\n\n: c\r\ndata: {"text":\ndata: "two 🙂"}\r\n\r\ndata: 3\n\n'
  const expected = [{ text: 'one' }, { text: 'two 🙂' }, 3]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(stream.length), { maxLength: 12 }), async (cuts) => {
      const borders = [0, ...cuts.sort((a, b) => a - b), stream.length]
      const pieces = borders.slice(1).map((end, index) => stream.slice(borders[index], end))
      assert.deepEqual(await read(...pieces), expected)
    }),
  )
})

test('an event without end is given up', async () => {
  const megabyte = 'x'.repeat(1024 * 1024)
  let read = 0
  async function* endless() {
    yield 'data: '
    for (; read < 100; read += 1) yield megabyte
  }
  const all: unknown[] = []
  for await (const batch of readServerEvents(endless())) all.push(...batch)
  assert.deepEqual(all, [undefined])
  assert.ok(read < 40)
})

test('a slow reader is not mistaken for a silent server', async () => {
  let now = 0
  const timers = new Map<() => void, number>()
  const clock = {
    monotonic: () => now,
    after(ms: number, callback: () => void) {
      timers.set(callback, now + ms)
      return () => void timers.delete(callback)
    },
  }
  const reasons: string[] = []
  const limits = { idleMs: 20, quietMs: 20 }
  const { chunks: watched } = watchBody(chunks('a', 'b', 'c'), clock, limits, (reason) => reasons.push(reason))
  let all = ''
  for await (const chunk of watched) {
    all += chunk
    now += 1000
    for (const [callback, due] of timers) if (due <= now) callback()
  }
  assert.deepEqual([all, reasons, timers.size], ['abc', [], 0])
})

/** Unlike the real one it keeps the process alive: here nothing else does. */
function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

test('silence and lack of progress are noticed', async () => {
  const ENDLESS = 500
  const watch = async (limits: { idleMs: number; quietMs: number }, pings: number, isProgress: boolean) => {
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    let silent: string | undefined
    async function* body() {
      for (let i = 0; i < pings && silent === undefined; i += 1) {
        await nodeClock.sleep(5)
        yield 'ping'
      }
      if (pings < ENDLESS) await stopped
    }
    const watched = watchBody(body(), { ...nodeClock, after }, limits, (reason) => {
      silent = reason
      stop()
    })
    for await (const _ of watched.chunks) if (isProgress) watched.progress()
    return silent
  }
  assert.deepEqual(
    await Promise.all([
      watch({ idleMs: 60_000, quietMs: 25 }, ENDLESS, false),
      watch({ idleMs: 100, quietMs: 60_000 }, 5, true),
      watch({ idleMs: 60_000, quietMs: 100 }, 5, true),
    ]),
    ['no progress was made for 25 ms', 'nothing was received for 100 ms', 'no progress was made for 100 ms'],
  )
})
