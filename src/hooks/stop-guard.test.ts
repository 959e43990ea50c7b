import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createStopLoopGuard } from './stop-guard.js'

const BLOCK = { block: 'The tests fail.' }

function start() {
  const told: string[] = []
  const guard = createStopLoopGuard((text) => told.push(text))
  /** A turn that is blocked so many times; how many of them went through. */
  const blocks = (times: number, { works = false, first = true } = {}) => {
    let through = 0
    for (let n = 0; n < times; n += 1) {
      if (guard.check(BLOCK, n > 0 || !first).block !== undefined) through += 1
      if (works) guard.working()
    }
    return through
  }
  return { guard, told, blocks }
}

describe('the stop guard', () => {
  test('lets everything through that is no block, however often', () => {
    const { guard, told } = start()
    const verdict = { reason: 'enough' } as never
    for (let n = 0; n < 1000; n += 1) assert.equal(guard.check(verdict, true), verdict)
    assert.deepEqual(told, [])
  })

  test('a block is passed on as it is', () => {
    const { guard } = start()
    assert.equal(guard.check(BLOCK, false), BLOCK)
  })

  test('20 blocks in a row without a tool call, not one more', () => {
    const { told, blocks } = start()
    assert.equal(blocks(20), 20)
    assert.deepEqual(told, [])
    assert.equal(blocks(1, { first: false }), 0)
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /20 times without a tool call/)
    assert.match(told[0] ?? '', /stop_hook_active/)
  })

  test('what else the verdict says stays', () => {
    const { guard, blocks } = start()
    blocks(20)
    const verdict = { ...BLOCK, context: ['a', 'b'] } as never
    assert.deepEqual(guard.check(verdict, true), { context: ['a', 'b'] })
  })

  test('a tool call in between starts the count of idle ones again', () => {
    const { guard, told, blocks } = start()
    blocks(20)
    guard.working()
    assert.equal(blocks(20, { first: false }), 20)
    assert.deepEqual(told, [])
    assert.equal(blocks(1, { first: false }), 0)
  })

  test('500 blocks of one turn, whatever the model does', () => {
    const { told, blocks } = start()
    assert.equal(blocks(510, { works: true }), 500)
    assert.equal(told.length, 10)
    assert.match(told[0] ?? '', /500 times\. The turn ends here/)
    assert.doesNotMatch(told[0] ?? '', /tool call/)
  })

  test('the next turn starts with nothing against it', () => {
    const { told, blocks } = start()
    assert.equal(blocks(25), 20)
    assert.equal(blocks(20), 20)
    assert.equal(blocks(600, { works: true }), 500)
    assert.equal(blocks(500, { works: true }), 500)
    assert.equal(told.length, 5 + 100)
  })

  test('a turn that ends by itself leaves the count to the next one, which resets it', () => {
    const { guard, blocks } = start()
    blocks(15)
    assert.deepEqual(guard.check({}, true), {})
    assert.equal(blocks(20), 20)
  })
})
