import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SaveFailure } from '../../engine/ports.js'
import { createStoreSaveBarrier } from './store-save-barrier.js'

function stage(isAnswered = true) {
  const asked: { answer(why?: SaveFailure): void; fail(): void }[] = []
  const saved = createStoreSaveBarrier({
    ask: () =>
      new Promise((resolve, reject) => {
        asked.push({ answer: resolve, fail: () => reject(new Error('gone')) })
      }),
    isAnswered: () => isAnswered,
  })
  return { saved, asked }
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a host that does not answer is not asked', async () => {
  const { saved, asked } = stage(false)
  assert.deepEqual([await saved(), asked.length], [undefined, 0])
})

test('whoever comes while one question is under way shares the next', async () => {
  const { saved, asked } = stage()
  const order: string[] = []
  const first = saved().then(() => order.push('first'))
  const others = ['second', 'third'].map((name) => saved().then(() => order.push(name)))
  await settle()
  assert.equal(asked.length, 1)
  asked[0]?.answer()
  await first
  await settle()
  assert.deepEqual([order, asked.length], [['first'], 2], 'what they told may have come too late for the first')
  asked[1]?.answer()
  await Promise.all(others)
  await settle()
  const last = saved()
  await settle()
  assert.deepEqual([order, asked.length], [['first', 'second', 'third'], 3])
  asked[2]?.answer('session_taken_over')
  assert.equal(await last, 'session_taken_over')
})

test('no answer is no yes', async () => {
  const { saved, asked } = stage()
  const answer = saved()
  asked[0]?.fail()
  assert.equal(await answer, 'session_store_failed')
})
