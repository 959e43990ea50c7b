import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import type { KnownSettings } from './keys/known-keys.js'
import { mergeSettings } from './merge-layers.js'

const word = fc.constantFrom('A', 'B', 'C')
const rules = fc.uniqueArray(fc.constantFrom('Bash(a)', 'Bash(b)', 'Read', 'Edit'), { maxLength: 4 })
const layer: fc.Arbitrary<KnownSettings> = fc.record(
  {
    model: word,
    env: fc.dictionary(word, word, { noNullPrototype: true }),
    permissions: fc.record(
      { allow: rules, deny: rules, defaultMode: fc.constantFrom('plan', 'default') },
      { requiredKeys: [], noNullPrototype: true },
    ),
    sandbox: fc.record({ enabled: fc.boolean(), excludedCommands: rules }, { requiredKeys: [], noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<KnownSettings>

test('layers can be put together in any grouping, and a layer beside itself is itself', () => {
  fc.assert(
    fc.property(layer, layer, layer, (a, b, c) => {
      assert.deepEqual(mergeSettings([mergeSettings([a, b]), c]), mergeSettings([a, mergeSettings([b, c])]))
      assert.deepEqual(mergeSettings([a, a]), mergeSettings([a]))
      assert.deepEqual(mergeSettings([a, {}]), mergeSettings([{}, a]))
    }),
  )
})

test('no rule of any layer is lost, and of single values the highest holds', () => {
  fc.assert(
    fc.property(fc.array(layer, { maxLength: 4 }), (layers) => {
      const merged = mergeSettings(layers)
      for (const list of ['allow', 'deny'] as const) {
        const all = new Set(layers.flatMap(({ permissions }) => permissions?.[list] ?? []))
        assert.deepEqual(new Set(merged.permissions?.[list]), all)
        assert.equal(merged.permissions?.[list]?.length ?? 0, all.size, 'each once')
      }
      assert.equal(merged.model, layers.find(({ model }) => model !== undefined)?.model)
      assert.equal(merged.env?.['A'], layers.find(({ env }) => env?.['A'] !== undefined)?.env?.['A'])
      const mode = layers.find(({ permissions }) => permissions?.defaultMode)?.permissions?.defaultMode
      assert.equal(merged.permissions?.defaultMode, mode)
    }),
  )
})

test('false, zero and the empty text of a higher layer are values too', () => {
  const merged = mergeSettings([
    { sandbox: { enabled: false }, env: { A: '' }, cleanupPeriodDays: 0 } as KnownSettings,
    { sandbox: { enabled: true }, env: { A: 'x' }, cleanupPeriodDays: 30 } as KnownSettings,
  ])
  assert.deepEqual(merged, { sandbox: { enabled: false }, env: { A: '' }, cleanupPeriodDays: 0 })
})

test('a variable that is called like a part of every object is one like others', () => {
  const odd = JSON.parse('{"env":{"__proto__":"x","constructor":"y"}}') as KnownSettings
  const merged = mergeSettings([{ env: { toString: 'z' } } as unknown as KnownSettings, odd])
  assert.equal(JSON.stringify(merged), '{"env":{"__proto__":"x","constructor":"y","toString":"z"}}')
})
