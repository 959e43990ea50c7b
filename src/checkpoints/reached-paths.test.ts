import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { type ChangedOrMovedPath, findPathsReachedByChanges, MAX_KEPT_FOLDER_FILES } from './reached-paths.js'

describe('what a change reaches', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kedge-reach-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const make = (...paths: string[]) => {
    for (const path of paths) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      if (path.endsWith('/')) mkdirSync(join(root, path), { recursive: true })
      else writeFileSync(join(root, path), 'x')
    }
  }
  const inside = (path: string) => (path === root ? '.' : path.slice(root.length + 1))
  /** Paths as seen from the root, sorted; what becomes a folder ends with a slash. */
  const reach = async (...changes: ChangedOrMovedPath[]) => {
    const absolute = changes.map((change) =>
      'from' in change
        ? { from: join(root, change.from), to: join(root, change.to) }
        : { ...change, path: join(root, change.path) },
    )
    const { paths, newFolders, tooLarge } = await findPathsReachedByChanges(absolute, nodeFiles)
    for (const folder of newFolders) assert.ok(paths.includes(folder), `${folder} is no path`)
    return {
      paths: paths.map((path) => `${inside(path)}${newFolders.has(path) ? '/' : ''}`),
      tooLarge: tooLarge.map(inside),
    }
  }

  it('is the path itself where its folder is there', async () => {
    make('src/a.ts')
    assert.deepEqual(await reach({ path: 'src/a.ts' }, { path: 'src/b.ts' }, { path: 'src/a.ts' }), {
      paths: ['src/a.ts', 'src/b.ts'],
      tooLarge: [],
    })
  })

  it('is also every folder that is made for it, the outermost first', async () => {
    assert.deepEqual((await reach({ path: 'a/b/c.ts' }, { path: 'a/b/d.ts' })).paths, [
      'a/',
      'a/b/',
      'a/b/c.ts',
      'a/b/d.ts',
    ])
  })

  it('is a folder that it makes, unless it is there', async () => {
    make('old/')
    const { paths } = await reach({ path: 'old', folder: true }, { path: 'new', folder: true })
    assert.deepEqual(paths, ['old', 'new/'])
  })

  it('is not a folder just because something below it is named later', async () => {
    // `echo > out; …/out/x`: it may become a file.
    assert.deepEqual((await reach({ path: 'out' }, { path: 'out/x' })).paths, ['out', 'out/x'])
  })

  it('is all a folder holds where the change goes deep', async () => {
    make('d/a', 'd/e/b', 'd/e/f/', 'd.txt')
    symlinkSync('/', join(root, 'd', 'link'))
    const { paths } = await reach({ path: 'd', deep: true })
    assert.deepEqual([...paths].sort(), ['d', 'd/a', 'd/e', 'd/e/b', 'd/e/f', 'd/link'])
    for (const path of paths.slice(1))
      assert.ok(paths.indexOf(dirname(path)) < paths.indexOf(path), `${path} before its folder`)
    assert.deepEqual((await reach({ path: 'd' })).paths, ['d'])
    assert.deepEqual((await reach({ path: 'd.txt', deep: true }, { path: 'none', deep: true })).paths, [
      'd.txt',
      'none',
    ])
  })

  it('is too much where a folder holds too many files', async () => {
    make('d/')
    for (let i = 0; i < MAX_KEPT_FOLDER_FILES; i += 1) writeFileSync(join(root, 'd', `f${i}`), '')
    const most = await reach({ path: 'd', deep: true })
    assert.equal(most.paths.length, MAX_KEPT_FOLDER_FILES + 1)
    assert.deepEqual(most.tooLarge, [])
    // A folder in it counts as well.
    make('d/deep/')
    assert.deepEqual(await reach({ path: 'd', deep: true }), { paths: ['d'], tooLarge: ['d'] })
  })

  it('is too much where files are very large', async () => {
    make('d/a', 'd/b')
    truncateSync(join(root, 'd', 'a'), 60 * 1024 * 1024)
    assert.deepEqual((await reach({ path: 'd', deep: true })).tooLarge, [])
    truncateSync(join(root, 'd', 'b'), 60 * 1024 * 1024)
    assert.deepEqual((await reach({ path: 'd', deep: true })).tooLarge, ['d'])
  })

  it('of a copy is what will be below its target', async () => {
    make('from/a', 'from/sub/b', 'to/')
    const { paths } = await reach({ from: 'from', to: 'to/from' })
    assert.deepEqual([...paths].sort(), ['to/from/', 'to/from/a', 'to/from/sub/', 'to/from/sub/b'])
  })

  it('of a copy of a file is nothing by itself: its target is named beside', async () => {
    make('a')
    assert.deepEqual((await reach({ from: 'a', to: 'b' })).paths, [])
    assert.deepEqual((await reach({ from: 'none', to: 'b' })).paths, [])
  })

  it('of a copy holds what another change of the same line makes', async () => {
    make('from/')
    const { paths } = await reach({ path: 'from/new/a' }, { from: 'from', to: 'x' }, { from: 'x', to: 'y' })
    assert.deepEqual([...paths].sort(), [
      ...['from/new/', 'from/new/a', 'x/', 'x/new/', 'x/new/a', 'y/', 'y/new/', 'y/new/a'],
    ])
  })

  it('of a copy of a copy is found in whatever order they stand', async () => {
    make('from/')
    const { paths } = await reach(
      { from: 'y', to: 'z' },
      { from: 'x', to: 'y' },
      { from: 'from', to: 'x' },
      { path: 'from/a' },
    )
    assert.deepEqual([...paths].sort(), ['from/a', 'x/', 'x/a', 'y/', 'y/a', 'z/', 'z/a'])
  })

  it('of a folder that is copied into itself has an end', async () => {
    make('d/a')
    const { paths } = await reach({ path: 'd', deep: true }, { from: 'd', to: 'd/d' })
    assert.ok(paths.includes('d/d/a'))
    assert.ok(paths.length < 100, String(paths.length))
    assert.ok(!paths.some((path) => path.split('/').length > 10))
  })
})
