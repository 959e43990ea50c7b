import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { createFileSearch } from './pattern-search.js'
import { restoreExpectedPaths } from './restore-paths.js'
import { findNewSelfRunningFiles, findSelfRunningFiles } from './self-running-files.js'

function ground() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-runs-')))
  const search = createFileSearch()
  return {
    root,
    write(path: string, text = '') {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    found: () => [...findSelfRunningFiles(root, search).keys()].map((path) => relative(root, path)).sort(),
    look: () => findSelfRunningFiles(root, search),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

const EVIL = '[core]\n\tfsmonitor = ./evil\n'

test('repositories anywhere in the project whose files name programs', () => {
  using at = ground()
  at.write('a/.git/config', EVIL)
  at.write('a/b/c/d/e/.git/config', EVIL)
  at.write('fine/.git/config', '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://git.example/x\n')
  at.write('fine/.git/hooks/pre-commit.sample', 'x')
  at.write('hooked/.git/hooks/post-checkout', 'x')
  at.write('tree/.git/config.worktree', EVIL)
  at.write('mercurial/.hg/hgrc', '[hooks]\nx = y\n')
  at.write('cloned/.hg/hgrc', '[paths]\ndefault = https://hg.example/x\n')
  // A bare one, which git finds by its parts; HEAD alone makes none.
  at.write('bare/HEAD', 'ref: refs/heads/x')
  at.write('bare/objects/x')
  at.write('bare/refs/x')
  at.write('bare/config', EVIL)
  at.write('none/HEAD', 'x')
  at.write('none/config', EVIL)
  // By a file, and by a file in that.
  at.write('module/.git', 'gitdir: ../hidden/place\n')
  at.write('hidden/place/commondir', '../common\n')
  at.write('hidden/common/config', EVIL)
  assert.deepEqual(at.found(), [
    ...[
      'a/.git/config',
      'a/b/c/d/e/.git/config',
      'bare/config',
      'hidden/common/config',
      'hooked/.git/hooks/post-checkout',
    ],
    ...['mercurial/.hg/hgrc', 'tree/.git/config.worktree'],
  ])
})

test('a rebase that would run commands, in the project’s own repository too', () => {
  using at = ground()
  const todo = '.git/rebase-merge/git-rebase-todo'
  at.write(todo, 'pick 1234567 exec is a word of the title\n# exec x\nfixup 89abcde\n')
  assert.deepEqual(at.found(), [])
  for (const line of ['exec ./evil', 'x ./evil', '  exec\tevil']) {
    at.write(todo, `pick 1234567 a\n${line}\n`)
    assert.deepEqual(at.found(), [todo], line)
  }
})

test('start files of Python, in virtual environments and beside the code', () => {
  using at = ground()
  at.write('.venv/lib/python3.12/site-packages/evil.pth', 'import os; os.system("x")\n')
  at.write('.venv/lib/python3.12/site-packages/paths.pth', '../../elsewhere\n')
  at.write('venv/Lib/site-packages/sitecustomize.py', 'x')
  at.write('usercustomize.py', 'x')
  at.write('models/large.pth', 'import x')
  assert.deepEqual(at.found(), [
    '.venv/lib/python3.12/site-packages/evil.pth',
    'usercustomize.py',
    'venv/Lib/site-packages/sitecustomize.py',
  ])
})

test('only what is new or has changed is put aside, and it is said', async () => {
  using at = ground()
  at.write('old/.git/config', EVIL)
  at.write('other/.git/config', EVIL)
  const before = at.look()
  at.write('new/.git/config', EVIL)
  at.write('other/.git/config', `${EVIL}\tpager = evil\n`)
  at.write('new/.git/hooks/pre-commit', 'x')
  const planted = findNewSelfRunningFiles(before, at.look())
  assert.deepEqual(planted.map((path) => relative(at.root, path)).sort(), [
    ...['new/.git/config', 'new/.git/hooks/pre-commit', 'other/.git/config'],
  ])
  const remarks = await restoreExpectedPaths([], planted)
  assert.equal(remarks.length, 3)
  assert.ok(
    remarks.includes(
      `${at.root}/new/.git/config would run programs by itself: it is now ${at.root}/new/.git/config.blocked-by-sandbox.`,
    ),
  )
  // What is out of the way runs nothing, and is not moved again.
  assert.deepEqual(at.found(), ['old/.git/config'])
  assert.deepEqual(findNewSelfRunningFiles(before, at.look()), [])
})
