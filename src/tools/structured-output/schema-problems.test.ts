import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { findSchemaProblem, resolveJsonPointer } from './schema-problems.js'

describe('a schema without a problem', () => {
  const good: [string, Record<string, unknown>][] = [
    ['nothing at all', {}],
    ['types', { type: ['string', 'null'], minLength: 0, pattern: '^\\p{L}+$', format: 'x' }],
    ['draft 4', { $schema: 'http://json-schema.org/draft-04/schema#', exclusiveMinimum: true, minimum: 0 }],
    [
      'draft 2020-12',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [true, {}], items: false },
    ],
    ['a list of schemas', { items: [{ type: 'string' }, true] }],
    ['dependencies', { dependencies: { a: ['b'], c: { type: 'object' }, d: true }, dependentRequired: { a: ['b'] } }],
    ['what is no keyword', { $comment: 7, 'x-own': { type: 'text' } }],
    ['properties called like keywords', { properties: { type: { type: 'string' }, $ref: {}, required: true } }],
    ['references', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }],
    ['names with slashes', { $ref: '#/$defs/a~1b~0c%20d', $defs: { 'a/b~c d': {} } }],
    ['anchors', { $ref: '#here', $defs: { a: { $anchor: 'here' }, b: { $id: '#there' } }, not: { $ref: '#there' } }],
    ['recursion through the value', { properties: { child: { $ref: '#' } } }],
    ['recursion through a list', { items: { anyOf: [{ type: 'string' }, { $ref: '#' }] } }],
  ]
  for (const [name, schema] of good) it(name, () => assert.equal(findSchemaProblem(schema), undefined))
})

describe('a problem of a schema', () => {
  const bad: [Record<string, unknown>, string][] = [
    [{ type: 'text' }, '/type: "text" is no type'],
    [{ type: ['string', 'text'] }, '/type: "text" is no type'],
    [{ type: [] }, '/type: [] is no type'],
    [{ type: null }, '/type: null is no type'],
    [{ type: [['string']] }, '/type: ["string"] is no type'],
    [{ type: { toString: 1 } }, '/type: {"toString":1} is no type'],
    [{ $schema: 'https://example.com/schema' }, '/$schema: is none of the drafts 4, 6, 7, 2019-09 and 2020-12'],
    [{ $schema: { toString: 1 } }, '/$schema: is none of the drafts 4, 6, 7, 2019-09 and 2020-12'],
    [{ minimum: '1' }, '/minimum: must be a number'],
    [{ exclusiveMaximum: '1' }, '/exclusiveMaximum: must be a number'],
    [{ minLength: -1 }, '/minLength: must be a whole number of 0 or more'],
    [{ maxItems: 1.5 }, '/maxItems: must be a whole number of 0 or more'],
    [{ multipleOf: 0 }, '/multipleOf: must be a number above 0'],
    [{ uniqueItems: 'yes' }, '/uniqueItems: must be true or false'],
    [{ required: 'a' }, '/required: must be a list of names'],
    [{ required: ['a', 7] }, '/required: must be a list of names'],
    [{ enum: [] }, '/enum: must be a list of values'],
    [{ pattern: '(' }, '/pattern: is not a regular expression'],
    [{ patternProperties: { '[': {} } }, '/patternProperties: [ is not a regular expression'],
    [{ properties: [] }, '/properties: must be an object'],
    [{ properties: { a: 'string' } }, '/properties/a: must be a schema'],
    [{ properties: { a: { properties: { b: { type: 'x' } } } } }, '/properties/a/properties/b/type: "x" is no type'],
    [{ anyOf: [] }, '/anyOf: must be a list of schemas'],
    [{ allOf: {} }, '/allOf: must be a list of schemas'],
    [{ oneOf: [{}, 7] }, '/oneOf/1: must be a schema'],
    [{ items: [{ type: 'x' }] }, '/items/0/type: "x" is no type'],
    [{ additionalProperties: 'no' }, '/additionalProperties: must be a schema'],
    [{ dependentRequired: { a: {} } }, '/dependentRequired: must name what depends on what'],
    [{ dependencies: { a: 7 } }, '/dependencies: must name what depends on what'],
    [{ $ref: 'https://example.com' }, '/$ref: can only point into this schema'],
    [{ $ref: 7 }, '/$ref: can only point into this schema'],
    [{ items: { $ref: '#/$defs/a' } }, '/items/$ref: #/$defs/a is not there'],
    [{ $ref: '#/constructor' }, '/$ref: #/constructor is not there'],
    [{ $ref: '#nowhere' }, '/$ref: #nowhere is not there'],
    [{ $ref: '#' }, '/: refers to itself without end'],
    [
      { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
      '/$defs/a: refers to itself without end',
    ],
    [{ items: { not: { $ref: '#/items' } } }, '/items: refers to itself without end'],
  ]
  for (const [schema, problem] of bad)
    it(JSON.stringify(schema).slice(0, 70), () => assert.equal(findSchemaProblem(schema), problem))

  it('is to be nested without end', () => {
    let schema: Record<string, unknown> = {}
    for (let i = 0; i < 100; i += 1) schema = { items: schema }
    assert.equal(findSchemaProblem(schema), undefined)
    assert.match(findSchemaProblem({ items: schema }) ?? '', /nested more than 100 deep$/)
  })

  it('is found in anything, without a fault of its own', () => {
    const keyword = fc.constantFrom(
      ...[
        'type',
        'properties',
        'items',
        'anyOf',
        '$ref',
        'required',
        'enum',
        'dependencies',
        '$schema',
        '$defs',
        'pattern',
      ],
    )
    const schema = fc.dictionary(keyword, fc.oneof(fc.jsonValue(), fc.constantFrom('#', '#/items', '#/properties/a')))
    fc.assert(
      fc.property(schema, (one) => {
        const problem = findSchemaProblem({ ...one })
        assert.ok(problem === undefined || problem.startsWith('/'))
      }),
    )
  })
})

describe('a pointer', () => {
  const root = { a: { b: [{ c: 1 }], '': 2, $ref: '#/d' }, d: { e: 3 }, loop: { $ref: '#/loop/$ref' } }
  const cases: [string, unknown][] = [
    ['#', root],
    ['#/a/b/0/c', 1],
    ['#/a/', 2],
    ['#/a/$ref/e', 3],
    ['#/a/x', undefined],
    ['#/a/b/length', 1],
    ['#/a/b/0/c/d', undefined],
    ['#/%E0%A4%A', undefined],
  ]
  for (const [pointer, value] of cases) it(pointer, () => assert.deepEqual(resolveJsonPointer(root, pointer), value))

  it('that leads to itself has an end', () => assert.doesNotThrow(() => resolveJsonPointer(root, '#/loop/$ref')))
})
