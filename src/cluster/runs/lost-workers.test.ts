/** Workers as real processes on the real engine, killed and paused in the middle of a turn. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { createWakeUps } from '../database/wake-ups.js'
import { createDbosEngine, migrateEngine } from '../engine/dbos-engine.js'
import { openTestDatabase } from '../test-database.js'
import { ClusterSessions } from './cluster-sessions.js'
import { takeOverRuns } from './recover-runs.js'

/** Several times what a worker lets pass between two beats; one that is starved looks dead, and that must be harmless. */
const SILENT_MS = 2000

function startWorker(url: string, name: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test-worker.js'), url, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    name,
    says: async (): Promise<unknown> => JSON.parse((await lines.next()).value),
    goOn: () => child.stdin.write('\n'),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    gone: new Promise((done) => child.once('close', done)),
  }
}

describe('a worker that is lost in the middle of a turn', { timeout: 400_000 }, () => {
  it('is replaced; paused ones change nothing when they wake; every prompt ends once', async (t) => {
    const { database, url, drop } = await openTestDatabase({ connections: 4 })
    await migrateEngine(database)
    const wakeUps = createWakeUps(url)
    const engine = await createDbosEngine({ database, wakeUps, call() {} })
    const ports = { database: database.as('acme'), engine, wake() {}, wakeWorker() {} }
    const sessions = new ClusterSessions(ports)
    const everybody = { ...ports, database: database.asOperator() }
    const reaped = async () => {
      for (;;) {
        const taken = await takeOverRuns(everybody, SILENT_MS)
        if (taken && taken.length > 0) return taken
        await new Promise((done) => setTimeout(done, 50))
      }
    }
    await sessions.create({ id: 's' })
    const workers: ReturnType<typeof startWorker>[] = []
    const start = (name: string) => {
      const worker = startWorker(url, name)
      workers.push(worker)
      return worker
    }
    t.after(async () => {
      for (const worker of workers) worker.signal('SIGKILL')
      await Promise.all(workers.map(({ gone }) => gone))
      await engine.stop(0)
      await wakeUps.close()
      await drop()
    })
    const first = start('worker-1')
    await sessions.submit('s', { clientId: 'a', body: 'Slow' })
    assert.deepEqual(await first.says(), { began: 'a', again: false })
    first.signal('SIGSTOP')
    assert.deepEqual(await reaped(), [{ tenant: 'acme', session: 's', run: 1 }])
    assert.deepEqual(await engine.runsOf(['worker-1']), [], 'its place is free')

    const second = start('worker-2')
    assert.deepEqual(await second.says(), { began: 'a', again: true })
    first.signal('SIGCONT')
    first.goOn()
    assert.deepEqual(await first.says(), { failed: 'session_fenced' })
    first.signal('SIGKILL')
    await first.gone
    second.goOn()
    assert.deepEqual(await second.says(), { finished: 'a' })

    await sessions.submit('s', { clientId: 'b', body: 'Another' })
    assert.deepEqual(await second.says(), { began: 'b', again: false })
    second.signal('SIGKILL')
    await reaped()
    const third = start('worker-3')
    assert.deepEqual(await third.says(), { began: 'b', again: true })
    third.goOn()
    assert.deepEqual(await third.says(), { finished: 'b' })
    const isIdle = async () =>
      (await ports.database.query(`select 1 from kedge.sessions where state = 'idle'`)).length > 0
    while (!(await isIdle())) await new Promise((done) => setTimeout(done, 20))
  })
})
