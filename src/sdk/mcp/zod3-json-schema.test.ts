import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z as z4 } from 'zod'
import { z } from 'zod3'
import { isRequiredZod3, isZod3, zod3ShapeToJsonSchema, zod3ToJsonSchema } from './zod3-json-schema.js'

// As TypeScript makes them of `enum`.
const Numbers = { 0: 'Low', 5: 'High', Low: 0, High: 5 } as const
const Negative = { '-1': 'Below', '1.5': 'Half', Below: -1, Half: 1.5 } as const
const Texts = { Red: 'red', Blue: 'blue' } as const
const Mixed = { 0: 'Zero', Zero: 0, One: 'one' } as const
type Tree = { children: Tree[] }
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }))

describe('a schema of zod 3 as JSON Schema', () => {
  const cases: [string, z.ZodTypeAny, object][] = [
    ['a text', z.string(), { type: 'string' }],
    ['its lengths', z.string().min(1).max(9), { type: 'string', minLength: 1, maxLength: 9 }],
    ['its exact length', z.string().length(3), { type: 'string', minLength: 3, maxLength: 3 }],
    ['its format', z.string().datetime(), { type: 'string', format: 'date-time' }],
    ['an address', z.string().url(), { type: 'string', format: 'uri' }],
    ['a pattern', z.string().regex(/^a+$/), { type: 'string', pattern: '^a+$' }],
    ['a pattern that JSON Schema has no word for', z.string().regex(/^a+$/i), { type: 'string' }],
    ['a number', z.number().min(0).lt(1), { type: 'number', minimum: 0, exclusiveMaximum: 1 }],
    ['a whole number', z.number().int().gt(0).max(9), { type: 'integer', exclusiveMinimum: 0, maximum: 9 }],
    ['steps', z.number().multipleOf(0.5), { type: 'number', multipleOf: 0.5 }],
    ['a large number', z.bigint().min(3n), { type: 'integer', minimum: 3 }],
    ['yes or no', z.boolean(), { type: 'boolean' }],
    ['a date', z.date(), { type: 'string', format: 'date-time' }],
    ['nothing', z.null(), { type: 'null' }],
    ['a value', z.literal('x'), { type: 'string', const: 'x' }],
    ['the value null', z.literal(null), { type: 'null' }],
    ['a value that is no JSON', z.literal(undefined), {}],
    ['names', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['an enum of numbers', z.nativeEnum(Numbers), { type: 'number', enum: [0, 5] }],
    ['an enum of numbers below 0 and between', z.nativeEnum(Negative), { type: 'number', enum: [-1, 1.5] }],
    ['an enum of texts', z.nativeEnum(Texts), { type: 'string', enum: ['red', 'blue'] }],
    ['an enum of both', z.nativeEnum(Mixed), { type: ['number', 'string'], enum: [0, 'one'] }],
    [
      'a list',
      z.array(z.string()).min(1).max(3),
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
    ],
    ['a list of so many', z.array(z.any()).length(2), { type: 'array', minItems: 2, maxItems: 2 }],
    ['a set', z.set(z.number()), { type: 'array', uniqueItems: true, items: { type: 'number' } }],
    ['a map', z.record(z.number()), { type: 'object', additionalProperties: { type: 'number' } }],
    [
      'a tuple',
      z.tuple([z.string(), z.number()]),
      { type: 'array', minItems: 2, maxItems: 2, items: [{ type: 'string' }, { type: 'number' }] },
    ],
    [
      'a tuple with a rest',
      z.tuple([z.string()]).rest(z.number()),
      { type: 'array', minItems: 1, items: [{ type: 'string' }], additionalItems: { type: 'number' } },
    ],
    ['plain types side by side', z.union([z.string(), z.number(), z.string()]), { type: ['string', 'number'] }],
    [
      'other types side by side',
      z.union([z.string().min(1), z.number()]),
      { anyOf: [{ type: 'string', minLength: 1 }, { type: 'number' }] },
    ],
    ['or null', z.string().nullable(), { type: ['string', 'null'] }],
    ['a default', z.number().default(7), { type: 'number', default: 7 }],
    ['wrappings', z.string().optional().catch('x').readonly().brand('B'), { type: 'string' }],
    ['what is changed on the way', z.string().transform(Number), { type: 'string' }],
    ['what is passed on', z.string().pipe(z.string().min(9)), { type: 'string' }],
    ['anything', z.any(), {}],
    ['what can not be', z.never(), { not: {} }],
    ['words about it', z.string().describe('your name'), { type: 'string', description: 'your name' }],
    ['words behind a wrapping', z.string().describe('inner').optional(), { type: 'string', description: 'inner' }],
  ]
  for (const [name, schema, expected] of cases) it(name, () => assert.deepEqual(zod3ToJsonSchema(schema), expected))

  it('of an object says what is needed and what else may come', () => {
    const shape = { a: z.string(), b: z.number().optional(), c: z.boolean().default(true) }
    const properties = { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'boolean', default: true } }
    const base = { type: 'object', properties, required: ['a'] }
    assert.deepEqual(zod3ToJsonSchema(z.object(shape)), { ...base, additionalProperties: false })
    assert.deepEqual(zod3ToJsonSchema(z.object(shape).passthrough()), { ...base, additionalProperties: true })
    assert.deepEqual(zod3ToJsonSchema(z.object(shape).catchall(z.string())), {
      ...base,
      additionalProperties: { type: 'string' },
    })
    assert.deepEqual(zod3ShapeToJsonSchema(shape), { ...base, additionalProperties: false })
    assert.deepEqual(zod3ShapeToJsonSchema({}), { type: 'object', properties: {}, additionalProperties: false })
  })

  it('of two objects together does not let one forbid what the other brings', () => {
    const both = z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() }).passthrough())
    assert.deepEqual(zod3ToJsonSchema(both), {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b'], additionalProperties: true },
      ],
    })
  })

  it('that holds itself has an end', () => {
    const text = JSON.stringify(zod3ToJsonSchema(tree))
    assert.ok(text.length < 10_000)
    assert.match(text, /"children":\{"type":"array","items":\{"type":"object"/)
  })
})

describe('schemas of zod', () => {
  it('are told apart by their version', () => {
    assert.deepEqual(
      [isZod3(z.string()), isZod3(z4.string()), isZod3({}), isZod3({ _def: { typeName: 7 } })],
      [...[true, false, false, false]],
    )
  })

  it('are needed unless they may be left out', () => {
    assert.deepEqual(
      [z.string(), z.string().optional(), z.string().default('x'), z.any(), {}].map((one) => isRequiredZod3(one)),
      [true, false, false, false, true],
    )
  })
})
