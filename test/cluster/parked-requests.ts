/** Requests that wait, each in a session that does nothing else: opened before the disturbances, answered after them. */
import assert from 'node:assert/strict'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { pause } from './disturb-cluster.js'
import type { Plan } from './judge-cluster.js'
import { ask, inbox, type World } from './play-cluster.js'

export type Held = { sessions: string[]; plans: Plan[][] }

/** Prompts at a time. */
const LANES = 10

export async function openParked(world: World, count: number): Promise<Held> {
  const held: Held = { sessions: [], plans: [] }
  await inLanes(count, async (n) => {
    const { json } = await ask(world, 'POST', '/v1/sessions', { cwd: world.place.folder })
    const plan: Plan = { id: 'p0', name: `h${n}p0`, words: ['risky'] }
    held.sessions[n] = json.id
    held.plans[n] = [plan]
    const body = { id: plan.id, content: `${plan.name}: risky` }
    const { status, text } = await ask(world, 'POST', `/v1/sessions/${json.id}/prompts`, body)
    assert.ok(status < 300, `prompt ${plan.name}: ${status} ${text}`)
  })
  while (world.parked.size < count) {
    for (const { id, session } of await inbox(world)) world.parked.set(session, id)
    await pause(100 + count)
  }
  if (count >= 100) process.stderr.write(`chaos: ${count} requests wait\n`)
  return held
}

/** The same requests are still open, and each answer takes effect. Returns the logs. */
export async function settleParked(world: World, { sessions }: Held): Promise<LogEntry[][]> {
  const open = new Map((await inbox(world)).map(({ id, session }) => [session, id]))
  assert.deepEqual([...open].sort(), [...world.parked].sort(), 'what waited all the while')
  const logs: LogEntry[][] = []
  await inLanes(sessions.length, async (n) => {
    const session = sessions[n] ?? ''
    const id = open.get(session) ?? ''
    const { status, text } = await ask(world, 'POST', `/v1/sessions/${session}/asks/${id}/answer`, { kind: 'allow' })
    assert.equal(status, 204, `answer to ${id}: ${text}`)
    world.accepted.set(id, ['allow'])
    while ((await ask(world, 'GET', `/v1/sessions/${session}`)).json.status !== 'idle') await pause(200)
    logs[n] = (await ask(world, 'GET', `/v1/sessions/${session}/log`)).json.entries
  })
  return logs
}

async function inLanes(count: number, work: (n: number) => Promise<void>): Promise<void> {
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let n = lane; n < count; n += LANES) await work(n)
  })
  await Promise.all(lanes)
}
