import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { joinSettingsAndSandbox, toExtraArgsArgv } from './join-settings.js'

const sandbox = { enabled: true }

describe('settings from everywhere', () => {
  it('are none where there are none, or only in further words', () => {
    assert.equal(joinSettingsAndSandbox({}), undefined)
    assert.equal(joinSettingsAndSandbox({ extraArgs: { settings: '{"a":1}' } }), undefined)
    assert.deepEqual(toExtraArgsArgv({ extraArgs: { settings: '{"a":1}' } }), ['--settings', '{"a":1}'])
  })

  it('may be the path of a file, alone', () => {
    assert.equal(joinSettingsAndSandbox({ settings: '/home/ada/settings.json' }), '/home/ada/settings.json')
    assert.equal(joinSettingsAndSandbox({ settings: '' }), '')
  })

  it('are one object, the nearer before the farther', () => {
    const joined = joinSettingsAndSandbox({
      settings: JSON.stringify({ model: 'own', env: {}, sandbox: { enabled: false } }),
      extraArgs: { settings: JSON.stringify({ model: 'further', more: 1 }) },
      sandbox,
    })
    assert.deepEqual(JSON.parse(joined ?? ''), { model: 'own', more: 1, env: {}, sandbox })
    assert.deepEqual(JSON.parse(joinSettingsAndSandbox({ sandbox }) ?? ''), { sandbox })
  })

  const wrong: [Parameters<typeof joinSettingsAndSandbox>[0], string, RegExp][] = [
    [{ settings: '/a.json', sandbox }, 'settings', /^settings must be a JSON object/],
    [{ settings: '/a.json', extraArgs: { settings: '{}' } }, 'settings', /^settings must be a JSON object/],
    [{ sandbox, extraArgs: { settings: '/a.json' } }, 'extraArgs', /^extraArgs\.settings must be a JSON object/],
    [{ sandbox, settings: 'null' }, 'settings', /must be a JSON object/],
    [{ sandbox, settings: '7' }, 'settings', /must be a JSON object/],
  ]
  for (const [options, option, message] of wrong) {
    it(`can not be put together: ${JSON.stringify(options)}`, () =>
      assert.throws(() => joinSettingsAndSandbox(options), { option, message }))
  }
})

describe('further words', () => {
  it('are flags with and without values, in their order', () => {
    assert.deepEqual(toExtraArgsArgv({ extraArgs: { 'a-switch': null, named: 'x', empty: '' } }), [
      ...['--a-switch', '--named', 'x', '--empty', ''],
    ])
    assert.deepEqual(toExtraArgsArgv({}), [])
  })

  it('leave out settings that were put beside others', () => {
    const extraArgs = { settings: '{}', named: 'x' }
    assert.deepEqual(toExtraArgsArgv({ extraArgs, sandbox }), ['--named', 'x'])
    assert.deepEqual(toExtraArgsArgv({ extraArgs, settings: '{}' }), ['--named', 'x'])
    assert.deepEqual(toExtraArgsArgv({ extraArgs: { settings: null }, sandbox }), ['--settings'])
  })
})
