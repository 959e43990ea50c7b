import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  applyManagedRestrictions,
  composeSettings,
  permissionRulesOfLayers,
  type SettingsLayer,
} from './compose-settings.js'
import type { KnownSettings } from './keys/known-keys.js'
import type { SettingsSource } from './setting-problems.js'

function layer(
  source: SettingsSource,
  settings: KnownSettings,
  repository = source === 'projectSettings',
): SettingsLayer {
  return { source, file: `/${source}.json`, root: `/root/${source}`, repository, settings }
}
const managed = (settings: KnownSettings) => layer('managedSettings', settings)
const flags = (settings: KnownSettings) => layer('flagSettings', settings)
const project = (settings: KnownSettings) => layer('projectSettings', settings)
const user = (settings: KnownSettings) => layer('userSettings', settings)

const HOOKS = { Stop: [{ hooks: [{ type: 'command' as const, command: 'x' }] }] }
const RULES = { allow: ['Bash(a)'], deny: ['Bash(b)'], ask: ['Bash(c)'] }

describe('what administrators forbid the others', () => {
  test('nothing, as long as they do not say so', () => {
    const layers = [managed({ model: 'm' }), user({ hooks: HOOKS, permissions: RULES })]
    assert.deepEqual(applyManagedRestrictions(layers), layers)
  })

  test('hooks of others', () => {
    const [top, own] = applyManagedRestrictions([
      managed({ allowManagedHooksOnly: true, hooks: HOOKS }),
      user({ hooks: HOOKS, model: 'm' }),
    ])
    assert.deepEqual(top?.settings.hooks, HOOKS)
    assert.deepEqual(own?.settings, { model: 'm' })
  })

  test('allowing by others, who may still deny and ask', () => {
    const layers = [
      managed({ allowManagedPermissionRulesOnly: true, permissions: RULES }),
      flags({ permissions: RULES }),
      user({}),
    ]
    const [top, named, own] = applyManagedRestrictions(layers)
    assert.deepEqual(top?.settings.permissions, RULES)
    assert.deepEqual(named?.settings.permissions, { deny: RULES.deny, ask: RULES.ask })
    assert.deepEqual(own?.settings, {})
  })

  test('only they can, and one of several of them is enough', () => {
    const layers = [user({ allowManagedHooksOnly: true, hooks: HOOKS })]
    assert.deepEqual(applyManagedRestrictions(layers), layers)
    const two = [managed({}), managed({ allowManagedHooksOnly: true }), user({ hooks: HOOKS })]
    assert.equal(applyManagedRestrictions(two)[2]?.settings.hooks, undefined)
  })

  test('the layers that were given stay as they were', () => {
    const own = user({ hooks: HOOKS, permissions: RULES })
    applyManagedRestrictions([managed({ allowManagedHooksOnly: true, allowManagedPermissionRulesOnly: true }), own])
    assert.deepEqual(own.settings, { hooks: HOOKS, permissions: RULES })
  })
})

describe('all layers as one', () => {
  test('the highest first', () => {
    assert.deepEqual(composeSettings([flags({ model: 'a' }), user({ model: 'b', outputStyle: 'c' })]), {
      model: 'a',
      outputStyle: 'c',
    })
    assert.deepEqual(composeSettings([]), {})
  })

  test('a sandbox that a repository turned on asks as before; one of the user does not', () => {
    const auto = (...layers: SettingsLayer[]) => composeSettings(layers).sandbox?.autoAllowBashIfSandboxed
    const on = { sandbox: { enabled: true } }
    assert.equal(auto(project(on)), false)
    assert.equal(auto(user(on)), undefined)
    assert.equal(auto(project(on), user(on)), undefined)
    assert.equal(auto(project(on), user({ sandbox: { autoAllowBashIfSandboxed: true } })), true)
    assert.equal(auto(user({ sandbox: { enabled: false } })), undefined)
  })

  test('only hosts that managed settings name', () => {
    const only = (...layers: SettingsLayer[]) => composeSettings(layers).sandbox?.network?.allowedDomains
    const names = (...allowedDomains: string[]) => ({ sandbox: { network: { allowedDomains } } })
    assert.deepEqual(only(user(names('a.com'))), ['a.com'])
    const strict = { sandbox: { network: { allowManagedDomainsOnly: true, allowedDomains: ['own.com'] } } }
    assert.deepEqual(only(managed(strict), user(names('a.com'))), ['own.com'])
    assert.deepEqual(
      only(user({ sandbox: { network: { allowManagedDomainsOnly: true, allowedDomains: ['a.com'] } } })),
      [],
    )
  })
})

test('rules for the permission engine, each with where it comes from', () => {
  assert.deepEqual(permissionRulesOfLayers([user({ permissions: RULES }), project({})]), [
    { source: 'userSettings', root: '/root/userSettings', ...RULES },
    { source: 'projectSettings', root: '/root/projectSettings', allow: undefined, deny: undefined, ask: undefined },
  ])
})
