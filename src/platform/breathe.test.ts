import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breathe } from './breathe.js'

/** Longer than pieces of work may follow each other. */
function work(): void {
  const end = performance.now() + 10
  while (performance.now() < end);
}

test('pieces of work that take long leave the loop a round between them, in their order', async () => {
  const done: string[] = []
  const piece = async (name: string) => {
    await breathe()
    done.push(name)
    work()
  }
  let rounds = 0
  let isOver = false
  const count = () => {
    rounds += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(piece))
  isOver = true
  assert.deepEqual(done, ['a', 'b', 'c', 'd', 'e'])
  assert.ok(rounds >= 3, `${rounds} rounds`)
})

test('a piece by itself goes on at once', async () => {
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(breathe(), undefined)
})
