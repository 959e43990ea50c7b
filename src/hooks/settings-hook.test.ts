import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KnownSettings } from '../settings/keys/known-keys.js'
import { type CheckedHookSettings, settingsHookName, toSettingsHooks } from './settings-hook.js'

test('hooks of a file become a list, with where they come from', () => {
  const hooks: NonNullable<KnownSettings['hooks']> = {
    Stop: [{ hooks: [{ type: 'command', command: 'b', timeout: 5, statusMessage: 'working' }] }],
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: 'a', async: true, once: true }] },
      { hooks: [] },
      { matcher: '', hooks: [{ type: 'command', command: 'c', async: false }] },
    ],
  }
  assert.deepEqual(toSettingsHooks(hooks, { source: '/p/.claude/settings.json' }), [
    {
      event: 'PreToolUse',
      matcher: 'Bash',
      type: 'command',
      command: 'a',
      async: true,
      once: true,
      source: '/p/.claude/settings.json',
    },
    {
      event: 'PreToolUse',
      matcher: '',
      type: 'command',
      command: 'c',
      async: false,
      source: '/p/.claude/settings.json',
    },
    {
      event: 'Stop',
      type: 'command',
      command: 'b',
      timeout: 5,
      statusMessage: 'working',
      source: '/p/.claude/settings.json',
    },
  ])
})

test('those of a plugin know its folder', () => {
  const hooks: CheckedHookSettings = { Stop: [{ hooks: [{ type: 'command', command: 'x', onFailure: 'block' }] }] }
  assert.deepEqual(toSettingsHooks(hooks, { source: 'plugin p', pluginRoot: '/plugins/p' }), [
    {
      event: 'Stop',
      type: 'command',
      command: 'x',
      onFailure: 'block',
      source: 'plugin p',
      pluginRoot: '/plugins/p',
    },
  ])
})

test('what is no event, or inherited, is no hook', () => {
  const group = [{ hooks: [{ type: 'command' as const, command: 'x' }] }]
  assert.deepEqual(toSettingsHooks({ Unknown: group }, { source: 'f' }), [])
  assert.deepEqual(toSettingsHooks(Object.create({ Stop: group }), { source: 'f' }), [])
})

test('long commands are named by their beginning', () => {
  assert.equal(settingsHookName({ type: 'command', command: 'echo' }), '[echo]')
  assert.equal(settingsHookName({ type: 'command', command: 'x'.repeat(1000) }), `[${'x'.repeat(500)}…]`)
})
