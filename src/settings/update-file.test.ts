import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import { ownerProcessChecker } from '../platform/processes/owner-process.js'
import type { PermissionUpdate, PermissionUpdateDestination } from '../protocol/permission-types.js'
import { isSavedInFile } from './settings-paths.js'
import { createTestSettings, type TestSettings } from './test-settings.js'
import { type SettingsFileUpdatePorts, updateSettingsFile } from './update-file.js'

const FILES = ['localSettings', 'projectSettings', 'userSettings'] as const

function allow(...contents: string[]): PermissionUpdate {
  const rules = contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent }))
  return { type: 'addRules', behavior: 'allow', rules, destination: 'localSettings' }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

async function save(at: TestSettings, ...updates: PermissionUpdate[]) {
  return updateSettingsFile('localSettings', updates, at.ports)
}

test('every kind of update ends in the file, and the loader reads it back', async () => {
  for (const source of FILES) {
    using at = createTestSettings()
    const run = async (...updates: PermissionUpdate[]) => {
      const outcome = await updateSettingsFile(source, updates, at.ports)
      const mode = source === 'projectSettings' && updates.some(({ type }) => type === 'setMode')
      const warning = 'Project settings can not set the permission mode. Save it to local or user settings.'
      assert.deepEqual(outcome, { ok: true, changed: true, ...(mode && { warning }) })
      return readJson(at.path(source))
    }
    const about = { behavior: 'allow', destination: source } as const
    const bash = (ruleContent: string) => ({ toolName: 'Bash', ruleContent })
    assert.deepEqual(
      await run({ type: 'addRules', ...about, rules: [bash('a'), bash('b (c)'), { toolName: 'Read' }] }),
      {
        permissions: { allow: ['Bash(a)', 'Bash(b \\(c\\))', 'Read'] },
      },
    )
    assert.deepEqual(await run({ type: 'removeRules', ...about, rules: [bash('b (c)')] }), {
      permissions: { allow: ['Bash(a)', 'Read'] },
    })
    assert.deepEqual(await run({ type: 'replaceRules', ...about, rules: [{ toolName: 'Read' }, bash('z')] }), {
      permissions: { allow: ['Read', 'Bash(z)'] },
    })
    const directories = ['/shared', '/other/']
    const changes: PermissionUpdate[] = [
      { type: 'addRules', behavior: 'deny', destination: source, rules: [bash('rm *')] },
      { type: 'setMode', mode: 'plan', destination: source },
      { type: 'addDirectories', directories, destination: source },
    ]
    assert.deepEqual(await run(...changes), {
      permissions: {
        allow: ['Read', 'Bash(z)'],
        deny: ['Bash(rm *)'],
        defaultMode: 'plan',
        additionalDirectories: ['/shared', '/other'],
      },
    })
    await run({ type: 'removeDirectories', directories: ['/shared/'], destination: source })
    const { merged } = await at.load({ isOwnFile: async () => true })
    assert.deepEqual(merged.permissions, {
      allow: ['Read', 'Bash(z)'],
      deny: ['Bash(rm *)'],
      // What came with a folder neither sets the mode nor leaves it.
      ...(source === 'projectSettings'
        ? { additionalDirectories: [] }
        : { defaultMode: 'plan', additionalDirectories: ['/other'] }),
    })
  }
})

test('what is there already is not written again', async () => {
  using at = createTestSettings()
  const file = at.write(
    'localSettings',
    '{"permissions":{"allow":["Bash(*)","Bash(ls:*)"],"additionalDirectories":["sub"]}}',
  )
  const before = statSync(file).ino
  const bare: PermissionUpdate = {
    type: 'addRules',
    behavior: 'allow',
    rules: [{ toolName: 'Bash' }],
    destination: 'localSettings',
  }
  const directory: PermissionUpdate = {
    type: 'addDirectories',
    directories: [join(at.cwd, 'sub')],
    destination: 'localSettings',
  }
  assert.deepEqual(await save(at, bare, allow('ls:*'), directory), { ok: true, changed: false })
  assert.equal(statSync(file).ino, before)
})

test('removing from a file that is not there makes none', async () => {
  using at = createTestSettings()
  const remove: PermissionUpdate = {
    type: 'removeRules',
    behavior: 'allow',
    rules: [{ toolName: 'Bash' }],
    destination: 'localSettings',
  }
  assert.deepEqual(await save(at, remove), { ok: true, changed: false })
  assert.deepEqual(readdirSync(at.cwd), [])
})

test('everything else in the file stays byte for byte', async () => {
  using at = createTestSettings()
  const text =
    '{\r\n\t"zeta": 1.0,\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Read"\r\n\t\t]\r\n\t},\r\n\t"alpha": "\\u00e9"\r\n}\r\n'
  const file = at.write('localSettings', text)
  assert.deepEqual(await save(at, allow('x')), { ok: true, changed: true })
  assert.equal(readFileSync(file, 'utf8'), text.replace('"Read"', '"Read",\r\n\t\t\t"Bash(x)"'))
})

test('comments stay; that such a file is not used is said', async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', '{\n  // mine\n  "model": "x"\n}\n')
  assert.deepEqual(await save(at, allow('x')), {
    ok: true,
    changed: true,
    warning: `${file} is not used as long as it is not JSON: line 2: JSON has no comments.`,
  })
  assert.match(readFileSync(file, 'utf8'), /\/\/ mine\n {2}"model": "x",\n {2}"permissions": \{/)
})

test('modes: the user’s own file is private, others are as usual, and a mode that is there stays', {
  skip: process.platform === 'win32',
}, async () => {
  using at = createTestSettings()
  const mode = (path: string) => statSync(path).mode & 0o777
  const usual = 0o666 & ~process.umask()
  for (const source of FILES) await updateSettingsFile(source, [allow('x')], at.ports)
  assert.deepEqual(
    FILES.map((source) => mode(at.path(source))),
    [usual, usual, 0o600],
  )
  assert.deepEqual([mode(join(at.cwd, '.claude')), mode(at.configDir)], [0o777 & ~process.umask(), 0o700])
  chmodSync(at.path('localSettings'), 0o640)
  await save(at, allow('y'))
  assert.equal(mode(at.path('localSettings')), 0o640)
})

test('a broken file is reported, not overwritten', async () => {
  using at = createTestSettings()
  const cases: [string, string][] = [
    ['{"permissions": ', "the file can't be changed as it is, in line 1, column 17: the text ends too early"],
    ['{\n"permissions": []}', "the file can't be changed as it is, in line 2, column 16: permissions is not an object"],
    ['[]', "the file can't be changed as it is, in line 1, column 1: the file is not an object"],
    [
      '{"permissions":{},"permissions":{}}',
      "the file can't be changed as it is, in line 1, column 19: permissions is there more than once",
    ],
  ]
  for (const [text, why] of cases) {
    const file = at.write('localSettings', text)
    const message = `The permission rule was not saved to ${file}: ${why}. It holds for this session only.`
    assert.deepEqual(await save(at, allow('x')), { ok: false, message })
    assert.equal(readFileSync(file, 'utf8'), text)
  }
  const file = at.write('localSettings', Buffer.from([0x7b, 0xff]).toString('latin1'))
  writeFileSync(file, Buffer.from([0x7b, 0xff]))
  const outcome = await save(at, allow('x'))
  assert.match(outcome.ok ? '' : outcome.message, /: it is not UTF-8 text\. /)
})

test('updates of any form are all saved or none', async () => {
  using at = createTestSettings()
  const wrong: unknown[] = [
    null,
    {},
    { type: 'nope' },
    { type: 'addRules', behavior: 'allow', rules: [{ toolName: '*' }] },
    { type: 'addRules', behavior: 'allow', rules: [{ toolName: 5 }] },
    { type: 'addRules', behavior: 'allow', rules: 'Bash' },
    { type: 'addRules', behavior: '__proto__', rules: [{ toolName: 'Bash' }] },
    { type: 'setMode', mode: 'auto' },
    { type: 'addDirectories', directories: [7] },
  ]
  for (const update of wrong) {
    const updates = [allow('x'), update] as PermissionUpdate[]
    assert.equal((await updateSettingsFile('localSettings', updates, at.ports)).ok, false)
  }
  assert.deepEqual(readdirSync(at.cwd), [])
})

describe('links', { skip: process.platform === 'win32' }, () => {
  const outside = (at: TestSettings) => join(at.cwd, '..', 'outside')

  test('a file or folder that leads out of the project is not written through', async () => {
    using at = createTestSettings()
    mkdirSync(outside(at))
    const target = join(outside(at), 'settings.local.json')
    writeFileSync(target, '{}')
    mkdirSync(join(at.cwd, '.claude'))
    symlinkSync(target, at.path('localSettings'))
    symlinkSync(outside(at), join(at.cwd, 'elsewhere'))
    const message = `The permission rule was not saved to ${at.path('localSettings')}: it is a link that leads elsewhere. It holds for this session only.`
    assert.deepEqual(await save(at, allow('x')), { ok: false, message })
    assert.equal(readFileSync(target, 'utf8'), '{}')
  })

  test('nor a folder', async () => {
    using at = createTestSettings()
    mkdirSync(outside(at))
    symlinkSync(outside(at), join(at.cwd, '.claude'))
    assert.equal((await save(at, allow('x'))).ok, false)
    assert.deepEqual(readdirSync(outside(at)), [])
  })

  test('one that leads nowhere makes no file', async () => {
    using at = createTestSettings()
    mkdirSync(join(at.cwd, '.claude'))
    symlinkSync(join(at.cwd, 'nowhere.json'), at.path('localSettings'))
    assert.equal((await save(at, allow('x'))).ok, false)
    assert.equal(existsSync(join(at.cwd, 'nowhere.json')), false)
  })

  test('links inside the project, and of the user’s own file inside home, stay links', async () => {
    using at = createTestSettings()
    for (const [source, target] of [
      ['localSettings', join(at.cwd, 'config', 'mine.json')],
      ['userSettings', join(at.home, 'dotfiles', 'mine.json')],
    ] as const) {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, '{}')
      mkdirSync(dirname(at.path(source)), { recursive: true })
      symlinkSync(target, at.path(source))
      assert.deepEqual(await updateSettingsFile(source, [allow('x')], at.ports), { ok: true, changed: true })
      assert.deepEqual(readJson(target), { permissions: { allow: ['Bash(x)'] } })
      assert.deepEqual(readJson(at.path(source)), { permissions: { allow: ['Bash(x)'] } })
    }
  })

  test('the working directory itself may be a link', async () => {
    using at = createTestSettings()
    const cwd = join(at.home, 'link')
    symlinkSync(at.cwd, cwd)
    const ports = { ...at.ports, folders: { ...at.ports.folders, cwd } }
    assert.deepEqual(await updateSettingsFile('localSettings', [allow('x')], ports), { ok: true, changed: true })
    assert.ok(existsSync(at.path('localSettings')))
  })
})

test('many writers at the same time: no rule is lost and no file is left over', async () => {
  using at = createTestSettings()
  const names = Array.from({ length: 20 }, (_, index) => `r${index}`)
  const outcomes = await Promise.all(names.map((name) => save(at, allow(name))))
  assert.deepEqual(new Set(outcomes.map((outcome) => outcome.ok && outcome.changed)), new Set([true]))
  const { merged } = await at.load()
  assert.deepEqual([...(merged.permissions?.allow ?? [])].sort(), names.map((name) => `Bash(${name})`).sort())
  assert.deepEqual(readdirSync(join(at.cwd, '.claude')), ['settings.local.json'])
})

test('a lock whose holder is gone is taken over', async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', '{}')
  writeFileSync(`${file}.lock`, '')
  const long = new Date(Date.now() - 60_000)
  utimesSync(`${file}.lock`, long, long)
  assert.deepEqual(await save(at, allow('x')), { ok: true, changed: true })
  assert.deepEqual(readdirSync(dirname(file)), ['settings.local.json'])
})

test('a lock that is held stays, and is not waited for without end', async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', '{}')
  writeFileSync(`${file}.lock`, JSON.stringify({ ...ownerProcessChecker.own(), token: 'another' }))
  let now = Date.now()
  const clock = {
    ...nodeClock,
    now: () => now,
    sleep: async () => {
      now += 1000
    },
  }
  assert.deepEqual(await updateSettingsFile('localSettings', [allow('x')], { ...at.ports, clock }), {
    ok: true,
    changed: true,
  })
  assert.deepEqual(readdirSync(dirname(file)).sort(), ['settings.local.json', 'settings.local.json.lock'])
})

test('a link that takes the place of the file while we work is not followed', {
  skip: process.platform === 'win32',
}, async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', '{}')
  const target = at.write('userSettings', '{"model": "mine"}')
  let turns = 0
  const files: SettingsFileUpdatePorts['files'] = {
    ...nodeFiles,
    createSync(path, content) {
      nodeFiles.createSync(path, content)
      // The lock is taken, the place was found.
      turns += 1
      rmSync(file)
      symlinkSync(target, file)
    },
  }
  assert.equal((await updateSettingsFile('localSettings', [allow('x')], { ...at.ports, files })).ok, false)
  assert.deepEqual([turns, readFileSync(target, 'utf8')], [1, '{"model": "mine"}'])
})

test('who writes between our reading and our writing is not overwritten', async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', { model: 'a' })
  let turns = 0
  const files: SettingsFileUpdatePorts['files'] = {
    ...nodeFiles,
    async replace(path, content, mode, expected) {
      turns += 1
      if (turns === 1) writeFileSync(file, '{"model": "somebody else"}')
      return nodeFiles.replace(path, content, mode, expected)
    },
  }
  assert.deepEqual(await updateSettingsFile('localSettings', [allow('x')], { ...at.ports, files }), {
    ok: true,
    changed: true,
  })
  assert.deepEqual(readJson(file), { model: 'somebody else', permissions: { allow: ['Bash(x)'] } })
  assert.equal(turns, 2)
})

test('who never stops writing is told of', async () => {
  using at = createTestSettings()
  const file = at.write('localSettings', '{}')
  let turns = 0
  const files: SettingsFileUpdatePorts['files'] = {
    ...nodeFiles,
    async replace(path, content, mode, expected) {
      turns += 1
      writeFileSync(file, JSON.stringify({ model: `${'x'.repeat(turns)}` }))
      return nodeFiles.replace(path, content, mode, expected)
    },
  }
  const outcome = await updateSettingsFile('localSettings', [allow('x')], { ...at.ports, files })
  assert.match(outcome.ok ? '' : outcome.message, /other programs keep changing it\./)
})

test('which destinations are files', () => {
  const all: PermissionUpdateDestination[] = ['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg']
  assert.deepEqual(all.filter(isSavedInFile), ['userSettings', 'projectSettings', 'localSettings'])
})
