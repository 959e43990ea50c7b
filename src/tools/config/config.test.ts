import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import { type ConfigInput, type ConfigValue, createConfigTool } from './config.js'

describe('Config', () => {
  let test: TestContext
  let values: Record<string, unknown>
  beforeEach(async () => {
    test = await createTestContext()
    values = { model: 'sonnet', verbose: false, version: '1.0' }
  })
  afterEach(() => test.dispose())

  const set = (name: string) => (value: ConfigValue) => {
    values[name] = value
    return undefined
  }
  const tool = createConfigTool({
    model: {
      describe: 'The model.',
      get: () => values['model'],
      async set(value) {
        if (typeof value !== 'string') return 'The model is named by a text.'
        return set('model')(value)
      },
    },
    verbose: { describe: 'Say more.', get: () => values['verbose'], set: set('verbose'), allowed: [true, false] },
    turns: { describe: 'How many turns.', get: () => values['turns'], set: set('turns'), allowed: [1, 5] },
    version: { describe: 'The version.', get: () => values['version'] },
  })
  const run = (input: ConfigInput) => tool.execute(input, test.context)
  const check = async (input: ConfigInput) => tool.check?.(input, test.context)

  it('reads without asking, and asks before it changes', () => {
    assert.deepEqual(tool.facts({ setting: 'model' }, test.context), { kind: 'none' })
    assert.equal(tool.isReadOnly({ setting: 'model' }), true)
    for (const value of ['', false, 0]) {
      assert.deepEqual(tool.facts({ setting: 'model', value }, test.context), { kind: 'other' })
      assert.equal(tool.isReadOnly({ setting: 'model', value }), false)
    }
  })

  it('reads', async () => {
    assert.deepEqual(await run({ setting: 'model' }), {
      ok: true,
      content: 'model is "sonnet".',
      output: { success: true, operation: 'get', setting: 'model', value: 'sonnet' },
    })
    assert.deepEqual(await run({ setting: 'turns' }), {
      ok: true,
      content: 'turns is not set.',
      output: { success: true, operation: 'get', setting: 'turns', value: undefined },
    })
  })

  it('changes', async () => {
    assert.deepEqual(await run({ setting: 'model', value: 'opus' }), {
      ok: true,
      content: 'model was "sonnet" and is now "opus".',
      output: { success: true, operation: 'set', setting: 'model', previousValue: 'sonnet', newValue: 'opus' },
    })
    assert.equal(values['model'], 'opus')
  })

  it('understands values written as text', async () => {
    await run({ setting: 'verbose', value: 'true' })
    await run({ setting: 'turns', value: '5' })
    assert.deepEqual(values, { model: 'sonnet', verbose: true, version: '1.0', turns: 5 })
  })

  it('refuses before anybody is asked what cannot be done, and says what can', async () => {
    const cases: [ConfigInput, string][] = [
      [{ setting: 'nope' }, 'Unknown setting "nope". The settings are: model, verbose, turns, version.'],
      [{ setting: 'nope', value: 1 }, 'Unknown setting "nope". The settings are: model, verbose, turns, version.'],
      [{ setting: 'version', value: '2' }, 'The setting version can only be read.'],
      [{ setting: 'verbose', value: 'yes' }, '"yes" is no value for verbose: it must be one of true, false.'],
      [{ setting: 'verbose', value: 1 }, '1 is no value for verbose: it must be one of true, false.'],
    ]
    for (const [input, error] of cases) {
      assert.equal(await check(input), error)
      const operation = input.value === undefined ? 'get' : 'set'
      const output = { success: false, operation, setting: input.setting, error }
      assert.deepEqual(await run(input), { ok: false, error, output })
    }
    assert.equal(await check({ setting: 'verbose', value: false }), undefined)
    assert.deepEqual(values, { model: 'sonnet', verbose: false, version: '1.0' })
  })

  it('reports what the setting itself refuses', async () => {
    const error = 'The model is named by a text.'
    assert.deepEqual(await run({ setting: 'model', value: 5 }), {
      ok: false,
      error,
      output: { success: false, operation: 'set', setting: 'model', error },
    })
  })

  it('knows no settings but those it was given', async () => {
    for (const setting of ['__proto__', 'constructor', 'toString', '', 'a\0b', '\ud800', 'x'.repeat(1024 * 1024)]) {
      const refusal = await check({ setting, value: 'x' })
      assert.match(refusal ?? '', /^Unknown setting /)
      assert.ok((refusal ?? '').length < 1000)
    }
  })

  it('lists the settings for the model', () => {
    for (const line of [
      '- model: The model.',
      '- turns: How many turns. (1, 5)',
      '- version: The version. (can only be read)',
    ]) {
      assert.ok(tool.description.split('\n').includes(line), line)
    }
  })
})
