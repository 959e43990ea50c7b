import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandSettingPath, folderAndItsParents, listPathsThatNeedTrust } from './settings-paths.js'

const folders = { cwd: '/home/me/repo', configDir: '/home/me/.claude', home: '/home/me' }

test('a path starts at home, at the root, or at the working directory', () => {
  const cases: [string, string][] = [
    ['~', '/home/me'],
    ['~/x/../y', '/home/me/y'],
    ['~other/x', '/home/me/repo/~other/x'],
    ['x', '/home/me/repo/x'],
    ['../x/', '/home/me/x'],
    ['/a/./b/..', '/a'],
  ]
  for (const [path, wanted] of cases) assert.equal(expandSettingPath(path, folders), wanted, path)
})

test('the folders above end at the root', () => {
  assert.deepEqual(folderAndItsParents('/a/b'), ['/a/b', '/a', '/'])
  assert.deepEqual(folderAndItsParents('/'), ['/'])
})

test('the user’s own folder is no sign that a folder brings something, whoever is below it', () => {
  const signs = listPathsThatNeedTrust(folders)
  assert.ok(!signs.includes('/home/me/.claude'))
  for (const path of ['/home/me/repo/.claude', '/home/me/repo/.mcp.json', '/home/me/CLAUDE.md', '/AGENTS.md'])
    assert.ok(signs.includes(path), path)
  assert.ok(!signs.includes('/home/me/.mcp.json'), 'servers are those of the folder itself')
})
