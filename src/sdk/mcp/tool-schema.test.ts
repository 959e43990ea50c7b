import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod3'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import type { HostTransport } from './server-link.js'
import { readInputSchema } from './tool-schema.js'

const $schema = 'http://json-schema.org/draft-07/schema#'

/** What the MCP library v1 lists for the same shape. */
async function listedByLibrary(shape: Record<string, z3.ZodTypeAny>): Promise<unknown> {
  const server = new McpServer({ name: 'oracle', version: '1' })
  // Only the type is too much for the compiler: inference over every possible shape.
  const config = { inputSchema: shape } as object
  server.registerTool('t', config, async () => ({ content: [] }))
  const answer = new Promise<JSONRPCMessage>((resolve) => {
    const transport: HostTransport = { start: async () => {}, close: async () => {}, send: async (m) => resolve(m) }
    // The library's own type of a transport differs in optional fields only.
    void server.connect(transport as Parameters<typeof server.connect>[0]).then(() => {
      transport.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    })
  })
  const { result } = await answer
  const [listed] = (result as { tools: { inputSchema: unknown }[] }).tools // as tools/list is defined
  return listed?.inputSchema
}

const leaf = fc.constantFrom<() => z3.ZodTypeAny>(
  () => z3.string(),
  () => z3.string().min(2).max(5),
  () => z3.string().email(),
  () => z3.string().url(),
  () => z3.string().uuid(),
  () => z3.string().regex(/^a+$/),
  () => z3.number().int().min(1).max(9),
  () => z3.number().gt(0).lt(1),
  () => z3.number().multipleOf(0.5),
  () => z3.boolean(),
  () => z3.literal('k'),
  () => z3.literal(3),
  () => z3.enum(['x', 'y']),
  () => z3.any(),
  () => z3.unknown(),
  () => z3.date(),
  () => z3.record(z3.number()),
  () => z3.string().describe('about it'),
)
const schemas = fc.letrec<{ node: z3.ZodTypeAny }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf.map((make) => make()),
    tie('node').map((inner) => z3.array(inner).min(1)),
    leaf.map((make) => make().nullable()),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => z3.object({ a, b: b.optional() })),
    tie('node').map((inner) => z3.object({ a: inner }).passthrough()),
    tie('node').map((inner) => z3.object({ a: inner }).strict()),
    fc.tuple(tie('node'), tie('node')).map((items) => z3.tuple(items)),
    tie('node').map((inner) => inner.transform((value) => value)),
    tie('node').map((inner) => inner.describe('described')),
  ),
})).node

describe('input schemas', () => {
  test('zod 3: the JSON Schema is the one the MCP library lists', async () => {
    const shapes = fc.dictionary(fc.constantFrom('a', 'b', 'c/d'), schemas, { maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        if (Object.keys(shape).length === 0) return
        assert.deepEqual(await readInputSchema('t', shape).jsonSchema(), await listedByLibrary(shape))
      }),
      { numRuns: byTier({ quick: 15, all: 60, long: 2000 }) },
    )
  })

  test('zod 3: defaults, unions, enums of TypeScript, recursion', async () => {
    // As TypeScript compiles an enum of two.
    const Size = { 0: 'small', 1: 'large', small: 0, large: 1 } as const
    type Tree = { children: Tree[] }
    const tree: z3.ZodType<Tree> = z3.lazy(() => z3.object({ children: z3.array(tree) }))
    const shape = {
      count: z3.number().default(3),
      either: z3.union([z3.string(), z3.number()]),
      kind: z3.discriminatedUnion('t', [z3.object({ t: z3.literal('a') }), z3.object({ t: z3.literal('b') })]),
      size: z3.nativeEnum(Size),
      tree,
    }
    const schema = readInputSchema('t', shape)
    const { properties, required } = (await schema.jsonSchema()) as {
      properties: Record<string, object>
      required: string[]
    } // made for it above
    assert.deepEqual(required, ['either', 'kind', 'size', 'tree'])
    assert.deepEqual(properties.count, { type: 'number', default: 3 })
    assert.deepEqual(properties.either, { type: ['string', 'number'] })
    assert.deepEqual(properties.size, { type: 'number', enum: [0, 1] })
    assert.match(JSON.stringify(properties.tree), /^\{"type":"object","properties":\{"children":\{"type":"array"/)
    const args = { either: 1, kind: { t: 'a' }, size: 1, tree: { children: [] }, unknown: true }
    const { unknown, ...known } = args
    assert.deepEqual(await schema.parse(args), { ok: true, value: { ...known, count: 3 } })
  })

  test('zod 4 and mini: property by property, with what zod says of each', async () => {
    type Node = { name: string; children?: Node[] | undefined }
    const node: z.ZodType<Node> = z.object({
      name: z.string(),
      get children() {
        return z.array(node).optional()
      },
    })
    const schema = readInputSchema('t', {
      city: z.string().describe('Where'),
      days: z.number().int().min(1).max(7).default(1),
      at: z.coerce.date().optional(),
      'a/b': node,
      word: mini.optional(mini.string()),
      three: z3.boolean(),
    })
    assert.deepEqual(await schema.jsonSchema(), {
      $schema,
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where' },
        days: { type: 'integer', minimum: 1, maximum: 7, default: 1 },
        at: { type: 'string', format: 'date-time' },
        'a/b': {
          type: 'object',
          properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/properties/a~1b' } } },
          required: ['name'],
        },
        word: { type: 'string' },
        three: { type: 'boolean' },
      },
      required: ['city', 'a/b', 'three'],
    })
    const good = { city: 'Bern', 'a/b': { name: 'x' }, three: true }
    assert.deepEqual(await schema.parse({ ...good, more: 1 }), { ok: true, value: { ...good, days: 1 } })
    const bad = await schema.parse({ city: 1, days: 9, 'a/b': { name: 2 }, three: 'x' })
    assert.equal(bad.ok, false)
    const issues: { path: unknown[] }[] = JSON.parse(bad.ok ? '' : bad.problem)
    assert.deepEqual(
      issues.map(({ path }) => path),
      [['city'], ['days'], ['a/b', 'name'], ['three']],
    )
  })

  test('a key named like a property of every object is a key like any other', async () => {
    const schema = readInputSchema('t', { constructor: z.string().optional(), toString: z.number().optional() })
    assert.deepEqual(await schema.parse({}), { ok: true, value: {} })
    const hostile = JSON.parse('{"__proto__":{"admin":true}}')
    const parsed = await readInputSchema('t', { ['__proto__']: z.any() }).parse(hostile)
    assert.ok(parsed.ok)
    assert.equal(Reflect.get(Object(parsed.value), 'admin'), undefined)
  })

  test('whole schemas of any library that follows Standard Schema', async () => {
    const whole = readInputSchema('t', z.object({ a: z.string() }))
    const { type, properties } = await whole.jsonSchema()
    assert.deepEqual([type, properties], ['object', { a: { type: 'string' } }])
    assert.deepEqual(await whole.parse({ a: 'x', b: 1 }), { ok: true, value: { a: 'x' } })
    const own = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (value: unknown) =>
          JSON.stringify(value).includes('bad') ? { issues: [{ message: 'no' }] } : { value },
        jsonSchema: { input: () => ({ type: 'object', properties: {} }) },
      },
    }
    const schema = readInputSchema('t', own)
    assert.deepEqual(await schema.jsonSchema(), { $schema, type: 'object', properties: {} })
    assert.deepEqual(await schema.parse({ a: 1 }), { ok: true, value: { a: 1 } })
    assert.equal((await schema.parse({ a: 'bad' })).ok, false)
    const { jsonSchema: _, ...silent } = own['~standard']
    assert.throws(() => readInputSchema('t', { '~standard': silent }).jsonSchema(), /offers no JSON Schema/)
    assert.throws(() => readInputSchema('t', z.string()).jsonSchema(), /must describe an object/)
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])
    assert.equal((await readInputSchema('t', either).jsonSchema()).type, 'object')
  })

  test('plain JSON Schema: checked as it says', async () => {
    const schema = readInputSchema('t', {
      type: 'object',
      properties: { a: { type: 'integer' } },
      required: ['a'],
      additionalProperties: false,
    })
    assert.equal((await schema.jsonSchema()).$schema, $schema)
    assert.deepEqual(await schema.parse({ a: 1 }), { ok: true, value: { a: 1 } })
    const wrong = await schema.parse({ a: 'x' })
    assert.match(wrong.ok ? '' : wrong.problem, /\/a/)
    assert.equal((await schema.parse({ a: 1, b: 2 })).ok, false)
    await assert.rejects(
      readInputSchema('t', { type: 'object', properties: { a: { $ref: '#/nowhere' } } }).parse({ a: 1 }),
    )
  })

  test('what is no schema is refused when the tool is made, by name', () => {
    for (const schema of [undefined, null, 'x', 7, [], { a: 'string' }, { type: 'array' }, { a: z.string(), b: 1 }])
      assert.throws(() => readInputSchema('odd', schema), /The tool odd needs an inputSchema/)
  })
})
