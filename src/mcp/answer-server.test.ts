import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../protocol/json.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import { createServerRequestResponder, RpcRefusal } from './answer-server.js'
import { waitForPendingWork } from './test-answering-server.js'

/** Requests wait until the test answers them, by the order they came. */
function start({ hasCalls = true } = {}) {
  const told: JSONRPCMessage[] = []
  const asked: { method: string; params: JsonObject; signal: AbortSignal }[] = []
  const waiting: { resolve(result: JsonObject): void; reject(error: unknown): void }[] = []
  const answers = createServerRequestResponder({
    onRequest(method, params, signal) {
      asked.push({ method, params, signal })
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    },
    tell: (message) => void told.push(message),
    hasCalls: () => hasCalls,
  })
  return { answers, told, asked, waiting }
}

const SAMPLING = 'sampling/createMessage'

describe('what a server asks of us', () => {
  test('is answered with its id, in the order the answers are known', async () => {
    const { answers, told, asked, waiting } = start()
    const both = [answers.answer(1, 'roots/list', {}), answers.answer('two', 'elicitation/create', { message: 'm' })]
    waiting[1]?.resolve({ action: 'decline' })
    await waitForPendingWork()
    waiting[0]?.resolve({ roots: [] })
    await Promise.all(both)
    assert.deepEqual(told, [
      { jsonrpc: '2.0', id: 'two', result: { action: 'decline' } },
      { jsonrpc: '2.0', id: 1, result: { roots: [] } },
    ])
    assert.deepEqual(
      asked.map(({ method, params }) => [method, params]),
      [
        ['roots/list', {}],
        ['elicitation/create', { message: 'm' }],
      ],
    )
  })

  test('what a handler throws is an error with its code, else an internal one', async () => {
    const { answers, told, waiting } = start()
    const all = [1, 2, 3].map((id) => answers.answer(id, 'x', {}))
    waiting[0]?.reject(new RpcRefusal(-32_601, 'not known'))
    waiting[1]?.reject(new Error('it broke'))
    waiting[2]?.reject('text')
    await Promise.all(all)
    assert.deepEqual(
      told.map(({ id, error }) => [id, error]),
      [
        [1, { code: -32_601, message: 'not known' }],
        [2, { code: -32_603, message: 'it broke' }],
        [3, { code: -32_603, message: 'text' }],
      ],
    )
  })

  test('sixteen at once; the next is refused, and there is room again when one is done', async () => {
    const { answers, told, waiting } = start()
    const all = Array.from({ length: 16 }, (_, id) => answers.answer(id, 'x', {}))
    await answers.answer('more', 'x', {})
    assert.deepEqual(told, [
      { jsonrpc: '2.0', id: 'more', error: { code: -32_000, message: 'Too many requests at once.' } },
    ])
    waiting[3]?.resolve({})
    await all[3]
    void answers.answer('again', 'x', {})
    assert.equal(waiting.length, 17)
    assert.deepEqual(
      told.map(({ id }) => id),
      ['more', 3],
    )
  })

  test('one id for many requests does not get around that, nor lose the first of them', async () => {
    const { answers, told, asked, waiting } = start()
    const first = answers.answer(1, 'x', { n: 1 })
    for (let n = 2; n < 100; n += 1) await answers.answer(1, 'x', { n })
    assert.equal(asked.length, 1)
    assert.equal(told.length, 98)
    assert.deepEqual(told[0]?.error, { code: -32_600, message: 'A request of this id is under way.' })
    answers.abort(1)
    assert.equal(asked[0]?.signal.aborted, true)
    waiting[0]?.resolve({})
    await first
    // What is over may be asked again. 1 and '1' are two ids.
    void answers.answer(1, 'x', {})
    void answers.answer('1', 'x', {})
    assert.equal(asked.length, 3)
  })

  test('what the server no longer wants to know is not told', async () => {
    const { answers, told, asked } = start()
    const all = [answers.answer(1, 'x', {}), answers.answer(2, 'x', {})]
    answers.abort(1)
    answers.abort('unknown')
    await all[0]
    assert.deepEqual(
      asked.map(({ signal }) => signal.aborted),
      [true, false],
    )
    answers.abortAll()
    await all[1]
    assert.deepEqual(told, [])
  })

  test('an answer that comes although it was aborted is not told either', async () => {
    const told: JSONRPCMessage[] = []
    const tell = (message: JSONRPCMessage) => void told.push(message)
    let finish = (_: JsonObject) => {}
    const onRequest = () => new Promise<JsonObject>((resolve) => (finish = resolve))
    const answers = createServerRequestResponder({ onRequest, tell, hasCalls: () => true })
    const done = answers.answer(1, 'x', {})
    answers.abort(1)
    finish({ late: true })
    await done
    assert.deepEqual(told, [])
  })
})

describe('a question to the model', () => {
  test('is asked only while a call is under way', async () => {
    const { answers, told, asked } = start({ hasCalls: false })
    await answers.answer(1, SAMPLING, {})
    void answers.answer(2, 'roots/list', {})
    assert.deepEqual(told, [
      { jsonrpc: '2.0', id: 1, error: { code: -32_600, message: 'No call is under way that it could be for.' } },
    ])
    assert.deepEqual(
      asked.map(({ method }) => method),
      ['roots/list'],
    )
  })

  test('ends with the last call, and the server is told; other requests go on', async () => {
    const { answers, told, asked, waiting } = start()
    const sample = answers.answer(1, SAMPLING, {})
    const other = answers.answer(2, 'roots/list', {})
    answers.endSamples()
    await sample
    assert.deepEqual(
      told.map(({ id, error }) => [id, (error as JsonObject | undefined)?.['code']]),
      [[1, -32_603]],
    )
    assert.equal(asked[1]?.signal.aborted, false)
    waiting[1]?.resolve({})
    await other
    assert.equal(told.length, 2)
    assert.doesNotThrow(() => answers.endSamples())
  })

  test('that the server canceled itself is not told of, also when the call ends then', async () => {
    const { answers, told } = start()
    const sample = answers.answer(1, SAMPLING, {})
    answers.abort(1)
    answers.endSamples()
    await sample
    assert.deepEqual(told, [])
  })
})
