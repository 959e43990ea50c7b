/** Names that can't be looked at as the shell will open them, and names that are put together from two words. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { all, CANARY, Ground } from './ground.js'

const grounds: Ground[] = []
after(() => {
  for (const one of grounds) one.remove()
})
function made(files: Record<string, string> = {}): Ground {
  const ground = new Ground(files)
  grounds.push(ground)
  return ground
}

/** The path with the byte FF, which is not text, for each `ÿ`. */
function bytes(ground: Ground, path: string): Buffer {
  return Buffer.from(ground.at(path), 'latin1')
}

// A disk that takes only text for names has no such names.
const skip = process.platform !== 'linux'

test('a glob over a folder with a name that is not text is unknown', { skip }, async () => {
  const ground = made({ 'notes.txt': 'a\n', 'src/a.txt': 'a\n' })
  symlinkSync('../outside/secret', bytes(ground, 'l\xff'))
  const lines = [
    'cat l*',
    'cat *',
    'head -5 ?*',
    'grep -h c *',
    'cat ./*',
    'cat [l]*',
    'for f in l*; do cat "$f"; done',
  ]
  assert.deepEqual(await ground.judge(lines), all(lines, 'ask'))
  for (const line of lines) assert.equal(ground.run(line).leaks, true, line)
  // Elsewhere, and without a glob, everything is as usual.
  const known = ['cat notes.txt', 'cat src/*', 'ls']
  assert.deepEqual(await ground.judge(known), all(known, 'allow'))
  // In no mode is that more than a name that is not known.
  assert.deepEqual(await ground.judge(['cat *'], { mode: 'bypassPermissions' }), { 'cat *': 'allow' })
})

test('a link that leads to such a name leads nobody knows where', { skip }, async () => {
  const ground = made()
  symlinkSync('../outside/secret', bytes(ground, 'm\xff'))
  symlinkSync(Buffer.from('m\xff', 'latin1'), ground.at('plain'))
  symlinkSync('../outside', bytes(ground, 'dm\xff'))
  symlinkSync(Buffer.from('dm\xff', 'latin1'), ground.at('folder'))
  const lines = ['cat plain', 'cat folder/secret', 'head < plain', 'ls folder/']
  assert.deepEqual(await ground.judge(lines), all(lines, 'ask'))
  assert.equal(ground.run('cat plain').leaks, true)
  const edits = ['touch folder/x', 'cp plain y', 'echo x > folder/y']
  assert.deepEqual(await ground.judge(edits, { mode: 'acceptEdits' }), all(edits, 'ask'))
})

test('escapes for bytes make a path unknown', { skip }, async () => {
  const ground = made()
  mkdirSync(bytes(ground, 'real\xff'))
  symlinkSync('../outside', bytes(ground, 'dl\xff'))
  const lines = [
    "touch $'dl\\xff/x'",
    "touch $'dl\\377/x'",
    "cd $'dl\\xff' && touch x",
    "echo x > $'dl\\xff/y'",
    "mkdir dl$'\\xff'/z",
    "touch $'d\\x{6c}\\xff/x'",
    "touch 'dl\uFFFD/x'",
    "touch 'dl\uD800/x'",
  ]
  assert.deepEqual(await ground.judge(lines, { mode: 'acceptEdits' }), all(lines, 'ask'))
  ground.run(lines[0] ?? '')
  assert.equal(readFileSync(join(ground.outside, 'x'), 'utf8'), '')
  const plain = ["touch $'a\\tb'", "touch 'a b'", "touch $'x'"]
  assert.deepEqual(await ground.judge(plain, { mode: 'acceptEdits' }), all(plain, 'allow'))
})

test('folders with such names are not moved or searched unseen', { skip }, async () => {
  const ground = made({ 'pack/a.txt': 'a\n' })
  mkdirSync(bytes(ground, 'pack/d\xff'))
  writeFileSync(Buffer.concat([bytes(ground, 'pack/d\xff'), Buffer.from('/.mcp.json')]), '{}')
  const lines = ['mv pack/* .', 'cp -r pack other', 'mv pack other']
  assert.deepEqual(await ground.judge(lines, { mode: 'acceptEdits' }), all(lines, 'ask'))
  const search = 'grep -r x pack'
  const denied = await ground.judge([search], { deny: ['Read(**/.mcp.json)'] })
  assert.notEqual(denied[search], 'allow')
})

test('one sign of a pattern may be any part of a name that is not ASCII', async () => {
  // One character that is two for JavaScript, and one that is two bytes.
  for (const [name, line, env] of [
    ['😀', 'cat ?', {}],
    ['é', 'cat ??', { LC_ALL: 'C' }],
    ['é', 'cat ./[^a]?', { LC_ALL: 'C' }],
  ] as const) {
    const ground = made()
    symlinkSync('../outside/secret', ground.at(name))
    assert.deepEqual(await ground.judge([line]), all([line], 'ask'))
    assert.equal(ground.run(line, env).leaks, true)
  }
})

test('a name put together from two words belongs to neither', async () => {
  const ground = made({ 'a/x': 'changed\n', b1: 'changed\n', 'b2/b1': '->../../home/.bashrc' })
  ground.put('c1/x', '->../../home/.bashrc')
  const lines = ['cp a/* c*/', 'cp a/x b*', 'cp -t c* a/x', 'cp a/x b1 b?']
  assert.deepEqual(await ground.judge(lines, { mode: 'acceptEdits' }), all(lines, 'ask'))
  const ruled = await ground.judge(lines, { mode: 'acceptEdits', allow: ['Bash(cp:*)'] })
  assert.deepEqual(ruled, all(lines, 'ask'))
  for (const line of lines) {
    writeFileSync(join(ground.home, '.bashrc'), CANARY)
    ground.run(line)
    assert.equal(readFileSync(join(ground.home, '.bashrc'), 'utf8'), 'changed\n', line)
  }
  const known = ['cp a/* d', 'cp a/x d', 'mv a/* .']
  assert.deepEqual(await ground.judge(known, { mode: 'acceptEdits' }), all(known, 'allow'))
})
