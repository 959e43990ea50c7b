/**
 * Checks data from outside against JSON Schemas, such as those that are generated from our types. Knows just the keywords
 * those use, allows keys it doesn't know, and never throws, whatever it is given.
 */
import { isObject } from './json.js'

export type ValueSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly ValueSchema[]
  readonly properties?: SchemaDefinitions
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | ValueSchema
  readonly items?: ValueSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
}
export type SchemaDefinitions = { readonly [name: string]: ValueSchema | undefined }

/** `path` reads like `agents.reviewer.tools[0]`; values are not quoted, except where only a few are allowed. */
export type SchemaProblem = { path: string; expected: string; got: string }

const maxDepth = 40
const maxProblems = 20

/** What is wrong with `value`; empty when nothing is. */
export function validate(value: unknown, schema: ValueSchema, definitions: SchemaDefinitions = {}): SchemaProblem[] {
  try {
    return check(value, schema, { definitions, path: '', depth: 0 })
  } catch {
    // A getter or a proxy of an in-process caller threw.
    return [{ path: '', expected: 'plain data', got: 'an object that can not be read' }]
  }
}

export function describeSchemaProblem({ path, expected, got }: SchemaProblem): string {
  return path === '' ? `expected ${expected}, got ${got}` : `${path} must be ${expected}, got ${got}`
}

type Place = { definitions: SchemaDefinitions; path: string; depth: number }

function check(value: unknown, schema: ValueSchema, place: Place): SchemaProblem[] {
  if (place.depth > maxDepth) return problem(place, `nested at most ${maxDepth} deep`, 'more')
  if (schema.$ref !== undefined) return check(value, resolve(schema, place), { ...place, depth: place.depth + 1 })
  if (schema.anyOf) return checkUnion(value, schema.anyOf, place)
  if ('const' in schema && value !== schema.const) return problem(place, nameOf(schema, place), quote(value))
  if (schema.enum && !schema.enum.includes(value)) return problem(place, nameOf(schema, place), quote(value))
  if (schema.type !== undefined && ![schema.type].flat().some((type) => hasType(value, type))) {
    return problem(place, nameOf(schema, place), describeValue(value))
  }
  if (typeof value === 'number' && schema.minimum !== undefined && value < schema.minimum)
    return problem(place, nameOf(schema, place), `${value}`)
  if (Array.isArray(value)) return checkArray(value, schema, place)
  return isObject(value) ? checkObject(value, schema, place) : []
}

function checkObject(value: object, schema: ValueSchema, place: Place): SchemaProblem[] {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const missing = required.filter((key) => own(value, key) === undefined)
  const problems = missing.flatMap((key) =>
    problem(inside(place, key), nameOf(lookUp(properties, key) ?? {}, place), 'nothing'),
  )
  for (const [key, item] of Object.entries(value)) {
    if (problems.length >= maxProblems) break
    // Absent and undefined mean the same: JSON has no undefined.
    if (item === undefined) continue
    const property = lookUp(properties, key) ?? (typeof others === 'object' ? others : undefined)
    if (property) problems.push(...check(item, property, inside(place, key)))
    else if (others === false) problems.push(...problem(inside(place, key), 'absent', describeValue(item)))
  }
  return problems
}

function checkArray(value: readonly unknown[], schema: ValueSchema, place: Place): SchemaProblem[] {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  if (value.length < minItems) return problem(place, `at least ${minItems} items`, `${value.length}`)
  if (value.length > maxItems) return problem(place, `at most ${maxItems} items`, `${value.length}`)
  const problems: SchemaProblem[] = []
  for (const [index, item] of value.entries()) {
    if (!items || problems.length >= maxProblems) break
    problems.push(...check(item, items, { ...place, path: `${place.path}[${index}]`, depth: place.depth + 1 }))
  }
  return problems
}

/** When a constant such as `type` tells which branch was meant, its problems are reported; else that none fits. */
function checkUnion(value: unknown, branches: readonly ValueSchema[], place: Place): SchemaProblem[] {
  const meant: SchemaProblem[][] = []
  for (const branch of branches) {
    const problems = check(value, branch, { ...place, depth: place.depth + 1 })
    if (problems.length === 0) return []
    if (isObject(value) && isMeant(value, resolve(branch, place), place)) meant.push(problems)
  }
  if (meant.length === 1) return meant.flat()
  const names = new Set(branches.map((branch) => nameOf(branch, place)))
  const kind = isObject(value) ? kindOf(value, branches, place) : ''
  return problem(place, `${[...names].join(' or ')}${kind && ' of a known kind'}`, kind || describeValue(value))
}

/** The fields that tell the branches apart, as this value has them: `type "weird"`. */
function kindOf(value: object, branches: readonly ValueSchema[], place: Place): string {
  const keys = new Set(
    branches.flatMap((branch) => {
      const properties = Object.entries(resolve(branch, place).properties ?? {})
      return properties.flatMap(([key, property]) => (isKind(key, property) ? [key] : []))
    }),
  )
  const present = [...keys].filter((key) => own(value, key) !== undefined)
  if (present.length === 0) return keys.size === 0 ? '' : `no ${[...keys].join(' or ')}`
  return present.map((key) => `${key} ${quote(own(value, key))}`).join(', ')
}

function isMeant(value: object, { type, anyOf, properties = {}, required }: ValueSchema, place: Place): boolean {
  if (anyOf) return anyOf.some((branch) => isMeant(value, resolve(branch, place), place))
  if (type !== 'object') return false
  return Object.entries(properties).every(([key, property]) => {
    const found = own(value, key)
    if (found === undefined) return !required?.includes(key) || !isKind(key, property)
    return !isKind(key, property) || (property.enum ?? [property.const]).includes(found)
  })
}

/** A field that tells branches apart: it has a constant, or it is a subtype with a few. */
function isKind(key: string, property: ValueSchema | undefined): property is ValueSchema {
  return property !== undefined && ('const' in property || (key === 'subtype' && property.enum !== undefined))
}

function resolve(schema: ValueSchema, { definitions }: Place): ValueSchema {
  if (schema.$ref === undefined) return schema
  return lookUp(definitions, schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)) ?? {}
}

function inside(place: Place, key: string): Place {
  return { ...place, path: place.path === '' ? key : `${place.path}.${key}`, depth: place.depth + 1 }
}

function problem({ path }: Place, expected: string, got: string): SchemaProblem[] {
  return [{ path, expected, got }]
}

// `constructor` and `__proto__` are names like any other here.
function lookUp(definitions: SchemaDefinitions, name: string): ValueSchema | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined
}

function own(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'number') return Number.isFinite(value)
  return typeof value === type
}

function nameOf(schema: ValueSchema, place: Place): string {
  const { type, anyOf, enum: allowed, minimum, ...rest } = resolve(schema, place)
  if ('const' in rest) return quote(rest.const)
  if (allowed) return `one of ${allowed.map(quote).join(', ')}`
  if (anyOf) return [...new Set(anyOf.map((branch) => nameOf(branch, place)))].join(' or ')
  const name = type === undefined ? 'a value' : [type].flat().map(withArticle).join(' or ')
  return minimum === undefined ? name : `${name} of at least ${minimum}`
}

function withArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  return withArticle(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}

function quote(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : describeValue(value)
}
