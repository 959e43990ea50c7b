/** `kedge worker` as supervisors see it: its health, its metrics, its log. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { runAdmin } from '../../src/cluster/admin/admin-main.js'
import { createTestDatabase } from '../../src/cluster/test-database.js'
import { eventually } from '../support/eventually.js'
import { startRelay } from '../web/relay.js'
import { callNode, openPlace, startNode, startWorkerProgram } from './programs.js'
import { stepModel } from './step-model.js'

const get = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, text: await response.text() }
}
const linesOf = (log: string): Record<string, unknown>[] =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('kedge worker, as a supervisor sees it', { timeout: 180_000 }, () => {
  it('serves its health and metrics, and writes its log as JSON: also when its database is away', async () => {
    const tables = await createTestDatabase()
    await using relay = await startRelay()
    relay.leadTo(tables.url)
    const url = Object.assign(new URL(tables.url), { host: relay.host }).href
    await using place = await openPlace(url, stepModel)
    const worker = await startWorkerProgram(place, '--port', '0', '--log-format', 'json')
    const probe = await eventually('it says where', () => /Health and metrics: (\S+)\/healthz/.exec(worker.out())?.[1])
    assert.deepEqual(await get(`${probe}/healthz`), { status: 200, text: 'ok\n' })
    assert.match((await get(`${probe}/metrics`)).text, /^kedge_worker_capacity 50$/m)
    relay.cut()
    const sick = await eventually('it says that it is not well', async () => {
      const found = await get(`${probe}/healthz`)
      return found.status === 503 ? found : undefined
    })
    assert.match(sick?.text ?? '', /^No heartbeat reached the database for \d+ s\. Check the database\.\n$/)
    await eventually('it writes why', () => worker.log().includes('\n'))
    for (const line of linesOf(worker.log())) {
      assert.match(String(line['time']), /^\d{4}-.*Z$/)
      assert.ok(['info', 'error'].includes(String(line['level'])), JSON.stringify(line))
      assert.equal(typeof line['message'], 'string')
    }
    await worker.end('SIGKILL')
    await tables.drop()
  })

  it('ends on a signal while a request keeps a session with it, and writes no stack trace', async () => {
    const tables = await createTestDatabase()
    await using place = await openPlace(tables.url, () => ({
      tools: [{ name: 'mcp__steps__risky', input: { name: 'a' } }],
    }))
    const node = await startNode(place)
    const { id } = (await callNode(node.url, 'POST', '/v1/sessions', { cwd: place.folder })).json
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const worker = await startWorkerProgram(place, '--warm-seconds', '60')
      if (signal === 'SIGTERM')
        await callNode(node.url, 'POST', `/v1/sessions/${id}/prompts`, { id: '1', content: 'go' })
      await eventually(`it asks\n${worker.log()}`, async () => {
        const { json } = await callNode(node.url, 'GET', '/v1/asks')
        return json.asks.length === 1
      })
      assert.equal(await worker.end(signal), 0, worker.log())
      assert.doesNotMatch(worker.log(), /^\s+at |unhandled/im)
    }
    assert.equal(await node.end('SIGTERM'), 0, node.log())
    assert.doesNotMatch(node.log(), /^\s+at |unhandled/im)
    await tables.drop()
  })

  it('does not start on a port that is taken: it says so, and never had a session', async () => {
    const tables = await createTestDatabase()
    await using place = await openPlace(tables.url, stepModel)
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number } // it listens on one
    const flags = ['--port', `${port}`, '--log-format', 'json']
    const ended: Error = await startWorkerProgram(place, ...flags).then(
      async (worker) => {
        await worker.end('SIGKILL')
        return assert.fail('it started')
      },
      (error) => error,
    )
    const [line] = linesOf(ended.message.replace(/^kedge worker.* ended: /, ''))
    assert.equal(line?.['level'], 'error')
    assert.match(
      String(line?.['message']),
      /^Can't listen on 127\.0\.0\.1:\d+ .*another program uses the port .*--port/,
    )
    const { out } = await runAdmin(['status', '--json'], { KEDGE_DATABASE: tables.url })
    assert.deepEqual(JSON.parse(out).workers, [])
    other.close()
    await tables.drop()
  })
})
