import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { PathFinder, toAbsolute } from './path-finder.js'

function inFolder(run: (root: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-paths-')))
    try {
      await run(root)
    } finally {
      rmSync(root, { recursive: true })
    }
  }
}

test(
  'both spellings of a path, through real links',
  inFolder(async (root) => {
    mkdirSync(join(root, 'repo/src'), { recursive: true })
    mkdirSync(join(root, 'out/deep'), { recursive: true })
    writeFileSync(join(root, 'out/file'), '')
    symlinkSync(join(root, 'out/file'), join(root, 'repo/file-link'))
    symlinkSync(join(root, 'out/deep'), join(root, 'repo/dir-link'))
    symlinkSync(join(root, 'missing'), join(root, 'repo/dangling'))
    symlinkSync('loop', join(root, 'repo/loop'))
    symlinkSync('src', join(root, 'repo/inner'))
    const repo = join(root, 'repo')
    const finder = new PathFinder(nodeFiles)
    const real = async (path: string) => (await finder.place(`${repo}/${path}`)).real
    const within = async (path: string) => finder.isWithin(await finder.place(`${repo}/${path}`), [repo])

    assert.equal(await real('src/new/file'), join(repo, 'src/new/file'))
    assert.equal(await real('file-link'), join(root, 'out/file'))
    assert.equal(await real('dir-link/new'), join(root, 'out/deep/new'))
    // Where a file would be made.
    assert.equal(await real('dangling'), join(root, 'missing'))
    assert.equal(await real('loop/x'), undefined)
    // The kernel leaves the folder the link led to.
    assert.equal(await real('dir-link/../file'), join(root, 'out/file'))

    const answers: Record<string, boolean> = {}
    for (const path of [
      'src/a',
      '.',
      'inner/a',
      'src/../a',
      'file-link',
      'dir-link/new',
      'dangling',
      'loop',
      '../repo-evil/a',
      '../out/file',
      'dir-link/../file',
    ]) {
      answers[path] = await within(path)
    }
    assert.deepEqual(answers, {
      'src/a': true,
      '.': true,
      'inner/a': true,
      'src/../a': true,
      'file-link': false,
      'dir-link/new': false,
      dangling: false,
      loop: false,
      '../repo-evil/a': false,
      '../out/file': false,
      'dir-link/../file': false,
    })
  }),
)

test(
  'a working directory that is itself behind a link',
  inFolder(async (root) => {
    mkdirSync(join(root, 'real/src'), { recursive: true })
    symlinkSync(join(root, 'real'), join(root, 'link'))
    const finder = new PathFinder(nodeFiles)
    for (const folder of ['real', 'link']) {
      for (const path of ['real/src/a', 'link/src/a']) {
        assert.equal(
          await finder.isWithin(await finder.place(join(root, path)), [join(root, folder)]),
          folder === 'link' || path.startsWith('real'),
        )
      }
    }
  }),
)

test('what a command line may call a path', () => {
  assert.equal(toAbsolute('a', '/repo', '/home/u'), '/repo/a')
  assert.equal(toAbsolute('~', '/repo', '/home/u'), '/home/u')
  assert.equal(toAbsolute('~/a', '/repo', '/home/u'), '/home/u/a')
  assert.equal(toAbsolute('~a', '/repo', '/home/u'), '/repo/~a')
})
