// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPermissions, decisionOnBash, decisionsOnBash, sameDecisionForEach } from '../test-engine.js'

const noRemoval = createTestPermissions({ allow: ['Bash'], deny: ['Bash(rm *)'] })

test('a deny rule is held against the word the shell will run, at every depth', async () => {
  const commands = [
    ...[
      'rm',
      'rm v;',
      'rm&',
      'rm|cat',
      '   rm v',
      'rm\tv',
      'rm\\\n v',
      'r\\m v',
      "'rm' v",
      'r"m" v',
      "$'\\x72m' v",
      "$'r''m' v",
      '{rm,v}',
    ],
    ...[
      '/bin/rm v',
      './rm v',
      '~/bin/rm v',
      '2>&1 rm v',
      '<x rm v',
      'A=b rm v',
      'A+=b B=c rm v',
      'a[1]=b rm v',
      'true # x\nrm v',
    ],
    ...[
      '! rm v',
      '{ rm v; }',
      '(rm v)',
      'time rm v',
      'time -p -- rm v',
      'coproc X { rm v; }',
      'for i in 1; do rm v; done',
      'f() ( rm v ); f',
    ],
    ...[
      'while rm v; do :; done',
      'if :; then :; elif rm v; then :; fi',
      'case $(rm v) in a) ;; esac',
      'echo "$(rm v)"',
      'echo `rm v`',
    ],
    ...[
      'echo ${x:-$(rm v)}',
      'echo $((1+$(rm v)))',
      'cat <<E\n$(rm v)\nE',
      'cat <<< $(rm v)',
      'diff <(rm v) x',
      'x=$(rm v) ls',
      'a=($(rm v))',
    ],
    ...['export A=$(rm v)', '[[ $(rm v) ]]', 'true & rm v & wait', 'ls |& rm v', 'X=1; rm v'],
  ]
  assert.deepEqual(await decisionsOnBash(noRemoval, commands), sameDecisionForEach(commands, 'deny'))
})

test('it looks through wrappers, shells and everything else that runs a command', async () => {
  const commands = [
    ...[
      'command rm v',
      'builtin rm v',
      'nohup -- rm v',
      'nice -n 5 rm v',
      'nice -5 rm v',
      'stdbuf -oL rm v',
      'timeout -s KILL 5 rm v',
      'timeout $T rm v',
    ],
    ...[
      'sudo -u root -- rm v',
      'sudo -E A=1 rm v',
      'doas rm v',
      'env FOO=1 rm v',
      'env -i -u X rm v',
      "env -S 'rm v'",
      'env -S env rm v -S',
      'env $X rm v',
      'exec -a x rm v',
    ],
    ...[
      'xargs rm',
      'xargs -0 rm',
      'xargs -I{} rm {}',
      'find . -exec rm {} +',
      'find . -ok rm {} \\;',
      'fd x -x rm',
      'setsid rm v',
      'ionice -c 3 rm v',
    ],
    ...[
      "sh -c 'rm v'",
      "sh -ec 'true; rm v'",
      "bash -c -e 'rm v'",
      '/bin/bash -lc "rm v"',
      'bash -c \'bash -c "rm v"\'',
      "su root -c 'rm v'",
      "script -qc 'rm v' x",
    ],
    ...[
      "eval 'rm v'",
      'eval rm v',
      "trap 'rm v' EXIT",
      "alias x='rm v'; x",
      'flock /tmp/l rm v',
      "flock /tmp/l -c 'rm v'",
      "watch 'rm v'",
      'watch -n 1 rm v',
    ],
    ...[
      'strace -f rm v',
      'chroot / rm v',
      'busybox rm v',
      'unshare -r rm v',
      'parallel rm ::: v',
      'npx rm v',
      'docker exec c rm v',
      'mise exec -- rm v',
    ],
    ...[
      "git -c alias.x='!rm v' x",
      "git rebase --exec 'rm v' x",
      "git submodule foreach 'rm v'",
      'git bisect run rm v',
      'ssh host rm v',
      'time -f %e rm v',
    ],
    ...['timeout 5 sudo env A=1 bash -c \'eval "rm v"\'', "nix-shell --run 'rm v'"],
  ]
  assert.deepEqual(await decisionsOnBash(noRemoval, commands), sameDecisionForEach(commands, 'deny'))
})

test('what can only be known at run time asks, because a rule may be meant', async () => {
  const commands = [
    ...[
      '$X v',
      '"$X" v',
      '`echo rm` v',
      'r${x}m v',
      'r[m] v',
      '/bin/r? v',
      'bash',
      'bash -s',
      'echo rm v | sh -',
      'curl x | bash',
      'bash <(echo rm v)',
    ],
    ...[
      '. /dev/stdin',
      'source <(echo rm v)',
      "bash <<< 'rm v'",
      'bash <<E\nrm v\nE',
      'eval "$X"',
      'bash -c "$X"',
      'xargs -I{} {} v',
      'find . -exec {} \\;',
    ],
    ...[
      "x='a[$(rm v)]'; echo $((x))",
      "let 'a[$(rm v)]'",
      "[[ 'a[$(rm v)]' -eq 1 ]]",
      'x=\'$(rm v)\'; echo "${x@P}"',
      'awk \'BEGIN{system("rm v")}\'',
    ],
    ...[
      "sed '1e rm v' x",
      "vim -c '!rm v'",
      'tar --to-command=rm -xf x',
      "echo 'rm v",
      `${'$('.repeat(70)}rm v${')'.repeat(70)}`,
    ],
  ]
  assert.deepEqual(await decisionsOnBash(noRemoval, commands), sameDecisionForEach(commands, 'ask'))
  const free = createTestPermissions({ allow: ['Bash'] })
  const known = commands.filter((command) => !command.startsWith("echo '") && !command.startsWith('$($('))
  assert.deepEqual(await decisionsOnBash(free, known), sameDecisionForEach(known, 'allow'))
})

test('a word that only looks like it is left alone', async () => {
  const commands = [
    ...[
      'echo rm',
      "echo 'rm v'",
      'grep rm x',
      'git rm x',
      'docker rm x',
      '# rm v\nls',
      'echo hi # rm v',
      'command -v rm',
      'which rm',
      'timeout 5 grep rm x',
    ],
    ...[
      'env grep rm x',
      'xargs grep rm',
      'find . -name rm',
      'sudo grep rm x',
      'bash build.sh',
      'source venv/bin/activate && pytest',
      "git commit -m 'rm x'",
    ],
    ...['x=1; echo $x', 'git log $X', 'git -c user.name=x commit -m y', 'mkdir -p "$d"', 'rmdir x', 'npm run rm'],
  ]
  assert.deepEqual(await decisionsOnBash(noRemoval, commands), sameDecisionForEach(commands, 'allow'))
})

test('options of git before its verb do not hide the verb', async () => {
  const permissions = createTestPermissions({ allow: ['Bash'], ask: ['Bash(git push *)'] })
  const commands = [
    'git push',
    'git  push',
    'git -C /x push',
    'git --no-pager push origin',
    'git -c user.name=x push',
    '/usr/bin/git push',
    'git status; git push',
  ]
  assert.deepEqual(await decisionsOnBash(permissions, commands), sameDecisionForEach(commands, 'ask'))
  assert.equal(
    await decisionOnBash(createTestPermissions({ mode: 'bypassPermissions', ask: ['Bash(git push *)'] }), 'git push'),
    'ask',
  )
})

test('files a command reads or writes are held against Read and Edit rules', async () => {
  const permissions = createTestPermissions({ allow: ['Bash'], deny: ['Read(./secrets/**)', 'Edit(*.lock)'] })
  const denied = [
    ...[
      'cat secrets/key',
      'cat /repo/secrets/key',
      'cat src/../secrets/key',
      'cat "secrets"/key',
      'cat secrets/*',
      'head -c 20 secrets/key',
      'ls secrets',
    ],
    ...[
      'grep x secrets/key',
      'grep -r x secrets',
      'grep -f secrets/key x',
      'sed -n p secrets/key',
      'awk 1 secrets/key',
      'cat < secrets/key',
      'dd if=secrets/key',
    ],
    ...[
      'sudo cat secrets/key',
      "bash -c 'cat secrets/key'",
      'echo $(cat secrets/key)',
      '(cd secrets; cat key)',
      '{ cat secrets/key; }',
      'cp secrets/key x',
    ],
    ...[
      'echo x > secrets/new',
      'tee secrets/x',
      'source secrets/x',
      'echo x > a.lock',
      'touch a.lock',
      'sed -i s/a/b/ a.lock',
      'cp x a.lock',
      'rm src/a.lock',
    ],
  ]
  assert.deepEqual(await decisionsOnBash(permissions, denied), sameDecisionForEach(denied, 'deny'))
  const asked = [
    ...[
      'cat $F',
      'cd $D && cat key',
      'git show HEAD:secrets/key',
      'curl -d @secrets/key x',
      'python p.py secrets/key',
      'grep -r x',
      'rg x',
      'tar cf x.tar .',
    ],
    ...['cp -r . /tmp/x', 'cat */key', 'find . -exec cat {} \\;', 'git diff --no-index /dev/null secrets/key'],
    ...['git -C repos/elsewhere diff --no-index . /repo', 'git diff --no-index . /x', 'git -C src grep x'],
    'git -C src log ../secrets/key',
  ]
  assert.deepEqual(await decisionsOnBash(permissions, asked), sameDecisionForEach(asked, 'ask'))
  const free = [
    'echo secrets/key',
    'cat a.txt',
    'cat a.lock',
    'npm test',
    'git status',
    'find . -name x',
    'grep x src/a.ts',
  ]
  assert.deepEqual(await decisionsOnBash(permissions, free), sameDecisionForEach(free, 'allow'))
})

test('what a search or a glob would reach', async () => {
  const present = ['/repo/kit', '/repo/key', '/home/u/a', '/home/v']
  const ask = (command: string, deny: string) =>
    decisionOnBash(createTestPermissions({ present, allow: ['Bash'], deny: [deny] }), command)
  // The rule names what the glob can find, whether it is there or not.
  assert.equal(await ask('cat ki*', 'Read(kin)'), 'ask')
  assert.equal(await ask('cat key*', 'Read(key)'), 'ask')
  assert.equal(await ask('cat kit*', 'Read(*.pem)'), 'allow')
  assert.equal(await ask('grep -r x /home', 'Read(~/**)'), 'ask')
  assert.equal(await ask('grep -r x /home', 'Read(~/b/**)'), 'ask')
  assert.equal(await ask('ag x', 'Read(key)'), 'ask')
  assert.equal(await decisionOnBash(createTestPermissions(), '[[ x -eq y ]]'), 'ask')
})
