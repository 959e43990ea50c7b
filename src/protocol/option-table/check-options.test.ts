/** What is wrong with options is said before anything starts, in texts that are part of the contract. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '../../errors.js'
import type { Options } from '../options.js'
import { checkOptions } from './check-options.js'
import { OPTION_ROWS, REFUSED_OPTIONS } from './option-rows.js'
import { OPTION_SHAPES } from './option-shapes.js'

/** What callers in plain JavaScript may give. */
type Loose = { [Name in keyof Options]: unknown }

const canUseTool = async () => ({ behavior: 'allow' })
const store = { append: async () => {}, load: async () => null }

const CASES: [options: Loose, option: string, text: string][] = [
  [{ permissionPrompts: 'nobody' }, 'permissionPrompts', "permissionPrompts must be 'host' or 'none', not 'nobody'."],
  [
    { systemPrompt: { type: 'preset', preset: 'claude_code', excludeDynamicSections: true } },
    'systemPrompt',
    'The option systemPrompt.excludeDynamicSections is not supported by this version of Kedge.',
  ],
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
  [{ resumeDropsTurn: 'x' }, 'resumeDropsTurn', 'resumeDropsTurn needs resumeSessionAt.'],
  [{ continueTurn: true }, 'continueTurn', 'continueTurn needs resume (or continue).'],
  [
    { continueTurn: true, resume: 'x', forkSession: true },
    'continueTurn',
    "continueTurn can't be combined with forkSession.",
  ],
  [{ onAsk: 'x' }, 'onAsk', "onAsk must be 'deny' or 'fail', not 'x'."],
  [{ onTurnEnd: 'x' }, 'onTurnEnd', "onTurnEnd must be 'wait', 'detach' or 'cancel', not 'x'."],
  [{ abortController: {} }, 'abortController', 'abortController must be an AbortController.'],
  [
    { permissionMode: 'yolo' },
    'permissionMode',
    "Cannot set permission mode: must be one of acceptEdits, bypassPermissions, default, delegate, dontAsk, plan, not 'yolo'.",
  ],
  [{ mcpServersDelivery: 'x' }, 'mcpServersDelivery', "mcpServersDelivery must be 'argv' or 'initialize', not 'x'."],
  [{ isolation: 'x' }, 'isolation', "isolation must be 'in-process' or 'process', not 'x'."],
  [{ maxTokens: 0 }, 'maxTokens', 'maxTokens must be a whole number above 0.'],
  [{ maxToolCalls: 1.5 }, 'maxToolCalls', 'maxToolCalls must be a whole number above 0.'],
  [
    { batch: true, includePartialMessages: true },
    'batch',
    'batch and includePartialMessages exclude each other: a batch answers in one piece.',
  ],
  [
    { perTaskStopAffordance: false },
    'perTaskStopAffordance',
    'The option perTaskStopAffordance must be true: an interrupt never ends background tasks here.',
  ],
  [
    { supportedDialogKinds: ['pick'] },
    'supportedDialogKinds',
    'supportedDialogKinds needs onUserDialog: nobody would show the dialogs otherwise.',
  ],
  [{ taskBudget: {} }, 'taskBudget', 'taskBudget must be { total } with a whole number of tokens above 0.'],
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

test('options of newer releases are refused by name, unless they are undefined or ask for nothing', () => {
  for (const [name, { unless }] of Object.entries(REFUSED_OPTIONS)) {
    const problem = problemOf({ [name]: true })
    assert.deepEqual([problem?.option, problem?.code], [name, 'unsupported_option'])
    assert.equal(problem?.message, `The option ${name} is not supported by this version of Kedge.`)
    assert.equal(problemOf({ [name]: undefined }), undefined)
    if (unless !== undefined) assert.equal(problemOf({ [name]: structuredClone(unless) }), undefined)
  }
  const kept = ['managedSettings', 'toolConfig', 'agentProgressSummaries']
  assert.deepEqual(
    Object.keys(REFUSED_OPTIONS).filter((name) => REFUSED_OPTIONS[name]?.unless !== undefined),
    [...kept, 'verbatimPrompts', 'pluginDelivery'],
  )
  const asking: object[] = [{ toolConfig: { a: 1 } }, { pluginDelivery: 'initialize' }]
  for (const options of asking) assert.equal(problemOf(options)?.code, 'unsupported_option')
})

/** Of the wrong shape: the option, and where in it what was expected and given. */
const SHAPES: [options: Loose, text: string][] = [
  [{ hooks: { PreToolUse: canUseTool } }, 'hooks.PreToolUse must be an array, got a function.'],
  [{ hooks: { PreToolUse: [canUseTool] } }, 'hooks.PreToolUse[0] must be an object, got a function.'],
  [{ hooks: { PreToolUse: [{ hooks: canUseTool }] } }, 'hooks.PreToolUse[0].hooks must be an array, got a function.'],
  [{ hooks: { Stop: [{ hooks: ['x'] }] } }, 'hooks.Stop[0].hooks[0] must be a function, got a string.'],
  [{ hooks: { Stop: [{}] } }, 'hooks.Stop[0].hooks must be an array, got nothing.'],
  [
    { hooks: { PreToolUse: [{ matcher: /Bash/, hooks: [] }] } },
    'hooks.PreToolUse[0].matcher must be a string, got an object.',
  ],
  [{ hooks: [] }, 'hooks must be an object, got an array.'],
  [{ canUseTool: 'ask' }, 'canUseTool must be a function, got a string.'],
  [{ disallowedTools: 'Bash' }, 'disallowedTools must be an array, got a string.'],
  [{ disallowedTools: [{}] }, 'disallowedTools[0] must be a string, got an object.'],
  [{ allowedTools: {} }, 'allowedTools must be an array, got an object.'],
  [{ tools: 'Read' }, 'tools must be an array or an object, got a string.'],
  [{ maxBudgetUsd: 'abc' }, 'maxBudgetUsd must be a number of at least 0, got a string.'],
  [{ maxBudgetUsd: Number.NaN }, 'maxBudgetUsd must be a number of at least 0, got a number.'],
  [{ timeoutMs: -5 }, 'timeoutMs must be a number of at least 0, got -5.'],
  [{ maxTurns: 1.5 }, 'maxTurns must be an integer of at least 0, got a number.'],
  [{ effort: 'zzz' }, 'effort must be one of "low", "medium", "high", "max", got "zzz".'],
  [{ settingSources: ['home'] }, 'settingSources[0] must be one of "user", "project", "local", got "home".'],
  [{ agents: { a: { description: 'd' } } }, 'agents.a.prompt must be a string, got nothing.'],
  [{ mcpServers: { a: 'npx' } }, 'mcpServers.a must be an object, got a string.'],
  [{ persistSession: 'no' }, 'persistSession must be a boolean, got a string.'],
  [{ plugins: 'p' }, 'plugins must be an array, got a string.'],
]

test('an option of the wrong shape is refused with the place in it that is wrong', () => {
  for (const [options, text] of SHAPES) {
    const problem = problemOf(options)
    assert.deepEqual([problem?.message, problem?.code], [text, 'invalid_option'])
    assert.equal(problem?.option, Object.keys(options)[0])
  }
})

test('every option has a shape, and nothing passes for all of them', () => {
  const odd = Symbol('odd')
  const roughly = Object.keys(OPTION_SHAPES).filter((name) => problemOf({ [name]: odd }) === undefined)
  // Looked at by those who use them, who say more than a shape can.
  assert.deepEqual(roughly, ['sessionStoreFlush', 'transport', 'workspace'])
})

test('what is right passes', () => {
  for (const options of [
    {},
    { gate: 'always', canUseTool, onAsk: 'deny', maxTokens: 1, taskBudget: { total: 1 }, backgroundCeilingMs: 0 },
    { permissionMode: 'plan', effort: 'low', plugins: [], hooks: {}, abortController: new AbortController() },
    { hooks: { Stop: [{ hooks: [canUseTool] }] }, tools: [], systemPrompt: 'x', notOurs: 5 },
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
