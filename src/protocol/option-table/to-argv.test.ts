/** Options on their way to a command line: the order, the odd cases, and that what is sent can be read again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Options } from '../options.js'
import { OPTION_ROWS } from './option-rows.js'
import { parseArgv } from './parse-argv.js'
import { toArgv } from './to-argv.js'

const HEAD = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']

/** Without the words that always come. */
function sent(options: Options): string[] {
  const always = [HEAD.join(' '), '--setting-sources ', '--permission-mode default'].join(' ').split(' ')
  const words = toArgv(options)
  assert.deepEqual(words.slice(0, HEAD.length), HEAD)
  const rest = [...always]
  return words.filter((word) => {
    const at = rest.indexOf(word)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

/** Every option that becomes a flag. */
const EVERY: Options = {
  includeToolOutput: true,
  batch: true,
  backgroundCeilingMs: 2500,
  onTurnEnd: 'cancel',
  agentTeams: true,
  timeoutMs: 1000,
  mcpWait: false,
  getMcpToken: async () => undefined,
  onMcpSignIn: async () => ({ action: 'cancel' }),
  mcpSignIns: true,
  includeNotices: true,
  reloadOnChange: true,
  taskBudget: { total: 9 },
  keepToolResults: 3,
  summarize: async () => '',
  maxToolCalls: 4,
  maxTokens: 5,
  onAsk: 'fail',
  gate: 'always',
  askDetails: true,
  continueTurn: true,
  parkAsks: true,
  untrusted: true,
  includeHookEvents: true,
  sessionStore: { append: async () => {}, load: async () => null },
  persistSession: false,
  sessionId: 'id',
  resumeSessionAt: 'uuid',
  resumeDropsTurn: 'prompt',
  skills: ['pdf', 'office:docx'],
  forkSession: true,
  plugins: [{ type: 'local', path: '/p' }],
  additionalDirectories: ['/a', '/b'],
  includePartialMessages: true,
  fallbackModel: 'opus',
  allowDangerouslySkipPermissions: true,
  permissionMode: 'plan',
  strictMcpConfig: true,
  settingSources: ['user', 'local'],
  mcpServers: { s: { command: 'x' } },
  tools: ['Read', 'Edit'],
  disallowedTools: ['Write'],
  allowedTools: ['Read', 'Bash(ls:*)'],
  resume: 'session',
  continue: true,
  canUseTool: async () => ({ behavior: 'allow' }),
  debugFile: '/log',
  outputFormat: { type: 'json_schema', schema: { type: 'object' } },
  betas: ['context-1m-2025-08-07'],
  agent: 'reviewer',
  model: 'sonnet',
  maxBudgetUsd: 0.5,
  maxTurns: 2,
  effort: 'high',
  thinking: { type: 'enabled', budgetTokens: 1024, display: 'omitted' },
  extraArgs: { 'replay-user-messages': null, 'system-prompt': 'Be kind.' },
  settings: { model: 'x' },
  sandbox: { enabled: true },
}

test('the order of the command line is what hosts have always sent', () => {
  assert.deepEqual(toArgv(EVERY), [
    ...HEAD,
    ...['--max-thinking-tokens', '1024', '--thinking-display', 'omitted', '--effort', 'high', '--max-turns', '2'],
    ...['--max-budget-usd', '0.5', '--model', 'sonnet', '--agent', 'reviewer', '--betas', 'context-1m-2025-08-07'],
    ...['--json-schema', '{"type":"object"}', '--debug-file', '/log', '--permission-prompt-tool', 'stdio'],
    ...['--continue', '--resume', 'session', '--allowedTools', 'Read,Bash(ls:*),Skill(pdf),Skill(office:docx)'],
    ...['--disallowedTools', 'Write'],
    ...['--tools', 'Read,Edit', '--mcp-config', '{"mcpServers":{"s":{"command":"x"}}}'],
    ...['--setting-sources', 'user,local', '--strict-mcp-config', '--permission-mode', 'plan'],
    ...['--allow-dangerously-skip-permissions', '--fallback-model', 'opus', '--include-partial-messages'],
    ...['--add-dir', '/a', '--add-dir', '/b', '--plugin-dir', '/p', '--fork-session', '--resume-session-at', 'uuid'],
    ...[
      '--resume-drops-turn',
      'prompt',
      '--session-id',
      'id',
      '--no-session-persistence',
      '--session-mirror',
      '--include-hook-events',
      '--continue-turn',
      '--park-asks',
    ],
    ...[
      '--gate',
      'always',
      '--ask-details',
      '--untrusted',
      '--on-ask',
      'fail',
      '--max-tokens',
      '5',
      '--max-tool-calls',
      '4',
      '--batch',
      '--summarizer',
      'host',
    ],
    ...['--mcp-tokens', 'host', '--mcp-sign-in-requests', 'host', '--mcp-sign-ins', 'use'],
    ...['--keep-tool-results', '3', '--task-budget', '9', '--timeout', '1', '--agent-teams'],
    ...['--on-turn-end', 'cancel', '--background-ceiling', '2.5', '--include-tool-output', '--include-notices'],
    '--reload-on-change',
    ...['--no-mcp-wait'],
    ...['--replay-user-messages', '--system-prompt', 'Be kind.'],
    ...['--settings', '{"model":"x","sandbox":{"enabled":true}}'],
  ])
})

test("programs and addresses are not on the command line with mcpServersDelivery: 'initialize'; servers of this process are", () => {
  const instance = { connect: async () => {}, close: async () => {} }
  const s = { command: 'x', env: { A_TOKEN: 'hunter2' } }
  const mine = { type: 'sdk', name: 'mine', instance } as const
  const options: Options = { mcpServers: { s, mine }, mcpServersDelivery: 'initialize' }
  assert.deepEqual(sent(options), [
    ...['--mcp-config', '{"mcpServers":{"mine":{"type":"sdk","name":"mine"}}}', '--await-initialize'],
  ])
  assert.deepEqual(sent({ mcpServers: { mine }, mcpServersDelivery: 'initialize' }), [
    ...['--mcp-config', '{"mcpServers":{"mine":{"type":"sdk","name":"mine"}}}'],
  ])
})

test('every row sends its flag, and every flag that is sent can be read', () => {
  const apart: Options = { mcpServers: { s: { command: 'x' } }, mcpServersDelivery: 'initialize' }
  const cases: Options[] = [EVERY, apart, { debug: true }, { maxThinkingTokens: 7 }, { thinking: { type: 'adaptive' } }]
  const seen = new Set<string>()
  for (const options of cases) {
    const parsed = parseArgv(toArgv(options))
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.message)
    const { switches, text, repeated } = parsed.values
    for (const name of [...switches, ...text.keys(), ...repeated.keys()]) seen.add(name)
  }
  assert.deepEqual(
    OPTION_ROWS.flatMap(([, flag]) => (flag === null || seen.has(flag) ? [] : [flag])),
    [],
  )
})

test('nothing is sent for what is not asked for, and what says nothing', () => {
  assert.deepEqual(sent({}), [])
  const nothing: Options = {
    maxTurns: 0,
    betas: [],
    allowedTools: [],
    disallowedTools: [],
    mcpServers: {},
    debug: false,
    continue: false,
    debugFile: '',
    persistSession: true,
    additionalDirectories: [],
    plugins: [],
    extraArgs: {},
  }
  assert.deepEqual(sent(nothing), [])
  // No tools is not the same as no word about tools.
  assert.deepEqual(toArgv({ tools: [] }).slice(HEAD.length, HEAD.length + 2), ['--tools', ''])
})

test('thinking: a budget, no thinking at all, or as the model likes', () => {
  const cases: [Options, string[]][] = [
    [{ thinking: { type: 'disabled' } }, ['--thinking', 'disabled']],
    [{ thinking: { type: 'adaptive' } }, ['--thinking', 'adaptive']],
    [{ thinking: { type: 'enabled' } }, ['--thinking', 'adaptive']],
    [{ thinking: { type: 'enabled', budgetTokens: 0 } }, ['--max-thinking-tokens', '0']],
    [
      { thinking: { type: 'adaptive', display: 'summarized' }, maxThinkingTokens: 5 },
      ['--thinking', 'adaptive', '--thinking-display', 'summarized'],
    ],
    [{ maxThinkingTokens: 0 }, ['--thinking', 'disabled']],
    [{ maxThinkingTokens: 5 }, ['--max-thinking-tokens', '5']],
  ]
  for (const [options, expected] of cases) assert.deepEqual(sent(options), expected)
})

test('settings from everywhere share one last flag', () => {
  const cases: [Options, string[]][] = [
    [{ settings: '/a/file.json' }, ['--settings', '/a/file.json']],
    [{ extraArgs: { settings: '/a/file.json' } }, ['--settings', '/a/file.json']],
    [{ extraArgs: { settings: null }, settings: {} }, ['--settings', '--settings', '{}']],
    [
      { extraArgs: { settings: '{"a":1,"b":1}', init: null }, settings: '{"b":2}', sandbox: { enabled: true } },
      ['--init', '--settings', '{"a":1,"b":2,"sandbox":{"enabled":true}}'],
    ],
  ]
  for (const [options, expected] of cases) assert.deepEqual(sent(options), expected)
  assert.throws(() => toArgv({ settings: '/a/file.json', sandbox: {} }), {
    message: 'settings must be a JSON object when there are other settings to put beside it.',
  })
  assert.throws(() => toArgv({ settings: {}, extraArgs: { settings: 'x' } }), {
    message: 'extraArgs.settings must be a JSON object when there are other settings to put beside it.',
  })
})

test('a server of this process is sent by its name here, without the live object', () => {
  const instance = { connect: async () => {}, close: async () => {} }
  const [, json = ''] = sent({ mcpServers: { mine: { type: 'sdk', name: 'other', timeout: 9, instance } } })
  assert.deepEqual(JSON.parse(json), { mcpServers: { mine: { type: 'sdk', name: 'mine', timeout: 9 } } })
})
