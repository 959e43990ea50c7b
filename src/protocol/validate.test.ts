import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSchemaProblem, type ValueSchema, validate } from './validate.js'

test('does not look at what a value inherits', () => {
  const schema: ValueSchema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  assert.deepEqual(validate(Object.create({ a: 'inherited' }), schema), [
    { path: 'a', expected: 'a string', got: 'nothing' },
  ])
  const sneaky: unknown = JSON.parse('{"a":"x","__proto__":{"b":1}}')
  assert.deepEqual(validate(sneaky, { ...schema, additionalProperties: false }), [
    { path: '__proto__', expected: 'absent', got: 'an object' },
  ])
})

test('stops at a depth and after enough problems', () => {
  const tree: ValueSchema = { type: 'object', properties: { child: { $ref: '#/tree' } } }
  let deep: object = {}
  for (let i = 0; i < 100_000; i++) deep = { child: deep }
  const problems = validate(deep, tree, { tree })
  assert.deepEqual(
    problems.map(({ expected }) => expected),
    ['nested at most 40 deep'],
  )
  const wrong = new Array(100_000).fill(1)
  assert.equal(validate(wrong, { type: 'array', items: { type: 'string' } }).length, 20)
})

test('reports the branch that was meant, or that none fits', () => {
  const shape: ValueSchema = {
    anyOf: [
      { type: 'object', properties: { type: { const: 'circle' }, r: { type: 'number' } }, required: ['type', 'r'] },
      { type: 'object', properties: { type: { const: 'square' }, a: { type: 'number' } }, required: ['type', 'a'] },
      { type: 'null' },
    ],
  }
  const text = (value: unknown) => validate(value, shape).map(describeSchemaProblem)
  assert.deepEqual(text({ type: 'square', a: 1 }), [])
  assert.deepEqual(text({ type: 'square', a: '1' }), ['a must be a number, got a string'])
  assert.deepEqual(text({ type: 'oval' }), ['expected an object or null of a known kind, got type "oval"'])
  assert.deepEqual(text(3), ['expected an object or null, got a number'])
})

test('knows the least a number may be', () => {
  const schema: ValueSchema = { type: 'number', minimum: 2 }
  assert.deepEqual(validate(1, schema).map(describeSchemaProblem), ['expected a number of at least 2, got 1'])
  assert.deepEqual(validate(2, schema), [])
})

test('counts items', () => {
  const pair: ValueSchema = { type: 'array', minItems: 2, maxItems: 2 }
  assert.deepEqual(validate([1], pair).map(describeSchemaProblem), ['expected at least 2 items, got 1'])
  assert.deepEqual(validate([1, 2, 3], pair).map(describeSchemaProblem), ['expected at most 2 items, got 3'])
  assert.deepEqual(validate([1, 2], pair), [])
})
