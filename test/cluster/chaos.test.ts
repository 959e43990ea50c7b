/**
 * A seeded slice of chaos; `npm run test:long` plays it with 3 workers, 2 nodes, 50
 * sessions, 1,000 disturbances and 1,000 requests that stay open. Every program collects garbage all the time.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import { chooseSeed } from '../fuzz/random.js'
import { type Played, playCluster } from './play-cluster.js'
import { restartable } from './restartable.js'

const isLong = process.env['KEDGE_LONG'] !== undefined
const seed = chooseSeed(20261116)
const tell = (text: string) => process.stderr.write(`chaos: ${text}\n`)

/** Where nothing happened, nothing was tried. */
function assertPlayed({ prompts, parked, calls, asks, steps, collecting }: Played, least: typeof SLICE): void {
  assert.ok(
    prompts - parked >= least.sessions * least.prompts && calls > prompts && asks > parked && steps > parked,
    JSON.stringify({ prompts, parked, calls, asks, steps }),
  )
  assert.equal(parked, least.parked)
  assert.ok(collecting >= least.workers + least.nodes, `${collecting} programs collected garbage`)
}

const SLICE = { workers: 2, nodes: 2, sessions: 4, prompts: 2, disturbances: 5, parked: 5 }

test('kills, pauses and cut connections: nothing is lost, doubled or stuck', { timeout: 300_000 }, async () => {
  if (isLong) tell(`repeat with KEDGE_SEED=${seed}`)
  const tables = await createTestDatabase()
  const played = await playCluster({ ...SLICE, url: tables.url, seed, cut: () => tables.cut() })
  if (isLong) tell(JSON.stringify(played))
  assertPlayed(played, SLICE)
  await tables.drop()
})

const COUNT = Number(process.env['KEDGE_DISTURBANCES'] ?? 1000)
const PARKED = Number(process.env['KEDGE_PARKED'] ?? 1000)

test('3 workers, 2 nodes, 50 sessions, the database restarted, too', {
  skip: !isLong,
  timeout: 7_000_000,
}, async () => {
  const database = await restartable()
  const size = { workers: 3, nodes: 2, sessions: 50, prompts: 2, disturbances: COUNT, parked: PARKED }
  tell(`${COUNT} disturbances, ${PARKED} open requests, repeat with KEDGE_SEED=${seed}`)
  try {
    const played = await playCluster({ ...size, ...database, seed })
    tell(JSON.stringify(played))
    assertPlayed(played, size)
    assert.ok(played.helpers > 0 && played.helperAsks > 0, JSON.stringify(played))
  } finally {
    await database.stop()
  }
})
