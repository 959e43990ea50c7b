/** Folders that are copied or moved with what they hold: names that others act on do not get to a new place unseen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PathFinderFiles } from '../path-finder.js'
import { createTestPermissions, decisionsOnBash, sameDecisionForEach } from '../test-engine.js'

const PRESENT = [
  '/repo/pack/lib/.git/hooks/post-merge',
  '/repo/pack/lib/f',
  '/repo/pack/app/deep/er/.mcp.json',
  '/repo/plain/a/b/c',
  '/repo/plain/.gitignore',
  '/repo/there',
]
const CARRYING = [
  'cp -r pack/lib there',
  'cp -a pack x',
  'cp -R pack/app x',
  'mv pack/lib there',
  'mv pack x',
  'mv pack/* .',
  'mv ./pack/a* there',
  'mv -t there pack/lib',
  'cp -rt there plain pack',
  'mv plain there && mv pack there',
]
const ORDINARY = [
  'cp -r plain x',
  'mv plain there',
  'mv plain/* there',
  'mv plain/a/b there',
  'cp pack/lib/f there',
  'mv pack/lib/f there',
]

test('a folder that holds a protected name is asked about, by mode and by rule', async () => {
  const byMode = createTestPermissions({ mode: 'acceptEdits', present: PRESENT })
  const byRule = createTestPermissions({ allow: ['Bash(cp *)', 'Bash(mv:*)'], present: PRESENT })
  for (const permissions of [byMode, byRule]) {
    assert.deepEqual(await decisionsOnBash(permissions, CARRYING), sameDecisionForEach(CARRYING, 'ask'))
    assert.deepEqual(await decisionsOnBash(permissions, ORDINARY), sameDecisionForEach(ORDINARY, 'allow'))
  }
})

test('the very words are taken at their word', async () => {
  const permissions = createTestPermissions({ allow: ['Bash(mv pack x)'], present: PRESENT })
  assert.deepEqual(await decisionsOnBash(permissions, ['mv pack x']), sameDecisionForEach(['mv pack x'], 'allow'))
})

const STAT = { size: 0, mtimeMs: 0, links: 1, mode: 0o755, dev: 1, ino: 1, uid: 0 }
const readLink = async (path: string) => path

/** A folder `many` of `folders`, each with a thousand files. */
function crowded(folders: number): PathFinderFiles {
  const named = (count: number, kind: 'file' | 'directory') =>
    Array.from({ length: count }, (_, i) => ({ name: `${i}`, kind }))
  return {
    readLink,
    lstat: async (path) =>
      path.startsWith('/repo/x') ? undefined : { ...STAT, kind: /many\/\d+\/\d+$/.test(path) ? 'file' : 'directory' },
    entries: async (path, limit = 9_999) =>
      (/many$/.test(path) ? named(folders, 'directory') : named(1_000, 'file')).slice(0, limit),
  }
}

test('a folder that holds more than anybody looks at is asked about', async () => {
  const commands = ['mv many x', 'cp -r many x']
  const answer = (folders: number) =>
    decisionsOnBash(createTestPermissions({ mode: 'acceptEdits', files: crowded(folders) }), commands)
  assert.deepEqual(await answer(4), sameDecisionForEach(commands, 'allow'))
  assert.deepEqual(await answer(6), sameDecisionForEach(commands, 'ask'))
})

test('without a way to look into folders they are asked about', async () => {
  const lstat = async () => ({ ...STAT, kind: 'directory' as const })
  const permissions = createTestPermissions({ mode: 'acceptEdits', files: { lstat, readLink } })
  assert.deepEqual(await decisionsOnBash(permissions, ['mv plain x']), sameDecisionForEach(['mv plain x'], 'ask'))
})
