import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { runAdmin } from '../admin/admin-main.js'
import { openCluster } from '../open-cluster.js'
import { openSharedEmbeddedDatabase } from './shared-embedded.js'

describe('the embedded database of several programs', { skip: process.platform !== 'linux', timeout: 180_000 }, () => {
  const top = mkdtempSync(join(tmpdir(), 'kedge-shared-'))
  chmodSync(top, 0o711)
  after(() => rmSync(top, { recursive: true, force: true }))
  const isRoot = process.getuid?.() === 0

  it('is started by one of those that start at the same time; folders that are missing are made for its user', async () => {
    const folder = join(top, 'not', 'there', 'yet')
    const mask = process.umask(0o077)
    const prepared: string[] = []
    const prepare = async (url: string) => void prepared.push(url)
    const both = await Promise.all([
      openSharedEmbeddedDatabase(folder, prepare),
      openSharedEmbeddedDatabase(folder, prepare),
    ])
    process.umask(mask)
    const [started] = both.flatMap((one) => one.started ?? [])
    assert.ok(started)
    assert.deepEqual(
      [
        both.filter((one) => one.started).length,
        both[0].url === both[1].url,
        existsSync(join(folder, 'starting.lock')),
      ],
      [1, true, false],
    )
    assert.deepEqual(prepared, [started.url])
    assert.equal(statSync(folder).mode & 0o077, 0)
    if (isRoot) assert.equal(statSync(dirname(folder)).mode & 0o777, 0o711)
    // Another program finds it, and leaves it running.
    const program = `
      const { openSharedEmbeddedDatabase } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'shared-embedded.js')).href)})
      const { url, started } = await openSharedEmbeddedDatabase(process.argv[1])
      console.log(JSON.stringify({ url, isStarted: started !== undefined }))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, folder])
    assert.deepEqual(JSON.parse(stdout), { url: started.url, isStarted: false })
    await started.stop()
  })

  it('is named where it lives, to people and in the log', async () => {
    const folder = join(top, 'database')
    const address = `embedded:${folder}`
    const { out, error } = await runAdmin(['migrate', '--database', address], {})
    assert.deepEqual([out, error], [`The tables of the embedded database in ${folder} are up to date.\n`, ''])
    const said: string[] = []
    const say = (text: string) => void said.push(text)
    const first = await openCluster({ database: address, say })
    const second = await openCluster({ database: address, say })
    await second.close()
    await first.close()
    const as = isRoot ? ' as the user "(postgres|nobody)"' : ''
    assert.match(
      said[0] ?? '',
      new RegExp(`^started the embedded database in ${folder}${as}; it ends with this program$`),
    )
    assert.equal(said[1], `uses the embedded database in ${folder}, which another program started`)
  })

  it('says that its user can not enter a folder', {
    skip: isRoot ? false : 'only for root it runs as another user',
  }, async () => {
    const closed = join(top, 'closed')
    await openSharedEmbeddedDatabase(join(mkdtempSync(closed), 'database')).then(
      () => assert.fail('it started'),
      (error: Error) =>
        assert.match(error.message, /can't enter \S+closed\S+\. Choose another folder: --database embedded:FOLDER$/),
    )
  })
})
