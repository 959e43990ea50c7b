import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { ControlError, type ControlMessage, createPeer, type Peer } from './peer.js'

/** Two peers on one wire; `a` asks, `b` answers with what `handle` gives. */
function pair(
  handle: (request: Record<string, unknown>, signal: AbortSignal) => Promise<Record<string, unknown> | undefined>,
) {
  const wire: [string, ControlMessage][] = []
  const reports: string[] = []
  let next = 0
  const make = (name: string, other: () => Peer, answer: typeof handle): Peer =>
    createPeer({
      send(message) {
        wire.push([name, message])
        other().receive(message)
      },
      newId: () => `${name}${next++}`,
      handle: answer,
      report: (problem) => reports.push(problem),
    })
  const a: Peer = make(
    'a',
    () => b,
    async () => ({}),
  )
  const b: Peer = make('b', () => a, handle)
  return { a, b, wire, reports }
}

test('a request gets its answer', async () => {
  const { a } = pair(async (request) => ({ echo: request.subtype }))
  assert.deepEqual(await a.request({ subtype: 'x' }), { echo: 'x' })
  assert.equal(a.openRequests(), 0)
})

test('a throw becomes an error answer with its code', async () => {
  const { a, wire } = pair(async () => {
    throw new ControlError('no', 'because')
  })
  await assert.rejects(a.request({ subtype: 'x' }), { message: 'no', code: 'control_error' })
  assert.deepEqual(wire.at(-1), [
    'b',
    { type: 'control_response', response: { subtype: 'error', request_id: 'a0', error: 'no', error_code: 'because' } },
  ])
})

test('an abort cancels on both sides; the late answer is ignored', async () => {
  let seen: AbortSignal | undefined
  let answer: (body: Record<string, unknown>) => void = () => {}
  const { a, wire } = pair((_, signal) => {
    seen = signal
    return new Promise((resolve) => {
      answer = resolve
    })
  })
  const controller = new AbortController()
  const asked = a.request({ subtype: 'x' }, controller.signal)
  controller.abort()
  await assert.rejects(asked, { name: 'AbortError' })
  assert.equal(seen?.aborted, true)
  answer({ late: true })
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(
    wire.map(([, { type }]) => type),
    ['control_request', 'control_cancel_request', 'control_response'],
  )
})

test('answers nobody waits for, requests without an id and doubled ids do no harm', async () => {
  let handled = 0
  const { b, wire, reports } = pair(() => {
    handled += 1
    return new Promise(() => {})
  })
  b.receive({ type: 'control_response', response: { subtype: 'success', request_id: 'never-asked' } })
  b.receive({ type: 'control_cancel_request', request_id: 'never-asked' })
  // Shapes that only a broken host sends.
  b.receive({ type: 'control_request', request: { subtype: 'x' } } as unknown as ControlMessage)
  b.receive({ type: 'control_response' } as unknown as ControlMessage)
  void b.receive({ type: 'control_request', request_id: 'r', request: { subtype: 'x' } })
  void b.receive({ type: 'control_request', request_id: 'r', request: { subtype: 'x' } })
  assert.equal(handled, 1)
  assert.deepEqual(reports, ['control_request without a request_id'])
  assert.deepEqual(wire.at(-1)?.[1], {
    type: 'control_response',
    response: {
      subtype: 'error',
      request_id: 'r',
      error: 'request_id r is still open',
      error_code: 'duplicate_request_id',
    },
  })
})

test('closing rejects what is open, and what comes later, and aborts what is being answered', async () => {
  let seen: AbortSignal | undefined
  const { a, b } = pair((_, signal) => {
    seen = signal
    return new Promise(() => {})
  })
  const asked = a.request({ subtype: 'x' })
  b.close(new Error('bye'))
  a.close(new Error('open'), new Error('later'))
  await assert.rejects(asked, /open/)
  await assert.rejects(a.request({ subtype: 'y' }), /later/)
  assert.equal(seen?.aborted, true)
})

test('under any order of answers every request settles exactly once with its own answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 12 }), async (scheduler, count) => {
      const { a } = pair((request) => scheduler.schedule(Promise.resolve({ n: request.n })))
      const answers = Array.from({ length: count }, (_, n) => a.request({ subtype: 'x', n }))
      await scheduler.waitAll()
      assert.deepEqual(
        await Promise.all(answers),
        Array.from({ length: count }, (_, n) => ({ n })),
      )
      assert.equal(a.openRequests(), 0)
    }),
  )
})
