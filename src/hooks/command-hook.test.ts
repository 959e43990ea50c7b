import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KnownSettings } from '../settings/known-keys.js'
import { type CheckedHookSettings, commandHookName, toCommandHooks } from './command-hook.js'

test('hooks of a file become a list, with where they come from', () => {
  const hooks: NonNullable<KnownSettings['hooks']> = {
    Stop: [{ hooks: [{ type: 'command', command: 'b', timeout: 5, statusMessage: 'working' }] }],
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: 'a', async: true, once: true }] },
      { hooks: [] },
      { matcher: '', hooks: [{ type: 'command', command: 'c', async: false }] },
    ],
  }
  assert.deepEqual(toCommandHooks(hooks, { source: '/p/.claude/settings.json' }), [
    {
      event: 'PreToolUse',
      matcher: 'Bash',
      command: 'a',
      async: true,
      once: true,
      source: '/p/.claude/settings.json',
    },
    { event: 'PreToolUse', matcher: '', command: 'c', source: '/p/.claude/settings.json' },
    { event: 'Stop', command: 'b', timeout: 5, source: '/p/.claude/settings.json' },
  ])
})

test('those of a plugin know its folder', () => {
  const hooks: CheckedHookSettings = { Stop: [{ hooks: [{ command: 'x', onFailure: 'block' }] }] }
  assert.deepEqual(toCommandHooks(hooks, { source: 'plugin p', pluginRoot: '/plugins/p' }), [
    { event: 'Stop', command: 'x', onFailure: 'block', source: 'plugin p', pluginRoot: '/plugins/p' },
  ])
})

test('what is no event, or inherited, is no hook', () => {
  const group = [{ hooks: [{ command: 'x' }] }]
  assert.deepEqual(toCommandHooks({ Unknown: group }, { source: 'f' }), [])
  assert.deepEqual(toCommandHooks(Object.create({ Stop: group }), { source: 'f' }), [])
})

test('long commands are named by their beginning', () => {
  assert.equal(commandHookName({ command: 'echo' }), '[echo]')
  assert.equal(commandHookName({ command: 'x'.repeat(1000) }), `[${'x'.repeat(500)}…]`)
})
