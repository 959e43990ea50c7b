import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import { TEST_RULE_PORT } from './test-settings.js'
import { applyPermissionUpdatesToText, describeUnreadableJson } from './update-text.js'

const folders = { cwd: '/repo', configDir: '/home/me/.claude', home: '/home/me' }
const update = (text: string, ...updates: unknown[]) =>
  applyPermissionUpdatesToText(text, updates as PermissionUpdate[], { rules: TEST_RULE_PORT, folders })
const rule = (type: string, behavior: string, ...given: [string, string?][]) => ({
  type,
  behavior,
  rules: given.map(([toolName, ruleContent]) => ({ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) })),
})
const permissionsOf = (result: ReturnType<typeof applyPermissionUpdatesToText>) => {
  assert.ok(result.ok, JSON.stringify(result))
  return JSON.parse(result.text).permissions
}

test('any sequence of updates leaves each list as a set would be left', () => {
  const names = fc.uniqueArray(fc.constantFrom('Bash', 'Read', 'Edit', 'Write'), { maxLength: 3 })
  const step = fc.record({
    type: fc.constantFrom('addRules', 'removeRules', 'replaceRules'),
    behavior: fc.constantFrom('allow', 'deny', 'ask'),
    names,
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const model: Record<string, Set<string>> = { allow: new Set(), deny: new Set(), ask: new Set() }
      let text = ''
      for (const { type, behavior, names: given } of steps) {
        if (type === 'replaceRules') model[behavior] = new Set()
        for (const name of given) {
          if (type === 'removeRules') model[behavior]?.delete(name)
          else model[behavior]?.add(name)
        }
        const result = update(text, rule(type, behavior, ...given.map((name): [string] => [name])))
        assert.ok(result.ok)
        text = result.text
      }
      const found = text === '' ? undefined : JSON.parse(text).permissions
      for (const [behavior, wanted] of Object.entries(model)) {
        const list: string[] = found?.[behavior] ?? []
        assert.equal(new Set(list).size, list.length, 'nothing is there twice')
        assert.deepEqual(new Set(list), wanted)
      }
    }),
  )
})

test('rules are the same in any spelling: the one in the file stays as it stands', () => {
  const text = '{"permissions":{"allow":["Bash(*)"]}}'
  assert.deepEqual(permissionsOf(update(text, rule('addRules', 'allow', ['Bash']))), { allow: ['Bash(*)'] })
  assert.deepEqual(permissionsOf(update(text, rule('removeRules', 'allow', ['Bash']))), { allow: [] })
  assert.deepEqual(permissionsOf(update(text, rule('replaceRules', 'allow', ['Bash'], ['Read']))), {
    allow: ['Bash(*)', 'Read'],
  })
})

test('a text that is no rule can be removed, but not added', () => {
  const text = '{"permissions":{"deny":["Bash(", "Read"]}}'
  assert.deepEqual(permissionsOf(update(text, rule('removeRules', 'deny', ['Bash(']))), { deny: ['Read'] })
  assert.equal(update(text, rule('addRules', 'deny', ['Bash('])).ok, false)
})

test('folders are the same wherever they are named from', () => {
  const text = '{"permissions":{"additionalDirectories":["~/lib","../other"]}}'
  const add = (...directories: string[]) => update(text, { type: 'addDirectories', directories })
  assert.deepEqual(permissionsOf(add('/home/me/lib', '/other/', './here', '/repo/here')), {
    additionalDirectories: ['~/lib', '../other', '/repo/here'],
  })
  const removed = update(text, { type: 'removeDirectories', directories: ['/home/me/lib/.', '/nowhere'] })
  assert.deepEqual(permissionsOf(removed), { additionalDirectories: ['../other'] })
})

test('one update of many that can not be made, and none is', () => {
  const good = rule('addRules', 'allow', ['Read'])
  const bad: [unknown, RegExp][] = [
    [null, /not of a known form/],
    [{ type: 'dropEverything' }, /not of a known form/],
    [{ type: 'setMode', mode: 'anarchy' }, /mode is not known/],
    [{ type: 'setMode' }, /not of a known form/],
    [{ type: 'addDirectories', directories: [''] }, /not of a known form/],
    [{ type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 7 }] }, /not of a known form/],
    [rule('addRules', 'permit', ['Bash']), /behavior of a rule is not known/],
    [rule('addRules', '__proto__', ['Bash']), /behavior of a rule is not known/],
  ]
  for (const [one, reason] of bad) {
    const result = update('{}', good, one)
    assert.ok(!result.ok)
    assert.match(result.reason, reason)
  }
})

test('a file that is broken is named with its place', () => {
  const result = update('{\n  "permissions": {"allow": ["Read"\n', rule('addRules', 'allow', ['Edit']))
  assert.ok(!result.ok)
  assert.match(result.reason, /^in line \d, column \d+: /)
})

test('what other readers will not take is told with its line', () => {
  assert.equal(describeUnreadableJson('{"a": 1}'), undefined)
  assert.match(describeUnreadableJson('{\n  // why\n  "a": 1\n}') ?? '', /^line 2: /)
  assert.match(describeUnreadableJson('{"a": 1,}') ?? '', /^line 1: /)
})
