import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { LONG_PROMPT_TOKENS, MODEL_TABLE_DATE } from './model-facts.js'
import { type ConfiguredPrice, costOfUsage, type ModelPricing, modelPrice } from './pricing.js'
import { readUsage } from './usage.js'

const MILLION = 1_000_000
const KNOWN = 'claude-sonnet-4-5-20250929'

function tag(own: ConfiguredPrice): ModelPricing {
  return modelPrice('my-model', { 'my-model': own }) ?? assert.fail()
}
const cost = (price: ModelPricing, usage: Record<string, unknown>) => costOfUsage(price, readUsage(usage))

describe('the price of a model', () => {
  test('of the table, with its date; not known for others', () => {
    const known = modelPrice(KNOWN)
    assert.equal(known?.from, MODEL_TABLE_DATE)
    assert.ok((known?.tokens.input ?? 0) > 0)
    assert.equal(modelPrice('somebody-elses-model'), null)
  })

  test('of the settings outdoes it, by id with or without date and window', () => {
    const own = { input: 1, output: 2 }
    for (const [asked, named] of [
      [KNOWN, KNOWN],
      [KNOWN, 'claude-sonnet-4-5'],
      [`${KNOWN}[1m]`, KNOWN],
      [`${KNOWN}[1m]`, 'claude-sonnet-4-5'],
      [`${KNOWN}[1m]`, `${KNOWN}[1m]`],
    ] as const) {
      const found = modelPrice(asked, { [named]: own })
      assert.deepEqual([found?.from, found?.tokens.output], ['settings', 2], `${asked} as ${named}`)
    }
    assert.equal(modelPrice(KNOWN, { 'claude-opus': own })?.from, MODEL_TABLE_DATE)
    assert.equal(modelPrice('constructor', {}), null)
  })

  test('the whole name outdoes the one without a date', () => {
    const own = { [KNOWN]: { input: 1, output: 1 }, 'claude-sonnet-4-5': { input: 9, output: 9 } }
    assert.equal(modelPrice(KNOWN, own)?.tokens.input, 1)
  })

  test('what the settings leave out follows from the rest', () => {
    assert.deepEqual(tag({ input: 4, output: 10 }), {
      tokens: { input: 4, output: 10, cacheWrite5m: 5, cacheWrite1h: 8, cacheRead: 0.4 },
      longPrompt: { input: 4, output: 10, cacheWrite5m: 5, cacheWrite1h: 8, cacheRead: 0.4 },
      factors: { batch: 0.5, priority: 1, fast: null, us: 1 },
      webSearches: 10,
      from: 'settings',
    })
    const own = tag({ input: 4, output: 10, cacheRead: 1, longInput: 8, longOutput: 15, batch: 0.25, fast: 6 })
    assert.deepEqual(own.longPrompt, { input: 8, output: 15, cacheWrite5m: 10, cacheWrite1h: 16, cacheRead: 2 })
    assert.deepEqual(own.factors, { batch: 0.25, priority: 1, fast: 6, us: 1 })
  })

  test('a model that costs nothing to ask', () => {
    const free = tag({ input: 0, output: 3, longInput: 5 })
    assert.equal(cost(free, { input_tokens: MILLION / 10 }), 0)
    assert.equal(free.longPrompt.cacheRead, 0)
    assert.equal(free.longPrompt.input, 5)
  })
})

describe('what a request cost', () => {
  const price = tag({
    input: 2,
    output: 10,
    cacheWrite5m: 3,
    cacheWrite1h: 4,
    cacheRead: 0.2,
    longInput: 4,
    longOutput: 20,
  })

  test('each kind of token at its price', () => {
    assert.equal(cost(price, { input_tokens: 100_000 }), 0.2)
    assert.equal(cost(price, { output_tokens: MILLION }), 10)
    assert.equal(cost(price, { cache_creation_input_tokens: 100_000 }), 0.3)
    assert.equal(cost(price, { cache_read_input_tokens: 100_000 }), 0.02)
    assert.equal(cost(price, {}), 0)
  })

  test('what is written for an hour costs more, and is never more than all that was written', () => {
    const written = (all: number, hour: unknown) =>
      cost(price, { cache_creation_input_tokens: all, cache_creation: { ephemeral_1h_input_tokens: hour } })
    assert.equal(written(100_000, 100_000), 0.4)
    assert.equal(written(100_000, 50_000), 0.35)
    assert.equal(written(100_000, 999_999), 0.4)
    assert.equal(written(100_000, 'x'), 0.3)
    assert.equal(written(0, 100_000), 0)
  })

  test('a long prompt is one with all that is in it', () => {
    assert.equal(cost(price, { input_tokens: LONG_PROMPT_TOKENS }), 0.4)
    const long = cost(price, { input_tokens: LONG_PROMPT_TOKENS, cache_read_input_tokens: 1, output_tokens: MILLION })
    assert.ok(Math.abs((long ?? 0) - (0.8 + 20)) < 1e-5)
    const written = cost(price, { cache_creation_input_tokens: LONG_PROMPT_TOKENS + 1 })
    assert.ok(Math.abs((written ?? 0) - 0.2 * 6) < 1e-4)
    assert.equal(cost(price, { output_tokens: LONG_PROMPT_TOKENS + 1 }), ((LONG_PROMPT_TOKENS + 1) * 10) / MILLION)
  })

  test('tiers, speed and searches', () => {
    const own = tag({ input: 2, output: 10, batch: 0.5, priority: 3, fast: 6, webSearch: 20 })
    const usage = { output_tokens: MILLION }
    assert.equal(cost(own, { ...usage, service_tier: 'batch' }), 5)
    assert.equal(cost(own, { ...usage, service_tier: 'priority' }), 30)
    assert.equal(cost(own, { ...usage, service_tier: 'standard' }), 10)
    assert.equal(cost(own, { ...usage, speed: 'fast' }), 60)
    assert.equal(cost(own, { ...usage, speed: 'fast', service_tier: 'batch' }), 30)
    // Searches cost what they cost.
    assert.equal(cost(own, { service_tier: 'batch', server_tool_use: { web_search_requests: 50 } }), 1)
    assert.equal(cost(own, { server_tool_use: { web_search_requests: 'x' } }), 0)
  })

  test('fast mode without a price has none that we know', () => {
    assert.equal(cost(price, { output_tokens: 1, speed: 'fast' }), null)
  })

  test('never goes down with what was used', () => {
    const key = fc.constantFrom(
      'input_tokens',
      'output_tokens',
      'cache_creation_input_tokens',
      'cache_read_input_tokens',
    )
    const usage = fc.record({
      input_tokens: fc.nat(400_000),
      output_tokens: fc.nat(),
      cache_read_input_tokens: fc.nat(400_000),
    })
    fc.assert(
      fc.property(usage, key, fc.nat(), (used, more, by) => {
        const known = used as Record<string, number>
        const after = cost(price, { ...known, [more]: (known[more] ?? 0) + by }) ?? 0
        assert.ok(after >= (cost(price, known) ?? 0))
      }),
    )
  })
})
