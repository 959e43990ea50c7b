import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileOutputSchema } from './output-schema.js'

const schema = {
  type: 'object',
  properties: {
    answer: { type: 'number' },
    kind: { enum: ['a', 'b'] },
    name: { type: 'string', pattern: '^x' },
    list: { type: 'array', items: { $ref: '#/$defs/item' } },
    either: { type: ['string', 'null'] },
  },
  required: ['answer'],
  additionalProperties: false,
  $defs: { item: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] } },
}

async function problems(value: unknown, of: object = schema): Promise<string[]> {
  const compiled = await compileOutputSchema(of)
  assert.ok(compiled.ok)
  return compiled.schema.problems(value)
}

test('what matches has no problems', async () => {
  assert.deepEqual(await problems({ answer: 1, kind: 'a', name: 'xy', list: [{ id: 1 }], either: null }), [])
})

test('what does not match is named by path and rule', async () => {
  assert.deepEqual(await problems({ answer: 'x' }), ['/answer: must be number'])
  assert.deepEqual(await problems({}), ['/: must have required property answer'])
  assert.deepEqual(await problems({ answer: 1, more: 1 }), ['/more: must NOT be there'])
  assert.deepEqual(await problems({ answer: 1, kind: 'c', name: 'y', either: 2 }), [
    '/kind: must be one of ["a","b"]',
    '/name: must match pattern ^x',
    '/either: must be string or null',
  ])
  assert.match((await problems({ answer: 1, list: [{ id: 1 }, { id: 'x' }] })).join(), /\/list\/1\/id: must be integer/)
})

test('drafts differ where they differ', async () => {
  const tuple = {
    type: 'object',
    properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
  }
  const old = { ...tuple, $schema: 'http://json-schema.org/draft-07/schema#' }
  assert.deepEqual(await problems({ pair: ['a', 1] }, old), [])
  assert.notDeepEqual(await problems({ pair: [1, 'a'] }, old), [])
  const now = { type: 'object', properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }] } } }
  assert.deepEqual(await problems({ pair: [1] }, now), ['/pair/0: must be string'])
})

/** A schema with one property. */
const of = (a: object) => ({ type: 'object', properties: { a } })

test('schemas of every draft that are odd but right', async () => {
  const tree = {
    ...of({ type: 'array', items: { $ref: '#' } }),
    $schema: 'https://json-schema.org/draft/2020-12/schema',
  }
  assert.deepEqual(await problems({ a: [{ a: [] }] }, tree), [])
  assert.notDeepEqual(await problems({ a: [{ a: 1 }] }, tree), [])
  const anchored = { ...of({ $ref: '#leaf' }), $defs: { leaf: { $anchor: 'leaf', type: 'string' } } }
  assert.deepEqual(await problems({ a: 'x' }, anchored), [])
  assert.notDeepEqual(await problems({ a: 1 }, anchored), [])
  const four = {
    ...of({ type: 'number', minimum: 1, exclusiveMinimum: true }),
    $schema: 'http://json-schema.org/draft-04/schema#',
  }
  assert.deepEqual([(await problems({ a: 2 }, four)).length, (await problems({ a: 1 }, four)).length], [0, 1])
  const depends = {
    ...of({}),
    dependencies: { a: ['b'], c: { required: ['d'] } },
    $schema: 'http://json-schema.org/draft-07/schema#',
  }
  assert.deepEqual(await problems({ a: 1, b: 1 }, depends), [])
  assert.notDeepEqual(await problems({ a: 1 }, depends), [])
  assert.notDeepEqual(await problems({ c: 1 }, depends), [])
  const branch = { ...of({}), if: { required: ['b'] }, else: { required: ['a'] }, unevaluatedProperties: false }
  assert.deepEqual(await problems({ a: 1 }, branch), [])
  assert.notDeepEqual(await problems({ a: 1, z: 1 }, branch), [])
  // A property may be called like a keyword.
  assert.deepEqual(
    await problems({ enum: 1 }, { type: 'object', properties: { enum: { type: 'number' }, $ref: {} } }),
    [],
  )
})

test('a schema that means nothing is refused, by its place', async () => {
  const cases: [unknown, RegExp][] = [
    [null, /must be an object/],
    [[], /must be an object/],
    [{}, /\/type: must be "object"/],
    [{ type: 'string' }, /\/type: must be "object"/],
    [{ type: 'objekt' }, /\/type: "objekt" is no type/],
    [{ type: 'object', properties: [] }, /\/properties: must be an object/],
    [{ type: 'object', properties: { a: { type: 'text' } } }, /\/properties\/a\/type: "text" is no type/],
    [{ type: 'object', properties: { a: 1 } }, /\/properties\/a: must be a schema/],
    [{ type: 'object', required: 'a' }, /\/required: must be a list of names/],
    [{ type: 'object', properties: { a: { enum: 'x' } } }, /\/properties\/a\/enum: must be a list/],
    [{ type: 'object', properties: { a: { pattern: '(' } } }, /\/properties\/a\/pattern: is not a regular/],
    [
      { type: 'object', properties: { a: { $ref: '#/$defs/no' } } },
      /\/properties\/a\/\$ref: #\/\$defs\/no is not there/,
    ],
    [{ type: 'object', properties: { a: { $ref: 'https://example.com/x' } } }, /can only point into this schema/],
    [{ type: 'object', anyOf: [{ type: 'none' }] }, /\/anyOf\/0\/type/],
    [of({ type: [] }), /\/properties\/a\/type: \[\] is no type/],
    [of({ minimum: '1' }), /\/properties\/a\/minimum: must be a number/],
    [of({ exclusiveMinimum: '1' }), /\/properties\/a\/exclusiveMinimum: must be a number/],
    [of({ minLength: -1 }), /\/minLength: must be a whole number of 0 or more/],
    [of({ maxItems: 1.5 }), /\/maxItems: must be a whole number of 0 or more/],
    [of({ multipleOf: 0 }), /\/multipleOf: must be a number above 0/],
    [of({ uniqueItems: 'yes' }), /\/uniqueItems: must be true or false/],
    [of({ format: 1 }), /\/format: must be a text/],
    [of({ enum: [] }), /\/enum: must be a list of values/],
    [of({ allOf: [] }), /\/allOf: must be a list of schemas/],
    [of({ anyOf: {} }), /\/anyOf: must be a list of schemas/],
    [of({ unevaluatedProperties: { type: 'nix' } }), /\/unevaluatedProperties\/type/],
    [of({ dependencies: { b: 1 } }), /\/dependencies: must name/],
    [of({ dependencies: { b: { type: 'nix' } } }), /\/dependencies\/b\/type/],
    [of({ dependentRequired: { b: {} } }), /\/dependentRequired: must name/],
    [of({ $ref: '#nowhere' }), /\/\$ref: #nowhere is not there/],
    [of({ $ref: '#/properties/%zz' }), /\/\$ref: #\/properties\/%zz is not there/],
    [{ type: 'object', patternProperties: { '(': {} } }, /\/patternProperties: \( is not a regular expression/],
    [{ type: 'object', $schema: 'http://json-schema.org/draft-03/schema#' }, /\/\$schema: is none of the drafts/],
    // What can be judged by no validator, because it never comes to an end.
    [{ type: 'object', $ref: '#' }, /^\/: refers to itself without end/],
    [of({ $ref: '#/properties/a' }), /^\/properties\/a: refers to itself without end/],
    [of({ anyOf: [{ not: { $ref: '#/properties/a' } }] }), /refers to itself without end/],
    [
      { type: 'object', $defs: { x: { allOf: [{ $ref: '#/$defs/y' }] }, y: { if: { $ref: '#/$defs/x' } } } },
      /^\/\$defs\/x: refers to itself without end/,
    ],
  ]
  for (const [schema, expected] of cases) {
    const compiled = await compileOutputSchema(schema)
    assert.match(compiled.ok ? 'fine' : compiled.problem, expected)
  }
})

test('odd values and deep schemas come to an end', async () => {
  let deep: object = { type: 'object' }
  for (let i = 0; i < 200; i += 1) deep = { type: 'object', properties: { a: deep } }
  const compiled = await compileOutputSchema(deep)
  assert.match(compiled.ok ? 'fine' : compiled.problem, /nested more than/)
  for (const value of [null, 1, 'x', [], { __proto__: null }]) assert.ok(Array.isArray(await problems(value)))
  let nested: unknown = { answer: 1 }
  for (let i = 0; i < 100_000; i += 1) nested = { list: [nested] }
  const endless = { type: 'object', properties: { list: { type: 'array', items: { $ref: '#' } } } }
  assert.deepEqual(await problems(nested, endless), ['/: is nested too deep to be checked'])
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]))
  assert.ok((await problems({ answer: 1, ...many })).length <= 10)
})
