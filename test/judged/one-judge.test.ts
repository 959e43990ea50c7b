/** A command gets the same looks wherever it stands: at programs that a project planted, and at files that give it orders. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { all, Ground } from './ground.js'

const EVIL = '#!/bin/sh\necho pwned > pwned\n'
const grounds: Ground[] = []
after(() => {
  for (const one of grounds) one.remove()
})
function made(files: Record<string, string>): Ground {
  const ground = new Ground({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', ...files })
  grounds.push(ground)
  return ground
}

/** A project with programs of these names in a folder of PATH. */
function planting(...names: string[]): { ground: Ground; path: string } {
  const ground = made(Object.fromEntries(names.map((name) => [`node_modules/.bin/${name}`, EVIL])))
  return { ground, path: `${ground.at('node_modules/.bin')}:${process.env['PATH']}` }
}

test('a wrapper that the project planted asks, whatever it wraps', async () => {
  const { ground, path } = planting('timeout', 'nice', 'xargs', 'find', 'nohup', 'stdbuf')
  const lines = [
    'timeout 5 ls',
    'nice ls',
    'nice -n 5 cat a.txt',
    'nohup ls',
    'stdbuf -oL cat a.txt',
    'ls | xargs cat',
    'ls src | xargs',
    'cat a.txt | xargs echo',
    'find . -name a.txt',
    'find . -name a.txt -exec cat {} +',
    'for f in src a.txt; do timeout 5 stat "$f"; done',
    'echo "$(timeout 5 ls)"',
    'grep -rl a src | xargs -n 1 cat',
  ]
  const searchPath = () => path
  assert.deepEqual(await ground.judge(lines, { searchPath }), all(lines, 'ask'))
  for (const line of lines) {
    ground.run(`rm -f pwned; ${line}`, { PATH: path })
    assert.equal(ground.has('pwned'), true, line)
  }
  // Where the project has none of them, they are those of the system.
  const free = made({ 'node_modules/.bin/tsc': EVIL })
  const known = () => `${free.at('node_modules/.bin')}:/usr/bin:/bin`
  const looking = lines.filter((line) => !line.startsWith('nohup'))
  assert.deepEqual(await free.judge(looking, { searchPath: known }), {
    ...all(looking, 'allow'),
    'cat a.txt | xargs echo': 'ask',
  })
})

test('neither a rule for what is wrapped nor the mode covers a planted wrapper', async () => {
  const { ground, path } = planting('timeout', 'xargs')
  const options = { searchPath: () => path, allow: ['Bash(npm test:*)', 'Bash(mine *)'] }
  const ruled = ['timeout 5 npm test', 'echo x | xargs mine']
  assert.deepEqual(await ground.judge(ruled, options), all(ruled, 'ask'))
  const edits = ['timeout 5 touch x', 'timeout 5 mkdir -p y']
  assert.deepEqual(await ground.judge(edits, { ...options, mode: 'acceptEdits' }), all(edits, 'ask'))
  // The program that a rule names is the user's choice, and so is a wrapper that an exact rule names.
  const chosen = ['npm test', 'timeout 9 npm test']
  const named = { ...options, allow: [...options.allow, 'Bash(timeout 9 npm test)'] }
  assert.deepEqual(await ground.judge(chosen, named), all(chosen, 'allow'))
})

test('a script needs other programs, which may be planted, too', async () => {
  const grep = planting('grep')
  const line = 'egrep a a.txt'
  assert.deepEqual(await grep.ground.judge([line], { searchPath: () => grep.path }), all([line], 'ask'))
  const sed = planting('sed')
  sed.ground.run('git init -q .; git add .')
  const lines = ['git bisect log', 'git submodule status']
  assert.deepEqual(await sed.ground.judge(lines, { searchPath: () => sed.path, trusted: true }), all(lines, 'ask'))
})

test('npm reads the orders of a project wherever it stands', async () => {
  const ground = made({ '.npmrc': 'logs-dir=../outside/logs\n', 'package.json': '{}' })
  const lines = [
    'npm ls',
    'find . -maxdepth 0 -exec npm ls \\;',
    'timeout 60 npm ls',
    'for i in a b; do npm ls; done',
    'ls src | xargs npm ls',
    'echo "$(npm ls)"',
    'find src -name "*.txt" | while read -r f; do npm ls "$f"; done',
  ]
  assert.deepEqual(await ground.judge(lines), all(lines, 'ask'))
})

test('an exact rule does not cover the words that xargs reads', async () => {
  const ground = made({ 'package.json': '{"scripts":{"test":"true"}}', 'run.sh': EVIL })
  const lines = [
    'echo --script-shell=./run.sh | xargs npm test',
    'echo x | timeout 60 xargs npm test',
    'cat a.txt | xargs make build',
    'cat a.txt | xargs deploy now --dry-run',
  ]
  const allow = ['Bash(npm test)', 'Bash(make build)', 'Bash(deploy * --dry-run)']
  assert.deepEqual(await ground.judge(lines, { allow }), all(lines, 'ask'))
  ground.run('echo --script-shell=./run.sh | xargs npm test')
  assert.equal(ground.has('pwned'), true)
  const covered = ['npm test', 'echo x | xargs deploy', 'deploy now --dry-run']
  const open = { allow: [...allow, 'Bash(deploy *)'] }
  assert.deepEqual(await ground.judge(covered, open), all(covered, 'allow'))
})
