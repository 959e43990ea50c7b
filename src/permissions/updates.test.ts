import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { PERMISSION_MODES } from '../protocol/permission-modes.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import { createTestPermissions, decisionOnBash, decisionsOnBash } from './test-engine.js'

const rules = (behavior: 'allow' | 'deny' | 'ask', ...contents: string[]) => ({
  rules: contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent })),
  behavior,
  destination: 'session' as const,
})

test('rules are added, replaced and removed', async () => {
  const permissions = createTestPermissions()
  assert.deepEqual(await permissions.apply([{ type: 'addRules', ...rules('allow', 'make a', 'make b') }]), [])
  assert.deepEqual(await decisionsOnBash(permissions, ['make a', 'make b', 'make c']), {
    'make a': 'allow',
    'make b': 'allow',
    'make c': 'ask',
  })
  await permissions.apply([{ type: 'removeRules', ...rules('allow', 'make a') }])
  assert.deepEqual(await decisionsOnBash(permissions, ['make a', 'make b']), { 'make a': 'ask', 'make b': 'allow' })
  await permissions.apply([{ type: 'replaceRules', ...rules('allow', 'make c') }])
  assert.deepEqual(await decisionsOnBash(permissions, ['make b', 'make c']), { 'make b': 'ask', 'make c': 'allow' })
  await permissions.apply([{ type: 'addRules', ...rules('deny', 'make *') }])
  assert.equal(await decisionOnBash(permissions, 'make c'), 'deny')
})

test('mode and directories', async () => {
  const permissions = createTestPermissions({ allowBypass: false })
  const session = 'session' as const
  assert.deepEqual(await permissions.apply([{ type: 'setMode', mode: 'acceptEdits', destination: session }]), [])
  assert.equal(permissions.mode(), 'acceptEdits')
  await permissions.apply([{ type: 'addDirectories', directories: ['/shared/', 'sub', '/repo'], destination: session }])
  assert.deepEqual(permissions.directories(), ['/repo', '/shared', '/repo/sub'])
  assert.equal(await decisionOnBash(permissions, 'touch /shared/x'), 'allow')
  await permissions.apply([{ type: 'removeDirectories', directories: ['/shared', '/repo'], destination: session }])
  assert.deepEqual(permissions.directories(), ['/repo', '/repo/sub'])
  assert.deepEqual(await permissions.apply([{ type: 'setMode', mode: 'bypassPermissions', destination: session }]), [
    'Cannot set permission mode to bypassPermissions: the session was not started with allowDangerouslySkipPermissions',
  ])
  assert.equal(permissions.mode(), 'acceptEdits')
})

test('modes by name', () => {
  assert.deepEqual(createTestPermissions().setMode('zzz'), {
    ok: false,
    code: 'invalid_mode',
    message:
      'Cannot set permission mode: must be one of acceptEdits, bypassPermissions, default, delegate, dontAsk, plan',
  })
  assert.deepEqual(createTestPermissions({ allowBypass: false }).setMode('bypassPermissions'), {
    ok: false,
    code: 'bypass_not_launched',
    message:
      'Cannot set permission mode to bypassPermissions: the session was not started with allowDangerouslySkipPermissions',
  })
  for (const mode of PERMISSION_MODES) assert.deepEqual(createTestPermissions().setMode(mode), { ok: true, mode })
})

test('auto is refused by name', async () => {
  const message =
    'Cannot set permission mode to auto, which Kedge does not support: must be one of acceptEdits, bypassPermissions, default, delegate, dontAsk, plan'
  const permissions = createTestPermissions()
  assert.deepEqual(permissions.setMode('auto'), { ok: false, code: 'invalid_mode', message })
  // Hosts of the original do send it.
  const update: unknown = { type: 'setMode', mode: 'auto', destination: 'session' }
  assert.deepEqual(await permissions.apply([update as PermissionUpdate]), [message])
  assert.equal(permissions.mode(), 'default')
})

test('an update to any destination holds at once, and starts where that destination starts', async () => {
  const edit = async (permissions: ReturnType<typeof createTestPermissions>, path: string) => {
    const call = { id: 't', name: 'Edit', input: { file_path: path } }
    return (await permissions.decide(call, { kind: 'edit', path })).behavior
  }
  const rules = [{ toolName: 'Edit', ruleContent: '/x/**' }]
  const add = { type: 'addRules' as const, rules, behavior: 'allow' as const }
  for (const destination of ['session', 'cliArg', 'localSettings', 'projectSettings', 'userSettings'] as const) {
    const permissions = createTestPermissions({ userRoot: '/home/u/conf' })
    assert.deepEqual(await permissions.apply([{ ...add, destination }]), [])
    const own = destination === 'userSettings'
    assert.deepEqual(
      [await edit(permissions, '/repo/x/a'), await edit(permissions, '/home/u/conf/x/a')],
      own ? ['ask', 'allow'] : ['allow', 'ask'],
      destination,
    )
    // What one destination has, another does not take away.
    const other = destination === 'session' ? 'localSettings' : 'session'
    await permissions.apply([{ ...add, type: 'removeRules', destination: other }])
    await permissions.apply([{ ...add, type: 'replaceRules', rules: [], destination: other }])
    assert.equal(await edit(permissions, own ? '/home/u/conf/x/a' : '/repo/x/a'), 'allow', destination)
    await permissions.apply([{ ...add, type: 'removeRules', destination }])
    assert.equal(await edit(permissions, own ? '/home/u/conf/x/a' : '/repo/x/a'), 'ask', destination)
    assert.deepEqual(await permissions.apply([{ type: 'setMode', mode: 'acceptEdits', destination }]), [])
    assert.deepEqual(await permissions.apply([{ type: 'addDirectories', directories: ['/y'], destination }]), [])
    assert.equal(await edit(permissions, '/y/a'), 'allow', destination)
    assert.deepEqual(await permissions.apply([{ type: 'removeDirectories', directories: ['/y'], destination }]), [])
    assert.equal(await edit(permissions, '/y/a'), 'ask', destination)
  }
  const home = createTestPermissions()
  await home.apply([{ ...add, destination: 'userSettings' }])
  // Unless told otherwise the user's folder is ~/.claude, where every write asks; deny rules show the place.
  await home.apply([{ ...add, behavior: 'deny', destination: 'userSettings' }])
  assert.deepEqual([await edit(home, '/home/u/.claude/x/a'), await edit(home, '/repo/x/a')], ['deny', 'ask'])
})

test('an update with one bad rule changes nothing', async () => {
  const permissions = createTestPermissions()
  const update: PermissionUpdate = {
    type: 'addRules',
    rules: [{ toolName: 'Bash' }, { toolName: '*' }],
    behavior: 'allow',
    destination: 'session',
  }
  assert.deepEqual(await permissions.apply([update]), [
    'Permission rule "*" is not used: an allow rule may use * only after a literal mcp__server__.',
  ])
  assert.equal(await decisionOnBash(permissions, 'make'), 'ask')
})

test('an update for a settings file holds for the session at once', async () => {
  const permissions = createTestPermissions()
  assert.deepEqual(
    await permissions.apply([{ type: 'addRules', ...rules('allow', 'make'), destination: 'localSettings' }]),
    [],
  )
  assert.equal(await decisionOnBash(permissions, 'make'), 'allow')
})

test('whatever a host sends, nothing throws and nothing gets wider', async () => {
  const value = fc.oneof(fc.anything(), fc.constantFrom('addRules', 'allow', 'session', 'Bash', '*'))
  const update = fc.record(
    {
      type: value,
      rules: fc.oneof(value, fc.array(value)),
      behavior: value,
      destination: value,
      mode: value,
      directories: value,
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.anything(), update), async (anything) => {
      const permissions = createTestPermissions({ allowBypass: false })
      // The type is what a well-behaved host sends; this one does not behave.
      const problems = await permissions.apply([anything as PermissionUpdate])
      assert.ok(Array.isArray(problems))
      assert.equal(await decisionOnBash(permissions, 'make'), 'ask')
    }),
    { numRuns: byTier({ quick: 75, all: 300 }) },
  )
})

test('an update that makes no sense says why', async () => {
  const good = { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' }
  const table: [unknown, string][] = [
    [null, 'A permission update must be an object.'],
    [{ ...good, destination: 'disk' }, 'A permission update has an unknown destination: "disk".'],
    [{ ...good, type: 'addRule' }, 'A permission update has an unknown type.'],
    [{ ...good, behavior: 'maybe' }, 'A permission update has an unknown behavior: "maybe".'],
    [{ ...good, rules: 'Bash' }, 'A permission update needs its rules as a list.'],
    [
      { type: 'addDirectories', directories: '/x', destination: 'session' },
      'A permission update needs its directories as a list of paths.',
    ],
    [
      { type: 'removeDirectories', directories: [''], destination: 'session' },
      'A permission update needs its directories as a list of paths.',
    ],
  ]
  for (const [update, problem] of table) {
    const permissions = createTestPermissions()
    // The type is what a well-behaved host sends.
    assert.deepEqual(await permissions.apply([update as PermissionUpdate]), [problem])
    assert.equal(await decisionOnBash(permissions, 'make'), 'ask')
  }
})
