import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { nodeFiles } from './files.js'
import { readWholeFile } from './open-file.js'

describe('nodeFiles', () => {
  let folder = ''
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'kedge-files-')))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('readTextSync with a limit reads small files only, and never waits', {
    skip: process.platform === 'win32',
  }, async () => {
    await writeFile(join(folder, 'sync-small'), 'text')
    await symlink('sync-small', join(folder, 'sync-link'))
    for (const name of ['sync-small', 'sync-link']) assert.equal(nodeFiles.readTextSync(join(folder, name), 4), 'text')
    execFileSync('mkfifo', [join(folder, 'sync-pipe')])
    await symlink('/dev/zero', join(folder, 'sync-zero'))
    for (const name of ['sync-pipe', 'sync-zero', '.']) {
      assert.throws(() => nodeFiles.readTextSync(join(folder, name), 100), { code: 'EFBIG' }, name)
    }
    assert.throws(() => nodeFiles.readTextSync(join(folder, 'sync-small'), 3), { code: 'EFBIG' })
    assert.throws(() => nodeFiles.readTextSync(join(folder, 'none'), 3), { code: 'ENOENT' })
  })

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

  describe('open', () => {
    const content = async (path: string, maxBytes = 1000) => {
      const { file } = await nodeFiles.open(path)
      assert.ok(file)
      const bytes = await readWholeFile(file, maxBytes).finally(() => file.close())
      return bytes?.toString()
    }

    it('reads from any place, and everything up to a limit', async () => {
      const path = join(folder, 'some')
      await writeFile(path, '0123456789')
      const { file, stat } = await nodeFiles.open(path)
      assert.ok(file)
      const buffer = Buffer.alloc(4, '-')
      assert.equal(await file.read(buffer, 8), 2)
      assert.deepEqual([buffer.toString(), stat.size, stat.links], ['89--', 10, 1])
      await file.close()
      assert.equal(await content(path), '0123456789')
      assert.equal(await content(path, 9), undefined)
    })

    it('reads files that claim to be empty, and no endless ones', { skip: process.platform !== 'linux' }, async () => {
      const path = await realpath('/proc/self/mounts')
      assert.match((await content(path, 1_000_000)) ?? '', / \/proc /)
      assert.equal(await content(path, 10), undefined)
    })

    it('stops when it is told to', async () => {
      const path = join(folder, 'stopped')
      await writeFile(path, 'x')
      const { file } = await nodeFiles.open(path)
      assert.ok(file)
      await assert.rejects(readWholeFile(file, 10, AbortSignal.abort()), { name: 'AbortError' })
      await file.close()
    })

    it('takes nothing that is reached through a link', async () => {
      await mkdir(join(folder, 'inside'))
      await writeFile(join(folder, 'inside', 'file'), 'x')
      await symlink('inside', join(folder, 'way'))
      await symlink('inside/file', join(folder, 'end'))
      assert.equal(await content(join(folder, 'inside', 'file')), 'x')
      await assert.rejects(nodeFiles.open(join(folder, 'way', 'file')), { code: 'ESTALE' })
      const { stat, file } = await nodeFiles.open(join(folder, 'end'))
      assert.deepEqual([stat.kind, file], ['symlink', undefined])
    })

    it('copes with a file that is replaced all the time', async () => {
      const path = join(folder, 'busy')
      await writeFile(path, '0')
      let running = true
      const writer = (async () => {
        for (let i = 0; running; i += 1) {
          await writeFile(`${path}.new`, String(i))
          await rename(`${path}.new`, path)
        }
      })()
      for (let i = 0; i < 100; i += 1) {
        const found = await content(path).catch((error) => error.code)
        assert.match(String(found), /^(\d+|ESTALE)$/)
      }
      running = false
      await writer
    })
  })

  describe('create', () => {
    it('makes a new file with the usual mode, and never replaces one', async () => {
      const path = join(folder, 'created')
      await nodeFiles.create(path, Buffer.from('first'))
      await assert.rejects(nodeFiles.create(path, Buffer.from('second')), { code: 'EEXIST' })
      assert.equal(await readFile(path, 'utf8'), 'first')
      const { mode, nlink } = await stat(path)
      assert.deepEqual({ mode: mode & 0o777, nlink }, { mode: 0o666 & ~process.umask(), nlink: 1 })
      await symlink('nowhere', join(folder, 'taken'))
      await assert.rejects(nodeFiles.create(join(folder, 'taken'), Buffer.from('x')), { code: 'EEXIST' })
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.endsWith('.tmp')),
        [],
      )
    })
  })

  it('appends to no file behind a link', { skip: process.platform === 'win32' }, async () => {
    const [target, link] = [join(folder, 'append-target'), join(folder, 'append-link')]
    await writeFile(target, 'theirs')
    await symlink(target, link)
    for (const sync of [true, false]) {
      for (const isThere of [true, false])
        assert.throws(() => nodeFiles.appendSync(link, 'ours', { sync, isThere }), { code: 'ELOOP' })
    }
    const none = join(folder, 'append-none')
    assert.throws(() => nodeFiles.appendSync(none, 'ours', { isThere: true }), { code: 'ENOENT' })
    assert.equal(await readFile(target, 'utf8'), 'theirs')
  })

  describe('replace', () => {
    it('leaves a file alone that is not what was expected', async () => {
      const path = join(folder, 'expected')
      await writeFile(path, 'one')
      const expected = await nodeFiles.lstat(path)
      await rm(path)
      await writeFile(path, 'two, longer')
      await assert.rejects(nodeFiles.replace(path, 'new', 0o644, expected), { code: 'ESTALE' })
      assert.equal(await readFile(path, 'utf8'), 'two, longer')
      await nodeFiles.replace(path, 'new', 0o644, await nodeFiles.lstat(path))
      assert.equal(await readFile(path, 'utf8'), 'new')
    })

    it('writes into a file that is a mount point', { skip: mountSkip() }, async () => {
      const path = join(folder, 'mounted')
      const source = join(folder, 'source')
      await writeFile(source, 'old content')
      await writeFile(path, '')
      execFileSync('mount', ['--bind', source, path])
      try {
        for (const content of ['new', 'new and longer', '']) {
          await nodeFiles.replace(path, content, 0o644, await nodeFiles.lstat(path))
          assert.equal(await readFile(path, 'utf8'), content)
        }
        await assert.rejects(nodeFiles.replace(path, 'x', 0o644), { code: 'EBUSY' })
      } finally {
        execFileSync('umount', [path])
      }
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.endsWith('.tmp')),
        [],
      )
    })

    it('writes into a file whose folder takes no new ones', { skip: process.getuid?.() === 0 }, async () => {
      const closed = join(folder, 'closed')
      await mkdir(closed)
      const path = join(closed, 'file')
      await writeFile(path, 'old')
      await chmod(closed, 0o555)
      try {
        await nodeFiles.replace(path, 'new', 0o644, await nodeFiles.lstat(path))
        assert.equal(await readFile(path, 'utf8'), 'new')
      } finally {
        await chmod(closed, 0o755)
      }
    })

    it('counts the names of a file', async () => {
      const path = join(folder, 'named')
      await writeFile(path, 'x')
      await link(path, join(folder, 'named too'))
      assert.equal((await nodeFiles.lstat(path))?.links, 2)
      assert.equal((await lstat(path)).nlink, 2)
    })

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

/** Mounting needs root, and a container may forbid it even then. */
function mountSkip(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  try {
    execFileSync('unshare', ['--mount', 'mount', '--bind', '/tmp', '/tmp'], { stdio: 'ignore' })
    return false
  } catch {
    return 'mounting is not allowed here'
  }
}
