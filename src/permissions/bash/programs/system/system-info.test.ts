import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import fc from 'fast-check'
import { byTier } from '../../../../../test/support/tier.js'
import { fileWordsOfReadOnlyCommand, isHarmlessInformationQuery, isVersionQuery } from '../../questions/read-only.js'
import { createLiteralWord } from '../../syntax/shell-words.js'

const words = (text: string) => text.split(' ').map((value) => createLiteralWord(value))

test('what tells about the machine', () => {
  for (const text of [
    ...['ps', 'ps aux', 'ps auxf', 'ps axww', 'ps -ef', 'ps -aux', 'ps -e', 'ps -p 12', 'ps -o pid,comm -p 1,2'],
    ...['ps -eo pid,ppid,cmd --sort=-%cpu', 'ps axo pid,args', 'ps -C node -o pid=', 'ps aux --sort=-rss', 'ps -efww'],
    ...['hostname', 'hostname -s', 'getconf PAGESIZE', 'getconf -a', 'locale', 'locale -a', 'tput cols'],
    ...['printenv HOME', 'printenv NODE_ENV CI', 'df -h', 'df -hT /', 'free -m', 'lscpu', 'uname -a', 'id -u'],
  ])
    assert.deepEqual(fileWordsOfReadOnlyCommand(words(text)), [], text)
})

test('what shows an environment, sets something or runs something', () => {
  for (const text of [
    ...[
      'ps e',
      'ps auxe',
      'ps eww',
      'ps aux e',
      'ps -E',
      'ps -eLT',
      'ps -e e',
      'ps -ef aux',
      'ps -o environ',
      'ps -u x',
    ],
    ...['ps axo pid,environ', 'ps -o', 'ps -p x', 'ps -C -e', 'ps --sort=x', 'ps -o pid,comm,e', 'ps -ef -o x'],
    ...['hostname evil', 'hostname -F f', 'hostname -f', 'getconf -v x y', 'getconf', 'tput reset', 'tput -S'],
    ...['printenv', 'printenv TOKEN', 'printenv HOME API_KEY', 'env', 'locale -x=1', 'free x', 'df --sync'],
  ])
    assert.equal(fileWordsOfReadOnlyCommand(words(text)), undefined, text)
  assert.equal(
    isHarmlessInformationQuery([createLiteralWord('ps'), { ...createLiteralWord('$x'), dynamic: true }]),
    false,
  )
  assert.equal(isHarmlessInformationQuery(words('cat x')), undefined)
})

test('ps shows no environment for what is taken for harmless', { skip: process.platform !== 'linux' }, async (t) => {
  const child = spawn(process.execPath, ['-e', 'console.log(1);setInterval(() => {}, 1e6)'], {
    env: { PS_CANARY: 'canary-in-the-environment' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => child.kill())
  await once(child.stdout, 'data')
  const shown = (args: readonly string[]) => spawnSync('ps', args, { encoding: 'utf8' }).stdout ?? ''
  assert.match(shown(['auxeww']), /canary-in-the-environment/, 'it can be seen')
  const word = fc.constantFrom(
    ...[
      'aux',
      'axww',
      'e',
      'eww',
      '-e',
      '-ef',
      '-eF',
      '-ejH',
      '-eLT',
      '-efww',
      '-A',
      '-a',
      '-f',
      '-l',
      '-j',
      '-w',
      '-ww',
    ],
    ...[
      '-aux',
      '-af',
      '-o',
      'pid,args',
      'args',
      'cmd',
      '-p',
      `${child.pid}`,
      '--forest',
      '--sort=-rss',
      '-C',
      'node',
      '-d',
    ],
    ...['axo', 'o', 'p', '-q', '--headers', '--cols=500', '-eo', '-T', '-L', '-u', 'f', 'l', 'j', 'u'],
  )
  let ran = 0
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (args) => {
      if (!isHarmlessInformationQuery([createLiteralWord('ps'), ...args.map((arg) => createLiteralWord(arg))])) return
      ran += 1
      assert.doesNotMatch(shown([...args]), /canary-in-the-environment/, args.join(' '))
    }),
    { numRuns: byTier({ quick: 150, all: 600, long: 20_000 }) },
  )
  assert.ok(ran > 20, `only ${ran} were tried`)
})

test('one word that asks for the version, and only that', () => {
  for (const text of [
    ...['node --version', 'node -v', 'npm -v', 'tsc --version', 'tsc -v', 'python3 -V', 'java -version', 'ssh -V'],
    ...['docker --version', 'gcc --version', 'perl -v', 'make -v', 'helm version', 'kubectl version --client'],
  ])
    assert.equal(isVersionQuery(words(text)), true, text)
  for (const text of [
    ...[
      'node',
      'node x.js',
      'node -v x.js',
      'python -v',
      'python3 -v',
      'jq -v',
      'ssh -v',
      'java -v',
      'kubectl version',
    ],
    // What these run is told by a file of the project.
    ...['yarn --version', 'pnpm -v', 'go env', 'cargo build', 'rustc x.rs', 'dotnet --version', 'mvn -v'],
    ...['npx tsc --version', './node --version', 'gradle --version', 'poetry --version', 'terraform version'],
  ])
    assert.equal(isVersionQuery(words(text)), false, text)
  assert.equal(isVersionQuery([createLiteralWord('node'), { ...createLiteralWord('-*'), glob: true }]), false)
  assert.equal(isVersionQuery([createLiteralWord('node'), { ...createLiteralWord('--version'), dynamic: true }]), false)
})

test('a second file of uniq is written to, and a glob may be two', () => {
  assert.equal(
    fileWordsOfReadOnlyCommand([
      createLiteralWord('uniq'),
      { ...createLiteralWord('src/*'), glob: true, head: 'src/' },
    ]),
    undefined,
  )
  assert.equal(fileWordsOfReadOnlyCommand(words('uniq -c a'))?.length, 1)
})
