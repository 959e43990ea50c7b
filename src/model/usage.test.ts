import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import type { Usage } from '../protocol/content.js'
import { isZeroUsage, mergeUsage, readUsage, toCount, turnUsage } from './usage.js'

const ZERO = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }

describe('counts of an API', () => {
  test('are numbers above zero, or nothing', () => {
    for (const value of [1, 0.5, 1e12]) assert.equal(toCount(value), value)
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined, {}, true]) {
      assert.equal(toCount(value), 0, String(value))
    }
  })

  test('are all there, whatever was sent', () => {
    for (const value of [undefined, null, 'text', 7, [], {}]) assert.deepEqual(readUsage(value), ZERO)
    const sent = { input_tokens: '5', output_tokens: 7, cache_read_input_tokens: -1, service_tier: 'batch', later: 1 }
    assert.deepEqual(readUsage(sent), { ...ZERO, output_tokens: 7, service_tier: 'batch', later: 1 })
  })

  test('a later word replaces an earlier one, where it says something', () => {
    const known = readUsage({ input_tokens: 10, output_tokens: 1, service_tier: 'standard' })
    assert.deepEqual(mergeUsage(known, { output_tokens: 20, input_tokens: null, cache_read_input_tokens: undefined }), {
      ...known,
      output_tokens: 20,
    })
    assert.equal(mergeUsage(known, null), known)
    assert.equal(mergeUsage(known, 'x'), known)
    assert.equal(mergeUsage(known, { output_tokens: 0 }).output_tokens, 0)
    assert.equal(mergeUsage(known, { output_tokens: 'many' }).output_tokens, 0)
  })
})

describe('the sum of a turn', () => {
  test('of nothing has every key', () => {
    assert.deepEqual(turnUsage([]), {
      ...ZERO,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: 'standard',
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      inference_geo: '',
      iterations: [],
      speed: 'standard',
    })
  })

  test('adds counts up; of words the last that was said holds', () => {
    const first = readUsage({
      input_tokens: 1,
      output_tokens: 2,
      cache_creation: { ephemeral_1h_input_tokens: 3, ephemeral_5m_input_tokens: 4 },
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 2 },
      service_tier: 'priority',
      speed: 'fast',
    })
    const second = readUsage({ input_tokens: 10, cache_creation: { ephemeral_1h_input_tokens: 30 }, speed: 'standard' })
    const third = readUsage({ output_tokens: 5, cache_read_input_tokens: 6, inference_geo: 'us', cache_creation: null })
    const sum = turnUsage([first, second, third])
    assert.deepEqual(sum, {
      input_tokens: 11,
      output_tokens: 7,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 6,
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 2 },
      service_tier: 'priority',
      cache_creation: { ephemeral_1h_input_tokens: 33, ephemeral_5m_input_tokens: 4 },
      inference_geo: 'us',
      iterations: [],
      speed: 'standard',
    })
  })

  const usage = fc
    .record({ input_tokens: fc.nat(), output_tokens: fc.nat(), cache_read_input_tokens: fc.option(fc.nat()) })
    .map(readUsage)

  test('is the same in any grouping', () => {
    fc.assert(
      fc.property(fc.array(usage), fc.array(usage), (left, right) => {
        const parts = [turnUsage(left), turnUsage(right)] as unknown as Usage[]
        assert.deepEqual(turnUsage(parts), turnUsage([...left, ...right]))
      }),
    )
  })
})

test('nothing was used: no count at all is above zero', () => {
  assert.equal(isZeroUsage(readUsage({})), true)
  assert.equal(isZeroUsage({ input_tokens: 0, output_tokens: 0 } as Usage), true)
  for (const key of Object.keys(ZERO)) assert.equal(isZeroUsage(readUsage({ [key]: 1 })), false, key)
})
