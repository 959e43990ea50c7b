/** From options to the settings of a session: over the command line and back, and that no flag is without effect. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { nodeFiles } from '../platform/files/files.js'
import { FLAGS } from '../protocol/option-table/flags.js'
import { OPTION_ROWS } from '../protocol/option-table/option-rows.js'
import { createFlagReader, parseArgv } from '../protocol/option-table/parse-argv.js'
import { toArgv } from '../protocol/option-table/to-argv.js'
import type { Options } from '../protocol/options.js'
import { PERMISSION_MODES } from '../protocol/permission-modes.js'
import { type Configuration, freezeConfiguration } from './configuration.js'
import { type ConfigurationResult, readConfigurationFromFlags } from './configuration-from-flags.js'

const ID = '0e6a4f0e-6b0c-4b53-9a54-3c5a7c6f3b11'

function read(argv: readonly string[]): ConfigurationResult {
  const parsed = parseArgv(argv)
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.message)
  return readConfigurationFromFlags(createFlagReader(parsed.values), {
    cwd: '/place',
    env: {},
    home: '/home',
    uid: 1000,
    files: nodeFiles,
  })
}

function settingsOf(options: Options): Configuration {
  const result = read(toArgv(options))
  assert.ok(result.ok, result.ok ? '' : result.refusal.message)
  return result.settings
}

const name = fc.stringMatching(/^[a-z][\w.-]{0,8}$/)
const names = fc.array(name, { maxLength: 3 })
const count = fc.integer({ min: 1, max: 1_000_000 })
const plain = { noNullPrototype: true }
const { constant, boolean, constantFrom } = fc

const options: fc.Arbitrary<Options> = fc.record(
  {
    thinking: fc.oneof(
      constant({ type: 'disabled' as const }),
      fc.record({ type: constant('adaptive' as const), display: constantFrom('summarized', 'omitted') }),
      fc.record({ type: constant('enabled' as const), budgetTokens: count }),
    ),
    effort: constantFrom('low', 'medium', 'high', 'max'),
    maxThinkingTokens: fc.nat(),
    maxTurns: fc.nat(),
    maxBudgetUsd: fc.double({ min: 0, max: 1000, noNaN: true }),
    model: name,
    fallbackModel: name,
    agent: name,
    betas: fc.array(constant('context-1m-2025-08-07' as const), { maxLength: 2 }),
    outputFormat: fc.record({ type: constant('json_schema' as const), schema: fc.dictionary(name, name, plain) }),
    canUseTool: constant(async () => ({ behavior: 'allow' as const })),
    resume: name,
    forkSession: boolean(),
    resumeSessionAt: name,
    resumeDropsTurn: name,
    allowedTools: names,
    disallowedTools: names,
    tools: fc.oneof(names, constant({ type: 'preset' as const, preset: 'claude_code' as const })),
    mcpServers: fc.dictionary(name, fc.record({ command: name }, plain), plain),
    settingSources: fc.uniqueArray(constantFrom('user' as const, 'project' as const, 'local' as const)),
    strictMcpConfig: boolean(),
    permissionMode: constantFrom(...PERMISSION_MODES),
    allowDangerouslySkipPermissions: boolean(),
    includePartialMessages: boolean(),
    additionalDirectories: fc.array(name, { maxLength: 2 }),
    plugins: fc.array(fc.record({ type: constant('local' as const), path: name }), { maxLength: 2 }),
    persistSession: boolean(),
    includeHookEvents: boolean(),
    onAsk: constantFrom('deny', 'fail'),
    askDetails: boolean(),
    parkAsks: boolean(),
    maxTokens: count,
    maxToolCalls: count,
    summarize: constant(async () => ''),
    keepToolResults: fc.nat(),
    taskBudget: fc.record({ total: count }),
    batch: boolean(),
    timeoutMs: fc.integer({ min: 0, max: 10_000_000 }),
    agentTeams: boolean(),
    onTurnEnd: constantFrom('wait', 'detach', 'cancel'),
    backgroundCeilingMs: fc.integer({ min: 0, max: 10_000_000 }),
    includeToolOutput: boolean(),
    mcpWait: boolean(),
    mcpSignIns: boolean(),
    getMcpToken: constantFrom(async () => 'token'),
    onMcpSignIn: constantFrom(async () => ({ action: 'cancel' as const })),
    includeNotices: boolean(),
    reloadOnChange: boolean(),
    settings: fc.dictionary(name, name, plain),
  },
  { requiredKeys: [] },
)

/** What a session is to be, said once more without any table. */
function expected(given: Options): Partial<Configuration> {
  const { thinking, maxThinkingTokens: tokens, tools } = given
  const older = tokens === undefined ? undefined : tokens === 0 ? 'disabled' : 'enabled'
  const type = thinking?.type ?? older
  const budgetTokens = thinking?.type === 'enabled' ? thinking.budgetTokens : tokens
  return {
    model: given.model,
    fallbackModel: given.fallbackModel,
    thinking: type === 'enabled' ? { type, budgetTokens } : type && { type },
    thinkingDisplay: thinking?.type === 'adaptive' ? thinking.display : undefined,
    effort: given.effort,
    betas: given.betas ?? [],
    taskBudget: given.taskBudget?.total,
    batch: given.batch ?? false,
    agent: given.agent,
    outputSchema: given.outputFormat && JSON.stringify(given.outputFormat.schema),
    maxTurns: given.maxTurns || null,
    maxBudgetUsd: given.maxBudgetUsd ?? null,
    maxTokens: given.maxTokens ?? null,
    maxToolCalls: given.maxToolCalls ?? null,
    onTurnEnd: given.onTurnEnd ?? 'wait',
    keepToolResults: given.keepToolResults,
    tools: Array.isArray(tools) ? tools : undefined,
    choseTools: tools !== undefined,
    teams: given.agentTeams ?? false,
    taskList: given.agentTeams ?? false,
    mcpServers: given.mcpServers ?? {},
    awaitsInitialize: false,
    hostGivesMcpTokens: given.getMcpToken !== undefined,
    hostLeadsMcpSignIns: given.onMcpSignIn !== undefined,
    ...(given.mcpSignIns === undefined ? {} : { mcpSignIns: given.mcpSignIns }),
    strictMcp: given.strictMcpConfig ?? false,
    mcpWait: given.mcpWait ?? true,
    notices: given.includeNotices ?? false,
    reloadsOnChange: given.reloadOnChange ?? false,
    allow: given.allowedTools ?? [],
    deny: given.disallowedTools ?? [],
    mode: given.permissionMode ?? 'default',
    choseMode: true,
    allowBypass: given.permissionMode === 'bypassPermissions' || (given.allowDangerouslySkipPermissions ?? false),
    directories: (given.additionalDirectories ?? []).map((folder) => `/place/${folder}`),
    asksHost: given.canUseTool !== undefined,
    gated: false,
    askDetails: given.askDetails ?? false,
    parksAsks: given.parkAsks ?? false,
    continuesTurn: false,
    failOnAsk: given.onAsk === 'fail',
    persist: given.persistSession ?? true,
    resume: given.resume,
    fork: given.forkSession ?? false,
    resumeAt: given.resumeSessionAt,
    dropsTurn: given.resumeDropsTurn,
    sources: (['user', 'project', 'local'] as const).filter((source) => given.settingSources?.includes(source)),
    trusted: given.settingSources?.some((source) => source !== 'user') ?? false,
    settingsFlag: given.settings && JSON.stringify(given.settings),
    pluginFolders: (given.plugins ?? []).map(({ path }) => `/place/${path}`),
    partial: given.includePartialMessages ?? false,
    toolOutput: given.includeToolOutput ?? false,
    hookEvents: given.includeHookEvents ?? false,
    hostSummarizes: given.summarize !== undefined,
  }
}

test('options are the settings of the session, over the command line and back', () => {
  fc.assert(
    fc.property(options, ({ resumeSessionAt, resumeDropsTurn, ...rest }) => {
      // Without a session to resume it is refused, and what it drops without it.
      const cut = resumeSessionAt ? { resumeSessionAt, ...(resumeDropsTurn ? { resumeDropsTurn } : {}) } : {}
      const given = rest.resume === undefined ? rest : { ...rest, ...cut }
      const { timeoutMs, backgroundCeilingMs, ...settings } = settingsOf(given)
      const wanted = expected(given)
      for (const [key, value] of Object.entries(wanted)) assert.deepEqual(Reflect.get(settings, key), value, key)
      // Through seconds and back, to the millisecond.
      assert.equal(timeoutMs === null ? undefined : Math.round(timeoutMs), given.timeoutMs)
      assert.equal(
        backgroundCeilingMs === null ? undefined : Math.round(backgroundCeilingMs),
        given.backgroundCeilingMs,
      )
    }),
  )
})

/** A value that says something else than saying nothing, for flags that take a text of their own. */
const SAMPLES: Record<string, readonly string[]> = {
  'debug-file': ['log.txt'],
  'permission-prompt-tool': ['stdio'],
  'mcp-config': ['{"mcpServers":{"a":{"command":"x"}}}'],
  'setting-sources': ['user'],
  'session-id': [ID],
  'resume-session-at': ['x', '--resume', ID],
  'resume-drops-turn': ['x', '--resume', ID, '--resume-session-at', ID],
  'resume-from-host': ['--resume', ID],
  debug: ['api'],
  agents: ['{"a":{"description":"d","prompt":"p"}}'],
}

function sampleOf({ name, kind, choices }: (typeof FLAGS)[number]): readonly string[] {
  const own = SAMPLES[name]
  if (own) return own
  if (kind === 'switch') return []
  if (kind === 'number') return ['7']
  return [choices?.filter((choice) => !['default', 'deny', 'wait', 'bypassPermissions'].includes(choice))[0] ?? 'x']
}

/** They need another flag beside them, or a file. */
const NEEDY = ['gate', 'fork-session', 'system-prompt-file', 'append-system-prompt-file']

/** They take back what another flag says. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  untrusted: ['--input-format', 'stream-json', '--setting-sources', 'project'],
}

test('every flag that a session reads makes it another one, and those of the command alone do not', () => {
  for (const flag of FLAGS.filter(({ refused }) => refused === undefined)) {
    const beside = BESIDE[flag.name] ?? []
    const plain = read([...beside])
    const result = read([`--${flag.name}`, ...sampleOf(flag), ...beside])
    if (flag.readBy === 'command') assert.deepEqual(result, plain, flag.name)
    else assert.notDeepEqual(result, plain, flag.name)
    if (!result.ok) assert.ok(NEEDY.includes(flag.name), `${flag.name}: ${result.refusal.message}`)
  }
})

test('lists are not shared between sessions, and nothing can be added to them once a session is decided on', () => {
  const lists = ({ allow, deny, directories, betas, pluginFolders }: Configuration) =>
    [allow, deny, directories, betas, pluginFolders] as string[][]
  const [first, second] = [settingsOf({}), settingsOf({})]
  lists(first).forEach((list, index) => {
    assert.notEqual(list, lists(second)[index])
  })
  const frozen = freezeConfiguration(first)
  for (const list of lists(frozen)) assert.throws(() => list.push('x'), TypeError)
  assert.throws(() => Object.assign(frozen, { mode: 'bypassPermissions' }), TypeError)
})

test('the options that are generated here are all that have a flag, but for those with cases of their own', () => {
  const generated = new Set(fc.sample(options, 500).flatMap((one) => Object.keys(one)))
  const missing = OPTION_ROWS.flatMap(([option, flag]) => (flag === null || generated.has(option) ? [] : [option]))
  // Three of them contradict others, the others are odd in ways of their own: to-argv.test.ts has them.
  const own = [
    'debugFile',
    'debug',
    'permissionPromptToolName',
    'continue',
    'mcpServersDelivery',
    'sessionId',
    'sessionStore',
    'continueTurn',
    'gate',
    'untrusted',
  ]
  assert.deepEqual(missing, own)
})
