import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { compactionLimit } from './compaction-limit.js'

test('the limit leaves room for a summary; of a small window, half', () => {
  assert.equal(compactionLimit(200_000, {}), 167_000)
  assert.equal(compactionLimit(1_000_000, {}), 967_000)
  assert.equal(compactionLimit(66_000, {}), 33_000)
  assert.equal(compactionLimit(40_000, {}), 20_000)
})

test('a percentage can only make it earlier', () => {
  const at = (percent: string) => compactionLimit(200_000, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: percent })
  assert.deepEqual(['50', '1', '0.5', '99', '100'].map(at), [100_000, 2000, 1000, 167_000, 167_000])
  // What isn't a percentage means nothing.
  assert.deepEqual(['0', '-5', '101', 'half', '', ' ', 'Infinity'].map(at), Array(7).fill(167_000))
})

test('either switch turns it off; one that says no does not', () => {
  for (const name of ['DISABLE_AUTO_COMPACT', 'DISABLE_COMPACT']) {
    assert.equal(compactionLimit(200_000, { [name]: '1' }), undefined, name)
    assert.equal(compactionLimit(200_000, { [name]: 'TRUE ' }), undefined, name)
    for (const value of ['0', 'false', '', 'maybe']) {
      assert.equal(compactionLimit(200_000, { [name]: value }), 167_000, `${name}=${value}`)
    }
  }
})

test('it is always inside the window', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.double({ noNaN: true }), (window, percent) => {
      const limit = compactionLimit(window, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: String(percent) })
      assert.ok(limit !== undefined && limit >= 0 && limit < window)
    }),
  )
})
