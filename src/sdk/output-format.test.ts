import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Options } from '../protocol/options.js'
import { withOutputJsonSchema } from './output-format.js'

const format = (schema: unknown, type = 'json_schema') => ({ outputFormat: { type, schema } }) as unknown as Options
const standard = (output: () => unknown) => ({ '~standard': { jsonSchema: { output } } })

test('a JSON Schema stays as it is, a schema of a library says itself', () => {
  const plain = { type: 'object' }
  assert.equal(withOutputJsonSchema(format(plain)).outputFormat?.schema, plain)
  assert.deepEqual(withOutputJsonSchema(format(standard(() => plain))).outputFormat, {
    type: 'json_schema',
    schema: plain,
  })
  assert.deepEqual(withOutputJsonSchema({ model: 'm' }), { model: 'm' })
})

test('what can not be written as JSON Schema is refused, with what to do', () => {
  const refused: [Options, RegExp][] = [
    [format({}, 'xml'), /type must be 'json_schema', not "xml"/],
    [format([]), /must be a JSON Schema/],
    [format({ _def: {} }), /zod does from 4\.2 on/],
    [format(standard(() => assert.fail('a date'))), /has no JSON Schema: a date/],
    [format(standard(() => 'x')), /has no JSON Schema\./],
  ]
  for (const [options, message] of refused)
    assert.throws(() => withOutputJsonSchema(options), { option: 'outputFormat', message })
})
