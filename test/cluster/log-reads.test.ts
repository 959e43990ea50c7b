/** Who asks for a log goes again: nothing waits for more in their name. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import { callNode, openPlace, startNode } from './programs.js'
import { stepModel } from './step-model.js'

it('a log that is asked for again and again, and by many at once, leaves nobody waiting', async (t) => {
  const tables = await createTestDatabase()
  await using place = await openPlace(tables.url, stepModel)
  const node = await startNode(place)
  t.after(() => node.end('SIGKILL'))
  const { id } = (await callNode(node.url, 'POST', '/v1/sessions', { cwd: place.folder })).json
  const read = async () => (await callNode(node.url, 'GET', `/v1/sessions/${id}/log?limit=10`)).status
  // More than Node lets wait for one signal without a warning.
  const statuses: number[] = []
  for (let n = 0; n < 30; n += 1) statuses.push(await read())
  statuses.push(...(await Promise.all(Array.from({ length: 30 }, read))))
  assert.deepEqual([...new Set(statuses)], [200])
  assert.equal(await node.end('SIGTERM'), 0, node.log())
  assert.doesNotMatch(node.log(), /Warning:/)
  await tables.drop()
})
