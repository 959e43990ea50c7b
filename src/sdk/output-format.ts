/** `outputFormat` as it travels: JSON Schema. Schemas of libraries say themselves what they are in it. */

import { ConfigurationError } from '../errors.js'
import { isObject } from '../protocol/json.js'
import type { Options } from '../protocol/options.js'
import type { TypedOptions } from '../protocol/query.js'
import { messageOf } from '../protocol/thrown.js'

export function withOutputJsonSchema(options: Options | TypedOptions): Options {
  const { outputFormat, ...rest } = options
  if (outputFormat === undefined || outputFormat === null) return rest
  const type: unknown = outputFormat.type
  if (type !== 'json_schema') throw refusal(`type must be 'json_schema', not ${JSON.stringify(type)}.`)
  return { ...rest, outputFormat: { type, schema: toJsonSchema(outputFormat.schema) } }
}

function toJsonSchema(schema: unknown): Record<string, unknown> {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null || Array.isArray(schema)) {
    throw refusal('schema must be a JSON Schema, or a schema of a library that can say itself as one.')
  }
  const described = describe(schema)
  if (described) return described
  // zod 3 and the first releases of zod 4, and anything else that isn't plain data.
  if ('_def' in schema || '_zod' in schema || '~standard' in schema || typeof schema === 'function') {
    throw refusal(
      'this schema can not say itself as JSON Schema (`~standard.jsonSchema`). zod does from 4.2 on; before that give z.toJSONSchema(schema), for zod 3 what the package zod-to-json-schema makes of it.',
    )
  }
  // An object that is neither: the agent looks at what it says.
  return schema as Record<string, unknown>
}

/** What the answer looks like, not what could be parsed into one: nothing parses it before the caller reads it. */
function describe(schema: object): Record<string, unknown> | undefined {
  const standard: unknown = Reflect.get(schema, '~standard')
  if (!isObject(standard) || !isObject(standard.jsonSchema)) return undefined
  const { output } = standard.jsonSchema
  if (typeof output !== 'function') return undefined
  try {
    const described: unknown = output({ target: 'draft-2020-12' })
    if (isObject(described)) return described
  } catch (error) {
    const why = messageOf(error)
    throw refusal(`this schema has no JSON Schema: ${why}.`)
  }
  throw refusal('this schema has no JSON Schema.')
}

function refusal(problem: string): ConfigurationError {
  return new ConfigurationError('outputFormat', `outputFormat: ${problem}`)
}
