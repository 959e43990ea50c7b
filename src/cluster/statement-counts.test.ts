/** What sessions of many machines ask of the database, counted: a statement more for every turn is seen here, and not in a bill. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Database, TenantDatabase } from './database/database.js'
import { createWakeUps } from './database/wake-ups.js'
import { createMemoryRunQueue, MemoryRuns } from './engine/memory-engine.js'
import type { RunPorts } from './runs/run-changes.js'
import { followLog } from './store/follow-log.js'
import { postgresLogStore } from './store/postgres-log-store.js'
import { openTestDatabase } from './test-database.js'
import { ClusterMaintenance } from './worker/maintenance.js'

const opened = openTestDatabase({ connections: 2 })
after(async () => (await opened).drop())

/** The same, with what was said: `begin` and `commit` count as well. */
function counting(database: TenantDatabase) {
  const said: string[] = []
  const counted: TenantDatabase = {
    tenant: database.tenant,
    query(text, values) {
      said.push(text)
      return database.query(text, values)
    },
    transaction: (work) =>
      database.transaction(async (tx) => {
        said.push('begin')
        tx.onCommit(() => void said.push('commit'))
        const query: typeof tx.query = (text, values) => {
          said.push(text)
          return tx.query(text, values)
        }
        return work({ ...tx, query })
      }),
  }
  return { database: counted, said: () => said.splice(0).length }
}

async function stage(make: (database: Database) => TenantDatabase) {
  const { database: all, url } = await opened
  const { database, said } = counting(make(all))
  const engine = createMemoryRunQueue(new MemoryRuns())
  const ports: RunPorts = { database, engine, wake() {}, wakeWorker() {} }
  return { ports, engine, database, said, url }
}

it('who looks after all sessions says one thing while there is nothing to do', async () => {
  const { ports, engine, said } = await stage((all) => all.asOperator())
  const caretaker = new ClusterMaintenance({ ports, engine, silentMs: 6000, newId: () => 'id', say() {} })
  // The first is thorough, as one a minute is.
  await caretaker.look()
  said()
  await caretaker.look()
  assert.equal(said(), 1)
})

it('a reader who is woken looks once for entries and once for what is under way', async () => {
  const { database, said, url } = await stage((all) => all.as('reader'))
  const wakeUps = createWakeUps(url, 600_000)
  const store = postgresLogStore({ database, holder: 'test', newId: () => 'id' })
  const at = '2026-01-01T00:00:00.000Z'
  const entry = (seq: number) => ({ session: 's', seq, at, kind: 'state', data: { title: `${seq}` } }) as const
  const writer = await store.open({ session: 's', cwd: '/' })
  await writer.append([entry(1), entry(2)])
  const stop = new AbortController()
  const reading = followLog({ database, store, wakeUps }, 's', { signal: stop.signal })
  said()
  assert.deepEqual([(await reading.next()).value, (await reading.next()).value], [entry(1), entry(2)])
  const waiting = reading.next()
  stop.abort()
  assert.equal((await waiting).value, undefined)
  assert.equal(said(), 2)
  store.close()
  await wakeUps.close()
})
