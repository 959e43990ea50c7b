import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  isSettingsFileOfUser,
  readRememberedSettingsOwnership,
  rememberSettingsOwnership,
} from './settings-file-owner.js'
import { ownSettingsListPath, settingsPath } from './settings-paths.js'
import { createTestSettings, type TestSettings } from './test-settings.js'
import { findUnconfirmedLocalSettings } from './unconfirmed-local-settings.js'
import { updateSettingsFile } from './update-file.js'

const portsOf = (at: TestSettings) => ({ ...at.ports, configDir: at.configDir, home: at.home })
const MODE = '{"permissions": {"defaultMode": "acceptEdits"}}'
const setMode = { type: 'setMode', mode: 'acceptEdits', destination: 'localSettings' } as const
const addRule = {
  ...({ type: 'addRules', behavior: 'allow', destination: 'localSettings' } as const),
  rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
}

test('nothing in a folder makes a file the user’s own: not git, not its owner, not a mark of its own', async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', MODE)
  const ports = portsOf(at)
  assert.equal(await isSettingsFileOfUser(file, MODE, ports), false)
  // It passed for the user's, since git does not track it.
  execFileSync('git', ['init', '-q'], { cwd: at.cwd, stdio: 'pipe' })
  assert.equal(await isSettingsFileOfUser(file, MODE, ports), false)
  assert.equal(await rememberSettingsOwnership({ path: file, text: MODE, own: true }, ports), undefined)
  assert.equal(await isSettingsFileOfUser(file, MODE, ports), true)
  // The same mark, brought along by the folder it speaks for.
  const inside = join(at.cwd, 'config')
  mkdirSync(inside)
  renameSync(ownSettingsListPath(at.configDir), ownSettingsListPath(inside))
  assert.equal(await isSettingsFileOfUser(file, MODE, { ...ports, configDir: inside }), false)
  assert.equal(await isSettingsFileOfUser(file, MODE, { ...ports, configDir: 'config' }), false)
  symlinkSync(ownSettingsListPath(inside), ownSettingsListPath(at.configDir))
  assert.equal(await isSettingsFileOfUser(file, MODE, ports), false)
})

test('a mark is for one place and one content', async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', MODE)
  const ports = portsOf(at)
  await rememberSettingsOwnership({ path: file, text: MODE, own: true }, ports)
  assert.equal(await isSettingsFileOfUser(file, `${MODE}\n`, ports), false)
  const other = join(at.home, 'other')
  cpSync(at.cwd, other, { recursive: true })
  const copy = settingsPath('localSettings', { ...ports, cwd: other })
  assert.equal(await isSettingsFileOfUser(copy, MODE, ports), false)
  // Both can be the user's, and what the user said last holds.
  await rememberSettingsOwnership({ path: copy, text: MODE, own: true }, ports)
  assert.deepEqual(
    [await isSettingsFileOfUser(copy, MODE, ports), await isSettingsFileOfUser(file, MODE, ports)],
    [true, true],
  )
  await rememberSettingsOwnership({ path: copy, text: MODE, own: false }, ports)
  assert.deepEqual(
    [
      await readRememberedSettingsOwnership(copy, MODE, ports),
      await readRememberedSettingsOwnership(file, MODE, ports),
    ],
    [false, true],
  )
  await rememberSettingsOwnership({ path: copy, text: '{}', own: true }, ports)
  assert.deepEqual(
    [
      await readRememberedSettingsOwnership(copy, MODE, ports),
      await readRememberedSettingsOwnership(copy, '{}', ports),
    ],
    [undefined, true],
  )
})

test('a link does not lend one project the file of another', { skip: process.platform === 'win32' }, async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', MODE)
  const ports = portsOf(at)
  await rememberSettingsOwnership({ path: file, text: MODE, own: true }, ports)
  const evil = join(at.home, 'evil')
  mkdirSync(evil)
  symlinkSync(dirname(file), join(evil, '.claude'))
  const through = settingsPath('localSettings', { ...ports, cwd: evil })
  assert.equal(await isSettingsFileOfUser(through, MODE, ports), false)
  assert.equal(await rememberSettingsOwnership({ path: through, text: MODE, own: true }, ports), `${through} is a link`)
  rmSync(join(evil, '.claude'))
  mkdirSync(join(evil, '.claude'))
  symlinkSync(file, through)
  assert.equal(await isSettingsFileOfUser(through, MODE, ports), false)
  // Another way to the same project is the same project.
  symlinkSync(at.cwd, join(at.home, 'link'))
  assert.equal(
    await isSettingsFileOfUser(settingsPath('localSettings', { ...ports, cwd: join(at.home, 'link') }), MODE, ports),
    true,
  )
})

test('what others can write, or nobody can read, is nobody’s word', {
  skip: process.platform === 'win32',
}, async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', MODE)
  const ports = portsOf(at)
  const marks = ownSettingsListPath(at.configDir)
  await rememberSettingsOwnership({ path: file, text: MODE, own: true }, ports)
  const written = readFileSync(marks, 'utf8')
  chmodSync(marks, 0o620)
  assert.equal(await isSettingsFileOfUser(file, MODE, ports), false)
  assert.match(
    (await rememberSettingsOwnership({ path: file, text: MODE, own: true }, ports)) ?? '',
    /others can write it/,
  )
  chmodSync(marks, 0o600)
  assert.equal(await isSettingsFileOfUser(file, MODE, ports), true)
  assert.equal(await isSettingsFileOfUser(file, MODE, { ...ports, uid: 4711 }), false)
  for (const broken of ['', '[]', '{}', '{"files": []}x', '{"files": 1}', '{"files": {"x": 1}}', 'null']) {
    writeFileSync(marks, broken)
    assert.equal(await isSettingsFileOfUser(file, MODE, ports), false, broken)
    assert.match(
      (await rememberSettingsOwnership({ path: file, text: MODE, own: true }, ports)) ?? '',
      /not in its own form/,
      broken,
    )
  }
  writeFileSync(marks, written)
  assert.equal(await isSettingsFileOfUser(file, MODE, ports), true)
})

test('of very many files the oldest are forgotten', async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', MODE)
  const ports = portsOf(at)
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`/f${i}`, { sha256: 'x', own: true }]))
  mkdirSync(at.configDir, { recursive: true })
  writeFileSync(ownSettingsListPath(at.configDir), JSON.stringify({ files: many }), { mode: 0o600 })
  assert.equal(await rememberSettingsOwnership({ path: file, text: MODE, own: true }, ports), undefined)
  const names = Object.keys(JSON.parse(readFileSync(ownSettingsListPath(at.configDir), 'utf8')).files)
  assert.deepEqual([names.length, names[0], names.at(-1)], [500, '/f1', file])
})

test('what Kedge saved is the user’s own, until somebody else changes it', async () => {
  using at = createTestSettings()
  const ports = portsOf(at)
  const file = at.path('localSettings')
  const own = async () => isSettingsFileOfUser(file, readFileSync(file, 'utf8'), ports)
  assert.deepEqual(await updateSettingsFile('localSettings', [setMode], ports), { ok: true, changed: true })
  assert.equal(await own(), true)
  assert.deepEqual(await updateSettingsFile('localSettings', [addRule], ports), { ok: true, changed: true })
  assert.equal(await own(), true)
  const isOwn = (path: string, text: string) => isSettingsFileOfUser(path, text, ports)
  assert.equal((await at.load({ isOwnFile: isOwn })).merged.permissions?.defaultMode, 'acceptEdits')
  writeFileSync(file, MODE.replace('acceptEdits', 'bypassPermissions'))
  assert.equal((await at.load({ isOwnFile: isOwn })).merged.permissions?.defaultMode, undefined)
})

test('a rule that is added to what came with the folder does not make that the user’s own', async () => {
  using at = createTestSettings()
  const ports = portsOf(at)
  const file = at.write('localSettings', MODE)
  assert.deepEqual(await updateSettingsFile('localSettings', [addRule], ports), { ok: true, changed: true })
  assert.equal(await isSettingsFileOfUser(file, readFileSync(file, 'utf8'), ports), false)
  const why = 'may have come with the folder, so it can not set the permission mode. Save it to user settings'
  const plan = { ...setMode, mode: 'plan' } as const
  assert.deepEqual(await updateSettingsFile('localSettings', [plan], ports), {
    ok: true,
    changed: true,
    warning: `${file} ${why}.`,
  })
})

test('a mode that is saved where nothing can be remembered says so', async () => {
  using at = createTestSettings()
  writeFileSync(at.configDir, 'no folder')
  const saved = await updateSettingsFile('localSettings', [addRule], portsOf(at))
  assert.deepEqual(saved, { ok: true, changed: true })
  rmSync(at.path('localSettings'))
  const mode = await updateSettingsFile('localSettings', [setMode], portsOf(at))
  assert.match(
    (mode.ok && mode.warning) || '',
    /is not remembered as your own, so a permission mode in it is not used: /,
  )
})

test('the user is asked about what only the user’s own file may set, once for each content', async () => {
  using at = createTestSettings()
  const ports = portsOf(at)
  const keys = async () => (await findUnconfirmedLocalSettings(at.cwd, ports))?.keys
  assert.equal(await keys(), undefined)
  at.write('localSettings', { model: 'x', permissions: { allow: ['Bash', 'no rule ('] } })
  assert.equal(await keys(), undefined, 'what a trusted repository sets anyway')
  at.write('localSettings', {
    env: { HTTPS_PROXY: 'x' },
    apiKeyHelper: 'x',
    sandbox: { network: { httpProxyPort: 1 } },
  })
  assert.equal(await keys(), undefined, 'what no answer would change')
  at.write('localSettings', {
    env: { PATH: 'x' },
    sandbox: { enabled: false, excludedCommands: ['x'] },
    ...JSON.parse(MODE),
  })
  assert.deepEqual(await keys(), ['sandbox.enabled', 'sandbox.excludedCommands', 'permissions.defaultMode'])
  for (const own of [true, false]) {
    const found = await findUnconfirmedLocalSettings(at.cwd, ports)
    assert.ok(found)
    await rememberSettingsOwnership({ ...found, own }, ports)
    assert.equal(await keys(), undefined)
    at.write('localSettings', `${found.text} `)
    assert.equal((await keys())?.length, 3)
  }
})
