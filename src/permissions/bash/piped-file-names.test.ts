// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { byTier } from '../../../test/support/tier.js'
import { nodeFiles } from '../../platform/files/files.js'
import { createPermissions, type PermissionOptions } from '../permission-engine.js'
import { sameDecisionForEach } from '../test-engine.js'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-found-')))
after(() => rmSync(base, { recursive: true, force: true }))
writeFileSync(join(base, 'outside.txt'), 'canary\n')

let made = 0
/** A repository with a few files, and what else it is given: texts, or links by `->`. */
function repository(more: Record<string, string> = {}): string {
  const root = join(base, `repo${made++}`)
  const files = { 'src/a.ts': 'export const foo = 1\n', 'src/lib/b.ts': 'foo\n', 'README.md': 'foo\n', ...more }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    if (text.startsWith('->')) symlinkSync(text.slice(2), join(root, path))
    else writeFileSync(join(root, path), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root, stdio: 'ignore' })
  git('init', '-q', '--template=')
  git('add', '-A')
  return root
}

function judge(root: string, commands: readonly string[], options: Partial<PermissionOptions> = {}) {
  const permissions = createPermissions({
    files: nodeFiles,
    cwd: root,
    home: join(base, 'home'),
    mode: 'default',
    allowBypass: true,
    ...options,
  })
  return answers(permissions, root, commands)
}

async function answers(permissions: ReturnType<typeof createPermissions>, cwd: string, commands: readonly string[]) {
  const found: Record<string, string> = {}
  for (const command of commands) {
    const call = { id: 'toolu_1', name: 'Bash', input: { command } }
    found[command] = (await permissions.decide(call, { kind: 'command', command, cwd })).behavior
  }
  return found
}

const LINES = [
  "find . -name '*.ts' | xargs grep -l foo",
  'find . -name x -o -name y | xargs cat',
  'find src 2>/dev/null | sort -u | head -20 | xargs wc -l',
  'grep -rl foo src | grep -v test | xargs sed -n 1,3p',
  'rg -l foo | xargs head -1',
  'rg --files src | xargs -n 1 -P 2 wc -l',
  'find . -type f | xargs -I{} head -1 {}',
  'find . -type f | xargs -I {} echo "file: {}"',
  'find src | xargs',
  'ls src | xargs grep foo',
  'for f in $(find src -type f); do echo "== $f"; head -5 "$f"; done',
  'for f in $(find src | sort); do wc -l $f | tail -1; done',
  'find src -type f | while read -r f; do wc -l "$f"; done',
  'while IFS= read -r f; do grep -c foo "$f" | cat; done < <(find src -type f)',
]
const TRACKED = [
  'git ls-files | xargs wc -l',
  "git ls-files '*.ts' | xargs -r grep -n foo | head",
  'for f in $(git ls-files \'*.ts\'); do wc -l "$f"; done',
  'git ls-files | while read -r f; do head -1 "$f"; done',
]
const EXACT = [
  'find . -print0 | xargs -0 grep -n foo',
  'find . -exec grep -l foo {} +',
  "find . -name '*.ts' -exec head -3 {} \\;",
]
/** Of these not even the folders have to be looked at. */
const REGULAR = [
  'find . -type f -print0 | xargs -0 cat',
  'find . -type f -exec wc -l {} +',
  "find src -name '*.ts' -type f -exec grep -n foo {} \\; -exec echo {} \\;",
]

test('names that commands print, in a folder without anything odd', async () => {
  const root = repository({ 'src/link.ts': '->a.ts' })
  const all = [...LINES, ...TRACKED, ...EXACT, ...REGULAR, 'git ls-files -z | xargs -0 wc -l']
  assert.deepEqual(await judge(root, all), sameDecisionForEach(all, 'allow'))
})

test('a link that leads out is found by all but those that ask for files', async () => {
  const root = repository({ 'src/out.ts': `->${join(base, 'outside.txt')}` })
  const links = [...LINES.filter((line) => !/-type f|^rg --files src|^grep|^rg|^ls/.test(line)), ...TRACKED, ...EXACT]
  assert.deepEqual(await judge(root, links), sameDecisionForEach(links, 'ask'))
  assert.deepEqual(await judge(root, REGULAR), sameDecisionForEach(REGULAR, 'allow'))
})

test('names that would be cut to pieces or be taken for options', async () => {
  for (const name of [
    'src/a b.ts',
    "src/it's.ts",
    'src/"q".ts',
    'src/back\\slash.ts',
    'src/new\nline.ts',
    'src/-x.ts',
    'src/*.ts',
  ]) {
    const root = repository({ [name]: 'foo\n' })
    const lines = [...LINES, ...TRACKED]
    assert.deepEqual(await judge(root, lines), sameDecisionForEach(lines, 'ask'), name)
    assert.deepEqual(
      await judge(root, [...EXACT, ...REGULAR]),
      sameDecisionForEach([...EXACT, ...REGULAR], 'allow'),
      name,
    )
  }
  const root = repository({ '-f/x': 'foo\n' })
  assert.deepEqual(
    await judge(root, ['git ls-files -z | xargs -0 wc']),
    sameDecisionForEach(['git ls-files -z | xargs -0 wc'], 'ask'),
  )
})

test('what git has in its index need not be on the disk', async () => {
  const gone = repository({ 'src/a /etc/passwd': 'foo\n' })
  unlinkSync(join(gone, 'src/a /etc/passwd'))
  rmSync(join(gone, 'src/a '), { recursive: true })
  assert.deepEqual(await judge(gone, TRACKED), sameDecisionForEach(TRACKED, 'ask'))
  const replaced = repository({ 'dir/outside.txt': 'foo\n' })
  rmSync(join(replaced, 'dir'), { recursive: true })
  symlinkSync(base, join(replaced, 'dir'))
  assert.deepEqual(await judge(replaced, TRACKED), sameDecisionForEach(TRACKED, 'ask'))
  // Ignored folders are not git's business.
  const ignored = repository({ '.gitignore': 'odd\n', 'odd/a b': '' })
  assert.deepEqual(await judge(ignored, TRACKED), sameDecisionForEach(TRACKED, 'allow'))
  for (const [key, value] of [
    ['extensions.objectFormat', 'sha256'],
    ['core.worktree', '/'],
  ] as const) {
    const other = repository()
    execFileSync('git', ['config', '-f', '.git/config', key, value], { cwd: other })
    assert.deepEqual(await judge(other, TRACKED.slice(0, 1)), sameDecisionForEach(TRACKED.slice(0, 1), 'ask'), key)
  }
})

test('folders that find leaves out are not looked at, others are', async () => {
  const root = repository({ 'node_modules/a b/x.ts': '', 'lib/node_modules/c d/y.ts': '' })
  const top = "find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l"
  const any = "find . -name '*.ts' ! -path '*/node_modules/*' | xargs wc -l"
  const commands = [
    any,
    top,
    "find . -name '*.ts' -o -not -path '*/node_modules/*' | xargs wc -l",
    "find . -path '*/node_modules/*' | xargs wc -l",
    "find . ! ! -path '*/node_modules/*' | xargs wc -l",
  ]
  assert.deepEqual(await judge(root, commands), { ...sameDecisionForEach(commands, 'ask'), [any]: 'allow' })
})

test('words from elsewhere, and commands that do more than look', async () => {
  const root = repository()
  const asks = [
    'cat list | xargs cat',
    'echo /etc/passwd | xargs cat',
    'find / -name x | xargs cat',
    'find .. | xargs cat',
    "find . -printf '/etc/passwd' | xargs cat",
    'find . -ls | xargs cat',
    'find -L . | xargs cat',
    'find . -print0 | xargs cat',
    'find . | xargs -0 cat',
    'find . -print -print0 | xargs -0 cat',
    'find . -print0 | sort -z | xargs -0 cat',
    'find . | cut -c 2- | xargs cat',
    "find . | sed 's/^.//' | xargs cat",
    'find . | grep -o /.* | xargs cat',
    'find . | grep -n x | xargs cat',
    'find . | uniq -c | xargs cat',
    'find . | sort list | xargs cat',
    'find . | head list | xargs cat',
    'find . |& xargs cat',
    'find . 2>&1 | xargs cat',
    'find . | xargs cat < list',
    'find . | xargs cat <<< /etc/passwd',
    'find . | grep x <<< /etc/passwd | xargs cat',
    'find . | tee x | xargs cat',
    'find . | xargs rm',
    'find . | xargs sh -c cat',
    'find . | xargs -I{} sh -c "cat {}"',
    'find . | xargs -I{} cat /{}',
    'find . | xargs -I% cat %',
    'find . | xargs -a list cat',
    'find . | xargs -d x cat',
    'find . | xargs -E x --arg-file list cat',
    'find . | xargs -n "$x" cat',
    'find . | xargs sed -n',
    'find . | xargs sed -i s/a/b/',
    'find . | xargs awk',
    'find . | xargs jq',
    'find . | xargs uniq',
    'find . | xargs printf',
    'find . | xargs sort -o',
    'find . | xargs grep -f',
    'find . | xargs diff README.md',
    'find . | xargs git log',
    'find . | xargs cat /etc/passwd',
    'find . | xargs xargs cat',
    'ls -a | xargs cat',
    'ls -l | xargs cat',
    'ls src | xargs -n1 cat',
    'for f in $(ls src); do cat "$f"; done',
    'grep foo src/a.ts | xargs cat',
    'grep -r foo src | xargs cat',
    'grep -rlc foo src | xargs cat',
    'grep -l foo | xargs cat',
    'rg foo | xargs cat',
    'rg -l foo /etc | xargs cat',
    'git ls-files -s | xargs cat',
    'git ls-files .. | xargs cat',
    "git ls-files ':/' | xargs cat",
    'git ls-files --full-name | xargs cat',
    'git log --format=%s | xargs cat',
    'git -C src ls-files | xargs cat',
    'find . -exec rm {} +',
    'find . -exec sh -c "cat {}" \\;',
    'find . -exec cat /{} \\;',
    'find . -exec cat {}',
    'find . -execdir cat {} \\;',
    'find . -ok cat {} \\;',
    'find . -exec sed -i s/a/b/ {} +',
    'find . -exec cat {} + -delete',
    'find / -exec cat {} +',
    'find . -exec ./cat {} +',
    'for f in $(cat list); do cat "$f"; done',
    'for f in "$(find .)"; do cat "$f"; done',
    'for f in $(find .) /etc/passwd; do cat "$f"; done',
    'for f in x$(find .); do cat "$f"; done',
    'for f in $(find .; echo /etc/passwd); do cat "$f"; done',
    'for f in $(find . && echo /etc/passwd); do cat "$f"; done',
    'for f in $(find . -print0); do cat "$f"; done',
    'for f in $(find .); do f=/etc/passwd; cat "$f"; done',
    'for f in $(find .); do cat "/$f"; done',
    'for f in $(find .); do $f; done',
    'find . | while read -r f; do head -c 3; cat "$f"; done',
    'find . | while read -r f; do grep "$f"; cat "$f"; done',
    'find . | while read -r f; do cat - "$f"; done',
    'find . | while read -r f; do cat "$f" /dev/stdin; done',
    'find . | while read -r f; do echo $(cat); cat "$f"; done',
    'find . | while read -n 3 f; do cat "$f"; done',
    'find . | while read -r f < list; do cat "$f"; done',
    'find . | while IFS=. read -r f; do cat "$f"; done',
    'find . | { head -c 3; while read -r f; do cat "$f"; done; }',
    'while read -r f; do cat "$f"; done < list',
    'while read -r f; do cat "$f"; done < <(find .) < list',
    'while read -r f; do cat "$f"; done <<< "$(find .)"',
    'while read -r f; do printf -v f /etc/passwd; cat "$f"; done < <(find .)',
    'ln -s /etc/passwd x; find . | xargs cat',
    'echo x > "a b"; find . | xargs cat',
  ]
  const options = { allow: ['Bash(ln:*)', 'Edit'] }
  assert.deepEqual(await judge(root, asks, options), sameDecisionForEach(asks, 'ask'))
})

test('a folder that is too large, or one that nobody can list, asks', async () => {
  const root = repository()
  mkdirSync(join(root, 'many'))
  for (let i = 0; i < 2_001; i++) writeFileSync(join(root, 'many', `f${i}`), '')
  assert.deepEqual(await judge(root, [LINES[0] ?? '']), sameDecisionForEach([LINES[0] ?? ''], 'ask'))
  const { lstat, readLink } = nodeFiles
  const blind = { files: { lstat, readLink } }
  assert.deepEqual(await judge(repository(), [LINES[0] ?? ''], blind), sameDecisionForEach([LINES[0] ?? ''], 'ask'))
})

test('what is looked at for one command line is limited in all', async () => {
  const root = repository()
  for (let folder = 0; folder < 12; folder++) {
    mkdirSync(join(root, `many${folder}`))
    for (let i = 0; i < 1_900; i++) writeFileSync(join(root, `many${folder}`, `f${i}`), '')
  }
  const one = 'find many0 | xargs cat'
  const same = Array.from({ length: 12 }, () => one).join('; ')
  const all = Array.from({ length: 12 }, (_, i) => `find many${i} | xargs cat`).join('; ')
  assert.deepEqual(await judge(root, [one, same, all]), { [one]: 'allow', [same]: 'allow', [all]: 'ask' })
})

test('rules that deny files still count', async () => {
  const root = repository({ '.env': 'TOKEN=x\n' })
  const commands = ['find . | xargs cat', 'find . -type f -exec cat {} +', TRACKED[0] ?? '', TRACKED[2] ?? '']
  for (const answer of Object.values(await judge(root, commands, { deny: ['Read(./.env)'] })))
    assert.notEqual(answer, 'allow')
})

test('what is allowed shows nothing from outside and leaves nothing behind', async () => {
  const roots = [
    repository(),
    repository({ 'src/out.ts': `->${join(base, 'outside.txt')}` }),
    repository({ [`src/a ${base}/outside.txt`]: 'foo\n' }),
    repository({ [`-f${base}/outside.txt`]: 'foo\n', 'up ../outside.txt': 'x' }),
    repository({ dir: `->${base}`, 'x/outside.txt': 'foo\n' }),
  ]
  const pick = (...texts: string[]) => fc.constantFrom(...texts)
  const source = pick(
    ...[
      'find .',
      'find src',
      'find . -type f',
      'find . -print0',
      'find . -type f -print0',
      'git ls-files',
      'git ls-files -z',
    ],
    ...[
      'grep -rl foo .',
      'ls',
      'ls src',
      'find . -name "*t*"',
      'find . -type f -o -print',
      'find . ! -type f',
      'ls -A',
    ],
  )
  const filter = pick(
    '',
    '',
    '',
    ' | sort',
    ' | head -3',
    ' | grep -v x',
    ' | tail -n +2',
    ' | cut -c 3-',
    ' | uniq -c',
  )
  const inner = pick(
    'cat',
    'head -1',
    'grep -h a',
    'sed -n p',
    "awk '{print}'",
    'wc -l',
    'tail -n 1',
    'sort',
    'grep',
    'ls -l',
  )
  const piped = fc
    .tuple(source, filter, pick('xargs', 'xargs -0', 'xargs -n 1', 'xargs -r', 'xargs -0 -n 2'), inner)
    .map(([a, b, c, d]) => `${a}${b} | ${c} ${d}`)
  const looped = fc
    .tuple(source, filter, inner, pick('"$f"', '$f', '"/$f"'), pick('', 'head -c 1; ', 'cat; '))
    .map(([a, b, c, d, e]) => [
      `for f in $(${a}${b}); do ${c} ${d}; done`,
      `${a}${b} | while read -r f; do ${e}${c} ${d}; done`,
    ])
    .chain((both) => pick(...both))
  const run = fc
    .tuple(pick('find .', 'find . -type f', 'find src ! -type d', 'find . -type l'), inner, pick('{} +', '{} \\;'))
    .map(([a, b, c]) => `${a} -exec ${b} ${c}`)
  const before = roots.map((root) => execFileSync('find', [root], { encoding: 'utf8' }))
  let ran = 0
  const numRuns = byTier({ quick: 25, all: 200, long: 5_000 })
  await fc.assert(
    fc.asyncProperty(pick(...roots), fc.oneof(piped, looped, run), async (root, command) => {
      if ((await judge(root, [command]))[command] !== 'allow') return
      ran += 1
      const { stdout } = spawnSync('bash', ['-c', command], { cwd: root, input: '', encoding: 'utf8', timeout: 10_000 })
      assert.doesNotMatch(stdout, /canary/, `${command} in ${readdirSync(root)}`)
    }),
    { numRuns },
  )
  assert.deepEqual(
    roots.map((root) => execFileSync('find', [root], { encoding: 'utf8' })),
    before,
  )
  assert.ok(ran > numRuns / 10, `only ${ran} commands ran`)
})
