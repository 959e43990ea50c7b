// What `npm run bench` measures, part by part. A part gets the world (the model, a home) and returns how to measure one subject once:
// figures by name. Which row of the table shows which figure, and what we aim at, stands in rows.mjs.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { growTree } from './search-tree.mjs'
import { answer, gaps, MODEL, now } from './support/model.mjs'
import { bedrockAnswer, chatAnswer, responsesAnswer } from './support/other-apis.mjs'
import { cpuSeconds, endedCpuSeconds, hasProc, pssMegabytes, pssOf, watchPss } from './support/processes.mjs'
import { sessionFolder, writeSession } from './support/session-file.mjs'
import { median } from './support/statistics.mjs'
import { start, startHost } from './support/subjects.mjs'

const HELLO = answer('Hello.')
const DONE = answer('Done.')
const DELTAS = 20_000
const CALLS = 40
const TURNS = 400
const CROWD = 20
const SESSION_BYTES = 20 * 1024 * 1024

/** One run of a subject, in-process or spawned alike: what it does is what the model tells it to. */
function begin(subject, world, run, more = {}) {
  if (!subject.isHost) return start(subject, { ...world, url: run.url, ...more })
  const options = { includePartialMessages: more.partial ?? false }
  return startHost(
    { kind: 'one', model: MODEL, options, ...more.job },
    { ...world, url: run.url, cwd: more.cwd ?? world.cwd },
  )
}

/** A: from nothing to the first request, and a whole run of one turn. */
export function coldStart(world) {
  return async (subject) => {
    if (subject.isHost) return firstQueries(world)
    const run = world.model.run(() => HELLO)
    const started = now()
    await start(subject, { ...world, url: run.url }).ended
    const startMs = run.requests[0] - started
    // Once more for what it uses: measuring costs time.
    const timed = start(subject, { ...world, url: run.url, isTimed: hasProc })
    const memory = watchPss([timed.pid])
    await timed.ended
    const cpu = hasProc ? await timed.cpu : undefined
    run.end()
    return { startMs, cpu, pss: memory.end(), ...(subject.isOriginal ? {} : await freshStart(subject, world)) }
  }
}

/** The same in a home that nobody has used: a container, a job of CI, a test. */
async function freshStart(subject, world) {
  const home = mkdtempSync(join(world.home, 'fresh-'))
  const run = world.model.run(() => HELLO)
  const started = now()
  await start(subject, { ...world, env: { ...world.env, HOME: home }, url: run.url }).ended
  run.end()
  return { freshMs: run.requests[0] - started }
}

async function firstQueries(world) {
  const run = world.model.run(() => HELLO)
  const host = startHost(
    { kind: 'first', model: MODEL, warm: 20, further: 20, sessions: 20 },
    { ...world, url: run.url },
    ['--expose-gc'],
  )
  const { importMs, asked } = await host.next()
  const startMs = run.requests[0] - asked
  const further = await host.next()
  const furtherMs = median(further.asked.map((time, index) => run.requests[21 + index] - time))
  // The second twenty: the first ones find room that earlier work left, or make the heap grow for all.
  const { sessions } = await host.next()
  const before = pssOf(host.pid)
  host.go()
  await host.next()
  const pss = hasProc ? (pssOf(host.pid) - before) / sessions : undefined
  host.go()
  await host.ended
  run.end()
  return { importMs, startMs, furtherMs, cpu: further.cpuMs / 1000, pss }
}

/** B: what lies between an answer that calls a tool and the next request. */
export function toolTurns(world) {
  const path = join(world.cwd, 'notes.txt')
  writeFileSync(path, 'a line of text as programs have it\n'.repeat(40))
  const calls = {
    bash: answerTo('Bash', { command: 'echo hello', description: 'Say hello' }),
    read: answerTo('Read', { file_path: path }),
  }
  return async (subject) => {
    const figures = {}
    for (const [name, call] of Object.entries(calls)) {
      const run = world.model.run((n) => (n <= CALLS ? call() : DONE))
      await begin(subject, world, run).ended
      run.end()
      // The first few compile.
      figures[name] = median(gaps(run).slice(10))
    }
    return figures
  }
}

/** A call with an id of its own each time. */
function answerTo(name, input) {
  return () => answer({ name, input })
}

/** C: how fast text comes through, piece by piece. */
export function textDeltas(world) {
  const text = answer({ deltas: DELTAS })
  return async (subject) => {
    const run = world.model.run(() => text)
    let first
    let last
    let count = 0
    const onLine = (line) => {
      if (JSON.parse(line).type !== 'stream_event') return
      last = performance.now()
      first ??= last
      count += 1
    }
    const started = begin(subject, world, run, { partial: true, onLine })
    const report = subject.isHost ? await started.next() : undefined
    await started.ended
    run.end()
    const events = report?.count ?? count
    if (events < DELTAS) throw new Error(`${subject.name}: ${events} of ${DELTAS} events came`)
    return { perSecond: (events * 1000) / (report?.ms ?? last - first) }
  }
}

/** What an event costs through each API, from the socket to the reader, in one process each. */
export function apis(world) {
  const all = {
    messages: { bytes: answer({ deltas: DELTAS }) },
    responses: { bytes: responsesAnswer(DELTAS), model: 'bench/m', api: 'responses' },
    chat: { bytes: chatAnswer(DELTAS), model: 'bench/m', api: 'chat' },
    bedrock: {
      bytes: bedrockAnswer(DELTAS),
      env: (url) => ({
        CLAUDE_CODE_USE_BEDROCK: '1',
        CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1',
        AWS_REGION: 'us-east-1',
        ANTHROPIC_BEDROCK_BASE_URL: url,
      }),
    },
  }
  return async () => {
    const figures = {}
    for (const [name, { bytes, model = MODEL, api, env }] of Object.entries(all)) {
      const run = world.model.run(() => bytes)
      const settings = api && { modelProviders: { bench: { api, baseUrl: `${run.url}/v1` } } }
      const options = { includePartialMessages: true, ...(settings && { settings }) }
      const host = startHost(
        { kind: 'events', model, options, warm: 3, further: 8 },
        { ...world, env: { ...world.env, ...env?.(run.url) }, url: run.url },
      )
      const { count, micros } = await host.next()
      await host.ended
      run.end()
      if (count < DELTAS) throw new Error(`${name}: ${count} of ${DELTAS} events came`)
      figures[name] = micros
    }
    const { messages, ...others } = figures
    const times = Object.entries(others).map(([name, micros]) => [`${name}Times`, micros / messages])
    return { messagesMicros: messages, ...Object.fromEntries(times) }
  }
}

/** D: twenty at once, each in its first turn. The model answers when all have asked, and their memory was looked at. */
export function crowd(world) {
  return async (subject) => {
    const before = endedCpuSeconds()
    let asked = 0
    let release
    const all = new Promise((resolve) => {
      release = resolve
    })
    const memory = watchPss([process.pid], 250)
    const own = pssOf(process.pid)
    const run = world.model.run(async () => {
      asked += 1
      if (asked === CROWD) memory.look()
      if (asked === CROWD) release()
      await all
      return HELLO
    })
    if (subject.isHost) {
      const host = startHost({ kind: 'many', model: MODEL, count: CROWD, turns: 1 }, { ...world, url: run.url })
      const { failures } = await host.next()
      if (failures.length > 0) throw new Error(failures[0])
      host.go()
      await host.next()
      host.go()
      await host.ended
    } else {
      await Promise.all(Array.from({ length: CROWD }, () => start(subject, { ...world, url: run.url }).ended))
    }
    run.end()
    const peak = memory.end()
    if (!hasProc) return {}
    return { cpuEach: (endedCpuSeconds() - before) / CROWD, pssAll: peak - own }
  }
}

/** E: one long conversation, tool calls all the way. */
export function longConversation(world) {
  const path = join(world.cwd, 'page.txt')
  writeFileSync(path, 'a line of text as programs have it\n'.repeat(60))
  const calls = [
    answerTo('Bash', { command: 'echo hello', description: 'Say hello' }),
    answerTo('Read', { file_path: path }),
  ]
  return async (subject) => {
    const marks = {}
    const run = world.model.run((n) => {
      if ([1, 51, 351, TURNS + 1].includes(n)) marks[n] = cpuSeconds(started.pid)
      return n <= TURNS ? calls[n % 2]() : DONE
    })
    const started = begin(subject, world, run)
    await started.ended
    run.end()
    if (!hasProc) return {}
    const perTurn = (from, to) => ((marks[to] - marks[from]) * 1000) / (to - from)
    const late = perTurn(351, TURNS + 1)
    return { turnCpu: perTurn(1, TURNS + 1), early: perTurn(1, 51), late, growth: late / perTurn(1, 51) }
  }
}

/** F: a session of 20 MB, up to its first request. Every run has a copy of its own. */
export function resume(world) {
  const folder = sessionFolder(world.home, world.cwd)
  const id = randomUUID()
  const kept = join(world.home, 'kept.jsonl')
  copyFileSync(writeSession(folder, world.cwd, id, SESSION_BYTES), kept)
  const path = join(folder, `${id}.jsonl`)
  const measure = async (subject) => {
    copyFileSync(kept, path)
    const run = world.model.run(() => DONE)
    const job = { waits: true, later: { resume: id } }
    const began = now()
    const started = begin(subject, world, run, { resume: { id, path }, job })
    const asked = subject.isHost ? (await started.next()).asked : began
    await started.ended
    run.end()
    return { resumeMs: run.requests.at(-1) - asked }
  }
  measure.dispose = () => {
    rmSync(kept)
    rmSync(path)
  }
  return measure
}

/** G: a search through 50,000 files, as a whole turn. */
export async function search(world) {
  const tree = growTree(50_000)
  const { rgPath: rg } = await import('@vscode/ripgrep')
  const call = answerTo('Grep', { pattern: 'needle_in_the_haystack' })
  const measure = async (subject) => {
    const run = world.model.run((n) => (n <= 3 ? call() : DONE))
    await begin(subject, world, run, { cwd: tree.root, rg }).ended
    run.end()
    return { grepMs: median(gaps(run)) }
  }
  measure.dispose = tree.dispose
  return measure
}

/** Two hundred in one host, five turns each. */
export function manySessions(world) {
  return async () => measureMany(world, { count: 200, turns: 5 })
}

/** The same with a thousand. */
export function thousandSessions(world) {
  return async () => measureMany(world, { count: 1000, turns: 5 })
}

/** Sessions side by side in one host: also for bench/agents.mjs. `job` says how many, with which library and options. */
export async function measureMany(world, job, answerFor = () => HELLO) {
  const run = world.model.run(answerFor)
  const host = startHost({ kind: 'many', model: MODEL, ...job }, { ...world, url: run.url }, ['--expose-gc'])
  const memory = watchPss([host.pid], 250)
  const { wallMs, p95Ms, failures } = await host.next()
  const cpu = cpuSeconds(host.pid)
  memory.look()
  host.go()
  await host.next()
  const idle = hasProc ? pssMegabytes(host.pid) : undefined
  host.go()
  await host.ended
  run.end()
  if (failures.length > 0) throw new Error(`${failures.length} sessions failed: ${failures[0]}`)
  return { wallMs, p95Ms, cpu, idle, peak: memory.end() }
}

/** What bare Node takes to show a prompt on a terminal and to show a key. */
const BARE_PROMPT =
  "process.stdin.setRawMode(true).on('data',(key)=>process.stdout.write(String(key)+'.'));process.stdout.write('ready')"

/** From nothing to a prompt on a pseudo-terminal that has taken a key and shows it. */
export function prompt(world) {
  return async (subject) => {
    const command = subject.isFloor ? [process.execPath, '-e', BARE_PROMPT] : subject.command
    const shell = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    const env = { ...world.env, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
    const started = now()
    const child = spawn('script', ['-qec', `exec ${shell}`, '/dev/null'], { cwd: world.cwd, env })
    const promptMs = await new Promise((resolve, reject) => {
      let printed = ''
      let typedAt = -1
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text
        if (typedAt < 0 && /ready|Ask first/.test(printed)) {
          typedAt = printed.length
          child.stdin.write('q')
        } else if (typedAt >= 0 && printed.slice(typedAt).includes('q')) resolve(now() - started)
      })
      child.on('error', reject)
      child.on('close', () => reject(new Error(`${subject.name} ended: ${printed}`)))
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGKILL')
    await ended
    return { promptMs }
  }
}
