import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { createFamilySearch, endFamily, type FoundProcesses } from './process-family.js'
import { type ProcessEntry, readEntry } from './process-table.js'

const family = { mark: 'nobody', pipes: [], since: 0 }
const NOBODY: FoundProcesses = { members: [], unsure: false, missed: false }

/** Larger than any process id. */
const MAX_PID = 2 ** 23
const NO_PROCESS = { parent: 1, started: 1, isOver: false }

/** A clock that continues when it is waited for, and so much with each look. */
function machine(looks: (look: number) => FoundProcesses, msPerLook: number) {
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

test('who had a successor is looked for longer, though the next one is missed again and again', async () => {
  // As on a machine so busy that the process has ended before the first look.
  const hop = (pid: number): ProcessEntry => ({ ...NO_PROCESS, pid, group: pid, session: pid })
  const { clock, search, seen } = machine((look) => {
    if (look <= 2) return { ...NOBODY, members: [hop(MAX_PID + look)] }
    if (look < 1_000) return { ...NOBODY, missed: true }
    return look === 1_000 ? { ...NOBODY, members: [hop(MAX_PID + look)] } : NOBODY
  }, 1)
  await endFamily(family, { limitMs: 5_000, clock, search })
  assert.equal(seen.looks, 1_001)
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

test('a busy machine: strangers are looked at once, and an ended child of theirs is nobody who was missed', {
  skip: process.platform !== 'linux',
}, async () => {
  const child = spawn('sleep', ['90'], { detached: true, stdio: 'ignore' })
  try {
    const stranger = readEntry(child.pid ?? 0)
    const parent = readEntry(process.ppid)
    assert.ok(stranger && parent)
    let shown: ProcessEntry[] = []
    const asked: number[] = []
    const search = createFamilySearch({ ...family, since: stranger.started }, async (visit, inRange) => {
      for (const entry of shown) {
        if (inRange?.(entry.pid) === false) continue
        asked.push(entry.pid)
        visit(entry)
      }
      return []
    })
    // Numbers nobody has.
    const ended = (pid: number, parent: number): ProcessEntry => {
      return {
        pid: 2 ** 22 + pid,
        parent,
        group: 1,
        session: 2 ** 22 + pid,
        started: stranger.started + 1,
        isOver: true,
      }
    }
    shown = [stranger, parent, ended(1, stranger.pid)]
    assert.deepEqual(await search(), { members: [], unsure: false, missed: false })
    assert.equal(asked.length, 3)
    shown = [stranger, parent, ended(2, stranger.pid)]
    assert.equal((await search()).missed, false)
    assert.deepEqual(asked.slice(3), [2 ** 22 + 2])
    // Whose parent is one of ours, or of our ancestors, or gone, may have been a member: each says so once.
    for (const [n, whose] of [process.pid, process.ppid, 1, 2 ** 22 + 99].entries()) {
      shown = [ended(10 + n, whose)]
      assert.equal((await search()).missed, true, `child of ${whose}`)
      assert.equal((await search()).missed, false)
    }
  } finally {
    child.kill('SIGKILL')
  }
})

test('who was gone before anybody could look at it is missed, once', async () => {
  const search = createFamilySearch(family, async () => [2 ** 22])
  assert.equal((await search()).missed, true)
  assert.equal((await search()).missed, false)
})
