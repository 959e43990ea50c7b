/** While a command waits, another one that needs no question moves folders: what was judged is still what is used. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { all, Ground } from './ground.js'

const grounds: Ground[] = []
after(() => {
  for (const one of grounds) one.remove()
})
function made(files: Record<string, string>): Ground {
  const ground = new Ground(files)
  grounds.push(ground)
  return ground
}
/** In place of a time, which a busy machine does not keep. */
const until = (sign: string) => `until [ -e ${sign} ]; do sleep 0.01; done`
const EDITS = { mode: 'acceptEdits' } as const

test('no folder is moved with a link that leads out, or would from there', async () => {
  const ground = made({
    'pack/sub': '->../../outside',
    'deep/a/link': '->../../x',
    'far/l': '->/etc',
    'plain/a.txt': 'a\n',
    'bin/.bin/tsc': '->../typescript/tsc',
    'odd/x': '->y/../../../outside',
    same: '->plain',
  })
  const lines = [
    ...[
      'mv pack d',
      'cp -r pack d',
      'cp -a pack d',
      'mv pack/* .',
      'mv deep/a .',
      'mv far x',
      'cp -R odd x',
      'mv odd x',
    ],
    ...['mv deep/a/link .', 'cp -d deep/a/link y', 'cp -P deep/a/link y', 'mv same deep/'],
  ]
  assert.deepEqual(await ground.judge(lines, EDITS), all(lines, 'ask'))
  const ruled = { mode: 'default', allow: ['Bash(mv:*)', 'Bash(cp:*)'] } as const
  assert.deepEqual(await ground.judge(lines, ruled), all(lines, 'ask'))
  const usual = [
    'mv plain d',
    'cp -r plain d',
    'mv bin d',
    'cp -r bin d',
    'mv plain/a.txt b.txt',
    'cp plain/a.txt c.txt',
  ]
  assert.deepEqual(await ground.judge(usual, EDITS), all(usual, 'allow'))
})

test('so what waits stays inside, whatever is moved meanwhile', async () => {
  // Both are judged before either runs, as with a command in the background.
  const ground = made({ 'pack/sub': '->../../outside', 'd/a.txt': 'a\n' })
  const waits = 'sleep 0.3; cat d/sub/secret; touch d/sub/x'
  const swap = 'mv d old && mv pack d'
  const answers = await ground.judge([waits, swap], EDITS)
  assert.deepEqual(answers, { [waits]: 'allow', [swap]: 'ask' })
  // If that ran unasked, the other would reach what is outside.
  const reads = `${until('moved')}; cat d/sub/secret; touch d/sub/x`
  assert.equal(ground.run(`(${reads}) & ${swap}; touch moved; wait`).leaks, true)
})

test('what waits does not go through links or up, where a move may change where that leads', async () => {
  const ground = made({
    'deep/a/b/y': 'a\n',
    s: '->deep/a/b',
    loose: '->s/../../outside/secret',
    'a/b/c/x': 'a\n',
    x: 'a\n',
  })
  const link = 'sleep 0.3; cat loose'
  const up = 'cd a/b/c && sleep 0.3 && cat ../../outside/secret'
  const waiting = [
    link,
    up,
    'sleep 5; head -1 s/y',
    'until [ -e go ]; do :; done; cat s/y',
    'while ! cat go; do ls; done; cat s/y',
    'tail -f x | head -1; cat s/y',
    'sleep 5; touch s/z',
    'sleep 5; echo x > s/z',
    'sleep 5; find . -name x | xargs cat',
    '(sleep 5; cat s/y) &',
    'timeout 9 sleep 5; cat s/y',
  ]
  assert.deepEqual(await ground.judge(waiting, EDITS), all(waiting, 'ask'))
  assert.deepEqual(await ground.judge(['mine; cat s/y'], { allow: ['Bash(mine)'] }), { 'mine; cat s/y': 'ask' })
  const changes = ['rm s; mkdir s', 'mv a/b/c c']
  assert.deepEqual(await ground.judge(changes, EDITS), all(changes, 'allow'))
  // The same, waiting for signs.
  assert.equal(ground.run(`(${until('changed')}; cat loose) & ${changes[0]}; touch changed; wait`).leaks, true)
  const inside = `cd a/b/c && touch "$OLDPWD/there" && ${until('"$OLDPWD/moved"')}; cat ../../outside/secret`
  assert.equal(ground.run(`(${inside}) & ${until('there')}; mv a/b/c c; touch moved; wait`).leaks, true)
})

test('a pipe in the project is not read unasked: it waits for another command', async () => {
  const ground = made({ 'a.txt': 'a\n' })
  ground.run('mkfifo pipe')
  const lines = ['cat pipe', 'cat pipe; cat a.txt', 'head -1 < pipe', 'cp pipe x']
  assert.deepEqual(await ground.judge(lines, EDITS), all(lines, 'ask'))
})

test('plain paths may wait, and what does not wait is as before', async () => {
  const ground = made({ 'd/a.txt': 'a\n', s: '->d', 'sub/x': 'a\n' })
  const lines = [
    ...[
      'sleep 1; cat d/a.txt',
      'sleep 1 && touch d/new',
      'cat s/a.txt',
      'ls s; cat d/a.txt',
      'cd sub && cat ../d/a.txt',
    ],
    ...[
      'find d -type f | xargs cat',
      'for f in d/a.txt; do cat "$f"; done',
      'find d -type f | while read -r f; do cat "$f"; done',
    ],
    ...['cat s/a.txt; sleep 1', 'mkdir -p e && touch e/x && cat s/a.txt', 'sed -i s/a/b/ d/a.txt && cat s/a.txt'],
  ]
  assert.deepEqual(await ground.judge(lines, EDITS), all(lines, 'allow'))
  // Where no command changes files unasked, nothing is moved.
  const looks = ['sleep 1; cat s/a.txt', 'cd sub && sleep 1 && cat ../d/a.txt']
  assert.deepEqual(await ground.judge(looks), all(looks, 'allow'))
})

test('nothing is put into a folder of PATH that belongs to the project', async () => {
  const ground = made({
    'run.sh': '#!/bin/sh\necho pwned > pwned\n',
    'node_modules/.bin/tsc': '#!/bin/sh\n',
    'pack/.bin/ls': '#!/bin/sh\n',
  })
  const path = `${ground.at('node_modules/.bin')}:${process.env['PATH']}`
  const plant = 'cp run.sh node_modules/.bin/ls && ls'
  const lines = [
    plant,
    'cp run.sh node_modules/.bin/ls',
    'mv pack/.bin/ls node_modules/.bin/',
    'cp -r pack node_modules',
    'cp -rT pack node_modules',
  ]
  const options = { ...EDITS, searchPath: () => path }
  assert.deepEqual(await ground.judge(lines, options), all(lines, 'ask'))
  ground.run(plant, { PATH: path })
  assert.equal(ground.has('pwned'), true)
  const usual = ['cp run.sh other.sh', 'rm -rf node_modules', 'mkdir -p dist && touch dist/x']
  assert.deepEqual(await ground.judge(usual, options), all(usual, 'allow'))
})
