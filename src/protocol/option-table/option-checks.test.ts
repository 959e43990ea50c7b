import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigurationError } from '../../errors.js'
import type { Options } from '../options.js'
import {
  checkBackgroundCeiling,
  checkChoice,
  checkFallbackOption,
  checkGateOption,
  checkHooksOption,
  checkPermissionModeOption,
  checkPermissionPromptOptions,
  checkPluginsOption,
  checkSessionStoreOption,
  checkTaskBudget,
  checkWholeNumber,
} from './option-checks.js'

/** Options as a caller without types gives them; the check gets them as they are. */
const problemOf = (check: (options: Options) => void, options: object): [string, string, string] | undefined => {
  try {
    check(options as Options)
    return undefined
  } catch (error) {
    assert.ok(error instanceof ConfigurationError)
    return [error.option, error.message, error.code]
  }
}
const canUseTool = async () => ({ behavior: 'allow' })

describe('an option', () => {
  it('with choices is one of them', () => {
    const check = (options: Options) => checkChoice(options, 'isolation', ['process', 'none', 'thread'])
    assert.equal(problemOf(check, {}), undefined)
    assert.equal(problemOf(check, { isolation: 'none' }), undefined)
    assert.equal(
      problemOf(check, { isolation: 'yes' })?.[1],
      "isolation must be 'process', 'none' or 'thread', not 'yes'.",
    )
    const one = (options: Options) => checkChoice(options, 'gate', ['always'])
    assert.equal(problemOf(one, { gate: 'never' })?.[1], "gate must be 'always', not 'never'.")
    assert.equal(problemOf(one, { gate: null })?.[0], 'gate')
  })

  it('that counts is a whole number above 0', () => {
    const check = (options: Options) => checkWholeNumber(options, 'maxTurns')
    for (const good of [undefined, 1, 5000]) assert.equal(problemOf(check, { maxTurns: good }), undefined)
    for (const bad of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null, 2 ** 60])
      assert.equal(problemOf(check, { maxTurns: bad })?.[1], 'maxTurns must be a whole number above 0.', String(bad))
  })

  it('taskBudget has a total', () => {
    assert.equal(problemOf(checkTaskBudget, {}), undefined)
    assert.equal(problemOf(checkTaskBudget, { taskBudget: { total: 1000 } }), undefined)
    for (const bad of [null, 7, {}, { total: 0 }, { total: '1000' }])
      assert.equal(problemOf(checkTaskBudget, { taskBudget: bad })?.[0], 'taskBudget', JSON.stringify(bad))
  })

  it('backgroundCeilingMs is a time', () => {
    for (const good of [undefined, 0, 1.5, 60_000])
      assert.equal(problemOf(checkBackgroundCeiling, { backgroundCeilingMs: good }), undefined)
    for (const bad of [-1, Number.POSITIVE_INFINITY, Number.NaN, '60', null])
      assert.equal(
        problemOf(checkBackgroundCeiling, { backgroundCeilingMs: bad })?.[0],
        'backgroundCeilingMs',
        String(bad),
      )
  })

  it('gate needs somebody to ask', () => {
    const check = (options: Options) => checkGateOption(options, 'gate', ['always'])
    assert.equal(problemOf(check, {}), undefined)
    assert.equal(problemOf(check, { gate: 'always', canUseTool }), undefined)
    assert.match(problemOf(check, { gate: 'always' })?.[1] ?? '', /needs canUseTool/)
    assert.match(problemOf(check, { gate: 'often', canUseTool })?.[1] ?? '', /must be 'always'/)
  })

  it('that names who answers stands alone', () => {
    assert.equal(problemOf(checkPermissionPromptOptions, { canUseTool }), undefined)
    assert.equal(problemOf(checkPermissionPromptOptions, { permissionPromptToolName: 'x' }), undefined)
    assert.equal(
      problemOf(checkPermissionPromptOptions, { canUseTool, permissionPromptToolName: 'x' })?.[0],
      'canUseTool',
    )
  })

  it('permissionMode of the original that we lack is refused as such, and what is no mode as a mistake', () => {
    for (const mode of [undefined, 'plan'])
      assert.equal(problemOf(checkPermissionModeOption, { permissionMode: mode }), undefined)
    assert.equal(problemOf(checkPermissionModeOption, { permissionMode: 'odd' })?.[2], 'invalid_option')
    const [option, message, code] = problemOf(checkPermissionModeOption, { permissionMode: 'auto' }) ?? []
    assert.deepEqual([option, code], ['permissionMode', 'unsupported_option'])
    assert.match(message ?? '', /auto, which Kedge does not support/)
  })

  it('fallbackModel is another model', () => {
    assert.equal(problemOf(checkFallbackOption, { model: 'a', fallbackModel: 'b' }), undefined)
    assert.equal(problemOf(checkFallbackOption, { fallbackModel: 'b' }), undefined)
    assert.equal(problemOf(checkFallbackOption, { model: '', fallbackModel: '' }), undefined)
    assert.equal(problemOf(checkFallbackOption, { model: 'a', fallbackModel: 'a' })?.[0], 'fallbackModel')
  })

  it('plugins are local', () => {
    assert.equal(problemOf(checkPluginsOption, { plugins: [{ type: 'local', path: '/p' }] }), undefined)
    const odd = [{ type: 'local', path: '/p' }, { type: 'npm' }]
    assert.equal(problemOf(checkPluginsOption, { plugins: odd })?.[1], 'Unsupported plugin type: npm')
  })

  it('hooks are for events there are', () => {
    assert.equal(problemOf(checkHooksOption, { hooks: { PreToolUse: [], Stop: [] } }), undefined)
    const message = problemOf(checkHooksOption, { hooks: { PreToolUse: [], preToolUse: [] } })?.[1] ?? ''
    assert.match(message, /^hooks: there is no event 'preToolUse'\. Known: .*PreToolUse/)
    assert.match(problemOf(checkHooksOption, { hooks: { constructor: [] } })?.[1] ?? '', /no event 'constructor'/)
  })

  it('sessionStore has what a store needs', () => {
    const store = { append: async () => {}, load: async () => null }
    assert.equal(problemOf(checkSessionStoreOption, {}), undefined)
    assert.equal(problemOf(checkSessionStoreOption, { sessionStore: store, sessionStoreFlush: 'eager' }), undefined)
    assert.match(
      problemOf(checkSessionStoreOption, { sessionStore: { load() {} } })?.[1] ?? '',
      /needs a method append\(\)/,
    )
    assert.match(
      problemOf(checkSessionStoreOption, { sessionStore: { append() {}, load: 7 } })?.[1] ?? '',
      /needs a method load\(\)/,
    )
    assert.equal(
      problemOf(checkSessionStoreOption, { sessionStore: store, sessionStoreFlush: 'never' })?.[0],
      'sessionStoreFlush',
    )
    const both = { sessionStore: store, enableFileCheckpointing: true }
    assert.equal(problemOf(checkSessionStoreOption, both)?.[0], 'enableFileCheckpointing')
    // Without a store the one is fine, and the other says nothing.
    assert.equal(
      problemOf(checkSessionStoreOption, { enableFileCheckpointing: true, sessionStoreFlush: 'never' }),
      undefined,
    )
  })
})
