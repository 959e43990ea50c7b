/**
 * The engine against a real bash: random commands under random rules. What the engine allows is run in a cage, and every program
 * that was started, every file that was changed or read outside must be covered by the rules, judged by the real arguments.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { byTier } from '../support/tier.js'
import { Cage, whyNoCage } from './cage.js'
import { check, minimize } from './check-case.js'
import { randomCommand } from './generate.js'
import { attack } from './generate-attacks.js'
import { type Case, rulesFor } from './generate-rules.js'
import { STARTS } from './hostile-world.js'
import { judge } from './judge.js'
import { violations } from './oracle.js'
import { caseRandom, chooseSeed, type Random } from './random.js'
import { FILES, LINKS, REPO, TRAPS } from './world.js'

const COUNT = byTier({ quick: 2_500, all: 5_000, long: 200_000 })
/** Every line is judged; of those that are allowed, one in this many runs in a cage. */
const EVERY = byTier({ quick: 5, all: 1 })
const FINDS = readFileSync(new URL('./finds.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  // Written by this test, or by hand in the same form.
  .map((line) => JSON.parse(line) as Case)

function randomCase(random: Random): Case {
  if (random.chance(0.3)) return attack(random)
  const command = randomCommand(random)
  return { command, ...rulesFor(random, command) }
}

const skip = whyNoCage() ?? false
if (skip) process.stderr.write(`differential fuzzing is skipped: ${skip}\n`)

test('every find of earlier runs is no longer allowed', async () => {
  const allowed: Case[] = []
  for (const one of FINDS) if ((await judge(one)) === 'allow') allowed.push(one)
  assert.deepEqual(allowed, [])
})

describe('commands in a cage', { skip }, () => {
  let cages: Cage[]
  before(() => {
    cages = [new Cage(), new Cage()]
  })
  after(() => {
    for (const cage of cages) cage.close()
  })
  const cageAt = (slot: number): Cage => {
    const cage = cages[slot]
    assert.ok(cage)
    return cage
  }

  test('the cage holds the world the engine is told of, and notes what happens in it', async () => {
    const cage = cageAt(0)
    const entries = await cage.entries
    for (const path of [...Object.keys(FILES), ...Object.keys(LINKS), ...TRAPS]) assert.ok(entries.includes(path), path)
    const command =
      'cat a.txt | head -1 > new.txt; cat link-file; /bin/rm x; ./evil y; nosuch z; kill -l; (sleep 0; mkdir d) &'
    const { output: _, status: __, builtins, ...trace } = await cage.run({ command, cwd: REPO, edits: false })
    assert.deepEqual(
      trace.executions.map(({ program, args }) => [program, ...args].join(' ')).sort(),
      [
        '/stubs/cat a.txt',
        '/stubs/cat link-file',
        '/bin/rm x',
        './evil y',
        '/stubs/head -1',
        '/stubs/mkdir d',
        '/stubs/sleep 0',
        'missing:nosuch z',
      ].sort(),
    )
    assert.deepEqual(trace.changed, ['/repo', '/repo/new.txt'])
    assert.deepEqual(trace.gone, [])
    assert.deepEqual(trace.read, ['/out/secret'])
    assert.ok(builtins.includes('\u0001\u0001kill -l'))
    const rules = { allow: ['Bash(cat *)'], ask: [], deny: [] }
    assert.deepEqual(violations({ command, rules, mode: 'default' }, { ...trace, builtins, status: 0, output: '' }), [
      'ran /bin/rm x',
      'ran ./evil y',
      'ran missing:nosuch z',
      'ran /stubs/mkdir d',
      'did kill -l',
      'changed /repo',
      'changed /repo/new.txt',
      'read /out/secret',
    ])
  })

  test('the cage notes what repositories make git run, what is planted, and who reaches for the network', async () => {
    const cage = cageAt(0)
    const ran = async (command: string) => cage.run({ command, cwd: REPO, edits: false })
    const quiet = await ran('git status; git diff; git -C repos/plain log -p')
    assert.deepEqual([quiet.changed, quiet.planted, quiet.packets], [[], [], 0])
    // Twice: the world is as it was.
    for (const [command, program] of [
      ['git -C repos/fsmonitor status', '/repo/evil'],
      ['cd repos/mono && git status', '/repo/evil'],
      ['git -C repos/hooks status', '.git/hooks/post-index-change'],
      ['git -C repos/signature log', '/repo/evil'],
      ['git push ./repos/deposit main:n', 'hooks/pre-receive'],
    ] as const)
      for (const _ of [1, 2])
        assert.ok(
          (await ran(command)).executions.some((one) => one.program === program),
          command,
        )
    assert.deepEqual((await ran('git config core.fsmonitor evil')).planted, [`${REPO}/.git/config`])
    assert.deepEqual((await ran('git config user.name evan')).planted, [])
    for (const address of ['tcp/192.0.2.1/80', 'tcp/127.0.0.1/9', 'udp/192.0.2.1/9'])
      assert.ok((await ran(`echo x > /dev/${address}`)).packets > 0, address)
  })

  test(`${COUNT} random commands: nothing runs, writes or reads outside what was allowed`, async () => {
    const seed = chooseSeed(20_260_801)
    process.stderr.write(`differential fuzzing: ${COUNT} commands, seed ${seed} (repeat with KEDGE_SEED=${seed})\n`)
    const finds: { one: Case; found: string[] }[] = []
    let next = 0
    let ran = 0
    const work = async (slot: number) => {
      while (next < COUNT && finds.length < 20) {
        const index = next++
        if (COUNT > 10_000 && index > 0 && index % 10_000 === 0)
          process.stderr.write(`differential fuzzing: ${index}\n`)
        const random = caseRandom(seed, index)
        const one: Case = { cwd: random.pick(STARTS), ...randomCase(random) }
        if (index % EVERY !== seed % EVERY) {
          await judge(one)
          continue
        }
        const found = await check(one, cageAt(slot)).catch((error: unknown) => {
          cageAt(slot).close()
          cages[slot] = new Cage()
          return [String(error)]
        })
        if (found) ran += 1
        if (found && found.length > 0) {
          finds.push({ one, found })
          // Told at once: a long run may be stopped before its end.
          process.stderr.write(`differential fuzzing: case ${index}: ${JSON.stringify(one)}\n  ${found.join('\n  ')}\n`)
        }
      }
    }
    await Promise.all(cages.map((_, slot) => work(slot)))
    process.stderr.write(`differential fuzzing: ${ran} of ${next} ran in a cage, ${finds.length} finds\n`)
    const small: Case[] = []
    for (const { one } of finds) small.push(await minimize(one, cageAt(0)))
    const file = join(tmpdir(), `kedge-fuzz-finds-${seed}.jsonl`)
    if (small.length > 0) {
      mkdirSync(tmpdir(), { recursive: true })
      writeFileSync(file, small.map((one) => `${JSON.stringify(one)}\n`).join(''))
    }
    assert.deepEqual(
      finds,
      [],
      `add these to test/fuzz/finds.jsonl: ${file}\n${small.map((s) => s.command).join('\n')}`,
    )
    assert.ok(ran > COUNT / EVERY / 10, `only ${ran} commands were allowed: the generator is off`)
  })
})
