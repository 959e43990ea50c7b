import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { type FolderConfigurationSources, findFolderConfiguration } from './folder-configuration.js'
import { listPathsThatNeedTrust } from './settings-paths.js'
import { createTestSettings, type TestSettings } from './test-settings.js'

function write(path: string, content = ''): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** Without what the folders above the test's own may hold. */
async function brings(at: TestSettings, more: Partial<FolderConfigurationSources> = {}): Promise<string[]> {
  const { cwd, home, configDir } = at
  const sources = ['user', 'project', 'local'] as const
  const found = await findFolderConfiguration({ cwd, home, configDir, sources, files: nodeFiles, ...more })
  return found.brings.filter((name) => !name.startsWith('../../'))
}

test('nothing, and what only narrows, need no trust', async () => {
  using at = createTestSettings()
  assert.deepEqual(await brings(at), [])
  at.write('projectSettings', { permissions: { deny: ['Bash'], ask: ['Read'] }, $schema: 'x', unknown: 1 })
  at.write('localSettings', 'not JSON')
  assert.deepEqual(await brings(at), [])
})

test('settings by key, and everything beside them', async () => {
  using at = createTestSettings()
  at.write('projectSettings', { env: { A: '1' }, hooks: {}, permissions: { allow: ['Bash'], deny: ['Read'] } })
  at.write('localSettings', { model: 'x' })
  for (const name of ['CLAUDE.md', 'CLAUDE.local.md', '.mcp.json', '.claude/skills/x/SKILL.md', '.claude/agents/a.md'])
    write(join(at.cwd, name))
  assert.deepEqual(await brings(at), [
    '.claude/settings.json (env, hooks, permissions.allow)',
    '.claude/settings.local.json (model)',
    '.mcp.json (MCP servers)',
    'CLAUDE.md',
    'CLAUDE.local.md',
    '.claude/agents',
    '.claude/skills',
  ])
  assert.deepEqual(await brings(at, { sources: ['local'] }), ['.claude/settings.local.json (model)', 'CLAUDE.local.md'])
  assert.deepEqual(await brings(at, { sources: ['user'] }), [])
  const { cwd, home, configDir } = at
  write(join(at.cwd, '.claude', 'output-styles', 'x.md'))
  assert.deepEqual(
    (await findFolderConfiguration({ cwd, home, configDir, sources: ['project'], files: nodeFiles })).deeds,
    ['.claude/settings.json (env, hooks, permissions.allow)', '.mcp.json (MCP servers)', '.claude/output-styles'],
  )
  // The cheap look finds all of them.
  assert.ok(listPathsThatNeedTrust(at).includes(join(at.cwd, '.claude')))
})

test('instructions of the folders above count too', async () => {
  using at = createTestSettings()
  const cwd = join(at.cwd, 'a')
  write(join(cwd, 'file'))
  write(join(at.cwd, 'AGENTS.md'))
  assert.deepEqual(await brings(at, { cwd }), ['../AGENTS.md'])
  assert.ok(listPathsThatNeedTrust({ ...at, cwd }).includes(join(at.cwd, 'AGENTS.md')))
})

test('in a repository so do its commands, skills and agents, but not its settings', async () => {
  using at = createTestSettings()
  const cwd = join(at.cwd, 'a')
  write(join(cwd, 'file'))
  write(join(at.cwd, '.claude', 'skills', 'x', 'SKILL.md'))
  at.write('projectSettings', { model: 'x' })
  assert.deepEqual(await brings(at, { cwd }), [])
  mkdirSync(join(at.cwd, '.git'))
  assert.deepEqual(await brings(at, { cwd }), ['../.claude/skills'])
  const signs = listPathsThatNeedTrust({ cwd, configDir: at.configDir })
  assert.deepEqual([signs.includes(join(at.cwd, '.claude')), signs.includes(at.configDir)], [true, false])
})

test('in the home folder the settings are the user’s own, also through a link', async () => {
  using at = createTestSettings()
  at.write('userSettings', { apiKeyHelper: 'x' })
  write(join(at.configDir, 'skills', 'x', 'SKILL.md'))
  assert.deepEqual(await brings(at, { cwd: at.home }), [])
  write(join(at.configDir, 'settings.local.json'), '{"model": "x"}')
  assert.deepEqual(await brings(at, { cwd: at.home }), ['.claude/settings.local.json (model)'])
  assert.deepEqual(await brings(at, { cwd: at.home, sources: ['project'] }), [])
  symlinkSync(at.configDir, join(at.cwd, '.claude'))
  assert.deepEqual(await brings(at, { sources: ['project'] }), [])
})

test('names are safe to print', async () => {
  using at = createTestSettings()
  at.write('projectSettings', { env: { '\u001b[2J': '1' }, '\u001b[2J': 1, sandbox: { enabled: true } })
  const text = (await brings(at)).join()
  assert.equal(text, '.claude/settings.json (env, sandbox)')
})
