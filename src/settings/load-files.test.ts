import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { createPermissions } from '../permissions/permission-engine.js'
import { nodeFiles } from '../platform/files/files.js'
import { permissionRulesOfLayers } from './compose-settings.js'
import { managedSettingsPath } from './settings-paths.js'
import { createTestSettings, settingsProblemMessages } from './test-settings.js'

test('each source has its file, its root and its place in the order', async () => {
  using at = createTestSettings()
  const flag = at.write('flagSettings', { model: 'flag' })
  for (const source of ['userSettings', 'projectSettings', 'localSettings', 'managedSettings'] as const) {
    at.write(source, { model: source })
  }
  const { layers, problems } = await at.load({ flag })
  const { cwd } = at
  assert.deepEqual(problems, [])
  assert.deepEqual(layers, [
    ...[
      {
        source: 'managedSettings',
        file: at.managed,
        root: cwd,
        repository: false,
        settings: { model: 'managedSettings' },
      },
    ],
    ...[{ source: 'flagSettings', file: flag, root: dirname(flag), repository: false, settings: { model: 'flag' } }],
    {
      source: 'localSettings',
      file: join(cwd, '.claude/settings.local.json'),
      root: cwd,
      repository: true,
      settings: { model: 'localSettings' },
    },
    {
      source: 'projectSettings',
      file: join(cwd, '.claude/settings.json'),
      root: cwd,
      repository: true,
      settings: { model: 'projectSettings' },
    },
    {
      source: 'userSettings',
      file: join(at.configDir, 'settings.json'),
      root: at.configDir,
      repository: false,
      settings: { model: 'userSettings' },
    },
  ])
})

test('only the sources that were asked for are read, and managed settings always', async () => {
  using at = createTestSettings()
  at.write('userSettings', 'broken')
  at.write('projectSettings', { model: 'project' })
  at.write('managedSettings', { outputStyle: 'managed' })
  const none = await at.load({ sources: [] })
  assert.deepEqual([none.merged, none.problems], [{ outputStyle: 'managed' }, []])
  const project = await at.load({ sources: ['project', 'project'] })
  assert.deepEqual([project.merged, project.problems], [{ outputStyle: 'managed', model: 'project' }, []])
})

test('no files at all', async () => {
  using at = createTestSettings()
  assert.deepEqual(await at.load(), { layers: [], merged: {}, problems: [] })
})

test('the permission engine takes the layers as they are', async () => {
  using at = createTestSettings()
  at.write('userSettings', { permissions: { allow: ['Bash(make)'], deny: ['Read(/notes/**)'] } })
  at.write('projectSettings', { permissions: { deny: ['Read(/secrets/**)'] } })
  const { layers } = await at.load()
  const permissions = createPermissions({
    files: nodeFiles,
    cwd: at.cwd,
    home: at.home,
    mode: 'default',
    allowBypass: false,
    layers: permissionRulesOfLayers(layers),
  })
  const denied = async (path: string) => {
    const call = { id: 'x', name: 'Read', input: { file_path: path } }
    return (await permissions.decide(call, { kind: 'read', paths: [path] })).behavior === 'deny'
  }
  assert.equal(await denied(join(at.cwd, 'secrets/a')), true)
  assert.equal(await denied(join(at.configDir, 'notes/a')), true)
  assert.equal(await denied(join(at.cwd, 'notes/a')), false)
  const call = { id: 'x', name: 'Bash', input: { command: 'make' } }
  const explained = await permissions.explain(call, { kind: 'command', command: 'make', cwd: at.cwd })
  assert.deepEqual(explained.rule, { text: 'Bash(make)', source: 'userSettings', behavior: 'allow' })
})

test('merging: values by precedence, lists joined, variables one by one, hooks of all', async () => {
  using at = createTestSettings()
  const hook = (command: string) => ({ hooks: [{ type: 'command' as const, command }] })
  at.write('userSettings', {
    permissions: { allow: ['Read', 'Bash(a)'], additionalDirectories: ['~/x', '/y/'] },
    env: { A: 'user', B: 'user' },
    hooks: { Stop: [hook('user')] },
    sandbox: { enabled: true, network: { allowedDomains: ['a.example'] }, ripgrep: { command: 'rg', args: ['-x'] } },
  })
  at.write('projectSettings', {
    permissions: { allow: ['Read', 'Bash(b)'], deny: ['Edit(x)'], additionalDirectories: ['z'] },
    env: { B: 'project' },
    hooks: { Stop: [hook('project')], PreToolUse: [hook('guard')] },
  })
  const flag = JSON.stringify({
    sandbox: { network: { allowedDomains: ['b.example'] }, ripgrep: { command: 'other' } },
  })
  const { merged, problems } = await at.load({ flag })
  assert.deepEqual(problems, [])
  assert.deepEqual(merged, {
    permissions: {
      allow: ['Read', 'Bash(b)', 'Bash(a)'],
      deny: ['Edit(x)'],
      additionalDirectories: [join(at.cwd, 'z'), join(at.home, 'x'), '/y'],
    },
    env: { A: 'user', B: 'project' },
    hooks: { Stop: [hook('project'), hook('user')], PreToolUse: [hook('guard')] },
    sandbox: { enabled: true, network: { allowedDomains: ['b.example', 'a.example'] }, ripgrep: { command: 'other' } },
  })
})

test('--settings: JSON or a file; what can not be used refuses the start', async () => {
  using at = createTestSettings()
  const json = await at.load({ flag: ' {"model": "x", "permissions": {"deny": ["Read(/x)"]}}' })
  assert.deepEqual(
    json.layers.map(({ source, file, root }) => [source, file, root]),
    [['flagSettings', '--settings', at.cwd]],
  )
  const refused = async (flag: string) => settingsProblemMessages(await at.load({ flag }))
  assert.deepEqual(await refused('{"model": }'), [
    "refuse this is not JSON: this isn't a JSON value. Its deny and ask rules can't be known. Repair or remove the file.",
  ])
  const missing = join(at.cwd, 'no.json')
  assert.deepEqual(await refused('no.json'), [
    `refuse ${missing}: does not exist. --settings needs JSON or the path of a file.`,
  ])
  assert.deepEqual(await refused(''), [`refuse ${at.cwd}: is not a file, so its deny and ask rules can't be known.`])
  const empty = at.write('flagSettings', '')
  assert.deepEqual(await refused(empty), [`note ${empty}: is empty. Nothing is set by it.`])
  const list = at.write('flagSettings', '[]')
  assert.deepEqual(await refused(list), ['refuse settings are an object {…}.'])
})

test('a local file is the repository’s unless it is known to be the user’s', async () => {
  using at = createTestSettings()
  const content = { permissions: { defaultMode: 'acceptEdits' as const }, env: { HTTPS_PROXY: 'x' } }
  const file = at.write('localSettings', content)
  const asked: string[] = []
  const isOwnFile = (answer: boolean) => async (path: string, text: string) => {
    asked.push(path, text)
    return answer
  }
  assert.deepEqual((await at.load()).merged, { permissions: {}, env: {} })
  assert.deepEqual((await at.load({ isOwnFile: isOwnFile(false) })).merged, { permissions: {}, env: {} })
  const own = await at.load({ isOwnFile: isOwnFile(true) })
  const { permissions } = content
  assert.deepEqual([own.merged, own.layers[0]?.repository], [{ permissions, env: {} }, false])
  // Where connections go, no file in the folder says, whoever wrote it.
  assert.deepEqual(settingsProblemMessages(own), [
    'warning env.HTTPS_PROXY is not used: no file in a project can set it, because it leads connections through a proxy. Put it into your user settings or the environment.',
  ])
  assert.deepEqual(asked, [file, JSON.stringify(content), file, JSON.stringify(content)])
  // Before trust it makes no difference, and where nothing would be left out nobody asks.
  assert.deepEqual((await at.load({ trusted: false, isOwnFile: isOwnFile(true) })).merged, { permissions: {} })
  at.write('localSettings', { model: 'x' })
  await at.load({ isOwnFile: isOwnFile(true) })
  assert.equal(asked.length, 4)
})

test('in the home folder the user’s file is not the project’s as well', async () => {
  using at = createTestSettings()
  at.write('userSettings', { apiKeyHelper: 'x', permissions: { allow: ['Read'] } })
  const { layers, merged, problems } = await at.load({ cwd: at.home })
  assert.deepEqual(
    layers.map(({ source }) => source),
    ['userSettings'],
  )
  assert.deepEqual([merged, problems], [{ apiKeyHelper: 'x', permissions: { allow: ['Read'] } }, []])
})

test('a sandbox that only a repository turned on does not do away with questions', async () => {
  using at = createTestSettings()
  at.write('projectSettings', { sandbox: { enabled: true } })
  assert.deepEqual((await at.load()).merged, { sandbox: { enabled: true, autoAllowBashIfSandboxed: false } })
  at.write('userSettings', { sandbox: { autoAllowBashIfSandboxed: true } })
  assert.deepEqual((await at.load()).merged, { sandbox: { enabled: true, autoAllowBashIfSandboxed: true } })
  at.write('userSettings', { sandbox: { enabled: true } })
  assert.deepEqual((await at.load()).merged, { sandbox: { enabled: true } })
})

test('an administrator can name the only hosts', async () => {
  using at = createTestSettings()
  at.write('userSettings', { sandbox: { enabled: true, network: { allowedDomains: ['a.example'] } } })
  at.write('managedSettings', {
    sandbox: { network: { allowManagedDomainsOnly: true, allowedDomains: ['b.example'] } },
  })
  const network = { allowManagedDomainsOnly: true, allowedDomains: ['b.example'] }
  assert.deepEqual((await at.load()).merged, { sandbox: { enabled: true, network } })
  at.write('managedSettings', { sandbox: { network: { allowManagedDomainsOnly: true } } })
  assert.deepEqual((await at.load()).merged, {
    sandbox: { enabled: true, network: { ...network, allowedDomains: [] } },
  })
})

test('an administrator can leave hooks and permissions to managed settings alone', async () => {
  using at = createTestSettings()
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] }
  at.write('userSettings', { hooks, permissions: { allow: ['Read'], deny: ['Edit'] }, model: 'x' })
  at.write('managedSettings', {
    allowManagedHooksOnly: true,
    allowManagedPermissionRulesOnly: true,
    permissions: { allow: ['Bash'] },
  })
  const { merged } = await at.load({
    flag: JSON.stringify({ hooks, permissions: { allow: ['Write'], ask: ['WebFetch'] } }),
  })
  assert.deepEqual(merged, {
    allowManagedHooksOnly: true,
    allowManagedPermissionRulesOnly: true,
    permissions: { allow: ['Bash'], deny: ['Edit'], ask: ['WebFetch'] },
    model: 'x',
  })
})

test('several managed files, the first one highest', async () => {
  using at = createTestSettings()
  const second = at.write('flagSettings', { model: 'second', outputStyle: 'second' })
  at.write('managedSettings', { model: 'first' })
  const { merged } = await at.load({ managed: [at.managed, second] })
  assert.deepEqual(merged, { model: 'first', outputStyle: 'second' })
})

test('the root of the disk among the user’s folders is used, and warned about', async () => {
  using at = createTestSettings()
  for (const root of ['/', '//', '/tmp/..']) {
    at.write('userSettings', { permissions: { additionalDirectories: [root] } })
    const { merged, problems } = await at.load()
    assert.deepEqual(merged.permissions?.additionalDirectories, ['/'])
    assert.deepEqual(
      problems.map(({ severity }) => severity),
      ['warning'],
    )
    assert.match(problems[0]?.message ?? '', /additionalDirectories names the root of the disk/)
  }
})

test('a project opens no folder outside of it, by whatever name; the user’s own files do', async () => {
  using at = createTestSettings()
  const outside = dirname(at.cwd)
  mkdirSync(join(at.cwd, 'sub'), { recursive: true })
  symlinkSync(outside, join(at.cwd, 'link'))
  const additionalDirectories = ['/', '..', 'sub', join(at.cwd, 'link')]
  at.write('projectSettings', { permissions: { additionalDirectories } })
  const { merged, problems } = await at.load({ trusted: true })
  assert.deepEqual(merged.permissions?.additionalDirectories, [join(at.cwd, 'sub')])
  assert.match(
    problems[0]?.message ?? '',
    /additionalDirectories: \/, .*link is outside of the project and not used\. Name it/,
  )
  rmSync(at.path('projectSettings'))
  at.write('localSettings', { permissions: { additionalDirectories: ['..'] } })
  const local = await at.load({ trusted: true })
  assert.deepEqual(local.merged.permissions?.additionalDirectories, [])
  at.write('userSettings', { permissions: { additionalDirectories: ['/'] } })
  assert.deepEqual((await at.load()).merged.permissions?.additionalDirectories, ['/'])
})

test('files that can not be read as text', async () => {
  using at = createTestSettings()
  const file = at.path('userSettings')
  mkdirSync(dirname(file), { recursive: true })
  const said = async () => settingsProblemMessages(await at.load())
  const expect = async (why: string) =>
    assert.deepEqual(await said(), [`refuse ${file}: ${why}, so its deny and ask rules can't be known.`])
  mkdirSync(file)
  await expect('is not a file')
  rmSync(file, { recursive: true })
  writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]))
  await expect('is not UTF-8 text')
  writeFileSync(file, Buffer.from('\ufeff{}', 'utf16le'))
  await expect('is not UTF-8 text')
  writeFileSync(file, `{}${' '.repeat(1024 * 1024)}`)
  await expect('is larger than 1048576 bytes')
  rmSync(file)
  symlinkSync('nowhere', file)
  await expect('is a link that leads nowhere')
  rmSync(file)
  symlinkSync(file, file)
  await expect("can't be read (ELOOP)")
  rmSync(file)
  symlinkSync('/dev/zero', file)
  await expect('is not a file')
})

test('where administrators put settings', () => {
  assert.equal(managedSettingsPath('linux'), '/etc/claude-code/managed-settings.json')
  assert.equal(managedSettingsPath('darwin'), '/Library/Application Support/ClaudeCode/managed-settings.json')
  assert.equal(managedSettingsPath('win32'), 'C:\\Program Files\\ClaudeCode\\managed-settings.json')
})
