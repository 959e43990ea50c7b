/** `explainPermission` and `kedge permissions explain`: what they say, and what they refuse. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ConfigurationError, type ExplainPermissionOptions, explainPermission } from '../../src/index.js'
import { rowsInPart, sampledTest } from '../support/tier.js'
import { type Rules, world } from './permission-calls.js'

const explain = (tool: string, input: Record<string, unknown>, more: Partial<ExplainPermissionOptions> = {}) =>
  explainPermission({ ...world, tool, input, ...more })

test('the answer names what decided, and says why in plain words', async () => {
  const rules: Rules = { allow: ['Bash(make *)', 'mcp__a'], ask: ['Bash(git push *)'], deny: ['Read(~/.ssh/**)'] }
  assert.deepEqual(await explain('Read', { file_path: '~/.ssh/key' }, { rules, source: 'user' }), {
    behavior: 'deny',
    layer: 'deny',
    rule: 'Read(~/.ssh/**)',
    source: 'userSettings',
    reason: 'Denied by the rule Read(~/.ssh/**) of the user settings.',
  })
  assert.deepEqual(await explain('Bash', { command: 'make all' }, { rules }), {
    behavior: 'allow',
    layer: 'allow',
    rule: 'Bash(make *)',
    source: 'session',
    reason: 'Allowed by the rule Bash(make *) of this session.',
  })
  const told: Record<string, string> = {}
  const tell = async (name: string, ...call: Parameters<typeof explain>) => {
    const { behavior, layer, reason } = await explain(...call)
    told[name] = `${behavior} ${layer}: ${reason}`
  }
  await tell('ask rule', 'Bash', { command: 'git push' }, { rules, source: 'project' })
  await tell('unclear', 'Bash', { command: '$X push' }, { rules })
  await tell('critical', 'Bash', { command: 'rm -rf ~' })
  await tell('question', 'AskUserQuestion', { questions: [] })
  await tell('mode', 'Bash', { command: 'make x' }, { mode: 'bypassPermissions' })
  await tell('dontAsk', 'Write', { file_path: '/srv/a', content: '' }, { mode: 'dontAsk' })
  await tell('plan', 'Bash', { command: 'make x' }, { mode: 'plan' })
  await tell('default', 'Bash', { command: 'npm i' })
  await tell('outside', 'Read', { file_path: '/srv/a' })
  await tell('inside', 'Read', { file_path: 'a' })
  await tell('looks', 'Bash', { command: 'ls' })
  await tell('nothing', 'TodoWrite', { todos: [] })
  await tell('sandbox', 'Bash', { command: 'npm i' }, { sandbox: { enabled: true } })
  await tell('hook allow', 'Bash', { command: 'npm i' }, { hook: 'allow' })
  await tell('hook ask', 'Bash', { command: 'ls' }, { hook: 'ask' })
  await tell('hook deny', 'Bash', { command: 'ls' }, { hook: 'deny' })
  await tell('hook crash', 'Bash', { command: 'ls' }, { hook: 'crash' })
  await tell('untrusted', 'Bash', { command: 'make x' }, { rules, source: 'project', trusted: false })
  await tell(
    'mode of a repository',
    'Bash',
    { command: 'make x' },
    { mode: 'bypassPermissions', modeSource: 'project' },
  )
  await tell('search', 'Grep', { pattern: 'x', path: '/srv' }, { rules: { allow: ['Read(//srv/**)'] } })
  assert.deepEqual(told, {
    'ask rule': 'ask ask: Needs approval because of the rule Bash(git push *) of the project settings.',
    unclear: 'ask ask: Needs approval because of the rule Bash(git push *) of this session.',
    critical:
      'ask safety: "rm ~" removes something that the system, the home folder or this project depends on, so a person must approve it.',
    question: 'ask safety: Only a user can answer this.',
    mode: 'allow mode: The permission mode Bypass permissions allows it.',
    dontAsk:
      "deny mode: Permission to use Write has been denied because this session runs in don't-ask mode, where everything that would need a question is refused. Path is outside allowed working directories.",
    plan: 'ask default: In the permission mode Plan only, everything except reading needs approval. "make x" is not known to be read-only.',
    default:
      'ask default: No rule allows this, and the permission mode is Ask first. "npm i" is not known to be read-only.',
    outside:
      'ask default: No rule allows this, and the permission mode is Ask first. Path is outside allowed working directories.',
    inside: 'allow default: It only reads, inside the working directories.',
    looks: 'allow default: It only reads, and stays inside the working directories.',
    nothing: 'allow default: This tool needs no approval.',
    sandbox: 'allow sandbox: It runs inside the sandbox, so it needs no approval.',
    'hook allow': 'allow hook: A PreToolUse hook allows it.',
    'hook ask': 'ask hook: A PreToolUse hook requires approval.',
    'hook deny': 'deny hook: Blocked by a hook.',
    'hook crash': 'deny hook: PreToolUse hook guard failed: it crashed',
    untrusted:
      'ask default: No rule allows this, and the permission mode is Ask first. "make x" is not known to be read-only. What project settings allow is not used, because the folder is not trusted.',
    'mode of a repository':
      'ask default: No rule allows this, and the permission mode is Ask first. "make x" is not known to be read-only. A repository can not choose the mode, so it is default.',
    search: 'allow allow: Allowed by the rule Read(//srv/**) of this session.',
  })
})

test('a command line is told command by command, each where it stands', async () => {
  const parts = async (command: string, more: Partial<ExplainPermissionOptions> = {}) =>
    (await explain('Bash', { command }, more)).parts?.map((part) => `${part.behavior} ${part.command}`)
  const allow = ['Bash(make *)']
  assert.deepEqual(await parts('make a && npm i | tee /srv/x; ls', { rules: { allow } }), [
    'allow make a',
    'ask npm i',
    'ask tee /srv/x',
    'allow ls',
  ])
  // What is substituted is a command of its own.
  assert.deepEqual(await parts('echo $(rm -rf ~)', { rules: { deny: ['Bash(rm *)'] } }), [
    'allow echo $(rm -rf ~)',
    'deny rm -rf ~',
  ])
  assert.deepEqual(await parts('cd / && rm -rf *', { mode: 'bypassPermissions' }), ['allow cd /', 'ask rm -rf *'])
  assert.deepEqual(await parts('make a; ls', { rules: { allow }, mode: 'dontAsk' }), ['allow make a', 'allow ls'])
  // What another part reveals is not held against it.
  assert.deepEqual(await parts('pwd; echo $FOO'), ['allow pwd', 'ask echo $FOO'])
  assert.deepEqual(await parts('npm i; ls', { mode: 'dontAsk' }), ['deny npm i', 'allow ls'])
  assert.deepEqual(await parts('npm i; X=1; make b', { sandbox: { enabled: true } }), ['allow npm i', 'allow make b'])
  // One command needs no parts, and a rule for the whole line says nothing of its parts.
  assert.equal(await parts('ls'), undefined)
  assert.equal(await parts('npm i; make b', { rules: { allow: ['Bash(npm i; make b)'] } }), undefined)
  assert.equal(await parts('ls "'), undefined)
})

test('nothing of the world has to exist, and folders are taken from the process where they are not named', async () => {
  const { cwd: _, home: __, ...rest } = world
  const here = await explainPermission({ ...rest, tool: 'Read', input: { file_path: 'package.json' } })
  assert.equal(here.behavior, 'allow')
  const relative = await explainPermission({ ...rest, cwd: 'no/such/folder', tool: 'Read', input: { file_path: 'a' } })
  assert.equal(relative.behavior, 'allow')
  const slashes = { ...rest, cwd: '/repo/', home: '/home/u/', tool: 'Bash', input: { command: 'rm -rf /home/u' } }
  assert.equal((await explainPermission({ ...slashes, mode: 'bypassPermissions' })).behavior, 'ask')
  const parent = await explainPermission({ ...rest, cwd: '/', tool: 'Bash', input: { command: 'ls' } })
  assert.equal(parent.behavior, 'allow')
})

test('tools this version does not have are judged by what rules know of them', async () => {
  assert.equal((await explain('MultiEdit', { file_path: 'a' }, { mode: 'acceptEdits' })).behavior, 'allow')
  assert.equal((await explain('MultiEdit', { file_path: 'a/b' }, { rules: { deny: ['Edit(a/**)'] } })).behavior, 'deny')
  assert.equal((await explain('LS', { path: '/srv' })).behavior, 'ask')
  assert.equal((await explain('LS', {})).behavior, 'allow')
  for (const tool of ['ListMcpResourcesTool', 'ReadMcpResourceTool', 'StructuredOutput'])
    assert.equal((await explain(tool, {})).behavior, 'allow', tool)
  assert.equal((await explain('Unheard', { x: 1 })).behavior, 'ask')
  assert.equal((await explain('Unheard', { x: 1 }, { rules: { allow: ['Unheard'] } })).behavior, 'allow')
})

test('what makes no sense is refused by the name of the field', async () => {
  const good = { ...world, tool: 'Bash', input: { command: 'ls' } }
  const table: [string, unknown][] = [
    ['tool', { ...good, tool: undefined }],
    ['tool', { ...good, tool: '' }],
    ['tool', { ...good, tool: 'bash' }],
    ['tool', undefined],
    ['tool', null],
    ['tool', 'Bash'],
    ['input', { ...good, input: 'ls' }],
    ['input', { ...good, input: ['ls'] }],
    ['input.command', { ...good, input: {} }],
    ['input.command', { ...good, input: { command: 7 } }],
    ['input.file_path', { ...good, tool: 'Edit', input: {} }],
    ['input.notebook_path', { ...good, tool: 'NotebookEdit', input: { notebook_path: null } }],
    ['input.url', { ...good, tool: 'WebFetch', input: {} }],
    ['input.pattern', { ...good, tool: 'Glob', input: {} }],
    ['input.path', { ...good, tool: 'Grep', input: { pattern: 'x', path: 7 } }],
    ['mode', { ...good, mode: 'zzz' }],
    ['mode', { ...good, mode: 'auto' }],
    ['cwd', { ...good, cwd: 7 }],
    ['home', { ...good, home: 'home' }],
    ['rules', { ...good, rules: ['Bash'] }],
    ['rules.allow', { ...good, rules: { allow: 'Bash' } }],
    ['rules.deny', { ...good, rules: { deny: [7] } }],
    ['rules.deny', { ...good, rules: { deny: ['bash(rm *)'] } }],
    ['rules.ask', { ...good, rules: { ask: ['Bash(rm'] } }],
    ['additionalDirectories', { ...good, additionalDirectories: '/x' }],
    ['platform', { ...good, platform: 7 }],
    ['source', { ...good, source: 'repo' }],
    ['modeSource', { ...good, modeSource: 'repo' }],
    ['trusted', { ...good, trusted: 'yes' }],
    ['hook', { ...good, hook: 'maybe' }],
    ['sandbox', { ...good, sandbox: true }],
    ['sandbox.enabled', { ...good, sandbox: {} }],
    ['sandbox.autoAllow', { ...good, sandbox: { enabled: true, autoAllow: 1 } }],
    ['sandbox.available', { ...good, sandbox: { enabled: true, available: 'no' } }],
    ['sandbox.excludedCommands', { ...good, sandbox: { enabled: true, excludedCommands: 'x' } }],
    ['servers', { ...good, servers: 'a' }],
    ['toolMeta', { ...good, toolMeta: [] }],
  ]
  for (const [field, request] of table) {
    // Callers in plain JavaScript do send such things.
    await assert.rejects(explainPermission(request as ExplainPermissionOptions), (error) => {
      assert.ok(error instanceof ConfigurationError, String(error))
      assert.deepEqual([error.option, error.code], [field, 'invalid_option'], error.message)
      assert.ok(error.message.startsWith(`explainPermission: ${field}: `), error.message)
      return true
    })
  }
  const auto: unknown = { ...good, mode: 'auto' }
  await assert.rejects(explainPermission(auto as ExplainPermissionOptions), /auto, which Kedge does not support/)
  // What it does not know, and an allow rule that can't be used, change nothing.
  const odd: unknown = { ...good, id: 'P1', expect: 'allow', rules: { allow: ['*', 'Bash(ls'] } }
  assert.equal((await explainPermission(odd as ExplainPermissionOptions)).behavior, 'allow')
})

/** The command, run from the sources; its folder has settings of its own. */
function command(t: TestContext) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-explain-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [cwd, home] = [join(root, 'project'), join(root, 'home')]
  for (const folder of [join(cwd, '.claude'), join(home, '.claude')]) mkdirSync(folder, { recursive: true })
  const cli = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
  return {
    settings(where: 'user' | 'project', permissions: Rules & { defaultMode?: string }) {
      const folder = where === 'user' ? home : cwd
      writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ permissions }))
    },
    run(...args: string[]) {
      const { PATH, XDG_CACHE_HOME } = process.env
      const place = { cwd, env: { PATH, XDG_CACHE_HOME, HOME: home }, encoding: 'utf8' as const }
      const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'permissions', ...args], place)
      return { status, stdout, stderr }
    },
  }
}

sampledTest('the command explains a call', (t) => {
  const { run } = command(t)
  const call = (text: string) => ['explain', '--tool', 'Bash', '--input', JSON.stringify({ command: text })]
  assert.deepEqual(run(...call('make a && npm i'), '--allow', 'Bash(make *)'), {
    status: 0,
    stdout: [
      'ask  Bash',
      '  No rule allows this, and the permission mode is Ask first. "npm i" is not known to be read-only.',
      '  make a  allow  Allowed by the rule Bash(make *) of the options or flags.',
      '  npm i   ask    No rule allows this, and the permission mode is Ask first. "npm i" is not known to be read-only.',
      '',
    ].join('\n'),
    stderr: '',
  })
})

sampledTest('the command judges by the settings of its folder, and by its flags', (t) => {
  const { run, settings } = command(t)
  const call = (text: string) => ['explain', '--tool', 'Bash', '--input', JSON.stringify({ command: text })]
  settings('user', { allow: ['Bash(npm i)'], deny: ['Bash(curl *)'], defaultMode: 'dontAsk' })
  settings('project', { allow: ['Bash(make)'], ask: ['Bash(ls)'] })
  const json = (...args: string[]) => {
    const { behavior, layer, rule, source } = JSON.parse(run(...args, '--json').stdout)
    return { behavior, layer, rule, source }
  }
  assert.deepEqual(json(...call('npm i')), {
    behavior: 'allow',
    layer: 'allow',
    rule: 'Bash(npm i)',
    source: 'userSettings',
  })
  assert.deepEqual(json(...call('curl x')), {
    behavior: 'deny',
    layer: 'deny',
    rule: 'Bash(curl *)',
    source: 'userSettings',
  })
  // Settings of a folder nobody trusts only narrow.
  assert.deepEqual(json(...call('make')), { behavior: 'deny', layer: 'mode', rule: undefined, source: undefined })
  assert.deepEqual(json(...call('make'), '--trust'), {
    behavior: 'allow',
    layer: 'allow',
    rule: 'Bash(make)',
    source: 'projectSettings',
  })
  assert.deepEqual(json(...call('ls'), '--mode', 'default'), {
    behavior: 'ask',
    layer: 'ask',
    rule: 'Bash(ls)',
    source: 'projectSettings',
  })
  assert.deepEqual(json(...call('ls'), '--setting-sources', ''), {
    behavior: 'allow',
    layer: 'default',
    rule: undefined,
    source: undefined,
  })
  assert.equal(json(...call('make'), '--mode', 'bypassPermissions').behavior, 'allow')
  assert.equal(json(...call('ls /srv'), '--add-dir', '/srv', '--setting-sources', '').behavior, 'allow')
  assert.equal(json(...call('ls'), '--ask', 'Bash(ls)', '--setting-sources', 'user', '--mode', 'plan').behavior, 'ask')
  assert.equal(json(...call('cat a'), '--cwd', '/srv', '--deny', 'Read(a)', '--setting-sources', '').behavior, 'deny')
})

sampledTest('wrong use says how it is used, and a terminal is shown nothing it would obey', (t) => {
  const { run } = command(t)
  const wrong = [
    [],
    ['list'],
    ['explain'],
    ['explain', '--tool', 'Bash'],
    ['explain', '--nope'],
    ['explain', '--tool', 'Bash', '--input', '[]'],
    ['explain', '--tool', 'Bash', '--input', 'ls'],
    ['explain', '--tool', 'Bash', '--input', '{"command":"ls"}', '--mode', 'auto'],
  ]
  // A process for each.
  for (const args of rowsInPart(wrong)) {
    const { status, stdout, stderr } = run(...args)
    assert.deepEqual([status, stdout], [1, ''], args.join(' '))
    assert.match(
      stderr,
      /^error: .+\n(?:\(.*\n)?Run `kedge permissions (?:explain )?--help` for details\.\n$|^Usage: kedge permissions COMMAND\n/,
    )
  }
  const help = run('explain', '--help')
  assert.equal(help.status, 0)
  assert.match(help.stdout, /^Usage: kedge permissions explain[\s\S]*--setting-sources/)
  const field = run('explain', '--tool', 'Bash', '--input', '{"command":7}')
  assert.equal(field.status, 1)
  assert.match(field.stderr, /^error: input\.command: the tool Bash needs it/)
  const rule = run('explain', '--tool', 'Bash', '--input', '{"command":"ls"}', '--deny', 'bash(ls)')
  assert.deepEqual([rule.status, /did you mean Bash/.test(rule.stderr)], [1, true])
  const odd = run('explain', '--tool', 'Bash', '--input', JSON.stringify({ command: 'echo \u001b[2J; npm \u202e i' }))
  assert.deepEqual([odd.status, /[\u001b\u202e]/.test(odd.stdout)], [0, false])
})

test('a tool is judged by what it makes of its input', async () => {
  const rules = { allow: [], ask: [], deny: ['Skill(deploy)'] }
  const request = {
    tool: 'Skill',
    input: { skill: '/deploy' },
    mode: 'default' as const,
    rules,
    cwd: '/repo',
    home: '/home/u',
  }
  assert.equal((await explainPermission(request)).behavior, 'deny')
})
