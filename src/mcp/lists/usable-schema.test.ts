import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { cleanSchema } from './usable-schema.js'

const NAME = /^[a-zA-Z0-9_.-]{1,64}$/

test('whatever a server calls a schema, what comes out is one the API takes', () => {
  const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withSparseArray: true })
  const likely = fc.record(
    {
      type: fc.constantFrom('object', 'string', undefined, null),
      properties: fc.oneof(fc.dictionary(fc.string({ maxLength: 70 }), anything), anything),
      required: fc.oneof(fc.array(fc.oneof(fc.string(), anything)), anything),
      anyOf: anything,
      $ref: fc.string(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(likely, anything), (value) => {
      const { schema, note } = cleanSchema(value)
      assert.equal(schema['type'], 'object')
      const properties = Object.keys(schema['properties'] as object)
      assert.ok(properties.every((name) => NAME.test(name)))
      const required = schema['required'] ?? []
      assert.ok(Array.isArray(required) && required.every((name) => properties.includes(String(name))))
      for (const key of ['anyOf', 'oneOf', 'allOf', '$ref']) assert.equal(Object.hasOwn(schema, key), false, key)
      assert.doesNotThrow(() => JSON.stringify(schema))
      // Mending is done once: what was mended needs no more of it.
      if (note === undefined) assert.deepEqual(cleanSchema(schema), { schema })
    }),
  )
})

test('choices are left alone below the top, where the API takes them', () => {
  const properties = { x: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/y' }] }, y: true, z: false }
  const $defs = { y: { type: 'number' } }
  const given = { type: 'object', properties, $defs, additionalProperties: false, if: {}, else: {} }
  assert.deepEqual(cleanSchema(given), { schema: { type: 'object', properties, $defs, additionalProperties: false } })
})

test('what is required is a list of names that are there, each once; anything else is dropped', () => {
  const properties = { a: {}, b: {} }
  const requiredOf = (required: unknown) => cleanSchema({ properties, required }).schema['required']
  assert.deepEqual(requiredOf(['b', 'a', 'b', 'c', 7]), ['b', 'a'])
  assert.deepEqual(requiredOf([]), [])
  for (const odd of ['a', true, { a: true }, null]) assert.equal(requiredOf(odd), undefined)
})

test('a schema is copied: what its server does to its own object later changes nothing', () => {
  const given = { type: 'object', properties: { x: { type: 'string' } } }
  const { schema } = cleanSchema(given)
  given.properties.x.type = 'number'
  assert.deepEqual(schema['properties'], { x: { type: 'string' } })
})

test('texts in it lose what nobody sees', () => {
  const { schema } = cleanSchema({ properties: { x: { description: 'in\u202evisible\u200b', enum: ['a\u2060b'] } } })
  assert.deepEqual(schema['properties'], { x: { description: 'invisible', enum: ['ab'] } })
})

test('why a schema is not used is said', () => {
  const cases: [unknown, RegExp][] = [
    [null, /is missing or no object/],
    [{ type: 'array' }, /is not one of an object/],
    [{ type: null }, /is not one of an object/],
    [{ description: 'x'.repeat(200_001) }, /is too long/],
    [{ big: 1n }, /isn't JSON \(/],
    [{ toJSON: () => [1] }, /is nested too deeply|no object/],
  ]
  for (const [given, why] of cases) assert.match(cleanSchema(given).note ?? '', why)
})

test('the depth that is taken has an exact end', () => {
  const nested = (depth: number): object => (depth === 1 ? {} : { items: nested(depth - 1) })
  assert.equal(cleanSchema(nested(60)).note, undefined)
  assert.match(cleanSchema(nested(61)).note ?? '', /nested too deeply/)
})
