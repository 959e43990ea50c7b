/**
 * Random interleavings of everything a stage is used for: prompts, steers, two people who answer at once, interrupts, readers who come
 * late, restarts, and processes that vanish. Whatever happens, the log is whole, and every prompt and every ask ends once.
 * A program: `SEED RUNS`. The test runner's bookkeeping of promises would take half of its time.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHub } from '../../src/hub/create-hub.js'
import type { Hub } from '../../src/hub/hub.js'
import type { HubStore } from '../../src/hub/log/log-store.js'
import { memoryLogStore } from '../../src/hub/log/memory-log-store.js'
import type { AskAnswer } from '../../src/protocol/session-log/ask-types.js'
import type { LogEntry, LogItem } from '../../src/protocol/session-log/entries.js'
import { caseRandom, type Random } from '../fuzz/random.js'

/** So many at a time: most of a run is waiting for others. */
const WIDTH = 8

const home = mkdtempSync(join(tmpdir(), 'kedge-hub-'))
process.env['CLAUDE_CONFIG_DIR'] = join(home, '.claude')

/** A store whose writers can be cut off, as if their process were gone. */
function fragileStore(): HubStore & { crash(): void } {
  const store = memoryLogStore(Date.now)
  let releases: (() => Promise<void>)[] = []
  let life = 0
  return {
    ...store,
    async open(place) {
      const mine = life
      const writer = await store.open(place)
      releases.push(() => writer.release())
      return {
        ...writer,
        last: writer.last,
        append: (entries) =>
          mine === life ? writer.append(entries) : Promise.reject(new Error('the process is gone')),
        summarize: async () => {},
      }
    },
    crash() {
      life += 1
      for (const release of releases) void release()
      releases = []
    },
  }
}

type Run = {
  random: Random
  cwd: string
  store: ReturnType<typeof fragileStore>
  hub: Hub
  session: string
  sent: Set<string>
  /** Who was told that their answer counts, by ask. */
  accepted: Map<string, string[]>
  readers: Promise<LogEntry[]>[]
  over: AbortController
}

function newHub(run: Pick<Run, 'store' | 'cwd'>): Hub {
  const env = { PATH: process.env['PATH'], HOME: home, CLAUDE_CONFIG_DIR: process.env['CLAUDE_CONFIG_DIR'] }
  return createHub({ store: run.store, options: { model: 'practice', cwd: run.cwd, env } })
}

/** Follows the log through restarts, as somebody does who reconnects with the last number they saw. */
async function follow(run: Run, from: number): Promise<LogEntry[]> {
  const seen: LogEntry[] = []
  while (!run.over.signal.aborted) {
    const { hub } = run
    try {
      for await (const item of hub.read(run.session, { after: seen.at(-1)?.seq ?? from, signal: run.over.signal })) {
        if (item.kind !== 'delta') seen.push(item)
        answerMaybe(run, hub, item)
      }
    } catch {
      // That process is gone; the next one has the rest.
    }
    await new Promise(setImmediate)
  }
  return seen
}

const ANSWERS: AskAnswer[] = [
  { kind: 'allow' },
  { kind: 'deny' },
  { kind: 'deny', stop: true },
  { kind: 'deny', message: 'No.' },
]

/** Both people try; who is first is up to chance. */
function answerMaybe(run: Run, hub: Hub, item: LogItem): void {
  if (item.kind !== 'ask') return
  const { id } = item.data
  for (const name of ['Ada', 'Bob']) {
    const answer = run.random.pick(ANSWERS)
    const go = () =>
      hub.answer(run.session, id, answer, { name }).then(
        (told) => {
          if (told === 'accepted') run.accepted.set(id, [...(run.accepted.get(id) ?? []), name])
        },
        () => {},
      )
    setTimeout(go, run.random.int(4))
  }
}

const STEPS: Record<string, (run: Run, n: number) => Promise<unknown>> = {
  queue: (run, n) => send(run, n, 'queue'),
  steer: (run, n) => send(run, n, 'steer'),
  twice: async (run, n) => Promise.all([send(run, n, 'queue'), send(run, n, 'queue')]),
  interrupt: (run) => run.hub.interrupt(run.session),
  stopAll: (run) => run.hub.interrupt(run.session, 'all'),
  reorder: async (run) =>
    run.hub.reorder(run.session, (await run.hub.queue(run.session)).map(({ id }) => id).reverse()),
  remove: async (run) => {
    const [first] = await run.hub.queue(run.session)
    if (first) await run.hub.removePrompt(run.session, first.id)
  },
  join: async (run) => void run.readers.push(follow(run, 0)),
  joinLate: async (run) => {
    const { seq } = await run.hub.info(run.session)
    run.readers.push(follow(run, run.random.int(seq + 1)))
  },
  wait: (run) => new Promise((resolve) => setTimeout(resolve, run.random.int(15))),
  restart: async (run) => {
    const { hub } = run
    run.hub = newHub(run)
    await hub.end()
    await run.hub.resumeTurn(run.session)
  },
  crash: async (run) => {
    const { hub } = run
    run.store.crash()
    run.hub = newHub(run)
    void hub.end()
    await run.hub.resumeTurn(run.session)
  },
}
/** Restarts are rarer than what happens between them. */
const NAMES = Object.keys(STEPS).flatMap((name) => (/restart|crash|stopAll/.test(name) ? [name] : [name, name, name]))

async function send(run: Run, n: number, when: 'queue' | 'steer') {
  const id = `p${n}`
  const content = run.random.int(3) === 0 ? 'help' : `create f${n}.txt with x`
  await run.hub.send(run.session, { id, content, when })
  run.sent.add(id)
}

async function play(seed: number): Promise<void> {
  const random = caseRandom(0, seed)
  const cwd = mkdtempSync(join(home, 'project-'))
  const store = fragileStore()
  const hub = newHub({ store, cwd })
  const session = (await hub.create({ cwd })).id
  const run: Run = {
    random,
    cwd,
    store,
    hub,
    session,
    sent: new Set(),
    accepted: new Map(),
    readers: [],
    over: new AbortController(),
  }
  run.readers.push(follow(run, 0))
  const steps = ['queue', ...Array.from({ length: 2 + random.int(5) }, () => random.pick(NAMES))]
  for (const [n, name] of steps.entries()) await STEPS[name]?.(run, n)?.catch?.(isExpected)
  await settled(run)
  const log: LogEntry[] = []
  for await (const entries of store.read(session, 0)) log.push(...entries)
  run.over.abort()
  const what = `seed ${seed}: ${steps.join(' ')}`
  for (const seen of await Promise.all(run.readers)) checkReader(seen, log, what)
  checkLog(log, run, what)
  await run.hub.end()
  rmSync(cwd, { recursive: true, force: true })
}

/** A prompt may be given to the agent just when it is to be removed; the store of a process that is gone takes nothing. */
function isExpected(error: unknown): void {
  const { code, message } = error as { code?: string; message: string } // whatever the hub threw
  if (code === 'prompt_not_found' || code === 'session_closed' || /process is gone|was closed/.test(message)) return
  throw error
}

async function settled(run: Run): Promise<void> {
  const isQuiet = async () => {
    const { status, waiting, asks } = await run.hub.info(run.session)
    return (status === 'idle' || status === 'error') && waiting === 0 && asks === 0
  }
  for (let looks = 0; !(await isQuiet()); looks += 1) {
    if (looks > 2000) assert.fail(`never at rest: ${JSON.stringify(await run.hub.info(run.session))}`)
    if (looks % 20 === 0) await run.hub.resumeTurn(run.session)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function checkReader(seen: readonly LogEntry[], log: readonly LogEntry[], what: string): void {
  const first = seen[0]?.seq ?? 1
  assert.deepEqual(seen, log.slice(first - 1, first - 1 + seen.length), what)
}

function checkLog(log: readonly LogEntry[], { sent, accepted, cwd }: Run, what: string): void {
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, n) => n + 1),
    what,
  )
  const results = new Set(
    log.flatMap((entry) => (entry.kind === 'message' && entry.data.type === 'result' ? [entry.data.uuid] : [])),
  )
  const ends = new Map<string, string[]>()
  const taken: string[] = []
  for (const { kind, data } of log) {
    if (kind !== 'prompt' || data.change === 'reordered') continue
    if (data.change === 'queued') taken.push(data.prompt.id)
    else if (data.change !== 'started') ends.set(data.id, [...(ends.get(data.id) ?? []), data.change])
    if (data.change === 'done') assert.ok(results.has(data.result as never), `${what}: ${data.id} has no result`)
  }
  assert.deepEqual(taken.length, new Set(taken).size, `${what}: a prompt was taken twice`)
  for (const id of sent) assert.ok(taken.includes(id), `${what}: ${id} is lost`)
  for (const id of taken) assert.equal(ends.get(id)?.length, 1, `${what}: ${id} ended ${ends.get(id)?.join(', ')}`)
  for (const { kind, data } of log) {
    if (kind !== 'ask') continue
    const answers = log.filter((entry) => entry.kind === 'answered' && entry.data.ask === data.id)
    const withdrawn = log.filter((entry) => entry.kind === 'withdrawn' && entry.data.ask === data.id)
    assert.equal(answers.length + withdrawn.length, 1, `${what}: ask ${data.id}`)
    const [answer] = answers
    const told = accepted.get(data.id) ?? []
    if (told.length > 0) assert.deepEqual(told, [answer?.kind === 'answered' && answer.data.by.name], what)
    // Nothing but a yes makes a file.
    const path = String(data.tool?.input['file_path'])
    const isAllowed = log.some(
      (entry) =>
        entry.kind === 'answered' && entry.data.answer.kind === 'allow' && asksFor(log, entry.data.ask) === path,
    )
    if (!isAllowed)
      assert.equal(existsSync(join(cwd, path.slice(path.lastIndexOf('/') + 1))), false, `${what}: ${path}`)
  }
}

function asksFor(log: readonly LogEntry[], ask: string): string | undefined {
  const entry = log.find(({ kind, data }) => kind === 'ask' && data.id === ask)
  return entry?.kind === 'ask' ? String(entry.data.tool?.input['file_path']) : undefined
}

const seed = Number(process.argv[2])
const runs = Number(process.argv[3])
let next = seed
const work = async () => {
  while (next < seed + runs) {
    const one = next
    next += 1
    await play(one)
  }
}
try {
  await Promise.all(Array.from({ length: WIDTH }, work))
  console.log(`${runs} interleavings, every log whole`)
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(0)
