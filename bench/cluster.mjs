// What sessions in PostgreSQL cost and deliver: `node bench/cluster.mjs [--sessions=10000] [--parked=500] [--kills=4]`. Real nodes and
// workers on an embedded PostgreSQL, beside what the same takes with `pg` alone or on files, in the same run. It judges nothing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../dist/cluster.js'
import {
  endPrograms,
  inLanes,
  now,
  pause,
  startModel,
  startNode,
  startProgram,
  startWorker,
  until,
} from './support/cluster-programs.mjs'
import { cpuSeconds } from './support/processes.mjs'
import { median } from './support/statistics.mjs'
import { createHome } from './support/subjects.mjs'

const flag = (name, otherwise) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise)
const STORED = flag('sessions', 10_000)
const PARKED = flag('parked', 500)
const KILLS = flag('kills', 3)
const SAMPLES = 25
const TURNS = 30
const LANES = 16
/** For the readers: sessions, and entries of each that are written by SQL, so many at a time. */
const FOLLOWED = { sessions: 20, entries: 2000, batch: 100 }
/** Connections that nobody uses are closed after 30 s. */
const QUIET_MS = 33_000

const begun = now()
const load = [loadavg()[0]]
const rows = []
const row = (name, value, floor = '') => {
  rows.push([name, value, floor])
  console.error(`${((now() - begun) / 1000).toFixed(0)} s  ${name}: ${value} (${floor})`)
}
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const quantile = (numbers, part) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * part)] ?? 0
const rss = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** Above the wall between tenants. */
const OPERATOR = '-c kedge.tenant=*'

const home = createHome()
const databaseFolder = mkdtempSync(join(tmpdir(), 'kedge-bench-database-'))
const postgres = await startEmbedded({ folder: databaseFolder })
const { asked, server: model } = await startModel(home.cwd)
const files = { cwd: home.cwd, env: { ...home.env, NODE_NO_WARNINGS: '1', ...model.env() } }
const place = { cwd: home.cwd, env: { ...files.env, KEDGE_DATABASE: postgres.url } }
const pool = new pg.Pool({ connectionString: postgres.url, max: 4, application_name: 'bench', options: OPERATOR })
const adminUrl = Object.assign(new URL(postgres.adminUrl), { pathname: '/kedge' }).href
const admin = new pg.Pool({ connectionString: adminUrl, max: 2, application_name: 'bench' })
// They end with the database.
for (const each of [pool, admin]) {
  each.on('error', () => {})
  each.on('connect', (client) => client.on('error', () => {}))
}
const ask = async (text, values) => (await admin.query(text, values)).rows
const one = async (text, values) => Number(Object.values((await ask(text, values))[0])[0])
/** Of all but this bench. */
const connections = () =>
  one(`select count(*) from pg_stat_activity where datname = 'kedge' and application_name <> 'bench'`)
const commits = () => one(`select xact_commit from pg_stat_database where datname = 'kedge'`)
const idle = (session) => async () =>
  (await one(`select count(*) from kedge.sessions where id = $1 and state = 'idle'`, [session])) === 1

let tidying
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void tidy().finally(() => process.exit(128 + constants.signals[signal])))
}

/** NOTIFY, and a claim of the row it tells of: what nobody can do without. */
async function bareClaims() {
  const [writer, reader] = [await pool.connect(), await pool.connect()]
  await reader.query('listen bench_floor')
  await writer.query('create table public.floor (n bigserial primary key, taken bool not null default false)')
  const delays = []
  for (let n = 0; n < SAMPLES; n += 1) {
    const told = new Promise((resolve) => reader.once('notification', resolve))
    await writer.query('insert into public.floor default values')
    const accepted = now()
    await writer.query('notify bench_floor')
    await told
    await reader.query(`update public.floor set taken = true where n =
      (select n from public.floor where not taken order by n for update skip locked limit 1)`)
    delays.push(now() - accepted)
  }
  for (const client of [writer, reader]) client.release()
  return median(delays)
}

/** A transaction of two rows for every prompt. */
async function bareAdmissions(count) {
  const from = now()
  await inLanes(Array.from({ length: count }), LANES, async () => {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('insert into public.floor default values')
    await client.query('insert into public.floor (taken) values (true)')
    await client.query('commit')
    client.release()
  })
  return (count / (now() - from)) * 1000
}

/** Prompts that nobody works on yet, then a worker that parks them all. Resolves with its memory before them. */
async function admitAndPark(node) {
  const sessions = []
  const from = now()
  await inLanes(Array.from({ length: PARKED }), LANES, async () => sessions.push(await node.begin()))
  const made = (PARKED / (now() - from)) * 1000
  const prompted = now()
  await inLanes(sessions, LANES, (session, n) => node.prompt(session, `ask parked${n}`))
  const rate = (PARKED / (now() - prompted)) * 1000
  row('prompts admitted a second, one node', rate.toFixed(0), (await bareAdmissions(PARKED)).toFixed(0))
  row('sessions begun a second, one node', made.toFixed(0))
  const worker = await startWorker(place)
  const before = rss(worker.pid)
  const [working, spent] = [now(), cpuSeconds(postgres.pid)]
  let most = 0
  await until(async () => {
    most = Math.max(most, await connections())
    await pause(100)
    return (await one(`select count(*) from kedge.sessions where state = 'waiting'`)) >= PARKED
  })
  const seconds = (now() - working) / 1000
  row('stretches a second (prompt to parked), one worker', (PARKED / seconds).toFixed(0))
  const cpu = { worker: cpuSeconds(worker.pid), database: cpuSeconds(postgres.pid) - spent }
  row(
    '… CPU of worker / of database for each',
    `${ms((cpu.worker / PARKED) * 1000)} / ${ms((cpu.database / PARKED) * 1000)}`,
  )
  row('connections while parking, one node, one worker', String(most))
  return { worker, before }
}

/** Copies of a session that had a turn, until there are enough. */
async function store(node) {
  const session = await node.begin()
  await node.prompt(session, 'read stored')
  await until(idle(session))
  const copies = STORED - PARKED - 1
  const columns = async (table) =>
    (
      await ask(
        `select column_name from information_schema.columns where table_schema = 'kedge' and table_name = $1 and
           column_name not in ('session', 'id') order by ordinal_position`,
        [table],
      )
    ).map(({ column_name }) => column_name)
  for (const [table, key] of [
    ['sessions', 'id'],
    ['transcripts', 'session'],
    ['transcript_lines', 'session'],
    ['log_entries', 'session'],
  ]) {
    const names = (await columns(table)).join(', ')
    await ask(
      `insert into kedge.${table} (${key}, ${names}) select 'copy-' || n, ${names} from kedge.${table},
         generate_series(1, ${copies}) as n where ${key} = $1`,
      [session],
    )
  }
  // Checks of references were planned when there were a few sessions.
  await ask('analyze')
  // The stream of all takes in what is new: before that nobody is idle.
  await ask(`update kedge.sessions set updated = now() where id like 'copy-%'`)
  await until(async () => {
    await ask(`select pg_notify('kedge_wake', 'default/all')`)
    await pause(500)
    return (
      (await one(`select count(*) from kedge.sessions as one where event_seq > coalesce((select seq from kedge.feed_places as place
         where place.tenant = one.tenant and place.session = one.id), 0)`)) === 0
    )
  })
  // Nor are sessions that were written to a minute ago.
  await ask(`update kedge.sessions set updated = updated - interval '1 day' where id like 'copy-%'`)
  await ask('vacuum analyze')
  const size = (tables) =>
    one(`select sum(pg_total_relation_size('kedge.' || name)) from unnest($1::text[]) as name`, [tables])
  const each = async (...tables) => `${((await size(tables)) / STORED / 1024).toFixed(1)} KB`
  const lines = await one('select count(*) from kedge.transcript_lines where session = $1', [session])
  const events = await one('select count(*) from kedge.log_entries where session = $1', [session])
  row(
    `bytes of a stored session: rows / ${lines} transcript lines / ${events} log entries`,
    [await each('sessions', 'transcripts'), await each('transcript_lines'), await each('log_entries')].join(' / '),
  )
  const feed = (await size(['feed'])) / (await one('select count(*) from kedge.feed'))
  const runs = await one(`select sum(pg_total_relation_size(c.oid)) from pg_class as c
    where relnamespace = 'kedge_engine'::regnamespace and relkind = 'r'`)
  const run = runs / (await one('select count(*) from kedge_engine.workflow_status')) / 1024
  row(
    'bytes of an entry in the stream of all / of a run of the last hour',
    `${feed.toFixed(0)} B / ${run.toFixed(1)} KB`,
  )
}

async function beIdle(node, workers, before) {
  const pids = [node, ...workers].map(({ pid }) => pid)
  const total = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const from = { cpu: total(), database: cpuSeconds(postgres.pid), commits: await commits(), at: now() }
  await pause(10_000)
  const seconds = (now() - from.at) / 1000
  const name = `${STORED} stored, ${PARKED} parked, 2 workers, 1 node, idle`
  row(`${name}: CPU of all three`, `${(((total() - from.cpu) / seconds) * 100).toFixed(1)} %`)
  row('… CPU of the database', `${(((cpuSeconds(postgres.pid) - from.database) / seconds) * 100).toFixed(1)} %`)
  const quiet = ((await commits()) - from.commits) / seconds
  row('… transactions a second', quiet.toFixed(1))
  row('… connections', String(await connections()))
  const [parker, fresh] = workers.map(({ pid }) => rss(pid))
  row(
    '… memory of the worker that parked them / of one that did nothing',
    `${parker.toFixed(0)} / ${fresh.toFixed(0)} MB`,
  )
  row('… at its start', `${before.toFixed(0)} MB`)
  return quiet
}

async function firstRequests(node) {
  const sessions = []
  await inLanes(Array.from({ length: SAMPLES }), 4, async () => sessions.push(await node.begin()))
  const delays = []
  for (const [n, session] of sessions.entries()) {
    // Not in step with who looks every 100 ms.
    await pause(50 + Math.random() * 150)
    await node.prompt(session, `say first${n}`)
    const accepted = now()
    await until(() => asked.has(`first${n}`))
    delays.push(asked.get(`first${n}`)[0] - accepted)
    await until(idle(session))
  }
  return delays
}

/** Turns of one tool, one after the other, in five sessions. */
async function turns(node, name, pids) {
  const total = () => pids.map((pid) => cpuSeconds(pid))
  const sessions = []
  for (let n = 0; n < 5; n += 1) sessions.push(await node.begin())
  const over = new Map()
  for (const session of sessions) {
    await node.read(session, 0, ({ kind, data }) => {
      if (kind === 'message' && data.type === 'result') over.set(session, (over.get(session) ?? 0) + 1)
    })
  }
  const walls = []
  let spent = total()
  for (let n = 0; n < TURNS + 5; n += 1) {
    // The first of each session does not count: it loads what all of them share.
    if (n === 5) spent = total()
    const session = sessions[n % 5]
    const had = over.get(session) ?? 0
    const from = now()
    await node.prompt(session, `read ${name}${n}`)
    await until(() => (over.get(session) ?? 0) > had)
    if (n >= 5) walls.push(now() - from)
  }
  // What comes after the result belongs to the turn.
  await pause(300)
  node.stopReading()
  const cpu = total().map((after, at) => ((after - spent[at]) / TURNS) * 1000)
  return { wall: median(walls), cpu }
}

/** Entries to a reader on each node, without a gap: from real turns, then from SQL as fast as it goes. */
async function events(nodes) {
  const { sessions: count, entries, batch } = FOLLOWED
  const sessions = []
  await inLanes(Array.from({ length: count }), 4, async () => sessions.push(await nodes[0].begin()))
  const seen = { entries: 0, gaps: 0, delays: [] }
  const last = new Map()
  for (const [at, node] of nodes.entries()) {
    for (const session of sessions) {
      await node.read(session, 0, (entry) => {
        const key = `${at}/${session}`
        if (entry.seq !== (last.get(key) ?? 0) + 1) seen.gaps += 1
        last.set(key, entry.seq)
        seen.entries += 1
        if (entry.data.sent) seen.delays.push(now() - entry.data.sent)
      })
    }
  }
  let most = 0
  const watching = setInterval(async () => {
    most = Math.max(most, await connections())
  }, 200)
  const heads = () => one('select sum(event_seq) from kedge.sessions where id = any($1)', [sessions])
  const caughtUp = async () =>
    (await one(`select count(*) from kedge.sessions where id = any($1) and state <> 'idle'`, [sessions])) === 0 &&
    seen.entries >= nodes.length * (await heads())
  const from = now()
  await inLanes([...sessions, ...sessions, ...sessions], LANES, (session, n) =>
    nodes[n % nodes.length].prompt(session, `read event${n}`),
  )
  await until(caughtUp)
  const seconds = (now() - from) / 1000
  row(`${count * 3} turns, read on two nodes: turns a second`, ((count * 3) / seconds).toFixed(1))
  row('… entries delivered a second', (seen.entries / seconds).toFixed(0))
  clearInterval(watching)
  row('… connections, two nodes, two workers', String(most))
  const before = seen.entries
  const writing = now()
  let inserting = 0
  for (let n = 0; n < entries; n += batch) {
    await inLanes(sessions, 4, async (session) => {
      const at = now()
      const data = { sent: at, text: 'A few words that were said. '.repeat(4) }
      await pool.query(ADD, [
        session,
        batch,
        JSON.stringify({ session, at: new Date(at).toISOString(), kind: 'message', data }).slice(1),
      ])
      inserting += now() - at
      await pool.query(`select pg_notify('kedge_wake', $1)`, [`default/${session}`])
    })
  }
  const written = ((count * entries) / (now() - writing)) * 1000
  await until(caughtUp)
  const rate = ((seen.entries - before) / (now() - writing)) * 1000
  row(
    `${count * entries} entries by SQL to ${count * nodes.length} readers on two nodes: delivered a second`,
    rate.toFixed(0),
    `${written.toFixed(0)} inserted`,
  )
  row(
    '… written to read, p50 / p99',
    `${ms(quantile(seen.delays, 0.5))} / ${ms(quantile(seen.delays, 0.99))}`,
    `${ms(inserting / (count * (entries / batch)))} to insert`,
  )
  row('… gaps', String(seen.gaps), '0')
  for (const node of nodes) node.stopReading()
}
const ADD = `with head as (
    update kedge.sessions set event_seq = event_seq + $2 where id = $1 and tenant = 'default' returning event_seq - $2 as before)
  insert into kedge.log_entries (tenant, session, seq, kind, body)
  select 'default', $1, before + n, 'message', '{"seq":' || before + n || ',' || $3 from head, generate_series(1, $2::int) as n`

async function kills(node, workers) {
  const delays = []
  for (let n = 0; n < KILLS; n += 1) {
    const session = await node.begin()
    await node.prompt(session, `hold kill${n}`)
    await until(() => asked.has(`kill${n}`))
    const [{ owner }] = await ask('select owner from kedge.sessions where id = $1', [session])
    const at = workers.findIndex(({ said }) => said === owner)
    const from = now()
    await workers[at].end('SIGKILL')
    await until(() => asked.get(`kill${n}`).length > 1)
    delays.push(asked.get(`kill${n}`)[1] - from)
    await until(idle(session))
    if (n + 1 < KILLS) workers[at] = await startWorker(place)
  }
  return delays
}

try {
  await admin.connect()
  await (await startProgram(place, ['admin', 'migrate'], /(step \d+|up to date)/)).end()
  const node = await startNode(place)
  const bare = await bareClaims()
  const { worker, before } = await admitAndPark(node)
  const quietFrom = now()
  await store(node)
  const onFiles = await startNode(files, '--model', 'claude-sonnet-4-5')
  const workers = [worker, await startWorker(place)]
  const filesTurn = await turns(onFiles, 'file', [onFiles.pid])
  await onFiles.end()
  load.push(loadavg()[0])
  await pause(Math.max(0, QUIET_MS - (now() - quietFrom)))
  const quiet = await beIdle(node, workers, before)
  const delays = await firstRequests(node)
  row('prompt accepted → first model request, idle, p50', ms(median(delays)), `${ms(bare)} (NOTIFY and claim)`)
  row('… p95', ms(quantile(delays, 0.95)))
  const pids = [...workers.map(({ pid }) => pid), node.pid, postgres.pid]
  const had = await commits()
  const from = now()
  const { wall, cpu } = await turns(node, 'shared', pids)
  const made = (await commits()) - had - (quiet * (now() - from)) / 1000
  row('turn with one tool: wall', ms(wall), `${ms(filesTurn.wall)} (files)`)
  row(
    '… CPU of workers / node / database',
    [cpu[0] + cpu[1], cpu[2], cpu[3]].map(ms).join(' / '),
    `${ms(filesTurn.cpu[0])} (files, one process)`,
  )
  row('… transactions', (made / (TURNS + 5)).toFixed(0))
  const second = await startNode(place)
  await events([node, second])
  load.push(loadavg()[0])
  const lost = await kills(node, workers)
  row(`kill -9 of the owner → next model request, p50 of ${KILLS}`, ms(median(lost)), '6000 ms (silence)')
  row('… the longest', ms(Math.max(...lost)))
  row('deadlocks', String(await one(`select deadlocks from pg_stat_database where datname = 'kedge'`)), '0')
  row('model requests that failed', String(model.failures.length), '0')
  load.push(loadavg()[0])
  print()
} finally {
  await tidy()
}
process.exit()

/** Once, however it ends. */
function tidy() {
  tidying ??= clean()
  return tidying
}

async function clean() {
  const parts = [
    ['programs', endPrograms],
    ['model', () => model[Symbol.asyncDispose]()],
    ['database', () => postgres.stop()],
  ]
  for (const [name, work] of parts) {
    const isLate = await Promise.race([work().then(() => false), pause(15_000).then(() => true)])
    if (isLate) console.error(`${name}: does not end`)
  }
  rmSync(databaseFolder, { recursive: true, force: true })
  home.dispose()
}

function print() {
  const averages = load.map((each) => each.toFixed(1)).join(', ')
  console.log(`Load average ${averages}; ${((now() - begun) / 1000).toFixed(0)} s; Node ${process.version}\n`)
  console.log('| | Kedge | floor |\n|---|---|---|')
  for (const [name, value, floor] of rows) console.log(`| ${name} | ${value} | ${floor} |`)
}
