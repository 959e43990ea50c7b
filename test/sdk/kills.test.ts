/**
 * Hosts and agents that are ended at random moments, in random ways, with commands and servers that do not want to end: nothing is
 * left, neither agents nor what they started nor watchdogs. Counted by a mark of the test's own and by the folder they stand in.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { query } from 'kedge'
import { collect, type ModelHandler, startModelServer, testOptions } from 'kedge/testing'
import { ENDINGS, SPECIES } from '../e2e/zoo/species.js'
import { caseRandom, chooseSeed, type Random } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'
import type { Errand } from './mortal-host.js'

const KILLS = byTier({ quick: 4, all: 16, long: 200 })
const AT_ONCE = 2
/** What the user is promised. On a machine that does more than tests, `npm test` is patient. */
const LIMIT_MS = byTier({ quick: 30000, all: 30_000, long: 5_000 })

const program = fileURLToPath(new URL('./mortal-host.js', import.meta.url))
const deafServer = fileURLToPath(new URL('./deaf-server.js', import.meta.url))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const POINTS = ['start', 'stream', 'tool', 'permission', 'hook', 'background', 'close'] as const
const WAYS = ['kill', 'kill', 'kill', 'terminate', 'exit', 'crash', 'break', 'close', 'abort', 'agent'] as const

function leftovers(mark: string, folder: string, host: number | undefined): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== host)
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark) ||
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
        )
      } catch {
        return false
      }
    })
    .flatMap((pid) => {
      try {
        return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)}`
      } catch {
        // Gone since a moment ago.
        return []
      }
    })
}

/** What the model does; how much of it is asked for depends on when the end comes. */
function model(point: Errand['point'], random: Random): ModelHandler {
  const species = Array.from({ length: 1 + random.int(3) }, () => SPECIES[random.pick(Object.keys(SPECIES))])
  const command = [...species, ': > here', random.pick(ENDINGS)].join('\n')
  const input = { command, ...(point === 'background' ? { run_in_background: true } : {}) }
  return ({ toolResults }) => {
    if (point === 'stream') return { text: 'a long story', stallAfterEvents: 3 }
    return toolResults.length > 0 ? 'Done.' : { tools: [{ id: 'toolu_1', name: 'Bash', input }] }
  }
}

type Kill = { what: string; left: string[]; afterMs: number }

async function killOne(index: number, seed: number): Promise<Kill> {
  const random = caseRandom(seed, index)
  const point = random.pick(POINTS)
  const isolation = random.pick(['in-process', 'process'] as const)
  const chosen = random.pick(WAYS)
  const way = (chosen === 'agent' && isolation === 'in-process') || point === 'close' ? 'kill' : chosen
  const mark = `kedge-kill-${randomUUID()}`
  await using server = await startModelServer(model(point, random))
  await using options = testOptions(server, {
    isolation,
    includePartialMessages: point === 'stream',
    ...(point === 'permission' ? {} : { allowedTools: ['Bash'] }),
    ...(random.chance(0.25) ? { mcpServers: { deaf: { command: process.execPath, args: [deafServer] } } } : {}),
  })
  // The watchdog gets nothing of the environment but this.
  options.env['PATH'] = `${options.env['PATH']}:/nonexistent/${mark}`
  const errand: Errand = { point, options: { ...options } }
  const host = spawn(process.execPath, [program, JSON.stringify(errand)], {
    stdio: ['pipe', 'pipe', process.env['KEDGE_SHOW'] ? 'inherit' : 'ignore'],
    cwd: options.cwd,
  })
  const over = new Promise<void>((resolve) => host.once('exit', () => resolve()))
  host.stdin.on('error', () => undefined)
  let said = ''
  host.stdout.on('data', (chunk) => {
    said += chunk
  })
  const word = point === 'start' ? 'begun\n' : 'there\n'
  while (!said.includes(word) && host.exitCode === null) await pause(5)
  const waitsForCommand = point === 'tool' || point === 'background' || point === 'close'
  while (waitsForCommand && !existsSync(join(options.cwd, 'here')) && host.exitCode === null) await pause(5)
  await pause(random.int(point === 'start' ? 250 : 40))
  const what = `${index} (seed ${seed}): ${way} at ${point}, ${isolation}`
  assert.equal(host.exitCode, null, `${what}: ended by itself`)

  if (point === 'close') {
    host.stdin.write('close\n')
    await pause(random.int(30))
  }
  if (way === 'kill') host.kill('SIGKILL')
  else if (way === 'terminate') host.kill('SIGTERM')
  else host.stdin.write(`${way}\n`)
  while (way === 'agent' && !said.includes('killed\n')) await pause(5)
  const started = performance.now()
  const survives = way === 'break' || way === 'close' || way === 'abort' || way === 'agent'
  if (!survives) await over
  const remaining = () => leftovers(mark, options.cwd, survives ? host.pid : undefined)
  // For a moment: something may be about to start when the end comes, and is ended then.
  let left = remaining()
  let afterMs = 0
  for (let quiet = 0; quiet < 5 && performance.now() - started < LIMIT_MS; await pause(20)) {
    left = remaining()
    quiet = left.length === 0 ? quiet + 1 : 0
    if (quiet < 2) afterMs = performance.now() - started
  }
  host.stdin.end()
  await over
  for (const one of leftovers(mark, options.cwd, undefined)) {
    // The machine is not only ours: whatever got away is hunted down.
    try {
      process.kill(Number(one.split(' ')[0]), 'SIGKILL')
    } catch {
      // Gone by itself.
    }
  }
  return { what, left, afterMs }
}

test('random kills leave nothing', { skip: process.platform !== 'linux', timeout: 3_600_000 }, async () => {
  const seed = chooseSeed(20_261_115)
  const only = process.env['KEDGE_CASE']
  const queue = only ? [Number(only)] : Array.from({ length: KILLS }, (_, index) => index)
  const kills: Kill[] = []
  const keep = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      const kill = await killOne(index, seed)
      kills.push(kill)
      if (process.env['KEDGE_SHOW']) console.error(`${kill.what}: ${Math.round(kill.afterMs)} ms`, kill.left)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keep))
  assert.deepEqual(
    kills.filter(({ left }) => left.length > 0).map(({ what, left }) => [what, ...left]),
    [],
  )
})

test('named pipes of an agent that was killed while it made them are removed by the next agent', async () => {
  const bash = { tools: [{ name: 'Bash', input: { command: 'echo hello' } }] }
  await using server = await startModelServer([bash, bash, 'Done.'])
  await using options = testOptions(server, { isolation: 'process', allowedTools: ['Bash'] })
  const { PATH, HOME = '' } = options.env
  const [temporary, programs] = [join(HOME, 'temporary'), join(HOME, 'programs')]
  for (const folder of [temporary, programs]) mkdirSync(folder)
  const deadly = `#!/bin/sh\nPATH='${PATH}'\nmkfifo "$@"\nkill -KILL $PPID\n`
  writeFileSync(join(programs, 'mkfifo'), deadly, { mode: 0o755 })
  const run = (path: string | undefined) =>
    collect(query({ prompt: 'Go.', options: { ...options, env: { ...options.env, TMPDIR: temporary, PATH: path } } }))
  const pipes = () => readdirSync(temporary).filter((name) => lstatSync(join(temporary, name)).isFIFO())
  await run(`${programs}:${PATH}`)
  assert.ok(pipes().length > 0, 'the agent was killed before it had a pipe')
  const { result } = await run(PATH)
  assert.equal(result?.subtype, 'success')
  assert.deepEqual(pipes(), [])
})
