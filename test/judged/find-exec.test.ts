/** Which words `find` runs as a command: it ends where find says it does, not where it looks like it. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { all, Ground } from './ground.js'

const ground = new Ground({ 'a.txt': 'a\n', ';': '', 'src/b.txt': 'b\n' })
after(() => ground.remove())

test('a `+` that does not stand right behind `{}` is a word of the command', async () => {
  // For sed `-inum` means "edit in place", and what follows is the file.
  const lines = [
    'find . -maxdepth 0 -exec sed s/a/b/ + -inum ~/.bashrc -inum \\;',
    'find a.txt -exec sed s/a/b/ {} x + -inum ~/.bashrc -inum \\;',
    "find . -maxdepth 0 -exec sed s/a/b/ '+' -uid ~/.bashrc -uid ';'",
    'find . -exec echo {} + -maxdepth 0 -exec sed s/a/b/ + -inum ~/.bashrc -inum \\;',
    'timeout 5 find . -maxdepth 0 -exec sed s/a/b/ + -inum ~/.bashrc -inum \\;',
  ]
  assert.deepEqual(await ground.judge(lines), all(lines, 'ask'))
  for (const line of lines) {
    writeFileSync(join(ground.home, '.bashrc'), 'a\n')
    ground.run(line)
    assert.notEqual(readFileSync(join(ground.home, '.bashrc'), 'utf8'), 'a\n', line)
  }
})

test('a word that turns out to be a `;` ends the command, too', async () => {
  const lines = [
    `x=';'; find . -maxdepth 0 -exec echo "$x" -exec touch pwned \\;`,
    'find . -maxdepth 0 -exec echo ? -exec touch pwned \\;',
    "for x in ';'; do find . -maxdepth 0 -exec echo $x -exec touch pwned \\; ; done",
  ]
  assert.deepEqual(await ground.judge(lines), all(lines, 'ask'))
  for (const line of lines) {
    ground.run(`rm -f pwned; ${line}`)
    assert.equal(ground.has('pwned'), true, line)
  }
})

test('a deny rule sees the command with either end', async () => {
  const lines = [
    'find . -exec rm + -name x \\;',
    'find . -exec echo {} + -exec rm {} \\;',
    'find . -exec echo x + -exec rm {} \\;',
  ]
  assert.deepEqual(await ground.judge(lines, { deny: ['Bash(rm:*)'], allow: ['Bash'] }), all(lines, 'deny'))
  const file = 'find . -maxdepth 0 -exec cat + ../outside/secret \\;'
  const denied = await ground.judge([file], { deny: [`Read(/${ground.outside}/**)`], allow: ['Bash'] })
  assert.equal(denied[file], 'deny')
})

test('what ends as usual is allowed as before', async () => {
  const lines = [
    'find . -name "*.txt" -exec cat {} +',
    'find . -type f -exec grep -l a {} \\;',
    'find . -type f -exec grep -n a {} \\; -exec echo {} +',
    "find src -name '*.txt' -exec head -1 {} ';'",
  ]
  assert.deepEqual(await ground.judge(lines), all(lines, 'allow'))
})
