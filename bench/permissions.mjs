// What a permission decision costs: `node bench/permissions.mjs`. Real commands (p50, p99) and hostile inputs of up to 1 MB (the worst).
// It measures and judges nothing; the aims stand beside the figures. Time is that of the processor, so that a busy machine counts less.
import { transpile } from '../scripts/transpile.mjs'

await transpile()
const { createPermissions } = await import('../.build/src/permissions/permissions.js')
const { nodeFiles } = await import('../.build/src/platform/files.js')
const cwd = new URL('..', import.meta.url).pathname.replace(/\/$/, '')
const MB = 1_000_000

const RULES = {
  allow: [
    'Bash(npm run *)',
    'Bash(git log:*)',
    'Bash(git commit:*)',
    'Bash(cargo test *)',
    'Bash(a*b*c*d*e*f*g)',
    'Edit(src/**)',
    'WebFetch(domain:*.example.com)',
    'mcp__a__*',
  ],
  ask: ['Bash(git push *)', 'Edit(*.lock)', 'WebFetch(domain:ask.example.com)'],
  deny: [
    'Bash(rm -rf *)',
    'Bash(curl * | sh)',
    'Read(./.env)',
    'Read(secrets/**)',
    'Edit(**/*.pem)',
    'WebFetch(domain:evil.example.com)',
  ],
}
const rulesets = {
  'no rules': {},
  'many rules': RULES,
  'all but some': { ...RULES, allow: ['Bash'] },
}

function engine(rules, mode = 'default') {
  return createPermissions({ files: nodeFiles, cwd, home: '/home/u', mode, allowBypass: true, ...rules })
}

async function cost(permissions, [call, facts]) {
  const before = process.cpuUsage()
  const { behavior } = await permissions.decide(call, facts)
  const { user, system } = process.cpuUsage(before)
  return { behavior, ms: (user + system) / 1000 }
}

const bash = (command) => [
  { id: 't', name: 'Bash', input: { command } },
  { kind: 'command', command, cwd },
]
const read = (path) => [
  { id: 't', name: 'Read', input: { file_path: path } },
  { kind: 'read', paths: [path] },
]
const edit = (path) => [
  { id: 't', name: 'Edit', input: { file_path: path } },
  { kind: 'edit', path },
]
const fetch = (url) => [
  { id: 't', name: 'WebFetch', input: { url } },
  { kind: 'fetch', url },
]
const other = (name, input) => [{ id: 't', name, input }, { kind: 'other' }]

// What developers and models type, alone and put together.
const SIMPLE = [
  'ls -la',
  'cat package.json',
  'git status',
  'git diff --stat',
  'git log --oneline -10',
  'git add -A',
  "git commit -m 'fix: the thing'",
  'git push origin main',
  'npm test',
  'npm run build',
  'npm run lint -- --fix',
  'npx tsc --noEmit',
  'node scripts/test.mjs src/permissions',
  'cargo test --workspace',
  'go test ./...',
  'pytest -x tests/',
  'make -j4',
  'docker compose up -d',
  'rg -n "permission" src',
  'grep -rn "TODO" src --include=*.ts',
  "find . -name '*.ts' -not -path './node_modules/*'",
  'wc -l src/*.ts',
  'head -50 README.md',
  'tail -n 20 CHANGELOG.md',
  "sed -n '1,80p' src/index.ts",
  "awk '{print $1}' data.txt",
  'mkdir -p build/out',
  'rm -rf build',
  'cp -r src/fixtures build/',
  'mv a.ts b.ts',
  'touch .gitkeep',
  'chmod +x scripts/run.sh',
  'curl -s https://example.com/api | jq .',
  'python3 -m venv .venv',
  'pip install -r requirements.txt',
  'echo "done"',
  'cd src && ls',
  'NODE_ENV=test npm test',
  'timeout 60 npm test',
  'ps aux | grep node',
  'du -sh node_modules',
  'which node',
  'date +%s',
  'kubectl get pods -n default',
  'ssh host uptime',
  "cat <<'EOF' > notes.md\n# Notes\n\n- one\n- two\nEOF",
  'for f in src/*.ts; do wc -l "$f"; done',
  'if [ -f package.json ]; then npm ci; fi',
  'git diff HEAD~1 -- src/permissions',
  'tree -L 2 src',
]
const composed = SIMPLE.flatMap((one, i) => {
  const next = SIMPLE[(i * 7 + 3) % SIMPLE.length]
  const third = SIMPLE[(i * 11 + 5) % SIMPLE.length]
  return [
    one,
    `${one} 2>&1 | tail -20`,
    `${one}\n${next}`,
    `${one} && ${next} || echo failed`,
    `set -e\n${one}\n${next}\n${third}`,
    `echo "$(${next.split('\n')[0]})" && ${third}`,
  ]
})

const repeat = (text, size) => text.repeat(Math.ceil(size / text.length)).slice(0, size)
/** Shapes of command lines that have been slow in one engine or another. */
const SHAPES = {
  'one long word': (n) => `echo ${'a'.repeat(n)}`,
  'many words': (n) => `echo ${repeat('a ', n)}`,
  'many words to remove': (n) => `rm ${repeat('a ', n)}`,
  'many lists': (n) => repeat('ls;', n),
  'many lines': (n) => repeat('ls\n', n),
  'many pipes': (n) => `ls ${repeat('| cat ', n)}`,
  'open brackets': (n) => '('.repeat(n),
  'open groups': (n) => repeat('{ ', n),
  'open substitutions': (n) => repeat('$(', n),
  'closed substitutions': (n) => `echo ${repeat('$(ls) ', n)}`,
  'empty substitutions': (n) => `echo ${repeat('$()', n)}`,
  'nested substitutions': (n) => `${'echo $('.repeat(50)}ls${')'.repeat(50)}; ${repeat('ls; ', n)}`,
  backquotes: (n) => '`'.repeat(n),
  'backquoted commands': (n) => `echo ${repeat('`ls` ', n)}`,
  'double quotes': (n) => `echo ${'"'.repeat(n)}`,
  'quoted letters': (n) => `echo ${repeat('"a"', n)}`,
  'single quotes': (n) => `echo ${"'".repeat(n)}`,
  'one long string': (n) => `echo '${'a'.repeat(n)}'`,
  'one long quoted string': (n) => `echo "${repeat('a $x ', n)}"`,
  escapes: (n) => `echo ${'\\a'.repeat(n / 2)}`,
  variables: (n) => `echo ${repeat('$a', n)}`,
  expansions: (n) => `echo ${repeat('${a:-b}', n)}`,
  'nested expansions': (n) => `echo ${'${a:-'.repeat(50)}x${'}'.repeat(50)} ${repeat('${a:-b} ', n)}`,
  arithmetic: (n) => `echo $((${repeat('1+', n)}1))`,
  'arithmetic in brackets': (n) => `echo $((${'('.repeat(40)}1${')'.repeat(40)} + ${repeat('1*', n)}1))`,
  globs: (n) => `cat ${'*'.repeat(n)}`,
  'many globs': (n) => `cat ${repeat('a* ', n)}`,
  'deep globs': (n) => `cat ${repeat('*/', n)}x`,
  classes: (n) => `cat ${repeat('[a-z]', n)}`,
  braces: (n) => `echo ${repeat('{a,b}', n)}`,
  'nested braces': (n) => `echo ${'{a,'.repeat(50)}b${'}'.repeat(50)} ${repeat('{a,b} ', n)}`,
  'a long list in braces': (n) => `echo {${repeat('a,', n)}}`,
  redirects: (n) => `ls ${repeat('>a ', n)}`,
  'descriptor copies': (n) => `ls ${repeat('2>&1 ', n)}`,
  assignments: (n) => `${repeat('A=b ', n)}ls`,
  'an array': (n) => `a=(${repeat('b ', n)})`,
  'a loop over many': (n) => `for i in ${repeat('a ', n)}; do rm -rf $i; done`,
  'many loops': (n) => repeat('for i in a; do ls; done; ', n),
  'many tests': (n) => repeat('[[ a == b ]] && ', n).concat('ls'),
  'many cases': (n) => `case x in ${repeat('a) ls;; ', n)} esac`,
  functions: (n) => repeat('f() { ls; }; ', n),
  'here-documents': (n) => `cat ${repeat('<<A ', n)}`,
  'a long document': (n) => `cat <<E\n${repeat('some text here\n', n)}E`,
  'a long document with variables': (n) => `cat <<E\n${repeat('some $text here\n', n)}E`,
  'a long quoted document': (n) => `cat <<'E'\n${repeat('some $(text) here\n', n)}E`,
  'here-strings': (n) => `cat ${repeat('<<< a ', n)}`,
  'process substitutions': (n) => `cat ${repeat('<(ls) ', n)}`,
  comments: (n) => repeat('# a\n', n),
  'line continuations': (n) => `echo ${repeat('a\\\n', n)}`,
  evals: (n) => `${repeat('eval ', n)}rm x`,
  wrappers: (n) => `${repeat('timeout 5 ', n)}rm x`,
  'other wrappers': (n) => `${repeat('env ', n)}rm x`,
  'nested shells': (n) => `bash -c "${repeat('bash -c ', n)}x"`,
  'find -exec': (n) => `find . ${repeat('-exec a ; ', n).replaceAll(';', '\\;')}`,
  'a sed script': (n) => `sed '${repeat('s/a/b/;', n)}' x`,
  'a sed script that writes': (n) => `sed '${repeat('w a;', n)}' x`,
  'an awk program': (n) => `awk '${repeat('{print "a" > "b"}', n)}' x`,
  'a long path': (n) => `cat ${repeat('a/', n)}x`,
  'a long path upwards': (n) => `cat ${repeat('../', n)}x`,
  'many paths': (n) => `cat ${repeat('src/a.ts ', n)}`,
  'many options': (n) => `ls ${repeat('-l ', n)}`,
  'a long option': (n) => `ls --${'a'.repeat(n)}`,
  'a long cluster': (n) => `ls -${'l'.repeat(n)}`,
  'separators in words': (n) => `foo ${repeat('a=b:c,', n)}`,
  'unknown program': (n) => `foo ${repeat('rm ', n)}`,
  'wildcard bait': (n) => `a${repeat('b', n)}c`,
  'wildcard bait in turns': (n) => repeat('abcdef', n),
  'cd chains': (n) => repeat('cd a && ', n).concat('ls'),
  invisible: (n) => `ls ${'\u200b'.repeat(n)}`,
  unicode: (n) => `echo ${repeat('日本', n)}`,
  'null characters': (n) => `ls ${'\0'.repeat(n)}`,
  'carriage returns': (n) => repeat('ls\r', n),
  'git options': (n) => `git log ${repeat('--format=%H ', n)}`,
  'git pathspecs': (n) => `git diff -- ${repeat('src/a.ts ', n)}`,
  'copies of many': (n) => `cp ${repeat('a ', n)}b`,
}
const OTHERS = {
  'Read, a long path': () => read(`/${repeat('a/', MB)}`),
  'Read, a long path upwards': () => read(`${cwd}/${repeat('../', MB)}`),
  'Read, one long name': () => read(`${cwd}/${'a'.repeat(MB)}`),
  'Edit, a long path': () => edit(`${cwd}/src/${repeat('a/', MB)}x.pem`),
  'Edit, bait for wildcards': () => edit(`${cwd}/${repeat('a.pe', MB)}`),
  'Glob, a long pattern': () => [
    { id: 't', name: 'Glob', input: { pattern: repeat('*/', MB), path: cwd } },
    { kind: 'read', paths: [cwd] },
  ],
  'Grep, a long pattern': () => [
    { id: 't', name: 'Grep', input: { pattern: repeat('(a+)+', MB), path: cwd } },
    { kind: 'read', paths: [cwd] },
  ],
  'WebFetch, a long address': () => fetch(`https://example.com/${'a'.repeat(MB)}`),
  'WebFetch, a long host': () => fetch(`https://${repeat('a.', MB)}example.com/`),
  'WebFetch, a long user': () => fetch(`https://${'a'.repeat(MB)}@example.com/`),
  'MCP, a long name': () => other(`mcp__${'a_'.repeat(MB / 2)}`, {}),
  'MCP, long input': () => other('mcp__a__b', { text: 'a'.repeat(MB) }),
}

async function worst(rows) {
  const table = []
  for (const [name, makes] of rows) {
    let found = { ms: 0 }
    for (const [label, rules] of Object.entries(rulesets)) {
      for (const mode of ['default', 'bypassPermissions']) {
        const permissions = engine(rules, mode)
        for (const make of makes) {
          const call = make()
          // The better of two: the first also warms up.
          const tries = [await cost(permissions, call), await cost(permissions, call)]
          const best = tries[0].ms < tries[1].ms ? tries[0] : tries[1]
          const size = JSON.stringify(call[0].input).length
          if (best.ms > found.ms)
            found = { name, ms: best.ms, rules: `${label}, ${mode}`, size, behavior: best.behavior }
        }
      }
    }
    table.push(found)
  }
  return table.sort((a, b) => b.ms - a.ms)
}

const filter = process.argv[2] ?? ''
for (const [label, rules] of Object.entries(rulesets)) {
  const permissions = engine(rules)
  for (const command of composed) await permissions.decide(...bash(command))
  const times = []
  for (const command of composed) times.push((await cost(permissions, bash(command))).ms)
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2)
  console.log(
    `${composed.length} real commands, ${label}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms (aim: p99 < 5 ms)`,
  )
}
// At the size that is parsed at most, just below the size up to which commands can be approved, and far beyond.
const shapes = Object.entries(SHAPES)
  .filter(([name]) => name.includes(filter))
  .map(([name, shape]) => [name, [9_900, 40_000, 130_000, MB].map((size) => () => bash(shape(size)))])
const others = Object.entries(OTHERS)
  .filter(([name]) => name.includes(filter))
  .map(([name, make]) => [name, [make]])
const table = await worst([...shapes, ...others])
for (const { name, ms, rules, size, behavior } of table.slice(0, 15))
  console.log(`${ms.toFixed(1).padStart(8)} ms  ${name}, ${size} characters (${rules}: ${behavior})`)
console.log(`${table.length} hostile shapes of up to 1 MB: worst ${table[0]?.ms.toFixed(1)} ms (aim: < 50 ms)`)
