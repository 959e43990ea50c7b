/** `resolveSettings()` and `filterEscalatingDefaultMode()`: the answers of 0.3.325 for the same files, where Kedge goes by them too. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { filterEscalatingDefaultMode, type ResolvedSettings, resolveSettings } from 'kedge'

const folder = mkdtempSync(join(tmpdir(), 'kedge-resolve-'))
const [configDir, cwd] = [join(folder, 'config'), join(folder, 'project')]
const files = {
  user: join(configDir, 'settings.json'),
  project: join(cwd, '.claude', 'settings.json'),
  local: join(cwd, '.claude', 'settings.local.json'),
}
const { CLAUDE_CONFIG_DIR } = process.env
const write = (name: keyof typeof files, settings: unknown) =>
  writeFileSync(files[name], typeof settings === 'string' ? settings : JSON.stringify(settings))

before(() => {
  process.env['CLAUDE_CONFIG_DIR'] = configDir
  mkdirSync(configDir)
  mkdirSync(join(cwd, '.claude'), { recursive: true })
})
after(() => {
  if (CLAUDE_CONFIG_DIR === undefined) delete process.env['CLAUDE_CONFIG_DIR']
  else process.env['CLAUDE_CONFIG_DIR'] = CLAUDE_CONFIG_DIR
  rmSync(folder, { recursive: true, force: true })
})

test('resolveSettings: what a query would go by, who says so, and each file, the lowest first', async () => {
  const user = { model: 'opus', permissions: { allow: ['Read'], defaultMode: 'plan' }, env: { A: '1' } }
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] }
  const project = { permissions: { allow: ['Bash(ls)'] }, env: { B: '2' }, hooks }
  const local = { permissions: { deny: ['WebFetch'] }, model: 'haiku' }
  for (const [name, settings] of Object.entries({ user, project, local })) write(name as 'user', settings) // One of the three.
  const { effective, provenance, sources, machinePolicy } = await resolveSettings({ cwd })
  assert.deepEqual(effective, {
    model: 'haiku',
    permissions: { allow: ['Bash(ls)', 'Read'], deny: ['WebFetch'], defaultMode: 'plan' },
    env: { A: '1', B: '2' },
    hooks,
  })
  assert.deepEqual(provenance, {
    model: { source: 'local', path: files.local },
    permissions: { source: 'local', path: files.local },
    env: { source: 'project', path: files.project },
    hooks: { source: 'project', path: files.project },
  })
  assert.deepEqual(sources, [
    { source: 'user', settings: user, path: files.user },
    { source: 'project', settings: project, path: files.project },
    { source: 'local', settings: local, path: files.local },
  ])
  assert.deepEqual(machinePolicy, { didNotLoad: false })

  const some = await resolveSettings({ cwd, settingSources: ['user'] })
  assert.deepEqual([some.effective, some.sources.length], [user, 1])
  const none = { effective: {}, provenance: {}, sources: [], machinePolicy: { didNotLoad: false } }
  assert.deepEqual(await resolveSettings({ cwd, settingSources: [] }), none)
  assert.deepEqual(await resolveSettings({ cwd: join(folder, 'nowhere'), settingSources: ['project'] }), none)
})

test('resolveSettings refuses what a query refuses: a file that can’t be read, options that mean nothing', async () => {
  write('local', '{broken')
  await assert.rejects(resolveSettings({ cwd }), { code: 'invalid_option', message: /settings\.local\.json/ })
  assert.deepEqual((await resolveSettings({ cwd, settingSources: ['user'] })).effective['model'], 'opus')
  rmSync(files.local)
  const sources = ['planet'] as unknown as ['user'] // What a program without types may pass.
  await assert.rejects(resolveSettings({ settingSources: sources }), { option: 'settingSources' })
  for (const option of ['managedSettings', 'serverManagedSettings']) {
    const refused = { option, code: 'unsupported_option' }
    await assert.rejects(resolveSettings({ cwd, [option]: { model: 'opus' } }), refused)
    await resolveSettings({ cwd, [option]: {} })
  }
})

test('filterEscalatingDefaultMode: a mode that asks less does not come from a file of the repository', () => {
  const resolved = (source: 'user' | 'project', defaultMode: string): ResolvedSettings => {
    const settings = { model: 'opus', permissions: { allow: ['Read'], defaultMode } }
    return { effective: settings, provenance: {}, sources: [{ source, settings }] }
  }
  const without = { model: 'opus', permissions: { allow: ['Read'] } }
  for (const mode of ['bypassPermissions', 'auto', 'acceptEdits']) {
    assert.deepEqual(filterEscalatingDefaultMode(resolved('project', mode)), without)
    const own = resolved('user', mode)
    assert.deepEqual(filterEscalatingDefaultMode(own), own.effective)
  }
  const plan = resolved('project', 'plan')
  assert.deepEqual(filterEscalatingDefaultMode(plan), plan.effective)
  // Above it somebody else says another: what the repository said does not count.
  const above = { source: 'local' as const, settings: { permissions: { defaultMode: 'acceptEdits' } } }
  const both = { ...resolved('project', 'acceptEdits'), sources: [...resolved('project', 'auto').sources, above] }
  assert.deepEqual(filterEscalatingDefaultMode(both), both.effective)
})
