/**
 * Sessions that work while machines, lines and the database are disturbed. Each session is sent prompts for as long as that lasts;
 * two people answer what is asked, not always alike; a reader follows each log from node to node. Requests that were parked before
 * stay open all the while and are answered afterwards. Every program collects garbage all the time. Then the judges look.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { caseRandom, type Random } from '../fuzz/random.js'
import { type Disturbed, disturb, flagsOf, type Machines, pause, planDisturbances } from './disturb-cluster.js'
import { type Judged, judge, type Plan } from './judge-cluster.js'
import { openParked, settleParked } from './parked-requests.js'
import { callNode, openPlace, type Running, startNode, startWorkerProgram, TOKEN } from './programs.js'
import { stepModel } from './step-model.js'
import { whatIsOpen } from './stuck-cluster.js'
import { watchModel } from './watched-model.js'

export type Chaos = Disturbed & {
  url: string
  seed: number
  workers: number
  nodes: number
  sessions: number
  /** Of each session, at least. */
  prompts: number
  /** Requests that are open from before the first disturbance until after the last, each of a session that does nothing else. */
  parked: number
  disturbances: number
}

export type Played = Judged & {
  sessions: number
  parked: number
  /** Programs that collected garbage. */
  collecting: number
  disturbances: Record<string, number>
}

export type World = Machines & {
  /** For what no seed can repeat: which node is asked, how long somebody waits. */
  random: Random
  /** By session: what its reader has. */
  read: LogEntry[][]
  /** By ask: the answers that were accepted. */
  accepted: Map<string, string[]>
  sessions: readonly string[]
  /** By session: the request that stays open. */
  parked: Map<string, string>
  /** Places of sessions whose prompts have all ended. */
  finished: Set<number>
  /** What players wait for. */
  calls: Set<string>
  disturbed?: Promise<unknown>
  isCalm: boolean
  isOver: boolean
}

const PRELOAD = new URL('./collect-garbage.js', import.meta.url).href
const WORDS = ['step', 'step', 'shell', 'slow', 'risky', 'risky', 'sub', 'subask'] as const
const IS_REQUEST = /"event":"request"/
/** Nothing new in the log of a session for so long, although prompts are open: it is stuck. Disturbed it may have bad luck for a while. */
const STUCK_MS = { disturbed: 900_000, calm: 180_000 }

/** Some node answers; one that is being replaced does not. */
export async function ask(world: World, method: string, path: string, body?: unknown) {
  for (;;) {
    const node = world.random.pick(world.nodes)
    const call = `${new Date().toISOString()} ${method} ${node.url}${path}`
    world.calls.add(call)
    const reply = await callNode(node.url, method, path, body).catch(() => undefined)
    world.calls.delete(call)
    // While one is being replaced somebody else may be given its port.
    const isOurs = reply && reply.status !== 401 && (reply.status === 204 || reply.json !== undefined)
    if (isOurs && reply.status < 500) return reply
    await pause(50)
  }
}

export async function playCluster(given: Chaos): Promise<Played> {
  const { seed, url } = given
  const model = watchModel(stepModel)
  await using opened = await openPlace(url, model.answer)
  const collected = join(opened.folder, 'collected.txt')
  writeFileSync(collected, '')
  const place = { ...opened, preload: PRELOAD, env: { ...opened.env, KEDGE_COLLECTED: collected } }
  model.watches(place.model)
  const world: World = {
    place,
    workers: [],
    nodes: [],
    said: [],
    random: caseRandom(seed, 1),
    read: [],
    accepted: new Map(),
    isCalm: false,
    isOver: false,
    sessions: [],
    finished: new Set(),
    calls: new Set(),
    parked: new Map(),
  }
  try {
    const played = await play(world, given, model.told)
    return { ...played, collecting: readFileSync(collected, 'utf8').trim().split('\n').length }
  } catch (error) {
    for (const { log } of [...world.workers, ...world.nodes]) world.said.push(log())
    const said = world.said.flatMap((text) => text.split('\n')).filter((line) => line !== '' && !IS_REQUEST.test(line))
    throw new Error(`seed ${seed}; what programs said last:\n${said.slice(-60).join('\n')}`, { cause: error })
  } finally {
    world.isOver = true
    // It may be starting one.
    await world.disturbed?.catch(() => undefined)
    await Promise.all([...world.workers, ...world.nodes].map((one) => one.end('SIGKILL')))
  }
}

type Told = ReadonlyMap<string, Set<string>>

async function play(world: World, given: Chaos, told: Told): Promise<Omit<Played, 'collecting'>> {
  const { place } = world
  const { seed, url } = given
  world.nodes = await Promise.all(Array.from({ length: given.nodes }, () => startNode(place)))
  world.workers = await Promise.all(
    Array.from({ length: given.workers }, (_, index) => startWorkerProgram(place, ...flagsOf(index))),
  )
  const sessions = await Promise.all(
    Array.from({ length: given.sessions }, async (): Promise<string> => {
      const { json } = await ask(world, 'POST', '/v1/sessions', { cwd: place.folder })
      return json.id
    }),
  )
  const held = await openParked(world, given.parked)
  world.sessions = sessions
  world.read = sessions.map(() => [])
  const answering = answerAll(world)
  const readers = sessions.map((session, s) => follow(world, session, world.read[s] ?? []))
  const plan = planDisturbances(caseRandom(seed, 0), given.disturbances, given, given)
  const disturbed = disturb(world, plan, given, () => world.isOver).finally(() => {
    world.isCalm = true
  })
  world.disturbed = disturbed
  const work = Promise.all(sessions.map((session, s) => drive(world, session, s, given)))
  const [disturbances, plans] = await Promise.race([Promise.all([disturbed, work]), answering, watch(world, url)])
  world.isOver = true
  await answering.catch(() => undefined)
  await Promise.all(readers)
  const settled = await settleParked(world, held)
  const all: Running[] = [...world.workers, ...world.nodes]
  const codes = await Promise.all(all.map((one) => one.end('SIGTERM')))
  assert.deepEqual(new Set(codes), new Set([0]), all.map((one) => one.log()).join('\n'))
  const { read, accepted } = world
  const evidence = {
    sessions: [...sessions, ...held.sessions],
    plans: [...plans, ...held.plans],
    read: [...read, ...settled],
    url,
    effects: place.effects,
    accepted,
    told,
  }
  return { sessions: sessions.length, parked: held.sessions.length, ...(await judge(evidence)), disturbances }
}

/** Prompts for as long as anything is disturbed, two at a time. Some are sent twice, on whichever node. */
async function drive(world: World, session: string, s: number, { seed, prompts }: Chaos): Promise<Plan[]> {
  const random = caseRandom(seed, 100 + s)
  const plans: Plan[] = []
  const isDone = (id: string) =>
    (world.read[s] ?? []).some(
      ({ kind, data }) => kind === 'prompt' && 'id' in data && data.change === 'done' && data.id === id,
    )
  const done = async (plan: Plan | undefined) => {
    while (plan && !isDone(plan.id)) {
      if (world.isOver) throw new Error('It is over.')
      await pause(100)
    }
  }
  for (let p = 0; p < prompts || !world.isCalm; p += 1) {
    const words = Array.from({ length: 1 + random.int(4) }, () => random.pick(WORDS))
    const plan: Plan = { id: `p${p}`, name: `s${s}p${p}`, words }
    const times = random.chance(0.3) ? 2 : 1
    const body = { id: plan.id, content: `${plan.name}: ${words.join(' ')}` }
    const replies = await Promise.all(
      Array.from({ length: times }, () => ask(world, 'POST', `/v1/sessions/${session}/prompts`, body)),
    )
    for (const { status, text } of replies) assert.ok(status < 300, `prompt ${plan.name}: ${status} ${text}`)
    plans.push(plan)
    await done(plans.at(-2))
  }
  await done(plans.at(-1))
  world.finished.add(s)
  return plans
}

/** All of it, page by page. */
export async function inbox(world: World): Promise<{ id: string; session: string }[]> {
  const found = []
  for (let cursor = ''; ; ) {
    const { json } = await ask(world, 'GET', `/v1/asks${cursor}`)
    found.push(...(json.asks ?? []))
    if (json.next === undefined) return found
    cursor = `?cursor=${encodeURIComponent(json.next)}`
  }
}

/** Two people at a time. Who is told that the other was first has not answered. */
async function answerAll(world: World): Promise<never> {
  while (!world.isOver) {
    const open = (await inbox(world)).filter(({ session }) => !world.parked.has(session))
    await Promise.all(
      open.flatMap(({ id, session }) =>
        [1, 2].map(async () => {
          await pause(world.random.int(300))
          const kind = world.random.chance(0.15) ? 'deny' : 'allow'
          const path = `/v1/sessions/${session}/asks/${id}/answer`
          const { status, text } = await ask(world, 'POST', path, { kind })
          assert.ok([204, 409].includes(status), `answer to ${id}: ${status} ${text}`)
          if (status === 204) world.accepted.set(id, [...(world.accepted.get(id) ?? []), kind])
        }),
      ),
    )
    // A walk over a thousand takes the nodes a while.
    await pause(100 + 2 * world.parked.size)
  }
  throw new Error('It is over.')
}

async function watch(world: World, url: string): Promise<never> {
  const last = world.read.map(() => ({ count: 0, since: Date.now() }))
  let calmSince = Number.POSITIVE_INFINITY
  for (; !world.isOver; await pause(1000)) {
    if (world.isCalm) calmSince = Math.min(calmSince, Date.now())
    for (const [s, one] of last.entries()) {
      const count = world.read[s]?.length ?? 0
      if (count !== one.count || world.finished.has(s)) Object.assign(one, { count, since: Date.now() })
      const calmMs = Date.now() - Math.max(one.since, calmSince)
      if (Date.now() - one.since > STUCK_MS.disturbed || calmMs > STUCK_MS.calm)
        throw new Error(await stuck(world, url, s, one.since))
    }
  }
  throw new Error('It is over.')
}

async function stuck({ sessions, read, calls }: World, url: string, s: number, since: number): Promise<string> {
  const readTo = new Map(sessions.map((id, n) => [id, read[n]?.at(-1)?.seq ?? 0]))
  const open = await whatIsOpen(url, readTo).catch(String)
  return `${sessions[s]}: nothing was written to its log since ${new Date(since).toISOString()}.\n${[...calls].join('\n')}\n${open}`
}

/** One reader that goes on elsewhere whenever its node is lost. */
async function follow(world: World, session: string, seen: LogEntry[]): Promise<void> {
  while (!world.isOver) {
    const stop = new AbortController()
    const watching = setInterval(() => world.isOver && stop.abort(), 100)
    try {
      const { url } = world.random.pick(world.nodes)
      const path = `${url}/v1/sessions/${session}/events?deltas=false&after=${seen.at(-1)?.seq ?? 0}`
      const reply = await fetch(path, { headers: { authorization: `Bearer ${TOKEN}` }, signal: stop.signal })
      let text = ''
      for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data !== undefined && /^id: /m.test(block)) seen.push(JSON.parse(data))
        }
      }
    } catch {
      await pause(50)
    } finally {
      clearInterval(watching)
    }
  }
}
