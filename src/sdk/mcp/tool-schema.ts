/** What a tool takes: one form for shapes of zod 3 and 4, Standard Schema and JSON Schema. */

import { ConfigurationError } from '../../errors.js'
import { isObject } from '../../protocol/json.js'
import type { StandardIssue, StandardSchema } from '../../protocol/sdk-mcp.js'
import { isRequiredZod3, isZod3, zod3ShapeToJsonSchema, zod3ToJsonSchema } from './zod3-json-schema.js'

type JsonSchema = Record<string, unknown>
export type ToolInputResult = { ok: true; value: unknown } | { ok: false; problem: string }

export type McpInputSchema = {
  /** Draft-07, for the model. A promise where zod itself has to be loaded for it. */
  jsonSchema(): JsonSchema | Promise<JsonSchema>
  parse(args: Record<string, unknown>): Promise<ToolInputResult>
}

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

/** Throws when it is none of the kinds we know: such a tool could never be called. */
export function readInputSchema(toolName: string, schema: unknown): McpInputSchema {
  if (isStandard(schema)) return standardSchema(toolName, schema)
  if (isObject(schema) && Object.values(schema).every(isSchema)) {
    // Every value was just found to be a schema.
    return shapeSchema(toolName, schema as Record<string, object>)
  }
  if (isObject(schema) && schema.type === 'object') return plainSchema(toolName, schema)
  throw new ConfigurationError(
    'inputSchema',
    `The tool ${toolName} needs an inputSchema: a shape like { city: z.string() }, a schema of a library that follows Standard Schema, or JSON Schema with "type": "object".`,
  )
}

function shapeSchema(toolName: string, shape: Record<string, object>): McpInputSchema {
  const entries = Object.entries(shape)
  let known: JsonSchema | Promise<JsonSchema> | undefined
  return {
    jsonSchema() {
      known ??= shapeToJsonSchema(toolName, shape)
      return known
    },
    async parse(args) {
      const value: Record<string, unknown> = {}
      const issues: object[] = []
      for (const [key, schema] of entries) {
        const result = await validate(schema, Object.hasOwn(args, key) ? args[key] : undefined)
        if (result.issues) issues.push(...result.issues.map((issue) => under(key, issue)))
        else if (result.value !== undefined || Object.hasOwn(args, key)) put(value, key, result.value)
      }
      return issues.length > 0 ? { ok: false, problem: JSON.stringify(issues, null, 2) } : { ok: true, value }
    },
  }
}

function standardSchema(toolName: string, schema: StandardSchema): McpInputSchema {
  const convert = () => {
    const whole = toJsonSchema(toolName, schema)
    return whole instanceof Promise ? whole.then((loaded) => ofObject(toolName, loaded)) : ofObject(toolName, whole)
  }
  let known: JsonSchema | Promise<JsonSchema> | undefined
  return {
    jsonSchema() {
      known ??= convert()
      return known
    },
    async parse(args) {
      const result = await schema['~standard'].validate(args)
      return result.issues
        ? { ok: false, problem: JSON.stringify(result.issues, null, 2) }
        : { ok: true, value: result.value }
    },
  }
}

function plainSchema(toolName: string, schema: JsonSchema): McpInputSchema {
  const compile = async () => {
    const { compileOutputSchema } = await import('../../tools/structured-output/output-schema.js')
    const compiled = await compileOutputSchema(schema)
    if (!compiled.ok)
      throw new ConfigurationError('inputSchema', `The inputSchema of the tool ${toolName}: ${compiled.problem}.`)
    return compiled.schema
  }
  let compiled: ReturnType<typeof compile> | undefined
  return {
    jsonSchema: () => ({ $schema: DRAFT_07, ...schema }),
    async parse(args) {
      compiled ??= compile()
      const problems = (await compiled).problems(args)
      return problems.length > 0 ? { ok: false, problem: problems.join('; ') } : { ok: true, value: args }
    },
  }
}

/** Property by property: schemas of different libraries, and of different copies of one, may stand side by side. */
function shapeToJsonSchema(toolName: string, shape: Record<string, object>): JsonSchema | Promise<JsonSchema> {
  const schemas = Object.values(shape)
  if (schemas.length > 0 && schemas.every(isZod3)) return { $schema: DRAFT_07, ...zod3ShapeToJsonSchema(shape) }
  const converted = Object.entries(shape).map(
    ([key, schema]) => [key, toJsonSchema(`${toolName}, property ${key},`, schema)] as const,
  )
  const required = Object.entries(shape).flatMap(([key, schema]) => (isRequired(schema) ? key : []))
  const whole = (properties: (readonly [string, JsonSchema])[]): JsonSchema => ({
    $schema: DRAFT_07,
    type: 'object',
    properties: Object.fromEntries(properties.map(([key, { $schema: _, ...schema }]) => [key, moveTo(key, schema)])),
    ...(required.length > 0 ? { required } : {}),
  })
  const ready = converted.flatMap(([key, schema]) => (schema instanceof Promise ? [] : [[key, schema] as const]))
  if (ready.length === converted.length) return whole(ready)
  return Promise.all(converted.map(async ([key, schema]) => [key, await schema] as const)).then(whole)
}

function toJsonSchema(what: string, schema: object): JsonSchema | Promise<JsonSchema> {
  if (isZod3(schema)) return zod3ToJsonSchema(schema)
  if ('_zod' in schema)
    return 'toJSONSchema' in schema && schema.toJSONSchema instanceof Function
      ? schema.toJSONSchema(ZOD_OPTIONS)
      : convertWithZod(schema)
  const own = isStandard(schema) ? schema['~standard'].jsonSchema?.input({ target: 'draft-07' }) : undefined
  if (own) return own
  throw new ConfigurationError(
    'inputSchema',
    `The inputSchema of the tool ${what} can't be told to the model: its library offers no JSON Schema for it (\`~standard.jsonSchema\`). Give JSON Schema instead.`,
  )
}

/** Arguments are an object; a schema that says nothing about it means one too. */
function ofObject(toolName: string, schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return { $schema: DRAFT_07, ...schema, type: 'object' }
  if (schema.type === 'object') return { $schema: DRAFT_07, ...schema }
  throw new ConfigurationError('inputSchema', `The inputSchema of the tool ${toolName} must describe an object.`)
}

/** Dates have no JSON of their own; everything else without one may be anything. */
const ZOD_OPTIONS = {
  target: 'draft-7',
  io: 'input',
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema }: { zodSchema: object; jsonSchema: JsonSchema }) {
    if (zodDefinition(zodSchema).type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
  },
} as const

/** For zod mini and the first releases of zod 4, whose schemas can't convert themselves. */
async function convertWithZod(schema: object): Promise<JsonSchema> {
  const { toJSONSchema } = await import('./zod4-json-schema.js')
  // A schema of zod 4, as its `_zod` says; which copy of the library made it does not matter to the function.
  return toJSONSchema(schema as Parameters<typeof toJSONSchema>[0], ZOD_OPTIONS) as JsonSchema // a document of plain JSON
}

/** References inside a property's own document, as seen from the whole one. */
function moveTo(key: string, schema: unknown): unknown {
  const prefix = `#/properties/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === '$ref' && typeof inner === 'string' && inner.startsWith('#') ? prefix + inner.slice(1) : move(inner),
      ]),
    )
  }
  return move(schema)
}

function isRequired(schema: object): boolean {
  if (isZod3(schema)) return isRequiredZod3(schema)
  const internals: unknown = Reflect.get(schema, '_zod')
  return !isObject(internals) || internals.optin === undefined
}

async function validate(
  schema: object,
  value: unknown,
): Promise<{ value?: unknown; issues?: readonly StandardIssue[] | undefined }> {
  if (isStandard(schema)) return schema['~standard'].validate(value)
  // zod 3 before it followed Standard Schema.
  if (!('safeParseAsync' in schema) || !(schema.safeParseAsync instanceof Function)) return { value }
  const result = await schema.safeParseAsync(value)
  return result.success ? { value: result.data } : { issues: result.error.issues }
}

function under(key: string, issue: StandardIssue): object {
  return { ...issue, path: [key, ...(issue.path ?? [])] }
}

/** `__proto__` is a key like any other. */
function put(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}

function zodDefinition(schema: object): Record<string, unknown> {
  const internals: unknown = Reflect.get(schema, '_zod')
  return isObject(internals) && isObject(internals.def) ? internals.def : {}
}

function isSchema(value: unknown): boolean {
  return isStandard(value) || (isObject(value) && isZod3(value))
}

function isStandard(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('~standard' in value))
    return false
  const standard = value['~standard']
  return isObject(standard) && typeof standard.validate === 'function'
}
