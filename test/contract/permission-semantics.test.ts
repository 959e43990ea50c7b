/** The documented permission semantics, sentence by sentence: the order of things, rule syntax, modes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainPermission } from '../../src/index.js'
import {
  allow,
  answers,
  ask,
  bash,
  behavior,
  deny,
  fetch,
  type Rules,
  read,
  use,
  type World,
  world,
  write,
} from './permission-calls.js'

test('order: a hook that blocks ends it, then deny, ask, mode, allow; how exact a rule is never matters', async () => {
  const all = { allow: ['Bash(npm test)'], ask: ['Bash(npm test)'], deny: ['Bash(npm test)'] }
  const actual = await answers({
    'hook deny before an allow rule': bash('npm test', { rules: { allow: ['Bash'] }, hook: 'deny' }),
    'deny before ask and allow': bash('npm test', { rules: all }),
    'ask before allow': bash('npm test', { rules: { ...all, deny: [] } }),
    'a wide deny before an exact allow': bash('npm test', {
      rules: { allow: ['Bash(npm test)'], deny: ['Bash(npm *)'] },
    }),
    'a wide ask before an exact allow': bash('npm test', { rules: { allow: ['Bash(npm test)'], ask: ['Bash'] } }),
    'hook allow and a deny rule': bash('npm test', { rules: { deny: ['Bash(npm *)'] }, hook: 'allow' }),
    'hook allow and an ask rule': bash('npm test', { rules: { ask: ['Bash(npm *)'] }, hook: 'allow' }),
    'hook allow and no rule': bash('npm test', { hook: 'allow' }),
    'hook ask and an allow rule': bash('npm test', { rules: { allow: ['Bash'] }, hook: 'ask' }),
    'hook ask in bypass': bash('npm test', { mode: 'bypassPermissions', hook: 'ask' }),
    'hook crash and an allow rule': bash('npm test', { rules: { allow: ['Bash'] }, hook: 'crash' }),
    'hook crash and a read': read('/repo/a', { hook: 'crash' }),
  })
  assert.deepEqual(actual, {
    'hook deny before an allow rule': 'deny',
    'deny before ask and allow': 'deny',
    'ask before allow': 'ask',
    'a wide deny before an exact allow': 'deny',
    'a wide ask before an exact allow': 'ask',
    'hook allow and a deny rule': 'deny',
    'hook allow and an ask rule': 'ask',
    'hook allow and no rule': 'allow',
    'hook ask and an allow rule': 'ask',
    'hook ask in bypass': 'ask',
    'hook crash and an allow rule': 'deny',
    'hook crash and a read': 'deny',
  })
})

test('deny holds in every mode; a bare deny, Bash(*) and a glob on the name deny every call', async () => {
  for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'delegate', 'bypassPermissions'] as const) {
    for (const rule of ['Bash', 'Bash(*)', 'Bash(:*)', 'Ba*', '*', 'Bash(ls *)'])
      assert.equal(await behavior('Bash', { command: 'ls a' }, { mode, ...deny(rule) }), 'deny', `${mode} ${rule}`)
    for (const rule of ['Read', 'Re*', 'Read(a)', 'Read(/a)', 'Read(//repo/a)', 'Grep(a)'])
      assert.equal(await behavior('Read', { file_path: '/repo/a' }, { mode, ...deny(rule) }), 'deny', `${mode} ${rule}`)
  }
})

test('never approved without a person, bypass included', async () => {
  const free = { mode: 'bypassPermissions' } as const
  const interaction = { toolMeta: { 'anthropic/requiresUserInteraction': true } }
  const calls = {
    'an ask rule': bash('git push', { ...free, ...ask('Bash(git push *)') }),
    AskUserQuestion: ['AskUserQuestion', { questions: [] }, free],
    ExitPlanMode: use('ExitPlanMode', free),
    'an MCP tool that needs the user': use('mcp__a__b', { ...free, ...interaction, ...allow('mcp__a') }),
    'rm of the root': bash('rm -rf /', free),
    'rm of a child of the root': bash('rm -r /usr', free),
    'rm of home': bash('rm -rf ~', free),
    'rm of home by its name': bash('rm -rf /home/u', free),
    'rm of the working directory': bash('rm -rf /repo', free),
    'rm of a parent of an additional directory': bash('rm -rf /srv/www', {
      ...free,
      additionalDirectories: ['/srv/www/site'],
    }),
    'a glob under an additional directory': bash('rm -rf /srv/site/*', {
      ...free,
      additionalDirectories: ['/srv/site'],
    }),
    'a glob after a variable': bash('rm -rf $D/*', free),
    'a slash after a variable': bash('rm -rf $D/', free),
    'inside a substitution': bash('echo $(rm -rf ~)', free),
  } satisfies Parameters<typeof answers>[0]
  const actual = await answers(calls)
  assert.deepEqual(actual, Object.fromEntries(Object.keys(calls).map((name) => [name, 'ask'])))
  for (const [name, [tool, input, more]] of Object.entries<[string, Record<string, unknown>, World?]>(calls)) {
    assert.equal(await behavior(tool, input, { ...more, hook: 'allow' }), 'ask', `a hook: ${name}`)
    assert.equal(await behavior(tool, input, { ...more, mode: 'dontAsk' }), 'deny', `dontAsk: ${name}`)
  }
})

test('rule syntax: Tool(param:value) for deny and ask, globs on names, :* only at the end', async () => {
  const input = { command: 'npm test', run_in_background: true, timeout: 5000 }
  const withInput = (rules: Rules) => behavior('Bash', input, { rules })
  assert.equal(await withInput({ deny: ['Bash(run_in_background:true)'] }), 'deny')
  assert.equal(await withInput({ ask: ['Bash(run_in_background:true)'], allow: ['Bash'] }), 'ask')
  assert.equal(await withInput({ deny: ['Bash(timeout:5*)'] }), 'deny')
  assert.equal(await withInput({ deny: ['Bash(run_in_background:false)'], allow: ['Bash'] }), 'allow')
  assert.equal(await withInput({ allow: ['Bash(run_in_background:true)'] }), 'ask')
  // The main field is not a parameter: a colon in a command is a colon.
  assert.equal(await withInput({ deny: ['Bash(command:npm test)'], allow: ['Bash'] }), 'allow')
  assert.equal(await behavior('Bash', { command: 'git:x log' }, allow('Bash(git:x *)')), 'allow')
  assert.equal(await behavior('Bash', { command: 'npm test -- a' }, allow('Bash(npm test:*)')), 'allow')
  assert.equal(await behavior('mcp__s__t', {}, allow('mcp__s__*')), 'allow')
  assert.equal(await behavior('mcp__s__t', {}, allow('mcp__*')), 'ask')
  assert.equal(await behavior('mcp__s__t', {}, ask('mcp__*')), 'ask')
  assert.equal(await behavior('mcp__s__t', {}, deny('mcp__*__t')), 'deny')
})

test('plan: reads and read-only commands run, everything else asks, whatever rules, sandbox or hooks say', async () => {
  const rules = { allow: ['Bash', 'Edit', 'Write', 'WebFetch', 'WebSearch', 'mcp__a', 'Read(//etc/**)'] }
  const plan: World = { mode: 'plan', rules, sandbox: { enabled: true, autoAllow: true } }
  assert.deepEqual(
    await answers({
      read: read('/repo/a', plan),
      'read that a rule allows': read('/etc/hosts', plan),
      'read-only command': bash('git log | head', plan),
      todo: ['TodoWrite', { todos: [] }, plan],
      command: bash('npm test', plan),
      edit: write('/repo/a', plan),
      redirect: bash('ls > a', plan),
      fetch: fetch('https://example.com', plan),
      search: ['WebSearch', { query: 'x' }, plan],
      mcp: use('mcp__a__b', plan),
      'approved by a hook': bash('npm test', { ...plan, hook: 'allow' }),
    }),
    {
      read: 'allow',
      'read that a rule allows': 'allow',
      'read-only command': 'allow',
      todo: 'allow',
      command: 'ask',
      edit: 'ask',
      redirect: 'ask',
      fetch: 'ask',
      search: 'ask',
      mcp: 'ask',
      'approved by a hook': 'ask',
    },
  )
})

test('acceptEdits: edits inside the working directories, not outside, not protected, nothing else', async () => {
  const mode: World = { mode: 'acceptEdits', additionalDirectories: ['/shared/lib'] }
  assert.deepEqual(
    await answers({
      write: write('/repo/deep/new/a.ts', mode),
      'in an additional directory': write('/shared/lib/a.ts', mode),
      notebook: ['NotebookEdit', { notebook_path: '/repo/n.ipynb', new_source: '' }, mode],
      outside: write('/shared/library/a.ts', mode),
      above: write('/repo/../a.ts', mode),
      'with a tilde': write('~/a.ts', mode),
      protected: write('/repo/.npmrc', mode),
      fetch: fetch('https://example.com', mode),
      mcp: use('mcp__a__b', mode),
      command: bash('npm test', mode),
    }),
    {
      write: 'allow',
      'in an additional directory': 'allow',
      notebook: 'allow',
      outside: 'ask',
      above: 'ask',
      'with a tilde': 'ask',
      protected: 'ask',
      fetch: 'ask',
      mcp: 'ask',
      command: 'ask',
    },
  )
})

test('dontAsk: what would ask is denied; allow rules, the read-only set and hook approvals run', async () => {
  const mode: World = { mode: 'dontAsk' }
  assert.deepEqual(
    await answers({
      'read inside': read('/repo/a', mode),
      'read outside': read('/etc/hosts', mode),
      'read-only command': bash('ls', mode),
      command: bash('make', mode),
      'command by rule': bash('make', { ...mode, ...allow('Bash(make)') }),
      'command by hook': bash('make', { ...mode, hook: 'allow' }),
      'what a hook asks about': bash('ls', { ...mode, hook: 'ask' }),
      'ask rule': bash('ls', { ...mode, ...ask('Bash(ls)') }),
      edit: write('/repo/a', mode),
      mcp: use('mcp__a__b', mode),
      'mcp by rule': use('mcp__a__b', { ...mode, ...allow('mcp__a') }),
      question: ['AskUserQuestion', { questions: [] }, mode],
    }),
    {
      'read inside': 'allow',
      'read outside': 'deny',
      'read-only command': 'allow',
      command: 'deny',
      'command by rule': 'allow',
      'command by hook': 'allow',
      'what a hook asks about': 'deny',
      'ask rule': 'deny',
      edit: 'deny',
      mcp: 'deny',
      'mcp by rule': 'allow',
      question: 'deny',
    },
  )
})

test('delegate: the main thread reads, asks and hands work on; the rest is denied with the advice to delegate', async () => {
  const mode: World = { mode: 'delegate', ...allow('Bash', 'Edit', 'mcp__a', 'WebFetch') }
  assert.deepEqual(
    await answers({
      read: read('/repo/a', mode),
      'read outside': read('/etc/hosts', mode),
      grep: ['Grep', { pattern: 'x' }, mode],
      glob: ['Glob', { pattern: '*' }, mode],
      Task: ['Task', { subagent_type: 'x', prompt: 'x', description: 'x' }, mode],
      Agent: ['Agent', { subagent_type: 'x', prompt: 'x', description: 'x' }, mode],
      'Task by rule': ['Task', { subagent_type: 'x', prompt: 'x', description: 'x' }, { ...mode, ...deny('Task(x)') }],
      TaskCreate: ['TaskCreate', { subject: 'x', description: 'x' }, mode],
      TaskOutput: ['TaskOutput', { task_id: 'x' }, mode],
      TodoWrite: ['TodoWrite', { todos: [] }, mode],
      question: ['AskUserQuestion', { questions: [] }, mode],
      'read-only command': bash('ls', mode),
      command: bash('make', mode),
      'command with an ask rule': bash('make', { ...mode, ...ask('Bash') }),
      'command by hook': bash('make', { ...mode, hook: 'allow' }),
      edit: write('/repo/a', mode),
      fetch: fetch('https://example.com', mode),
      mcp: use('mcp__a__b', mode),
    }),
    {
      read: 'allow',
      'read outside': 'ask',
      grep: 'allow',
      glob: 'allow',
      Task: 'allow',
      Agent: 'allow',
      'Task by rule': 'deny',
      TaskCreate: 'allow',
      TaskOutput: 'allow',
      TodoWrite: 'allow',
      question: 'ask',
      'read-only command': 'deny',
      command: 'deny',
      'command with an ask rule': 'deny',
      'command by hook': 'deny',
      edit: 'deny',
      fetch: 'deny',
      mcp: 'deny',
    },
  )
  const { reason } = await explainPermission({ ...world, tool: 'Bash', input: { command: 'make' }, mode: 'delegate' })
  assert.match(reason, /delegate mode.* Delegate this to an agent with the Task tool\.$/)
})

test('default: which calls ask', async () => {
  const calls = {
    Write: write('/repo/a'),
    Edit: ['Edit', { file_path: '/repo/a', old_string: 'a', new_string: 'b' }],
    NotebookEdit: ['NotebookEdit', { notebook_path: '/repo/n.ipynb', new_source: '' }],
    Bash: bash('make'),
    WebFetch: fetch('https://example.com'),
    WebSearch: ['WebSearch', { query: 'x' }],
    MCP: use('mcp__a__b'),
    ExitPlanMode: use('ExitPlanMode'),
    AskUserQuestion: ['AskUserQuestion', { questions: [] }],
    'Read outside': read('/etc/hosts'),
    'Grep outside': ['Grep', { pattern: 'x', path: '/etc' }],
    'Glob outside': ['Glob', { pattern: '../*' }],
  } as Parameters<typeof answers>[0] // the tuples, which an object of spreads does not keep
  assert.deepEqual(await answers(calls), Object.fromEntries(Object.keys(calls).map((name) => [name, 'ask'])))
  const free = {
    Read: read('/repo/a'),
    'Read here': read('a'),
    Glob: ['Glob', { pattern: '**/*.ts' }],
    Grep: ['Grep', { pattern: 'x' }],
    TodoWrite: ['TodoWrite', { todos: [] }],
    echo: bash('echo hi'),
    Task: ['Task', { subagent_type: 'x', prompt: 'x', description: 'x' }],
    TaskOutput: use('TaskOutput'),
    TaskStop: use('TaskStop'),
    EnterPlanMode: use('EnterPlanMode'),
    Skill: ['Skill', { skill: 'x' }],
  } as Parameters<typeof answers>[0] // as above
  assert.deepEqual(await answers(free), Object.fromEntries(Object.keys(free).map((name) => [name, 'allow'])))
})
