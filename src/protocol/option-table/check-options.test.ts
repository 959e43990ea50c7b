/** What is wrong with options is said before anything starts, in texts that are part of the contract. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../../errors.js'
import type { Options } from '../options.js'
import { checkOptions } from './check-options.js'
import { OPTION_ROWS, REFUSED_OPTIONS } from './option-rows.js'

/** What callers in plain JavaScript may give. */
type Loose = { [Name in keyof Options]: unknown }

const canUseTool = async () => ({ behavior: 'allow' })
const store = { append: async () => {}, load: async () => null }

const CASES: [options: Loose, option: string, text: string][] = [
  [
    { canUseTool, permissionPromptToolName: 'x' },
    'canUseTool',
    'canUseTool callback cannot be used with permissionPromptToolName. Please use one or the other.',
  ],
  [
    { model: 'a', fallbackModel: 'a' },
    'fallbackModel',
    'Fallback model cannot be the same as the main model. Please specify a different model for fallbackModel option.',
  ],
  [{ plugins: [{ type: 'remote', path: '/' }] }, 'plugins', 'Unsupported plugin type: remote'],
  [
    { mcpServers: { a: { type: 'sdk', name: 'a' } } },
    'mcpServers',
    'mcpServers.a: a server of type sdk needs an `instance`, as createSdkMcpServer() makes it.',
  ],
  [{ sessionStore: { load: store.load } }, 'sessionStore', 'sessionStore needs a method append().'],
  [
    { sessionStore: store, sessionStoreFlush: 'late' },
    'sessionStoreFlush',
    "sessionStoreFlush must be 'batched' or 'eager', not 'late'.",
  ],
  [
    { sessionStore: store, enableFileCheckpointing: true },
    'enableFileCheckpointing',
    'enableFileCheckpointing is not yet supported with sessionStore: the copies of files are only on this disk.',
  ],
  [{ gate: 'never' }, 'gate', "gate must be 'always', not 'never'."],
  [{ gate: 'always' }, 'gate', "gate: 'always' needs canUseTool: there is nobody to ask otherwise."],
  [{ onAsk: 'x' }, 'onAsk', "onAsk must be 'deny' or 'fail', not 'x'."],
  [{ onTurnEnd: null }, 'onTurnEnd', "onTurnEnd must be 'wait', 'detach' or 'cancel', not 'null'."],
  [{ isolation: 'x' }, 'isolation', "isolation must be 'in-process' or 'process', not 'x'."],
  [{ maxTokens: 0 }, 'maxTokens', 'maxTokens must be a whole number above 0.'],
  [{ maxToolCalls: 1.5 }, 'maxToolCalls', 'maxToolCalls must be a whole number above 0.'],
  [{ taskBudget: null }, 'taskBudget', 'taskBudget must be { total } with a whole number of tokens above 0.'],
  [{ backgroundCeilingMs: '5' }, 'backgroundCeilingMs', 'backgroundCeilingMs must be a number of milliseconds.'],
]

function problemOf(options: Loose): ConfigurationError | undefined {
  try {
    // Wrong on purpose.
    checkOptions(options as Options)
    return undefined
  } catch (error) {
    assert.ok(error instanceof ConfigurationError)
    return error
  }
}

test('each mistake is named with its option', () => {
  for (const [options, option, text] of CASES) {
    const problem = problemOf(options)
    assert.deepEqual([problem?.option, problem?.message], [option, text])
  }
  assert.match(problemOf({ hooks: { PreTool: [] } })?.message ?? '', /^hooks: there is no event 'PreTool'\. Known: Pre/)
})

test('options of newer releases are refused by name, unless they are undefined', () => {
  for (const name of REFUSED_OPTIONS) {
    const problem = problemOf({ [name]: true })
    assert.deepEqual([problem?.option, problem?.code], [name, 'unsupported_option'])
    assert.equal(problem?.message, `The option ${name} is not supported by this version of Kedge.`)
    assert.equal(problemOf({ [name]: undefined }), undefined)
  }
})

test('what is right passes, and a mode or level that is none is left to the agent', () => {
  for (const options of [
    {},
    { gate: 'always', canUseTool, onAsk: 'deny', maxTokens: 1, taskBudget: { total: 1 }, backgroundCeilingMs: 0 },
    { permissionMode: 'bogus', effort: 'bogus', plugins: null, hooks: null },
    { sessionStoreFlush: 'late' },
  ])
    assert.equal(problemOf(options), undefined)
})

test('every row with choices or a limit of its own has a case here', () => {
  const checked = OPTION_ROWS.flatMap(([option, , , parts]) => (parts && 'check' in parts ? [option] : []))
  const tried = new Set<string>([...CASES.map(([, option]) => option), 'hooks', 'permissionMode'])
  // The last of them is told of as `canUseTool`.
  assert.deepEqual(
    checked.filter((option) => !tried.has(option)),
    ['permissionPromptToolName'],
  )
})
