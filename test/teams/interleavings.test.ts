/** Whatever the order in which writers of a team come to do things: no message is lost, no task is claimed twice. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Scheduler } from 'fast-check'
import fc from '../fast-check.js'
import { byTier } from '../support/tier.js'
import { lockPorts, openWriter, type Ports, temporaryFolder } from './stage.js'

const RUNS = byTier({ quick: 15, all: 100, long: 2000 })

/** Every write and every pause happens when the scheduler says so. */
function scheduled(scheduler: Scheduler): Ports {
  const { files, clock } = lockPorts
  const owner = { pid: process.pid, started: 1, host: 'here', machine: 'this' }
  return {
    ...lockPorts,
    // All of them are this process; a look at the process table each time would only take long.
    owners: { own: () => owner, stateOf: () => 'running' },
    files: { ...files, replace: scheduler.scheduleFunction(files.replace) },
    // Nothing but a chance for the disk: whoever waits asks again and again.
    clock: {
      ...clock,
      sleep: scheduler.scheduleFunction(() => new Promise<void>((resolve) => setTimeout(resolve, 1))),
    },
  }
}

test('no message is lost and none comes twice', async () => {
  const plan = fc.record({
    writers: fc.integer({ min: 1, max: 3 }),
    each: fc.integer({ min: 1, max: 3 }),
    takes: fc.integer({ min: 0, max: 3 }),
  })
  const property = fc.asyncProperty(fc.scheduler(), plan, async (scheduler, { writers, each, takes }) => {
    using folder = temporaryFolder()
    const ports = scheduled(scheduler)
    const posts = Array.from({ length: writers }, (_, w) => {
      const { mail } = openWriter(folder.path, ports)
      return Array.from({ length: each }, (_, n) => mail.post('bob', { from: `w${w}`, text: `${w}:${n}` }))
    })
    const reader = openWriter(folder.path, ports)
    const taken = Array.from({ length: takes }, () => reader.mail.take('bob'))
    await scheduler.waitFor(Promise.all([...posts.flat(), ...taken]))
    const last = reader.mail.take('bob')
    await scheduler.waitFor(last)
    const read = [...(await Promise.all(taken)), await last].flat().map(({ text }) => text)
    const sent = posts.flatMap((of, w) => of.map((_, n) => `${w}:${n}`))
    assert.deepEqual([...read].sort(), sent.sort())
    // In the order each of them was written.
    for (let w = 0; w < writers; w += 1) {
      const own = read.filter((text) => text.startsWith(`${w}:`))
      assert.deepEqual(
        own,
        [...own].sort((a, b) => Number(a.split(':')[1]) - Number(b.split(':')[1])),
      )
    }
    assert.deepEqual(readdirSync(join(folder.path, 'inboxes')), ['bob.json'])
  })
  await fc.assert(property, { numRuns: RUNS })
})

test('no task is claimed twice, none starts before those it waits for, no number is given twice', async () => {
  const plan = fc.record({
    agents: fc.integer({ min: 2, max: 3 }),
    count: fc.integer({ min: 1, max: 2 }),
    chain: fc.boolean(),
  })
  const property = fc.asyncProperty(fc.scheduler(), plan, async (scheduler, { agents, count, chain }) => {
    using folder = temporaryFolder()
    const ports = scheduled(scheduler)
    const lead = openWriter(folder.path, ports).tasks.as({ name: 'team-lead', leads: true })
    const made = Array.from({ length: count }, (_, n) => lead.create({ subject: `s${n}`, description: 'd' }))
    const other = openWriter(folder.path, ports).tasks.as({ name: 'other', leads: false })
    const extra = other.create({ subject: 'extra', description: 'd' })
    await scheduler.waitFor(Promise.all([...made, extra]))
    const ids = (await Promise.all([...made, extra])).map(({ id }) => id)
    assert.deepEqual([...ids].sort(), ids.map((_, n) => String(n + 1)).sort())
    if (chain && count > 1) await scheduler.waitFor(lead.update(ids[1] ?? '', { addBlockedBy: [ids[0] ?? ''] }))

    const won: string[] = []
    const done: string[] = []
    const work = Array.from({ length: agents }, async (_, n) => {
      const tasks = openWriter(folder.path, ports).tasks.as({ name: `a${n}`, leads: false })
      for (const id of ids) {
        if (!(await tasks.update(id, { status: 'in_progress' })).ok) continue
        if (chain && id === ids[1]) assert.ok(done.includes(ids[0] ?? ''), 'started too early')
        won.push(id)
        done.push(id)
        assert.ok((await tasks.update(id, { status: 'completed' })).ok)
      }
    })
    await scheduler.waitFor(Promise.all(work))
    assert.equal(new Set(won).size, won.length, `claimed twice: ${won}`)
    const list = lead.list()
    await scheduler.waitFor(list)
    for (const { id, status, owner } of await list)
      assert.equal(status === 'completed' && owner !== undefined, won.includes(id))
  })
  await fc.assert(property, { numRuns: RUNS })
})
