import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannelPair, watchChannel } from './channel.js'

test('a pair: each end reads what the other sent, the same objects, then its end', async () => {
  const [a, b] = createChannelPair<object, object>()
  const message = { n: 1 }
  void a.send(message)
  a.end()
  void a.send({ late: true })
  void b.send({ n: 2 })
  const got: object[] = []
  for await (const one of b.incoming) got.push(one)
  assert.deepEqual([got.length, got[0] === message], [1, true])
  const { value } = await a.incoming[Symbol.asyncIterator]().next()
  assert.deepEqual(value, { n: 2 })
})

test('a reader that is behind makes the sender wait', async () => {
  const [a, b] = createChannelPair<object, number>()
  const waits: unknown[] = []
  let sent = 0
  while (waits.length === 0 && sent < 5000) {
    const wait = a.send(sent++)
    if (wait) waits.push(wait)
  }
  assert.ok(sent < 5000)
  const reader = b.incoming[Symbol.asyncIterator]()
  for (let n = 0; n < sent; n++) await reader.next()
  await Promise.all(waits)
})

test('watching shows both directions and changes nothing', async () => {
  const [a, b] = createChannelPair<number, number>()
  const seen: unknown[] = []
  const watched = watchChannel(a, (direction, message) => seen.push([direction, message]))
  void watched.send(1)
  void b.send(2)
  b.end()
  for await (const message of watched.incoming) seen.push(message)
  assert.deepEqual(seen, [['→', 1], ['←', 2], 2])
})
