/**
 * Random schedules against a server: prompts, two people who answer at once, readers whose connections are cut, who are slow or
 * vanish, restarts in order and processes that are gone from one moment to the next. Whatever happens, every reader has every
 * entry once, in order, and every ask one answer. A program: `SEED RUNS`. (An agent that was cut off here may still hold its
 * conversation, because its process is not really gone: then the next prompt is an error.)
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { createClient } from '../../src/client/create-client.js'
import type { HubStore } from '../../src/hub/log/log-store.js'
import { memoryLogStore } from '../../src/hub/log/memory-log-store.js'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { buildServer, type KedgeServer } from '../../src/server/build-server.js'
import { caseRandom, type Random } from '../fuzz/random.js'
import { type Anything, send } from './serving.js'

const WIDTH = 10
const SESSIONS = 2
const home = mkdtempSync(join(tmpdir(), 'kedge-chaos-'))
process.env['CLAUDE_CONFIG_DIR'] = join(home, '.claude')

type FragileStore = HubStore & { crash(): void; whole: HubStore }

/** A store whose writers can be cut off, as if their process were gone. */
function fragileStore(): FragileStore {
  const whole = memoryLogStore(Date.now)
  let releases: (() => Promise<void>)[] = []
  let life = 0
  return {
    ...whole,
    whole,
    async open(place) {
      const mine = life
      const writer = await whole.open(place)
      releases.push(() => writer.release())
      return {
        ...writer,
        last: writer.last,
        append: (entries) =>
          mine === life ? writer.append(entries) : Promise.reject(new Error('the process is gone')),
        summarize: (summary) => (mine === life ? writer.summarize(summary) : Promise.resolve()),
      }
    },
    crash() {
      life += 1
      for (const release of releases) void release()
      releases = []
    },
  }
}

type Reader = {
  session: string | undefined
  kind: 'client' | 'socket'
  seen: (LogEntry & { all?: number })[]
  done: Promise<void>
}
type Run = {
  random: Random
  cwd: string
  folder: string
  store: FragileStore
  server: KedgeServer
  url: string
  sessions: string[]
  accepted: Map<string, string[]>
  readers: Reader[]
  over: boolean
  cut: Set<() => void>
}

async function start(run: Pick<Run, 'store' | 'cwd' | 'folder'>): Promise<Pick<Run, 'server' | 'url'>> {
  const env = { PATH: process.env['PATH'], HOME: home, CLAUDE_CONFIG_DIR: process.env['CLAUDE_CONFIG_DIR'] }
  const options = { model: 'practice', env }
  const server = buildServer({ port: 0, roots: [run.cwd], folder: run.folder, options }, { store: run.store })
  return { server, url: (await server.listen()).url }
}

const call = ({ url, server }: Run, method: string, path: string, body?: unknown) =>
  send(
    url,
    method,
    path,
    { authorization: `Bearer ${server.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body === undefined ? '' : JSON.stringify(body),
  ).catch(() => undefined)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Follows through whatever happens, as a client does: again from the last number it has. */
async function follow(run: Run, reader: Reader): Promise<void> {
  const { session, kind, seen } = reader
  const path = session === undefined ? '/v1/events' : `/v1/sessions/${session}/events`
  while (!run.over) {
    const last = seen.at(-1)
    const after = (session === undefined ? last?.all : last?.seq) ?? 0
    try {
      for await (const item of kind === 'client' ? byClient(run, session, after) : socket(run, path, after)) {
        if (item.kind === 'delta') continue
        seen.push(item)
        answerMaybe(run, item)
        if (run.random.int(12) === 0) await pause(run.random.int(8))
        if (run.random.int(20) === 0 || run.over) break
      }
    } catch {
      // The connection or the server is gone.
    }
    await pause(3)
  }
}

/** The client goes on by itself through cuts and restarts, and ends with the run. */
async function* byClient(run: Run, session: string | undefined, after: number): AsyncGenerator<Anything, void> {
  const stop = new AbortController()
  const { signal } = stop
  const end = () => {
    if (run.over) stop.abort()
  }
  run.cut.add(end)
  end()
  const client = createClient({
    url: 'http://server.test',
    token: () => run.server.token,
    backoff: { firstMs: 1, longestMs: 5 },
    async fetch(input, init) {
      const broken = new AbortController()
      const cut = () => broken.abort()
      run.cut.add(cut)
      init?.signal?.addEventListener('abort', cut, { once: true })
      return fetch(String(input).replace('http://server.test', run.url), { ...init, signal: broken.signal })
    },
  })
  try {
    const batches =
      session === undefined ? client.readAll({ after, signal }) : client.readSome(session, { after, signal })
    for await (const items of batches) yield* items
  } finally {
    run.cut.delete(end)
    await client.end()
  }
}

async function* socket(run: Run, path: string, after: number) {
  const { url, server, cut } = run
  const ws = new WebSocket(`${url.replace('http', 'ws')}${path}?after=${after}`, {
    headers: { authorization: `Bearer ${server.token}` },
  })
  const items: (LogEntry & { kind: string })[] = []
  let wake = () => {}
  let isOver = false
  const end = () => {
    isOver = true
    wake()
  }
  ws.on('message', (data) => {
    items.push(...JSON.parse(String(data)))
    wake()
  })
  ws.on('close', end).on('error', end)
  const cutOff = () => ws.terminate()
  cut.add(cutOff)
  if (run.over) cutOff()
  try {
    for (;;) {
      while (items.length > 0) yield items.shift() as LogEntry & { kind: string }
      if (isOver) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    cut.delete(cutOff)
    ws.terminate()
  }
}

function answerMaybe(run: Run, item: LogEntry): void {
  if (item.kind !== 'ask') return
  const { id, session } = item.data
  for (const name of ['Ada', 'Bob']) {
    const kind = run.random.pick(['allow', 'deny'])
    void pause(run.random.int(5)).then(async () => {
      const reply = await call(run, 'POST', `/v1/sessions/${session}/asks/${id}/answer`, { kind })
      if (reply?.status === 204) run.accepted.set(id, [...(run.accepted.get(id) ?? []), name])
    })
  }
}

async function restart(run: Run, isCrash: boolean): Promise<void> {
  const { server } = run
  if (isCrash) {
    run.store.crash()
    for (const cut of run.cut) cut()
    void server.close().catch(() => {})
  } else await server.close()
  Object.assign(run, await start(run))
}

async function play(seed: number, index: number): Promise<void> {
  const random = caseRandom(seed, index)
  const cwd = join(home, `project-${index}`)
  mkdirSync(cwd)
  const base = { random, cwd, folder: join(home, `server-${index}`), store: fragileStore() }
  const run: Run = {
    ...base,
    ...(await start(base)),
    sessions: [],
    readers: [],
    over: false,
    accepted: new Map(),
    cut: new Set(),
  }
  for (let n = 0; n < SESSIONS; n += 1) run.sessions.push((await call(run, 'POST', '/v1/sessions', { cwd }))?.json.id)
  for (const session of [...run.sessions, undefined]) {
    for (const kind of ['client', 'socket'] as const) {
      const reader: Reader = { session, kind, seen: [], done: Promise.resolve() }
      reader.done = follow(run, reader)
      run.readers.push(reader)
    }
  }
  const sent: string[] = []
  const steps = 3 + random.int(5)
  for (let n = 0; n < steps; n += 1) {
    const session = random.pick(run.sessions)
    const step = random.pick(['send', 'send', 'send', 'cut', 'interrupt', 'restart', 'crash', 'wait'])
    if (step === 'send') {
      const content = random.pick(['hello', `create ${n}.txt with x`])
      const when = random.pick(['queue', 'steer'])
      const reply = await call(run, 'POST', `/v1/sessions/${session}/prompts`, { id: `p${n}`, content, when })
      if (reply?.status === 202) sent.push(`${session} p${n}`)
    } else if (step === 'cut') for (const cut of run.cut) cut()
    else if (step === 'interrupt') await call(run, 'POST', `/v1/sessions/${session}/interrupt`, {})
    else if (step === 'wait') await pause(random.int(60))
    else await restart(run, step === 'crash')
  }
  await settle(run)
  await check(run, sent)
  await run.server.close()
}

/** Until nothing runs or waits, and every reader has the last entry. */
async function settle(run: Run): Promise<void> {
  for (;;) {
    const asks: { id: string; session: string }[] = (await call(run, 'GET', '/v1/asks'))?.json?.asks ?? []
    for (const { id, session } of asks) {
      const reply = await call(run, 'POST', `/v1/sessions/${session}/asks/${id}/answer`, { kind: 'deny' })
      if (reply?.status === 204) run.accepted.set(id, [...(run.accepted.get(id) ?? []), 'last'])
    }
    const infos = await Promise.all(
      run.sessions.map(async (id) => (await call(run, 'GET', `/v1/sessions/${id}`))?.json),
    )
    for (const { id, waiting } of infos) if (waiting > 0) await call(run, 'POST', `/v1/sessions/${id}/resume`)
    const isQuiet =
      asks.length === 0 && infos.every(({ status, waiting }) => /idle|error/.test(status) && waiting === 0)
    const total = infos.reduce((sum, { seq }) => sum + seq, 0)
    const isRead = run.readers.every(({ session, seen }) =>
      session === undefined
        ? seen.length >= total
        : (seen.at(-1)?.seq ?? 0) >= infos.find(({ id }) => id === session)?.seq,
    )
    if (isQuiet && isRead) break
    await pause(50)
  }
  run.over = true
  for (const cut of run.cut) cut()
  await Promise.all(run.readers.map(({ done }) => done))
}

async function check(run: Run, sent: readonly string[]): Promise<void> {
  const logs = new Map<string, LogEntry[]>()
  for (const session of run.sessions) {
    const log: LogEntry[] = []
    for await (const entries of run.store.whole.read(session, 0)) log.push(...entries)
    logs.set(session, log)
  }
  for (const { session, kind, seen } of run.readers) {
    const plain = seen.map(({ all: _, ...entry }) => entry)
    if (session !== undefined) assert.deepEqual(plain, logs.get(session), `${kind} of a session`)
    else {
      const numbers = seen.map(({ all }) => all ?? 0)
      assert.deepEqual(
        numbers,
        numbers.map((_, n) => n + 1),
        `numbers of ${kind}`,
      )
      for (const [id, log] of logs)
        assert.deepEqual(
          plain.filter((entry) => entry.session === id),
          log,
          `${kind} of all`,
        )
    }
  }
  const entries = [...logs.values()].flat()
  for (const entry of entries) {
    if (entry.kind !== 'ask') continue
    const answers = entries.filter(
      ({ kind, data }) => kind === 'answered' && (data as { ask: string }).ask === entry.data.id,
    )
    assert.ok(answers.length <= 1)
    assert.ok((run.accepted.get(entry.data.id)?.length ?? 0) <= answers.length, 'two were told that theirs counts')
  }
  for (const prompt of sent) {
    const [session = '', id = ''] = prompt.split(' ')
    const ends = (logs.get(session) ?? []).filter(
      ({ kind, data }) =>
        kind === 'prompt' && 'id' in data && data.id === id && 'change' in data && data.change !== 'started',
    )
    assert.equal(ends.length, 1, prompt)
  }
}

const [, , seed = '1', runs = '50'] = process.argv
const lanes = Array.from({ length: WIDTH }, async (_, lane) => {
  for (let index = lane; index < Number(runs); index += WIDTH) {
    await play(Number(seed), index).catch((error) => {
      process.stderr.write(`schedule ${index} of seed ${seed}\n`)
      throw error
    })
  }
})
await Promise.all(lanes)
process.stdout.write(`${runs} schedules, every reader has everything\n`)
rmSync(home, { recursive: true, force: true, maxRetries: 5 })
process.exit(0)
