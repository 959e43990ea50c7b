/** The documented permission semantics, sentence by sentence: files, protected names, the web, MCP, agents, trust, sandbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allow, answers, ask, bash, behavior, deny, fetch, read, use, type World, write } from './permission-calls.js'

test('Read rules are for every reader, Edit rules for every editor; a deny of one tool by its name alone is for that tool', async () => {
  const edit = (more: World): [string, Record<string, unknown>, World] => [
    'Edit',
    { file_path: '/repo/secrets/a', old_string: 'a', new_string: 'b' },
    more,
  ]
  const secret = deny('Read(secrets/**)')
  assert.deepEqual(
    await answers({
      Read: read('/repo/secrets/a', secret),
      Glob: ['Glob', { pattern: '*', path: '/repo/secrets' }, secret],
      'Glob by its pattern': ['Glob', { pattern: 'secrets/*' }, secret],
      Grep: ['Grep', { pattern: 'x', path: 'secrets' }, secret],
      cat: bash('cat secrets/a', secret),
      head: bash('head -1 ./secrets/a', secret),
      sed: bash('sed -n 1p secrets/a', secret),
      'input redirect': bash('wc -l < secrets/a', secret),
      'a Read deny blocks Edit': edit(secret),
      'and Write': write('/repo/secrets/a', { ...secret, mode: 'acceptEdits' }),
      'an Edit deny blocks Write': write('/repo/secrets/a', { ...deny('Edit(secrets/**)'), mode: 'bypassPermissions' }),
      'and a redirect': bash('echo x > secrets/a', { ...deny('Edit(secrets/**)'), mode: 'bypassPermissions' }),
      'but not Read': read('/repo/secrets/a', deny('Edit(secrets/**)')),
      'an Edit allow is for Write': write('/repo/src/a', allow('Edit(src/**)')),
      'a Write allow with a path for nothing': write('/repo/src/a', allow('Write(src/**)')),
      'a Read ask asks': read('/repo/a.pem', ask('Read(*.pem)')),
      'a bare Write deny': write('/repo/a', { ...deny('Write'), mode: 'acceptEdits' }),
      'is not for Edit': edit({ ...deny('Write'), mode: 'acceptEdits' }),
      'a bare Edit deny is for every editor': write('/repo/a', { ...deny('Edit'), mode: 'bypassPermissions' }),
      'a bare Edit ask too': write('/repo/a', { ...ask('Edit'), mode: 'bypassPermissions' }),
      'and the mode does not edit by commands': bash('touch a', { ...deny('Edit'), mode: 'acceptEdits' }),
      'nor when it is to ask': bash('echo x > a', { ...ask('Edit'), mode: 'acceptEdits' }),
    }),
    {
      Read: 'deny',
      Glob: 'deny',
      'Glob by its pattern': 'deny',
      Grep: 'deny',
      cat: 'deny',
      head: 'deny',
      sed: 'deny',
      'input redirect': 'deny',
      'a Read deny blocks Edit': 'deny',
      'and Write': 'deny',
      'an Edit deny blocks Write': 'deny',
      'and a redirect': 'deny',
      'but not Read': 'allow',
      'an Edit allow is for Write': 'allow',
      'a Write allow with a path for nothing': 'ask',
      'a Read ask asks': 'ask',
      'a bare Write deny': 'deny',
      'is not for Edit': 'allow',
      'a bare Edit deny is for every editor': 'deny',
      'a bare Edit ask too': 'ask',
      'and the mode does not edit by commands': 'ask',
      'nor when it is to ask': 'ask',
    },
  )
})

test('where a pattern starts', async () => {
  const editing = (rule: string, path: string, more: World = {}) => write(path, { ...allow(rule), ...more })
  assert.deepEqual(
    await answers({
      '// from the root': editing('Edit(//srv/x/**)', '/srv/x/a/b'),
      '~/ from home': editing('Edit(~/notes/**)', '/home/u/notes/a'),
      '/ from the project': editing('Edit(/src/**)', '/repo/src/a'),
      '/ of project settings': editing('Edit(/src/**)', '/repo/src/a', { source: 'project' }),
      '/ of local settings': editing('Edit(/src/**)', '/repo/src/a', { source: 'local' }),
      '/ of user settings is ~/.claude': editing('Edit(/src/**)', '/repo/src/a', { source: 'user' }),
      '/ is not the root': editing('Edit(/srv/**)', '/srv/a'),
      'a name from the working directory': editing('Edit(src/**)', '/repo/src/a'),
      './ too': editing('Edit(./src/**)', '/repo/src/a'),
      'and nowhere else': editing('Edit(src/**)', '/other/src/a'),
      '.. leaves it': editing('Edit(../other/**)', '/other/src/a'),
      'a bare file name at any depth': editing('Edit(notes.md)', '/repo/a/b/notes.md'),
      'dir/** allows at the top only': editing('Edit(src/**)', '/repo/pkg/src/a'),
      'dir/** denies at any depth': read('/repo/pkg/secrets/a', deny('Read(secrets/**)')),
      'dir/** asks at any depth': read('/repo/pkg/secrets/a', ask('Read(secrets/**)')),
      'two names are anchored': read('/repo/x/src/gen/a', deny('Read(src/gen/**)')),
      'a folder by itself denies what is in it': read('/home/u/a/b', deny('Read(~/)')),
      'also as ~': read('/home/u/a/b', deny('Read(~)')),
      '.. inside a pattern is gone': read('/repo/secrets/a', deny('Read(src/../secrets/**)')),
    }),
    {
      '// from the root': 'allow',
      '~/ from home': 'allow',
      '/ from the project': 'allow',
      '/ of project settings': 'allow',
      '/ of local settings': 'allow',
      '/ of user settings is ~/.claude': 'ask',
      '/ is not the root': 'ask',
      'a name from the working directory': 'allow',
      './ too': 'allow',
      'and nowhere else': 'ask',
      '.. leaves it': 'allow',
      'a bare file name at any depth': 'allow',
      'dir/** allows at the top only': 'ask',
      'dir/** denies at any depth': 'deny',
      'dir/** asks at any depth': 'ask',
      'two names are anchored': 'allow',
      'a folder by itself denies what is in it': 'deny',
      'also as ~': 'deny',
      '.. inside a pattern is gone': 'deny',
    },
  )
})

test('case and Unicode form count where the disk counts them', async () => {
  const mac: World = { platform: 'darwin' }
  assert.deepEqual(
    await answers({
      'another case on linux': read('/repo/.ENV', deny('Read(.env)')),
      'another case on macOS': read('/repo/.ENV', { ...mac, ...deny('Read(.env)') }),
      'another case on Windows': read('/repo/.ENV', { platform: 'win32', ...deny('Read(.env)') }),
      'a letter with a strange capital': read('/repo/ſecrets/a', { ...mac, ...deny('Read(secrets/**)') }),
      'another form': read('/repo/cafe\u0301/a', { ...mac, ...deny('Read(caf\u00e9/**)') }),
      'protected names whatever the platform': write('/repo/.GIT/config', { mode: 'acceptEdits' }),
    }),
    {
      'another case on linux': 'allow',
      'another case on macOS': 'deny',
      'another case on Windows': 'deny',
      'a letter with a strange capital': 'deny',
      'another form': 'deny',
      'protected names whatever the platform': 'ask',
    },
  )
})

test('WebFetch: the host counts, as a browser reads it', async () => {
  const site = allow('WebFetch(domain:example.com)')
  const below = allow('WebFetch(domain:*.example.com)')
  const evil = { rules: { allow: ['WebFetch'], deny: ['WebFetch(domain:evil.com)'] } }
  assert.deepEqual(
    await answers({
      'the host': fetch('https://example.com/a?b#c', site),
      'in capitals': fetch('https://EXAMPLE.COM/', site),
      'with a dot': fetch('https://example.com./', site),
      'with a port': fetch('https://example.com:8443/', site),
      'not a subdomain': fetch('https://www.example.com/', site),
      'not a longer name': fetch('https://example.com.evil.com/', site),
      'not in the user part': fetch('https://example.com@evil.com/', site),
      'not in the path': fetch('https://evil.com/example.com', site),
      'another script': fetch('ftp://example.com/', site),
      'a rule in capitals': fetch('https://example.com/', allow('WebFetch(domain:Example.COM.)')),
      'subdomains at any depth': fetch('https://a.b.example.com/', below),
      'but not the domain': fetch('https://example.com/', below),
      'a star elsewhere stays between dots': fetch(
        'https://api.eu.example.com/',
        allow('WebFetch(domain:api.*.example.com)'),
      ),
      'and not beyond': fetch('https://api.a.b.example.com/', allow('WebFetch(domain:api.*.example.com)')),
      all: fetch('https://x.org/', allow('WebFetch(domain:*)')),
      'a rule with a port allows nothing': fetch('https://example.com:80/', allow('WebFetch(domain:example.com:80)')),
      'an address allows nothing': fetch('https://example.com/', allow('WebFetch(https://example.com/*)')),
      'denied in capitals': fetch('https://EVIL.com./', evil),
      'denied by a rule with a scheme': fetch('https://evil.com/x', {
        ...evil,
        ...deny('WebFetch(domain:https://evil.com/)'),
      }),
      'denied by an address': fetch('https://EVIL.com/x', {
        mode: 'bypassPermissions',
        ...deny('WebFetch(https://evil.com/*)'),
      }),
      'denied though it can not be read': fetch('https://evil.com:x/', evil),
      'denied as a number': fetch('http://2130706433/', {
        mode: 'bypassPermissions',
        ...deny('WebFetch(domain:127.0.0.1)'),
      }),
    }),
    {
      'the host': 'allow',
      'in capitals': 'allow',
      'with a dot': 'allow',
      'with a port': 'allow',
      'not a subdomain': 'ask',
      'not a longer name': 'ask',
      'not in the user part': 'ask',
      'not in the path': 'ask',
      'another script': 'ask',
      'a rule in capitals': 'allow',
      'subdomains at any depth': 'allow',
      'but not the domain': 'ask',
      'a star elsewhere stays between dots': 'allow',
      'and not beyond': 'ask',
      all: 'allow',
      'a rule with a port allows nothing': 'ask',
      'an address allows nothing': 'ask',
      'denied in capitals': 'deny',
      'denied by a rule with a scheme': 'deny',
      'denied by an address': 'deny',
      'denied though it can not be read': 'deny',
      'denied as a number': 'deny',
    },
  )
})

test('MCP servers and tools, agents and skills by name', async () => {
  const agent = (type: string, more: World): [string, Record<string, unknown>, World] => [
    'Task',
    { subagent_type: type, prompt: 'x', description: 'x', model: 'opus' },
    more,
  ]
  assert.deepEqual(
    await answers({
      'a server': use('mcp__a__b', allow('mcp__a')),
      'its star': use('mcp__a__b', allow('mcp__a__*')),
      'its tool': use('mcp__a__b', allow('mcp__a__b')),
      'a tool by its start': use('mcp__a__get_x', allow('mcp__a__get_*')),
      'another tool': use('mcp__a__c', allow('mcp__a__b')),
      'another server': use('mcp__ab__b', allow('mcp__a')),
      'in another case': use('mcp__A__b', allow('mcp__a')),
      'two readings': use('mcp__a__b__c', allow('mcp__a')),
      'two readings, one server': use('mcp__a__b__c', { ...allow('mcp__a'), servers: ['a'] }),
      'two readings, both servers': use('mcp__a__b__c', { ...allow('mcp__a__b'), servers: ['a', 'a__b'] }),
      'deny takes every reading': use('mcp__a__b__c', {
        mode: 'bypassPermissions',
        ...deny('mcp__a__b'),
        servers: ['a'],
      }),
      'Agent(Name)': agent('Plan', deny('Agent(Plan)')),
      'Task(Name)': agent('Plan', deny('Task(Plan)')),
      'another agent': agent('Explore', deny('Task(Plan)')),
      'an agent that asks': agent('Plan', ask('Agent(Plan)')),
      'a parameter of an agent': agent('Plan', deny('Agent(model:opus)')),
      'Skill(name)': ['Skill', { skill: 'deploy' }, deny('Skill(deploy)')],
      'Skill(name *)': ['Skill', { skill: 'deploy prod' }, deny('Skill(deploy *)')],
      'a skill of a plugin': ['Skill', { skill: 'ops:deploy' }, deny('Skill(ops:*)')],
      'another skill': ['Skill', { skill: 'deployment' }, deny('Skill(deploy:*)')],
      'what is searched for': ['WebSearch', { query: 'acme secrets' }, deny('WebSearch(acme *)')],
    }),
    {
      'a server': 'allow',
      'its star': 'allow',
      'its tool': 'allow',
      'a tool by its start': 'allow',
      'another tool': 'ask',
      'another server': 'ask',
      'in another case': 'ask',
      'two readings': 'ask',
      'two readings, one server': 'allow',
      'two readings, both servers': 'ask',
      'deny takes every reading': 'deny',
      'Agent(Name)': 'deny',
      'Task(Name)': 'deny',
      'another agent': 'allow',
      'an agent that asks': 'ask',
      'a parameter of an agent': 'deny',
      'Skill(name)': 'deny',
      'Skill(name *)': 'deny',
      'a skill of a plugin': 'deny',
      'another skill': 'allow',
      'what is searched for': 'deny',
    },
  )
})

test('trust: what a repository brings only narrows before it is trusted, and never chooses the mode', async () => {
  const rules = allow('Bash(make)')
  const untrusted: World = { trusted: false }
  assert.deepEqual(
    await answers({
      'project allow, trusted': bash('make', { ...rules, source: 'project' }),
      'project allow': bash('make', { ...rules, source: 'project', ...untrusted }),
      'checked-in local allow': bash('make', { ...rules, source: 'local-tracked', ...untrusted }),
      'own local allow': bash('make', { ...rules, source: 'local', ...untrusted }),
      'user allow': bash('make', { ...rules, source: 'user', ...untrusted }),
      'session allow': bash('make', { ...rules, ...untrusted }),
      'project deny': bash('make', { ...deny('Bash(make)'), source: 'project', ...untrusted }),
      'project ask': bash('ls', { ...ask('Bash(ls)'), source: 'project', ...untrusted }),
      'project directories': read('/x/a', { source: 'project', additionalDirectories: ['/x'], ...untrusted }),
      'project directories, trusted': read('/x/a', { source: 'project', additionalDirectories: ['/x'] }),
      'mode of a project': write('/repo/a', { mode: 'acceptEdits', modeSource: 'project' }),
      'bypass of a project': bash('make', { mode: 'bypassPermissions', modeSource: 'project', ...untrusted }),
      'bypass of a checked-in local file': bash('make', { mode: 'bypassPermissions', modeSource: 'local-tracked' }),
      'mode of the user': write('/repo/a', { mode: 'acceptEdits', modeSource: 'user', ...untrusted }),
    }),
    {
      'project allow, trusted': 'allow',
      'project allow': 'ask',
      'checked-in local allow': 'ask',
      'own local allow': 'allow',
      'user allow': 'allow',
      'session allow': 'allow',
      'project deny': 'deny',
      'project ask': 'ask',
      'project directories': 'ask',
      'project directories, trusted': 'allow',
      'mode of a project': 'ask',
      'bypass of a project': 'ask',
      'bypass of a checked-in local file': 'ask',
      'mode of the user': 'allow',
    },
  )
})

test('sandbox: it may stand in for a question, never for a rule, a person or the plan', async () => {
  const inside: World = { sandbox: { enabled: true } }
  const broken: World = { sandbox: { enabled: true, available: false } }
  const leaving = { command: 'make', dangerouslyDisableSandbox: true }
  assert.deepEqual(
    await answers({
      'a command': bash('make', inside),
      'sandbox off': bash('make', { sandbox: { enabled: false, autoAllow: true } }),
      'without auto-allow': bash('make', { sandbox: { enabled: true, autoAllow: false } }),
      'in dontAsk': bash('make', { ...inside, mode: 'dontAsk' }),
      'in plan': bash('make', { ...inside, mode: 'plan' }),
      'a bare ask rule': bash('make', { ...inside, ...ask('Bash') }),
      'an ask rule with content': bash('make', { ...inside, ...ask('Bash(make)') }),
      'an ask rule on a parameter': [
        'Bash',
        { command: 'make', run_in_background: true },
        { ...inside, ...ask('Bash(run_in_background:true)') },
      ],
      'a deny rule': bash('make', { ...inside, ...deny('Bash(make)') }),
      'a critical removal': bash('rm -rf ~', inside),
      'a protected file': bash('echo x > .git/config', inside),
      'not understood': bash('make "', inside),
      'an excluded command': bash('docker ps -x', { sandbox: { enabled: true, excludedCommands: ['docker'] } }),
      'excluded and not': bash('docker ps -x; make', { sandbox: { enabled: true, excludedCommands: ['docker'] } }),
      'one that asks to leave': ['Bash', leaving, inside],
      'to leave, with a rule': ['Bash', leaving, { ...inside, ...allow('Bash(make)') }],
      'to leave, in bypass': ['Bash', leaving, { ...inside, mode: 'bypassPermissions' }],
      'to leave, by hook': ['Bash', leaving, { ...inside, hook: 'allow' }],
      'to leave, in dontAsk': ['Bash', leaving, { ...inside, ...allow('Bash'), mode: 'dontAsk' }],
      'to leave none': ['Bash', leaving, allow('Bash(make)')],
      'a sandbox that is not there': bash('make', broken),
      'not there, with a rule': bash('make', { ...broken, ...allow('Bash') }),
      'not there, in bypass': bash('make', { ...broken, mode: 'bypassPermissions' }),
      'not there, by hook': bash('make', { ...broken, hook: 'allow' }),
      'not there, in dontAsk': bash('ls', { ...broken, mode: 'dontAsk' }),
      'other tools do not care': write('/repo/a', inside),
    }),
    {
      'a command': 'allow',
      'sandbox off': 'ask',
      'without auto-allow': 'ask',
      'in dontAsk': 'allow',
      'in plan': 'ask',
      'a bare ask rule': 'allow',
      'an ask rule with content': 'ask',
      'an ask rule on a parameter': 'ask',
      'a deny rule': 'deny',
      'a critical removal': 'ask',
      'a protected file': 'ask',
      'not understood': 'ask',
      'an excluded command': 'ask',
      'excluded and not': 'allow',
      'one that asks to leave': 'ask',
      'to leave, with a rule': 'ask',
      'to leave, in bypass': 'ask',
      'to leave, by hook': 'ask',
      'to leave, in dontAsk': 'deny',
      'to leave none': 'allow',
      'a sandbox that is not there': 'ask',
      'not there, with a rule': 'ask',
      'not there, in bypass': 'ask',
      'not there, by hook': 'ask',
      'not there, in dontAsk': 'deny',
      'other tools do not care': 'ask',
    },
  )
})

test('additional directories are working directories', async () => {
  const more: World = { additionalDirectories: ['/shared/lib', 'relative'] }
  assert.equal(await behavior('Read', { file_path: '/shared/lib/a' }, more), 'allow')
  assert.equal(await behavior('Read', { file_path: '/shared/library/a' }, more), 'ask')
  assert.equal(await behavior('Read', { file_path: '/shared/lib/../x' }, more), 'ask')
  assert.equal(await behavior('Bash', { command: 'cat /shared/lib/a' }, more), 'allow')
  assert.equal(
    await behavior('Write', { file_path: '/shared/lib/a', content: '' }, { ...more, mode: 'acceptEdits' }),
    'allow',
  )
})
