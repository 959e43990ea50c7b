import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelFailure } from '../../engine/ports.js'
import { createCircuitBreaker } from './breaker.js'

const failure = (code: string): ModelFailure => ({ kind: 'unknown', code, text: `It is ${code}.`, status: null })

function world() {
  let now = 0
  const breaker = createCircuitBreaker({ monotonic: () => now })
  const isHeld = (model = 'm') => breaker.heldBack(model, ['overloaded', 'rate_limited', 'down']) !== undefined
  const fail = (code: string, times = 1, retryAfterMs: number | null = null) => {
    for (let i = 0; i < times; i += 1) breaker.failed('m', failure(code), retryAfterMs)
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { breaker, isHeld, fail, pass }
}

test('three failures hold a model back for half a minute; then one request is let through to see', () => {
  const { breaker, isHeld, fail, pass } = world()
  fail('overloaded', 2)
  assert.equal(isHeld(), false)
  fail('overloaded')
  assert.deepEqual([isHeld(), isHeld('other')], [true, false])
  pass(29_999)
  assert.equal(isHeld(), true)
  pass(1)
  assert.deepEqual([isHeld(), isHeld()], [false, true])
  fail('connection_failed')
  assert.equal(isHeld(), true)
  pass(30_000)
  assert.equal(isHeld(), false)
  breaker.succeeded('m')
  assert.deepEqual([isHeld(), isHeld()], [false, false])
})

test('money holds back at once and for longer, and a time the server names counts', () => {
  const { isHeld, fail, pass } = world()
  fail('billing')
  pass(299_999)
  assert.equal(isHeld(), true)
  pass(1)
  assert.equal(isHeld(), false)
  fail('rate_limited', 3, 5000)
  pass(5000)
  assert.equal(isHeld(), false)
})

test('what is wrong with the request says nothing about the model, and only who has another is held back', () => {
  const { breaker, isHeld, fail } = world()
  for (const code of ['invalid_request', 'prompt_too_long', 'invalid_api_key']) fail(code, 5)
  assert.equal(isHeld(), false)
  fail('overloaded', 3)
  assert.equal(breaker.heldBack('m', ['down']), undefined)
  assert.match(
    breaker.heldBack('m', ['overloaded'])?.text ?? '',
    /^It is overloaded\.\nIt failed several times: .* 30 s/,
  )
})
