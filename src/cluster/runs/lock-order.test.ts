import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openTestDatabase } from '../test-database.js'
import { createLogEntryWriter } from './fenced-events.js'
import { lockSession } from './run-changes.js'

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
