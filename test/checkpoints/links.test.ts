/** Links and other things that came in the place of a file, or on the way to it: nothing is written or removed through them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../../src/platform/files/files.js'
import { caseRandom, chooseSeed } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'
import { createStage, type Stage, treeOf } from './stage.js'

const COUNT = byTier({ quick: 8, all: 50, long: 500 })

let stage: Stage
let outside: string

beforeEach(async () => {
  stage = await createStage()
  outside = join(stage.root, 'outside')
  mkdirSync(outside)
  for (const name of ['a.txt', 'b.txt', 'new.txt']) writeFileSync(join(outside, name), `outside ${name}`)
})
afterEach(() => stage.dispose())

const OUTSIDE = {
  'a.txt': 'file 644 outside a.txt',
  'b.txt': 'file 644 outside b.txt',
  'new.txt': 'file 644 outside new.txt',
}

/** `sub` with two files that a turn changes, removes and adds to. */
async function playTurn(): Promise<void> {
  mkdirSync(stage.at('sub'))
  for (const name of ['a.txt', 'b.txt']) writeFileSync(stage.at('sub', name), `inside ${name}`)
  writeFileSync(stage.at('c.txt'), 'inside c.txt')
  await stage.begin('m0')
  await stage.call('Bash', { command: 'echo changed > sub/a.txt; rm sub/b.txt; echo changed > c.txt' })
  await stage.call('Write', { file_path: stage.at('sub/new.txt'), content: 'new' })
}

const LINK = 'it is a symbolic link'
const MOVED = 'a folder on the way to it is a symbolic link now'

describe('a rewind', () => {
  it('C38 leaves a link in the place of a file alone, with what it leads to', async () => {
    await playTurn()
    for (const name of ['a.txt', 'new.txt']) {
      rmSync(stage.at('sub', name))
      symlinkSync(join(outside, name), stage.at('sub', name))
    }
    const skipped = [stage.at('sub/a.txt'), stage.at('sub/new.txt')].map((path) => ({ path, reason: LINK }))
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true, skipped, skippedLinks: 2 })
    assert.deepEqual(treeOf(outside), OUTSIDE)
    assert.deepEqual(treeOf(stage.cwd), {
      'c.txt': 'file 644 inside c.txt',
      sub: 'folder 755',
      'sub/a.txt': `link ${join(outside, 'a.txt')}`,
      'sub/b.txt': 'file 644 inside b.txt',
      'sub/new.txt': `link ${join(outside, 'new.txt')}`,
    })
  })

  it('C38 goes through no link on the way: not to write, not to remove', async () => {
    await playTurn()
    rmSync(stage.at('sub'), { recursive: true })
    symlinkSync(outside, stage.at('sub'))
    const { skipped, ...rest } = await stage.rewind('m0')
    assert.deepEqual(skipped, [
      { path: stage.at('sub/a.txt'), reason: MOVED },
      { path: stage.at('sub/b.txt'), reason: MOVED },
    ])
    assert.deepEqual(rest, { canRewind: true, skippedLinks: 2 })
    assert.deepEqual(treeOf(outside), OUTSIDE)
    assert.equal(readFileSync(stage.at('c.txt'), 'utf8'), 'inside c.txt')
  })

  it('C38 says that it can not when nothing else is left to do', async () => {
    writeFileSync(stage.at('c.txt'), 'one')
    await stage.begin('m0')
    await stage.call('Bash', { command: 'echo two > c.txt' })
    rmSync(stage.at('c.txt'))
    mkdirSync(stage.at('c.txt'))
    writeFileSync(stage.at('c.txt', 'mine'), 'mine')
    const reason = 'a folder with other files stands in its place'
    assert.deepEqual(await stage.rewind('m0'), {
      canRewind: false,
      error: `These files can't be put back: ${stage.at('c.txt')} (${reason})`,
      skipped: [{ path: stage.at('c.txt'), reason }],
      skippedLinks: 0,
    })
    assert.equal(readFileSync(stage.at('c.txt/mine'), 'utf8'), 'mine')
  })

  it('does not touch hard links and pipes', async () => {
    await playTurn()
    linkSync(stage.at('sub/a.txt'), join(outside, 'other-name'))
    rmSync(stage.at('c.txt'))
    execFileSync('mkfifo', [stage.at('c.txt')])
    assert.deepEqual(await stage.rewind('m0'), {
      canRewind: true,
      skipped: [
        { path: stage.at('sub/a.txt'), reason: 'it has 2 hard links' },
        { path: stage.at('c.txt'), reason: 'it is a pipe, socket or device' },
      ],
      skippedLinks: 2,
    })
    assert.equal(readFileSync(join(outside, 'other-name'), 'utf8'), 'changed\n')
  })

  it('keeps a file under its real path when a tool writes through a link', async () => {
    writeFileSync(stage.at('real.txt'), 'one')
    symlinkSync('real.txt', stage.at('link.txt'))
    await stage.begin('m0')
    await stage.call('Read', { file_path: stage.at('link.txt') })
    const input = { file_path: stage.at('link.txt'), old_string: 'one', new_string: 'two' }
    assert.equal(await stage.call('Edit', input), undefined)
    await stage.call('Bash', { command: 'echo three >> link.txt' })
    await stage.checkpoints.end()
    assert.deepEqual(stage.told, [])
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true })
    assert.deepEqual(treeOf(stage.cwd), { 'link.txt': 'link real.txt', 'real.txt': 'file 644 one' })
  })

  it('says that a link which a command removed can not be put back', async () => {
    writeFileSync(stage.at('real.txt'), 'one')
    symlinkSync('real.txt', stage.at('link.txt'))
    await stage.begin('m0')
    await stage.call('Bash', { command: 'rm link.txt; echo two > real.txt' })
    await stage.checkpoints.end()
    assert.deepEqual(stage.told, [`Changes to ${stage.at('link.txt')} can't be rewound: ${LINK}.`])
    const skipped = [{ path: stage.at('link.txt'), reason: LINK }]
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true, skipped, skippedLinks: 1 })
    assert.deepEqual(treeOf(stage.cwd), { 'real.txt': 'file 644 one' })
  })

  it('does not give up a whole rewind because a link was there at that message', async () => {
    await playTurn()
    renameSync(stage.at('sub'), stage.at('kept'))
    symlinkSync(outside, stage.at('sub'))
    await stage.begin('m1')
    rmSync(stage.at('sub'))
    renameSync(stage.at('kept'), stage.at('sub'))
    await stage.call('Bash', { command: 'echo later > c.txt' })
    const { canRewind, skipped } = await stage.rewind('m1')
    assert.deepEqual([canRewind, skipped?.map(({ reason }) => reason)], [true, [MOVED, MOVED, MOVED]])
    assert.equal(readFileSync(stage.at('c.txt'), 'utf8'), 'changed\n')
    assert.deepEqual(treeOf(outside), OUTSIDE)
  })

  it('notices a link that comes between its plan and its work', async () => {
    await playTurn()
    const swap = () => {
      renameSync(stage.at('sub'), stage.at('elsewhere'))
      symlinkSync(outside, stage.at('sub'))
    }
    let reads = 0
    const racing = await createStage({
      root: stage.root,
      files: {
        ...nodeFiles,
        snapshot(path, maxBytes) {
          reads += 1
          // The plan reads what it needs; the fourth read is the first of the work itself.
          if (reads === 4) swap()
          return nodeFiles.snapshot(path, maxBytes)
        },
      },
    })
    const { canRewind, skippedLinks } = await racing.rewind('m0')
    await racing.dispose()
    assert.ok(reads >= 4)
    assert.deepEqual([canRewind, skippedLinks], [true, 2])
    assert.deepEqual(treeOf(outside), OUTSIDE)
  })
})

describe('random links', () => {
  it(`${COUNT} rewinds with links in random places: nothing outside changes, and what no link hides is restored`, async () => {
    const seed = chooseSeed(20_261_116)
    process.stderr.write(`links: ${COUNT} rewinds, seed ${seed} (repeat with KEDGE_SEED=${seed})\n`)
    const files = ['a.txt', 'sub/a.txt', 'sub/b.txt', 'sub/deep/a.txt', 'new.txt', 'other/new.txt', 'other/b.txt']
    const places = [...files, 'sub', 'sub/deep', 'other', 'sub', 'other']
    mkdirSync(join(outside, 'deep'))
    writeFileSync(join(outside, 'deep', 'a.txt'), 'outside deep')
    const before = treeOf(outside)
    for (let i = 0; i < COUNT; i++) {
      const random = caseRandom(seed, i)
      for (const name of ['sub', 'other', 'a.txt', 'new.txt']) rmSync(stage.at(name), { recursive: true, force: true })
      mkdirSync(stage.at('sub/deep'), { recursive: true })
      mkdirSync(stage.at('other'))
      for (const name of files.slice(0, 4)) writeFileSync(stage.at(name), `${name} ${i}`)
      await stage.begin(`m${i}`)
      const wanted = treeOf(stage.cwd)
      const lines = random.some(files, 4).map((name) => `${random.pick(['echo x >>', 'rm -f', 'touch'])} ${name}`)
      await stage.call('Bash', { command: ['true', ...lines].join('; ') })
      await stage.call('Write', { file_path: stage.at('other/new.txt'), content: 'new' })
      const chosen = random.some(places, 3)
      // Not one behind another: the test itself must not write through links.
      const linked = chosen.filter((name) => !chosen.some((other) => name.startsWith(`${other}/`)))
      for (const name of linked) {
        rmSync(stage.at(name), { recursive: true, force: true })
        const target = random.pick([outside, outside, ...['a.txt', 'nothing', 'deep'].map((one) => join(outside, one))])
        symlinkSync(target, stage.at(name))
      }
      const result = await stage.rewind(`m${i}`)
      assert.deepEqual(treeOf(outside), before, JSON.stringify({ i, lines, linked, result }))
      const isHidden = (name: string) => linked.some((link) => name === link || name.startsWith(`${link}/`))
      const shown = (tree: Record<string, string>) =>
        Object.fromEntries(Object.entries(tree).filter(([name]) => !isHidden(name)))
      assert.deepEqual(shown(treeOf(stage.cwd)), shown(wanted), JSON.stringify({ i, lines, linked, result }))
    }
  })
})
