import assert from 'node:assert/strict'
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { makeFolders, makeFoldersWithoutLinks } from './make-folders.js'

describe('folders are made', { skip: process.platform === 'win32' && 'links need rights there' }, () => {
  let base = ''
  const at = (...names: string[]) => join(base, ...names)
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-folders-')))
    mkdirSync(at('real'))
    symlinkSync('real', at('link'))
    writeFileSync(at('file'), '')
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  for (const [name, make] of Object.entries({ makeFolders, makeExactFolders: makeFoldersWithoutLinks })) {
    it(`${name}: another process makes the same ones at the same moment`, () => {
      const { mkdirSync: original } = fs
      // Whatever is made here was made elsewhere just before.
      const raced = (path: fs.PathLike, options: fs.MakeDirectoryOptions) => {
        original(path, options)
        return original(path, options)
      }
      Object.assign(fs, { mkdirSync: raced })
      syncBuiltinESMExports()
      try {
        make(at('x/y/z'))
      } finally {
        Object.assign(fs, { mkdirSync: original })
        syncBuiltinESMExports()
      }
      assert.ok(statSync(at('x/y/z')).isDirectory())
    })

    it(`${name}: with those above, each with the mode; those that are there stay as they are`, () => {
      make(at('a/b/c'), 0o700)
      assert.deepEqual(
        ['a', 'a/b', 'a/b/c'].map((path) => statSync(at(path)).mode & 0o777),
        [0o700, 0o700, 0o700],
      )
      make(at('a/b'), 0o755)
      assert.equal(statSync(at('a/b')).mode & 0o777, 0o700)
      make(at('usual'))
      assert.equal(statSync(at('usual')).mode & 0o777, 0o777 & ~process.umask())
      make('/')
    })

    it(`${name}: not where a file stands in the way`, () => {
      assert.throws(() => make(at('file')), { code: 'ENOTDIR' })
      assert.throws(() => make(at('file/below')), { code: 'ENOTDIR' })
    })

    it(`${name}: or the reason names the path`, { skip: process.platform !== 'linux' }, () => {
      assert.throws(() => make('/proc/none/below'), { code: 'ENOENT', message: /mkdir '\/proc\/none'$/ })
    })
  }

  it('behind a link only by those who follow links', () => {
    makeFolders(at('link/own'))
    for (const path of ['link', 'link/new', 'link/new/deep']) {
      assert.throws(() => makeFoldersWithoutLinks(at(path)), { code: 'ELOOP' }, path)
    }
    assert.deepEqual(readdirSync(at('real')), ['own'])
  })

  it('not behind a link that leads nowhere', () => {
    symlinkSync(at('real/nothing'), at('dangling'))
    for (const path of ['dangling', 'dangling/new']) {
      assert.throws(() => makeFoldersWithoutLinks(at(path)), { code: /^(?:ELOOP|ENOTDIR)$/ }, path)
    }
    assert.deepEqual(readdirSync(at('real')), [])
  })
})
