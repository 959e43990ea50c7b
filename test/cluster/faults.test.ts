/** What goes wrong with databases and clocks: a session goes on, or a message says what to do. */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createSdkMcpServer, type Options, tool } from 'kedge'
import { z } from 'zod'
import { runAdmin } from '../../src/cluster/admin/admin-main.js'
import { type Cluster, openCluster } from '../../src/cluster/open-cluster.js'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import { startWorker } from '../../src/cluster/worker/start-worker.js'
import type { LogEntry, LogItem } from '../../src/protocol/session-log/entries.js'
import { entriesOf, isEndOf, readUntil } from '../hub/hub-stage.js'
import { type Relay, startRelay } from '../web/relay.js'
import { restartable } from './restartable.js'
import { openStage, type Stage } from './stage.js'
import { stepModel } from './step-model.js'

const KEDGE = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const UNREACHABLE = 'postgres://ada:hidden@127.0.0.1:1/kedge'

type Ended = { code: number | null; out: string; error: string }

/** One that should end by itself. */
function kedge(args: string[], database: string, nodeArgs: string[] = []): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), 'kedge-faults-'))
  const { PATH } = process.env
  const env = { PATH, HOME: home, CLAUDE_CONFIG_DIR: home, KEDGE_DATABASE: database }
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [...nodeArgs, KEDGE, ...args],
      { env, timeout: 60_000 },
      (_, out, error) => {
        rmSync(home, { recursive: true, force: true })
        done({ code: child.exitCode, out, error })
      },
    )
  })
}

const until = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** A step that waits until it is told to go on, and counts how often it was taken. */
function steps() {
  const taken: string[] = []
  const waiting = new Map<string, () => void>()
  const made = ['step', 'slow'].map((kind) =>
    tool(kind, 'Takes a step', { name: z.string() }, async ({ name }) => {
      taken.push(name)
      if (kind === 'slow') await new Promise<void>((done) => waiting.set(name, done))
      return { content: [{ type: 'text', text: `stepped ${name}` }] }
    }),
  )
  const options: Options = {
    mcpServers: { steps: createSdkMcpServer({ name: 'steps', tools: made }) },
    allowedTools: ['mcp__steps__step', 'mcp__steps__slow'],
  }
  return { taken, waiting, options }
}

const kinds = (items: readonly LogItem[]) =>
  entriesOf(items).map(({ kind, data }: LogEntry) => (kind === 'message' && 'type' in data ? data.type : kind))

/** Each entry once, without a gap, and one result. */
function isWhole(items: readonly LogItem[]): void {
  const entries = entriesOf(items)
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, index) => index + 1),
  )
  const results = entries.flatMap(({ data }) => ('type' in data && data.type === 'result' ? [data.subtype] : []))
  assert.deepEqual(results, ['success'])
}

describe('programs on a database that is wrong', { timeout: 400_000 }, () => {
  const refused = (ended: Ended, message: RegExp) => {
    assert.deepEqual([ended.code, ended.out], [1, ''], ended.error)
    assert.match(ended.error, message)
    assert.doesNotMatch(ended.error, /hidden|\n {4}at /)
  }

  const workersOf = async (url: string): Promise<number> =>
    JSON.parse((await runAdmin(['status', '--json'], { KEDGE_DATABASE: url })).out).workers.length

  it('end with what to do, and no password: unreachable, refused, without tables, a clock that is off', async () => {
    const [whole, empty] = [await createTestDatabase(), await createTestDatabase({ empty: true })]
    const folder = mkdtempSync(join(tmpdir(), 'kedge-clock-'))
    const shift = (seconds: number) => {
      const file = join(folder, `shift${seconds}.mjs`)
      writeFileSync(file, `const now = Date.now\nDate.now = () => now() + ${seconds * 1000}\n`)
      return ['--import', pathToFileURL(file).href]
    }
    const serve = ['serve', '--port', '0', '--token', 'a-token-for-tests-only']
    const wrongPassword = Object.assign(new URL(whole.url), { password: 'hidden' }).href
    const [worker, node, noTables, noTablesEither, early, late] = await Promise.all([
      kedge(['worker'], UNREACHABLE),
      kedge(serve, wrongPassword),
      kedge(['worker'], empty.url),
      kedge(serve, empty.url),
      kedge(['worker'], whole.url, shift(-300)),
      kedge(['worker'], whole.url, shift(300)),
    ])
    // Who waits says so.
    assert.match(worker.error, /^\S+ waits for the database 127\.0\.0\.1:1\/kedge, until \d{4}-\S+Z$/m)
    refused(worker, /127\.0\.0\.1:1\/kedge can't be reached .*\. Start it, or correct the address in --database/)
    refused(node, /denies access .*\. Check the user, password, and database name/)
    for (const program of [noTables, noTablesEither])
      refused(program, /has no tables of Kedge: run "kedge admin migrate/)
    for (const program of [early, late])
      refused(program, /The clock of this machine is (299|300|301) s off that of the database: set it/)
    const made = await kedge(['admin', 'migrate'], empty.url)
    assert.deepEqual([made.code, made.error], [0, ''])
    assert.match(made.out, /^The tables went from step 0 to \d+\.\n$/)
    // Who refuses has not taken part: nobody waits for it.
    assert.equal(await workersOf(whole.url), 0)
    for (const tables of [whole, empty]) await tables.drop()
    rmSync(folder, { recursive: true })
  })

  for (const args of [['worker'], ['serve', '--port', '0', '--token', 'a-token-for-tests-only']])
    it(`kedge ${args[0]} that is told to end while it waits for the database ends at once, and in order`, async () => {
      const home = mkdtempSync(join(tmpdir(), 'kedge-faults-'))
      const env = { PATH: process.env['PATH'], HOME: home, CLAUDE_CONFIG_DIR: home, KEDGE_DATABASE: UNREACHABLE }
      const child = spawn(process.execPath, [KEDGE, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text) => {
        if (!/waits for the database/.test(said) && /waits for the database/.test(`${said}${text}`))
          child.kill('SIGTERM')
        said += text
      })
      const [code, signal] = await once(child, 'close')
      assert.deepEqual([code, signal], [0, null], said)
      assert.doesNotMatch(said, /error:/)
      rmSync(home, { recursive: true, force: true })
    })

  it('an operator makes the tables, again without harm; newer ones are used if they only add', async () => {
    const tables = await createTestDatabase({ empty: true })
    const admin = (...args: string[]) => runAdmin(args, { KEDGE_DATABASE: tables.url })
    for (const database of [UNREACHABLE, UNREACHABLE.replace('127.0.0.1', 'nowhere.invalid')]) {
      for (const command of ['status', 'migrate']) {
        const { code, error } = await runAdmin([command, '--database', database], {})
        assert.equal(code, 1)
        assert.match(error, /^error: .*can't be reached .*\. Start it, or correct the address in --database/)
        assert.doesNotMatch(error, /hidden/)
      }
    }
    assert.match((await admin('list')).error, /has no tables of Kedge: run "kedge admin migrate/)
    const made = await admin('migrate')
    assert.match(made.out, /^The tables went from step 0 to \d+\.\n$/, made.error)
    assert.match((await admin('migrate')).out, /^The tables are up to date/)
    assert.equal((await admin('list')).out, 'There are no sessions.\n')
    const cluster = await openCluster({ database: tables.url, connections: 2 })
    const newer = (number: number, worksWith: number) =>
      cluster.database
        .asOperator()
        .query('insert into kedge.migrations (number, name, works_with) values ($1, $2, $3)', [
          ...[number, `of ${number}`, worksWith],
        ])
    await newer(998, 1)
    assert.equal((await admin('list')).out, 'There are no sessions.\n')
    assert.match((await admin('migrate')).out, /up to date \(step 998\)/)
    await newer(999, 999)
    for (const command of ['list', 'migrate', 'status'])
      assert.match((await admin(command)).error, /tables of a newer Kedge, which this one does not know: update it/)
    await cluster.close()
    await tables.drop()
  })

  it('without a connection left: says so; with one that gets free, goes on', async () => {
    const tables = await createTestDatabase()
    const name = new URL(tables.url).pathname.slice(1)
    const limit = (most: number) => tables.admin(`alter database ${name} connection limit ${most}`)
    await limit(0)
    const opened = openCluster({ database: tables.url, patienceMs: 300 })
    await assert.rejects(opened, {
      code: 'database_full',
      message: /Raise max_connections there, or lower --connections/,
    })
    assert.match((await runAdmin(['list'], { KEDGE_DATABASE: tables.url })).error, /has no connection left/)
    const waits = openCluster({ database: tables.url })
    await limit(-1)
    await (await waits).close()
    await limit(1)
    const few = await kedge(['worker'], tables.url)
    refused(few, /has no connection left .*\. Raise max_connections there, or lower --connections/)
    await limit(-1)
    assert.equal(await workersOf(tables.url), 0)
    await tables.drop()
  })
})

it('a worker whose database is cut while it starts waits, says what for, and starts', {
  timeout: 400_000,
}, async () => {
  const tables = await createTestDatabase()
  // Before it knows that its name is taken, by itself; in the middle of what the engine does; when it has begun.
  const cuts = [
    (relay: Relay) => relay.loseAnswer(2),
    ...[10, 34].map((times) => (relay: Relay) => relay.cutAfter(times)),
  ]
  for (const cut of cuts) {
    await using relay = await startRelay()
    relay.leadTo(tables.url)
    const said: string[] = []
    const say = (text: string) => {
      said.push(text)
      relay.mend()
    }
    const url = Object.assign(new URL(tables.url), { host: relay.host }).href
    const cluster = await openCluster({ database: url, connections: 3 })
    cut(relay)
    const worker = await startWorker({ cluster, say })
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /^waits for the database 127\.0\.0\.1:\d+\/\S+, until \S+Z$/)
    await worker.stop(0)
    await cluster.close()
  }
  await tables.drop()
})

it('what a worker was handed while it left is found, and run by another', { timeout: 400_000 }, async () => {
  await using stage = await openStage(['Done.'], { withoutWorker: true })
  const { tables, options } = stage
  const hub = stage.cluster.hub('acme', 'other')
  const { id: session } = await hub.create({ cwd: options.cwd })
  const leaving = await openCluster({ database: tables.url, connections: 3 })
  /** As its queue does in that moment: the run is its own in the engine's book, and nobody begins it. */
  const handOut = async () => {
    await hub.send(session, { id: 'a', content: 'Hello' })
    const rows = await leaving.database.asOperator().query(
      `update kedge_engine.workflow_status set status = 'PENDING', executor_id = (select id from kedge.workers)
       where status = 'ENQUEUED' returning workflow_uuid`,
    )
    assert.equal(rows.length, 1)
  }
  const engine: typeof leaving.engine = {
    ...leaving.engine,
    async stop(graceMs) {
      await handOut()
      return leaving.engine.stop(graceMs)
    },
  }
  const first = await startWorker({ cluster: { ...leaving, engine } })
  await first.stop(0)
  await leaving.close()
  await runByAnother(stage, hub, session)
})

/** A worker that comes later runs the prompt `a` to its end. */
async function runByAnother({ tables, options }: Stage, hub: ReturnType<Cluster['hub']>, session: string) {
  const cluster = await openCluster({ database: tables.url, connections: 3 })
  const apps = [{ name: 'other', options: () => ({}) }]
  const worker = await startWorker({ cluster, apps, options, silentMs: 3000 })
  await readUntil(hub, session, isEndOf('a'), { deltas: false })
  await hub.end()
  await worker.stop(5000)
  await cluster.close()
}

it('so is what a worker was handed whose start failed', { timeout: 400_000 }, async () => {
  await using stage = await openStage(['Done.'], { withoutWorker: true })
  const { tables, options } = stage
  const hub = stage.cluster.hub('acme', 'other')
  const { id: session } = await hub.create({ cwd: options.cwd })
  await hub.send(session, { id: 'a', content: 'Hello' })
  const failing = await openCluster({ database: tables.url, connections: 3 })
  const operator = failing.database.asOperator()
  // As its queue does: whatever launching gives back is handed to it again.
  await operator.query(
    `create function kedge_engine.hand_out() returns trigger language plpgsql as
     $$ begin new.status := 'PENDING'; new.executor_id := 'failing'; return new; end $$`,
  )
  await operator.query(
    `create trigger hand_out before update on kedge_engine.workflow_status
     for each row when (new.status = 'ENQUEUED') execute function kedge_engine.hand_out()`,
  )
  const handedOut = await operator.query('update kedge_engine.workflow_status set status = status returning status')
  assert.deepEqual(handedOut, [{ status: 'PENDING' }])
  await operator.query('alter table kedge_engine.application_versions rename to away')
  const limits = { worker: 'failing', capacity: 1, queues: [] }
  const neverEnds = () => new Promise<void>(() => undefined)
  await assert.rejects(failing.engine.work(neverEnds, limits), /application_versions/)
  await operator.query('alter table kedge_engine.away rename to application_versions')
  await operator.query('drop function kedge_engine.hand_out cascade')
  await failing.close()
  await runByAnother(stage, hub, session)
})

describe('a turn while its database', { timeout: 400_000 }, () => {
  const own = steps()
  let stage: Stage
  before(async () => {
    stage = await openStage(stepModel, { options: own.options })
  })
  after(() => stage[Symbol.asyncDispose]())

  it('has no room: waits, tells nothing that is not stored, and goes on when there is some', async () => {
    const { hub, cluster } = stage
    const operator = cluster.database.asOperator()
    const session = await stage.begin()
    await hub.send(session, { id: 'a', content: 'full: slow step' })
    await until(() => own.waiting.get('full.0'))
    await operator.query('create sequence kedge.refusals')
    await operator.query(`create function kedge.full() returns trigger language plpgsql as $$ begin
      perform nextval('kedge.refusals');
      raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
    for (const table of ['log_entries', 'transcript_lines'])
      await operator.query(
        `create trigger full_disk before insert on kedge.${table} for each row execute function kedge.full()`,
      )
    const before = await hub.last(session)
    own.waiting.get('full.0')?.()
    await until(async () => {
      const [row] = await operator.query<{ n: number }>('select last_value::int as n from kedge.refusals')
      return (row?.n ?? 0) >= 3 ? true : undefined
    })
    assert.equal(await hub.last(session), before)
    assert.deepEqual(own.taken, ['full.0'])
    for (const table of ['log_entries', 'transcript_lines'])
      await operator.query(`drop trigger full_disk on kedge.${table}`)
    const items = await readUntil(hub, session, isEndOf('a'), { deltas: false })
    isWhole(items)
    assert.deepEqual(own.taken, ['full.0', 'full.1'])
    assert.equal(kinds(items).filter((kind) => kind === 'assistant').length, 3)
  })

  it('lets nobody in: waits, and goes on with the same turn', async () => {
    const { hub, tables } = stage
    const name = new URL(tables.url).pathname.slice(1)
    const session = await stage.begin()
    await hub.send(session, { id: 'a', content: 'alone: slow step' })
    await until(() => own.waiting.get('alone.0'))
    await tables.admin(`alter database ${name} connection limit 0`)
    await tables.cut()
    own.waiting.get('alone.0')?.()
    const told = hub.send(session, { id: 'b', content: 'later: step' })
    await tables.admin(`alter database ${name} connection limit -1`)
    await told
    isWhole(await readUntil(hub, session, isEndOf('a'), { deltas: false }))
    await readUntil(hub, session, isEndOf('b'))
    assert.deepEqual(own.taken.slice(-3), ['alone.0', 'alone.1', 'later.0'])
  })
})

describe('a database that is restarted, and one that falls silent', { timeout: 400_000 }, () => {
  let database: Awaited<ReturnType<typeof restartable>>
  before(async () => {
    database = await restartable()
  })
  after(() => database.stop())

  function stageOf(options: Options, silentMs: number, more: Parameters<typeof openStage>[1] = {}) {
    const { url, cut } = database
    const tables = { url, adminUrl: url, cut, drop: async () => {}, admin: async () => [] }
    return openStage(stepModel, { options, tables, silentMs, ...more })
  }

  it('in the middle of a turn: the turn goes on, each step once, nothing told twice', async () => {
    const { taken, waiting, options } = steps()
    // Longer than any restart takes: a worker that gave its session back would rightly call the second step unknown.
    await using stage = await stageOf(options, 60_000)
    const session = await stage.begin()
    await stage.hub.send(session, { id: 'a', content: 'again: slow step' })
    await until(() => waiting.get('again.0'))
    const restarted = database.restart()
    waiting.get('again.0')?.()
    await restarted
    isWhole(await readUntil(stage.hub, session, isEndOf('a'), { deltas: false }))
    assert.deepEqual(taken, ['again.0', 'again.1'])
  })

  it('a worker that was away for too long gives its sessions back, and what they asked stays open', async () => {
    const { taken, options } = steps()
    const asking = { ...options, allowedTools: ['mcp__steps__slow'] }
    const said: string[] = []
    await using stage = await stageOf(asking, 3000, { warmMs: 60_000, say: (text) => void said.push(text) })
    const rows = stage.cluster.database.as('acme')
    const ownerOf = async (id: string) =>
      (await rows.query<{ owner: string | null }>('select owner from kedge.sessions where id = $1', [id]))[0]?.owner ??
      undefined
    const session = await stage.begin()
    await stage.hub.send(session, { id: 'c', content: 'asks: step' })
    const ask = await until(async () => (await stage.hub.asks({ session }))[0])
    // As a long collection of garbage, or a machine that slept.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000)
    await until(() => said.find((text) => /all sessions are dropped/.test(text)))
    // Whoever goes on with the turn waits for the same answer.
    await until(async () => ((await ownerOf(session)) === undefined ? true : undefined))
    await until(
      async () => (await ownerOf(session)) ?? ((await stage.hub.asks({ session })).length === 0 ? '' : undefined),
    )
    await stage.hub.answer(session, ask.id, { kind: 'allow' }, { name: 'ada' })
    const items = await readUntil(stage.hub, session, isEndOf('c'), { deltas: false })
    assert.deepEqual(taken, ['asks.0'])
    assert.deepEqual(
      kinds(items).filter((kind) => ['ask', 'answered', 'withdrawn', 'result'].includes(String(kind))),
      ['ask', 'answered', 'result'],
    )
  })

  it('without a word: what runs is ended before somebody else may have the session', async () => {
    const { taken, options } = steps()
    const allowedTools = [...(options.allowedTools ?? []), 'Bash(sleep:*)']
    await using stage = await stageOf({ ...options, allowedTools }, 3000)
    const session = await stage.begin()
    const rests = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes('sleep 31337')
    await stage.hub.send(session, { id: 'b', content: 'quiet: rest step' })
    await until(() => rests() || undefined)
    database.silence()
    await until(() => !rests() || undefined)
    await database.cut()
    const items = await readUntil(stage.hub, session, isEndOf('b'), { deltas: false })
    assert.equal(kinds(items).filter((kind) => kind === 'result').length, 1)
    assert.match(JSON.stringify(items), /may or may not have taken effect/)
    assert.deepEqual(taken, ['quiet.1'])
  })
})
