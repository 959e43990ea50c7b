import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createDrainWaiter } from './drain.js'

test('all who ask wait for the same drain, with one listener, and later ones for the next', async () => {
  const stream = new EventEmitter()
  const drained = createDrainWaiter()
  const first = drained(stream)
  assert.equal(drained(stream), first)
  assert.equal(stream.listenerCount('drain'), 1)
  stream.emit('drain')
  await first
  assert.deepEqual([stream.listenerCount('drain'), stream.listenerCount('close')], [0, 0])
  const second = drained(stream)
  assert.notEqual(second, first)
  stream.emit('drain')
  await second
})

test('a stream that is gone lets go who waits for it', async () => {
  const stream = new EventEmitter()
  const waiting = createDrainWaiter()(stream)
  stream.emit('close')
  await waiting
  assert.equal(stream.listenerCount('drain'), 0)
})
