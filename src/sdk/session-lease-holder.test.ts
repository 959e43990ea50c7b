import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionKey, SessionLeases, SessionStore } from '../protocol/stored-sessions.js'
import { InMemorySessionStore } from './memory-store.js'
import { createSessionLeaseHolder, type SessionLeaseHolder } from './session-lease-holder.js'

const key = { projectKey: 'p', sessionId: 's' }
const storeWith = (leases?: SessionLeases): SessionStore => ({
  append: async () => {},
  load: async () => null,
  ...(leases ? { leases } : {}),
})
/** Leases that remember what was asked of them. */
function noting(answer: (attempt: number) => { token: number } | { heldBy: string }) {
  const log: [string, SessionKey, unknown][] = []
  let attempts = 0
  const leases: SessionLeases = {
    async acquire(place, holder, ttl) {
      attempts += 1
      log.push(['acquire', place, ttl])
      assert.match(holder, new RegExp(`^process ${process.pid} on .`))
      return answer(attempts)
    },
    renew: async () => true,
    async release(place, token) {
      log.push(['release', place, token])
    },
  }
  return { leases, log, attempts: () => attempts }
}

/** Its own timer keeps no process alive. */
async function untilLost(lease: SessionLeaseHolder): Promise<void> {
  const alive = setInterval(() => {}, 1000)
  await new Promise<void>((resolve) => {
    lease.onLost(resolve)
    void lease.take(key)
  })
  clearInterval(alive)
}

describe('the lease of a query', () => {
  it('is not needed where a store has none', async () => {
    const lease = createSessionLeaseHolder(storeWith())
    assert.equal(await lease.take(key), undefined)
    await lease.release()
  })

  it('is asked for once for a session and all that belongs to it', async () => {
    const { leases, log } = noting((attempt) => ({ token: attempt }))
    const lease = createSessionLeaseHolder(storeWith(leases))
    const tokens = await Promise.all([lease.take(key), lease.take({ ...key, subpath: 'subagents/a' }), lease.take(key)])
    assert.deepEqual(tokens, [1, 1, 1])
    assert.equal(await lease.take({ ...key, sessionId: 't' }), 2)
    assert.deepEqual(log, [
      ['acquire', key, 30_000],
      ['acquire', { ...key, sessionId: 't' }, 30_000],
    ])
    await lease.release()
  })

  it('is given back for every session, also where one can not be', async () => {
    const { leases, log } = noting((attempt) => ({ token: attempt }))
    const failing: SessionLeases = {
      ...leases,
      async release(place, token) {
        await leases.release(place, token)
        if (token === 1) throw new Error('down')
      },
    }
    const lease = createSessionLeaseHolder(storeWith(failing))
    await lease.take(key)
    await lease.take({ ...key, sessionId: 't' })
    log.length = 0
    await lease.release()
    assert.deepEqual(log, [
      ['release', key, 1],
      ['release', { ...key, sessionId: 't' }, 2],
    ])
    await lease.release()
    assert.equal(log.length, 2, 'once')
  })

  it('is waited for while somebody tidies up', async () => {
    const { leases, attempts } = noting((attempt) => (attempt < 3 ? { heldBy: 'ben' } : { token: 7 }))
    const lease = createSessionLeaseHolder(storeWith(leases))
    assert.equal(await lease.take(key), 7)
    assert.equal(attempts(), 3)
    await lease.release()
  })

  it('that a store can not give is asked for again the next time', async () => {
    let isDown = true
    const { leases } = noting(() => {
      if (isDown) throw new Error('down')
      return { token: 1 }
    })
    const lease = createSessionLeaseHolder(storeWith(leases))
    await assert.rejects(lease.take(key), { message: 'down' })
    isDown = false
    assert.equal(await lease.take(key), 1)
    await lease.release()
  })

  it('of one query makes room for the next', async () => {
    const store = new InMemorySessionStore()
    const first = createSessionLeaseHolder(store)
    assert.equal(await first.take(key), 1)
    await first.release()
    const second = createSessionLeaseHolder(store)
    assert.equal(await second.take(key), 2)
    await assert.rejects(store.append(key, [], 1), { code: 'session_fenced' })
    await second.release()
  })

  it('tells, once, when it is somebody else’s, and asks for no more', async () => {
    let renewed = 0
    const { leases } = noting(() => ({ token: 1 }))
    const lost = { ...leases, ttlMs: 15, renew: async () => ++renewed < 3 }
    const lease = createSessionLeaseHolder(storeWith(lost))
    await untilLost(lease)
    assert.equal(renewed, 3)
    await lease.release()
  })

  it('that can not be renewed is lost when others may have it, and not before', async () => {
    const { leases, log } = noting(() => ({ token: 1 }))
    const down = { ...leases, ttlMs: 60, renew: () => Promise.reject(new Error('down')) }
    const lease = createSessionLeaseHolder(storeWith(down))
    const began = performance.now()
    await untilLost(lease)
    assert.ok(performance.now() - began >= 60)
    assert.deepEqual(log, [['acquire', key, 60]])
    await lease.release()
  })
})
