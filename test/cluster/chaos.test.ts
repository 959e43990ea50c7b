/** A seeded slice of chaos; `npm run test:long` plays it with 3 workers, 2 nodes, 50 sessions and 1,000 disturbances. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../src/cluster/test-database.js'
import { chooseSeed, Random } from '../fuzz/random.js'
import { playCluster } from './play-cluster.js'
import { restartable } from './restartable.js'

const isLong = process.env['KEDGE_LONG'] !== undefined
const seed = chooseSeed(20261116)

test('kills, pauses and cut connections: nothing is lost, doubled or stuck', { timeout: 300_000 }, async () => {
  console.log(`cluster: seed ${seed} (repeat with KEDGE_SEED=${seed})`)
  const tables = await testDatabase()
  const size = { workers: 2, nodes: 2, sessions: 6, prompts: 2, disturbances: 6 }
  const played = await playCluster({ ...size, url: tables.url, random: new Random(seed), cut: () => tables.cut() })
  console.log(`cluster: ${JSON.stringify(played)}`)
  assert.equal(played.prompts, 12)
  await tables.drop()
})

const COUNT = Number(process.env['KEDGE_DISTURBANCES'] ?? 1000)

test('3 workers, 2 nodes, 50 sessions, the database restarted, too', {
  skip: !isLong,
  timeout: 7_000_000,
}, async () => {
  const database = await restartable()
  const size = { workers: 3, nodes: 2, sessions: 50, prompts: Math.ceil(COUNT / 25), disturbances: COUNT }
  const played = await playCluster({ ...size, ...database, random: new Random(seed) })
  console.log(`cluster: ${JSON.stringify(played)}`)
  assert.equal(played.prompts, 50 * size.prompts)
  await database.stop()
})
