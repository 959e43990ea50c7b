/**
 * User messages, interrupts and the ends of background work in random order: every message reaches exactly one end, every turn
 * has exactly one result, and nothing hangs.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { type ModelHandler, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { caseRandom, chooseSeed, type Random } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'

const CASES = byTier({ quick: 12, all: 40, long: 1_000 })
const AT_ONCE = 4
const PATIENCE_MS = 60_000

const OPS = [
  ...['message', 'message', 'message', 'again', 'interrupt', 'interrupt', 'interrupt all'],
  ...['pause', 'pause', 'pause', 'pause', 'pause', 'pause'],
] as const satisfies Op[]
type Op = 'message' | 'again' | 'interrupt' | 'interrupt all' | 'pause'

/** Answers, calls and background commands, with pauses wherever the wire has some. Never for ever. */
function model(random: Random): ModelHandler {
  let calls = 0
  const next = (): Turn => {
    const gapMs = random.pick([0, 0, 1, 5])
    if (calls > 12 || random.chance(0.4)) return { text: 'An answer in a few words.', gapMs, chunk: 5 }
    calls += 1
    const id = `toolu_${calls}`
    const input = random.pick([
      { name: 'Glob', input: { pattern: '*.ts' } },
      { name: 'Bash', input: { command: `sleep 0.0${random.int(6)}` } },
      { name: 'Bash', input: { command: `sleep 0.0${random.int(9)}`, run_in_background: true } },
      { name: 'Bash', input: { command: random.chance(0.2) ? 'sleep 30' : 'true', run_in_background: true } },
    ])
    return { tools: [{ id, ...input }], gapMs }
  }
  return async () => {
    if (random.chance(0.3)) await pause(random.int(15))
    return next()
  }
}

async function interleave(
  index: number,
  seed: number,
): Promise<{ ops: Op[]; uuids: string[]; messages: SDKMessage[] }> {
  const random = caseRandom(seed, index)
  const ops = Array.from({ length: 3 + random.int(9) }, () => random.pick(OPS))
  await using server = await startModelServer(model(random))
  await using options = testOptions(server, { allowedTools: ['Bash'], persistSession: random.chance(0.2) })
  const uuids: string[] = []
  const interrupts: Promise<unknown>[] = []
  async function* play() {
    for (const op of ['message' as const, ...ops]) {
      if (op === 'pause') await pause(random.int(120))
      if (op === 'interrupt') interrupts.push(running.interrupt())
      if (op === 'interrupt all') interrupts.push(running.interrupt({ scope: 'all' }))
      const uuid = op === 'again' ? random.pick(uuids) : randomUUID()
      if (op === 'message') uuids.push(uuid)
      if (op === 'message' || op === 'again') yield say(`Say ${uuid}.`, uuid)
      if (random.chance(0.5)) await new Promise((resolve) => setImmediate(resolve))
    }
    // What runs for longer than anybody wants to wait.
    await pause(random.int(400))
    if (random.chance(0.3)) interrupts.push(running.interrupt({ scope: 'all' }))
  }
  const running = query({ prompt: play(), options })
  const messages: SDKMessage[] = []
  let gaveUp = false
  // A turn may start such a command after the last word of the user.
  const hurry = setInterval(() => void running.interrupt({ scope: 'all' }).catch(() => undefined), 3_000)
  const patience = setTimeout(() => {
    gaveUp = true
    running.close()
  }, PATIENCE_MS)
  try {
    for await (const message of running) messages.push(message)
  } finally {
    clearInterval(hurry)
    clearTimeout(patience)
  }
  assert.ok(!gaveUp, 'it never ended')
  await Promise.all(interrupts)
  return { ops, uuids, messages }
}

function check({ uuids, messages }: Awaited<ReturnType<typeof interleave>>): void {
  const states = new Map<string, string[]>()
  let inTurn = false
  const started: string[] = []
  const ended: string[] = []
  for (const message of messages) {
    if (message.type === 'result') {
      assert.ok(inTurn, 'a result without a turn')
      inTurn = false
    }
    if (message.type === 'command_lifecycle') {
      const { command_uuid: uuid, state } = message
      states.set(uuid, [...(states.get(uuid) ?? []), state])
    }
    if (message.type !== 'system') continue
    if (message.subtype === 'init') {
      assert.ok(!inTurn, 'a turn without a result')
      inTurn = true
    }
    if (message.subtype === 'task_started') started.push(message.task_id)
    if (message.subtype === 'task_notification') ended.push(message.task_id)
  }
  assert.ok(!inTurn, 'the last turn has no result')
  assert.deepEqual(ended.sort(), started.sort(), 'each task is announced once and reported once')
  assert.deepEqual([...states.keys()].sort(), [...uuids].sort(), 'messages that were followed')
  for (const [uuid, seen] of states) {
    assert.match(seen.join(' '), /^(queued )?(started completed|dropped)$/, `message ${uuids.indexOf(uuid)}`)
  }
}

test(`${CASES} random interleavings of messages, interrupts and notifications`, { timeout: 7_200_000 }, async () => {
  const seed = chooseSeed(20_261_115)
  const only = process.env['KEDGE_CASE']
  const queue = only ? [Number(only)] : Array.from({ length: CASES }, (_, index) => index)
  const failures: string[] = []
  const work = async () => {
    for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
      try {
        check(await interleave(index, seed))
      } catch (error) {
        failures.push(`case ${index} of seed ${seed}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  assert.deepEqual(failures, [])
})

function say(content: string, uuid: string): SDKUserMessage {
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
    // The type is narrower than the wire: any string is an id.
    uuid: uuid as SDKUserMessage['uuid'],
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
