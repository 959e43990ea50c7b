import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { passRate } from './summary.js'

describe('the pass rate', () => {
  for (const [passed, of, low, high] of [
    [0, 1, 0, 0.793],
    [1, 1, 0.207, 1],
    [5, 10, 0.237, 0.763],
    [18, 20, 0.699, 0.972],
    [10, 10, 0.722, 1],
  ] as const) {
    it(`of ${passed}/${of} has Wilson's interval`, () => {
      const rate = passRate(passed, of)
      assert.deepEqual([Number(rate.low.toFixed(3)), Number(rate.high.toFixed(3))], [low, high])
    })
  }

  it('of no trial says nothing', () => {
    const { low, high } = passRate(0, 0)
    assert.deepEqual([low, high], [0, 1])
  })
})
