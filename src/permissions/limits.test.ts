/** Input beyond every limit: long, many parts, deep, odd. A hundred of them, none of which runs without a question. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPermissions, decisionOnBash } from './test-engine.js'

/** Each makes about `size` characters of something that would be allowed if it were short. */
const SHAPES: Record<string, (size: number) => string> = {
  'a long word': (size) => `echo ${'a'.repeat(size)}`,
  'many words': (size) => `echo ${'a '.repeat(size / 2)}`,
  'many commands': (size) => 'ls;'.repeat(size / 3),
  'many lines': (size) => 'ls\n'.repeat(size / 3),
  'a long pipe': (size) => `ls${' | cat'.repeat(size / 6)}`,
  'a long and-list': (size) => `ls${' && ls'.repeat(size / 6)}`,
  'deep substitutions': (size) => `echo ${'$(echo '.repeat(size / 8)}${')'.repeat(size / 8)}`,
  'deep subshells': (size) => `${'( '.repeat(size / 4)}ls${' )'.repeat(size / 4)}`,
  'deep groups': (size) => `${'{ '.repeat(size / 5)}ls${'; }'.repeat(size / 5)}`,
  'many backticks': (size) => 'echo `ls` '.repeat(size / 10),
  'a long quoted text': (size) => `echo "${'a b '.repeat(size / 4)}"`,
  'a long here-document': (size) => `cat <<E\n${'a line\n'.repeat(size / 7)}E\n`,
  'many redirects': (size) => `ls${' 2>/dev/null'.repeat(size / 12)}`,
  'many braces': (size) => `echo ${'{a,b}'.repeat(size / 5)}`,
  'many assignments': (size) => `${'LANG=C '.repeat(size / 7)}ls`,
  'a long comment': (size) => `ls #${'a'.repeat(size)}`,
  'many parentheses that never close': (size) => '('.repeat(size),
  'a quote that never closes': (size) => `echo '${'a'.repeat(size)}`,
  'a long path': (size) => `cat ${'a/'.repeat(size / 2)}b`,
  'a path of many parents': (size) => `cat ${'a/../'.repeat(size / 5)}b`,
}
const SIZES = [10_100, 40_000, 131_100, 400_000, 1_000_000]

test('a hundred commands beyond a limit ask, whatever allows their short form', async () => {
  const permissions = createTestPermissions({ mode: 'acceptEdits', allow: ['Bash', 'Bash(echo *)', 'Read', 'Edit'] })
  const short: string[] = []
  const ran: string[] = []
  let tried = 0
  for (const [name, shape] of Object.entries(SHAPES)) {
    if (!/never closes?/.test(name) && (await decisionOnBash(permissions, shape(60))) !== 'allow') short.push(name)
    for (const size of SIZES) {
      tried += 1
      if ((await decisionOnBash(permissions, shape(size))) === 'allow') ran.push(`${name} ${size}`)
    }
  }
  assert.equal(tried, 100)
  assert.deepEqual({ ran, short }, { ran: [], short: [] })
})

test('in bypass, where length alone is no reason, a deny rule that can not be checked still holds', async () => {
  const permissions = createTestPermissions({ mode: 'bypassPermissions', deny: ['Bash(curl *)'] })
  for (const [name, shape] of Object.entries(SHAPES))
    for (const size of SIZES)
      assert.notEqual(await decisionOnBash(permissions, `${shape(size)}\ncurl x`), 'allow', `${name} ${size}`)
})

test('paths and addresses beyond every limit', async () => {
  const permissions = createTestPermissions({ mode: 'acceptEdits', allow: ['Read(**)', 'Edit(**)'] })
  for (const path of [
    `/repo/${'a/'.repeat(500_000)}b`,
    `/repo/${'../'.repeat(300_000)}etc/x`,
    `/repo/${'a'.repeat(1_000_000)}`,
  ]) {
    const read = { id: 't', name: 'Read', input: { file_path: path } }
    assert.equal((await permissions.decide(read, { kind: 'read', paths: [path] })).behavior, 'ask')
    const write = { id: 't', name: 'Write', input: { file_path: path } }
    assert.equal((await permissions.decide(write, { kind: 'edit', path })).behavior, 'ask')
  }
  const url = `https://${'a'.repeat(1_000_000)}.com`
  const fetch = { id: 't', name: 'WebFetch', input: { url } }
  assert.equal((await permissions.decide(fetch, { kind: 'fetch', url })).behavior, 'ask')
})

test('a path beyond every limit in bypass: nothing forbids it, or nobody can tell', async () => {
  const path = `/repo/${'a/'.repeat(5_000)}key`
  const write = (rules: Parameters<typeof createTestPermissions>[0]) =>
    createTestPermissions({ mode: 'bypassPermissions', ...rules }).decide(
      { id: 't', name: 'Write', input: { file_path: path } },
      { kind: 'edit', path },
    )
  assert.equal((await write({})).behavior, 'allow')
  assert.equal((await write({ deny: ['Bash(rm *)'] })).behavior, 'allow')
  for (const rules of [
    { deny: ['Read(key)'] },
    { ask: ['Edit(x)'] },
    { deny: ['Edit'] },
    { ask: ['Edit'] },
    { ask: ['Write'] },
  ])
    assert.equal((await write(rules)).behavior, 'ask', JSON.stringify(rules))
})

test('names no tool has: a rule that forbids still holds, one that allows does not', async () => {
  const decide = async (name: string, rules: Parameters<typeof createTestPermissions>[0]) =>
    (await createTestPermissions(rules).decide({ id: 't', name, input: {} }, { kind: 'other' })).behavior
  const long = `mcp__a__${'b__'.repeat(1_000)}c`
  for (const rule of ['mcp__a', 'mcp__a__b', 'mcp__a__*', '*', long])
    assert.equal(await decide(long, { mode: 'bypassPermissions', deny: [rule] }), 'deny', rule.slice(0, 20))
  const one = `mcp__a__${'b'.repeat(2_000)}`
  assert.equal(await decide(one.slice(0, 500), { allow: ['mcp__a'] }), 'allow')
  for (const rule of ['mcp__a', 'mcp__a__*']) assert.equal(await decide(one, { allow: [rule] }), 'ask', rule)
  assert.equal(await decide(one, { allow: [one] }), 'allow')
})

/** Short texts that stand for a great many words, files or commands, with the size up to which they are looked through. */
const PRODUCTS: Record<string, { fits: string; exceeds: string }> = {
  'files that are named': { fits: files('cat', 700), exceeds: files('cat', 900) },
  'files after several folders': { fits: `cd a; ${files('cat', 300)}`, exceeds: `cd a; cd b; ${files('cat', 300)}` },
  'copies into folders': {
    fits: `cp ${files('-t', 1)} ${files('', 40)}`,
    exceeds: `cp ${'-t d '.repeat(60)}${files('', 60)}`,
  },
  'values of a variable': { fits: loop(20, 20), exceeds: loop(60, 60) },
  'letters of options': { fits: `ls -${'l'.repeat(60)}`, exceeds: `ls -${'l'.repeat(70)}` },
  'choices in braces': { fits: `echo {${'a,'.repeat(60)}}`, exceeds: `echo {${'a,'.repeat(70)}}` },
  'commands of a pipe': { fits: pipe(20), exceeds: pipe(40) },
  'expansions in quotes': { fits: `echo "${'$HOME '.repeat(200)}"`, exceeds: `echo "${'$HOME '.repeat(400)}"` },
}

function files(program: string, count: number): string {
  return `${program} ${Array.from({ length: count }, (_, i) => `f${i}`).join(' ')}`
}

function pipe(commands: number): string {
  return `git ls-files${' | sort'.repeat(commands)} | xargs wc -l`
}

function loop(values: number, uses: number): string {
  return `for i in ${files('', values)}; do cat ${'$i '.repeat(uses)}; done`
}

test('what multiplies is looked through as far as anyone would, and asks beyond', async () => {
  const permissions = createTestPermissions({ allow: ['Bash(cp *)', 'Edit'] })
  const answers: Record<string, string[]> = {}
  for (const [name, { fits, exceeds }] of Object.entries(PRODUCTS))
    answers[name] = [await decisionOnBash(permissions, fits), await decisionOnBash(permissions, exceeds)]
  assert.deepEqual(answers, Object.fromEntries(Object.keys(PRODUCTS).map((name) => [name, ['allow', 'ask']])))
})

test('in bypass, a forbidden command behind more than is looked through still asks', async () => {
  const permissions = createTestPermissions({ mode: 'bypassPermissions', deny: ['Bash(curl *)'] })
  const words = 'a '.repeat(50)
  for (const [fits, exceeds] of [
    ['npx a b', `${'npx '.repeat(900)}curl x`],
    ['sudo env timeout 5 a b', `${'sudo env timeout 5 '.repeat(100)}curl x`],
    [`ssh h ${"'a b' ".repeat(20)}`, `ssh h ${"'a b' ".repeat(300)}'curl x'`],
    ['eval ls', `${'eval '.repeat(900)}curl x`],
    [`foo ${words}`, `foo ${words}\n`.repeat(30).concat('foo curl x')],
    [`echo ${'[a]'.repeat(2_000)}`, `echo ${'[a]'.repeat(3_100)}`],
    [`echo '{${'"a":1,'.repeat(9_000)}}'`, `echo ${'""'.repeat(20_000)}`],
    [`echo $((${'1+'.repeat(400)}1))`, `echo $((${'1+'.repeat(11_000)}1))`],
  ] as const) {
    assert.equal(await decisionOnBash(permissions, fits), 'allow', fits.slice(0, 40))
    assert.equal(await decisionOnBash(permissions, exceeds), 'ask', exceeds.slice(0, 40))
  }
})

test('a word too long for a path is no path, and nobody says that it is harmless', async () => {
  const long = `${'./'.repeat(4_200)}secrets/key`
  const deny = createTestPermissions({ mode: 'bypassPermissions', deny: ['Read(./secrets/**)'] })
  for (const command of [`cat ${long}`, `cd ${long}; cat key`, `cp ${long} x`, `cat x > ${long}`])
    assert.equal(await decisionOnBash(deny, command), 'ask', command.slice(0, 20))
  // Too long only with the folder it starts from.
  assert.equal(await decisionOnBash(createTestPermissions(), `cat ${'a/'.repeat(4_095)}`), 'ask')
  // A program that is not known may take the beginning of a word for a path.
  assert.equal(await decisionOnBash(deny, `foo secrets/${'a'.repeat(9_000)}`), 'ask')
  assert.equal(await decisionOnBash(deny, `foo -m '${'a '.repeat(4_900)}'`), 'allow')
  assert.equal(
    await decisionOnBash(createTestPermissions({ mode: 'bypassPermissions' }), `rm -rf /${'./'.repeat(4_500)}`),
    'ask',
  )
})

test('a folder is searched for what is denied as far as it takes no longer than a question', async () => {
  const tree = (folders: number, each: number) =>
    Array.from({ length: folders }, (_, i) => Array.from({ length: each }, (_, j) => `/repo/tree/d${i}/f${j}`)).flat()
  const search = (folders: number, each: number, more: string[] = []) =>
    decisionOnBash(
      createTestPermissions({ present: [...tree(folders, each), ...more], deny: ['Read(.env)'] }),
      'grep -r x tree',
    )
  assert.equal(await search(20, 5), 'allow')
  assert.equal(await search(20, 5, ['/repo/tree/d7/.env']), 'ask')
  assert.equal(await search(250, 1), 'ask')
  assert.equal(await search(10, 120), 'ask')
  const inside = createTestPermissions({ present: tree(3, 3), deny: ['Read(tree)'] })
  assert.equal(await decisionOnBash(inside, 'grep -r x tree/d1'), 'deny')
})

test('a glob at the root finds what is denied there', async () => {
  const permissions = createTestPermissions({ present: ['/key.pem', '/etc'], allow: ['Bash'], deny: ['Read(//*.pem)'] })
  assert.equal(await decisionOnBash(permissions, 'cat /*'), 'ask')
  assert.equal(await decisionOnBash(permissions, 'cat /etc/*'), 'allow')
})

test('in bypass, a removal behind more than is looked at still asks', async () => {
  const permissions = createTestPermissions({ mode: 'bypassPermissions' })
  for (const command of [
    `${files('rm', 900)} /etc`,
    `${'npx '.repeat(900)}rm -rf /`,
    `eval '${'ls -l; '.repeat(1_500)}rm -rf /'`,
    `eval '${'# a comment that is long enough to count\n'.repeat(2_500)}rm -rf /'`,
    'find . -name x -delete; find . -delete',
    "a=x; rm -rf $a; bash -c 'a=/; rm -rf $a'",
  ])
    assert.equal(await decisionOnBash(permissions, command), 'ask', command.slice(0, 40))
  assert.equal(await decisionOnBash(permissions, `eval '${'# a comment\n'.repeat(1_000)}ls'`), 'allow')
})

test('what was looked at before does not hide what comes after', async () => {
  const present = ['/repo/tmpl/.bashrc', '/repo/lib/a', '/repo/out']
  const copies = createTestPermissions({ mode: 'acceptEdits', present, allow: ['Bash(cp *)'] })
  assert.equal(await decisionOnBash(copies, 'cp lib/* out/'), 'allow')
  assert.equal(await decisionOnBash(copies, 'cp lib/* out/; cp tmpl/.* out/'), 'ask')
  const deny = createTestPermissions({ mode: 'bypassPermissions', deny: ['Read(./secrets/**)'] })
  const line = (from: number) => `foo ${Array.from({ length: 290 }, (_, i) => `w${from + i}`).join(' ')}`
  assert.equal(await decisionOnBash(deny, line(0)), 'allow')
  assert.equal(await decisionOnBash(deny, `${line(0)}\n${line(300)}\n${line(600)}\nfoo secrets/key`), 'ask')
  assert.equal(await decisionOnBash(createTestPermissions({ allow: ['Bash'] }), `${files('touch', 900)} link`), 'ask')
  assert.equal(await decisionOnBash(createTestPermissions({ allow: ['Bash'] }), `ls > ${'a/'.repeat(4_500)}b`), 'ask')
})
