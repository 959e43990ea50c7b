/** A database with a standby that may lag, behind an address that leads to whichever of them counts. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/cluster/database/database.js'
import { loadPg } from '../../src/cluster/database/load-pg.js'
import { startEmbedded } from '../../src/cluster/embedded/embedded-postgres.js'
import { migrateAllTables } from '../../src/cluster/open-cluster.js'
import { startRelay } from '../web/relay.js'

export async function replicated() {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-replicated-'))
  // Where we are root, it runs as another.
  chmodSync(folder, 0o755)
  const [front, between] = [await startRelay(), await startRelay()]
  const primary = await startEmbedded({ folder: join(folder, 'one'), durable: false })
  const url = Object.assign(new URL(primary.url), { host: front.host }).href
  front.leadTo(primary.url)
  between.leadTo(primary.url)
  const database = await openDatabase({ url: primary.url, connections: 1 })
  await migrateAllTables(database)
  await database.close()
  await copied(primary.adminUrl, folder, between.host)
  const standby = await startEmbedded({ folder: join(folder, 'two'), durable: false })
  const place = async (of: string, lsn: string): Promise<string> => {
    const [row] = await tell<{ place: string }>(of, `select (${lsn} - '0/0'::pg_lsn)::text as place`)
    return row?.place ?? ''
  }
  return {
    url,
    /** All that was written so far has come through. */
    async caughtUp() {
      const written = await place(primary.adminUrl, 'pg_current_wal_lsn()')
      while (Number(await place(standby.adminUrl, 'pg_last_wal_replay_lsn()')) < Number(written))
        await new Promise((done) => setTimeout(done, 20))
    },
    /** Nothing more comes through. */
    lag: () => between.cut(),
    /** The first is gone, with all that did not come through. */
    async failOver() {
      process.kill(primary.pid, 'SIGKILL')
      await primary.ended
      front.cut()
      await tell(standby.adminUrl, 'select pg_promote()')
      front.leadTo(standby.url)
      front.mend()
    },
    async stop() {
      for (const relay of [front, between]) await relay[Symbol.asyncDispose]()
      for (const server of [primary, standby]) await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As `pg_basebackup` does it. */
async function copied(adminUrl: string, folder: string, host: string): Promise<void> {
  const { Client } = await loadPg()
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  const [from, to] = [join(folder, 'one'), join(folder, 'two')]
  await client.query(`select pg_backup_start('standby', true)`)
  execFileSync('cp', ['-a', from, to])
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  const data = join(to, 'data')
  rmSync(join(data, 'postmaster.pid'))
  const [hostname, port] = host.split(':')
  const { username, password } = new URL(adminUrl)
  const files = {
    backup_label: rows[0]?.labelfile ?? '',
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  }
  const { uid, gid } = statSync(data)
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    chownSync(join(data, name), uid, gid)
  }
}

async function tell<T>(url: string, text: string): Promise<T[]> {
  const { Client } = await loadPg()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
