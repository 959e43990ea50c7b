// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
/** What a command line does to the shell itself: its variables, its folder, its globs. After that nothing rests on what was before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import {
  bashCall,
  createTestPermissions,
  decisionOnBash,
  decisionsOnBash,
  sameDecisionForEach,
} from '../test-engine.js'

const deep = { present: ['/repo/a/b/c', '/repo/.env', '/repo/0'], links: { '/repo/a/b/up': '/repo' } }

async function deepDown(mode: 'default' | 'dontAsk' | 'acceptEdits' | 'plan', command: string, cwd = '/repo/a/b/c') {
  return (await createTestPermissions({ ...deep, mode }).decide(...bashCall(command, cwd))).behavior
}

test('printf prints; a directive that sets a variable is not printing', async () => {
  const printing = [
    "printf '%s\\n' a b",
    "printf '%5.2f %-10s %%\\n' 1 x",
    "printf '%*d' 5 1",
    "printf '%q %b' a b",
    'printf "a\\tb"',
    "printf '%x %o %c %e %g %i %u\\n' 1 2 3 4 5 6 7",
  ]
  const setting = [
    "printf '%n' PATH",
    "printf 'abc%n' PATH; ls",
    "printf '%5n' PATH",
    "printf '%*n' 3 PATH",
    "printf '%ln' PATH",
    'printf -v PATH %s x; ls',
    "printf '%(%F)T' -1",
    "printf '%'",
    'printf $format PATH',
  ]
  assert.deepEqual(await decisionsOnBash(createTestPermissions(), [...printing, ...setting]), {
    ...sameDecisionForEach(printing, 'allow'),
    ...sameDecisionForEach(setting, 'ask'),
  })
})

test('a rule for a builtin is no rule for what it sets', async () => {
  const permissions = createTestPermissions({
    allow: ['Bash(printf:*)', 'Bash(wait:*)', 'Bash(read:*)', 'Bash(let:*)'],
  })
  for (const command of [
    "printf '%s%n' a PATH; head -1 a",
    'printf -v PATH .; ls',
    'printf "$format" PATH; ls',
    'wait -p PATH; ls',
    'wait -np PATH; ls',
    'read PATH; ls',
    'let PATH=0; ls',
  ])
    assert.equal(await decisionOnBash(permissions, command), 'ask', command)
  for (const command of ["printf '%s' $TOKEN", 'wait', 'wait $!', "printf '%d\\n' 1; ls"])
    assert.equal(await decisionOnBash(permissions, command), command.includes('$!') ? 'ask' : 'allow', command)
})

test('no format with an n behind a percent sign is let through, however it is written', async () => {
  const permissions = createTestPermissions()
  const part = fc.constantFrom('%', '%%', 'n', 's', 'd', '-', '0', '5', '.', '*', 'l', 'h', ' ', 'a', "'", '#')
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
      const format = parts.join('').replaceAll("'", '')
      // As bash reads it: a percent sign, flags, width, precision, length, and the letter that says what to do.
      const directives = [...format.matchAll(/%(%|[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?[hlLqjzt]*(.)?)/g)]
      const sets = directives.some(([, , letter]) => letter === 'n')
      if (sets) assert.equal(await decisionOnBash(permissions, `printf '${format}' PATH; ls`), 'ask', format)
    }),
    { numRuns: byTier({ quick: 75, all: 300 }) },
  )
})

test('a variable that programs or the shell take orders from is set by nobody unasked', async () => {
  const names = ['PATH', 'CDPATH', 'IFS', 'GLOBIGNORE', 'BASH_ENV', 'ENV', 'HOME', 'PWD', 'OLDPWD', 'LD_PRELOAD']
  const others = ['GIT_DIR', 'npm_config_prefix', 'https_proxy', 'PS4', 'SHELLOPTS', 'GREP_OPTIONS']
  const ways = [
    (name: string) => `echo \${${name}:=x}; ls`,
    (name: string) => `: \${${name}=x}; ls`,
    (name: string) => `for ${name} in x; do ls; done`,
    (name: string) => `select ${name} in x; do ls; done`,
    (name: string) => `read -r ${name}; ls`,
    (name: string) => `read a ${name} < a; ls`,
    (name: string) => `mapfile ${name} < a; ls`,
    (name: string) => `getopts ab ${name}; ls`,
    (name: string) => `let ${name}=1; ls`,
    (name: string) => `((${name}=1)); ls`,
    (name: string) => `echo $((${name}=1)); ls`,
    (name: string) => `declare ${name}=x; ls`,
    (name: string) => `export ${name}=x; ls`,
    (name: string) => `${name}=x; ls`,
    (name: string) => `${name}=x ls`,
    (name: string) => `printf -v ${name} x; ls`,
    (name: string) => `ls {${name}}<a; ls`,
    (name: string) => `unset ${name}; ls`,
    (name: string) => `wait -p ${name}; ls`,
  ]
  const commands = [...names, ...others].flatMap((name) => ways.map((way) => way(name)))
  for (const mode of ['default', 'plan', 'acceptEdits'] as const) {
    const answers = await decisionsOnBash(createTestPermissions({ mode, present: ['/repo/a'] }), commands)
    assert.deepEqual(answers, sameDecisionForEach(commands, 'ask'))
  }
})

test('a loop variable of its own hurts nobody', async () => {
  const commands = [
    'for f in a b; do cat "$f"; done',
    'for i in 1 2 3; do echo $i; done',
    'name=y; echo ${name:=x}',
    'while read -r line; do echo "$line"; done < a',
    'count=3; echo $count',
  ]
  assert.deepEqual(
    await decisionsOnBash(createTestPermissions({ present: ['/repo/a', '/repo/b'] }), commands),
    sameDecisionForEach(commands, 'allow'),
  )
})

test('after a change of folder in a loop or a function nobody knows where the shell is', async () => {
  const lost = [
    'for i in 1 2 3 4; do cd ..; done; cat etc/passwd',
    'for i in 1 2 3 4; do cd ..; cat etc/passwd; done',
    'while true; do cd ..; cat x; done',
    'until false; do cd ..; cat x; done',
    'while cat x; do cd ..; done',
    'for ((;;)); do cd ..; cat x; done',
    'go() { cd ..; }; go; go; cat x',
    'for i in 1 2; do (cd ..; cat x); done',
    'for d in .. ..; do cd $d; done; cat x',
    'for i in 1 2; do pushd ..; done; cat x',
    'for i in 1 2 3; do git -C .. status; done',
  ]
  for (const mode of ['default', 'plan', 'acceptEdits'] as const)
    for (const command of lost) assert.equal(await deepDown(mode, command), 'ask', `${mode}: ${command}`)
  for (const command of lost) assert.equal(await deepDown('dontAsk', command), 'deny', command)
  const written = 'for i in 1 2 3 4; do cd ..; touch z; done'
  assert.equal(await deepDown('acceptEdits', written), 'ask')
})

test('a loop that goes to one folder, or none, is as before', async () => {
  for (const command of [
    'for i in 1 2; do cd /repo/a; cat x; done',
    'cd .. && for i in 1 2; do cat x; done',
    'cd .. && cat x',
    '(cd ..; cd ..; cat x)',
    'if cd ..; then cd ..; fi; cat x',
  ])
    assert.equal(await deepDown('dontAsk', command), 'allow', command)
  // One step further is outside.
  assert.equal(await deepDown('dontAsk', 'cd ..; cd ..; cd ..; cd ..; cat x'), 'deny')
})

test('links: cd goes by names, -P and programs by where they lead', async () => {
  const ask = async (command: string) => deepDown('default', command, '/repo')
  assert.equal(await ask('cd a/b/up && cat x'), 'allow')
  assert.equal(await ask('cd a/b/up && cd .. && cat x'), 'allow')
  // Where the link leads is the top: above it is outside.
  assert.equal(await ask('cd a/b/up && cat ../x'), 'ask')
  assert.equal(await ask('cd -P a/b/up && cd .. && cat x'), 'ask')
  assert.equal(await ask('cd -LP a/b/up && cd .. && cat x'), 'ask')
  assert.equal(await ask('cd a/b/up && git -C .. status'), 'ask')
  assert.equal(await ask('cd a/b/up && env -C .. cat x'), 'ask')
})

test('the stack of folders is not followed', async () => {
  for (const command of ['pushd; cat x', 'pushd ..; pushd; cat x', 'pushd -n ..; cat x', 'popd; cat x', 'pushd +1; ls'])
    assert.equal(await deepDown('default', command), 'ask', command)
})

test('where globs find other names than usual, what they find is not known', async () => {
  const permissions = createTestPermissions({ ...deep, allow: ['Bash'], deny: ['Read(.env)'] })
  assert.equal(await decisionOnBash(permissions, 'cat *'), 'allow')
  for (const command of [
    'shopt -s dotglob; cat *',
    'shopt -s dotglob && cat *',
    'GLOBIGNORE=x; cat *',
    'export GLOBIGNORE=x; cat *',
    'read GLOBIGNORE; cat *',
    'bash -O dotglob -c "cat *"',
    "bash -c 'shopt -s dotglob; cat *'",
    'shopt -s nocaseglob; cat .E*',
  ])
    assert.equal(await decisionOnBash(permissions, command), 'ask', command)
})

test('a variable that may hold a secret is shown by no way round', async () => {
  const showing = [
    'x=$TOKEN; echo $x',
    'for x in $TOKEN; do echo $x; done',
    'cat <<< $TOKEN',
    'cat <<< "${TOKEN}"',
    'read -r x <<< "$TOKEN" && echo "$x"',
    'cat <<E\n$TOKEN\nE',
    'echo ${x:-$TOKEN}',
    'echo ${x:=$TOKEN}',
    'echo ${x:+$TOKEN}',
    '[[ $TOKEN == a* ]] && echo yes',
    'case $TOKEN in a*) echo yes;; esac',
    'if [ -n "$TOKEN" ]; then echo yes; fi',
    'x=${TOKEN%b*}; echo "$x"',
    'echo $github_token',
    'echo "$db_password"',
    'x=$(echo $TOKEN); echo $x',
    'grep $TOKEN a',
    'env',
    'printenv TOKEN',
    'cat /proc/self/environ',
  ]
  const harmless = ['x=abc; echo $x', 'x=$(date); echo $x', 'x=$HOME/a; echo $x', 'cat <<< "$HOME"', 'cat <<E\na\nE']
  assert.deepEqual(await decisionsOnBash(createTestPermissions({ present: ['/repo/a'] }), [...showing, ...harmless]), {
    ...sameDecisionForEach(showing, 'ask'),
    ...sameDecisionForEach(harmless, 'allow'),
  })
  // A rule for the command is another matter: there the user has said what may have it.
  assert.equal(
    await decisionOnBash(createTestPermissions({ allow: ['Bash(./deploy:*)'] }), './deploy --code $OTP_CODE'),
    'allow',
  )
})
