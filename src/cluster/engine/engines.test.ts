import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Transaction } from '../database/database.js'
import { createWakeUpSender, createWakeUps, NOTIFY_STATEMENT } from '../database/wake-ups.js'
import { openTestDatabase } from '../test-database.js'
import { createDbosEngine, migrateEngine } from './dbos-engine.js'
import { makeQueuePollingWakeable } from './dbos-polling.js'
import { createMemoryRunQueue, MemoryRuns } from './memory-engine.js'
import type { RunKey } from './run-engine.js'
import { testRunEngine } from './test-run-engine.js'

testRunEngine('in memory', async () => {
  const shared = new MemoryRuns()
  const { database, drop } = await openTestDatabase({ connections: 4 })
  return {
    engine: createMemoryRunQueue(shared),
    another: async () => createMemoryRunQueue(shared),
    database: database.asOperator(),
    close: drop,
  }
})

testRunEngine('by DBOS', async () => {
  const { database, url, drop } = await openTestDatabase({ connections: 4 })
  await migrateEngine(database)
  const wakeUps = createWakeUps(url)
  const { call } = createWakeUpSender((payload) => database.asOperator().query(NOTIFY_STATEMENT, [payload]))
  const make = () => createDbosEngine({ database, wakeUps, call })
  return {
    engine: await make(),
    another: make,
    database: database.asOperator(),
    async close() {
      await wakeUps.close()
      await drop()
    },
  }
})

it('DBOS can be told to look for runs: without that it has to look ten times a second', async () => {
  assert.equal(typeof (await makeQueuePollingWakeable()), 'function')
})

it('a delayed run begins when its timer fires, even if the clock has not come that far', async () => {
  // The engine's own timer keeps no process alive.
  const alive = setInterval(() => undefined, 1000)
  const engine = createMemoryRunQueue(new MemoryRuns(() => 0))
  const begun = new Promise<RunKey>((done) => {
    const limits = { worker: 'w', capacity: 1, queues: [{ name: 'runs', perTenant: 1 }] }
    engine.work(async (run) => done(run), limits).catch(() => undefined)
  })
  const key = { tenant: 't', session: 's', run: 1 }
  await engine.enqueue({ onCommit: (call) => void call() } as Transaction, key, { queue: 'runs', delayMs: 5 })
  assert.deepEqual(await begun, key)
  clearInterval(alive)
})
