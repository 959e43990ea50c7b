/** A process that changes all files of a session and saves them, again and again; for tests that kill it. */
import { openDatabase } from '../database/database.js'
import { createMemorySnapshotIndex, createPostgresSnapshotIndex } from './snapshot-index.js'
import { createTestWorkspace, testFilesOfVersion, writeTestFiles } from './test-workspaces.js'

const { root, name, place, from, url } = JSON.parse(process.argv[2] ?? '{}')
const database = url ? await openDatabase({ url, connections: 1 }) : undefined
const index = database ? createPostgresSnapshotIndex((tenant) => database.as(tenant)) : createMemorySnapshotIndex()
const machine = createTestWorkspace(root, name, index)
const { cwd } = await machine.prepare(place)
for (let n = from; ; n += 1) {
  writeTestFiles(cwd, testFilesOfVersion(n))
  process.stdout.write(`saving ${n}\n`)
  await machine.save(place, n)
  process.stdout.write(`saved ${n}\n`)
}
