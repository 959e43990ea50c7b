// One PostgreSQL for all tests that need one: making its files takes a second of processor time. Each test file has a
// database of its own in it, copied from one that has the tables.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname

export const needsDatabase = (file) => /(?:^|\/)cluster\//.test(file)

/** What was transpiled must be there. Tests find it by KEDGE_TEST_DATABASE: as the one who may do everything, and as the owner. */
export async function startDatabase() {
  const from = (path) => import(join(root, '.build', 'src', 'cluster', path))
  const [{ startEmbedded }, { openDatabase }, { migrateAllTables }] = await Promise.all([
    from('embedded/embedded-postgres.js'),
    from('database/database.js'),
    from('open-cluster.js'),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'kedge-postgres-'))
  const server = await startEmbedded({ folder, durable: false })
  const database = await openDatabase({ url: server.url, connections: 1 })
  await migrateAllTables(database)
  await database.close()
  return {
    env: `${server.adminUrl} ${server.url}`,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
