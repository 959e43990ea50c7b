// What `kedge serve` delivers: `node bench/server.mjs [--sessions=200] [--readers=500] [--entries=100000]`. Live sessions whose words go
// to readers (half server-sent events, half WebSockets), memory per reader and idle session, and how fast who comes late catches up;
// each beside a bare WebSocket server that does nothing but pass messages on, in the same run. It measures and judges nothing.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { WebSocket } from 'ws'
import { createHome, root } from './support/subjects.mjs'

const flag = (name, otherwise) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise)
const SESSIONS = flag('sessions', 200)
const READERS = flag('readers', 500)
const ENTRIES = flag('entries', 100_000)
/** Words of each session: as fast as they go, and at a pace people read at. */
const FAST = { pieces: 300, gap: 0 }
const PACED = { pieces: 40, gap: 100 }

const home = createHome()
const time = () => performance.timeOrigin + performance.now()
const program = (name, ...args) => {
  const child = fork(new URL(`./support/${name}`, import.meta.url), args, {
    cwd: home.cwd,
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...home.env, ...model },
  })
  return { child, ready: once(child, 'message').then(([said]) => said) }
}
let model = {}
const words = program('word-model.mjs')
model = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${(await words.ready).port}`, ANTHROPIC_API_KEY: 'bench' }
const ours = program('serve-program.mjs')
const bare = program('serve-program.mjs', '--floor')
const { port, token } = await ours.ready
const { port: barePort } = await bare.ready
const headers = { authorization: `Bearer ${token}` }

const ask = async ({ child }, what) => {
  child.send(what)
  const [said] = await once(child, 'message')
  return said
}
const memoryOf = async (one) => (await ask(one, 'memory')).memory.held
/** Seconds of processor time so far: on a busy machine the only figure that can be compared. */
const cpuOf = async (one) => (await ask(one, 'cpu')).cpu
const call = async (method, path, body, type = 'application/json') => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, 'content-type': type },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

const seen = { words: 0, delays: [], bytes: 0 }
const take = (text) => {
  const now = time()
  seen.bytes += text.length
  for (const [, said] of text.matchAll(/w(\d+\.\d\d) /g)) {
    seen.words += 1
    seen.delays.push(now - Number(said))
  }
}
/** Words come in deltas and again in the message they lead to, which does not count. */
const onlyDeltas = (text) => (text.includes('"kind":"delta"') ? text : '')

function readSse(session) {
  return new Promise((resolve, reject) => {
    const path = `/v1/sessions/${session}/events`
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      let kept = ''
      answer.setEncoding('utf8').on('data', (text) => {
        const blocks = (kept + text).split('\n\n')
        kept = blocks.pop() ?? ''
        for (const block of blocks) if (block.startsWith('event: delta')) take(block)
      })
      resolve(() => answer.destroy())
    })
      .on('error', reject)
      .end()
  })
}
async function readSocket(session) {
  const ws = new WebSocket(`ws://127.0.0.1:${port}/v1/sessions/${session}/events?after=0`, { headers })
  ws.on('message', (data) => {
    for (const item of JSON.parse(String(data))) if (item.kind === 'delta') take(JSON.stringify(item.data.event))
  })
  await once(ws, 'open')
  return () => ws.terminate()
}
async function readBare(session) {
  const ws = new WebSocket(`ws://127.0.0.1:${barePort}/read/${session}`)
  ws.on('message', (data) => take(onlyDeltas(String(data))))
  await once(ws, 'open')
  return () => ws.terminate()
}

const inLanes = async (items, work) => {
  const results = []
  for (let n = 0; n < items.length; n += 20)
    results.push(...(await Promise.all(items.slice(n, n + 20).map((item, at) => work(item, n + at)))))
  return results
}
const p95 = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? 0

/** Events a second, and the delay of the 95th of a hundred. */
async function live(server, start, expected) {
  Object.assign(seen, { words: 0, delays: [], bytes: 0 })
  const worked = await cpuOf(server)
  const begun = time()
  await start()
  let last = seen.words
  for (let quiet = 0; seen.words < expected && quiet < 100; ) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    quiet = seen.words === last ? quiet + 1 : 0
    last = seen.words
  }
  if (seen.words < expected) console.log(`only ${seen.words} of ${expected} words came`)
  const rate = (seen.words / (time() - begun)) * 1000
  return { rate, delay: p95(seen.delays), cpu: (await cpuOf(server)) - worked }
}

const sample = (session) =>
  JSON.stringify({
    session,
    seq: 5,
    at: new Date().toISOString(),
    kind: 'delta',
    data: {
      type: 'stream_event',
      parent_tool_use_id: null,
      session_id: session,
      uuid: randomUUID(),
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `w${time().toFixed(2)} ` } },
    },
  })
/** The same words, from one socket, at the same pace. */
async function bareWords(sessions, { pieces, gap }) {
  const ws = new WebSocket(`ws://127.0.0.1:${barePort}/write`)
  await once(ws, 'open')
  for (let n = 0; n < pieces; n += 1) {
    if (gap > 0) await new Promise((resolve) => setTimeout(resolve, gap))
    for (const session of sessions) ws.send(sample(session))
    if (gap === 0) await new Promise(setImmediate)
  }
}

const KB = 1024
const rows = []
const row = (name, value, floor) => rows.push([name, value, floor ?? ''])
try {
  // One session that does not count: with its turn is loaded what all of them share.
  const first = await call('POST', '/v1/sessions', { cwd: home.cwd })
  const leaveFirst = await readSocket(first.id)
  await live(ours, () => call('POST', `/v1/sessions/${first.id}/prompts`, { content: 'pieces=1 gap=0' }), 1)
  leaveFirst()
  const before = await memoryOf(ours)
  const sessions = await inLanes(
    Array.from({ length: SESSIONS }),
    async () => (await call('POST', '/v1/sessions', { cwd: home.cwd })).id,
  )
  const opened = await memoryOf(ours)
  row('memory of an idle session, before its first prompt', `${((opened - before) / SESSIONS / KB).toFixed(0)} KB`)
  const bareBefore = await memoryOf(bare)
  const readers = await inLanes(Array.from({ length: READERS }), (_, n) =>
    (n % 2 === 0 ? readSocket : readSse)(sessions[n % SESSIONS]),
  )
  const bareReaders = await inLanes(Array.from({ length: READERS }), (_, n) => readBare(sessions[n % SESSIONS]))
  const read = (await memoryOf(ours)) - opened
  row(
    'memory of a reader',
    `${(read / READERS / KB).toFixed(0)} KB`,
    `${(((await memoryOf(bare)) - bareBefore) / READERS / KB).toFixed(0)} KB`,
  )
  const prompt = ({ pieces, gap }) =>
    inLanes(sessions, (session) =>
      call('POST', `/v1/sessions/${session}/prompts`, { content: `pieces=${pieces} gap=${gap}` }),
    )
  // One turn before, which does not count: agents start with it.
  await live(ours, () => prompt({ pieces: 1, gap: 0 }), READERS)
  const withAgents = await memoryOf(ours)
  row('… after a turn, with its agent', `${((withAgents - before - read) / SESSIONS / KB).toFixed(0)} KB`)
  for (const [name, how] of [
    ['as fast as they go', FAST],
    ['ten words a second each', PACED],
  ]) {
    const expected = READERS * how.pieces
    const real = await live(ours, () => prompt(how), expected)
    const floor = await live(bare, () => bareWords(sessions, how), expected)
    row(`${name}: words delivered a second`, real.rate.toFixed(0), floor.rate.toFixed(0))
    row(`${name}: CPU s of the server`, real.cpu.toFixed(2), floor.cpu.toFixed(2))
    row(`${name}: model's byte to reader, p95`, `${real.delay.toFixed(0)} ms`, `${floor.delay.toFixed(0)} ms`)
  }
  for (const stop of [...readers, ...bareReaders]) stop()

  const long = randomUUID()
  const at = new Date().toISOString()
  const lines = [JSON.stringify({ kedge: 'session', version: 1, session: { id: long, cwd: home.cwd, seq: ENTRIES } })]
  const data = (n) => ({
    type: 'assistant',
    parent_tool_use_id: null,
    session_id: long,
    uuid: randomUUID(),
    message: {
      id: `m${n}`,
      role: 'assistant',
      content: [{ type: 'text', text: 'A few words that were said. '.repeat(4) }],
    },
  })
  lines.push(JSON.stringify({ entry: { seq: 1, at, kind: 'state', data: { status: 'idle' } } }))
  for (let seq = 2; seq <= ENTRIES; seq += 1)
    lines.push(JSON.stringify({ entry: { seq, at, kind: 'message', data: data(seq) } }))
  lines.push(JSON.stringify({ end: { lines: 0, entries: ENTRIES } }))
  const size = lines[2].length
  await call('POST', '/v1/sessions/import', `${lines.join('\n')}\n`, 'application/x-ndjson')
  const worked = await cpuOf(ours)
  const begun = time()
  const ws = new WebSocket(`ws://127.0.0.1:${port}/v1/sessions/${long}/events?after=0`, { headers })
  await new Promise((resolve) => {
    let count = 0
    ws.on('message', (text) => {
      count += JSON.parse(String(text)).length
      if (count >= ENTRIES) resolve()
    })
  })
  const caught = (ENTRIES / (time() - begun)) * 1000
  const catching = (await cpuOf(ours)) - worked
  ws.terminate()
  const bareWorked = await cpuOf(bare)
  const bareBegun = time()
  const bareWs = new WebSocket(`ws://127.0.0.1:${barePort}/many/${ENTRIES}/${size}`)
  await new Promise((resolve) => {
    let count = 0
    bareWs.on('message', (text) => {
      JSON.parse(JSON.stringify(String(text)))
      count += 1
      if (count >= ENTRIES) resolve()
    })
  })
  row(
    `catching up on ${ENTRIES} entries: entries a second`,
    caught.toFixed(0),
    ((ENTRIES / (time() - bareBegun)) * 1000).toFixed(0),
  )
  row('… CPU s of the server', catching.toFixed(2), ((await cpuOf(bare)) - bareWorked).toFixed(2))
} finally {
  for (const { child } of [ours, bare, words]) child.kill()
  await Promise.all([ours, bare, words].map(({ child }) => once(child, 'exit')))
  home.dispose()
}
console.log(`${SESSIONS} sessions, ${READERS} readers (${root.split('/').at(-2)}, Node ${process.version})\n`)
console.log('| | Kedge | bare ws |\n|---|---|---|')
for (const [name, value, floor] of rows) console.log(`| ${name} | ${value} | ${floor} |`)
