/**
 * Checks a value against the part of JSON Schema that tool inputs use, and fills in defaults. Keywords it does not know
 * are ignored. It never throws, whatever JSON it is given, and is safe against keys like `__proto__`.
 */
import type { JsonSchema } from './tool.js'

export type IssuePath = readonly (string | number)[]

/** The shapes hosts know from `tool_use_result`. */
export type InputIssue = { path: IssuePath; message: string } & (
  | { code: 'invalid_type'; expected: string; received: string }
  | { code: 'unrecognized_keys'; keys: string[] }
  | { code: 'invalid_value'; values: readonly unknown[] }
  | { code: 'too_small'; origin: string; minimum: number; inclusive: boolean }
  | { code: 'too_big'; origin: string; maximum: number; inclusive: boolean }
  | { code: 'invalid_union' }
)

export type Validation = { ok: true; value: unknown } | { ok: false; issues: InputIssue[] }

export function validateInput(schema: JsonSchema, value: unknown): Validation {
  const issues: InputIssue[] = []
  const completed = visit(schema, value, [], issues)
  return issues.length === 0 ? { ok: true, value: completed } : { ok: false, issues }
}

/** Returns the value with defaults filled in; what is wrong with it goes to `issues`. */
function visit(schema: JsonSchema, value: unknown, path: IssuePath, issues: InputIssue[]): unknown {
  if (Array.isArray(schema['anyOf'])) return visitAnyOf(schema['anyOf'], value, path, issues)
  const expected = expectedTypes(schema)
  if (expected.length > 0 && !expected.some((type) => isOfType(value, type))) {
    issues.push(invalidType(expected.join(' | '), typeName(value), path))
    return value
  }
  issues.push(...valueIssues(schema, value, path))
  if (Array.isArray(value)) {
    const items = asObject(schema['items'])
    return items ? value.map((item, index) => visit(items, item, [...path, index], issues)) : value
  }
  const object = asObject(value)
  return object ? visitObject(schema, object, path, issues) : value
}

/** Properties with a default come first, then the others as the schema lists them, then what it does not list. */
function visitObject(schema: JsonSchema, value: JsonSchema, path: IssuePath, issues: InputIssue[]): JsonSchema {
  const properties = asObject(schema['properties']) ?? {}
  const has = (name: string) => Object.hasOwn(value, name) && value[name] !== undefined
  const listed = Object.entries(properties).map(([name, property]) => ({ name, property: asObject(property) ?? {} }))
  const withDefault = listed.filter(({ property }) => Object.hasOwn(property, 'default'))
  const entries: [string, unknown][] = []
  for (const { name, property } of new Set([...withDefault, ...listed])) {
    if (has(name)) entries.push([name, visit(property, value[name], [...path, name], issues)])
    else if (Object.hasOwn(property, 'default')) entries.push([name, structuredClone(property['default'])])
    else if (asArray(schema['required']).includes(name)) {
      issues.push(invalidType(expectedTypes(property).join(' | ') || 'value', 'undefined', [...path, name]))
    }
  }
  const extra = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
  // Inside of it, what nobody asked for is left out: models add a field of their own to the items of a list.
  if (schema['additionalProperties'] === false && path.length > 0) return Object.fromEntries(entries)
  if (extra.length > 0 && schema['additionalProperties'] === false) {
    const message = `Unrecognized key${extra.length > 1 ? 's' : ''}: ${extra.map((key) => `"${key}"`).join(', ')}`
    issues.push({ code: 'unrecognized_keys', keys: extra, path, message })
  }
  // Without a schema there is nothing to look at: the depth of the walk is that of the schema, not of the value.
  const further = asObject(schema['additionalProperties'])
  for (const name of extra) {
    entries.push([name, further ? visit(further, value[name], [...path, name], issues) : value[name]])
  }
  // Defines own properties, also for the name `__proto__`, where an assignment would not.
  return Object.fromEntries(entries)
}

function visitAnyOf(branches: unknown[], value: unknown, path: IssuePath, issues: InputIssue[]): unknown {
  const tries = branches.map((branch) => {
    const found: InputIssue[] = []
    return { completed: visit(asObject(branch) ?? {}, value, path, found), found }
  })
  const match = tries.find(({ found }) => found.length === 0)
  if (match) return match.completed
  // When the value has the type of just one branch, that branch's complaint is the useful one.
  const close = tries.filter(
    ({ found }) => !found.some((i) => i.code === 'invalid_type' && i.path.length === path.length),
  )
  const only = close.length === 1 ? close[0] : undefined
  issues.push(...(only?.found ?? [{ code: 'invalid_union' as const, path, message: 'Invalid input' }]))
  return value
}

function valueIssues(schema: JsonSchema, value: unknown, path: IssuePath): InputIssue[] {
  const allowed = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum']
  if (Array.isArray(allowed) && !allowed.some((option) => isSame(option, value))) {
    const options = allowed.map((option) => JSON.stringify(option)).join('|')
    return [{ code: 'invalid_value', values: allowed, path, message: `Invalid option: expected one of ${options}` }]
  }
  if (typeof value === 'number') {
    return [
      ...tooSmall(schema['minimum'], value, true, 'number', path),
      ...tooSmall(schema['exclusiveMinimum'], value, false, 'number', path),
      ...tooBig(schema['maximum'], value, 'number', path),
    ]
  }
  if (typeof value === 'string') return tooSmall(schema['minLength'], value.length, true, 'string', path)
  if (!Array.isArray(value)) return []
  return [
    ...tooSmall(schema['minItems'], value.length, true, 'array', path),
    ...tooBig(schema['maxItems'], value.length, 'array', path),
  ]
}

function tooSmall(limit: unknown, value: number, inclusive: boolean, origin: string, path: IssuePath): InputIssue[] {
  if (typeof limit !== 'number' || value > limit || (inclusive && value === limit)) return []
  const message = `Too small: expected ${origin} ${amount(origin, `${inclusive ? '>=' : '>'}${limit}`)}`
  return [{ origin, code: 'too_small', minimum: limit, inclusive, path, message }]
}

function tooBig(limit: unknown, value: number, origin: string, path: IssuePath): InputIssue[] {
  if (typeof limit !== 'number' || value <= limit) return []
  const message = `Too big: expected ${origin} ${amount(origin, `<=${limit}`)}`
  return [{ origin, code: 'too_big', maximum: limit, inclusive: true, path, message }]
}

function amount(origin: string, limit: string): string {
  if (origin === 'number') return `to be ${limit}`
  return `to have ${limit} ${origin === 'string' ? 'characters' : 'items'}`
}

function invalidType(expected: string, received: string, path: IssuePath): InputIssue {
  const message = `Invalid input: expected ${expected}, received ${received}`
  return { expected, code: 'invalid_type', received, path, message }
}

function expectedTypes(schema: JsonSchema): string[] {
  return [schema['type']].flat().filter((type) => typeof type === 'string')
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return typeName(value) === type
}

function isSame(option: unknown, value: unknown): boolean {
  if (typeof option !== 'object' || option === null) return option === value
  if (typeName(option) !== typeName(value)) return false
  const wanted = Object.entries(option)
  const given = Object.entries(value ?? {})
  return (
    wanted.length === given.length &&
    wanted.every(([key, part], i) => given[i]?.[0] === key && isSame(part, given[i]?.[1]))
  )
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function asObject(value: unknown): JsonSchema | undefined {
  // Any non-null, non-array object can be read by string keys.
  return typeName(value) === 'object' ? (value as JsonSchema) : undefined
}
