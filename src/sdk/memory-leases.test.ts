import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { createMemoryLeases } from './memory-leases.js'

const key = { projectKey: 'p', sessionId: 's' }

function start() {
  let time = 0
  const leases = createMemoryLeases(() => time)
  const pass = (ms: number) => {
    time += ms
  }
  return { leases, pass }
}

describe('a lease', () => {
  it('is held by one at a time, until its time is over', async () => {
    const { leases, pass } = start()
    assert.deepEqual(await leases.acquire(key, 'ada', 100), { token: 1 })
    assert.deepEqual(await leases.acquire(key, 'ben', 100), { heldBy: 'ada' })
    pass(99)
    assert.deepEqual(await leases.acquire(key, 'ben', 100), { heldBy: 'ada' })
    pass(1)
    assert.deepEqual(await leases.acquire(key, 'ben', 100), { token: 2 })
  })

  it('lasts longer when it is renewed, by who holds it', async () => {
    const { leases, pass } = start()
    await leases.acquire(key, 'ada', 100)
    pass(90)
    assert.equal(await leases.renew(key, 1, 100), true)
    assert.equal(await leases.renew(key, 2, 100), false)
    pass(90)
    assert.deepEqual(await leases.acquire(key, 'ben', 100), { heldBy: 'ada' })
    pass(10)
    await leases.acquire(key, 'ben', 100)
    assert.equal(await leases.renew(key, 1, 1000), false, 'somebody else has it now')
  })

  it('is free at once when it is given back, by who holds it', async () => {
    const { leases } = start()
    await leases.acquire(key, 'ada', 100)
    await leases.release(key, 7)
    assert.deepEqual(await leases.acquire(key, 'ben', 100), { heldBy: 'ada' })
    await leases.release(key, 1)
    assert.deepEqual(await leases.acquire(key, 'ben', 100), { token: 2 })
    await leases.release(key, 1)
    assert.deepEqual(await leases.acquire(key, 'cyd', 100), { heldBy: 'ben' })
  })

  it('of one session says nothing of another, but holds for all that belongs to it', async () => {
    const { leases } = start()
    await leases.acquire({ ...key, subpath: 'subagents/a' }, 'ada', 100)
    assert.deepEqual(await leases.acquire(key, 'ben', 100), { heldBy: 'ada' })
    assert.deepEqual(await leases.acquire({ ...key, sessionId: 't' }, 'ben', 100), { token: 1 })
    assert.deepEqual(await leases.acquire({ ...key, projectKey: 'q' }, 'ben', 100), { token: 1 })
  })
})

describe('a token', () => {
  it('of before is no good after a later lease, and says who took over', async () => {
    const { leases, pass } = start()
    leases.check(key, 1)
    await leases.acquire(key, 'ada', 100)
    leases.check(key, 1)
    leases.check(key, undefined)
    pass(100)
    leases.check(key, 1)
    await leases.acquire(key, 'ben', 100)
    assert.throws(() => leases.check(key, 1), { code: 'session_fenced', message: 'ben has taken over session s' })
    leases.check(key, 2)
  })

  it('is never given twice, and only the last one writes, whatever happens', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('acquire' as const), ttl: fc.integer({ min: 1, max: 50 }) }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ do: fc.constant('renew' as const), token: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ do: fc.constant('release' as const), token: fc.integer({ min: 1, max: 5 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const { leases, pass } = start()
        const given: number[] = []
        for (const one of steps) {
          if (one.do === 'pass') pass(one.ms)
          else if (one.do === 'renew') await leases.renew(key, one.token, 50)
          else if (one.do === 'release') await leases.release(key, one.token)
          else {
            const answer = await leases.acquire(key, 'x', one.ttl)
            if ('token' in answer) given.push(answer.token)
          }
        }
        assert.deepEqual(
          given,
          given.map((_, i) => i + 1),
        )
        for (const token of given.slice(0, -1)) assert.throws(() => leases.check(key, token))
        const last = given.at(-1)
        if (last !== undefined) leases.check(key, last)
      }),
    )
  })
})
