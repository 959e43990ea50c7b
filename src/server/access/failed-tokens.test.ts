import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FailedTokenGuard } from './failed-tokens.js'

describe('who guesses tokens', () => {
  it('waits after 20 wrong ones, for the rest of the minute', () => {
    let now = 0
    const failures = new FailedTokenGuard(() => now)
    for (let n = 0; n < 20; n += 1) {
      assert.equal(failures.wait('a', `guess ${n}`), 0)
      failures.note('a', `guess ${n}`, false)
    }
    now = 20_000
    assert.equal(failures.wait('a', 'right, but not known yet'), 40)
    assert.equal(failures.wait('b', 'guess'), 0)
    now = 60_000
    assert.equal(failures.wait('a', 'guess'), 0)
    failures.note('a', 'guess', false)
    assert.equal(failures.wait('a', 'guess'), 0)
  })

  it('does not keep those waiting who showed a right one from there, until it is revoked', () => {
    const failures = new FailedTokenGuard(() => 0)
    failures.note('a', 'right', true)
    for (let n = 0; n < 30; n += 1) failures.note('a', 'wrong', false)
    assert.deepEqual([failures.wait('a', 'right'), failures.wait('a', 'wrong')], [0, 60])
    failures.note('a', 'right', false)
    assert.equal(failures.wait('a', 'right'), 60)
  })
})
