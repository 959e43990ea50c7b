import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PermissionUpdate } from '../protocol/permissions.js'
import { bash, bashAll, engine } from './test-world.js'

const rules = (behavior: 'allow' | 'deny' | 'ask', ...contents: string[]) => ({
  rules: contents.map((ruleContent) => ({ toolName: 'Bash', ruleContent })),
  behavior,
  destination: 'session' as const,
})

test('rules are added, replaced and removed', async () => {
  const permissions = engine()
  assert.deepEqual(await permissions.apply([{ type: 'addRules', ...rules('allow', 'make a', 'make b') }]), [])
  assert.deepEqual(await bashAll(permissions, ['make a', 'make b', 'make c']), {
    'make a': 'allow',
    'make b': 'allow',
    'make c': 'ask',
  })
  await permissions.apply([{ type: 'removeRules', ...rules('allow', 'make a') }])
  assert.deepEqual(await bashAll(permissions, ['make a', 'make b']), { 'make a': 'ask', 'make b': 'allow' })
  await permissions.apply([{ type: 'replaceRules', ...rules('allow', 'make c') }])
  assert.deepEqual(await bashAll(permissions, ['make b', 'make c']), { 'make b': 'ask', 'make c': 'allow' })
  await permissions.apply([{ type: 'addRules', ...rules('deny', 'make *') }])
  assert.equal(await bash(permissions, 'make c'), 'deny')
})

test('mode and directories', async () => {
  const permissions = engine({ allowBypass: false })
  const session = 'session' as const
  assert.deepEqual(await permissions.apply([{ type: 'setMode', mode: 'acceptEdits', destination: session }]), [])
  assert.equal(permissions.mode(), 'acceptEdits')
  await permissions.apply([{ type: 'addDirectories', directories: ['/shared/', 'sub', '/repo'], destination: session }])
  assert.deepEqual(permissions.directories(), ['/repo', '/shared', '/repo/sub'])
  assert.equal(await bash(permissions, 'touch /shared/x'), 'allow')
  await permissions.apply([{ type: 'removeDirectories', directories: ['/shared', '/repo'], destination: session }])
  assert.deepEqual(permissions.directories(), ['/repo', '/repo/sub'])
  assert.deepEqual(await permissions.apply([{ type: 'setMode', mode: 'bypassPermissions', destination: session }]), [
    'Cannot set permission mode to bypassPermissions: the session was not started with allowDangerouslySkipPermissions',
  ])
  assert.equal(permissions.mode(), 'acceptEdits')
})

test('modes by name', () => {
  assert.deepEqual(engine().setMode('zzz'), {
    ok: false,
    code: 'invalid_mode',
    message: 'Cannot set permission mode: must be one of acceptEdits, bypassPermissions, default, dontAsk, plan',
  })
  assert.deepEqual(engine({ allowBypass: false }).setMode('bypassPermissions'), {
    ok: false,
    code: 'bypass_not_launched',
    message:
      'Cannot set permission mode to bypassPermissions: the session was not started with allowDangerouslySkipPermissions',
  })
  assert.deepEqual(engine().setMode('bypassPermissions'), { ok: true, mode: 'bypassPermissions' })
})

test('an update with one bad rule changes nothing', async () => {
  const permissions = engine()
  const update: PermissionUpdate = {
    type: 'addRules',
    rules: [{ toolName: 'Bash' }, { toolName: '*' }],
    behavior: 'allow',
    destination: 'session',
  }
  assert.deepEqual(await permissions.apply([update]), [
    'Permission rule "*" is not used: an allow rule may use * only after a literal mcp__server__.',
  ])
  assert.equal(await bash(permissions, 'make'), 'ask')
})

test('an update for a settings file holds for the session at once', async () => {
  const permissions = engine()
  assert.deepEqual(
    await permissions.apply([{ type: 'addRules', ...rules('allow', 'make'), destination: 'localSettings' }]),
    [],
  )
  assert.equal(await bash(permissions, 'make'), 'allow')
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
      const permissions = engine({ allowBypass: false })
      // The type is what a well-behaved host sends; this one does not behave.
      const problems = await permissions.apply([anything as PermissionUpdate])
      assert.ok(Array.isArray(problems))
      assert.equal(await bash(permissions, 'make'), 'ask')
    }),
    { numRuns: 300 },
  )
})
