/** Everyday lines that only look run without a question, and what looks like them but does more does not. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { all, CANARY, Ground } from './ground.js'

const grounds: Ground[] = []
after(() => {
  for (const one of grounds) one.remove()
})
function made(files: Record<string, string> = {}): Ground {
  const usual = { 'src/a.js': 'foo\n', 'src/b.js': 'bar\n', 'package.json': '{}\n', f: 'hello world\n' }
  const ground = new Ground({ ...usual, ...files })
  grounds.push(ground)
  ground.run('git init -q --template= . && git add -A')
  return ground
}

test('everyday lines', async () => {
  const lines = [
    ...['for f in src/*.js; do echo $f; wc -l $f; done', 'for f in src/*.js package.json; do head -1 $f; done'],
    ...['ls | xargs -n1 echo', 'grep foo $(git ls-files "*.js")', 'cat $(find . -name package.json -maxdepth 1)'],
    ...['wc -l $(find src -type f | head -5)', 'xxd f | head', 'xxd -l 16 -g1 f', 'strings f', 'strings -n 8 f | head'],
    ...[
      'bc <<< 1+1',
      'echo "2^10" | bc -l',
      'tar -tzf x.tgz',
      'tar tvf x.tar',
      'tar --list --file=x.tar',
      'unzip -l x.zip',
    ],
    ...[
      'zcat f.gz | head',
      'xzcat f.xz',
      'ls /tmp',
      'ls -la /usr/bin',
      'cat /etc/os-release',
      'grep -c processor /proc/cpuinfo',
    ],
    ...['python --version', 'go version', 'cargo --version', 'rustc -V'],
  ]
  const ground = made()
  assert.deepEqual(await ground.judge(lines), all(lines, 'allow'))
})

test('names that a loop or a substitution gives stay what they were looked at as', async () => {
  const line = 'for f in src/*.js; do wc -l $f; done'
  const listed = ['grep -h . $(git ls-files)', 'grep -h . $(find src)']
  for (const name of ['src/x y.js', 'src/a*.js', 'src/q"x.js']) {
    const ground = made({ [name]: 'x\n' })
    assert.deepEqual(await ground.judge([line, ...listed]), all([line, ...listed], 'ask'), name)
  }
  const spaced = made({ 'src/x ../outside/secret': 'x\n' })
  assert.equal(spaced.run('cat $(git ls-files)').leaks, true)
  const linked = made({ 'src/out.js': '->../../outside/secret' })
  assert.deepEqual(await linked.judge([line, ...listed]), all([line, ...listed], 'ask'))
  assert.equal(linked.run('for f in src/*.js; do cat $f; done').leaks, true)
  const dashed = made({ '-rf.js': 'x\n' })
  const bare = 'for f in *.js; do cat $f; done'
  assert.deepEqual(await dashed.judge([bare]), all([bare], 'ask'))
  const ground = made()
  const others = [
    ...[
      'cat $(cat list)',
      'cat $(echo /etc/passwd)',
      'cat $(find / -name passwd)',
      'cat "$(find src)"',
      'cat x$(find src)',
    ],
    ...[
      'cat $(find src; echo /etc/passwd)',
      'rm $(git ls-files)',
      'cat $(find src -print0)',
      'for f in src/*; do $f; done',
    ],
    ...['for f in src/* /etc/passwd; do cat $f; done', 'for f in src/*; do f=/etc/passwd; cat $f; done'],
    ...[
      'for f in ~/*; do cat $f; done',
      'for f in src/*.js; do rm $f; done',
      'ls | xargs -n1 cat',
      'ls | xargs -n1 rm',
    ],
  ]
  assert.deepEqual(await ground.judge(others), all(others, 'ask'))
})

test('forms of the same programs that write, run, or read elsewhere', async () => {
  const ground = made({
    opts: '-n 1\n../outside/secret\n',
    'deep.gz': '->../outside/secret',
    'd.zip': '->../outside/secret',
  })
  const lines = [
    ...['xxd f out', 'xxd -r f out', 'xxd *', 'xxd -c f out', 'strings @opts', 'strings $x', 'strings -T x f'],
    ...['tar -xzf x.tgz', 'tar -tf host:x.tar', 'tar -tf x --to-command=id', 'tar -t -I ./run f', 'tar -tf x -F ./run'],
    ...[
      'tar --list --use-compress-program=./run -f x',
      'tar -tf - ',
      'tar -t',
      'tar -tTf list x',
      'tar -tf ../outside/x.tar',
    ],
    ...[
      'unzip x.zip',
      'unzip -l "*.zip"',
      'unzip -lo x.zip',
      'unzip -p x.zip',
      'unzip -l ../outside/x.zip',
      'unzip -l d',
    ],
    ...['zcat deep', 'zcat --suffix=x f', 'zcat $x', 'zcat', 'bc ../outside/secret', 'bc -i $x'],
    ...[
      'ls -R /tmp',
      'ls /tmp/*',
      'ls /',
      'ls /root',
      'ls /etc',
      'find /tmp',
      'cat /etc/passwd',
      'cat /etc/../etc/shadow',
      'cd /tmp',
    ],
    ...['cat /proc/self/environ', 'ls /tmp ~', 'touch /tmp', 'go env', 'cargo build', 'go version x', 'python -c 1'],
  ]
  assert.deepEqual(await ground.judge(lines), all(lines, 'ask'))
  assert.equal(ground.run('strings @opts').leaks, true)
  writeFileSync(join(ground.outside, 'x'), `${CANARY}\n`)
  ground.run('cd ../outside && gzip -k x && mv x.gz y.gz && rm x; cd - ; ln -s ../outside/y.gz via.gz')
  assert.deepEqual(await ground.judge(['zcat via']), all(['zcat via'], 'ask'))
  assert.equal(ground.run('zcat via').leaks, true)
})

test('deny rules come first', async () => {
  const ground = made()
  const lines = ['cat /etc/os-release', 'ls /tmp', 'tar -tzf x.tgz', 'zcat f.gz']
  const deny = ['Read(//etc/**)', 'Read(//tmp/**)', 'Read(//tmp)', 'Read(./x.tgz)', 'Read(./f.gz)']
  for (const [line, answer] of Object.entries(await ground.judge(lines, { deny })))
    assert.notEqual(answer, 'allow', line)
})

test('programs that a compression needs may be planted', async () => {
  for (const line of ['zcat f.gz', 'tar -tzf x.tgz']) {
    const ground = made({ 'node_modules/.bin/gzip': '#!/bin/sh\necho pwned > pwned\n' })
    const path = `${ground.at('node_modules/.bin')}:${process.env['PATH']}`
    assert.deepEqual(await ground.judge([line], { searchPath: () => path }), all([line], 'ask'))
    ground.run('echo x | gzip > f.gz; tar -cf x.tar f; gzip -c x.tar > x.tgz')
    ground.run(line, { PATH: path })
    assert.equal(ground.has('pwned'), true, line)
  }
})

test('a version is asked for where no file of the project names it', async () => {
  for (const [file, line] of [
    ['go.mod', 'go version'],
    ['go.work', 'go version'],
    ['rust-toolchain', 'cargo --version'],
    ['rust-toolchain.toml', 'rustc --version'],
    ['.cargo/config.toml', 'cargo --version'],
  ] as const) {
    const ground = made({ [file]: 'x\n', 'src/x/y': '' })
    const below = `cd src/x && ${line}`
    assert.deepEqual(await ground.judge([line, below]), all([line, below], 'ask'), file)
  }
  const ground = made({ 'x/rust-toolchain.toml': '' })
  const makes = [
    'cp x/rust-toolchain.toml . && cargo --version',
    'echo x > rust-toolchain && cargo --version',
    'sleep 5; cargo --version',
  ]
  assert.deepEqual(await ground.judge(makes, { mode: 'acceptEdits' }), all(makes, 'ask'))
})

test('a shim runs what the user chose where the project has no file for it', async () => {
  const ground = made()
  for (const folder of ['.pyenv/shims', '.asdf/shims']) {
    mkdirSync(join(ground.home, folder), { recursive: true })
    writeFileSync(join(ground.home, folder, 'python'), '')
  }
  const line = 'python --version'
  const judged = async (folder: string) =>
    (await ground.judge([line], { searchPath: () => `${join(ground.home, folder)}:/usr/bin` }))[line]
  assert.equal(await judged('.pyenv/shims'), 'allow')
  assert.equal(await judged('.asdf/shims'), 'ask')
  ground.put('.python-version', '3.12\n')
  assert.equal(await judged('.pyenv/shims'), 'ask')
})
