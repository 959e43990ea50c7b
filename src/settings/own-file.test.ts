import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { isOwnFile } from './own-file.js'
import { type TestSettings, testSettings } from './test-settings.js'

const uid = process.getuid?.() ?? null

function git(cwd: string, ...args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, env, stdio: 'pipe' })
}

/** A repository with one commit and a local settings file that is not in it. */
function repository(at: TestSettings): string {
  git(at.cwd, 'init', '-q')
  writeFileSync(join(at.cwd, 'a'), '')
  git(at.cwd, 'add', 'a')
  git(at.cwd, 'commit', '-qm', 'a')
  return at.write('localSettings', '{}')
}

const isOwn = (path: string, who = uid) => isOwnFile(path, { files: nodeFiles, uid: who })

test('a file that git does not track is the user’s', async () => {
  using at = testSettings()
  const file = repository(at)
  assert.equal(await isOwn(file), true)
  git(at.cwd, 'add', '-f', file)
  assert.equal(await isOwn(file), false)
  git(at.cwd, 'commit', '-qm', 'b')
  assert.equal(await isOwn(file), false)
  git(at.cwd, 'rm', '-q', '--cached', file)
  assert.equal(await isOwn(file), true)
})

test('also in a folder below, in a worktree, and before the first file is added', async () => {
  using at = testSettings()
  repository(at)
  const below = join(at.cwd, 'packages', 'one', '.claude', 'settings.local.json')
  mkdirSync(join(below, '..'), { recursive: true })
  writeFileSync(below, '{}')
  assert.equal(await isOwn(below), true)
  git(at.cwd, 'add', '-f', below)
  assert.equal(await isOwn(below), false)

  const tree = join(at.home, 'tree')
  git(at.cwd, 'worktree', 'add', '-q', tree)
  const there = join(tree, '.claude', 'settings.local.json')
  mkdirSync(join(tree, '.claude'))
  writeFileSync(there, '{}')
  assert.equal(await isOwn(there), true)
  git(tree, 'add', '-f', there)
  assert.equal(await isOwn(there), false)

  using fresh = testSettings()
  git(fresh.cwd, 'init', '-q')
  assert.equal(await isOwn(fresh.write('localSettings', '{}')), true)
})

test('without certainty it is not', async () => {
  using at = testSettings()
  const file = repository(at)
  assert.equal(await isOwn(file, 4711), uid === null)
  assert.equal(await isOwn(join(at.cwd, '.claude', 'missing.json')), false)

  const index = join(at.cwd, '.git', 'index')
  git(at.cwd, 'update-index', '--index-version', '4')
  assert.equal(await isOwn(file), false, 'names in parts')
  git(at.cwd, 'update-index', '--index-version', '2')
  assert.equal(await isOwn(file), true)
  git(at.cwd, 'update-index', '--split-index')
  assert.equal(await isOwn(file), false, 'names in another file')
  git(at.cwd, 'update-index', '--no-split-index')
  assert.equal(await isOwn(file), true)
  writeFileSync(index, 'no index')
  assert.equal(await isOwn(file), false, 'no index')
  rmSync(index)
  mkdirSync(index)
  assert.equal(await isOwn(file), false, 'a folder')
  rmSync(join(at.cwd, '.git'), { recursive: true })
  assert.equal(await isOwn(file), false, 'no git')
  mkdirSync(join(at.cwd, '.git'))
  assert.equal(await isOwn(file), false, 'an empty .git')
  rmSync(join(at.cwd, '.git'), { recursive: true })
  writeFileSync(join(at.cwd, '.git'), 'nonsense')
  assert.equal(await isOwn(file), false, 'a .git that leads nowhere')
})

test('links are not the user’s: what they lead to may not be tracked while they are', {
  skip: process.platform === 'win32',
}, async () => {
  using at = testSettings()
  const file = repository(at)
  const elsewhere = join(at.cwd, 'elsewhere.json')
  renameSync(file, elsewhere)
  symlinkSync(elsewhere, file)
  assert.equal(await isOwn(file), false)
  rmSync(file)
  renameSync(elsewhere, file)
  assert.equal(await isOwn(file), true)
  // Only the repository it is really in counts.
  git(at.home, 'init', '-q')
  const sub = join(at.cwd, 'sub', '.claude', 'settings.local.json')
  mkdirSync(dirname(sub), { recursive: true })
  writeFileSync(sub, '{}')
  symlinkSync(join(at.cwd, 'sub'), join(at.home, 'link'))
  const through = join(at.home, 'link', '.claude', 'settings.local.json')
  assert.equal(await isOwn(through), true)
  git(at.cwd, 'add', '-f', sub)
  assert.equal(await isOwn(through), false)
  git(at.cwd, 'rm', '-q', '--cached', sub)

  const folder = join(at.cwd, '.claude')
  cpSync(folder, join(at.cwd, 'config'), { recursive: true })
  rmSync(folder, { recursive: true })
  symlinkSync('config', folder)
  assert.equal(await isOwn(file), false)
})
