/** Schemas of zod 3 as JSON Schema (draft-07). zod 4 says it itself; zod 3 never learned to. */

/** What of a zod 3 schema is looked at: its definition, whatever copy of the library made it. */
type Zod3Definition = { typeName?: string; description?: string; [key: string]: unknown }
type JsonSchema = Record<string, unknown>

const MAX_DEPTH = 60

export function isZod3(schema: object): boolean {
  return typeof definition(schema).typeName === 'string' && !('_zod' in schema)
}

/** False when the object may come without this property. */
export function isRequiredZod3(schema: object): boolean {
  const optional: unknown = Reflect.get(schema, 'isOptional')
  return typeof optional === 'function' ? Reflect.apply(optional, schema, []) !== true : true
}

export function zod3ToJsonSchema(schema: object, depth = 0): JsonSchema {
  // Recursive schemas (`z.lazy`) end here: what lies deeper may be anything, as far as the model is told.
  if (depth > MAX_DEPTH) return {}
  const { description, ...def } = definition(schema)
  const converted = convert(def, (inner) => (isObject(inner) ? zod3ToJsonSchema(inner, depth + 1) : {}), depth)
  return description === undefined ? converted : { ...converted, description }
}

function convert(def: Zod3Definition, inner: (schema: unknown) => JsonSchema, depth: number): JsonSchema {
  switch (def.typeName) {
    case 'ZodString':
      return { type: 'string', ...stringChecks(def.checks) }
    case 'ZodNumber':
    case 'ZodBigInt':
      return { type: def.typeName === 'ZodBigInt' ? 'integer' : 'number', ...numberChecks(def.checks) }
    case 'ZodBoolean':
      return { type: 'boolean' }
    case 'ZodDate':
      return { type: 'string', format: 'date-time' }
    case 'ZodNull':
      return { type: 'null' }
    case 'ZodLiteral':
      return literal(def.value)
    case 'ZodEnum':
      return { type: 'string', enum: def.values }
    case 'ZodNativeEnum':
      return nativeEnum(def.values)
    case 'ZodObject':
      return object(def, inner)
    case 'ZodRecord':
    case 'ZodMap':
      return { type: 'object', additionalProperties: inner(def.valueType) }
    case 'ZodArray':
      return { type: 'array', ...(isAny(def.type) ? {} : { items: inner(def.type) }), ...lengths(def) }
    case 'ZodSet':
      return { type: 'array', uniqueItems: true, items: inner(def.valueType) }
    case 'ZodTuple':
      return tuple(def, inner)
    case 'ZodUnion':
    case 'ZodDiscriminatedUnion':
      return union(listOf(def.options).map(inner))
    case 'ZodIntersection':
      return { allOf: [inner(def.left), inner(def.right)].map(open) }
    case 'ZodNullable':
      return union([inner(def.innerType), { type: 'null' }])
    case 'ZodDefault':
      return { ...inner(def.innerType), default: def.defaultValue instanceof Function ? def.defaultValue() : undefined }
    case 'ZodOptional':
    case 'ZodCatch':
    case 'ZodReadonly':
      return inner(def.innerType)
    case 'ZodBranded':
      return inner(def.type)
    case 'ZodEffects':
      return inner(def.schema)
    case 'ZodPipeline':
      return inner(def.in)
    case 'ZodLazy':
      return def.getter instanceof Function && depth < MAX_DEPTH / 4 ? inner(def.getter()) : {}
    case 'ZodNever':
      return { not: {} }
    default:
      // any, unknown, and what JSON can't hold anyway.
      return {}
  }
}

/** The object of a shape, as the tools of a server have it. */
export function zod3ShapeToJsonSchema(shape: Record<string, object>): JsonSchema {
  return object({ shape: () => shape }, (schema) => (isObject(schema) ? zod3ToJsonSchema(schema) : {}))
}

function object(def: Zod3Definition, inner: (schema: unknown) => JsonSchema): JsonSchema {
  const shape: unknown = def.shape instanceof Function ? def.shape() : def.shape
  const entries = isObject(shape) ? Object.entries(shape) : []
  const required = entries.flatMap(([key, schema]) => (isObject(schema) && isRequiredZod3(schema) ? key : []))
  const rest = isObject(def.catchall) && definition(def.catchall).typeName !== 'ZodNever' ? inner(def.catchall) : false
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, schema]) => [key, inner(schema)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: def.unknownKeys === 'passthrough' ? true : rest,
  }
}

function isAny(schema: unknown): boolean {
  return isObject(schema) && definition(schema).typeName === 'ZodAny'
}

/** Parts of an intersection must not forbid what the other part brings. */
function open({ additionalProperties, ...schema }: JsonSchema): JsonSchema {
  return additionalProperties === false || additionalProperties === undefined
    ? schema
    : { ...schema, additionalProperties }
}

function tuple(def: Zod3Definition, inner: (schema: unknown) => JsonSchema): JsonSchema {
  const items = listOf(def.items).map(inner)
  const bounds = { type: 'array', minItems: items.length, items }
  return isObject(def.rest) ? { ...bounds, additionalItems: inner(def.rest) } : { ...bounds, maxItems: items.length }
}

/** Plain types side by side are one list of types. */
function union(options: JsonSchema[]): JsonSchema {
  const plain = options.every(({ type, description, ...more }) => isPlain(type) && Object.keys(more).length === 0)
  return plain ? { type: [...new Set(options.map(({ type }) => type))] } : { anyOf: options }
}

const PLAIN = ['string', 'number', 'integer', 'boolean', 'null']
function isPlain(type: unknown): boolean {
  return PLAIN.some((name) => name === type)
}

function literal(value: unknown): JsonSchema {
  if (value === null) return { type: 'null' }
  return ['string', 'number', 'boolean'].includes(typeof value) ? { type: typeof value, const: value } : {}
}

function nativeEnum(values: unknown): JsonSchema {
  const map = isObject(values) ? values : {}
  // Enums of TypeScript list their numbers a second time, by name: as zod does, what names a number is left out.
  const allowed = Object.values(map).filter((value) => typeof map[String(value)] !== 'number')
  const types = [...new Set(allowed.map((value) => typeof value))]
  return { type: types.length === 1 ? types[0] : types, enum: allowed }
}

function lengths({ minLength, maxLength, exactLength }: Zod3Definition): JsonSchema {
  const value = (length: unknown) => (isObject(length) ? Reflect.get(length, 'value') : undefined)
  const min = value(exactLength) ?? value(minLength)
  const max = value(exactLength) ?? value(maxLength)
  return { ...(min === undefined ? {} : { minItems: min }), ...(max === undefined ? {} : { maxItems: max }) }
}

const FORMATS: Record<string, string> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
  duration: 'duration',
}

function stringChecks(checks: unknown): JsonSchema {
  const found: JsonSchema = {}
  for (const { kind, value, regex } of listOf(checks)) {
    if (kind === 'min' || kind === 'length') found.minLength = value
    if (kind === 'max' || kind === 'length') found.maxLength = value
    if (kind === 'regex' && regex instanceof RegExp && regex.flags === '') found.pattern = regex.source
    if (typeof kind === 'string' && kind in FORMATS) found.format = FORMATS[kind]
  }
  return found
}

function numberChecks(checks: unknown): JsonSchema {
  const found: JsonSchema = {}
  for (const { kind, value, inclusive } of listOf(checks)) {
    const bound = typeof value === 'bigint' ? Number(value) : value
    if (kind === 'int') found.type = 'integer'
    if (kind === 'min') found[inclusive ? 'minimum' : 'exclusiveMinimum'] = bound
    if (kind === 'max') found[inclusive ? 'maximum' : 'exclusiveMaximum'] = bound
    if (kind === 'multipleOf') found.multipleOf = bound
  }
  return found
}

function definition(schema: object): Zod3Definition {
  const found: unknown = Reflect.get(schema, '_def')
  // Every property of it is looked at before it is used.
  return isObject(found) ? (found as Zod3Definition) : {}
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
