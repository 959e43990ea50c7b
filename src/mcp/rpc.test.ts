import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRpc, type RpcPorts, RpcRefusal } from './rpc.js'
import { createTestClock, createTestTransport } from './test-transport.js'

async function connect(ports: Partial<RpcPorts> = {}, firstId = 0) {
  const wire = createTestTransport()
  const time = createTestClock()
  const told: string[] = []
  const rpc = createRpc(
    wire.transport,
    {
      clock: time.clock,
      onRequest: async () => ({}),
      onNotification: () => {},
      onClosed: (reason) => told.push(reason),
      onNote: () => {},
      ...ports,
    },
    firstId,
  )
  await rpc.start()
  return { ...wire, ...time, rpc, told }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('answers find their requests by number, in any order; late, double and unasked ones find nobody', async () => {
  const { rpc, sent, receive, waiting } = await connect({}, 2)
  const first = rpc.request('a', { x: 1 }, { timeoutMs: 10 })
  const second = rpc.request('b', undefined, { timeoutMs: 10 })
  assert.deepEqual(sent, [
    { method: 'a', params: { x: 1 }, jsonrpc: '2.0', id: 2 },
    { method: 'b', jsonrpc: '2.0', id: 3 },
  ])
  receive({ jsonrpc: '2.0', id: 99, result: {} })
  receive({ jsonrpc: '2.0', id: 3, result: { b: true } })
  receive({ jsonrpc: '2.0', id: 3, result: { b: 'again' } })
  receive({ jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } })
  assert.deepEqual(await second, { b: true })
  await assert.rejects(first, { code: 'mcp_refused', message: 'MCP error -1: no' })
  assert.equal(waiting(), 0)
})

test('an answer without a result is an error, not a wait without end', async () => {
  const { rpc, receive } = await connect()
  const asked = rpc.request('a', undefined, { timeoutMs: 10 })
  receive({ jsonrpc: '2.0', id: 0 })
  await assert.rejects(asked, { code: 'mcp_invalid_answer' })
})

test('a request that takes too long is canceled at the server, except initialize; progress starts its time again', async () => {
  const { rpc, sent, receive, pass } = await connect()
  const seen: unknown[] = []
  const call = rpc.request('slow', undefined, { timeoutMs: 100, onProgress: (params) => seen.push(params['progress']) })
  const hello = rpc.request('initialize', undefined, { timeoutMs: 100 })
  pass(60)
  receive({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 0, progress: 1 } })
  pass(60)
  await assert.rejects(hello, { code: 'mcp_timeout' })
  assert.equal(sent.length, 2)
  pass(60)
  await assert.rejects(call, { code: 'mcp_timeout' })
  assert.deepEqual(seen, [1])
  assert.deepEqual(sent.at(-1), {
    method: 'notifications/cancelled',
    params: { requestId: 0, reason: 'Timed out.' },
    jsonrpc: '2.0',
  })
})

test('an abort cancels at the server; before it is sent nothing is', async () => {
  const { rpc, sent } = await connect()
  const stop = new AbortController()
  const asked = rpc.request('a', undefined, { timeoutMs: 10, signal: stop.signal })
  stop.abort()
  await assert.rejects(asked, { code: 'mcp_cancelled', message: 'a was canceled.' })
  await assert.rejects(rpc.request('b', undefined, { timeoutMs: 10, signal: stop.signal }), { code: 'mcp_cancelled' })
  assert.deepEqual(
    sent.map((message) => ('method' in message ? message.method : '')),
    ['a', 'notifications/cancelled'],
  )
})

test('the end of the connection ends what waits, and is told once', async () => {
  const { rpc, told } = await connect()
  const asked = rpc.request('a', undefined, { timeoutMs: 10 })
  await rpc.close('over')
  await rpc.close('again')
  await assert.rejects(asked, { code: 'mcp_closed', message: 'over' })
  await assert.rejects(rpc.request('b', undefined, { timeoutMs: 10 }), { code: 'mcp_closed' })
  assert.deepEqual(told, ['over'])
})

test('requests of the server are answered, refused with a code, and at most sixteen at once', async () => {
  let free: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    free = resolve
  })
  const { sent, receive } = await connect({
    async onRequest(method) {
      if (method === 'refuse') throw new RpcRefusal(-32_601, 'Unknown.')
      if (method === 'wait') await held
      return { method }
    },
  })
  receive({ jsonrpc: '2.0', id: 'x', method: 'roots/list' })
  receive({ jsonrpc: '2.0', id: 'y', method: 'refuse' })
  await settle()
  assert.deepEqual(sent.splice(0), [
    { jsonrpc: '2.0', id: 'x', result: { method: 'roots/list' } },
    { jsonrpc: '2.0', id: 'y', error: { code: -32_601, message: 'Unknown.' } },
  ])
  for (let id = 0; id < 17; id += 1) receive({ jsonrpc: '2.0', id, method: 'wait' })
  await settle()
  assert.deepEqual(sent.splice(0), [
    { jsonrpc: '2.0', id: 16, error: { code: -32_000, message: 'Too many requests at once.' } },
  ])
  // One that the server no longer wants gets no answer.
  receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } })
  free()
  await settle()
  assert.equal(sent.length, 15)
})

test('the model is asked only for a call, and no longer than the last of them', async () => {
  const signals: AbortSignal[] = []
  const { rpc, sent, receive } = await connect({
    onRequest: (_method, _params, signal) => {
      signals.push(signal)
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error(String(signal.reason)))),
      )
    },
  })
  receive({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage' })
  await settle()
  assert.equal(signals.length, 0)
  assert.match(JSON.stringify(sent.splice(0)), /No call is under way/)
  const call = rpc.request('tools/call', undefined, { timeoutMs: 10 })
  sent.length = 0
  receive({ jsonrpc: '2.0', id: 2, method: 'sampling/createMessage' })
  await settle()
  assert.equal(signals[0]?.aborted, false)
  receive({ jsonrpc: '2.0', id: 0, result: {} })
  await call
  await settle()
  assert.equal(signals[0]?.aborted, true)
  assert.match(JSON.stringify(sent), /The call it was for is over/)
})
