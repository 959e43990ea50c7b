import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openTestDatabase } from '../test-database.js'
import type { SavedWorkspace } from './session-workspace.js'
import { createPostgresSnapshotIndex } from './snapshot-index.js'

const SAVED: SavedWorkspace = {
  seq: 7,
  kind: 'git',
  ref: 'refs/kedge/x',
  sha256: 'abc',
  bytes: 12,
  leftOut: [{ path: '.env', why: 'may hold secrets' }],
}

it('what was saved last is known to who has the session, and nobody else changes it', async () => {
  const { database, drop } = await openTestDatabase({ connections: 3 })
  const index = createPostgresSnapshotIndex((tenant) => database.as(tenant))
  const ada = database.as('ada')
  await ada.query(`insert into kedge.sessions (tenant, id, epoch) values ('ada', 's', 3)`)
  const place = { tenant: 'ada', session: 's' }
  assert.equal(await index.last(place), undefined)
  await index.hold({ ...place, epoch: 3 }, 'one')
  assert.deepEqual(await index.last(place), { saved: undefined, holder: 'one' })
  await index.record({ ...place, epoch: 3 }, SAVED)
  assert.deepEqual(await index.last(place), { saved: { ...SAVED, epoch: 3 }, holder: 'one' })
  await index.hold({ ...place, epoch: 3 }, 'two')
  assert.deepEqual(await index.last(place), { saved: { ...SAVED, epoch: 3 }, holder: 'two' })
  await index.record({ ...place, epoch: 3 }, { ...SAVED, seq: 9, leftOut: [] })
  for (const epoch of [2, 4]) {
    await assert.rejects(index.record({ ...place, epoch }, SAVED), { code: 'session_fenced' })
    await assert.rejects(index.hold({ ...place, epoch }, 'late'), { code: 'session_fenced' })
  }
  assert.equal((await index.last(place))?.holder, 'two')
  assert.equal((await index.last(place))?.saved?.seq, 9)

  // Who claims it while it is being said: afterwards it was said, or not, and never later than the claim.
  let said: Promise<void> | undefined
  await ada.transaction(async (tx) => {
    await tx.query(`update kedge.sessions set epoch = 4 where id = 's'`)
    said = index.record({ ...place, epoch: 3 }, { ...SAVED, seq: 11 })
    said.catch(() => undefined)
    await waiting(database)
  })
  await assert.rejects(said ?? Promise.resolve(), { code: 'session_fenced' })
  assert.equal((await index.last(place))?.saved?.seq, 9)

  assert.equal(await index.last({ tenant: 'ben', session: 's' }), undefined)
  await index.forget({ tenant: 'ben', session: 's' })
  assert.equal((await index.last(place))?.saved?.seq, 9)
  await index.forget(place)
  assert.equal(await index.last(place), undefined)
  await drop()
})

/** Until some statement waits for a lock. */
async function waiting(database: Awaited<ReturnType<typeof openTestDatabase>>['database']): Promise<void> {
  for (;;) {
    const rows = await database
      .asOperator()
      .query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    if (rows.length > 0) return
  }
}
