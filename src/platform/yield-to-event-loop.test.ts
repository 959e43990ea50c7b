import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextEventLoopTurn, yieldToEventLoopIfDue } from './yield-to-event-loop.js'

/** Longer than pieces of work may follow each other. */
function work(): void {
  const end = performance.now() + 10
  while (performance.now() < end);
}

/** Runs the pieces; says in which order they were done, and how many rounds the loop made meanwhile. */
async function rounds(pieces: Promise<string>[]): Promise<{ done: string[]; rounds: number }> {
  const done: string[] = []
  let count = 0
  let isOver = false
  const look = () => {
    count += 1
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await Promise.all(
    pieces.map(async (piece) => {
      done.push(await piece)
      work()
    }),
  )
  isOver = true
  return { done, rounds: count }
}

test('of many that begin at the same moment one goes on per round of the loop, in their order', async () => {
  const pieces = ['a', 'b', 'c', 'd', 'e'].map((name) => nextEventLoopTurn().then(() => name))
  const { done, rounds: count } = await rounds(pieces)
  assert.deepEqual(done, ['a', 'b', 'c', 'd', 'e'])
  assert.ok(count >= 4, `${count} rounds`)
})

test('of many that are called in one round those wait who come when its time is up', async () => {
  const piece = (name: string) =>
    new Promise<string>((resolve) => {
      setImmediate(async () => {
        const turn = yieldToEventLoopIfDue()
        if (turn) await turn
        resolve(name)
      })
    })
  const { done, rounds: count } = await rounds(['a', 'b', 'c', 'd', 'e'].map(piece))
  assert.deepEqual(done, ['a', 'b', 'c', 'd', 'e'])
  assert.ok(count >= 4, `${count} rounds`)
})

test('who is alone goes on at once', async () => {
  await nextEventLoopTurn()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(yieldToEventLoopIfDue(), undefined)
})
