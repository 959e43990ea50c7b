import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openDatabase } from '../database/database.js'
import { startEmbedded } from './embedded-postgres.js'

const isRunning = (pid: number) => existsSync(`/proc/${pid}/stat`)

describe('an embedded database', { skip: process.platform !== 'linux' }, () => {
  it('keeps its data to itself and between starts, and ends with who started it, also by kill -9', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kedge-embedded-'))
    const first = await startEmbedded({ folder, durable: false })
    assert.equal(statSync(join(folder, 'data')).mode & 0o077, 0)
    assert.equal(statSync(join(folder, 'passwords.json')).mode & 0o077, 0)
    if (process.getuid?.() === 0) assert.doesNotMatch(readFileSync(`/proc/${first.pid}/status`, 'utf8'), /^Uid:\t0/m)
    const database = await openDatabase({ url: first.url })
    await database.asOperator().query('create table kept as select 42 as n')
    const [role] = await database.asOperator().query(`select rolsuper from pg_roles where rolname = current_user`)
    assert.deepEqual(role, { rolsuper: false })
    await database.close()
    // The one who knows no password gets nowhere, on this machine either.
    const stranger = await openDatabase({ url: first.url.replace(/:[^:@]+@/, ':guessed@') })
    await assert.rejects(stranger.asOperator().query('select 1'), { code: 'database_refused' })
    await stranger.close()
    await first.stop()
    assert.equal(isRunning(first.pid), false)

    // Another process starts it, says what it finds, and is killed.
    const program = `
      const { startEmbedded } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'embedded-postgres.js')).href)})
      const { openDatabase } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../database/database.js')).href)})
      const server = await startEmbedded({ folder: process.argv[1], durable: false })
      const database = await openDatabase({ url: server.url })
      const [row] = await database.asOperator().query('select n from kept')
      console.log(JSON.stringify({ pid: server.pid, n: row.n }))
      process.kill(process.pid, 'SIGKILL')`
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, folder])
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    const { pid, n } = JSON.parse(stdout)
    assert.equal(n, 42)
    while (isRunning(pid)) await new Promise((done) => setTimeout(done, 20))
    rmSync(folder, { recursive: true, force: true })
  })
})
