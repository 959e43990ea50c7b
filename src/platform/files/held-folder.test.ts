import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { workspaceDisk } from './files.js'
import { type HeldFolder, holdFolder, withHeldFolder } from './held-folder.js'

const byHandle = { skip: process.platform !== 'linux' && 'names are looked up by path here' }

describe('a folder that is held', { skip: process.platform === 'win32' && 'links need rights there' }, () => {
  let base = ''
  const at = (...names: string[]) => join(base, ...names)
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-held-')))
    for (const name of ['inside/deep', 'outside/deep']) mkdirSync(at(name), { recursive: true })
    symlinkSync('outside', at('link'))
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const swap = () => {
    renameSync(at('inside'), at('elsewhere'))
    renameSync(at('link'), at('inside'))
  }
  const holding = (path: string, work: (folder: HeldFolder) => void, exact = true) => {
    const folder = holdFolder(path, { exact })
    try {
      work(folder)
    } finally {
      folder.close()
    }
  }

  it('is where it was found until it is moved, or a link comes before it', () => {
    for (const path of [at('inside'), at('inside/deep')]) {
      holding(path, (folder) => {
        assert.equal(folder.isInPlace(), true)
        swap()
        assert.equal(folder.isInPlace(), false)
        renameSync(at('inside'), at('link'))
        renameSync(at('elsewhere'), at('inside'))
        assert.equal(folder.isInPlace(), true)
      })
    }
    holding(at('inside'), (folder) => {
      rmSync(at('inside'), { recursive: true })
      assert.equal(folder.isInPlace(), false)
      mkdirSync(at('inside'))
      assert.equal(folder.isInPlace(), false)
    })
  })

  it('is written to and read from wherever it stands by then, never through a link', byHandle, () => {
    holding(at('inside'), (folder) => {
      swap()
      writeFileSync(folder.at('new'), 'x')
      mkdirSync(folder.at('folder'))
      assert.deepEqual(readdirSync(folder.self).sort(), ['deep', 'folder', 'new'])
      renameSync(folder.at('new'), folder.at('renamed'))
      assert.equal(readFileSync(at('elsewhere/renamed'), 'utf8'), 'x')
    })
    assert.deepEqual(readdirSync(at('outside')), ['deep'])
  })

  it('is not found by way of a link, at the end or before it', () => {
    for (const path of [at('link'), at('link/deep')]) {
      assert.throws(() => holdFolder(path, { exact: true }), { code: 'ELOOP', message: new RegExp(`'${path}'$`) })
    }
    assert.throws(() => holdFolder(join(base, 'inside', '..', 'inside', '.', '..', 'link'), { exact: true }), {
      code: 'ELOOP',
    })
  })

  it('may be found by way of links by those who want that, and is in place then whatever is swapped', () => {
    holding(
      at('link/deep'),
      (folder) => {
        writeFileSync(folder.at('own'), 'x')
        rmSync(at('link'))
        assert.equal(folder.isInPlace(), true)
      },
      false,
    )
    assert.deepEqual(readdirSync(at('outside/deep')), ['own'])
  })

  it('is a folder, and there', () => {
    writeFileSync(at('file'), '')
    for (const exact of [true, false]) {
      assert.throws(() => holdFolder(at('none'), { exact }), { code: 'ENOENT' })
      assert.throws(() => holdFolder(at('file'), { exact }), { code: 'ENOTDIR' })
      assert.throws(() => holdFolder(at('file/below'), { exact }), { code: 'ENOTDIR' })
    }
  })

  it('needs no right to list it', { skip: process.getuid?.() === 0 && 'root may list everything' }, () => {
    mkdirSync(at('closed'), { mode: 0o300 })
    holding(at('closed'), (folder) => writeFileSync(folder.at('new'), 'x'))
    assert.equal(readFileSync(at('closed/new'), 'utf8'), 'x')
  })

  it('is opened as the entry of another one, and has to be what it was taken for', byHandle, () => {
    holding(at('inside'), (folder) => {
      const by = folder.at('deep')
      holdFolder(at('inside/deep'), { exact: true, by }).close()
      assert.throws(() => holdFolder(at('outside/deep'), { exact: true, by }), { code: 'ELOOP' })
      swap()
      assert.throws(() => holdFolder(at('inside/deep'), { exact: true, by }), { code: 'ELOOP' })
      const none = { exact: true, by: folder.at('none') }
      assert.throws(() => holdFolder(at('inside/none'), none), {
        code: 'ENOENT',
        message: new RegExp(at('inside/none')),
      })
    })
  })

  it('leaves no handle open, however the work in it ends', byHandle, async () => {
    const handles = () => readdirSync('/proc/self/fd').length
    const before = handles()
    for (let i = 0; i < 20; i += 1) {
      assert.equal(await withHeldFolder(at('inside'), { exact: true }, ({ self }) => basename(self) !== ''), true)
      await assert.rejects(
        withHeldFolder(at('inside'), { exact: true }, () => Promise.reject(new Error('x'))),
        /^Error: x$/,
      )
      await assert.rejects(
        withHeldFolder(at('link/deep'), { exact: true }, () => true),
        { code: 'ELOOP' },
      )
    }
    assert.equal(handles(), before)
  })

  it('is called by its path in errors', async () => {
    const failing = withHeldFolder(at('inside'), { exact: true }, (folder) => readFileSync(folder.at('none')))
    await assert.rejects(failing, {
      code: 'ENOENT',
      message: `ENOENT: no such file or directory, open '${at('inside/none')}'`,
    })
  })
})

describe('where the system has no name for a handle', { skip: process.platform !== 'linux' }, () => {
  const real = Object.getOwnPropertyDescriptor(process, 'platform')
  let base = ''
  const at = (...names: string[]) => join(base, ...names)
  for (const platform of ['freebsd', 'darwin', 'win32']) {
    describe(`as on ${platform}`, () => {
      beforeEach(() => {
        base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-held-')))
        mkdirSync(at('inside/deep'), { recursive: true })
        mkdirSync(at('outside/deep'), { recursive: true })
        symlinkSync('outside', at('link'))
        Object.defineProperty(process, 'platform', { ...real, value: platform })
      })
      afterEach(() => {
        if (real) Object.defineProperty(process, 'platform', real)
        rmSync(base, { recursive: true, force: true })
      })

      it('it is called by its path, and a swap is noticed', () => {
        const folder = holdFolder(at('inside/deep'), { exact: true })
        assert.deepEqual([folder.self, folder.at('name')], [at('inside/deep'), at('inside/deep/name')])
        assert.equal(folder.isInPlace(), true)
        renameSync(at('inside'), at('elsewhere'))
        assert.equal(folder.isInPlace(), false)
        renameSync(at('link'), at('inside'))
        assert.equal(folder.isInPlace(), false)
        folder.close()
      })

      it('it is not found behind a link', () => {
        for (const path of [at('link'), at('link/deep')]) {
          assert.throws(() => holdFolder(path, { exact: true }), { code: 'ELOOP' }, path)
          holdFolder(path, { exact: false }).close()
        }
        for (const exact of [true, false]) assert.throws(() => holdFolder(at('none'), { exact }), { code: 'ENOENT' })
      })

      it('files are written as elsewhere, and not behind a link', async () => {
        await workspaceDisk.makeDirectory(at('inside/new/folder'))
        await workspaceDisk.create(at('inside/new/folder/file'), Buffer.from('one'))
        await workspaceDisk.replace(at('inside/new/folder/file'), 'two')
        assert.equal(readFileSync(at('inside/new/folder/file'), 'utf8'), 'two')
        assert.deepEqual(readdirSync(at('inside/new/folder')), ['file'])
        await assert.rejects(workspaceDisk.create(at('link/file'), Buffer.from('x')), { code: 'ELOOP' })
        await assert.rejects(workspaceDisk.makeDirectory(at('link/new')), { code: 'ELOOP' })
        assert.deepEqual(readdirSync(at('outside')), ['deep'])
      })
    })
  }

  it('another folder at the same place is not the one that is held', () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-held-')))
    Object.defineProperty(process, 'platform', { ...real, value: 'freebsd' })
    try {
      mkdirSync(at('inside'))
      const folder = holdFolder(at('inside'), { exact: true })
      renameSync(at('inside'), at('elsewhere'))
      mkdirSync(at('inside'))
      assert.equal(folder.isInPlace(), false)
      folder.close()
    } finally {
      if (real) Object.defineProperty(process, 'platform', real)
      rmSync(base, { recursive: true, force: true })
    }
  })
})
