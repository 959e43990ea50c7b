import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Transaction } from '../database/database.js'
import { createWakeUps } from '../database/wake-ups.js'
import { addLogEntries, lockSession } from '../runs/run-changes.js'
import { openTestDatabase } from '../test-database.js'
import { ClusterFeed, FEED_ADVISORY_LOCK_KEY, SELECT_NEW_ENTRY_RANGES_SQL } from './cluster-feed.js'

it('finds the sessions with news without a look at those that did not change lately', async () => {
  const { database, drop } = await openTestDatabase({ connections: 2 })
  const operator = database.asOperator()
  await operator.query(`insert into kedge.sessions (tenant, id, event_seq, updated)
    select 'acme', 'session-' || n, 12, now() - interval '1 hour' from generate_series(1, 5000) as n`)
  await operator.query(`insert into kedge.feed_places select tenant, id, event_seq from kedge.sessions`)
  await operator.query(
    `update kedge.sessions set event_seq = 13, updated = now() where id in ('session-7', 'session-4000')`,
  )
  await operator.query('analyze kedge.sessions')
  const own = database.as('acme')
  const found = await own.query<{ id: string }>(SELECT_NEW_ENTRY_RANGES_SQL, ['acme', '1 minute'])
  assert.deepEqual(found.map(({ id }) => id).sort(), ['session-4000', 'session-7'])
  const asked = SELECT_NEW_ENTRY_RANGES_SQL.replace('$1', "'acme'").replace('$2', "'1 minute'")
  const plan = JSON.stringify(await own.query(`explain (analyze, timing off) ${asked}`))
  assert.doesNotMatch(plan, /Seq Scan on sessions|Rows Removed by Filter: \d{3}/)
  await drop()
})

it('numbers the entries of a session that somebody is changing, and does not wait for him', {
  timeout: 60_000,
}, async () => {
  const { database, url, drop } = await openTestDatabase({ connections: 3 })
  const own = database.as('acme')
  await own.query(`insert into kedge.sessions (tenant, id, event_seq) values ('acme', 'busy', 1)`)
  await own.query(
    `insert into kedge.log_entries (tenant, session, seq, kind, body) values ('acme', 'busy', 1, 'note', '{}')`,
  )
  const wakeUps = createWakeUps(url)
  await own.transaction(async (tx) => {
    await lockSession(tx, 'acme', 'busy')
    assert.equal(await new ClusterFeed({ database: own, wakeUps }).last(), 1)
    // As the end of a prompt does; the other way around both would wait for each other.
    await tx.query(`update kedge.tenants set spent_usd = spent_usd + 1 where tenant = 'acme'`)
  })
  await wakeUps.close()
  await drop()
})

it('finds what is new behind many sessions whose entries are gone', async () => {
  const { database, url, drop } = await openTestDatabase({ connections: 2 })
  const own = database.as('acme')
  await own.query(`insert into kedge.sessions (tenant, id, event_seq, updated)
    select 'acme', 'emptied-' || n, 3, now() from generate_series(1, 250) as n`)
  await own.query(`insert into kedge.sessions (tenant, id, event_seq, updated)
    values ('acme', 'written', 1, now() - interval '5 seconds')`)
  await own.query(
    `insert into kedge.log_entries (tenant, session, seq, kind, body) values ('acme', 'written', 1, 'note', '{}')`,
  )
  const wakeUps = createWakeUps(url)
  assert.equal(await new ClusterFeed({ database: own, wakeUps }).last(), 1)
  await wakeUps.close()
  await drop()
})

it('leaves nothing out when numbering took minutes', { timeout: 60_000 }, async () => {
  const { database, url, drop } = await openTestDatabase({ connections: 4 })
  const own = database.as('acme')
  const wakeUps = createWakeUps(url)
  const feed = new ClusterFeed({ database: own, wakeUps })
  assert.equal(await feed.last(), 0)
  await own.query(`insert into kedge.sessions (tenant, id, event_seq) values ('acme', 'written', 1)`)
  await own.query(
    `insert into kedge.log_entries (tenant, session, seq, kind, body) values ('acme', 'written', 1, 'note', '{}')`,
  )
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  let last: Promise<number> | undefined
  await own.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock($1, hashtext('acme'))`, [FEED_ADVISORY_LOCK_KEY])
    last = feed.last()
    const waiting = () => own.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
    while ((await waiting()).length === 0) await setTimeout(10)
    // As if he had waited so long: the session changed once, before that.
    mock.timers.tick(120_000)
    await own.query(`update kedge.sessions set updated = updated - interval '2 minutes'`)
  })
  assert.equal(await last, 1)
  mock.timers.reset()
  await wakeUps.close()
  await drop()
})

it('goes on when the clock of its machine is set back', async () => {
  const { database, url, drop } = await openTestDatabase({ connections: 2 })
  const own = database.as('acme')
  const wakeUps = createWakeUps(url)
  const feed = new ClusterFeed({ database: own, wakeUps })
  assert.equal(await feed.last(), 0)
  mock.timers.enable({ apis: ['Date'], now: Date.now() - 600_000 })
  await own.query(`insert into kedge.sessions (tenant, id, event_seq) values ('acme', 'written', 1)`)
  await own.query(
    `insert into kedge.log_entries (tenant, session, seq, kind, body) values ('acme', 'written', 1, 'note', '{}')`,
  )
  assert.equal(await feed.last(), 1)
  mock.timers.reset()
  await wakeUps.close()
  await drop()
})

it("keeps the order of a session's entries if a transaction that began earlier wrote later", async () => {
  const { database, url, drop } = await openTestDatabase({ connections: 3 })
  const own = database.as('acme')
  await own.query(`insert into kedge.sessions (tenant, id) values ('acme', 'one')`)
  const wakeUps = createWakeUps(url)
  const add = (tx: Transaction) =>
    lockSession(tx, 'acme', 'one').then((row) => addLogEntries(tx, row, [{ kind: 'state', data: {} }]))
  await own.transaction(async (early) => {
    await own.transaction(add)
    await add(early)
  })
  const found: number[] = []
  for await (const { seq } of new ClusterFeed({ database: own, wakeUps }).read()) if (found.push(seq) === 2) break
  assert.deepEqual(found, [1, 2])
  await wakeUps.close()
  await drop()
})
