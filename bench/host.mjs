// A host of the library, measured from outside: does one job, given as JSON, and reports in lines of JSON.
//   first     imports, asks once, asks again and again, then keeps sessions open: what each costs
//   one       one query to its end; counts stream events; where it is told to wait, waits for a line on stdin before it asks
//   events    the same query again and again: processor time per stream event
//   late      one query to a reader who takes its messages late, or not: processor time, and the most of the heap
//   many      so many sessions of so many turns at once, kept open until a line on stdin
import { monitorEventLoopDelay } from 'node:perf_hooks'

const job = JSON.parse(process.argv[2])
const now = () => performance.timeOrigin + performance.now()
const report = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const told = () => new Promise((resolve) => process.stdin.once('data', resolve))
const cpuMs = () => Object.values(process.cpuUsage()).reduce((sum, micros) => sum + micros / 1000, 0)

const importedFrom = performance.now()
const { query } = await import(job.library)
const importMs = performance.now() - importedFrom
const options = {
  model: job.model,
  cwd: job.cwd,
  systemPrompt: 'Be brief.',
  allowedTools: ['Bash', 'Read', 'Grep'],
  ...job.options,
}

await { first, one, events, late, many }[job.kind]()
process.exit(0)

async function ask(onEvent = () => {}) {
  for await (const message of query({ prompt: job.prompt ?? 'Hi.', options })) {
    if (message.type === 'stream_event') onEvent()
    if (message.type === 'result' && message.is_error) throw new Error(JSON.stringify(message))
  }
}

async function first() {
  const asked = now()
  await ask()
  report({ importMs, asked })
  for (let i = 0; i < job.warm; i += 1) await ask()
  const before = cpuMs()
  const times = []
  for (let i = 0; i < job.further; i += 1) {
    times.push(now())
    await ask()
  }
  report({ cpuMs: (cpuMs() - before) / job.further, asked: times })
  let open
  const held = new Promise((resolve) => {
    open = resolve
  })
  const ends = []
  for (const count of [job.sessions, job.sessions]) {
    const all = openSessions(count, 1, held)
    ends.push(all.ended)
    await all.rested
    globalThis.gc?.()
    report({ sessions: count })
    await told()
  }
  open()
  await Promise.all(ends)
}

async function one() {
  if (job.waits) {
    // Not the first of its process, so that what is measured is the work alone.
    await ask()
    Object.assign(options, job.later)
    report({ asked: now() })
  }
  let firstEvent
  let lastEvent
  let count = 0
  await ask(() => {
    lastEvent = performance.now()
    firstEvent ??= lastEvent
    count += 1
  })
  report({ count, ms: lastEvent - firstEvent })
}

async function events() {
  for (let i = 0; i < job.warm; i += 1) await ask()
  // The least: a neighbor on the same core makes an event dearer, nothing makes it cheaper.
  let micros = Number.POSITIVE_INFINITY
  let count = 0
  for (let i = 0; i < job.further; i += 1) {
    count = 0
    const before = cpuMs()
    await ask(() => (count += 1))
    micros = Math.min(micros, ((cpuMs() - before) * 1000) / count)
  }
  report({ count, micros })
}

async function late() {
  await ask()
  globalThis.gc()
  const [before, heap] = [cpuMs(), process.memoryUsage().heapUsed]
  let [count, most, spent] = [0, 0, 0]
  for await (const message of query({ prompt: 'Hi.', options })) {
    if (message.type !== 'stream_event') continue
    count += 1
    if (job.isLate && count % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    if (count % 1000 !== 0) continue
    // Looking costs time of its own.
    const began = cpuMs()
    globalThis.gc()
    most = Math.max(most, process.memoryUsage().heapUsed - heap)
    spent += cpuMs() - began
  }
  report({ count, cpu: cpuMs() - before - spent, heap: most / 2 ** 20 })
}

async function many() {
  let open
  const held = new Promise((resolve) => {
    open = resolve
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const started = performance.now()
  const { rested, ended, failures } = openSessions(job.count, job.turns, held)
  await rested
  const wallMs = performance.now() - started
  delay.disable()
  report({ wallMs, p95Ms: delay.percentile(95) / 1e6, failures })
  await told()
  // What they hold when nothing happens, not what the last turns left behind.
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    // V8 gives pages back a little later.
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  report({ isIdle: true })
  await told()
  open()
  await ended
}

/** `rested`: all have had their turns and wait. */
function openSessions(count, turns, held) {
  const failures = []
  let resting = 0
  let onRest
  const rested = new Promise((resolve) => {
    onRest = resolve
  })
  const session = async () => {
    let next = () => {}
    async function* prompts() {
      for (let turn = 0; turn < turns; turn += 1) {
        const done = new Promise((resolve) => {
          next = resolve
        })
        const message = { role: 'user', content: job.prompt ?? 'Hi.' }
        yield { type: 'user', message, parent_tool_use_id: null, session_id: '' }
        await done
      }
      resting += 1
      if (resting === count) onRest()
      await held
    }
    try {
      for await (const message of query({ prompt: prompts(), options })) {
        if (message.type !== 'result') continue
        if (message.is_error) failures.push(JSON.stringify(message.errors ?? message.result))
        next()
      }
    } catch (error) {
      failures.push(error.message)
    }
  }
  const ended = Promise.all(Array.from({ length: count }, session))
  return { rested: Promise.race([rested, ended]), ended, failures }
}
