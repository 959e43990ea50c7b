// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc, { anyCharacter } from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import type { EngineCall, PermissionFacts } from '../engine/ports.js'
import { nodeFiles } from '../platform/files/files.js'
import { createPermissions } from './permission-engine.js'
import { bashCall, createTestPermissions, decisionOnBash } from './test-engine.js'

/** The nightly run tries harder. */
const TIMES = byTier({ quick: 0.25, all: 1, long: 50 })
const STRICTNESS = { allow: 0, ask: 1, deny: 2 }

/** Pieces that make shell text when put together, and mostly broken shell text. */
const piece = fc.constantFrom(
  ...[
    'ls',
    'cat a.txt',
    'rm v',
    'touch P',
    'echo ',
    'echo x',
    'git log',
    '$(',
    '`',
    ')',
    ';',
    '&&',
    '||',
    '|',
    '"',
    "'",
    '\\',
    '{ ',
    '; }',
    '(',
    '\n',
    '<',
    '>',
    '>>',
  ],
  ...[
    '<<EOF\n',
    '\nEOF\n',
    '$x',
    '${x:-',
    '}',
    'if ',
    'then ',
    'fi',
    'x=',
    '*',
    '#',
    '&',
    ' a.txt',
    ' ',
    ' ',
    '$((',
    '))',
    '[[ ',
    ' ]]',
    'f() ',
    '! ',
    'time ',
    '<(',
    '<<<',
  ],
  ...[
    '2>&1',
    '&>',
    '1',
    ' -eq ',
    '[',
    ']',
    'a[',
    'export ',
    'for i in a; do ',
    ' ; done',
    '{a,b}',
    '{rm,v}',
    "$'",
    '\\x72',
    '\t',
    '=',
    '~',
    '?',
    '@(',
    '-',
    '--',
    'let ',
    'printf ',
  ],
  ...[
    'test ',
    ' -v ',
    '@P}',
    '[$(touch P)]',
    'timeout 5 ',
    'xargs ',
    'command ',
    'exec ',
    'cd src',
    'coproc ',
    '$"',
    '|&',
    '>&',
    '${!x}',
    'alias ls=rm',
    'trap ',
    'eval ',
  ],
)
const soup = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(''))

const command = fc.constantFrom(
  ...[
    'ls',
    'cat a.txt',
    'npm test',
    'git log -1',
    'git push',
    'rm -rf build',
    'touch x',
    'echo x > y',
    'cat /etc/passwd',
    'curl x',
    'sed -i s/a/b/ c',
    'find . -delete',
    'mkdir d',
  ],
)
const rule = fc.constantFrom(
  ...[
    'Bash',
    'Bash(git *)',
    'Bash(npm test:*)',
    'Bash(rm *)',
    'Bash(touch x)',
    'Bash(echo *)',
    'Bash(cat *)',
    'Read(//etc/**)',
    'Edit(**)',
    'Edit',
    'Read(a.txt)',
    'Bash(curl *)',
    'Bash(* x)',
  ],
)
const rules = fc.record({
  allow: fc.array(rule, { maxLength: 4 }),
  deny: fc.array(rule, { maxLength: 2 }),
  ask: fc.array(rule, { maxLength: 2 }),
})
const mode = fc.constantFrom(
  'default' as const,
  'acceptEdits' as const,
  'plan' as const,
  'dontAsk' as const,
  'delegate' as const,
  'bypassPermissions' as const,
)

/** Other spellings of the first word, where that is a program. */
const respell = (change: (word: string) => string) => (c: string) =>
  c.replace(/^(?:ls|cat|npm|git|rm|touch|echo|curl|sed|find|mkdir)\b/, change)

/** Ways to write the same or more, none of which may be judged milder. */
const rewrite = fc.constantFrom<((text: string) => string)[]>(
  (c) => `( ${c} )`,
  (c) => `{ ${c}; }`,
  (c) => `true && ${c}`,
  (c) => `${c}; true`,
  (c) => `${c} | cat`,
  (c) => `! ${c}`,
  (c) => `echo $(${c})`,
  (c) => `echo "\`${c}\`"`,
  (c) => `if true; then ${c}; fi`,
  (c) => `for i in 1; do ${c}; done`,
  (c) => `f() { ${c}; }; f`,
  (c) => `cat <(${c})`,
  (c) => `cat <<E\n$(${c})\nE`,
  (c) => `${c} &`,
  (c) => `\n${c}\n`,
  (c) => `${c} 2>&1`,
  (c) => `eval '${c}'`,
  (c) => `bash -c '${c}'`,
  respell((word) => `sudo ${word}`),
  respell((word) => `env A=1 ${word}`),
  respell((word) => `timeout 5 ${word}`),
  respell((word) => `xargs ${word}`),
  respell((word) => `nice ${word}`),
  respell((word) => `A=1 ${word}`),
  (c) => `PATH=.; ${c}`,
  respell((word) => `"${word}"`),
  respell((word) => `\\${word}`),
  respell((word) => `/bin/${word}`),
  respell((word) => `{${word},}`),
)

test('adding a deny or ask rule never gives a milder answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(command, soup),
      rules,
      rule,
      fc.constantFrom('deny' as const, 'ask' as const),
      mode,
      async (text, given, added, behavior, inMode) => {
        const before = await decisionOnBash(createTestPermissions({ ...given, mode: inMode }), text)
        const after = await decisionOnBash(
          createTestPermissions({ ...given, mode: inMode, [behavior]: [...given[behavior], added] }),
          text,
        )
        assert.ok(STRICTNESS[after] >= STRICTNESS[before], `${before} became ${after}`)
      },
    ),
    { numRuns: 400 * TIMES },
  )
})

/** Calls of the other tools, and rules that may be about them. */
const otherCall = fc.constantFrom<[EngineCall, PermissionFacts][]>(
  ...['/repo/a', '/repo/secrets/k', '/etc/hosts', '/home/u/.ssh/k', '/repo/link/x', '/repo/.git/config'].flatMap(
    (path): [EngineCall, PermissionFacts][] => [
      [
        { id: 't', name: 'Read', input: { file_path: path } },
        { kind: 'read', paths: [path] },
      ],
      [
        { id: 't', name: 'Grep', input: { pattern: 'x', path } },
        { kind: 'read', paths: [path] },
      ],
      [
        { id: 't', name: 'Write', input: { file_path: path } },
        { kind: 'edit', path },
      ],
    ],
  ),
  ...['https://example.com/', 'https://a.example.com/', 'http://localhost/', 'nonsense'].map(
    (url): [EngineCall, PermissionFacts] => [
      { id: 't', name: 'WebFetch', input: { url } },
      { kind: 'fetch', url },
    ],
  ),
  [{ id: 't', name: 'mcp__a__b__c', input: { x: 'y' } }, { kind: 'other' }],
  [{ id: 't', name: 'Task', input: { subagent_type: 'p' } }, { kind: 'none' }],
  [{ id: 't', name: 'AskUserQuestion', input: {} }, { kind: 'ask' }],
  bashCall('make'),
  bashCall('ls'),
  bashCall('echo x > a'),
)
const otherRule = fc.constantFrom(
  ...['Read', 'Edit', 'Write', 'Grep', 'Bash', 'WebFetch', 'Task', '*', 'mcp__a', 'mcp__a__b', 'mcp__a__b__c'],
  ...[
    'Read(secrets/**)',
    'Read(~/.ssh/**)',
    'Read(//**)',
    'Read(./)',
    'Edit(**)',
    'Edit(/a)',
    'Edit(//etc/hosts)',
    'Read(*)',
  ],
  ...['WebFetch(domain:example.com)', 'WebFetch(domain:*.example.com)', 'WebFetch(domain:localhost)', 'Bash(make)'],
  ...['mcp__a__b__c(x:y)', 'Task(p)', 'Agent(p)', 'AskUserQuestion', 'Bash(echo *)'],
)
const otherRules = fc.record({
  allow: fc.array(otherRule, { maxLength: 4 }),
  deny: fc.array(otherRule, { maxLength: 2 }),
  ask: fc.array(otherRule, { maxLength: 2 }),
})
const hookAnswer = fc.constantFrom({}, { approvedByHook: true }, { askedByHook: true })
const sandboxState = fc.constantFrom(
  undefined,
  ...[true, false].map((available) => ({ enabled: true, autoAllow: true, available, isExcluded: () => false })),
)

test('for every tool: another deny or ask rule, a stricter mode, no hook, no sandbox: never a milder answer', async () => {
  const changes = fc.constantFrom('deny' as const, 'ask' as const, 'dontAsk' as const, 'no hook' as const)
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(otherCall, otherRules, otherRule, mode, hookAnswer, sandboxState, changes),
      async ([call, given, added, inMode, hook, sandbox, change]) => {
        const links = { '/repo/link': '/etc' }
        const options = { ...given, mode: inMode, links, sandbox: () => sandbox }
        const decide = async (more: object, answer: object) =>
          (await createTestPermissions({ ...options, ...more }).decide(...call, answer)).behavior
        const before = await decide({}, hook)
        const after =
          change === 'no hook'
            ? await decide({}, 'approvedByHook' in hook ? {} : hook)
            : change === 'dontAsk'
              ? await decide(inMode === 'default' ? { mode: 'dontAsk' } : {}, hook)
              : await decide({ [change]: [...given[change], added] }, hook)
        assert.ok(STRICTNESS[after] >= STRICTNESS[before], `${before} became ${after}`)
        if (given.deny.includes('*') || (change === 'deny' && added === '*')) assert.equal(after, 'deny')
      },
    ),
    { numRuns: 600 * TIMES },
  )
})

test('wrapping, quoting, chaining and nesting never gives a milder answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      command,
      fc.array(rewrite, { minLength: 1, maxLength: 3 }),
      rules,
      mode,
      async (text, rewrites, given, inMode) => {
        const permissions = createTestPermissions({ ...given, mode: inMode })
        // Quotes around quotes would be another command.
        const rewritten = rewrites.reduce((done, change) => (/['"`\n]/.test(done) ? done : change(done)), text)
        const before = await decisionOnBash(permissions, text)
        const after = await decisionOnBash(permissions, rewritten)
        // A denied command hidden at run time still asks; it is never run.
        assert.ok(STRICTNESS[after] >= Math.min(STRICTNESS[before], 1), `${text}: ${before}, ${rewritten}: ${after}`)
      },
    ),
    { numRuns: 600 * TIMES },
  )
})

test('no text makes a decision throw, and without rules nothing is denied', async () => {
  const permissions = createTestPermissions()
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(soup, fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' })),
      async (text) => {
        const decision = await permissions.decide(...bashCall(text))
        assert.notEqual(decision.behavior, 'deny', text)
      },
    ),
    { numRuns: 1000 * TIMES },
  )
})

test('input over a limit asks, in every mode', async () => {
  const long = [
    'a;'.repeat(500_000),
    '$('.repeat(500_000),
    '('.repeat(1_000_000),
    '`'.repeat(1_000_000),
    'x'.repeat(1_000_000),
    `ls ${'a '.repeat(400_000)}`,
    'ls\n'.repeat(300_000),
  ]
  for (const inMode of ['default', 'bypassPermissions'] as const) {
    const permissions = createTestPermissions({ mode: inMode, allow: ['Bash'] })
    for (const text of long)
      assert.equal(await decisionOnBash(permissions, text), 'ask', `${inMode} ${text.slice(0, 10)}`)
  }
  const tooLong = `echo ${'a'.repeat(10_000)}`
  assert.equal(await decisionOnBash(createTestPermissions({ allow: ['Bash'] }), tooLong), 'ask')
  assert.equal(await decisionOnBash(createTestPermissions({ mode: 'bypassPermissions' }), tooLong), 'allow')
  const document = `cat > README.md <<'E'\n${'Use `a` and `b` (see c).\n'.repeat(600)}E\n`
  assert.equal(
    await decisionOnBash(createTestPermissions({ mode: 'bypassPermissions', deny: ['Bash(rm *)'] }), document),
    'allow',
  )
})

test('what is allowed runs only programs that may run, in a real shell', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-cage-')))
  try {
    const [repo, bin, log] = [join(root, 'repo'), join(root, 'bin'), join(root, 'log')]
    mkdirSync(join(repo, 'src'), { recursive: true })
    mkdirSync(bin)
    writeFileSync(join(bin, 'stub'), `#!/bin/bash\necho "\${0##*/}" >> ${log}\n`, { mode: 0o755 })
    const harmless = ['ls', 'cat', 'git', 'timeout']
    for (const name of [...harmless, 'rm', 'touch', 'xargs', 'env', 'sh', 'bash', 'v'])
      symlinkSync(join(bin, 'stub'), join(bin, name))
    const permissions = createPermissions({
      files: nodeFiles,
      cwd: repo,
      home: '/home/u',
      mode: 'default',
      allowBypass: false,
      allow: ['Bash(git log *)', 'Bash(echo *)'],
    })
    const allowed: string[] = []
    const starts = fc.constantFrom('', 'ls ', 'echo ', 'cat ', 'git log ')
    for (const text of fc.sample(
      fc.tuple(starts, soup).map(([start, rest]) => start + rest),
      { seed: 7, numRuns: byTier({ quick: 500, all: 2000 }) },
    )) {
      const decision = await permissions.decide(
        { id: 't', name: 'Bash', input: { command: text } },
        { kind: 'command', command: text, cwd: repo },
      )
      if (decision.behavior === 'allow') allowed.push(text)
    }
    const interesting = [...new Set(allowed)].filter((text) => /[^\w .-]/.test(text)).slice(0, 150)
    assert.ok(interesting.length > 30, `only ${interesting.length} commands to run`)
    // One shell runs them all, each in a shell of its own.
    const script = interesting
      .map((text) => `(/bin/bash -c ${quote(text)}) </dev/null >/dev/null 2>&1; echo . >> ${log}`)
      .join('\n')
    spawnSync('/bin/bash', ['-c', script], { cwd: repo, env: { PATH: bin, HOME: '/home/u' }, timeout: 60_000 })
    const ran = new Set(readFileSync(log, 'utf8').trim().split('\n'))
    assert.deepEqual(
      [...ran].filter((name) => name !== '.' && !harmless.includes(name)),
      [],
    )
    assert.ok(ran.has('.') && ran.has('ls') && ran.has('cat'))
    assert.deepEqual([readdirSync(repo), readdirSync(join(repo, 'src'))], [['src'], []])
  } finally {
    rmSync(root, { recursive: true })
  }
})

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
