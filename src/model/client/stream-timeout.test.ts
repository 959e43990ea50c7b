import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { watchBody } from './stream-timeout.js'

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A body that the test feeds, and a clock that it moves. Silence makes the body throw. */
function start(limits = { idleMs: 100, quietMs: 300 }) {
  const timers = new Set<{ at: number; callback(): void }>()
  const silences: string[] = []
  const waiting: { resolve(result: IteratorResult<string>): void; reject(error: Error): void }[] = []
  const ready: IteratorResult<string>[] = []
  let now = 0
  let returned = 0
  const body: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const one = ready.shift()
        return one ? Promise.resolve(one) : new Promise((resolve, reject) => waiting.push({ resolve, reject }))
      },
      async return() {
        returned += 1
        return { done: true, value: undefined }
      },
    }),
  }
  const put = async (result: IteratorResult<string>) => {
    const reader = waiting.shift()
    if (reader) reader.resolve(result)
    else ready.push(result)
    await settle()
  }
  const clock = {
    monotonic: () => now,
    after(ms: number, callback: () => void) {
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }
  const watched = watchBody(body, clock, limits, (reason) => {
    silences.push(reason)
    waiting.shift()?.reject(new Error('silence'))
  })
  return {
    watched,
    silences,
    chunk: (value: string) => put({ done: false, value }),
    end: () => put({ done: true, value: undefined }),
    async pass(ms: number) {
      const end = now + ms
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        timers.delete(due)
        now = due.at
        due.callback()
      }
      now = end
      await settle()
    },
    timers: () => timers.size,
    returned: () => returned,
  }
}

/** Reads all; what came, and the error that ended it. */
function readAll(chunks: AsyncIterable<string>) {
  const got: string[] = []
  const done = (async () => {
    try {
      for await (const chunk of chunks) got.push(chunk)
      return 'end'
    } catch (error) {
      return (error as Error).message
    }
  })()
  return { got, done }
}

describe('a body under watch', () => {
  test('comes through, and leaves no timer', async () => {
    const body = start()
    const { got, done } = readAll(body.watched.chunks)
    await body.chunk('a')
    await body.pass(99)
    await body.chunk('b')
    await body.end()
    assert.equal(await done, 'end')
    assert.deepEqual([got, body.silences, body.timers()], [['a', 'b'], [], 0])
  })

  test('not a byte for too long, and a moment more for those that came meanwhile', async () => {
    const body = start()
    const { done } = readAll(body.watched.chunks)
    await body.pass(109)
    assert.deepEqual(body.silences, [])
    await body.pass(1)
    assert.deepEqual(body.silences, ['nothing was received for 100 ms'])
    assert.equal(await done, 'silence')
    assert.equal(body.timers(), 0)
    assert.equal(body.returned(), 1)
  })

  test('bytes that came in that moment count', async () => {
    const body = start()
    const { got } = readAll(body.watched.chunks)
    await settle()
    await body.pass(105)
    await body.chunk('late')
    await body.pass(50)
    assert.deepEqual([got, body.silences], [['late'], []])
  })

  test('signs of life without progress are not enough', async () => {
    const body = start()
    const { got, done } = readAll(body.watched.chunks)
    await settle()
    for (let n = 0; n < 5; n += 1) {
      await body.pass(60)
      await body.chunk('ping')
    }
    assert.equal(got.length, 5)
    await body.pass(10)
    assert.equal(body.silences.at(-1), 'no progress was made for 300 ms')
    assert.equal(await done, 'silence')
  })

  test('progress starts that time again', async () => {
    const body = start()
    readAll(body.watched.chunks)
    await settle()
    for (let n = 0; n < 20; n += 1) {
      await body.pass(60)
      await body.chunk('x')
      body.watched.progress()
    }
    assert.deepEqual(body.silences, [])
  })

  test('a slow reader is no silence', async () => {
    const body = start()
    const iterator = body.watched.chunks[Symbol.asyncIterator]()
    const first = iterator.next()
    await body.chunk('a')
    assert.equal((await first).value, 'a')
    await body.pass(10_000)
    await body.chunk('b')
    assert.equal((await iterator.next()).value, 'b')
    assert.deepEqual(body.silences, [])
    assert.equal(body.timers(), 0)
  })

  test('a reader that leaves closes the body', async () => {
    const body = start()
    await body.chunk('a')
    for await (const chunk of body.watched.chunks) {
      assert.equal(chunk, 'a')
      break
    }
    assert.deepEqual([body.returned(), body.timers()], [1, 0])
  })
})
