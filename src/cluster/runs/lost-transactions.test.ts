/** A database that has lost its last transactions: whoever had a session before has it no more, and no number is given twice. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { SessionStoreEntry } from '../../protocol/stored-sessions.js'
import { openDatabase, retryWhileUnavailable } from '../database/database.js'
import { createMemoryRunQueue, MemoryRuns } from '../engine/memory-engine.js'
import type { RunKey } from '../engine/run-engine.js'
import { openTestDatabase } from '../test-database.js'
import { createFencedSessionStore } from '../worker/run-session-store.js'
import { CLUSTER_PROJECT_KEY, claimRun } from './claimed-run.js'
import { ClusterSessions } from './cluster-sessions.js'
import { createLogEntryWriter } from './fenced-log-entries.js'
import { createUnknownOutcomeLines, reportLostTransactions } from './lost-transactions.js'
import { sendHeartbeat, takeOverRuns } from './recover-runs.js'
import type { RunPorts } from './run-changes.js'

const opened = openTestDatabase({ connections: 4 })
after(async () => (await opened).drop())

const LATEST = 'select number, told from kedge.history order by number'
const FENCED = { code: 'session_fenced' }

async function world(tenant: string) {
  const { database, url, cut } = await opened
  const engine = createMemoryRunQueue(new MemoryRuns())
  const runs: RunKey[] = []
  const handler = async (run: RunKey) => void runs.push(run)
  await engine.work(handler, { worker: tenant, capacity: 10, queues: [{ name: 'runs', perTenant: 10 }] })
  const ports: RunPorts = { database: database.as(tenant), engine, wake() {}, wakeWorker() {} }
  const operator = database.asOperator()
  return {
    url,
    cut,
    database,
    operator,
    ports,
    everybody: { ...ports, database: operator },
    runs,
    sessions: new ClusterSessions(ports),
    // A cut is of these connections, too.
    history: async () => (await retryWhileUnavailable(() => operator.query(LATEST))).at(-1),
    next: () => operator.query('insert into kedge.history select max(number) + 1, max(server) from kedge.history'),
    log: async (session: string) => {
      const rows = await ports.database.query<{ body: string }>(
        'select body from kedge.log_entries where tenant = $1 and session = $2 order by seq',
        [tenant, session],
      )
      return rows.map(({ body }): { seq: number; data: { code?: string } } => JSON.parse(body))
    },
  }
}

describe('a database that went back', () => {
  it('knows nobody who had a session before, gives new numbers, and says so in every session', async () => {
    const { ports, everybody, runs, sessions, operator, next, log, history } = await world('fenced')
    await sessions.create({ id: 's' })
    await sessions.create({ id: 'rests', first: [{ kind: 'state', data: { cwd: '/', status: 'idle' } }] })
    await operator.query(`update kedge.sessions set has_log = true`)
    await sessions.submit('s', { clientId: 'a', body: 'Hello' })
    await sendHeartbeat(operator, { worker: 'one' })
    const first = await claimRun(ports, runs.at(-1) ?? assert.fail(), 'one')
    const step = await first?.next()
    assert.ok(first && step?.kind === 'prompt')
    const store = createFencedSessionStore(ports.database, first, new AbortController().signal)
    const key = { projectKey: CLUSTER_PROJECT_KEY, sessionId: 's' }
    const lease = await store.leases?.acquire(key, 'one', 10_000)
    const token = lease && 'token' in lease ? lease.token : assert.fail()
    const writer = createLogEntryWriter({
      database: operator,
      newId: () => crypto.randomUUID(),
      onWritten() {},
      onFenced() {},
    })
    const place = { ...first.key, epoch: first.epoch }
    const last = await writer.add(place, [{ kind: 'state', data: { title: 'kept' } }])

    await next()
    await assert.rejects(first.finish([step.prompt]), FENCED)
    await assert.rejects(writer.add(place, [{ kind: 'state', data: { title: 'late' } }]), FENCED)
    await assert.rejects(store.append(key, [{ type: 'user', uuid: 'u' } as SessionStoreEntry], token), FENCED)
    assert.equal(await store.leases?.renew(key, token, 10_000), false)

    // Its worker is awake, and yet somebody else may have it at once.
    assert.equal((await takeOverRuns(everybody, 60_000))?.length, 1)
    const second = await claimRun(ports, runs.at(-1) ?? assert.fail(), 'two')
    assert.ok(second && second.epoch > 1_000_000_000 && second.about.facts.wentBack !== undefined)
    const entries = await log('s')
    assert.deepEqual(
      entries.slice(last).map(({ seq, data }) => [seq, data.code]),
      [[1_000_000_001, 'database_went_back']],
    )
    const again = await second.next()
    assert.ok(again.kind === 'prompt')
    await second.finish([again.prompt])
    await reportLostTransactions(everybody)
    await reportLostTransactions(everybody)
    assert.deepEqual(
      (await log('rests')).map(({ seq }) => seq),
      [1, 1_000_000_001],
    )
    assert.deepEqual(await history(), { number: 1, told: true })
  })

  it('is known by its past, which every new connection is asked for; who has seen more raises the number', async () => {
    const { url, cut, operator, history } = await world('past')
    const before = Number((await history())?.['number'])
    const program = await openDatabase({ url, connections: 1 })
    let heard = 0
    program.onWentBack(() => {
      heard += 1
    })
    const ask = () => program.as('past').query('select 1')
    await ask()
    await cut()
    await ask().catch(ask)
    assert.deepEqual([heard, (await history())?.['number']], [0, before])
    // Another server, or another line of its past.
    await operator.query(`update kedge.history set server = 'another' where number = $1`, [before])
    await cut()
    await ask().catch(ask)
    assert.deepEqual([heard, (await history())?.['number']], [1, before + 1])
    // An older copy: what was noted last is not in it.
    await operator.query(`delete from kedge.history where number = $1`, [before + 1])
    await operator.query(`update kedge.history set server = (select max(server) from kedge.history where number = 0)`)
    await cut()
    await ask().catch(ask)
    assert.deepEqual([heard, Number((await history())?.['number']) > before + 1], [2, true])
    await program.close()
  })
})

it('a call that may have begun in what was lost is told as unknown, except one that was allowed since', async () => {
  const { ports, sessions } = await world('calls')
  await sessions.create({ id: 's' })
  const call = (id: string) => ({ type: 'tool_use', id, name: 'step', input: {} })
  const lines = [
    { type: 'assistant', message: { content: ['done', 'begun', 'unknown', 'allowed'].map(call) } },
    { type: 'tool-start', toolUseId: 'begun' },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'done', content: '' }] } },
  ] as SessionStoreEntry[]
  await ports.database.query(
    `insert into kedge.asks (tenant, session, id, run, request, state, answered)
     values ('calls', 's', 'ask', 1, '{"tool":{"useId":"allowed"}}', 'answered', now())`,
  )
  const since = new Date(Date.now() - 60_000).toISOString()
  const begun = await createUnknownOutcomeLines(ports.database, 's', lines, since)
  assert.deepEqual(
    begun.map(({ type, toolUseId, toolName }) => [type, toolUseId, toolName]),
    [['tool-start', 'unknown', 'step']],
  )
})
