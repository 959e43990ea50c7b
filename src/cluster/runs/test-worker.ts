/** A worker as a process of its own, for tests that kill and pause it. Says what it does, and continues with a turn when it is told to. */
import { createInterface } from 'node:readline'
import { openDatabase } from '../database/database.js'
import { createWakeUps } from '../database/wake-ups.js'
import { createDbosEngine } from '../engine/dbos-engine.js'
import { claimRun } from './claimed-run.js'
import { sendHeartbeat } from './recover-runs.js'

const [url = '', worker = ''] = process.argv.slice(2)
const database = await openDatabase({ url, connections: 3 })
const operator = database.asOperator()
const engine = await createDbosEngine({ database, wakeUps: createWakeUps(url), call() {} })
const say = (words: object) => process.stdout.write(`${JSON.stringify(words)}\n`)
const told: (() => void)[] = []
createInterface({ input: process.stdin }).on('line', () => told.shift()?.())

const limits = { worker, capacity: 4, queues: [{ name: 'runs', perTenant: 4 }] }
await engine.work(async (key) => {
  const ports = { database: database.as(key.tenant), engine, wake() {}, wakeWorker() {} }
  const run = await claimRun(ports, key, worker)
  if (!run) {
    say({ stale: key.run })
    return
  }
  try {
    for (let step = await run.next(); step.kind !== 'idle'; step = await run.next()) {
      const heard = new Promise<void>((done) => told.push(done))
      say({ began: step.prompt.clientId, again: step.kind === 'prompt' && step.begun })
      await heard
      await run.finish([step.prompt])
      say({ finished: step.prompt.clientId })
    }
  } catch (error) {
    say({ failed: (error as { code?: string }).code })
  }
}, limits)
const alive = () => sendHeartbeat(operator, { worker }).catch(() => undefined)
await alive()
setInterval(alive, 100)
