/** What every engine does. One engine serves all cases: each has a tenant of its own, and its own handler for that. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { TenantDatabase } from '../database/database.js'
import { type RunHandler, type RunKey, type RunQueueEngine, runId } from './run-engine.js'

export type EngineUnderTest = {
  engine: RunQueueEngine
  /** Another on the same runs, as another machine would have it. */
  another(): Promise<RunQueueEngine>
  database: TenantDatabase
  close(): Promise<void>
}

const CAPACITY = 6
const PER_TENANT = 2
const WORKER = 'the worker of this test'
const LIMITS = {
  worker: WORKER,
  capacity: CAPACITY,
  queues: [
    { name: 'runs', perTenant: PER_TENANT },
    { name: 'single', perTenant: 1 },
  ],
}

/** Resolves when it is true; the test's own time limit is the only one. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((done) => setTimeout(done, 5))
}

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((done) => {
    open = done
  })
  return { open, opened }
}

export function testRunEngine(name: string, make: () => Promise<EngineUnderTest>): void {
  describe(`an engine ${name}`, { timeout: 120_000 }, () => {
    const handlers = new Map<string, RunHandler>()
    const made = make().then(async (one) => {
      await one.engine.work(async (run, signal) => handlers.get(run.tenant)?.(run, signal), LIMITS)
      return one
    })
    after(async () => (await made).close())
    let tenants = 0

    /** A tenant whose runs do this; `started` grows. */
    const stage = async (work: RunHandler = async () => undefined) => {
      const { engine, database, another } = await made
      const tenant = `tenant-${tenants++}`
      const started: number[] = []
      const ended: number[] = []
      let [now, most] = [0, 0]
      handlers.set(tenant, async (run, signal) => {
        started.push(run.run)
        now += 1
        most = Math.max(most, now)
        try {
          await work(run, signal)
        } finally {
          now -= 1
          ended.push(run.run)
        }
      })
      const key = (run: number, session = 's'): RunKey => ({ tenant, session, run })
      const enqueue = (runs: readonly number[], { queue = 'runs', priority = 0, delayMs = 0, by = engine } = {}) =>
        database.transaction(async (tx) => {
          for (const run of runs) await by.enqueue(tx, key(run), { queue, priority, delayMs })
        })
      return { engine, another, database, tenant, key, enqueue, started, ended, most: () => most }
    }

    it('gives a run to the handler, once, whatever its session is called', async () => {
      const seen: RunKey[] = []
      const { database, engine, tenant } = await stage(async (run) => void seen.push(run))
      const keys = ['11111111-2222-4333-8444-555555555555', 'a/b:c', 'ä ☃ "\\', `x'; --`].map((session, n) => ({
        tenant,
        session,
        run: n + 1,
      }))
      for (const key of keys) await database.transaction((tx) => engine.enqueue(tx, key, { queue: 'runs' }))
      await until(() => seen.length >= keys.length)
      assert.deepEqual(
        seen.sort((a, b) => a.run - b.run),
        keys,
      )
    })

    it('counts a run with its transaction, and not when that is undone', async () => {
      const { database, engine, key, enqueue, started } = await stage()
      const undone = database.transaction(async (tx) => {
        await engine.enqueue(tx, key(1), { queue: 'runs' })
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      const held = gate()
      const slow = database.transaction(async (tx) => {
        await engine.enqueue(tx, key(2), { queue: 'runs' })
        await held.opened
      })
      await enqueue([3])
      await until(() => started.length >= 1)
      assert.deepEqual(started, [3])
      held.open()
      await slow
      await until(() => started.length >= 2)
      assert.deepEqual([started, (await engine.knows([key(1)])).size], [[3, 2], 0])
    })

    it('takes the same run twice as one, also after it has ended', async () => {
      const { enqueue, started, ended } = await stage()
      await enqueue([1, 1])
      await enqueue([1])
      await until(() => ended.length >= 1)
      await enqueue([1])
      await enqueue([2])
      await until(() => ended.length >= 2)
      assert.deepEqual(started, [1, 2])
    })

    it('gives runs of a tenant in the order they came, sooner ones by priority', async () => {
      const held = gate()
      const { enqueue, started, ended } = await stage(async ({ run }) => (run === 1 ? held.opened : undefined))
      await enqueue([1], { queue: 'single' })
      await until(() => started.length >= 1)
      for (const run of [2, 3]) await enqueue([run], { queue: 'single', priority: 5 })
      await enqueue([4], { queue: 'single', priority: 1 })
      held.open()
      await until(() => ended.length >= 4)
      assert.deepEqual(started, [1, 4, 2, 3])
    })

    it('never runs more of a tenant at a time than it may, and lets others pass', async () => {
      const held = gate()
      const busy = await stage(() => held.opened)
      const other = await stage()
      await busy.enqueue([1, 2, 3, 4, 5])
      await until(() => busy.started.length >= PER_TENANT)
      await other.enqueue([1, 2, 3])
      await until(() => other.ended.length >= 3)
      assert.equal(busy.started.length, PER_TENANT)
      held.open()
      await until(() => busy.ended.length >= 5)
      assert.deepEqual([busy.most(), other.most() <= PER_TENANT], [PER_TENANT, true])
    })

    it('never runs more at a time than the worker can hold', async () => {
      const held = gate()
      const stages = await Promise.all(Array.from({ length: 5 }, () => stage(() => held.opened)))
      for (const { enqueue } of stages) await enqueue([1, 2])
      const total = () => stages.reduce((sum, { started }) => sum + started.length, 0)
      await until(() => total() === CAPACITY)
      const { engine } = await made
      assert.equal((await engine.runsOf([WORKER])).length, CAPACITY)
      held.open()
      await until(() => stages.every(({ ended }) => ended.length === 2))
    })

    it('goes on after a run that failed, and does not repeat it', async () => {
      const { enqueue, started, ended, engine, key } = await stage(async ({ run }) => {
        if (run === 1) throw new Error('failed')
      })
      await enqueue([1, 2], { queue: 'single' })
      await until(() => ended.length >= 2)
      assert.deepEqual(started, [1, 2])
      await until(async () => (await engine.knows([key(1), key(2)])).size === 0)
    })

    it('hands out a delayed run when its time has come, and others before; it is known meanwhile', async () => {
      const { enqueue, started, ended, engine, key } = await stage()
      // Long enough for a busy machine to run the others meanwhile.
      await enqueue([1], { queue: 'single', delayMs: 5000 })
      await enqueue([2], { queue: 'single', delayMs: 3_600_000 })
      assert.deepEqual([...(await engine.knows([key(1), key(2)]))].sort(), [runId(key(1)), runId(key(2))])
      await enqueue([3, 4], { queue: 'single' })
      await until(() => ended.length >= 3)
      await engine.cancel(key(2))
      assert.deepEqual([started, (await engine.knows([key(2)])).size], [[3, 4, 1], 0])
    })

    it('does not begin what was canceled while it waited', async () => {
      const held = gate()
      const { enqueue, started, ended, engine, key } = await stage(async ({ run }) =>
        run === 1 ? held.opened : undefined,
      )
      await enqueue([1, 2, 3], { queue: 'single' })
      await until(() => started.length >= 1)
      await engine.cancel(key(2))
      held.open()
      await until(() => ended.length >= 2)
      assert.deepEqual(started, [1, 3])
    })

    it('says so to a run that is canceled, also from elsewhere, and gives its place to another at once', async () => {
      const held = gate()
      const signals: AbortSignal[] = []
      const { enqueue, started, engine, another, key } = await stage(async (_, signal) => {
        signals.push(signal)
        await held.opened
      })
      await enqueue([1, 2, 3], { queue: 'single' })
      await until(() => started.length >= 1)
      await engine.cancel(key(1))
      await until(() => started.length === 2 && signals[0]?.aborted === true)
      const elsewhere = await another()
      await elsewhere.cancel(key(2))
      await until(() => started.length === 3 && signals[1]?.aborted === true)
      assert.deepEqual([started, signals[2]?.aborted], [[1, 2, 3], false])
      held.open()
      await elsewhere.stop(0)
    })

    it('minds no canceling of what it does not know, or what has ended', async () => {
      const { enqueue, ended, engine, key } = await stage()
      await engine.cancel(key(77))
      await enqueue([1])
      await until(() => ended.length >= 1)
      await engine.cancel(key(1))
      await enqueue([2])
      await until(() => ended.length >= 2)
    })

    it('knows what waits and what runs, and with whom', async () => {
      const held = gate()
      const { enqueue, started, ended, engine, key, tenant } = await stage(() => held.opened)
      const own = async (worker: string) =>
        (await engine.runsOf([worker, 'nobody'])).filter((run) => run.tenant === tenant)
      await enqueue([1, 2], { queue: 'single' })
      await until(() => started.length >= 1)
      assert.deepEqual([await own(WORKER), await own('another'), await engine.runsOf([])], [[key(1)], [], []])
      const asked = [key(1), key(2), key(3)]
      assert.deepEqual([...(await engine.knows(asked))].sort(), [runId(key(1)), runId(key(2))])
      await engine.cancel(key(2))
      assert.deepEqual([...(await engine.knows(asked))], [runId(key(1))])
      held.open()
      await until(() => ended.length >= 1)
      await until(async () => (await engine.knows(asked)).size === 0)
      assert.deepEqual(await own(WORKER), [])
    })

    it('takes runs from any machine', async () => {
      const { enqueue, ended, another } = await stage()
      const elsewhere = await another()
      await enqueue([1], { by: elsewhere })
      await until(() => ended.length >= 1)
      await elsewhere.stop(0)
    })

    it('forgets what has ended, and nothing else', async () => {
      const held = gate()
      const { enqueue, started, ended, engine, key } = await stage(async ({ run }) =>
        run === 2 ? held.opened : undefined,
      )
      await enqueue([1, 2, 3], { queue: 'single' })
      await until(() => started.length >= 2)
      await until(async () => (await engine.knows([key(1)])).size === 0)
      assert.equal(await engine.forget(new Date(Date.now() - 3_600_000)), 0)
      assert.ok((await engine.forget(new Date(Date.now() + 3_600_000))) >= 1)
      assert.equal((await engine.knows([key(2), key(3)])).size, 2)
      held.open()
      await until(() => ended.length >= 3)
    })

    it('refuses a worker with the name of another', async () => {
      const { another } = await stage()
      const second = await another()
      await assert.rejects(
        second.work(async () => undefined, LIMITS),
        { code: 'invalid_option', message: /been there before/ },
      )
      await second.stop(0)
    })

    it('counts a run of a transaction whose connection was cut not at all', async () => {
      const { database, engine, key, enqueue, ended } = await stage()
      const cut = database.transaction(async (tx) => {
        await engine.enqueue(tx, key(1), { queue: 'runs' })
        await tx.query('select pg_terminate_backend(pg_backend_pid())')
      })
      await assert.rejects(cut)
      await enqueue([2])
      await until(() => ended.length >= 1)
      assert.deepEqual([ended, (await engine.knows([key(1)])).size], [[2], 0])
    })

    it('takes a run that was undone when it is made again', async () => {
      const { database, engine, key, enqueue, ended } = await stage()
      const undone = database.transaction(async (tx) => {
        await engine.enqueue(tx, key(1), { queue: 'single', priority: 9 })
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      await enqueue([1])
      await until(() => ended.length >= 1)
    })

    it('takes the same run of two transactions at once as one', async () => {
      const held = gate()
      const { database, engine, key, enqueue, started, ended } = await stage()
      const first = database.transaction(async (tx) => {
        await engine.enqueue(tx, key(1), { queue: 'runs' })
        await held.opened
      })
      const second = enqueue([1])
      held.open()
      await Promise.all([first, second])
      await enqueue([2], { queue: 'single' })
      await until(() => ended.length >= 2)
      assert.deepEqual([...started].sort(), [1, 2])
    })

    it('minds no canceling of a run that does not count yet', async () => {
      const { database, engine, key, ended } = await stage()
      await database.transaction(async (tx) => {
        await engine.enqueue(tx, key(1), { queue: 'runs' })
        await engine.cancel(key(1))
      })
      await until(() => ended.length >= 1)
    })

    it('takes what a run makes necessary, in its own transaction', async () => {
      const { database, engine } = await made
      const one = await stage(async (run) => {
        const next = { ...run, run: run.run + 1 }
        if (run.run < 3) await database.transaction((tx) => engine.enqueue(tx, next, { queue: 'single' }))
      })
      await one.enqueue([1], { queue: 'single' })
      await until(() => one.ended.length >= 3)
      assert.deepEqual(one.started, [1, 2, 3])
    })

    it('has limits for each queue by itself', async () => {
      const held = gate()
      const { enqueue, started, ended } = await stage(async ({ run }) => (run < 3 ? held.opened : undefined))
      await enqueue([1, 2], { queue: 'single' })
      await until(() => started.length >= 1)
      await enqueue([3], { queue: 'runs' })
      await until(() => ended.includes(3))
      assert.deepEqual(started, [1, 3])
      held.open()
      await until(() => ended.length >= 3)
    })

    it('keeps to the limit of a tenant through a backlog, and loses none of it', async () => {
      const { enqueue, started, ended, most } = await stage(() => new Promise((done) => setImmediate(done)))
      const all = Array.from({ length: 20 }, (_, n) => n + 1)
      for (const run of all) await enqueue([run])
      await until(() => ended.length >= all.length)
      assert.deepEqual(
        [...started].sort((a, b) => a - b),
        all,
      )
      assert.ok(most() <= PER_TENANT, `${most()} at a time`)
    })

    it('takes sooner ones of a backlog first, whenever they came', async () => {
      const held = gate()
      const { enqueue, started, ended } = await stage(async ({ run }) => (run === 1 ? held.opened : undefined))
      await enqueue([1], { queue: 'single' })
      await until(() => started.length >= 1)
      for (const [run, priority] of [
        [2, 7],
        [3, 3],
        [4, 7],
        [5, 1],
        [6, 3],
      ] as const)
        await enqueue([run], { queue: 'single', priority })
      held.open()
      await until(() => ended.length >= 6)
      assert.deepEqual(started, [1, 5, 3, 6, 2, 4])
    })

    it('keeps tenants apart whose sessions are called the same', async () => {
      const held = gate()
      const [one, two] = [await stage(() => held.opened), await stage(() => held.opened)]
      await one.enqueue([1], { queue: 'single' })
      await two.enqueue([1], { queue: 'single' })
      await until(() => one.started.length + two.started.length === 2)
      await one.engine.cancel(one.key(1))
      const known = await one.engine.knows([one.key(1), two.key(1)])
      assert.deepEqual([...known], [runId(two.key(1))])
      held.open()
      await until(() => one.ended.length + two.ended.length === 2)
    })

    it('gives the place of a canceled run once, however late that run ends', async () => {
      const [first, second] = [gate(), gate()]
      const { enqueue, started, ended, engine, key } = await stage(async ({ run }) => {
        if (run === 1) await first.opened
        if (run === 2) await second.opened
      })
      await enqueue([1, 2, 3], { queue: 'single' })
      await until(() => started.length >= 1)
      await engine.cancel(key(1))
      await until(() => started.length >= 2)
      first.open()
      await until(() => ended.length >= 1)
      // Something else goes through meanwhile: there was time for the third.
      const other = await stage()
      await other.enqueue([1], { queue: 'single' })
      await until(() => other.ended.length >= 1)
      assert.deepEqual(started, [1, 2])
      second.open()
      await until(() => ended.length >= 3)
    })

    it('takes two cancelings as one, and what was canceled does not come again', async () => {
      const held = gate()
      const { enqueue, started, ended, engine, another, key } = await stage(async ({ run }) =>
        run === 1 ? held.opened : undefined,
      )
      await enqueue([1, 2], { queue: 'single' })
      await until(() => started.length >= 1)
      const elsewhere = await another()
      await Promise.all([engine.cancel(key(2)), elsewhere.cancel(key(2)), engine.cancel(key(2))])
      await enqueue([2, 3], { queue: 'single' })
      held.open()
      await until(() => ended.length >= 2)
      assert.deepEqual(started, [1, 3])
      await elsewhere.stop(0)
    })

    it('has not with anybody what was canceled while it ran', async () => {
      const held = gate()
      const { enqueue, started, ended, engine, key, tenant } = await stage(() => held.opened)
      await enqueue([1, 2])
      await until(() => started.length >= 2)
      await engine.cancel(key(1))
      const left = (await engine.runsOf([WORKER])).filter((run) => run.tenant === tenant)
      assert.deepEqual(left, [key(2)])
      held.open()
      await until(() => ended.length >= 2)
    })

    it('ends a run by whatever was thrown, and gives its place to the next', async () => {
      const thrown = [undefined, null, 'text', { code: 'odd' }, new TypeError('odd')]
      const { enqueue, started, ended } = await stage(async ({ run }) => {
        if (run <= thrown.length) throw thrown[run - 1]
      })
      const all = Array.from({ length: thrown.length + 1 }, (_, n) => n + 1)
      await enqueue(all, { queue: 'single' })
      await until(() => ended.length >= all.length)
      assert.deepEqual(started, all)
    })

    it('knows some of very many', async () => {
      const held = gate()
      const { enqueue, started, ended, engine, key } = await stage(() => held.opened)
      await enqueue([1, 2_000], { queue: 'single' })
      await until(() => started.length >= 1)
      const asked = Array.from({ length: 2_500 }, (_, n) => key(n))
      assert.deepEqual([...(await engine.knows(asked))].sort(), [runId(key(1)), runId(key(2_000))])
      assert.equal((await engine.knows([])).size, 0)
      held.open()
      await until(() => ended.length >= 2)
    })

    it('forgets what never began, and takes a run that it has forgotten for a new one', async () => {
      const held = gate()
      const { enqueue, started, ended, engine, key } = await stage(async ({ run }) =>
        run === 1 ? held.opened : undefined,
      )
      await enqueue([1, 2], { queue: 'single' })
      await until(() => started.length >= 1)
      await engine.cancel(key(2))
      const later = new Date(Date.now() + 3_600_000)
      assert.ok((await engine.forget(later)) >= 1)
      await enqueue([2], { queue: 'single' })
      held.open()
      await until(() => ended.length >= 2)
      assert.deepEqual(started, [1, 2])
    })

    it('can be stopped twice where it only asks', async () => {
      const { another, enqueue, ended } = await stage()
      const elsewhere = await another()
      await enqueue([1], { by: elsewhere })
      await elsewhere.stop(0)
      await elsewhere.stop(0)
      await until(() => ended.length >= 1)
    })

    it('when it stops waits for what runs, for a while, and leaves what waits to others', async () => {
      const held = gate()
      const { enqueue, started, ended, engine, another, key } = await stage(() => held.opened)
      await enqueue([1, 2], { queue: 'single' })
      await until(() => started.length >= 1)
      const elsewhere = await another()
      const stopped = engine.stop(60_000)
      setTimeout(held.open, 50)
      assert.equal(await stopped, true)
      assert.deepEqual([started, ended], [[1], [1]])
      assert.deepEqual([...(await elsewhere.knows([key(1), key(2)]))], [runId(key(2))])
      await elsewhere.stop(0)
    })
  })
}
