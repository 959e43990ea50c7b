import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkEvents } from './server-link.js'
import { createRequestIdTranslator } from './shared-requests.js'

const link = (): LinkEvents => ({ message() {}, closed() {}, sessionId: undefined })
const call = (id: number, meta?: object) => ({
  jsonrpc: '2.0' as const,
  id,
  method: 'tools/call',
  ...(meta ? { params: { _meta: meta } } : {}),
})

test('the same id of two queries is two ids for the server, with progress tokens to match; each finds back', () => {
  const requests = createRequestIdTranslator()
  const [a, b] = [link(), link()]
  const first = requests.renamed(a, 1, call(1, { progressToken: 'p' }))
  const second = requests.renamed(b, 1, call(1))
  assert.deepEqual([first.id, second.id], [0, 1])
  assert.deepEqual(first.params, { _meta: { progressToken: 0 } })
  assert.equal('params' in second, false)
  assert.deepEqual(requests.find(0), { link: a, id: 1, token: 'p' })
  assert.equal(requests.take(1)?.link, b)
  assert.equal(requests.take(1), undefined)
})

test('those of a query are dropped one by one or all, never those of another', () => {
  const requests = createRequestIdTranslator()
  const [a, b] = [link(), link()]
  for (const id of [1, 2]) requests.renamed(a, id, call(id))
  requests.renamed(b, 1, call(1))
  assert.deepEqual(requests.drop(a, 1), [0])
  // A cancellation that names nothing cancels nothing.
  assert.deepEqual(requests.drop(a, null), [])
  assert.deepEqual(requests.drop(a), [1])
  assert.equal(requests.find(2)?.link, b)
})

test('only who was asked may answer, once; who left may not', () => {
  const requests = createRequestIdTranslator()
  const [a, b] = [link(), link()]
  requests.ask(5, a)
  assert.deepEqual(
    [requests.takeAnswer(5, b), requests.takeAnswer(5, a), requests.takeAnswer(5, a)],
    [false, true, false],
  )
  requests.ask(6, a)
  requests.forget(a)
  assert.equal(requests.takeAnswer(6, a), false)
})

test('a request that names no call means the one query there is, or the one that has a call under way', () => {
  const requests = createRequestIdTranslator()
  const [a, b] = [link(), link()]
  assert.equal(requests.onlyUser(new Set([a])), a)
  assert.equal(requests.onlyUser(new Set([a, b])), undefined)
  requests.renamed(b, 1, call(1))
  assert.equal(requests.onlyUser(new Set([a, b])), b)
  requests.renamed(a, 1, call(1))
  assert.equal(requests.onlyUser(new Set([a, b])), undefined)
})
