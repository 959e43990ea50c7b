import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkerLoadAndHeartbeat } from './worker.js'
import { startWorkerProbe } from './worker-probe.js'

test('a probe answers with health and metrics, and 503 once heartbeats no longer arrive', async () => {
  const state = { load: 2, capacity: 5, silentMs: 300, limitMs: 6000, draining: false }
  const probe = await startWorkerProbe('127.0.0.1', 0, () => state)
  try {
    const get = async (path: string) => {
      const response = await fetch(probe.url + path)
      return { status: response.status, text: await response.text() }
    }
    assert.deepEqual(await get('/healthz'), { status: 200, text: 'ok\n' })
    const { text } = await get('/metrics')
    for (const line of ['healthy 1', 'sessions 2', 'capacity 5', 'draining 0', 'heartbeat_age_seconds 0.3'])
      assert.ok(text.includes(`\nkedge_worker_${line}\n`), line)
    assert.deepEqual(await get('/'), { status: 404, text: 'This worker serves /healthz and /metrics.\n' })
    state.silentMs = 7000
    assert.deepEqual(await get('/healthz'), {
      status: 503,
      text: 'No heartbeat reached the database for 7 s. Check the database.\n',
    })
    assert.match((await get('/metrics')).text, /^kedge_worker_healthy 0$/m)
    await assert.rejects(
      startWorkerProbe('127.0.0.1', Number(new URL(probe.url).port), () => state),
      {
        message:
          /^Can't listen on 127\.0\.0\.1:\d+ for health and metrics, because another program uses the port \(EADDRINUSE\): choose another with --port\.$/,
      },
    )
  } finally {
    await probe.close()
  }
})

test('a probe answers 503 until its worker has started, and tells its memory', async () => {
  let state: WorkerLoadAndHeartbeat | undefined
  const probe = await startWorkerProbe('127.0.0.1', 0, () => state)
  try {
    const starting = await fetch(`${probe.url}/healthz`)
    assert.deepEqual([starting.status, await starting.text()], [503, 'The worker is starting.\n'])
    const metrics = await (await fetch(`${probe.url}/metrics`)).text()
    assert.match(metrics, /^kedge_worker_healthy 0$/m)
    assert.match(metrics, /^kedge_worker_resident_memory_bytes \d+$/m)
    assert.doesNotMatch(metrics, /capacity/)
    state = { load: 0, capacity: 5, silentMs: 0, limitMs: 6000, draining: false }
    assert.equal((await fetch(`${probe.url}/healthz`)).status, 200)
  } finally {
    await probe.close()
  }
})
