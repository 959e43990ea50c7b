/** A database that is restarted the hard way, behind an address that stays. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/cluster/database/database.js'
import { startEmbedded } from '../../src/cluster/embedded/embedded-postgres.js'
import { migrateAllTables } from '../../src/cluster/open-cluster.js'
import { startRelay } from '../web/relay.js'

export async function restartable() {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-chaos-'))
  const relay = await startRelay()
  let server = await startEmbedded({ folder })
  relay.leadTo(server.url)
  const address = Object.assign(new URL(server.url), { host: relay.host }).href
  const database = await openDatabase({ url: address, connections: 1 })
  await migrateAllTables(database)
  await database.close()
  return {
    url: address,
    /** Nothing gets through, and nobody is told. For so long, if that is given; then the connections end. */
    async silence(ms?: number) {
      relay.silence()
      if (ms === undefined) return
      await new Promise((done) => setTimeout(done, ms))
      relay.cut()
      relay.mend()
    },
    async cut() {
      relay.cut()
      await new Promise((done) => setTimeout(done, 100))
      relay.mend()
    },
    async restart() {
      process.kill(server.pid, 'SIGQUIT')
      await server.ended
      server = await startEmbedded({ folder })
      relay.leadTo(server.url)
    },
    async stop() {
      await relay[Symbol.asyncDispose]()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
