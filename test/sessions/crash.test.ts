/**
 * Programs are killed with SIGKILL at random moments. Their store is in this process, their commands write to a file outside
 * of it: the store knows of every command that ran, none runs twice, and every turn comes to its one result.
 * `npm run test:long` kills many more; KEDGE_SEED repeats a run.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Options, SessionStoreEntry } from 'kedge'
import { startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { unwrapKedgeLine } from '../../src/sessions/kedge-lines.js'
import { Random } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'
import type { FromChild, FromParent, Plan } from './crashing-agent.js'

const _LONG = Boolean(process.env.KEDGE_LONG)
const SEED = Number(process.env.KEDGE_SEED ?? 7)
const KILLS = byTier({ quick: 2, all: 5, long: 60 })
const CALLS = 6
const program = fileURLToPath(new URL('./crashing-agent.js', import.meta.url))

type World = { options: TestOptions; entries: SessionStoreEntry[]; random: Random; out: string }
type Attempt = { results: { terminal_reason?: string; subtype?: string }[]; killed: boolean }

/** `killAt`: killed at this append, before or after it is kept, or as soon as so many commands have written. */
async function attempt(plan: Plan, world: World, killAt: number | undefined): Promise<Attempt> {
  const child = fork(program, [JSON.stringify(plan)], {
    env: world.options.env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const results: Attempt['results'] = []
  const when = world.random.int(3)
  let appends = 0
  let killed = false
  const kill = () => {
    killed = true
    child.kill('SIGKILL')
  }
  child.on('message', (message: FromChild) => {
    if (killed) return
    const answer = (more: Omit<FromParent, 'id'> = {}) => void child.send({ id: message.id, ...more }, () => {})
    if (message.load) return answer({ entries: world.entries.length > 0 ? world.entries : null })
    if (message.result) {
      results.push(message.result as Attempt['results'][number])
      return answer()
    }
    appends += 1
    if (appends === killAt && when === 0) return kill()
    world.entries.push(...(message.append ?? []))
    if (appends === killAt && when === 1) return kill()
    answer()
  })
  const lines = ran(world.out).length
  const watching = setInterval(() => {
    if (when === 2 && killAt !== undefined && ran(world.out).length >= Math.min(lines + killAt, CALLS)) kill()
  }, 2)
  await new Promise((resolve) => child.once('close', resolve))
  clearInterval(watching)
  return { results, killed }
}

const ran = (out: string) => (existsSync(out) ? readFileSync(out, 'utf8').split('\n').filter(Boolean) : [])

function begunIn(entries: readonly SessionStoreEntry[]): Set<unknown> {
  const lines = entries.map((entry) => unwrapKedgeLine(entry) as { type?: string; toolUseId?: string })
  return new Set(lines.flatMap(({ type, toolUseId }) => (type === 'tool-start' ? [toolUseId] : [])))
}

function resultTexts(entries: readonly SessionStoreEntry[]): Map<string, string> {
  const blocks = entries.flatMap(({ message }) => {
    const content = (message as { content?: unknown } | undefined)?.content
    return Array.isArray(content) ? content : []
  })
  return new Map(
    blocks.flatMap((block) =>
      block.type === 'tool_result' ? [[block.tool_use_id, JSON.stringify(block.content)]] : [],
    ),
  )
}

/** One prompt, killed up to three times on its way. Resolves with how often it was. */
async function playTurn(
  world: World,
  sessionId: string,
  flush: Options['sessionStoreFlush'],
  kills: number,
): Promise<number> {
  const { options, random, out } = world
  const { [Symbol.asyncDispose]: _, ...plain } = options
  let done = 0
  for (;;) {
    const isNew = !world.entries.some(({ type }) => type === 'user')
    const common = { ...plain, persistSession: false, sessionStoreFlush: flush } as Options
    if (isNew) world.entries.length = 0
    const plan: Plan = isNew
      ? { prompt: 'Go.', options: { ...common, sessionId } }
      : { options: { ...common, resume: sessionId } }
    const killAt = done < kills ? 1 + random.int(6) : undefined
    const { results, killed } = await attempt(plan, world, killAt)
    const unknown = ran(out).filter((id) => !begunIn(world.entries).has(id))
    assert.deepEqual(unknown, [], 'the store knows of every command that ran')
    if (results.length > 0) {
      assert.deepEqual(
        results.map(({ terminal_reason }) => terminal_reason),
        ['completed'],
      )
      return done
    }
    assert.ok(killed, 'only a program that was killed has no result')
    done += 1
  }
}

for (const flush of ['batched', 'eager'] as const) {
  test(`SIGKILL at random moments (${flush}, seed ${SEED}): no command is unknown, none runs twice, each turn has one result`, async () => {
    const random = new Random(SEED)
    await using server = await startModelServer((request) => {
      const next = JSON.stringify(request.body.messages).split('"tool_result"').length - 1
      if (next >= CALLS) return { text: 'Done.' }
      const count = next % 3 === 1 ? 2 : 1
      const tools = Array.from({ length: count }, (_, at) => ({
        id: `t${next + at}`,
        name: 'Bash',
        input: { command: `echo t${next + at} >> out; sleep 0.02` },
      }))
      return { text: 'I go on.', tools }
    })
    let kills = 0
    let lost = 0
    for (let turn = 0; kills < KILLS; turn += 1) {
      await using options = testOptions(server, { allowedTools: ['Bash'] })
      const world: World = { options, entries: [], random, out: join(options.cwd, 'out') }
      const id = `5f3d1c1e-0000-4000-8000-${String(turn).padStart(12, '0')}`
      kills += await playTurn(world, id, flush, 1 + random.int(3))
      const seen = ran(world.out)
      assert.deepEqual(seen, [...new Set(seen)], 'no command runs twice')
      const told = resultTexts(world.entries)
      assert.equal(told.size, CALLS)
      for (const [call, text] of told) {
        if (!seen.includes(call)) assert.match(text, /may or may not have taken effect/, call)
        if (/may or may not/.test(text)) lost += 1
      }
    }
    console.log(`${flush}: ${kills} kills, ${lost} calls told as interrupted`)
  })
}
