import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { byTier } from '../../../test/support/tier.js'
import { openTestDatabase } from '../test-database.js'
import { createLogEntryWriter } from './fenced-log-entries.js'
import { addLogEntries, lockSession } from './run-changes.js'

it('entries of several sessions lock them in order, so that a takeover never waits in a circle', {
  timeout: 60_000,
}, async () => {
  const { database, drop } = await openTestDatabase({ connections: 4 })
  const operator = database.asOperator()
  const ids = ['b', 'a']
  await operator.query(
    `insert into kedge.sessions (tenant, id, state, epoch) select 'acme', id, 'running', 1 from unnest($1::text[]) as id`,
    [ids],
  )
  const writer = createLogEntryWriter({
    database: operator,
    newId: () => crypto.randomUUID(),
    onWritten() {},
    onFenced() {},
  })
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  let written: Promise<number[]> | undefined
  await operator.transaction(async (tx) => {
    await lockSession(tx, 'acme', 'a')
    const add = (session: string) => writer.add({ tenant: 'acme', session, epoch: 1 }, [{ kind: 'state', data: {} }])
    written = Promise.all(['b', 'a'].map(add))
    written.catch(() => undefined)
    while ((await operator.query(waiting)).length === 0) await setTimeout(10)
    await tx.query(`set local lock_timeout = '900ms'`)
    await lockSession(tx, 'acme', 'b')
  })
  assert.deepEqual(await written, [1, 1])
  await drop()
})

it('transactions of one session and the writer of several never wait in a circle', { timeout: 120_000 }, async () => {
  const { database, drop } = await openTestDatabase({ connections: 14 })
  const operator = database.asOperator()
  const ids = ['a', 'b']
  await operator.query(
    `insert into kedge.sessions (tenant, id, state, epoch) select 'acme', id, 'running', 1 from unnest($1::text[]) as id`,
    [ids],
  )
  const writers = [1, 2].map(() =>
    createLogEntryWriter({ database: operator, newId: () => crypto.randomUUID(), onWritten() {}, onFenced() {} }),
  )
  const body = () => ({ kind: 'state' as const, data: {} })
  const rounds = byTier({ quick: 60, all: 1000, long: 5000 })
  const lane = async (session: string, n: number) => {
    for (let round = 0; round < rounds; round += 1) {
      // As a reference to the session does.
      if (n > 3)
        await operator.query(`select 1 from kedge.sessions where tenant = 'acme' and id = $1 for key share`, [session])
      else if (n < 2) await writers[n]?.add({ tenant: 'acme', session, epoch: 1 }, [body()])
      else
        await operator.transaction(async (tx) => {
          await addLogEntries(tx, await lockSession(tx, 'acme', session), [body()])
        })
    }
  }
  await Promise.all(ids.flatMap((session) => [0, 1, 2, 3, 4, 5].map((n) => lane(session, n))))
  const [counted] = await operator.query<{ count: number }>('select count(*)::int as count from kedge.log_entries')
  assert.equal(counted?.count, rounds * 8)
  await drop()
})
