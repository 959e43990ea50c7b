import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf, toError } from './thrown.js'

test('the message of an error, or the text of whatever was thrown', () => {
  assert.equal(messageOf(new TypeError('a reason')), 'a reason')
  assert.deepEqual(['plain', undefined, 7].map(messageOf), ['plain', 'undefined', '7'])
})

test('the error itself, or one that says what was thrown', () => {
  const error = new TypeError('a reason')
  assert.equal(toError(error), error)
  assert.deepEqual(toError('plain'), new Error('plain'))
})
