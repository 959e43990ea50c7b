import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { describeIssues } from './describe-issues.js'
import { fileEditInputSchema } from './edit/edit-shapes.js'
import { fileReadInputSchema } from './read/read-shapes.js'
import { todoWriteInputSchema } from './todo-write/todo-write.js'
import type { JsonSchema } from './tool.js'
import { validateInput } from './validate-input.js'

const problems = (tool: string, schema: JsonSchema, value: unknown) => {
  const result = validateInput(schema, value)
  return result.ok ? assert.fail('accepted') : describeIssues(tool, result.issues)
}
const issue = (property: JsonSchema, value: unknown) =>
  problems('T', { type: 'object', properties: { x: property } }, { x: value })
    .error.split('\n')
    .slice(1)

describe('validateInput', () => {
  it('fills in defaults, which come first, and follows the order of the schema', () => {
    const given = { new_string: 'b', old_string: 'a', file_path: '/x' }
    const result = validateInput(fileEditInputSchema, given)
    assert.equal(
      JSON.stringify(result),
      '{"ok":true,"value":{"replace_all":false,"file_path":"/x","old_string":"a","new_string":"b"}}',
    )
    const asked = validateInput(fileEditInputSchema, { ...given, replace_all: true })
    assert.equal(asked.ok && JSON.stringify(asked.value).startsWith('{"replace_all":true,'), true)
    assert.deepEqual(Object.keys(given), ['new_string', 'old_string', 'file_path'])
  })

  it('gives each call its own default', () => {
    const schema = { type: 'object', properties: { list: { type: 'array', default: [] } } }
    const [a, b] = [validateInput(schema, {}), validateInput(schema, {})]
    assert.ok(a.ok && b.ok)
    assert.notEqual(Object(a.value).list, Object(b.value).list)
  })

  it('fills in a default where the schema also calls the field required', () => {
    const schema = { type: 'object', properties: { a: { type: 'number', default: 3 } }, required: ['a'] }
    assert.deepEqual(validateInput(schema, { a: undefined }), { ok: true, value: { a: 3 } })
  })

  it('names what is missing, unexpected and of the wrong type, in this order', () => {
    assert.deepEqual(problems('Read', fileReadInputSchema, { limit: 'x', zz: 1 }), {
      error:
        'InputValidationError: Read failed due to the following issues:\nThe required parameter `file_path` is missing\nAn unexpected parameter `zz` was provided\nThe parameter `limit` type is expected as `number` but provided as `string`',
      output: `InputValidationError: ${JSON.stringify(
        [
          {
            expected: 'string',
            code: 'invalid_type',
            path: ['file_path'],
            message: 'Invalid input: expected string, received undefined',
          },
          {
            expected: 'number',
            code: 'invalid_type',
            path: ['limit'],
            message: 'Invalid input: expected number, received string',
          },
          { code: 'unrecognized_keys', keys: ['zz'], path: [], message: 'Unrecognized key: "zz"' },
        ],
        null,
        2,
      )}`,
    })
  })

  it('speaks of one issue in the singular', () => {
    assert.equal(
      problems('Read', fileReadInputSchema, { file_path: 5 }).error,
      'InputValidationError: Read failed due to the following issue:\nThe parameter `file_path` type is expected as `string` but provided as `number`',
    )
  })

  it('leaves out nested fields that nobody asked for', () => {
    const item = { content: 'a', status: 'pending', activeForm: 'b' }
    assert.deepEqual(validateInput(todoWriteInputSchema, { todos: [{ ...item, id: '1', __proto__: null }] }), {
      ok: true,
      value: { todos: [item] },
    })
  })

  it('names nested places', () => {
    assert.deepEqual(
      problems('TodoWrite', todoWriteInputSchema, { todos: [{ content: '', status: 'foo', x: 1 }, 3] }),
      {
        error: [
          'InputValidationError: TodoWrite failed due to the following issues:',
          'The required parameter `todos[0].activeForm` is missing',
          'The parameter `todos[1]` type is expected as `object` but provided as `number`',
          'The parameter `todos[0].content` must not be empty',
          'The parameter `todos[0].status` must be one of `pending`, `in_progress`, `completed`',
        ].join('\n'),
        output: `InputValidationError: ${JSON.stringify(
          [
            {
              origin: 'string',
              code: 'too_small',
              minimum: 1,
              inclusive: true,
              path: ['todos', 0, 'content'],
              message: 'Too small: expected string to have >=1 characters',
            },
            {
              code: 'invalid_value',
              values: ['pending', 'in_progress', 'completed'],
              path: ['todos', 0, 'status'],
              message: 'Invalid option: expected one of "pending"|"in_progress"|"completed"',
            },
            {
              expected: 'string',
              code: 'invalid_type',
              path: ['todos', 0, 'activeForm'],
              message: 'Invalid input: expected string, received undefined',
            },
            {
              expected: 'object',
              code: 'invalid_type',
              path: ['todos', 1],
              message: 'Invalid input: expected object, received number',
            },
          ],
          null,
          2,
        )}`,
      },
    )
  })

  it('knows the keywords our tools use', () => {
    const cases: [JsonSchema, unknown, string[]][] = [
      [{ type: 'integer' }, 1.5, ['The parameter `x` type is expected as `integer` but provided as `number`']],
      [
        { type: ['string', 'null'] },
        1,
        ['The parameter `x` type is expected as `string | null` but provided as `number`'],
      ],
      [{ type: 'boolean' }, null, ['The parameter `x` type is expected as `boolean` but provided as `null`']],
      [{ minimum: 2 }, 1, ['The parameter `x` must be at least 2']],
      [{ exclusiveMinimum: 0 }, 0, ['The parameter `x` must be greater than 0']],
      [{ maximum: 2 }, 3, ['The parameter `x` must be at most 2']],
      [{ minLength: 3 }, 'ab', ['The parameter `x` must have at least 3 characters']],
      [{ minItems: 1 }, [], ['The parameter `x` must not be empty']],
      [{ minItems: 2 }, [1], ['The parameter `x` must have at least 2 items']],
      [{ maxItems: 1 }, [1, 2], ['The parameter `x` must have at most 1 items']],
      [{ const: 'a' }, 'b', ['The parameter `x` must be one of `a`']],
      [
        { anyOf: [{ type: 'string' }, { type: 'number' }] },
        true,
        ['The parameter `x` has none of the forms it may have'],
      ],
      [{ anyOf: [{ type: 'string' }, { type: 'number', minimum: 5 }] }, 3, ['The parameter `x` must be at least 5']],
      [
        { additionalProperties: { type: 'string' } },
        { k: 1 },
        ['The parameter `x.k` type is expected as `string` but provided as `number`'],
      ],
    ]
    for (const [property, value, expected] of cases) assert.deepEqual(issue(property, value), expected)
    const good: [JsonSchema, unknown][] = [
      [{ type: 'integer', minimum: 1, maximum: 1 }, 1],
      [{ type: ['string', 'null'] }, null],
      [{ enum: [{ a: [1] }, 2] }, { a: [1] }],
      [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 3],
      [{ description: 'anything' }, { deep: [] }],
    ]
    for (const [property, value] of good) {
      assert.deepEqual(validateInput({ properties: { x: property } }, { x: value }), { ok: true, value: { x: value } })
    }
  })

  it('takes __proto__ for what it is: an unexpected name', () => {
    const value: unknown = JSON.parse('{"file_path":"a","__proto__":{"limit":1}}')
    assert.match(
      problems('Read', fileReadInputSchema, value).error,
      /An unexpected parameter `__proto__` was provided$/,
    )
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      assert.match(problems('Read', fileReadInputSchema, { file_path: 'a', [name]: 1 }).error, /unexpected parameter/)
    }
    const needy = { type: 'object', properties: { constructor: {} }, required: ['constructor'] }
    assert.match(problems('T', needy, {}).error, /required parameter `constructor` is missing$/)
    const open = validateInput({ type: 'object' }, value)
    assert.ok(open.ok && Object.getPrototypeOf(open.value) === Object.prototype)
    assert.equal(JSON.stringify(open.value), JSON.stringify(value))
  })

  it('keeps its complaints short', () => {
    const many = { todos: Array.from({ length: 1000 }, () => 1) }
    const { error, output } = problems('TodoWrite', todoWriteInputSchema, many)
    assert.equal(error.split('\n').length, 22)
    assert.equal(error.split('\n').at(-1), 'and 980 more')
    assert.ok(output.length < 10_000)
    const longName = problems('Read', fileReadInputSchema, { file_path: 'a', ['k'.repeat(1_000_000)]: 1 })
    assert.ok(longName.error.length < 1000 && longName.output.length < 1000)
  })

  it('does not fall over deep values', () => {
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i += 1) deep = { x: deep }
    for (const schema of [
      { type: 'object' },
      { properties: { x: {} } },
      { enum: [{ x: { x: 1 } }] },
      fileReadInputSchema,
    ]) {
      assert.equal(typeof validateInput(schema, deep).ok, 'boolean')
    }
  })

  it('never throws, whatever JSON it is given as value or as schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, schema) => {
        for (const known of [
          fileReadInputSchema,
          todoWriteInputSchema,
          { properties: { '': schema }, anyOf: schema },
        ]) {
          const result = validateInput(known, value)
          if (!result.ok) assert.match(describeIssues('T', result.issues).error, /^InputValidationError: T failed due/)
        }
      }),
      { numRuns: byTier({ quick: 500, all: 2000 }) },
    )
  })

  it('accepts all that conforms, and changes nothing but the defaults', () => {
    fc.assert(
      fc.property(schemaWithValue(3), ({ schema, value }) => {
        assert.deepEqual(validateInput(schema, value), { ok: true, value })
      }),
      { numRuns: byTier({ quick: 250, all: 1000 }) },
    )
  })
})

/** A random schema together with a value that conforms to it. */
function schemaWithValue(depth: number): fc.Arbitrary<{ schema: JsonSchema; value: unknown }> {
  const leaf = fc.oneof(
    fc.string({ minLength: 1 }).map((value) => ({ schema: { type: 'string', minLength: 1 }, value })),
    fc.integer({ min: -5, max: 5 }).map((value) => ({ schema: { type: 'integer', minimum: -5, maximum: 5 }, value })),
    fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
    fc.constantFrom('a', 'b', null, 7).map((value) => ({ schema: { enum: ['a', 'b', null, 7] }, value })),
    fc.constant({ schema: { anyOf: [{ type: 'number' }, { const: 'c' }] }, value: 'c' }),
  )
  if (depth === 0) return leaf
  const list = schemaWithValue(depth - 1).map(({ schema, value }) => ({
    schema: { type: 'array', items: schema, minItems: 1, maxItems: 2 },
    value: [value, value],
  }))
  const object = fc
    .dictionary(fc.constantFrom('x', 'y', '__proto__', 'constructor', 'z-1'), schemaWithValue(depth - 1))
    .map((fields) => {
      const entries = Object.entries(fields)
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
          required: entries.map(([name]) => name),
          additionalProperties: false,
        },
        value: Object.fromEntries(entries.map(([name, field]) => [name, field.value])),
      }
    })
  return fc.oneof(leaf, list, object)
}
