import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createWakeUpSender, createWakeUps, NOTIFY_STATEMENT } from '../database/wake-ups.js'
import { openTestDatabase } from '../test-database.js'
import { createDbosEngine, migrateEngine } from './dbos-engine.js'
import { replacePolling } from './dbos-polling.js'
import { createMemoryEngine, MemoryRuns } from './memory-engine.js'
import { testRunEngine } from './test-run-engine.js'

testRunEngine('in memory', async () => {
  const shared = new MemoryRuns()
  const { database, drop } = await openTestDatabase({ connections: 4 })
  return {
    engine: createMemoryEngine(shared),
    another: async () => createMemoryEngine(shared),
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
  assert.equal(typeof (await replacePolling()), 'function')
})
