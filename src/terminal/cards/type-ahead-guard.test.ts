/** Keys that were typed ahead answer nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TYPE_AHEAD_QUIET_MS, TypeAheadGuard } from './type-ahead-guard.js'

test('a key answers only after a quiet while since the question came, and since the last key', () => {
  const gate = new TypeAheadGuard()
  gate.shown(1000)
  assert.equal(gate.admits(1000 + TYPE_AHEAD_QUIET_MS - 1, 'text', false), false)
  // That key counts: the wait begins again.
  assert.equal(gate.admits(1000 + TYPE_AHEAD_QUIET_MS + 1, 'text', false), false)
  assert.equal(gate.admits(1000 + 3 * TYPE_AHEAD_QUIET_MS, 'text', false), true)
  assert.equal(gate.isOpen, true)
  // From then on keys may be quick.
  assert.equal(gate.admits(1001 + 3 * TYPE_AHEAD_QUIET_MS, 'text', false), true)
})

test('without a question no key answers, and the next question begins anew', () => {
  const gate = new TypeAheadGuard()
  assert.equal(gate.admits(99_999, 'text', false), false)
  gate.shown(0)
  assert.equal(gate.admits(TYPE_AHEAD_QUIET_MS * 400, 'text', false), true)
  gate.hidden()
  assert.equal(gate.admits(TYPE_AHEAD_QUIET_MS * 500, 'text', false), false)
  gate.shown(TYPE_AHEAD_QUIET_MS * 600)
  assert.equal(gate.isOpen, false)
  assert.equal(gate.admits(TYPE_AHEAD_QUIET_MS * 600 + 1, 'text', false), false)
})

test('with something in the prompt only Tab turns to the question, and answers nothing itself', () => {
  const gate = new TypeAheadGuard()
  gate.shown(0)
  assert.equal(gate.admits(TYPE_AHEAD_QUIET_MS, 'text', true), false)
  assert.equal(gate.admits(3 * TYPE_AHEAD_QUIET_MS, 'tab', true), false)
  assert.equal(gate.isOpen, true)
  assert.equal(gate.admits(3 * TYPE_AHEAD_QUIET_MS + 1, 'text', true), true)
  gate.turnAway()
  assert.equal(gate.admits(3 * TYPE_AHEAD_QUIET_MS + 2, 'text', true), false)
})
