import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import type { McpError } from './mcp-error.js'
import { createPendingRequests } from './pending-requests.js'
import { waitForPendingWork } from './test-answering-server.js'
import { createTestClock } from './test-transport.js'

function start({ firstId = 0, fails }: { firstId?: number; fails?: unknown } = {}) {
  const time = createTestClock()
  const sent: JSONRPCMessage[] = []
  const told: JSONRPCMessage[] = []
  const stops: AbortSignal[] = []
  let over = 0
  const requests = createPendingRequests(
    {
      clock: time.clock,
      transport: {
        async send(message, stop) {
          sent.push(message)
          if (stop) stops.push(stop)
          if (fails !== undefined) throw fails
        },
      },
      tell: (message) => void told.push(message),
      envelope: () => ({}),
      tellsCancels: () => true,
      onCallsOver: () => {
        over += 1
      },
    },
    firstId,
  )
  /** What became of each: its result, or `code: message`. */
  const ends: string[] = []
  const send = (method: string, more: Parameters<typeof requests.send>[2] = { timeoutMs: 1000 }, params?: object) => {
    const done = requests.send(method, params as never, more).then(
      (result) => void ends.push(`${method} ${JSON.stringify(result)}`),
      ({ code, message }: McpError) => void ends.push(`${code}: ${message}`),
    )
    return done
  }
  return { ...time, requests, sent, told, stops, ends, send, over: () => over }
}

describe('requests to a server', () => {
  test('are numbered from the first free one, with params only where there are some', () => {
    const { send, sent } = start({ firstId: 3 })
    void send('ping')
    void send('tools/call', undefined, { name: 'x' })
    assert.deepEqual(sent, [
      { method: 'ping', jsonrpc: '2.0', id: 3 },
      { method: 'tools/call', params: { name: 'x' }, jsonrpc: '2.0', id: 4 },
    ])
  })

  test('find their answers in any order, and hold nothing afterwards', async () => {
    const { send, requests, ends, waiting } = start()
    const both = [send('a'), send('b')]
    assert.equal(waiting(), 2)
    requests.settle({ id: 1, result: { n: 1 } })
    requests.settle({ id: 0, result: { n: 0 } })
    await Promise.all(both)
    assert.deepEqual(ends, ['b {"n":1}', 'a {"n":0}'])
    assert.equal(waiting(), 0)
  })

  const answers: [what: string, answer: Record<string, unknown>, end: string][] = [
    ['an error', { error: { code: -32_601, message: 'no' } }, 'mcp_refused: MCP error -32601: no'],
    ['an error with our words', { error: { code: 1, message: 'MCP error 1: x' } }, 'mcp_refused: MCP error 1: x'],
    ['an error without words', { error: { code: 7 } }, 'mcp_refused: MCP error 7: no reason given'],
    ['a result that is none', { result: 'text' }, 'mcp_invalid_answer: The server sent an answer without a result.'],
    ['nothing', {}, 'mcp_invalid_answer: The server sent an answer without a result.'],
    ['both', { result: { ok: true }, error: { code: 1 } }, 'x {"ok":true}'],
  ]
  for (const [what, answer, end] of answers) {
    test(`answered with ${what}`, async () => {
      const { send, requests, ends } = start()
      const done = send('x')
      requests.settle({ id: 0, ...answer })
      await done
      assert.deepEqual(ends, [end])
    })
  }

  test('an error without end is cut', async () => {
    const { send, requests, ends } = start()
    const done = send('x')
    requests.settle({ id: 0, error: { code: 1, message: 'e'.repeat(100_000) } })
    await done
    assert.equal(ends[0]?.length, 'mcp_refused: MCP error 1: '.length + 4000)
  })

  test('answers that nobody waits for: late, double, unasked, with an id that is text', async () => {
    const { send, requests, ends } = start()
    const done = send('x')
    for (const id of ['0', 1, -1, null, undefined]) requests.settle({ id: id as never, result: {} })
    requests.settle({ id: 0, result: { n: 1 } })
    requests.settle({ id: 0, result: { n: 2 } })
    await done
    assert.deepEqual(ends, ['x {"n":1}'])
  })

  test('beyond their time are given up, and the server is told', async () => {
    const { send, pass, ends, told, stops } = start()
    const done = send('tools/list', { timeoutMs: 1500 })
    pass(1499)
    assert.equal(told.length, 0)
    pass(1)
    await done
    assert.deepEqual(ends, ['mcp_timeout: The server did not answer tools/list within 1.5 s.'])
    assert.deepEqual(told, [
      { method: 'notifications/cancelled', params: { requestId: 0, reason: 'Timed out.' }, jsonrpc: '2.0' },
    ])
    assert.equal(stops[0]?.aborted, true)
  })

  test('a greeting can not be canceled', async () => {
    const { send, pass, ends, told } = start()
    const done = send('initialize')
    pass(1000)
    await done
    assert.equal(ends.length, 1)
    assert.deepEqual(told, [])
  })

  test('an abort gives up as well; one beforehand sends nothing', async () => {
    const { send, ends, sent, told, waiting } = start()
    const controller = new AbortController()
    const done = send('x', { timeoutMs: 1000, signal: controller.signal })
    controller.abort()
    await done
    await send('y', { timeoutMs: 1000, signal: controller.signal })
    assert.deepEqual(ends, ['mcp_cancelled: x was canceled.', 'mcp_cancelled: Canceled before it was sent.'])
    assert.equal(sent.length, 1)
    assert.deepEqual(told[0]?.params, { requestId: 0, reason: 'The user canceled it.' })
    assert.equal(waiting(), 0)
  })

  test('what can not be sent fails at once', async () => {
    const { send, ends, waiting } = start({ fails: new Error('broken pipe') })
    await send('x')
    assert.deepEqual(ends, ['mcp_closed: broken pipe'])
    assert.equal(waiting(), 0)
  })

  test('progress is asked for by number, told, and starts the time again', async () => {
    const { send, requests, sent, pass, ends } = start({ firstId: 5 })
    const heard: unknown[] = []
    const onProgress = (params: unknown) => void heard.push(params)
    const done = send('tools/call', { timeoutMs: 1000, onProgress }, { name: 'x', _meta: { own: 1 } })
    assert.deepEqual(sent[0]?.params, { name: 'x', _meta: { own: 1, progressToken: 5 } })
    pass(900)
    requests.progress(5, { progress: 1 })
    requests.progress(99, { progress: 2 })
    pass(900)
    assert.deepEqual([heard, ends], [[{ progress: 1 }], []])
    pass(100)
    await done
    requests.progress(5, { progress: 3 })
    assert.equal(heard.length, 1)
    assert.match(ends[0] ?? '', /^mcp_timeout/)
  })

  test('without a listener there is no token, and progress changes nothing', async () => {
    const { send, requests, sent, pass, ends } = start()
    const done = send('tools/call', { timeoutMs: 1000 }, { name: 'x' })
    assert.deepEqual(sent[0]?.params, { name: 'x' })
    pass(900)
    requests.progress(0, {})
    pass(100)
    await done
    assert.equal(ends.length, 1)
  })

  test('the end of the connection ends all of them, once, and refuses what comes then', async () => {
    const { send, requests, ends, sent, told, waiting } = start()
    const both = [send('a'), send('b')]
    assert.equal(requests.failAll('It exited.'), true)
    assert.equal(requests.failAll('Again.'), false)
    await Promise.all([...both, send('c')])
    assert.deepEqual(ends, Array(3).fill('mcp_closed: It exited.'))
    assert.equal(sent.length, 2)
    assert.deepEqual(told, [])
    assert.equal(waiting(), 0)
  })
})

describe('calls of tools', () => {
  test('are under way until the last of them ends, however that is', async () => {
    const { send, requests, over, pass } = start()
    const list = send('tools/list')
    assert.equal(requests.hasCalls(), false)
    const calls = [send('tools/call'), send('tools/call', { timeoutMs: 500 }), send('tools/call')]
    assert.equal(requests.hasCalls(), true)
    requests.settle({ id: 1, result: {} })
    await calls[0]
    pass(500)
    await calls[1]
    assert.deepEqual([requests.hasCalls(), over()], [true, 0])
    requests.settle({ id: 3, error: { code: 1 } })
    await calls[2]
    assert.deepEqual([requests.hasCalls(), over()], [false, 1])
    requests.settle({ id: 0, result: {} })
    await list
    assert.equal(over(), 1)
  })

  test('whatever happens to them, each ends once and none is left', async () => {
    const action = fc.record({
      what: fc.constantFrom('send', 'call', 'answer', 'error', 'progress', 'pass', 'close'),
      n: fc.nat({ max: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        const { send, requests, pass, ends, waiting } = start()
        const all: Promise<void>[] = []
        for (const { what, n } of actions) {
          if (what === 'send' || what === 'call') {
            all.push(send(what === 'call' ? 'tools/call' : 'ping', { timeoutMs: 100 * (n + 1), onProgress() {} }))
          } else if (what === 'answer') requests.settle({ id: n, result: {} })
          else if (what === 'error') requests.settle({ id: n, error: { code: n } })
          else if (what === 'progress') requests.progress(n, {})
          else if (what === 'pass') pass(n * 100)
          else requests.failAll('closed')
        }
        requests.failAll('over')
        await Promise.all(all)
        await waitForPendingWork()
        assert.equal(ends.length, all.length)
        assert.equal(waiting(), 0)
        assert.equal(requests.hasCalls(), false)
      }),
      { numRuns: byTier({ quick: 15, all: 60 }) },
    )
  })
})
