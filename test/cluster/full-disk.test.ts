/** `kedge admin status` and the metrics notice a full disk of the database: a real one, of a few megabytes. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { runAdmin } from '../../src/cluster/admin/admin-main.js'
import { openDatabase } from '../../src/cluster/database/database.js'
import { migrate } from '../../src/cluster/database/migrations.js'
import { embeddedPrograms } from '../../src/cluster/embedded/embedded-programs.js'
import { changeOwner, unprivilegedUser } from '../../src/cluster/embedded/unprivileged-user.js'
import { findWriteProblem } from '../../src/cluster/hub/cluster-health.js'
import { migrateAllTables } from '../../src/cluster/open-cluster.js'
import { eventually } from '../support/eventually.js'

const DISK_BYTES = 100_000_000
const user = unprivilegedUser()
const bubble = (disk: string) => [
  '--dev-bind',
  '/',
  '/',
  '--size',
  `${DISK_BYTES}`,
  '--tmpfs',
  disk,
  '--die-with-parent',
]
const worksHere = spawnSync('bwrap', [...bubble('/mnt'), 'true'], { ...(user ?? {}), cwd: '/' }).status === 0

/** It and its data are gone with its process. */
async function startOnSmallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-full-disk-'))
  if (user) changeOwner(folder, user)
  const { initdb, postgres, env } = embeddedPrograms(folder, user !== undefined)
  const disk = mkdtempSync(join(folder, 'disk-'))
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number } // it listens on one
  listener.close()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_wal_size=4MB']
  const script = [
    `'${initdb}' -D '${disk}/data' -U postgres --auth=trust --no-sync --wal-segsize=1 >&2 &&`,
    `exec '${postgres}' -D '${disk}/data' ${settings.map((one) => `-c ${one}`).join(' ')}`,
  ].join(' ')
  const child = spawn('bwrap', [...bubble(disk), 'sh', '-c', script], {
    ...(user ?? {}),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

it('says that the disk of the database is full, though rows can still be replaced', {
  skip: worksHere ? false : 'there is no bubblewrap that works here to make a small disk with',
  timeout: 180_000,
}, async () => {
  const server = await startOnSmallDisk()
  const database = await openDatabase({ url: server.url, connections: 2 })
  const operator = database.asOperator()
  try {
    await eventually('the server answers', () => operator.query('select 1').catch(() => undefined))
    await migrateAllTables(database)
    assert.equal(await findWriteProblem(operator), undefined)
    const status = () => runAdmin(['status'], { KEDGE_DATABASE: server.url })
    assert.doesNotMatch((await status()).out, /problem: .*disk|problem: .*write/i)
    for (const name of ['empty', 'half']) await operator.query(`create database ${name}`)
    const addressOf = (name: string) => server.url.replace(/postgres$/, name)
    const half = await openDatabase({ url: addressOf('half'), connections: 1 })
    await migrate(half).finally(() => half.close())
    await operator.query('create unlogged table filling (text text)')
    for (const kilobytes of [4096, 64, 8]) {
      const more = `insert into filling select repeat('x', 1000) from generate_series(1, ${kilobytes})`
      for (let isFull = false; !isFull; )
        isFull = await operator.query(more).then(
          () => false,
          () => true,
        )
    }
    const { code, out } = await status()
    assert.equal(code, 1)
    assert.match(out, /^problem: The database \S+ can't write \(.*No space left on device.*\)\. Free some space there/m)
    // Our tables need room, and so do those of the engine.
    for (const name of ['empty', 'half']) {
      const { code, error } = await runAdmin(['migrate'], { KEDGE_DATABASE: addressOf(name) })
      assert.equal(code, 1, name)
      assert.match(
        error,
        /^error: The database \S+ can't write \(.*No space left on device.*\)\. Free some space there.*\n$/,
        name,
      )
    }
  } finally {
    await database.close()
    await server.stop()
  }
})
