import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { createAsyncQueue } from './queue.js'

test('keeps order and loses nothing, whatever the interleaving of pushes and reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 200 }), async (plan) => {
      const queue = createAsyncQueue<number>()
      const iterator = queue[Symbol.asyncIterator]()
      const reads: Promise<IteratorResult<number>>[] = []
      let pushed = 0
      for (const push of plan) {
        if (push) void queue.push(pushed++)
        else if (reads.length <= pushed) reads.push(iterator.next())
        if (reads.length > pushed) void queue.push(pushed++)
      }
      queue.end()
      const got = (await Promise.all(reads)).map(({ value }) => value)
      for await (const rest of queue) got.push(rest)
      assert.deepEqual(
        got,
        Array.from({ length: pushed }, (_, i) => i),
      )
    }),
  )
})

test('makes the producer wait above the mark, and lets it go when half is read', async () => {
  const queue = createAsyncQueue<number>(2)
  assert.equal(queue.push(1), undefined)
  assert.equal(queue.push(2), undefined)
  let released = false
  const waiting = Promise.resolve(queue.push(3)).then(() => {
    released = true
  })
  const iterator = queue[Symbol.asyncIterator]()
  await iterator.next()
  await Promise.resolve()
  assert.equal(released, false)
  await iterator.next()
  await waiting
  assert.equal(released, true)
})

test('an error comes after what was queued, once', async () => {
  const queue = createAsyncQueue<number>()
  void queue.push(1)
  queue.end(new Error('broken'))
  queue.end(new Error('second end is ignored'))
  void queue.push(2)
  const iterator = queue[Symbol.asyncIterator]()
  assert.deepEqual(await iterator.next(), { value: 1, done: false })
  await assert.rejects(iterator.next(), /broken/)
  assert.deepEqual(await iterator.next(), { value: undefined, done: true })
})
