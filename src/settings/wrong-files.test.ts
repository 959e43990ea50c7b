/** Settings files that are wrong, each way in detail. Sessions with such files: `test/badinput/settings.test.ts`. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import type { SettingsSource } from './setting-problems.js'
import { createTestSettings, parseTestSettings, settingsProblemMessages } from './test-settings.js'
import { updateSettingsFile } from './update-file.js'

const update: PermissionUpdate = {
  type: 'addRules',
  behavior: 'allow',
  destination: 'localSettings',
  rules: [{ toolName: 'Bash', ruleContent: 'x' }],
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: it failed`), { code })
}

describe('settings files that are wrong', () => {
  test('an empty file: defaults and a note', async () => {
    for (const text of ['', '\n  \n', '\ufeff', '// nothing yet']) {
      using at = createTestSettings()
      const file = at.write('projectSettings', text)
      at.write('userSettings', { permissions: { allow: ['Read'] } })
      const loaded = await at.load()
      assert.deepEqual(loaded.merged, { permissions: { allow: ['Read'] } })
      assert.deepEqual(settingsProblemMessages(loaded), [`note ${file}: is empty. Nothing is set by it.`])
    }
  })

  test('not JSON, but all of it can be told: the file only narrows, the line is named', async () => {
    const rules = '"permissions": {"allow": ["Bash"], "deny": ["Read(x)"], "defaultMode": "acceptEdits"}'
    const cases: [string, number, number, string][] = [
      [`{\n  ${rules},\n}`, 2, 88, 'a comma stands before the }'],
      [`{\n  // why\n  ${rules}\n}`, 2, 3, 'JSON has no comments'],
      [`\ufeff{${rules}}`, 1, 1, 'it starts with a byte order mark'],
    ]
    for (const [text, line, column, reason] of cases) {
      using at = createTestSettings()
      const file = at.write('localSettings', text)
      const own = { allow: ['Edit'], deny: ['Bash(rm *)'], defaultMode: 'acceptEdits' }
      at.write('userSettings', { permissions: own, model: 'm' })
      const { merged, problems } = await at.load()
      assert.deepEqual(problems, [
        {
          severity: 'warning',
          source: 'localSettings',
          file,
          line,
          column,
          message: `${file}:${line}:${column}: this is not JSON: ${reason}. The file is not used, except where it narrows: deny and ask rules, sandbox.`,
        },
      ])
      assert.deepEqual(merged, { permissions: { ...own, deny: ['Read(x)', 'Bash(rm *)'] }, model: 'm' }, text)
    }
  })

  test('deny rules may be missing: the start is refused, in every source, naming the place', async () => {
    const inner = 'a line break or control character stands inside quotes'
    const cases: [string, number, number, string][] = [
      ['{"permissions": {"deny": ["Read(x)"]}\n  "model": "x"}', 2, 3, 'a comma is missing'],
      ['{\n"model": "x,\n"permissions": {}}', 2, 13, inner],
      ['{"permissions": {"deny": ["Read(x)"]}, "env": {"A": ', 1, 53, 'the text ends too early'],
      ['nonsense', 1, 1, "this isn't a JSON value"],
    ]
    const sources = ['userSettings', 'projectSettings', 'localSettings', 'managedSettings'] as const
    for (const [text, line, column, reason] of cases) {
      for (const source of sources) {
        for (const trusted of [true, false]) {
          using at = createTestSettings()
          const file = at.write(source, text)
          const [problem, ...others] = (await at.load({ trusted })).problems
          assert.deepEqual(others, [])
          assert.deepEqual([problem?.severity, problem?.line, problem?.column], ['refuse', line, column], source)
          assert.ok(
            problem?.message.startsWith(`${file}:${line}:${column}: this is not JSON: ${reason}. `),
            problem?.message,
          )
        }
      }
    }
    for (const source of sources) {
      using at = createTestSettings()
      at.write(source, '[]')
      assert.match(settingsProblemMessages(await at.load()).join(), /^refuse settings are an object/)
    }
  })

  test('what guards is not lost with the rest of the file', () => {
    const sandbox = { enabled: true, excludedCommands: ['docker'], allowUnsandboxedCommands: false }
    const permissions = { disableBypassPermissionsMode: 'disable', ask: ['Bash'] }
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'guard' }] }] }
    const broken = (content: object) => `// c\n${JSON.stringify(content)}`
    assert.deepEqual(parseTestSettings(broken({ sandbox, permissions })).settings, {
      sandbox: { enabled: true, allowUnsandboxedCommands: false },
      permissions,
    })
    const text = "refuse hooks.PreToolUse can't be left out. Repair the file."
    assert.deepEqual(settingsProblemMessages(parseTestSettings(broken({ hooks })))[1], text)
    const untrusted = { source: 'projectSettings', repository: { trusted: false } } as const
    assert.equal(settingsProblemMessages(parseTestSettings(broken({ hooks }), untrusted)).length, 1)
    assert.deepEqual(
      settingsProblemMessages(parseTestSettings(broken({ hooks: { Stop: [] }, sandbox: { enabled: 'x' } }))).slice(1),
      ['refuse sandbox.enabled must be true or false, not text.'],
    )
  })

  test('for an administrator’s file or the command line it refuses the start', async () => {
    using at = createTestSettings()
    for (const text of ['{"model": "x",}', '{ // c\n}', '\ufeff{}', '{']) {
      at.write('managedSettings', text)
      assert.deepEqual(
        (await at.load()).problems.map(({ severity }) => severity),
        ['refuse'],
      )
      rmSync(at.managed)
      assert.deepEqual(
        (await at.load({ flag: text })).problems.map(({ severity }) => severity),
        ['refuse'],
      )
    }
  })

  test('a link out of the project: read as the repository’s, not written through', {
    skip: process.platform === 'win32',
  }, async () => {
    using at = createTestSettings()
    const target = at.write('userSettings', { permissions: { allow: ['Bash'], deny: ['Read(x)'] }, apiKeyHelper: 'x' })
    mkdirSync(join(at.cwd, '.claude'))
    for (const source of ['projectSettings', 'localSettings'] as const) {
      symlinkSync(target, at.path(source))
      const load = (trusted: boolean) =>
        at.load({ sources: ['project', 'local'], trusted, isOwnFile: async () => false })
      assert.deepEqual((await load(false)).merged, { permissions: { deny: ['Read(x)'] } })
      assert.deepEqual((await load(true)).merged, { permissions: { allow: ['Bash'], deny: ['Read(x)'] } })
      const before = readFileSync(target)
      assert.equal((await updateSettingsFile(source, [update], at.ports)).ok, false)
      assert.deepEqual(readFileSync(target), before)
      rmSync(at.path(source))
    }
  })

  test('wrong types: the entry is rejected by name; a bad deny or ask entry refuses the start', () => {
    const cases: [unknown, string][] = [
      ['text', 'refuse permissions must be an object, not text.'],
      [[], 'refuse permissions must be an object, not a list.'],
      [null, 'refuse permissions must be an object, not null.'],
      [{ allow: 'Bash' }, 'warning permissions.allow must be a list, not text. It is not used.'],
      [{ allow: [['Bash']] }, 'warning permissions.allow[0] must be text, not a list. It is not used.'],
      [{ allow: [''] }, 'warning permissions.allow[0] is empty. It is not used.'],
      [{ deny: 'Bash' }, 'refuse permissions.deny must be a list, not text.'],
      [{ deny: { Bash: true } }, 'refuse permissions.deny must be a list, not an object.'],
      [{ deny: null }, 'refuse permissions.deny must be a list, not null.'],
      [{ deny: ['Read', 5] }, 'refuse permissions.deny[1] must be text, not a number.'],
      [{ ask: [{}] }, 'refuse permissions.ask[0] must be text, not an object.'],
    ]
    for (const [permissions, message] of cases) {
      const parsed = parseTestSettings({ permissions, model: 'kept' })
      assert.deepEqual(settingsProblemMessages(parsed), [message])
      assert.equal(parsed.settings.model, 'kept')
    }
  })

  test('wrong case, blanks: warned; an allow rule is left out, a deny rule holds as it was meant', () => {
    for (const rule of ['bash(rm *)', 'Bash (rm *)', ' Bash(rm *) ']) {
      const allow = parseTestSettings({ permissions: { allow: [rule, 'Read'] } })
      assert.deepEqual(allow.settings, { permissions: { allow: ['Read'] } })
      assert.deepEqual(
        allow.problems.map(({ severity, key }) => [severity, key]),
        [['warning', 'permissions.allow[0]']],
      )
      for (const behavior of ['deny', 'ask'] as const) {
        const narrowed = parseTestSettings({ permissions: { [behavior]: [rule] } })
        assert.deepEqual(narrowed.settings, { permissions: { [behavior]: ['Bash(rm *)'] } })
        assert.match(
          settingsProblemMessages(narrowed).join(),
          /^warning permissions\.\w+\[0\] is read as "Bash\(rm \*\)"\. /,
        )
      }
    }
    for (const rule of ['Bash(rm *', 'Bash)', '(rm)', 'Ba sh(rm)', 'Bash((', 'Bash()']) {
      const parsed = parseTestSettings({ permissions: { deny: [rule] } })
      assert.deepEqual(parsed.settings, { permissions: { deny: [] } }, rule)
      assert.deepEqual(
        parsed.problems.map(({ severity }) => severity),
        ['refuse'],
        rule,
      )
    }
  })

  test('a rule for an unknown tool: warning', () => {
    const rules = ['Bsh(rm *)', 'mcp__server__tool', 'Read']
    for (const behavior of ['allow', 'deny'] as const) {
      const parsed = parseTestSettings({ permissions: { [behavior]: rules } })
      assert.deepEqual(parsed.settings, { permissions: { [behavior]: rules } })
      const text = `holds a rule for a tool that is not known: "Bsh(rm *)".`
      assert.deepEqual(settingsProblemMessages(parsed), [`warning permissions.${behavior}[0] ${text}`])
    }
  })

  test('allow * or mcp__*: ignored with a warning', () => {
    const parsed = parseTestSettings({ permissions: { allow: ['*', 'mcp__*', 'mcp__a__*'] } })
    assert.deepEqual(parsed.settings, { permissions: { allow: ['mcp__a__*'] } })
    assert.deepEqual(
      parsed.problems.map(({ severity, key }) => [severity, key]),
      [
        ['warning', 'permissions.allow[0]'],
        ['warning', 'permissions.allow[1]'],
      ],
    )
    // To deny everything is fine.
    assert.deepEqual(parseTestSettings({ permissions: { deny: ['*', 'mcp__*'] } }).problems, [])
  })

  test('line breaks, NUL and direction marks in a rule: rejected', () => {
    for (const rule of ['Bash(a\nb)', 'Bash(a\0b)', 'Bash(a\u202eb)', 'Bash(ls)\n', 'Ba\u200bsh', 'bash(a\u0000)']) {
      for (const [behavior, severity] of [
        ['allow', 'warning'],
        ['deny', 'refuse'],
        ['ask', 'refuse'],
      ] as const) {
        const parsed = parseTestSettings({ permissions: { [behavior]: [rule] } })
        assert.deepEqual(parsed.settings, { permissions: { [behavior]: [] } }, rule)
        assert.deepEqual(
          parsed.problems.map((problem) => problem.severity),
          [severity],
          rule,
        )
        assert.doesNotMatch(settingsProblemMessages(parsed).join(), /[\p{Cc}\p{Cf}]/u)
      }
    }
  })

  test('a mode from the repository: never', async () => {
    for (const defaultMode of ['bypassPermissions', 'acceptEdits', 'dontAsk', 'plan', 'default']) {
      for (const source of ['projectSettings', 'localSettings'] as const) {
        using at = createTestSettings()
        at.write(source, { permissions: { defaultMode } })
        for (const trusted of [false, true]) {
          const { merged, problems } = await at.load({ trusted })
          assert.deepEqual(merged, { permissions: {} })
          assert.deepEqual(
            problems.map(({ key, withheld }) => [key, withheld]),
            [['permissions.defaultMode', true]],
          )
        }
      }
    }
  })

  test('an environment from the repository: nothing before trust, never what leads requests or programs elsewhere', async () => {
    using at = createTestSettings()
    const names =
      'ANTHROPIC_BASE_URL ANTHROPIC_API_KEY PATH NODE_OPTIONS LD_PRELOAD HTTPS_PROXY NODE_TLS_REJECT_UNAUTHORIZED'.split(
        ' ',
      )
    const env = Object.fromEntries([...names, 'MINE'].map((name) => [name, 'x']))
    at.write('projectSettings', { env })
    const before = await at.load({ trusted: false })
    assert.deepEqual([before.merged, before.problems.map(({ key }) => key)], [{}, ['env']])
    const after = await at.load({ trusted: true })
    assert.deepEqual(after.merged, { env: { MINE: 'x' } })
    assert.deepEqual(
      after.problems.map(({ key }) => key),
      names.map((name) => `env.${name}`),
    )
    at.write('userSettings', { env })
    assert.deepEqual((await at.load()).merged, { env })
  })

  test('a matcher that is no expression: that hook is left out; before a tool the start is refused', () => {
    const hooks = [{ matcher: '[', hooks: [{ type: 'command', command: 'x' }] }]
    const after = parseTestSettings({ hooks: { PostToolUse: hooks } })
    assert.deepEqual(after.settings, { hooks: { PostToolUse: [] } })
    assert.deepEqual(settingsProblemMessages(after), [
      'warning hooks.PostToolUse[0].matcher is not a regular expression. It is not used.',
    ])
    assert.deepEqual(settingsProblemMessages(parseTestSettings({ hooks: { PreToolUse: hooks } })), [
      'refuse hooks.PreToolUse[0].matcher is not a regular expression.',
    ])
  })

  test('a file that can not be read refuses the start', async () => {
    using at = createTestSettings()
    mkdirSync(at.managed, { recursive: true })
    const refused = [`refuse ${at.managed}: is not a file, so its deny and ask rules can't be known.`]
    assert.deepEqual(settingsProblemMessages(await at.load()), refused)
    assert.deepEqual(settingsProblemMessages(await at.load({ sources: [], trusted: false })), refused)
    for (const [method, code] of [
      ['realpath', 'EACCES'],
      ['snapshot', 'EACCES'],
      ['snapshot', 'EIO'],
    ] as const) {
      const files = { ...nodeFiles, [method]: () => Promise.reject(failure(code)) }
      const loaded = await at.load({ sources: [], files })
      assert.deepEqual(settingsProblemMessages(loaded), [
        `refuse ${at.managed}: can't be read (${code}), so its deny and ask rules can't be known.`,
      ])
    }
    for (const source of ['userSettings', 'projectSettings', 'localSettings'] as const) {
      using other = createTestSettings()
      mkdirSync(other.path(source), { recursive: true })
      assert.match(
        settingsProblemMessages(await other.load({ trusted: false })).join(),
        /^refuse .*: is not a file, so its deny/,
      )
    }
  })

  test('files disagree: precedence for values, rules of all', async () => {
    using at = createTestSettings()
    const order: SettingsSource[] = [
      'userSettings',
      'projectSettings',
      'localSettings',
      'flagSettings',
      'managedSettings',
    ]
    const rules: string[] = []
    for (const [index, source] of order.entries()) {
      const rule = `Bash(x${index})`
      rules.unshift(rule)
      at.write(source, { model: source, permissions: { allow: [rule], deny: ['Edit', rule] } })
      const flag = index >= 3 ? at.path('flagSettings') : undefined
      const { merged, problems } = await at.load({ flag })
      assert.deepEqual(problems, [])
      const [first = '', ...rest] = rules
      assert.deepEqual(merged, { model: source, permissions: { allow: rules, deny: ['Edit', first, ...rest] } })
    }
  })

  test('__proto__ is plain data', async () => {
    using at = createTestSettings()
    const text =
      '{"__proto__": {"model": "evil"}, "permissions": {"__proto__": {"allow": ["Bash"]}, "constructor": 1}, "env": {"__proto__": "x"}, "hooks": {"toString": []}, "sandbox": {"ignoreViolations": {"__proto__": ["a"]}}}'
    at.write('userSettings', text)
    at.write('managedSettings', text)
    const { merged, problems } = await at.load()
    assert.deepEqual(merged, {
      permissions: {},
      env: JSON.parse('{"__proto__": "x"}'),
      hooks: {},
      sandbox: { ignoreViolations: JSON.parse('{"__proto__": ["a"]}') },
    })
    assert.deepEqual(['model' in merged, 'allow' in (merged.permissions ?? {})], [false, false])
    assert.equal(Object.hasOwn(Object.prototype, 'model'), false)
    assert.deepEqual(
      new Set(problems.map(({ key }) => key)),
      new Set(['__proto__', 'permissions.__proto__', 'permissions.constructor', 'hooks.toString']),
    )
  })

  test('no usable home: nothing is read, nothing can be saved, and that is said', async () => {
    using at = createTestSettings()
    const home = join(at.home, 'file')
    writeFileSync(home, '')
    const folders = { ...at.ports.folders, home, configDir: join(home, '.claude') }
    assert.deepEqual(await at.load(folders), { layers: [], merged: {}, problems: [] })
    assert.deepEqual(await updateSettingsFile('userSettings', [update], { ...at.ports, folders }), {
      ok: false,
      message: `The permission rule was not saved to ${join(home, '.claude', 'settings.json')}: ENOTDIR. It holds for this session only.`,
    })
  })

  test('the disk is full: the old file is whole, and it is said that the rule was not saved', async () => {
    for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']) {
      for (const there of [true, false]) {
        using at = createTestSettings()
        const file = at.path('localSettings')
        if (there) at.write('localSettings', '{"model": "old"}')
        const full = () => Promise.reject(failure(code))
        const files = { ...nodeFiles, replace: full, create: full }
        const outcome = await updateSettingsFile('localSettings', [update], { ...at.ports, files })
        const message = outcome.ok ? '' : outcome.message
        assert.ok(message.startsWith(`The permission rule was not saved to ${file}: `), message)
        assert.ok(message.includes(code), message)
        assert.ok(code !== 'ENOSPC' || message.includes('the disk is full'), message)
        assert.deepEqual(readdirSync(dirname(file)), there ? ['settings.local.json'] : [])
        if (there) assert.equal(readFileSync(file, 'utf8'), '{"model": "old"}')
      }
    }
  })
})
