import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseError, isConnectionLost } from './cluster-error.js'

test('a database that does not answer in time is away, in the words of its library and of the engine', () => {
  const engine = 'Unable to connect to system database at postgres://kedge:***@localhost/kedge'
  for (const message of ['timeout expired', `${engine}: timeout expired`, 'Connection terminated unexpectedly']) {
    const error = new Error(message)
    assert.ok(isConnectionLost(error), message)
    assert.match(databaseError(error, 'localhost/kedge').message, /can't be reached/)
  }
  for (const message of [`${engine}: permission denied`, 'the timeout expired long ago', 'timeout expired: no'])
    assert.ok(!isConnectionLost(new Error(message)), message)
})
