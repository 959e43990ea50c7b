import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectsNoOutput, explainExitCode } from './command-outline.js'

describe('expectsNoOutput', () => {
  const silent = [
    'mkdir q',
    'touch a b',
    'mv a b',
    'cp a b',
    'rm -r a',
    'rmdir a',
    'chmod 644 a',
    'chown root a',
    'chgrp root a',
    'ln -s a b',
    'export A=1',
    'unset A',
    'cd .',
    'wait',
    'mkdir -p a && touch a/b',
    'mkdir a; rm -r a',
    'mkdir a || true',
    'mkdir "a; echo b"',
    'mkdir a > /dev/null 2>&1',
    'cd a\nmkdir b',
    '# note\nmkdir a',
  ]
  const talking = [
    'true',
    'echo x > f',
    'mkdir a && echo hi',
    'mkdir a | cat',
    'A=1 mkdir a',
    'git init -q',
    'sudo mkdir a',
    'mkdir $(ls)',
    'mkdir "$(ls)"',
    'mkdir `ls`',
    '(mkdir a)',
    'for i in a; do mkdir $i; done',
    'cat <<E\nmkdir\nE',
    'sleep 1 & mkdir a',
    "mkdir 'a",
  ]
  for (const command of silent) it(JSON.stringify(command), () => assert.equal(expectsNoOutput(command), true))
  for (const command of talking) it(JSON.stringify(command), () => assert.equal(expectsNoOutput(command), false))
})

describe('exitMeaning', () => {
  const cases: [string, string | undefined][] = [
    ['grep x f', 'No matches found'],
    ['cat f | grep x', 'No matches found'],
    ['echo a; rg x', 'No matches found'],
    ['diff a b', 'Files differ'],
    ['test -f x', 'Condition is false'],
    ['sleep 1; [ -f x ]', 'Condition is false'],
    ['find / -name x', 'Some directories were inaccessible'],
    ['cd a && grep x f', 'No matches found'],
    ['make && grep x f', undefined],
    ['grep x f || false', undefined],
    ['grep x f; false', undefined],
    ['grep x f | head', undefined],
    ['if grep x f; then false; fi', undefined],
    ['ls', undefined],
    ['echo "a; grep x"', undefined],
  ]
  for (const [command, meaning] of cases) {
    it(JSON.stringify(command), () => assert.equal(explainExitCode(command, 1, ''), meaning))
  }
  it('belongs to exit code 1 only, and not to a cd that failed', () => {
    assert.deepEqual(
      [explainExitCode('grep x f', 2, ''), explainExitCode('cd a && grep x f', 1, 'bash: line 1: cd: a: No such file')],
      [undefined, undefined],
    )
  })
})
