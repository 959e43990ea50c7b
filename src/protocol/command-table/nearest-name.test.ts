import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { editDistance, nearestName } from './nearest-name.js'

describe('the distance of two words', () => {
  const cases: [string, string, number][] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['model', 'modle', 1],
    ['tset', 'test', 1],
    ['ca', 'abc', 2],
  ]
  for (const [a, b, distance] of cases)
    it(`${a} and ${b}: ${distance}`, () => assert.equal(editDistance(a, b), distance))

  it('is the same both ways, nothing only for the same word, and at most the longer one', () => {
    const word = fc.string({ maxLength: 8 })
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        const distance = editDistance(a, b)
        assert.equal(distance, editDistance(b, a))
        assert.equal(distance === 0, a === b)
        assert.ok(distance <= Math.max(a.length, b.length))
        assert.ok(distance <= editDistance(a, c) + editDistance(c, b))
      }),
    )
  })
})

describe('the nearest name', () => {
  it('takes two swapped letters for one step', () => {
    assert.equal(nearestName('tset', ['get', 'remove', 'test']), 'test')
  })

  it('prefers the length that is closest', () => {
    assert.equal(nearestName('--modle', ['--mode', '--model']), '--model')
  })

  const names = ['doctor', 'models', 'mcp']
  for (const [word, expected] of [
    ['docter', 'doctor'],
    ['model', 'models'],
    ['mpc', 'mcp'],
    ['modle', 'models'],
    ['weather', undefined],
  ] as const)
    it(`${word}: ${expected}`, () => assert.equal(nearestName(word, names), expected))

  it('is within the distance that is asked for', () => {
    assert.equal(nearestName('mdls', names, 1), undefined)
    assert.equal(nearestName('mdls', names, 2), 'models')
  })
})
