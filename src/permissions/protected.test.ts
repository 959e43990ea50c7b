import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isProtected } from './protected.js'

test('protected names, in every spelling a disk may take for the same', () => {
  const paths = [
    ...[
      '/repo/.git/hooks/pre-commit',
      '/repo/.git',
      '/repo/a/.claude/settings.json',
      '/home/u/.config/git/config',
      '/repo/.mcp.json',
    ],
    ...[
      '/home/u/.bashrc',
      '/repo/.envrc',
      '/repo/.npmrc',
      '/repo/.husky/pre-push',
      '/repo/gradle/wrapper/gradle-wrapper.properties',
    ],
    ...[
      '/repo/.GIT/config',
      '/repo/.Claude/x',
      '/repo/.git./config',
      '/repo/.git /config',
      '/repo/GIT~1/config',
      '/repo/.gi\u200ct/config',
    ],
    ...[
      '/repo/.git::$INDEX_ALLOCATION/config',
      '/repo/.bashrc:x',
      '/repo/.claude/worktrees/w/.git/config',
      '/repo/Lefthook.YML',
    ],
  ]
  assert.deepEqual(
    paths.filter((path) => !isProtected(path)),
    [],
  )
})

test('names that only look like it', () => {
  const paths = [
    ...[
      '/repo/.github/workflows/ci.yml',
      '/repo/.gitignore',
      '/repo/git/x',
      '/repo/.config/x',
      '/repo/.claude/worktrees/w/a.ts',
    ],
    ...['/repo/src/bashrc', '/repo/a.git', '/repo/.claudette', '/repo/..', '/repo/.config/nvim/git'],
  ]
  assert.deepEqual(paths.filter(isProtected), [])
})
