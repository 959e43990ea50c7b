import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { endFamily, type Found } from './process-family.js'
import { readEntry } from './process-table.js'

const family = { mark: 'nobody', pipes: [], since: 0 }
const NOBODY: Found = { members: [], unsure: false, missed: false }

/** A clock that goes on when it is waited for, and so much with each look. */
function machine(looks: (look: number) => Found, msPerLook: number) {
  const seen = { looks: 0, ms: 0 }
  const clock = {
    monotonic: () => seen.ms,
    async sleep(ms: number) {
      seen.ms += ms
    },
  }
  const search = async () => {
    seen.ms += msPerLook
    seen.looks += 1
    return looks(seen.looks)
  }
  return { seen, clock, search }
}

test('who can not be judged for many looks is still ended when it shows who it is', {
  skip: process.platform !== 'linux',
}, async () => {
  const child = spawn('sleep', ['90'], { detached: true, stdio: 'ignore' })
  const ended = once(child, 'exit')
  const entry = readEntry(child.pid ?? 0)
  assert.ok(entry)
  // A machine so busy that it was in the middle of its exec for a third of a second.
  const { clock, search, seen } = machine((look) => {
    if (look < 60) return { ...NOBODY, unsure: true }
    return look === 60 ? { ...NOBODY, members: [entry] } : NOBODY
  }, 1)
  try {
    await endFamily(family, { limitMs: 2_000, clock, search })
    assert.equal(seen.looks, 61)
    assert.equal((await ended)[1], 'SIGKILL')
  } finally {
    child.kill('SIGKILL')
  }
})

test('strangers who can never be judged are not waited for much longer', async () => {
  for (const doubt of [{ unsure: true }, { missed: true }]) {
    const { clock, search, seen } = machine(() => ({ ...NOBODY, ...doubt }), 1)
    await endFamily(family, { limitMs: 2_000, clock, search })
    assert.ok(seen.looks > 20 && seen.ms >= 500 && seen.ms < 600, JSON.stringify(seen))
  }
  // Where each look takes long, there are as many of them.
  const { clock, search, seen } = machine(() => ({ ...NOBODY, missed: true }), 80)
  await endFamily(family, { limitMs: 10_000, clock, search })
  assert.equal(seen.looks, 21)
})

test('who keeps starting others is chased for longer than the limit, but not for ever; who is stuck is not', {
  skip: process.platform !== 'linux',
}, async () => {
  // Numbers nobody has, as those have who are gone when the signal comes.
  const entry = (pid: number) => ({ pid, parent: 1, group: pid, session: pid, started: 1, isOver: false })
  const first = 2 ** 22
  const fled = machine((look) => (look <= 300 ? { ...NOBODY, members: [entry(first + look)] } : NOBODY), 10)
  await endFamily(family, { limitMs: 2_000, ...fled })
  assert.equal(fled.seen.looks, 301)
  const endless = machine((look) => ({ ...NOBODY, members: [entry(first + look)] }), 10)
  await endFamily(family, { limitMs: 2_000, ...endless })
  assert.ok(endless.seen.ms >= 10_000 && endless.seen.ms < 10_100, JSON.stringify(endless.seen))
  const stuck = machine(() => ({ ...NOBODY, members: [entry(first)] }), 10)
  await endFamily(family, { limitMs: 2_000, ...stuck })
  assert.ok(stuck.seen.ms < 2_100, JSON.stringify(stuck.seen))
})

test('nobody, and no doubt: one look', async () => {
  const { clock, search, seen } = machine(() => NOBODY, 1)
  await endFamily(family, { limitMs: 2_000, clock, search })
  assert.equal(seen.looks, 1)
})
