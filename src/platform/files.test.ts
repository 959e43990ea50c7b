import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { nodeFiles } from './files.js'

describe('nodeFiles', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kedge-files-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const look = async (path: string, maxBytes = 1000) => {
    const { stat, content } = await nodeFiles.snapshot(path, maxBytes)
    return { kind: stat.kind, content: content && Buffer.from(content).toString('latin1') }
  }

  describe('snapshot', () => {
    it('reads a regular file, up to the limit', async () => {
      const path = join(folder, 'ten')
      await writeFile(path, '0123456789')
      assert.deepEqual(await look(path), { kind: 'file', content: '0123456789' })
      assert.deepEqual(await look(path, 10), { kind: 'file', content: '0123456789' })
      assert.deepEqual(await look(path, 9), { kind: 'file', content: undefined })
    })

    it('reads files that claim to be empty', { skip: process.platform !== 'linux' }, async () => {
      const { content } = await nodeFiles.snapshot('/proc/self/mounts', 1_000_000)
      assert.ok(content && content.length > 0)
      assert.equal((await nodeFiles.snapshot('/proc/self/mounts', 1)).content, undefined)
    })

    it('does not block on pipes, sockets and devices', { skip: process.platform === 'win32' }, async () => {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      const socket = join(folder, 'socket')
      const server = createServer().listen(socket)
      await new Promise((resolve) => server.once('listening', resolve))
      try {
        for (const path of [pipe, socket, '/dev/zero', '/dev/tty']) {
          assert.deepEqual(await look(path), { kind: 'other', content: undefined }, path)
        }
      } finally {
        server.close()
      }
    })

    it('does not follow a link', async () => {
      await writeFile(join(folder, 'secret'), 'x')
      await symlink('secret', join(folder, 'link'))
      assert.deepEqual(await look(join(folder, 'link')), { kind: 'symlink', content: undefined })
    })

    it('names folders', async () => {
      assert.deepEqual(await look(folder), { kind: 'directory', content: undefined })
    })
  })

  describe('replace', () => {
    it('replaces content and sets the mode whatever the umask', async () => {
      const path = join(folder, 'script')
      await writeFile(path, 'old')
      await chmod(path, 0o777)
      await nodeFiles.replace(path, 'new', 0o777)
      assert.equal(await readFile(path, 'utf8'), 'new')
      assert.equal((await stat(path)).mode & 0o7777, 0o777)
    })

    it('keeps the owner', { skip: process.getuid?.() !== 0 }, async () => {
      const { chown } = await import('node:fs/promises')
      const path = join(folder, 'owned')
      await writeFile(path, 'old')
      await chown(path, 1234, 1235)
      await nodeFiles.replace(path, 'new', 0o640)
      const { uid, gid, mode } = await stat(path)
      assert.deepEqual({ uid, gid, mode: mode & 0o7777 }, { uid: 1234, gid: 1235, mode: 0o640 })
    })

    it('leaves nothing behind when it fails', async () => {
      const target = join(folder, 'directory')
      await mkdir(join(target, 'inner'), { recursive: true })
      const before = await readdir(folder)
      await assert.rejects(nodeFiles.replace(target, 'x'), { code: /EISDIR|ENOTEMPTY|EEXIST|EPERM/ })
      assert.deepEqual(await readdir(folder), before)
    })
  })
})
