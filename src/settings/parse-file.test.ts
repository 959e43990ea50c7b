import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxSettings } from '../protocol/options.js'
import { type KnownSettings, settingsShape } from './keys/known-keys.js'
import type { Shape } from './keys/shape.js'
import { parseTestSettings, settingsProblemMessages } from './test-settings.js'

const full: KnownSettings = {
  $schema: 'https://example.com/schema.json',
  permissions: {
    allow: ['Read', 'Bash(git log:*)'],
    deny: ['Read(./.env)'],
    ask: ['Bash(git push *)'],
    defaultMode: 'acceptEdits',
    additionalDirectories: ['../docs'],
    disableBypassPermissionsMode: 'disable',
  },
  env: { NODE_ENV: 'test', EMPTY: '' },
  model: 'opus',
  hooks: {
    PreToolUse: [{ matcher: 'Bash|Edit', hooks: [{ type: 'command', command: 'check.sh', timeout: 5 }] }],
    Stop: [{ hooks: [{ type: 'command', command: 'done.sh', async: true }] }],
    Notification: [{ matcher: '*', hooks: [] }],
    PostToolUse: [{ matcher: '', hooks: [] }],
  },
  disableAllHooks: false,
  apiKeyHelper: 'print-key',
  statusLine: { type: 'command', command: 'status.sh', padding: 0 },
  cleanupPeriodDays: 20,
  includeCoAuthoredBy: false,
  outputStyle: 'Terse',
  alwaysThinkingEnabled: true,
  maxThinkingTokens: 4000,
  effortLevel: 'high',
  enableAllProjectMcpServers: true,
  enabledMcpjsonServers: ['memory'],
  disabledMcpjsonServers: ['files'],
  sandbox: {
    enabled: true,
    autoAllowBashIfSandboxed: true,
    allowUnsandboxedCommands: false,
    excludedCommands: ['docker'],
    network: {
      allowedDomains: ['example.com'],
      allowManagedDomainsOnly: false,
      allowUnixSockets: ['/run/x.sock'],
      allowAllUnixSockets: false,
      allowLocalBinding: true,
      httpProxyPort: 8080,
      socksProxyPort: 8081,
    },
    filesystem: { allowWrite: ['/tmp/x'], denyWrite: ['/etc'], denyRead: ['~/.ssh'] },
    ignoreViolations: { npm: ['/etc/*'] },
    enableWeakerNestedSandbox: false,
    ripgrep: { command: 'rg', args: ['--hidden'] },
  },
}

test('everything that is known and right comes through as it is', () => {
  assert.deepEqual(parseTestSettings(full), { settings: full, problems: [] })
  const managed = { ...full, allowManagedHooksOnly: true, allowManagedPermissionRulesOnly: true }
  assert.deepEqual(parseTestSettings(managed, { source: 'managedSettings' }).settings, managed)
  // The sandbox is the one of the option.
  const sandbox: SandboxSettings | undefined = parseTestSettings(full).settings.sandbox
  assert.equal(sandbox?.enabled, true)
})

test('every known key says what it is for', () => {
  const visit = (shape: Shape, path: string): void => {
    assert.match(shape.about, /^\S.*\.$/s, path)
    if (shape.kind === 'object') for (const [key, child] of Object.entries(shape.keys)) visit(child, `${path}.${key}`)
    if (shape.kind === 'list' || shape.kind === 'map') visit(shape.of, `${path}[]`)
  }
  visit(settingsShape, '')
})

test('problems name file, line, column and key', () => {
  const text = '{\n  "permissions": {\n    "allow": ["Read", 7],\n    "deny": [null]\n  },\n  "model": 3\n}'
  const { settings, problems } = parseTestSettings(text, {
    source: 'projectSettings',
    file: '/repo/.claude/settings.json',
  })
  assert.deepEqual(settings, { permissions: { allow: ['Read'], deny: [] } })
  const common = { source: 'projectSettings', file: '/repo/.claude/settings.json' }
  const start = common.file
  assert.deepEqual(problems, [
    {
      severity: 'warning',
      ...common,
      line: 3,
      column: 23,
      key: 'permissions.allow[1]',
      message: `${start}:3:23: permissions.allow[1] must be text, not a number. It is not used.`,
    },
    {
      severity: 'refuse',
      ...common,
      line: 4,
      column: 14,
      key: 'permissions.deny[0]',
      message: `${start}:4:14: permissions.deny[0] must be text, not null.`,
    },
    {
      severity: 'warning',
      ...common,
      line: 6,
      column: 12,
      key: 'model',
      message: `${start}:6:12: model must be text, not a number. It is not used.`,
    },
  ])
})

test('each wrong value is rejected by name, and nothing else with it', () => {
  const cases: [unknown, unknown, string[]][] = [
    [{ permissions: [] }, {}, ['refuse permissions must be an object, not a list.']],
    [
      { permissions: { allow: 'Read', deny: ['Bash'] } },
      { permissions: { deny: ['Bash'] } },
      ['warning permissions.allow must be a list, not text. It is not used.'],
    ],
    [{ permissions: { ask: {} } }, { permissions: {} }, ['refuse permissions.ask must be a list, not an object.']],
    [
      { permissions: { defaultMode: 'auto' } },
      { permissions: {} },
      [
        'warning permissions.defaultMode must be one of "default", "acceptEdits", "plan", "dontAsk", "delegate", "bypassPermissions" (auto is not supported by Kedge). It is not used.',
      ],
    ],
    [
      { permissions: { disableBypassPermissionsMode: true } },
      { permissions: {} },
      ['refuse permissions.disableBypassPermissionsMode must be "disable", not true.'],
    ],
    [{ sandbox: true }, {}, ['refuse sandbox must be an object, not true.']],
    [{ sandbox: { enabled: 'true' } }, { sandbox: {} }, ['refuse sandbox.enabled must be true or false, not text.']],
    [
      { sandbox: { network: { httpProxyPort: 0.5 } } },
      { sandbox: { network: {} } },
      ['refuse sandbox.network.httpProxyPort must be a whole number from 1 to 65535, not a number.'],
    ],
    [{ sandbox: { ripgrep: { args: [] } } }, { sandbox: {} }, ['refuse sandbox.ripgrep has no "command".']],
    [{ model: ' ' }, {}, ['warning model is empty. It is not used.']],
    [{ model: 'a\0b' }, {}, ['warning model holds a NUL character. It is not used.']],
    [{ model: 'x'.repeat(201) }, {}, ['warning model is longer than 200 characters. It is not used.']],
    [
      { env: { 'A=B': 'x', OK: 'y', 'a b': 'z' } },
      { env: { OK: 'y' } },
      [
        'warning env["A=B"] is not the name of an environment variable.',
        'warning env["a b"] is not the name of an environment variable.',
      ],
    ],
    [
      { allowManagedHooksOnly: true },
      {},
      ['warning allowManagedHooksOnly is not used: only managed settings can set this.'],
    ],
  ]
  for (const [content, settings, expected] of cases) {
    const parsed = parseTestSettings(content)
    assert.deepEqual([parsed.settings, settingsProblemMessages(parsed)], [settings, expected])
  }
})

test('numbers and true/false in the environment stand for their text, as it is written', () => {
  assert.deepEqual(parseTestSettings('{"env": {"A": 1.0, "B": false, "C": -1e3}}').settings, {
    env: { A: '1.0', B: 'false', C: '-1e3' },
  })
})

test('hooks: a wrong one is left out as a whole; before a tool that refuses the start', () => {
  const good = { hooks: [{ type: 'command', command: 'x' }] }
  const wrong = [
    { matcher: '(', ...good },
    { matcher: 5, ...good },
    { matcher: 'Bash' },
    { hooks: 'x' },
    'x',
    {
      hooks: [
        { type: 'command' },
        { type: 'prompt', promt: 'x' },
        { type: 'command', command: 'y', timeout: -1 },
        { command: 'z' },
        { type: 5 },
        { type: 'http', url: 'ftp://x' },
        { type: 'http', url: 'https://me:secret@x/' },
      ],
    },
  ]
  const reasons = (event: string) => [
    `hooks.${event}[0].matcher is not a regular expression. It is not used.`,
    `hooks.${event}[1].matcher must be text, not a number. It is not used.`,
    `hooks.${event}[2] has no "hooks". It is not used.`,
    `hooks.${event}[3].hooks must be a list, not text. It is not used.`,
    `hooks.${event}[4] must be an object, not text. It is not used.`,
    `hooks.${event}[5].hooks[0] has no "command". It is not used.`,
    `hooks.${event}[5].hooks[1].promt is not known. It is ignored.`,
    `hooks.${event}[5].hooks[1] has no "prompt". It is not used.`,
    `hooks.${event}[5].hooks[2].timeout must be a number from 0 to 2147483, not a number. It is not used.`,
    `hooks.${event}[5].hooks[3] has no "type". It is not used.`,
    `hooks.${event}[5].hooks[4].type must be one of "command", "http", "prompt", "agent", "mcp_tool", not a number. It is not used.`,
    `hooks.${event}[5].hooks[5].url must begin with http:// or https://. It is not used.`,
    `hooks.${event}[5].hooks[6].url must not contain a password. Use headers and allowedEnvVars. It is not used.`,
  ]
  const after = parseTestSettings({ hooks: { PostToolUse: [...wrong, good] } })
  assert.deepEqual(after.settings, { hooks: { PostToolUse: [{ hooks: [] }, good] } })
  const text = ({ message }: { message: string }) => message.replace(/^[^ ]+ /, '')
  assert.deepEqual(after.problems.map(text), reasons('PostToolUse'))
  assert.deepEqual(new Set(after.problems.map(({ severity }) => severity)), new Set(['warning', 'note']))
  const before = parseTestSettings({ hooks: { PreToolUse: [...wrong, good] } })
  assert.deepEqual(
    before.problems.map(text),
    reasons('PreToolUse').map((reason) => reason.replace(' It is not used.', '')),
  )
  const levels = before.problems.map(({ severity }) => severity)
  assert.deepEqual(levels, [
    'refuse',
    'refuse',
    'refuse',
    'refuse',
    'refuse',
    'refuse',
    'warning',
    'refuse',
    'refuse',
    'refuse',
    'refuse',
    'refuse',
    'refuse',
  ])
})

test('hooks: one of a type that is not known is kept, so that it can ask before a tool', () => {
  const { settings, problems } = parseTestSettings({
    hooks: { PreToolUse: [{ hooks: [{ type: 'telepathy', thought: 'x' }] }] },
  })
  assert.deepEqual(settings, { hooks: { PreToolUse: [{ hooks: [{ type: 'unknown', kind: 'telepathy' }] }] } })
  assert.deepEqual(
    problems.map(({ severity, message }) => [severity, message.replace(/^[^ ]+ /, '')]),
    [
      [
        'warning',
        `hooks.PreToolUse[0].hooks[0].type is a type that this version of Kedge doesn't know. It knows "command", "http", "prompt", "agent", "mcp_tool".`,
      ],
    ],
  )
})

test('what is not known is ignored, and said; a key that only differs in case is asked about', () => {
  const content = {
    theme: 'dark',
    Model: 'x',
    permissions: { alow: ['Read'], Deny: ['Bash'] },
    hooks: { pretooluse: [], Whatever: [] },
    sandbox: { extra: 1 },
  }
  const parsed = parseTestSettings(content)
  assert.deepEqual(parsed.settings, { permissions: {}, hooks: {}, sandbox: {} })
  assert.deepEqual(settingsProblemMessages(parsed), [
    'note theme is a setting of Claude Code that has no effect in Kedge.',
    'warning Model is not known; did you mean "model"?',
    'warning permissions.alow is not known. It is ignored.',
    'refuse permissions.Deny is not known; did you mean "deny"?',
    'refuse hooks.pretooluse is not known; did you mean "PreToolUse"?',
    'note hooks.Whatever is not known. It is ignored.',
    'refuse sandbox.extra is not known, so what it asks for would be missing.',
  ])
  const managed = parseTestSettings({ theme: 'dark' }, { source: 'managedSettings' })
  assert.deepEqual(settingsProblemMessages(managed), [
    'warning theme is a setting of Claude Code that has no effect in Kedge.',
  ])
})

test('a key that is there twice: lists are joined, of other values the last one holds', () => {
  const parsed = parseTestSettings(
    '{"model": "a", "permissions": {"deny": ["Bash"]}, "model": "b", "permissions": {"deny": ["Edit"], "deny": ["Read"]}, "env": {"A": "1", "A": "2"}}',
  )
  assert.deepEqual(parsed.settings, { model: 'b', permissions: { deny: ['Read', 'Edit', 'Bash'] }, env: { A: '2' } })
  assert.deepEqual(
    parsed.problems.map(({ severity, key }) => [severity, key]),
    [
      ['warning', 'model'],
      ['warning', 'permissions'],
      ['warning', 'permissions.deny'],
      ['warning', 'env.A'],
    ],
  )
})

test('many problems are counted, not told one by one', () => {
  const { problems } = parseTestSettings({ permissions: { allow: Array(1000).fill(1), deny: Array(40).fill(1) } })
  assert.equal(problems.length, 52)
  assert.deepEqual(
    problems.slice(-2).map(({ severity, message }) => [severity, message]),
    [
      ['refuse', 'settings.json: and 15 more like these.'],
      ['warning', 'settings.json: and 975 more like these.'],
    ],
  )
})

test('lists end somewhere', () => {
  const entries = Array.from({ length: 5001 }, (_, index) => `Bash(x${index})`)
  const allow = parseTestSettings({ permissions: { allow: entries } })
  assert.equal(allow.settings.permissions?.allow?.length, 5000)
  assert.deepEqual(
    allow.problems.map(({ severity, key }) => [severity, key]),
    [['warning', 'permissions.allow']],
  )
  const [refused] = parseTestSettings({ permissions: { deny: entries } }).problems
  assert.equal(refused?.severity, 'refuse')
  // The session doesn't start, so no setting is reported as ignored.
  assert.match(refused?.message ?? '', /permissions\.deny has more than 5000 items\.$/)
})

test('messages hold no values and nothing that plays with a terminal', () => {
  const content = {
    apiKeyHelper: { key: 'SECRET' },
    model: ['SECRET'],
    'a\u001b[2Jb\u202e': 'SECRET',
    effortLevel: 'SECRET',
  }
  const parsed = parseTestSettings(content, { file: 'x\n\u001b[31m.json' })
  assert.equal(parsed.problems.length, 4)
  for (const { message } of parsed.problems) {
    assert.doesNotMatch(message, /SECRET/)
    assert.doesNotMatch(message, /[\p{Cc}\p{Cf}]/u)
  }
})
