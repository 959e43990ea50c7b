import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { PermissionBehavior } from '../../protocol/permission-types.js'
import { foldRuleUpdates, storableRuleUpdates, withSessionRules } from './session-rules.js'

const rules = (
  type: 'addRules' | 'replaceRules' | 'removeRules',
  behavior: PermissionBehavior,
  ...names: string[]
) => ({
  type,
  behavior,
  destination: 'session' as const,
  rules: names.map((toolName) => ({ toolName })),
})
const request = { tool: { input: { a: 1, b: [2] } } }
const allow = (more: object) => ({ kind: 'allow', ...more })

it('rules of a session are those that are meant for it, whole, and for calls as they were asked about', () => {
  const right = rules('addRules', 'allow', 'Read')
  const folder = { type: 'addDirectories', directories: ['/srv'], destination: 'session' }
  const wrong = [
    { ...right, destination: 'localSettings' },
    { ...right, behavior: 'maybe' },
    { ...right, rules: [{ toolName: 'Read' }, { toolName: 'Ba\u0000sh' }] },
    { ...right, rules: 'Read' },
    { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    { ...folder, directories: [1] },
    { ...folder, directories: [''] },
    null,
    'Read',
  ]
  assert.deepEqual(storableRuleUpdates(request, allow({ updates: [...wrong, right, folder] })), [right, folder])
  assert.deepEqual(storableRuleUpdates(request, allow({ updates: [right], input: { b: [2], a: 1 } })), [right])
  for (const answer of [
    { kind: 'deny', updates: [right] },
    allow({}),
    allow({ updates: [right], input: { a: 2 } }),
    null,
  ])
    assert.deepEqual(storableRuleUpdates(request, answer), [])
})

it('each changes what was there before it', () => {
  const folded = foldRuleUpdates([
    rules('addRules', 'allow', 'Read', 'Write'),
    rules('addRules', 'allow', 'Read', 'Glob'),
    rules('removeRules', 'allow', 'Write'),
    rules('addRules', 'deny', 'Bash'),
    rules('replaceRules', 'deny', 'WebFetch'),
    { ...rules('addRules', 'ask'), rules: [{ toolName: 'Bash', ruleContent: 'git push:*' }] },
    { type: 'addDirectories', directories: ['/a', '/b'], destination: 'session' },
    { type: 'removeDirectories', directories: ['/a'], destination: 'session' },
  ])
  assert.deepEqual(folded, {
    allow: ['Read', 'Glob'],
    deny: ['WebFetch'],
    ask: ['Bash(git push:*)'],
    directories: ['/b'],
  })
})

it('come beside the settings of the app, wherever those are', () => {
  const all = { allow: ['Read'], deny: ['Bash'], ask: ['Write'], directories: ['/b'] }
  const permissions = { allow: ['Glob', 'Read'], deny: ['Bash'], ask: ['Write'], additionalDirectories: ['/b'] }
  for (const settings of [
    { model: 'm', permissions: { allow: ['Glob'] } },
    '{"model":"m","permissions":{"allow":["Glob"]}}',
  ])
    assert.deepEqual(withSessionRules({ settings }, all), { settings: { model: 'm', permissions } })
  assert.deepEqual(withSessionRules({}, undefined), {})
  // Who asks first there is refused here, rather than not asked.
  assert.deepEqual(withSessionRules({ settings: 'file.json', allowedTools: ['Glob'] }, all), {
    allowedTools: ['Glob', 'Read'],
    disallowedTools: ['Bash', 'Write'],
    additionalDirectories: ['/b'],
  })
})
