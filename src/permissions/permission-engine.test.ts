import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineCall, PermissionFacts } from '../engine/ports.js'
import { ConfigurationError } from '../errors.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import type { PermissionOptions } from './permission-engine.js'
import { bashCall, createTestPermissions, decisionOnBash } from './test-engine.js'

const ACCEPT_EDITS = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }

function write(path: string): [EngineCall, PermissionFacts] {
  return [
    { id: 't', name: 'Write', input: { file_path: path, content: 'x' } },
    { kind: 'edit', path },
  ]
}

function read(path: string, name = 'Read'): [EngineCall, PermissionFacts] {
  return [
    { id: 't', name, input: name === 'Read' ? { file_path: path } : { pattern: 'x', path } },
    { kind: 'read', paths: [path] },
  ]
}

function other(name: string, facts: PermissionFacts): [EngineCall, PermissionFacts] {
  return [{ id: 't', name, input: {} }, facts]
}

function allowBash(...ruleContents: string[]) {
  const rules = ruleContents.map((ruleContent) => ({ toolName: 'Bash', ruleContent }))
  return { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }
}

test('writing inside asks with the mode as suggestion, outside also with the folder', async () => {
  assert.deepEqual(await createTestPermissions().decide(...write('/repo/a.txt')), {
    behavior: 'ask',
    message: "Claude requested permissions to write to /repo/a.txt, but you haven't granted it yet.",
    reasonType: 'other',
    suggestions: [ACCEPT_EDITS],
  })
  assert.deepEqual(await createTestPermissions({ mode: 'acceptEdits' }).decide(...write('/srv/w.txt')), {
    behavior: 'ask',
    message: "Claude requested permissions to write to /srv/w.txt, but you haven't granted it yet.",
    reasonType: 'workingDir',
    suggestions: [ACCEPT_EDITS, { type: 'addDirectories', directories: ['/srv'], destination: 'session' }],
    decisionReason: 'Path is outside allowed working directories',
  })
  assert.deepEqual(await createTestPermissions({ mode: 'acceptEdits' }).decide(...write('/repo/a.txt')), {
    behavior: 'allow',
  })
})

test('a command that creates files in the working directory', async () => {
  assert.deepEqual(await createTestPermissions().decide(...bashCall('touch b')), {
    behavior: 'ask',
    message: 'This command would write to /repo/b, which needs approval first.',
    reasonType: 'workingDir',
    suggestions: [ACCEPT_EDITS],
    blockedPath: '/repo/b',
  })
})

test('a command like any other: the exact words as rule, one per part', async () => {
  assert.deepEqual(await createTestPermissions({ mode: 'acceptEdits' }).decide(...bashCall('node -e 1')), {
    behavior: 'ask',
    message: 'This command requires approval',
    reasonType: 'other',
    suggestions: [allowBash('node -e 1')],
    decisionReason: 'This command requires approval',
  })
  assert.deepEqual(await createTestPermissions().decide(...bashCall('npm i && echo x; npm test *')), {
    behavior: 'ask',
    message: 'This command requires approval',
    reasonType: 'other',
    suggestions: [allowBash('npm i', 'npm test \\*')],
  })
})

test('what was suggested, once applied, answers the same question and not a wider one', async () => {
  for (const command of [
    'node -e 1',
    'npm i && npm test',
    'ls *.x; make "a b"',
    'touch b',
    'cat /etc/hosts',
    'FOO=1 make',
    'make > log; PATH=. x',
  ]) {
    const permissions = createTestPermissions()
    const first = await permissions.decide(...bashCall(command))
    assert.equal(first.behavior, 'ask', command)
    await permissions.apply(first.behavior === 'ask' ? (first.suggestions ?? []) : [])
    assert.equal(
      await decisionOnBash(permissions, `${command} y`),
      command === 'touch b' || command === 'cat /etc/hosts' ? await decisionOnBash(permissions, command) : 'ask',
      command,
    )
  }
  const permissions = createTestPermissions()
  const question = await permissions.decide(...bashCall('make * && node x'))
  await permissions.apply(question.behavior === 'ask' ? (question.suggestions ?? []) : [])
  assert.equal(await decisionOnBash(permissions, 'make * && node x'), 'allow')
  assert.equal(await decisionOnBash(permissions, 'make clean && node x'), 'ask')
})

test('reading outside: the folder from the root as rule', async () => {
  const suggestions = [
    {
      type: 'addRules',
      rules: [{ toolName: 'Read', ruleContent: '//etc/**' }],
      behavior: 'allow',
      destination: 'session',
    },
  ]
  assert.deepEqual(await createTestPermissions().decide(...read('/etc/hosts')), {
    behavior: 'ask',
    message: "Claude requested permissions to read from /etc/hosts, but you haven't granted it yet.",
    reasonType: 'workingDir',
    suggestions,
    decisionReason: 'Path is outside allowed working directories',
  })
  assert.deepEqual(await createTestPermissions().decide(...bashCall('cat /etc/hosts')), {
    behavior: 'ask',
    message: 'This command would read from /etc/hosts, which needs approval first.',
    reasonType: 'workingDir',
    suggestions,
    blockedPath: '/etc/hosts',
  })
  const permissions = createTestPermissions()
  // The suggestion has the shape of an update; it was compared above.
  await permissions.apply(suggestions as PermissionUpdate[])
  assert.deepEqual(await permissions.decide(...read('/etc/hosts')), { behavior: 'allow' })
  assert.equal(await decisionOnBash(permissions, 'cat /etc/hosts'), 'allow')
})

test('other tools', async () => {
  assert.deepEqual(await createTestPermissions().decide(...other('mcp__calc__add', { kind: 'other' })), {
    behavior: 'ask',
    message: "Claude requested permissions to use mcp__calc__add, but you haven't granted it yet.",
    reasonType: 'other',
    suggestions: [
      { type: 'addRules', rules: [{ toolName: 'mcp__calc__add' }], behavior: 'allow', destination: 'localSettings' },
    ],
  })
  assert.deepEqual(await createTestPermissions().decide(...other('WebSearch', { kind: 'other' })), {
    behavior: 'ask',
    message: "Claude requested permissions to use WebSearch, but you haven't granted it yet.",
    reasonType: 'other',
  })
  assert.deepEqual(
    await createTestPermissions({ mode: 'bypassPermissions' }).decide(...other('AskUserQuestion', { kind: 'ask' })),
    {
      behavior: 'ask',
      message: 'Answer questions?',
      reasonType: 'user_interaction',
    },
  )
  assert.deepEqual(await createTestPermissions().decide(...other('TodoWrite', { kind: 'none' })), { behavior: 'allow' })
})

test('texts of denials', async () => {
  const deny = ['Bash(rm:*)', 'Read(./secrets/**)', 'mcp__x']
  assert.deepEqual(await createTestPermissions({ deny }).decide(...bashCall('rm m')), {
    behavior: 'deny',
    message: 'Permission to use Bash with command rm m has been denied.',
    reasonType: 'rule',
    reason: 'Denied by the rule Bash(rm:*)',
  })
  assert.deepEqual(await createTestPermissions({ deny }).decide(...read('/repo/secrets/key')), {
    behavior: 'deny',
    message: 'File is in a directory that is denied by your permission settings.',
    reasonType: 'denied_path',
    reason: 'Denied by the rule Read(./secrets/**)',
  })
  assert.deepEqual(await createTestPermissions({ deny }).decide(...other('mcp__x__y', { kind: 'other' })), {
    behavior: 'deny',
    message: 'Permission to use mcp__x__y has been denied.',
    reasonType: 'rule',
    reason: 'Denied by the rule mcp__x',
  })
  const decision = await createTestPermissions({ mode: 'dontAsk' }).decide(...write('/repo/a'))
  assert.equal(decision.behavior, 'deny')
  assert.match(
    decision.behavior === 'deny' ? decision.message : '',
    /^Permission to use Write has been denied because /,
  )
})

test('the whole matrix of modes and rules for three kinds of call', async () => {
  const kinds: [string, string, () => [EngineCall, PermissionFacts]][] = [
    ['edit', 'Edit(src/**)', () => write('/repo/src/a')],
    ['command', 'Bash(npm test *)', () => bashCall('npm test')],
    ['tool', 'mcp__x__y', () => other('mcp__x__y', { kind: 'other' })],
  ]
  const rows: Record<string, string> = {}
  for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const) {
    for (const [kind, rule, call] of kinds) {
      const answers: string[] = []
      for (const rules of [
        {},
        { allow: [rule] },
        { ask: [rule], allow: [rule] },
        { deny: [rule], ask: [rule], allow: [rule] },
      ]) {
        answers.push((await createTestPermissions({ mode, ...rules }).decide(...call())).behavior)
      }
      rows[`${mode} ${kind}`] = answers.join(' ')
    }
  }
  assert.deepEqual(rows, {
    'default edit': 'ask allow ask deny',
    'default command': 'ask allow ask deny',
    'default tool': 'ask allow ask deny',
    'acceptEdits edit': 'allow allow ask deny',
    'acceptEdits command': 'ask allow ask deny',
    'acceptEdits tool': 'ask allow ask deny',
    'plan edit': 'ask ask ask deny',
    'plan command': 'ask ask ask deny',
    'plan tool': 'ask ask ask deny',
    'dontAsk edit': 'deny allow deny deny',
    'dontAsk command': 'deny allow deny deny',
    'dontAsk tool': 'deny allow deny deny',
    'bypassPermissions edit': 'allow allow ask deny',
    'bypassPermissions command': 'allow allow ask deny',
    'bypassPermissions tool': 'allow allow ask deny',
  })
})

test('what a hook may approve', async () => {
  const decide = async (options: Partial<PermissionOptions>, call: [EngineCall, PermissionFacts]) =>
    (await createTestPermissions(options).decide(...call, { approvedByHook: true })).behavior
  assert.equal(await decide({}, bashCall('npm publish')), 'allow')
  assert.equal(await decide({ mode: 'dontAsk' }, bashCall('npm publish')), 'allow')
  assert.equal(await decide({ mode: 'plan' }, bashCall('npm publish')), 'ask')
  assert.equal(await decide({ ask: ['Bash(npm *)'] }, bashCall('npm publish')), 'ask')
  assert.equal(await decide({ deny: ['Bash(npm *)'] }, bashCall('npm publish')), 'deny')
  assert.equal(await decide({}, write('/repo/.git/config')), 'ask')
  assert.equal(await decide({}, other('AskUserQuestion', { kind: 'ask' })), 'ask')
})

test('protected files ask in every mode but bypass, whatever the rules', async () => {
  for (const mode of ['default', 'acceptEdits', 'plan'] as const) {
    const permissions = createTestPermissions({
      mode,
      allow: ['Edit', 'Write', 'Edit(**)'],
      links: { '/repo/l': '/repo/.git', '/repo/d': '/repo/d', '/repo/e': '/repo/f', '/repo/f': '/repo/.git/new' },
      present: ['/repo/.git'],
    })
    for (const path of [
      '/repo/.git/hooks/x',
      '/repo/docs/../.git/x',
      '/repo/.claude/settings.json',
      '/repo/l/config',
      '/repo/d',
      '/repo/e',
    ]) {
      assert.equal((await permissions.decide(...write(path))).behavior, 'ask', `${mode} ${path}`)
    }
  }
  assert.equal(
    (await createTestPermissions({ mode: 'bypassPermissions' }).decide(...write('/repo/.git/x'))).behavior,
    'allow',
  )
  assert.equal((await createTestPermissions().decide(...read('/repo/.git/config'))).behavior, 'allow')
})

test('searching', async () => {
  const glob = (pattern: string, path?: string): [EngineCall, PermissionFacts] => [
    { id: 't', name: 'Glob', input: { pattern, ...(path === undefined ? {} : { path }) } },
    { kind: 'read', paths: [path ?? '/repo'] },
  ]
  const free = createTestPermissions()
  const answers: Record<string, string> = {}
  for (const pattern of [
    '**/*.ts',
    'src/*.{ts,js}',
    '/etc/**',
    '../**',
    'src/../../x/*',
    '~/x',
    '{/etc,src}/*',
    'src/*/../../..',
  ]) {
    answers[pattern] = (await free.decide(...glob(pattern))).behavior
  }
  assert.deepEqual(answers, {
    '**/*.ts': 'allow',
    'src/*.{ts,js}': 'allow',
    '/etc/**': 'ask',
    '../**': 'ask',
    'src/../../x/*': 'ask',
    '~/x': 'ask',
    '{/etc,src}/*': 'ask',
    'src/*/../../..': 'ask',
  })
  const deny = ['Read(./secrets/**)']
  const options = { deny, links: { '/repo/s': '/repo/secrets' }, present: ['/repo/secrets'] }
  const behavior = async (permissions: ReturnType<typeof createTestPermissions>, call: [EngineCall, PermissionFacts]) =>
    (await permissions.decide(...call)).behavior
  assert.equal(await behavior(createTestPermissions(options), read('/repo/secrets', 'Grep')), 'deny')
  assert.equal(await behavior(createTestPermissions(options), read('/repo/s', 'Grep')), 'deny')
  assert.equal(await behavior(createTestPermissions(options), glob('secrets/**')), 'deny')
  assert.equal(await behavior(createTestPermissions(options), read('/repo', 'Grep')), 'ask')
  const skipping = createTestPermissions({ ...options, searchSkipsDenied: true })
  assert.equal(await behavior(skipping, read('/repo', 'Grep')), 'allow')
  assert.equal(await behavior(skipping, read('/repo/s', 'Grep')), 'deny')
  const denied = async (folder: string, names: string[]) => {
    const isDenied = await skipping.deniedInside(folder)
    return isDenied && names.map((name) => isDenied(`${folder}${name}`))
  }
  assert.deepEqual(await denied('/repo', ['/secrets/a', '/secrets/b/c', '/a']), [true, true, false])
  assert.deepEqual(await denied('/repo/s', ['/a']), [true])
  assert.deepEqual(await denied('/', ['repo/secrets/a', 'repo/a']), [true, false])
  assert.equal(await createTestPermissions({ allow: ['Read(./secrets/**)'] }).deniedInside('/repo'), undefined)
})

test('an address is not a path', async () => {
  const call: [EngineCall, PermissionFacts] = [
    { id: 't', name: 'Read', input: { file_path: 'file:///repo/a' } },
    { kind: 'read', paths: ['/repo/file:/repo/a'] },
  ]
  assert.equal((await createTestPermissions().decide(...call)).behavior, 'ask')
})

test('a decision can be explained without running anything', async () => {
  const permissions = createTestPermissions({ allow: ['Bash(npm *)'], deny: ['Bash(rm *)'], mode: 'acceptEdits' })
  const layers: Record<string, unknown> = {}
  for (const command of ['npm i; rm x', 'npm i', 'ls', 'touch x', 'rm -rf ~ ; rmdir ~', 'curl x']) {
    const { layer, rule } = await permissions.explain(...bashCall(command))
    layers[command] = rule ? { layer, rule } : { layer }
  }
  assert.deepEqual(layers, {
    'npm i; rm x': { layer: 'deny', rule: { text: 'Bash(rm *)', source: 'cliArg', behavior: 'deny' } },
    'npm i': { layer: 'allow', rule: { text: 'Bash(npm *)', source: 'cliArg', behavior: 'allow' } },
    ls: { layer: 'default' },
    'touch x': { layer: 'mode' },
    'rm -rf ~ ; rmdir ~': { layer: 'deny', rule: { text: 'Bash(rm *)', source: 'cliArg', behavior: 'deny' } },
    'curl x': { layer: 'default' },
  })
})

test('rules of settings files start where the file lies', async () => {
  const layer = { source: 'userSettings', root: '/home/u/.claude', allow: ['Edit(/docs/**)'] } as const
  const permissions = createTestPermissions({ layers: [layer], allow: ['Edit(/src/**)'] })
  assert.equal((await permissions.decide(...write('/repo/docs/a'))).behavior, 'ask')
  assert.equal((await permissions.decide(...write('/repo/src/a'))).behavior, 'allow')
})

test('a bad deny or ask rule is an error, a bad allow rule a warning', () => {
  for (const rules of [{ deny: ['bash(rm *)'] }, { ask: ['Bash(rm'] }, { deny: [' Bash'] }]) {
    assert.throws(
      () => createTestPermissions(rules),
      (error) => error instanceof ConfigurationError && /is not used/.test(error.message),
    )
  }
  assert.deepEqual(createTestPermissions({ allow: ['*', 'mcp__*', 'Read'] }).warnings, [
    'Permission rule "*" is not used: an allow rule may use * only after a literal mcp__server__.',
    'Permission rule "mcp__*" is not used: an allow rule may use * only after a literal mcp__server__.',
  ])
})

test('the plan file is the one file that plan mode writes, and no link in its place', async () => {
  const planFile = '/home/u/.claude/plans/calm-cedar-keel.md'
  const present = ['/home/u/.claude', '/home/u/.claude/plans']
  const decide = (options: Parameters<typeof createTestPermissions>[0], path: string) =>
    createTestPermissions({ planFile, mode: 'plan', present, ...options }).decide(...write(path))
  assert.deepEqual(await decide({}, planFile), { behavior: 'allow' })
  assert.equal((await decide({}, '/home/u/.claude/plans/other.md')).behavior, 'ask')
  const reading = createTestPermissions({ planFile, mode: 'plan', present: [...present, planFile] })
  assert.equal((await reading.decide(...read(planFile))).behavior, 'allow')
  assert.equal((await decide({ mode: 'acceptEdits' }, planFile)).behavior, 'ask')
  assert.equal((await decide({ deny: ['Edit(~/.claude/**)'] }, planFile)).behavior, 'deny')
  const linked = { present: [...present, planFile, '/etc/passwd'], links: { [planFile]: '/etc/passwd' } }
  assert.equal((await decide(linked, planFile)).behavior, 'ask')
})

test('folders for reading are read without a question, and nothing else is allowed in them', async () => {
  const readableFolders = () => ['/tmp/claude-0/-repo/tasks']
  const present = ['/tmp/claude-0/-repo/tasks', '/tmp/claude-0/-repo/tasks/b1.output', '/etc/passwd']
  const file = '/tmp/claude-0/-repo/tasks/b1.output'
  const permissions = createTestPermissions({ readableFolders, present })
  assert.deepEqual(await permissions.decide(...read(file)), { behavior: 'allow' })
  assert.equal((await permissions.decide(...write(file))).behavior, 'ask')
  assert.equal((await permissions.decide(...read('/tmp/other'))).behavior, 'ask')
  const linked = createTestPermissions({ readableFolders, present, links: { [file]: '/etc/passwd' } })
  assert.equal((await linked.decide(...read(file))).behavior, 'ask')
  assert.equal(
    (await createTestPermissions({ readableFolders, present, deny: ['Read(//tmp/**)'] }).decide(...read(file)))
      .behavior,
    'deny',
  )
})

test('plan mode remembers the mode before it', async () => {
  const permissions = createTestPermissions({ mode: 'acceptEdits' })
  assert.equal(permissions.modeBeforePlan(), 'default')
  permissions.setMode('plan')
  permissions.setMode('plan')
  assert.equal(permissions.modeBeforePlan(), 'acceptEdits')
})

test('a bare Read rule is for reading anywhere, and a rule has to cover all that a search reaches', async () => {
  const behavior = async (options: Partial<PermissionOptions>, call: [EngineCall, PermissionFacts]) =>
    (await createTestPermissions(options).decide(...call)).behavior
  assert.equal(await behavior({ allow: ['Read'] }, read('/etc/hosts')), 'allow')
  assert.equal(await behavior({ allow: ['Read'] }, read('/etc', 'Grep')), 'ask')
  assert.equal(await behavior({ allow: ['Grep'] }, read('/etc', 'Grep')), 'allow')
  const both: [EngineCall, PermissionFacts] = [
    { id: 't', name: 'Read', input: {} },
    { kind: 'read', paths: ['/etc/a', '/srv/a'] },
  ]
  assert.equal(await behavior({ allow: ['Read(//etc/**)'] }, both), 'ask')
  assert.equal(await behavior({ allow: ['Read(//etc/**)', 'Read(//srv/**)'] }, both), 'allow')
  const glob: [EngineCall, PermissionFacts] = [
    { id: 't', name: 'Glob', input: {} },
    { kind: 'read', paths: ['/repo'] },
  ]
  assert.equal(await behavior({}, glob), 'allow')
})

test('an address is no file to write either', async () => {
  const call: [EngineCall, PermissionFacts] = [
    { id: 't', name: 'NotebookEdit', input: { notebook_path: 'file:///repo/n.ipynb' } },
    { kind: 'edit', path: '/repo/file:/repo/n.ipynb' },
  ]
  assert.equal((await createTestPermissions({ mode: 'acceptEdits', allow: ['Edit'] }).decide(...call)).behavior, 'ask')
})

test('both where a path leads by its name and where it led when the tool looked are judged', async () => {
  const call = { id: 't', name: 'Write', input: {} }
  const decide = async (facts: PermissionFacts) =>
    (await createTestPermissions({ mode: 'acceptEdits', deny: ['Edit(secret/**)'] }).decide(call, facts)).behavior
  assert.equal(await decide({ kind: 'edit', path: '/repo/a', resolvedPath: '/repo/b' }), 'allow')
  assert.equal(await decide({ kind: 'edit', path: '/repo/a', resolvedPath: '/etc/b' }), 'ask')
  assert.equal(await decide({ kind: 'edit', path: '/repo/a', resolvedPath: '/repo/secret/b' }), 'deny')
  assert.equal(await decide({ kind: 'edit', path: '/etc/a', resolvedPath: '/repo/b' }), 'ask')
})

test('rules can be lent for a while', async () => {
  const permissions = createTestPermissions({ deny: ['Bash(npm publish)'] })
  const takeBack = permissions.lend(['Bash(npm *)', 'Bash(npm', '*'])
  assert.equal(await decisionOnBash(permissions, 'npm i'), 'allow')
  assert.equal(await decisionOnBash(permissions, 'npm publish'), 'deny')
  assert.equal(permissions.setMode('plan').ok, true)
  assert.equal(await decisionOnBash(permissions, 'npm i'), 'ask')
  permissions.setMode('default')
  takeBack()
  assert.equal(await decisionOnBash(permissions, 'npm i'), 'ask')
})

test('what deny rules keep programs off, as patterns', async () => {
  const links = { '/repo/link': '/etc', '/repo/loop': '/repo/loop' }
  const permissions = createTestPermissions({
    links,
    present: ['/etc'],
    deny: ['Read(link/**)', 'Edit(*.lock)'],
    allow: ['Edit(a)'],
  })
  const texts = async (action: 'read' | 'edit') =>
    (await permissions.deniedFiles(action)).map(({ pattern: { base, segments }, text }) => {
      return `${text}: ${[base, ...segments].join('/')}`
    })
  assert.deepEqual(await texts('read'), ['Read(link/**): /repo/**/link/**'])
  assert.deepEqual(await texts('edit'), ['Read(link/**): /repo/**/link/**', 'Edit(*.lock): /repo/**/*.lock'])
  const isDenied = await createTestPermissions({ links, deny: ['Read(a)'] }).deniedInside('/repo/loop')
  assert.deepEqual([isDenied?.('/repo/loop/a'), isDenied?.('/repo/loop/b')], [true, false])
})

test('an allow rule for files by the name of another tool says that it does nothing, and what does', () => {
  const { warnings } = createTestPermissions({
    allow: ['Write(src/**)', 'Grep(src/**)', 'Edit(src/**)', 'Write'],
    deny: ['Write(x)'],
  })
  assert.deepEqual(warnings, [
    'Permission rule "Write(src/**)" has no effect: write Edit(src/**) to allow these files.',
    'Permission rule "Grep(src/**)" has no effect: write Read(src/**) to allow these files.',
  ])
})

test('suggestions hold for exactly what was asked: odd names are escaped, what can be no rule is not suggested', async () => {
  const suggested = async (...call: [EngineCall, PermissionFacts]) => {
    const decision = await createTestPermissions().decide(...call)
    return decision.behavior === 'ask' ? decision.suggestions : decision.behavior
  }
  assert.deepEqual(await suggested(...read('/data/a[1]*/(b)/c')), [
    {
      type: 'addRules',
      rules: [{ toolName: 'Read', ruleContent: '//data/a\\[1]\\*/(b)/**' }],
      behavior: 'allow',
      destination: 'session',
    },
  ])
  const permissions = createTestPermissions()
  const first = await permissions.decide(...read('/data/a[1]*/(b)/c'))
  await permissions.apply(first.behavior === 'ask' ? (first.suggestions ?? []) : [])
  assert.equal((await permissions.decide(...read('/data/a[1]*/(b)/d'))).behavior, 'allow')
  assert.equal((await permissions.decide(...read('/data/a1x/(b)/d'))).behavior, 'ask')
  assert.deepEqual(await suggested(...read('/x')), [])
  assert.equal(await suggested(...bashCall("node -e '1\n2'")), undefined)
  assert.equal(await suggested(...bashCall('a; b; c; d; e; f')), undefined)
  assert.deepEqual(await suggested(...bashCall('a; b; c; d; e')), [allowBash('a', 'b', 'c', 'd', 'e')])
})

test('a command that would run elsewhere than where its folder leads now is for a person, in every mode', async () => {
  const links = { '/repo/link': '/repo/src', '/repo/out': '/etc' }
  const judge = async (cwd: string, realCwd: string | undefined, options: Partial<PermissionOptions> = {}) => {
    const facts = { kind: 'command' as const, command: 'ls', cwd, ...(realCwd === undefined ? {} : { realCwd }) }
    const { layer, decision } = await createTestPermissions({ links, ...options }).explain(bashCall('ls')[0], facts)
    return [decision.behavior, layer]
  }
  assert.deepEqual(await judge('/repo/link', '/repo/src'), ['allow', 'default'])
  assert.deepEqual(await judge('/repo/link', undefined), ['allow', 'default'])
  // It led outside when the tool looked, and the link was put back for the judgment.
  assert.deepEqual(await judge('/repo/link', '/etc'), ['ask', 'safety'])
  assert.deepEqual(await judge('/repo/src', '/repo'), ['ask', 'safety'])
  assert.deepEqual(await judge('/repo/src', '/etc', { mode: 'bypassPermissions' }), ['ask', 'safety'])
  assert.deepEqual(await judge('/repo/src', '/etc', { mode: 'dontAsk' }), ['deny', 'mode'])
  assert.deepEqual(await judge('/repo/src', '/etc', { allow: ['Bash'] }), ['ask', 'safety'])
  assert.deepEqual(await judge('/repo/src', '/etc', { deny: ['Bash(ls)'] }), ['deny', 'deny'])
  const inSandbox = () => ({ enabled: true, autoAllow: true, available: true, isExcluded: () => false })
  assert.deepEqual(await judge('/repo/src', '/etc', { sandbox: inSandbox }), ['ask', 'safety'])
})

test('what the sandbox stands in for, and whom it does not hold', async () => {
  const sandbox = (more: object) => ({
    sandbox: () => ({ enabled: true, autoAllow: true, available: true, isExcluded: () => false, ...more }),
  })
  const explain = async (options: Partial<PermissionOptions>, command: string, unsandboxed?: true) => {
    const facts = { kind: 'command' as const, command, cwd: '/repo', ...(unsandboxed ? { unsandboxed } : {}) }
    const { layer, decision } = await createTestPermissions(options).explain(
      { id: 't', name: 'Bash', input: { command } },
      facts,
    )
    return [decision.behavior, layer, decision.behavior === 'ask' ? decision.decisionReason : undefined]
  }
  assert.deepEqual(await explain(sandbox({}), 'make'), ['allow', 'sandbox', undefined])
  assert.deepEqual(await explain({ sandbox: () => undefined }, 'make'), [
    'ask',
    'default',
    'This command requires approval',
  ])
  const missing =
    "The sandbox is turned on but can't be used here, so a person must approve running this command without it."
  assert.deepEqual(await explain(sandbox({ available: false }), 'ls'), ['ask', 'safety', missing])
  assert.deepEqual(await explain(sandbox({ available: false, problem: 'Install it.' }), 'ls', true), [
    'ask',
    'safety',
    `${missing} Install it.`,
  ])
  assert.deepEqual(await explain(sandbox({}), 'ls', true), [
    'ask',
    'safety',
    'This command asks to run outside the sandbox, so a person must approve it.',
  ])
  const seen: unknown[] = []
  const isExcluded = (commands: unknown) => {
    seen.push(commands)
    return false
  }
  for (const command of ['a "b c" | d; X=1', '$X y', 'a* b', 'a "', '']) await explain(sandbox({ isExcluded }), command)
  assert.deepEqual(seen, [[['a', 'b c'], ['d']], undefined, undefined, undefined, undefined])
})

test('a skill that has to be asked for can be allowed for good, alone or with whatever it is given', async () => {
  const call = { id: 't', name: 'Skill', input: { skill: 'deploy' } }
  const decision = await createTestPermissions().decide(call, { kind: 'other' })
  const rule = (ruleContent: string) => ({
    type: 'addRules',
    behavior: 'allow',
    destination: 'localSettings',
    rules: [{ toolName: 'Skill', ruleContent }],
  })
  assert.deepEqual(decision.behavior === 'ask' && decision.suggestions, [rule('deploy'), rule('deploy:*')])
  const odd = await createTestPermissions().decide({ ...call, input: {} }, { kind: 'other' })
  assert.equal(odd.behavior === 'ask' && odd.suggestions, undefined)
})

test('a path that is longer than any file can have asks, whatever rules say', async () => {
  const path = `/repo/${'a/'.repeat(5000)}`
  const allowing = createTestPermissions({ allow: ['Read', 'Edit'], mode: 'acceptEdits' })
  const answers = [
    await allowing.decide({ id: 't', name: 'Read', input: { file_path: path } }, { kind: 'read', paths: [path] }),
    await allowing.decide({ id: 't', name: 'Write', input: { file_path: path } }, { kind: 'edit', path }),
  ]
  assert.deepEqual(
    answers.map(({ behavior }) => behavior),
    ['ask', 'ask'],
  )
})
