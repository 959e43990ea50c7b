/**
 * Random changes by tools and by commands, random rewinds in between, forwards and backwards: the tree is what it was at the
 * message, byte by byte, with modes and empty folders.
 */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { caseRandom, chooseSeed, type Random } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'
import { createStage, type Stage, treeOf } from './stage.js'

const COUNT = byTier({ quick: 3, all: 25, long: 1_000 })

const FILES = ['a.txt', 'b.bin', 'sub/c.txt', 'sub/deep/d.txt', 'new.txt', 'sub/new.txt', 'made/by/e.txt', 'deep/f.txt']
const FOLDERS = ['sub', 'sub/deep', 'made', 'made/by', 'deep', 'empty', 'other']

function plant(cwd: string, random: Random): void {
  for (const folder of ['sub', 'sub/deep', 'empty']) mkdirSync(join(cwd, folder))
  for (const file of FILES.slice(0, 4)) {
    writeFileSync(join(cwd, file), content(random))
    chmodSync(join(cwd, file), random.pick([0o644, 0o600, 0o755, 0o664]))
  }
  chmodSync(join(cwd, 'sub/deep'), random.pick([0o755, 0o700, 0o775]))
}

function content(random: Random): Buffer {
  const lines = Array.from({ length: random.int(6) }, () => random.pick(['one', 'two', 'x', '', 'ä€', '\r']))
  const text = Buffer.from(lines.join('\n') + random.pick(['', '\n']))
  return random.int(4) === 0 ? Buffer.concat([text, Buffer.from([0, 255, 254, 10])]) : text
}

/** Some fail, as commands do; what counts is what the tree is afterwards. */
function command(random: Random): string {
  const file = () => random.pick(FILES)
  const folder = () => random.pick(FOLDERS)
  return random.pick([
    () => `rm ${file()}`,
    () => `rm -rf ${folder()}`,
    () => `mv ${file()} ${file()}`,
    () => `mv ${file()} ${folder()}`,
    () => `mv ${folder()} ${folder()}`,
    () => `mv -T ${folder()} ${folder()}`,
    () => `cp ${file()} ${file()}`,
    () => `cp -r ${folder()} ${folder()}`,
    () => `cp -t ${folder()} ${file()} ${file()}`,
    () => `mkdir -p ${folder()} && cp -r ${folder()} ${folder()} && rm -r ${folder()}`,
    () => `sed -i 's/one/two/g' ${file()}`,
    () => `sed -i.bak -e 's/two/one/' ${file()}`,
    () => `perl -pi -e 's/x/yy/' ${file()}`,
    () => `echo more >> ${file()}`,
    () => `echo all > ${file()} 2>&1`,
    () => `{ echo a; echo b; } > ${file()}`,
    () => `echo t | tee -a ${file()} ${file()} > /dev/null`,
    () => `chmod ${random.pick(['600', '755', 'u+x', 'go-r'])} ${file()}`,
    () => `chmod -R ${random.pick(['u+rwX,go-rwx', 'u+rwX,go+rX'])} ${folder()}`,
    () => `mkdir -p ${folder()}/${random.pick(['', 'x', 'x/y'])}`,
    () => `rmdir ${folder()}`,
    () => `touch ${file()} ${file()}`,
    () => `truncate -s ${random.int(5)} ${file()}`,
    () => `cd ${folder()} && rm -f *.txt`,
    () => `rm -f */*.txt; mv *.txt ${folder()}`,
    () => `bash -c 'rm ${file()}; cp ${file()} ${file()}'`,
    () => `dd if=a.txt of=${file()} bs=1 count=2`,
  ])()
}

async function change(stage: Stage, random: Random): Promise<string> {
  const file_path = stage.at(random.pick(FILES))
  if (random.int(3) > 0) {
    const line = command(random)
    await stage.call('Bash', { command: line })
    return line
  }
  if (existsSync(file_path)) await stage.call('Read', { file_path })
  if (random.int(2) === 0) {
    const problem = await stage.call('Write', { file_path, content: content(random).toString('utf8') })
    return `Write ${file_path}: ${problem ?? 'done'}`
  }
  const problem = await stage.call('Edit', { file_path, old_string: 'one', new_string: 'two', replace_all: true })
  return `Edit ${file_path}: ${problem ?? 'done'}`
}

test(`${COUNT} random sequences of changes rewind to byte-identical trees`, async () => {
  const seed = chooseSeed(20_261_115)
  process.stderr.write(`rewinds: ${COUNT} sequences, seed ${seed} (repeat with KEDGE_SEED=${seed})\n`)
  let rewinds = 0
  for (let i = 0; i < COUNT; i++) {
    const random = caseRandom(seed, i)
    const first = await createStage()
    let stage = first
    try {
      plant(stage.cwd, random)
      const states = new Map<string, Record<string, string>>()
      const log: string[] = []
      for (let turn = 0; turn < 3 + random.int(4); turn++) {
        // A new process now and then: all it knows is on disk.
        if (turn > 0 && random.int(4) === 0) {
          if (stage !== first) await stage.dispose()
          stage = await createStage({ root: first.root })
          log.push('resumed')
        }
        await stage.begin(`m${turn}`)
        states.set(`m${turn}`, treeOf(stage.cwd))
        log.push(`m${turn}`)
        for (let n = random.int(5); n > 0; n--) log.push(await change(stage, random))
        if (random.int(2) === 0) continue
        const [id, expected] = random.pick([...states])
        log.push(`rewind to ${id}`)
        const dry = await stage.rewind(id, true)
        const result = await stage.rewind(id)
        const story = JSON.stringify({ case: i, log, dry, result }, null, 1)
        assert.deepEqual(result, { canRewind: true }, story)
        assert.deepEqual(treeOf(stage.cwd), expected, story)
        assert.deepEqual((await stage.rewind(id, true)).filesChanged, [], story)
        rewinds += 1
      }
    } finally {
      if (stage !== first) await stage.dispose()
      await first.dispose()
    }
  }
  assert.ok(rewinds > COUNT / 2, `${rewinds} rewinds`)
})

test('what is kept is readable by its owner only, under the hash of its content', async () => {
  const stage = await createStage()
  try {
    writeFileSync(stage.at('a.txt'), 'secret')
    await stage.begin('m0')
    await stage.call('Bash', { command: 'rm a.txt' })
    const kept = treeOf(join(stage.configDir, 'file-history'))
    const session = Object.keys(kept)[0] ?? ''
    assert.deepEqual(Object.values(kept), ['folder 700', 'file 600 secret'])
    assert.match(Object.keys(kept)[1] ?? '', /^[0-9a-f-]{36}\/[0-9a-f]{64}$/)
    assert.match(readFileSync(stage.sessionFile, 'utf8'), /"file-history-snapshot"/)
    assert.equal(session.length, 36)
  } finally {
    await stage.dispose()
  }
})
