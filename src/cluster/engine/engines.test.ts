import { createWakeUps } from '../database/wake-ups.js'
import { openTestDatabase } from '../test-database.js'
import { createDbosEngine, migrateEngine } from './dbos-engine.js'
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
  const make = () => createDbosEngine({ database, wakeUps })
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
