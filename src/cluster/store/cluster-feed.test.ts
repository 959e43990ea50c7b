import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openTestDatabase } from '../test-database.js'
import { NEWS } from './cluster-feed.js'

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
  const found = await own.query<{ id: string }>(NEWS, ['acme', '1 minute'])
  assert.deepEqual(found.map(({ id }) => id).sort(), ['session-4000', 'session-7'])
  const asked = NEWS.replace('$1', "'acme'").replace('$2', "'1 minute'")
  const plan = JSON.stringify(await own.query(`explain (analyze, timing off) ${asked}`))
  assert.doesNotMatch(plan, /Seq Scan on sessions|Rows Removed by Filter: \d{3}/)
  await drop()
})
