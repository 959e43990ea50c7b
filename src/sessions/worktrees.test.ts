import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { findGitWorktrees } from './worktrees.js'

/** Files as git keeps them; folders are made on the way. */
function tree(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-worktrees-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content.replaceAll('ROOT', root))
  }
  return {
    root,
    find: async (folder: string) =>
      (await findGitWorktrees(nodeFiles, join(root, folder))).map((path) => path.replace(root, '')).sort(),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}
const LINKED = {
  'main/.git/HEAD': 'ref: refs/heads/main\n',
  'main/.git/worktrees/side/gitdir': 'ROOT/side/.git\n',
  'main/.git/worktrees/side/commondir': '../..\n',
  'side/.git': 'gitdir: ROOT/main/.git/worktrees/side\n',
  'side/deep/below/file': '',
}

test('all working trees are found from any of them, and from folders below', async () => {
  using at = tree(LINKED)
  for (const folder of ['main', 'side', 'side/deep/below']) assert.deepEqual(await at.find(folder), ['/main', '/side'])
})

test('a relative link is read from where it stands', async () => {
  using at = tree({
    ...LINKED,
    'side/.git': 'gitdir: ../main/.git/worktrees/side',
    'main/.git/worktrees/side/gitdir': '../../../../side/.git',
  })
  assert.deepEqual(await at.find('side'), ['/main', '/side'])
})

test('a bare repository has no tree of its own', async () => {
  using at = tree({
    'bare.git/worktrees/a/gitdir': 'ROOT/a/.git\n',
    'bare.git/worktrees/a/commondir': '../..\n',
    'a/.git': 'gitdir: ROOT/bare.git/worktrees/a\n',
  })
  assert.deepEqual(await at.find('a'), ['/a'])
})

test('a submodule, a damaged link and an entry without its file are no reason to fail', async () => {
  using at = tree({
    'sub/.git': 'gitdir: ../main/.git/modules/sub\n',
    'odd/.git': 'not a link\n',
    'main/.git/HEAD': '',
    'main/.git/worktrees/gone/HEAD': '',
  })
  assert.deepEqual(await at.find('sub'), [])
  assert.deepEqual(await at.find('odd'), [])
  assert.deepEqual(await at.find('main'), ['/main'])
})
