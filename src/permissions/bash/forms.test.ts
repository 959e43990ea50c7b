// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
/** Forms of commands, one line each: what runs by itself, what asks, what a wildcard covers, and what deny and ask rules see. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SyntaxNode } from 'unbash'
import type { PermissionOptions } from '../permission-engine.js'
import {
  bashCall,
  createFakePathFiles,
  createTestPermissions,
  decisionOnBash,
  decisionsOnBash,
  sameDecisionForEach,
} from '../test-engine.js'
import { expandBraces } from './syntax/braces.js'
import { CommandCollector } from './syntax/collect-commands.js'
import { WordReader } from './syntax/word-reader.js'

type Setup = Partial<PermissionOptions> & { present?: readonly string[]; links?: Record<string, string> }

async function all(setup: Setup, answer: 'allow' | 'ask' | 'deny', commands: readonly string[]): Promise<void> {
  assert.deepEqual(await decisionsOnBash(createTestPermissions(setup), commands), sameDecisionForEach(commands, answer))
}

test('looking, in forms that developers use', async () => {
  const present = ['/repo/a.txt', '/repo/src/a.ts']
  await all({ present }, 'allow', [
    ...[
      'head -n 5 -- a.txt',
      'head -5 a.txt',
      'x=b; grep -e "$x" a.txt',
      'grep -- -x a.txt',
      'wc -l <a.txt',
      'ls --color=auto -la src',
      'cat -',
    ],
    ...[
      'date -d yesterday +%F',
      'date',
      'uniq -f 1 a.txt',
      'sort -k2 -t: a.txt',
      'cut -d / -f 1 a.txt',
      'du -d 1 src',
      'od -An -tx1 a.txt',
    ],
    ...[
      'x=b; [ "$x" ]',
      'x=b; [ -n "$x" ]',
      'x=b; [ "$x" = y ]',
      'x=b; [ ! "$x" = y ]',
      'test ! -d src',
      '[ a = b ]',
      'wait',

      'read -r x',
      'IFS= read -r x',
    ],
    ...[
      'while read -r l; do echo "$l"; done',
      'for f in a.txt b.txt; do head -1 $f; done',
      'for f in *.txt; do wc -l "$f"; done',
      'x=src; ls "${x}"',
    ],
    ...[
      'git branch --contains HEAD',
      'git tag -n',
      'git config user.name',
      'git config --get user.name --local',
      'git stash show',
      'git annotate a.txt',
      'git reflog show',
    ],
    ...[
      'git worktree list',
      'git remote get-url origin',
      'git symbolic-ref HEAD',
      'git branch -a',
      'git tag --list v1',
      'git -v',
      'git reflog',
      'git remote',
    ],
    ...[
      'echo {1..3} {a..c} {c..a} {05..7} {3..1..2} {-1..1} {x}',
      'find -P . -newermt 2020-01-01',
      'x=b; find . -newer a.txt -name "$x"',
      'find -O3 src',
    ],
    ...[
      'cd src && cat ../a.txt',
      'cd src && cd ../src && ls',
      'cat /dev/null',
      'ls </dev/null',
      "sed -n '$p;1!G' a.txt",
      "sed -- 's/[a]/b/' a.txt",
    ],
    ...["sed '\\,a,d' a.txt", "sed -e ':a;N;$!ba' a.txt", 'docker ps -a', 'command -v ls', '[[ -n $x ]]'],
  ])
  await all({ present }, 'ask', [
    ...[
      'grep --fil a.txt x',
      'head -n',
      'ls -$x',
      'ls -l$x',
      'ls --$x',
      'ls --all=x',
      'cat $x',
      'cat src/$x',
      'sort *',
      'tail --lines=$x a',
      'date 0101',
      'wait $SECRET',
    ],
    ...[
      '[ "$x" "$y" ]',
      '[ "$x" "$y" "$z" ]',
      '[ a "$x" b c d ]',
      '[ $x = y ]',
      'read PATH',
      'read',
      'test -v x',
      'command ls',
      'docker run x',
      'command -p x',
    ].filter((c) => c !== 'read' && c !== 'command ls'),
    ...[
      'git log --format=%G?',
      'git stash pop',
      'git branch new',
      'git tag v1',
      'git remote add a b',
      'git worktree add w',
      'git worktree',
      'git reflog expire',
      'git symbolic-ref HEAD x',
      'git notes edit',
      'git config a b',
      'git config --get --file=/etc/x a.b',
      'git $x',
      'git log "$x"',
      'git stash',
    ],
    ...[
      'find -D tree .',
      'find . -newer',
      'find . "$x"',
      'find . -delete',
      'cat l{a,"b"}/$x',
      'echo {1..999}',
      'echo "$SECRET"',
      'uniq - b.txt',
      'cd src; cat ../a.txt',
      'cd || ls',

      'cat /proc/self/cwd/a.txt',
      'cat /proc/*/cwd',
      'cat ../*',
    ],
    ...[
      "sed 's/[/]/x/' a.txt",
      "sed 's/a' a.txt",
      "sed 's/a\nb/c/' a.txt",
      'sed -e',
      "sed '1,p' a.txt",
      'sed -i.json s/a/b/ .mcp',
      'sed --in-place',
      'sed -E -f x a.txt',
    ],
    ...[
      'python -v',
      'node -v -e 1',
      'set -k',
      'popd; ls',
      'x=$(cat y); ls "$x"',
      'read x; cat "$x"',
      "cat <<E\n${x:-'$(touch x)'}\nE",
      'ls {PATH}>&1',
      'coproc ls',
    ],
  ])
})

test('globs are judged by what they find', async () => {
  const setup: Setup = {
    present: ['/repo/src/a.ts', '/repo/in/x', '/etc/passwd', '/home/u/.ssh/key'],
    links: { '/repo/out.txt': '/etc/passwd', '/repo/in.txt': '/repo/src/a.ts', '/repo/d/l': '/home/u/.ssh' },
  }
  await all(setup, 'ask', [
    'cat *.txt',
    'cat o*',
    'cat [o]*',
    'cat */l',
    'cat */l/x/*',
    'cat d/*',
    'cat */*/key',
    'cat .*',
    'for f in /etc/*; do echo $f; done',
    'x=(/etc/*)',
    `cat ${'a'.repeat(300)}*`,
  ])
  await all(setup, 'allow', ['cat i*', 'cat *.ts', 'cat src/*', 'wc -l s*/*.ts'])
  await all({ ...setup, mode: 'acceptEdits' }, 'ask', [
    'touch o*',
    'cp src/* d/l',
    'cp s*/a.ts *',
    'sed -i s/a/b/ *',
    'mv * src',
    'cp -t* src',
  ])
  await all({ ...setup, mode: 'acceptEdits' }, 'allow', [
    'rm *.log',
    'cp src/* in',
    'touch -d yesterday a',
    'mkdir -m 755 x',
    'mv -t src a.txt',
    'mv --target-directory=src a.txt',
    'cp -- src/a.ts b',
    'cp src/a.ts in/',
  ])
  const many = Array.from({ length: 2_100 }, (_, i) => `/repo/many/${i}`)
  await all({ present: many }, 'ask', ['cat many/*', 'cat many/*/x'])
})

test('files that a rule denies, where a glob or a search may find them', async () => {
  const setup: Setup = {
    allow: ['Bash'],
    deny: ['Read(.env)', 'Read(*.pem)', 'Read(./secrets/**)'],
    present: ['/repo/src/a.ts', '/repo/keys/a.pem', '/repo/deep/x/b.pem'],
  }
  await all(setup, 'allow', [
    'cat src/*',
    'cat *.txt',
    'grep -rn x src',
    'rg x src',
    'wc -l src/*.ts',
    'git log --oneline',
    'cat sr?/*.ts',
  ])
  await all(setup, 'ask', [
    ...[
      'grep -r x .',
      'grep -r x deep',
      'cat keys/*',
      'cat .e*',
      'cat s*/key',
      'cat */key',
      'git grep x',
      `cat ${'*/'.repeat(60)}x`,
      'grep -r x keys/*',
      'tar cf x.tar .',
      'echo a | xargs cat',
    ],
    ...[
      '$c secrets/key',
      'echo x | sh',
      'awk -f p a',
      `foo ${'a '.repeat(301)}`,
      'cat "$x"',
      'make --directory=secrets',
      'make -Csecrets',
      'env -C',
      'curl file:///repo/%73ecrets/key',
    ].filter((c) => !/^(?:env -C$|make)/.test(c)),
  ])
  await all({ ...setup, foldCase: true }, 'ask', ['cat */a', 'rg x src'])
  await all(setup, 'deny', [
    'cat secrets/key',
    'grep -of./secrets/key a',
    'grep --fil secrets/key a',
    'sed r\\ secrets/key a',
    'sort --random-source=secrets/key a',
  ])
  const edits: Setup = { allow: ['Bash'], deny: ['Edit(secrets/**)'] }
  for (const command of [
    'perl -pi -e 1 secrets/x',
    'yq -i . secrets/x',
    'awk \'{print > "secrets/x"}\' a',
    'awk -i inplace 1 secrets/x',
    'gzip secrets/x',
    'zip secrets/x.zip a',
    'tar cf secrets/x.tar a',
    'tar -xf a -C secrets',
    'unzip a -d secrets',
    'curl -so secrets/x u',
    'curl -osecrets/x u',
    'tsc --outDir secrets',
    'tsc --output=secrets/x',
    'xxd a secrets/x',
    'xxd -- - secrets/x',
    'mv secrets/key k',
    'find secrets -delete',
    'find . -fprint secrets/x',
    'chmod -R 777 .',
    'git checkout -- secrets/x',
    'cp -tsecrets a',
    'cp --targ=secrets a',
    'dd of=secrets/x',
    'curl file:%zz',
  ])
    assert.notEqual(
      await decisionOnBash(createTestPermissions(edits), command),
      command === 'curl file:%zz' ? 'deny' : 'allow',
      command,
    )
})

test('what runs inside other commands', async () => {
  const setup: Setup = { allow: ['Bash'], deny: ['Bash(rm *)', 'Bash(git push *)'] }
  await all(setup, 'deny', [
    ...[
      "trap -- 'rm x' EXIT",
      "bash -c -- 'rm x'",
      'hash -p /bin/rm f',
      'jobs -x rm x',
      'jobs -xx rm x',
      'jobs -x -- rm x',
      "compgen -C 'rm x'",
      "mapfile -C 'rm x' -c1 a",
      "readarray -C'rm x' a",
      "PS4='$(rm x)'; set -x",
      "PAGER='rm x' git log",
      "export EDITOR='rm x'",
    ],
    ...[
      "socat - EXEC:'rm x'",
      "ssh h 'cd x; rm y'",
      "tmux new 'rm x'",
      "su -c 'rm x'",
      'gdb --args rm x',
      'fdfind a -x rm',
      'valgrind rm x',
      'perf stat rm x',
      'faketime x rm y',
      'docker-compose exec w rm x',
      'pipenv run rm x',
      'ld.so /bin/rm x',
      "git -c alias.x='!rm y' x",
      "env -S'rm x'",
      "alias l='rm x'",
    ],
    ...[
      'BASH -c "rm x"',
      'xargs -I{} rm {}',
      'find . -exec rm {} +',
      "eval -- 'rm x'",
      'bash -c "rm $x"',
      'sudo -D /x rm y',
      'exec -a x rm y',
      'env -- A=1 rm x',
      'timeout --signal KILL 5 rm x',
      'timeout -s KILL 5 rm x',
    ],
  ])
  await all(setup, 'ask', [
    ...[
      'BASH_ENV=x bash y',
      'enable -f x y',
      "echo 'rm x' | xargs -I% sh -c %",
      'parallel sh -c {}',
      'at now',
      'batch',
      'crontab x',
      'make -f -',
      'make -f-',
      'sh',
      'bash -s',
      'source',
      'echo x > s.sh; bash s.sh',
      'cp a s; ./s',
      'xargs sh -c',
      'bash <(x)',
      'alias l=$x',
      'PAGER=$x git log',
      'ssh h "$x; y"',
    ],
    ...[
      'strangerunner rm x',
      'git $x',
      'git pu*',
      'env -C',
      'r$x',
      'eval eval eval eval eval eval eval eval ls',
      'PAGER+=x git log',
      'mysql "$x"',
    ].filter((c) => c !== 'env -C' && !c.startsWith('mysql')),
  ])
  await all(setup, 'allow', [
    'crontab -l',
    'bash --version',
    'bash x.sh',
    'jobs',
    'trap',
    'trap - EXIT',
    'brew install rm',
    'man rm',
    'git commit -m "rm x"',
    'make -f x.mk',
    'complete -F f x',
    'hash',
    'ssh h uptime',
    'sh ./x',
  ])
  await all(
    { ...setup, foldCase: true },
    'deny',
    ['RM x', 'Git push x'].filter((c) => c.startsWith('RM')),
  )
})

test('options a wildcard does not cover', async () => {
  const cases: Record<string, string[]> = {
    git: [
      'git -C /x log',
      'git log -m --output=x',
      'git archive --remote=ext::x',
      'git $x',
      'git diff --no-index a b',
      'git merge-index x',
    ],
    docker: ['docker -H x ps', 'docker $x ps', 'docker --context'],
    sqlite3: ["sqlite3 a '.shell x'", 'sqlite3 -cmd x'],
    psql: ["psql -c '\\! x'"],
    mysql: ["mysql -e 'system x'"],
    curl: ["curl -w '%output{x}' u"],
    gh: ['gh alias set x y'],
    rustc: ['rustc -C linker=x'],
    make: ['make SHELL=x', 'make -E x', 'make -f- x'],
    gcc: ['gcc -wrapper x'],
    zip: ['zip -TT x a b'],
    uniq: ['uniq a b', 'uniq - b'],
    xxd: ['xxd a b'],
    less: ['less +x'],
    more: ['more -o x'],
    go: ['go test -exec x'],
    gdb: ['gdb x'],
    tar: ['tar cIf x y', 'tar tf a --index-file=x'],
    bash: ['bash', 'bash <<< x', 'bash -s'],
    sed: ["sed 'w x' a"],
    awk: ['awk -f x'],
    find: ['find . -L -exec x'],
    sort: ['sort *'],
    rg: ['rg -L x'],
    grep: ['grep -R x'],
    du: ['du -L'],
  }
  for (const [tool, commands] of Object.entries(cases)) await all({ allow: [`Bash(${tool} *)`] }, 'ask', commands)
  await all(
    {
      allow: [
        'Bash(gh *)',
        'Bash(sqlite3 *)',
        'Bash(make *)',
        'Bash(docker *)',
        'Bash(less *)',
        'Bash(psql *)',
        'Bash(mysql *)',
        'Bash(rustc *)',
        'Bash(go *)',
        'Bash(gcc *)',
        'Bash(curl *)',
        'Bash(uniq *)',
        'Bash(./count *)',
        'Bash(git config *)',
      ],
    },
    'allow',
    [
      ...[
        'gh pr list',
        "sqlite3 a 'select 1'",
        'make test',
        'docker ps',
        'docker',
        'less a',
        "psql -c 'select 1'",
        "mysql -e 'select 1'",
        'rustc a.rs',
        'go test',
        'gcc -Wall a.c',
        'curl -s u',
        'uniq a',
        'ls | xargs ./count',
        'git config a b',
      ],
    ],
  )
  await all({ allow: ['Bash(git *)', 'Bash(sort *)', 'Bash(vim *)'] }, 'ask', [
    'ls | xargs git log',
    'cat list | xargs sort',
    'ls | xargs vim',
    'xargs $x',
  ])
  await all({ allow: ['Bash(x y)', 'Bash(npm test)'] }, 'allow', ['x y', 'npm test | cat', 'timeout 5 npm test'])
})

test('removals that only a person may approve, in other spellings', async () => {
  await all({ mode: 'bypassPermissions' }, 'ask', [
    ...[
      'rm -rf /repo/*',
      'rm -rf /$X',
      'rm -rf ~/"$X"',
      'rm -rf ${X:-/}',
      'X=/; rm -rf $X',
      'for d in / /etc; do rm -rf "$d"; done',
      'xargs rm -rf',
      'find / -exec rm {} +',
      'find .. -delete',
      'find . -delete',
      'find "$HOME" -delete',
      'set -- /; rm -rf "$1"',
    ],
    ...[
      'a=(/ /etc); rm -rf "${a[@]}"',
      'x=/etc; y=$x; rm -rf $y',
      'rm -rf "${HOME:?}"',
      'rm -rf /proc/self/cwd/',
      'bash -c "rm -rf $HOME"',
      'RM -rf ~',
      'X=~; rm -r $X/',
    ],
  ])
  await all({ mode: 'bypassPermissions' }, 'allow', [
    'rm -rf build',
    'rm -rf "$dir"',
    "find . -name '*.o' -delete",
    'rm -rf src/$x',
    'x=build; rm -rf $x',
    'find build -delete',
    'find . -print',
  ])
  const linked: Setup = {
    mode: 'bypassPermissions',
    cwd: '/data/link',
    directories: ['/shared/lib'],
    present: ['/data/real'],
    links: { '/data/link': '/data/real', '/shared/lib': '/x/lib' },
  }
  await all(linked, 'ask', ['rm -rf /data/real', 'rm -rf /x/lib'])
})

test('git takes its orders only from the project itself', async () => {
  const at = async (cwd: string, setup: Setup) =>
    (await createTestPermissions(setup).decide(...bashCall('git status', cwd))).behavior
  const bare = ['/repo/sub/HEAD', '/repo/sub/objects', '/repo/sub/refs']
  const inside = ['/repo/sub/.git/HEAD', '/repo/sub/.git/objects', '/repo/sub/.git/refs']
  assert.equal(await at('/repo/src', {}), 'allow')
  assert.equal(await at('/tmp', { directories: ['/tmp'] }), 'allow')
  assert.equal(await at('/repo/sub', { present: bare }), 'ask')
  assert.equal(await at('/repo/sub', { present: ['/repo/sub/HEAD', '/repo/sub/commondir'] }), 'ask')
  assert.equal(await at('/repo/sub/x', { present: [...bare, '/repo/sub/x'] }), 'ask')
  assert.equal(await at('/repo/sub', { present: ['/repo/sub/.git'] }), 'allow')
  assert.equal(await at('/repo/sub', { present: inside }), 'allow')
  // Nobody can read it here.
  assert.equal(await at('/repo/sub', { present: [...inside, '/repo/sub/.git/config'] }), 'ask')
  assert.equal(await at('/repo', { present: ['/repo/HEAD', '/repo/objects', '/repo/refs'] }), 'ask')
})

test('folders that a command line moves are not what they were', async () => {
  const setup: Setup = {
    mode: 'acceptEdits',
    present: ['/repo/vendor/a', '/repo/tmpl/x', '/repo/there'],
    links: { '/repo/l': 'src/../../x' },
  }
  await all(
    setup,
    'ask',
    [
      'mv vendor v2 && echo x > v2/ext/f',
      'mv vendor v2 && mv build v2 && mv v2/ext/f x',
      'cp -r vendor v2 && cat v2/a/b',
      'mv l m && echo x > m',
      'cp -r tmpl/. .',
      'cp -rT tmpl there',
      'cp -r tmpl there && ls',
      'mv .git/config src',
      'mv * x && cat x/y',
    ].filter((c) => c !== 'cp -r tmpl there && ls'),
  )
  await all(setup, 'allow', [
    'cp -r vendor v2',
    'mkdir out && cp a.txt out/b && mv out/b out/c && rm out/c',
    'mv a b && cat c',
  ])
})

test('small print', async () => {
  await all(
    {},
    'allow',
    [
      'echo {a..b}{c,d}',
      'echo a{b',
      'echo {a,{b}}',
      'cd src && cd ../src',
      'echo {a}',
      'echo {1..3..0}',
      'echo {a..Z}x',
      'wait -n',
      'date -u',
      'find',
    ].filter((c) => c !== 'echo {a..Z}x'),
  )
  await all({}, 'ask', [
    'echo {a..Z}x',
    'wait -p x',
    'wait "$x"',
    'command',
    'cd ~x; ls',
    `${'cd a;cd b;cd c;cd d;cd e;'.repeat(2)}ls`,
    'pushd +1; ls',
    'ls > $(x)',
    'env -C',
    'make -C',
    'cat a*/../x',
    'cat ~x/y',
  ])
  await all(
    { allow: ['Bash'], deny: ['Read(./secrets/**)'] },
    'ask',
    ['make -Csecrets x && cat key', 'env --chdir=secrets x; cat key', 'ninja -C secrets x; cat key']
      .slice(0, 0)
      .concat(['foo secrets', 'docker run -v ./secrets:/x i', 'cat "$x"']),
  )
  for (const command of [
    'make -Csecrets && cat key',
    'env --chdir=secrets cat key',
    'git -C secrets show x',
    'sudo -D',
    'perl -pe 1 secrets/key',
    'ruby -i -e 1 secrets/x',
    'unxz secrets/x',
    'yq -P . secrets/x',
    'yq -i . secrets/x',
    'curl file:%zz secrets/key',
    'export A=1 B; cat secrets/key',
    'command x; cat secrets/key',
  ])
    assert.notEqual(
      await decisionOnBash(createTestPermissions({ allow: ['Bash'], deny: ['Read(./secrets/**)'] }), command),
      command === 'sudo -D' ? 'deny' : 'allow',
      command,
    )
  const loop: Setup = { links: { '/repo/loop': '/repo/loop' }, present: ['/repo/src/a.ts'] }
  await all(loop, 'ask', ['cat loop', 'cat loop/*', 'cat *', 'cp src/* loop'])
  await all({ ...loop, allow: ['Bash'], deny: ['Read(*.pem)'] }, 'ask', ['grep -r x loop', 'cat loop/*'].slice(1))
  await all({ ...loop, mode: 'bypassPermissions' }, 'allow', ['rm -rf loop', 'rm loop/x*'])
  await all({ allow: ['Bash(touch x)', 'Bash(touch .git/x)', 'Bash(cp a /etc/b)'] }, 'allow', [
    'touch x',
    'cp a /etc/b',
    'touch x; ls',
  ])
  await all({ allow: ['Bash(touch .git/x)'] }, 'ask', ['touch .git/x; ls'])
  await all({ allow: ['Bash(sed *)'] }, 'ask', [
    "sed 's' a",
    "sed 's/a/b' a",
    "sed '1,w' a",
    "sed 's/[a' a",
    "sed 's/a[b]c/x/w y' a",
  ])
  const wide: Setup = {
    allow: ['Bash'],
    deny: ['Read(*.pem)'],
    present: Array.from({ length: 1_100 }, (_, i) => `/repo/wide/${i}`),
  }
  await all(wide, 'ask', ['grep -r x wide'])
  await all({ allow: ['Bash'], deny: ['Edit(a/*/b)', 'Read(x?z/q)'], present: ['/repo/src/a'] }, 'ask', [
    'cat x*/q',
    'touch a/*/b',
  ])
})

test('what the parser can not go into is a problem, not nothing', async () => {
  const unbash = await import('unbash')
  const reader = new WordReader(
    () => false,
    () => undefined,
  )
  const collector = new CommandCollector('x', unbash, reader, () => false)
  // What the parser hands out below its own limits; ours come first, so it takes a hand-made one.
  collector.visit({ type: 'CommandExpansion', pos: 0, end: 1, text: '$(x)', script: undefined } as SyntaxNode, 'x')
  assert.deepEqual(collector.result().problems, ['a substitution in it could not be read'])
})

test('a disk that tells less is no reason to allow more', async () => {
  const { lstat, readLink } = createFakePathFiles(['/repo/src/a.ts'])
  const refuses = async (path: string) => {
    if (path.includes('.git')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    return lstat(path)
  }
  const permissions = createTestPermissions({ files: { lstat: refuses, readLink } })
  assert.deepEqual(await decisionsOnBash(permissions, ['cat src/*', 'git status', 'cat .git/x']), {
    'cat src/*': 'allow',
    'git status': 'allow',
    'cat .git/x': 'ask',
  })
  assert.equal(expandBraces('{a,b'), undefined)
})

test('limits', async () => {
  for (const command of [
    `cat ${'<<A '.repeat(70)}`,
    'f() '.repeat(2_400),
    `echo ${'"a"'.repeat(600)}$x`,
    `ls ${'a '.repeat(2_100)}`,
    `a=(${'b '.repeat(2_100)})`,
    `for i in ${'a '.repeat(2_100)}; do ls; done`,
    'ls;'.repeat(600),
    `echo ${'$(ls) '.repeat(600)}`,
    `echo ${'{a,'.repeat(20)}b${'}'.repeat(20)}`,
    `x ${'a;'.repeat(5_000)}`,
    `echo ${'$x '.repeat(4_000)}`,
  ])
    assert.equal(await decisionOnBash(createTestPermissions(), command), 'ask', command.slice(0, 30))
})
