/**
 * Random disturbances against workers, nodes and the database, while sessions work: what must hold, holds. The judges trust nobody:
 * tools write to a file outside of the database, readers keep what they read, and everything has to agree.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { openDatabase } from '../../src/cluster/database/database.js'
import type { Entry } from '../../src/hub/log/entries.js'
import type { Random } from '../fuzz/random.js'
import { callNode, openPlace, type Place, type Running, startNode, startWorkerProgram, TOKEN } from './programs.js'
import { stepModel } from './step-model.js'

export type Chaos = {
  url: string
  random: Random
  workers: number
  nodes: number
  sessions: number
  prompts: number
  disturbances: number
  /** Cuts all connections to the database, or restarts it. */
  cut(): Promise<void>
  restart?: () => Promise<void>
}

export type Played = {
  prompts: number
  steps: number
  asks: number
  told: number
  disturbances: Record<string, number>
}

type Worker = Awaited<ReturnType<typeof startWorkerProgram>>
type Node = Awaited<ReturnType<typeof startNode>>
type World = { place: Place; workers: Worker[]; nodes: Node[]; random: Random; isOver: boolean }

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
const WORDS = ['step', 'step', 'step', 'risky', 'sub'] as const

/** Some node answers; one that is being replaced does not. */
async function ask(world: World, method: string, path: string, body?: unknown) {
  for (;;) {
    const node = world.random.pick(world.nodes)
    const reply = await callNode(node.url, method, path, body).catch(() => undefined)
    if (reply && reply.status < 500) return reply
    await pause(50)
  }
}

export async function playCluster(given: Chaos): Promise<Played> {
  const { random, url } = given
  await using place = await openPlace(url, stepModel)
  const world: World = { place, workers: [], nodes: [], random, isOver: false }
  world.nodes = await Promise.all(Array.from({ length: given.nodes }, () => startNode(place)))
  world.workers = await Promise.all(Array.from({ length: given.workers }, () => startWorkerProgram(place)))
  const sessions = await Promise.all(
    Array.from({ length: given.sessions }, async (): Promise<string> => {
      const { json } = await ask(world, 'POST', '/v1/sessions', { cwd: place.folder })
      return json.id
    }),
  )
  const accepted = new Map<string, number>()
  const answering = answerAll(world, accepted)
  const readers = sessions.map((session) => follow(world, session))
  const disturbed = disturb(world, given)
  const plans = sessions.map((_, s) =>
    Array.from({ length: given.prompts }, (_, p) => ({
      id: `p${p}`,
      name: `s${s}p${p}`,
      words: Array.from({ length: 2 + random.int(3) }, () => random.pick(WORDS)),
    })),
  )
  const [disturbances] = await Promise.all([
    disturbed,
    Promise.race([answering, Promise.all(sessions.map((session, s) => drive(world, session, plans[s] ?? [])))]),
  ])
  await Promise.race([answering, Promise.all(sessions.map((session, s) => ended(world, session, plans[s] ?? [])))])
  world.isOver = true
  await answering
  const read = await Promise.all(readers)
  const all: Running[] = [...world.workers, ...world.nodes]
  const codes = await Promise.all(all.map((one) => one.end('SIGTERM')))
  assert.deepEqual(new Set(codes), new Set([0]), all.map((one) => one.log()).join('\n'))
  const judged = await judge(url, place, sessions, plans, read, accepted)
  return { prompts: sessions.length * given.prompts, ...judged, disturbances }
}

type Plan = { id: string; name: string; words: readonly string[] }

/** Some are sent twice, on whichever node. */
async function drive(world: World, session: string, plan: readonly Plan[]): Promise<void> {
  for (const { id, name, words } of plan) {
    const body = { id, content: `${name}: ${words.join(' ')}` }
    const times = world.random.chance(0.3) ? 2 : 1
    const send = () => ask(world, 'POST', `/v1/sessions/${session}/prompts`, body)
    await Promise.all(Array.from({ length: times }, send))
    await pause(world.random.int(400))
  }
}

async function ended(world: World, session: string, plan: readonly Plan[]): Promise<void> {
  for (;;) {
    const { json } = await ask(world, 'GET', `/v1/sessions/${session}/log?limit=10000`)
    const entries: Entry[] = json.entries
    const done = entries.filter(({ kind, data }) => kind === 'prompt' && 'change' in data && data.change === 'done')
    if (done.length >= plan.length) return
    await pause(300)
  }
}

/** Two people at a time say yes. */
async function answerAll(world: World, accepted: Map<string, number>): Promise<void> {
  while (!world.isOver) {
    const { json } = await ask(world, 'GET', '/v1/asks')
    await Promise.all(
      (json.asks ?? []).flatMap(({ id, session }: { id: string; session: string }) =>
        [1, 2].map(async () => {
          await pause(world.random.int(300))
          const path = `/v1/sessions/${session}/asks/${id}/answer`
          const { status } = await ask(world, 'POST', path, { kind: 'allow' })
          if (status === 200) accepted.set(id, (accepted.get(id) ?? 0) + 1)
        }),
      ),
    )
    await pause(100)
  }
}

/** One reader that goes on elsewhere whenever its node is lost. */
async function follow(world: World, session: string): Promise<Entry[]> {
  const seen: Entry[] = []
  while (!world.isOver) {
    const stop = new AbortController()
    const watch = setInterval(() => world.isOver && stop.abort(), 100)
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
      clearInterval(watch)
    }
  }
  return seen
}

async function disturb(world: World, { random, disturbances, cut, restart }: Chaos): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const replace = <T extends Running>(list: T[], index: number, start: () => Promise<T>) =>
    list[index]?.end('SIGKILL').then(async () => {
      list[index] = await start()
    })
  const kinds = [
    'kill worker',
    'kill worker',
    'kill worker',
    'pause worker',
    'kill node',
    'cut',
    ...(restart ? ['restart'] : []),
  ]
  for (let n = 0; n < disturbances; n += 1) {
    await pause(200 + random.int(2500))
    const kind = random.pick(kinds)
    counts[kind] = (counts[kind] ?? 0) + 1
    const worker = random.int(world.workers.length)
    if (kind === 'kill worker') await replace(world.workers, worker, () => startWorkerProgram(world.place))
    if (kind === 'kill node') await replace(world.nodes, random.int(world.nodes.length), () => startNode(world.place))
    if (kind === 'cut') await cut()
    if (kind === 'restart') await restart?.()
    if (kind === 'pause worker') {
      const { child } = world.workers[worker] ?? {}
      child?.kill('SIGSTOP')
      await pause(500 + random.int(6000))
      child?.kill('SIGCONT')
    }
  }
  return counts
}

async function judge(
  url: string,
  place: Place,
  sessions: readonly string[],
  plans: readonly Plan[][],
  read: readonly Entry[][],
  accepted: ReadonlyMap<string, number>,
): Promise<Pick<Played, 'steps' | 'asks' | 'told'>> {
  const effects = readFileSync(place.effects, 'utf8').split('\n').filter(Boolean)
  const twice = effects.filter((line, index) => effects.indexOf(line) !== index)
  assert.deepEqual(twice, [], 'steps that were taken twice')
  const database = await openDatabase({ url, connections: 1 })
  let told = 0
  let asks = 0
  for (const [s, session] of sessions.entries()) {
    const rows = await database
      .as('default')
      .query<{ body: string }>('select body from kedge.events where session = $1 order by seq', [session])
    const entries = rows.map(({ body }): Entry => JSON.parse(body))
    const numbers = entries.map(({ seq }) => seq)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
      `gaps in ${session}`,
    )
    // It may have been told to stop before the last of them.
    const seen = read[s] ?? []
    assert.deepEqual(seen, entries.slice(0, seen.length), `what a reader of ${session} has`)
    for (const { id, name, words } of plans[s] ?? []) {
      const changes = entries.flatMap(({ kind, data }) =>
        kind === 'prompt' && ('id' in data ? data.id === id : 'prompt' in data && data.prompt.id === id)
          ? [data.change]
          : [],
      )
      assert.deepEqual(changes, ['queued', 'started', 'done'], `${session} ${id}`)
      for (const [step, word] of words.entries()) {
        if (word === 'sub' || effects.includes(`${name}.${step}`)) continue
        const result = resultOf(entries, `toolu_${name}_${step}`)
        assert.match(
          result,
          /not run|may or may not|withdrawn|interrupted/i,
          `${name}.${step} was not taken, and nobody said so`,
        )
        told += 1
      }
    }
    const results = entries.filter(({ kind, data }) => kind === 'message' && 'type' in data && data.type === 'result')
    assert.equal(results.length, plans[s]?.length, `results of ${session}`)
    const asked = new Set(entries.flatMap(({ kind, data }) => (kind === 'ask' && 'id' in data ? [data.id] : [])))
    const closed = new Set(entries.flatMap(({ data }) => ('ask' in data ? [data.ask] : [])))
    assert.deepEqual(asked, closed, `asks of ${session} that nobody has closed`)
    asks += asked.size
  }
  assert.ok(
    [...accepted.values()].every((count) => count <= 1),
    'an ask was answered twice',
  )
  await database.close()
  return { steps: effects.length, asks, told }
}

/** What the model was told about a call. */
function resultOf(entries: readonly Entry[], id: string): string {
  for (const { kind, data } of entries) {
    if (kind !== 'message' || !('type' in data) || data.type !== 'user') continue
    const { content } = data.message
    if (typeof content === 'string') continue
    for (const block of content)
      if (block.type === 'tool_result' && block.tool_use_id === id) return JSON.stringify(block)
  }
  return ''
}
