/** A database is put away and brought back elsewhere, and workers go on there: with what waits, rests, and ran that moment. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createSdkMcpServer, tool } from 'kedge'
import { startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { z } from 'zod'
import { runAdmin } from '../../src/cluster/admin/admin-main.js'
import { openDatabase } from '../../src/cluster/database/database.js'
import { startEmbedded } from '../../src/cluster/embedded/embedded-postgres.js'
import { migrateAllTables, openCluster } from '../../src/cluster/open-cluster.js'
import { startWorker } from '../../src/cluster/worker/start-worker.js'
import { entriesOf, isEndOf, readUntil } from '../hub/hub-stage.js'
import { stepModel } from './step-model.js'
import { programFolder, startSystemPostgres } from './system-postgres.js'

const until = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** Steps that count; slow ones wait until they are told to go on. */
function machine() {
  const taken: string[] = []
  const waiting = new Map<string, () => void>()
  const step = (kind: string) =>
    tool(kind, 'Takes a step', { name: z.string() }, async ({ name }) => {
      taken.push(name)
      if (kind === 'slow') await new Promise<void>((done) => waiting.set(name, done))
      return { content: [{ type: 'text', text: `stepped ${name}` }] }
    })
  const mcpServers = { steps: createSdkMcpServer({ name: 'steps', tools: ['step', 'risky', 'slow'].map(step) }) }
  return { taken, waiting, own: { mcpServers, allowedTools: ['mcp__steps__step', 'mcp__steps__slow'] } }
}

async function open(database: string, options: TestOptions) {
  const cluster = await openCluster({ database, connections: 5 })
  const made = machine()
  const worker = await startWorker({ cluster, warmMs: 0, silentMs: 2000, options: { ...options, ...made.own } })
  const hub = cluster.hub('acme')
  return {
    cluster,
    hub,
    worker,
    ...made,
    async close() {
      await hub.end()
      await worker.stop(5000)
      await cluster.close()
    },
  }
}
type Opened = Awaited<ReturnType<typeof open>>

/** One that rests after a turn, one parked on a question. */
async function begin({ hub, cluster }: Opened, cwd: string) {
  const [idle, parked] = [(await hub.create({ cwd })).id, (await hub.create({ cwd })).id]
  await hub.send(idle, { id: 'one', content: 'one: step' })
  await readUntil(hub, idle, isEndOf('one'))
  await hub.send(parked, { id: 'ask', content: 'ask: risky step' })
  await until(async () => {
    const [row] = await cluster.database
      .as('acme')
      .query<{ state: string }>('select state from kedge.sessions where id = $1', [parked])
    return row?.state === 'waiting' ? true : undefined
  })
  return { idle, parked }
}

/** The question is answered, and what rested is gone on with. */
async function goOn({ hub, taken }: Opened, { idle, parked }: { idle: string; parked: string }) {
  const [ask] = await hub.asks({ session: parked })
  assert.equal(await hub.answer(parked, ask?.id ?? '', { kind: 'allow' }, { name: 'ada' }), 'accepted')
  const items = await readUntil(hub, parked, isEndOf('ask'), { deltas: false })
  isWhole(items)
  await hub.send(idle, { id: 'two', content: 'two: step' })
  await readUntil(hub, idle, isEndOf('two'))
  assert.match(JSON.stringify(await hub.messages(idle)), /one: step.*two: step/)
  assert.deepEqual(taken.filter((name) => !name.startsWith('slow')).sort(), ['ask.0', 'ask.1', 'two.0'])
}

/** Each entry once, without a gap, and one result. */
function isWhole(items: Parameters<typeof entriesOf>[0]): void {
  const entries = entriesOf(items)
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, index) => index + 1),
  )
  const results = entries.flatMap(({ data }) => ('type' in data && data.type === 'result' ? [data.subtype] : []))
  assert.deepEqual(results, ['success'])
}

describe('a database that is brought back elsewhere', { timeout: 400_000 }, () => {
  it('from the folder of one that was stopped', async () => {
    const model = await startModelServer(stepModel)
    const options = testOptions(model, { model: 'claude-sonnet-4-5-20250929' })
    const folder = mkdtempSync(join(tmpdir(), 'kedge-backup-'))
    // Where we are root, it runs as another.
    chmodSync(folder, 0o755)
    const here = await startEmbedded({ folder: join(folder, 'here'), durable: false })
    const database = await openDatabase({ url: here.url, connections: 1 })
    await migrateAllTables(database)
    await database.close()
    const before = await open(here.url, options)
    const sessions = await begin(before, options.cwd)
    await before.close()
    await here.stop()
    execFileSync('cp', ['-a', join(folder, 'here'), join(folder, 'there')])
    const there = await startEmbedded({ folder: join(folder, 'there'), durable: false })
    const after = await open(there.url, options)
    await goOn(after, sessions)
    await after.close()
    await there.stop()
    rmSync(folder, { recursive: true, force: true })
    await options[Symbol.asyncDispose]()
    await model[Symbol.asyncDispose]()
  })

  it('from a dump that was made while turns ran', { skip: programFolder === undefined }, async () => {
    const model = await startModelServer(stepModel)
    const options = testOptions(model, { model: 'claude-sonnet-4-5-20250929' })
    const postgres = await startSystemPostgres()
    const { urlOf, run, say } = postgres
    say('create role kedge login', 'create database kedge owner kedge', 'create database restored owner kedge')
    const [here, there] = [urlOf('kedge', 'kedge'), urlOf('kedge', 'restored')]
    assert.equal((await runAdmin(['migrate'], { KEDGE_DATABASE: here })).code, 0)
    const before = await open(here, options)
    const sessions = await begin(before, options.cwd)
    const { id: running } = await before.hub.create({ cwd: options.cwd })
    await before.hub.send(running, { id: 'slow', content: 'slow: slow step' })
    await until(() => before.waiting.get('slow.0'))

    // As docs/backup.md has it.
    const file = join(postgres.folder, 'kedge.sql')
    const schemas = ['--schema=kedge_engine', '--schema=kedge']
    assert.throws(() => run('pg_dump', [...schemas, '--file', file, here]), /row-level security/)
    run('pg_dump', ['--enable-row-security', ...schemas, '--file', file, here], { PGOPTIONS: '-c kedge.tenant=*' })
    run('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', '--single-transaction', '--file', file, there])
    assert.match((await runAdmin(['migrate'], { KEDGE_DATABASE: there })).out, /up to date/)

    before.waiting.get('slow.0')?.()
    await readUntil(before.hub, running, isEndOf('slow'))
    await before.close()
    const after = await open(there, options)
    const items = await readUntil(after.hub, running, isEndOf('slow'), { deltas: false })
    isWhole(items)
    // What was made since is unknown to it, and what had begun is not made again.
    assert.match(JSON.stringify(items), /may or may not have taken effect/)
    await goOn(after, sessions)
    assert.deepEqual(
      after.taken.filter((name) => name.startsWith('slow')),
      ['slow.1'],
    )
    await after.close()
    await postgres.stop()
    await options[Symbol.asyncDispose]()
    await model[Symbol.asyncDispose]()
  })
})
