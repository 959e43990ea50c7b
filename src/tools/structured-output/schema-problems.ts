/** What is wrong with a JSON Schema itself, found before the first request rather than at the first answer. */
import { isObject } from '../../protocol/json.js'

type Schema = Record<string, unknown>

const MAX_DEPTH = 100
const DRAFTS = /^https?:\/\/json-schema\.org\/draft(?:-0[467]|\/2019-09|\/2020-12)\/schema#?$/
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
/** Keywords that hold one schema, a list of them, or a map of them. */
const ONE = [
  ...['items', 'additionalProperties', 'additionalItems', 'unevaluatedProperties', 'unevaluatedItems', 'contains'],
  ...['propertyNames', 'not', 'if', 'then', 'else'],
]
const SOME = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
/** Those that judge the same value as the schema they stand in. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']

type Rule = { is: (value: unknown) => boolean; says: string }
const NUMBER: Rule = { is: (value) => typeof value === 'number', says: 'must be a number' }
const COUNT: Rule = {
  is: (value) => Number.isInteger(value) && Number(value) >= 0,
  says: 'must be a whole number of 0 or more',
}
const LIMIT: Rule = { is: (value) => typeof value === 'number' || typeof value === 'boolean', says: NUMBER.says }
const TEXT: Rule = { is: (value) => typeof value === 'string', says: 'must be a text' }
const NAMES: Rule = { is: isNames, says: 'must be a list of names' }
const RULES: ReadonlyMap<string, Rule> = new Map([
  ...['minimum', 'maximum'].map((name) => [name, NUMBER] as const),
  // true or false in draft 4.
  ...['exclusiveMinimum', 'exclusiveMaximum'].map((name) => [name, LIMIT] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (name) => [name, COUNT] as const,
  ),
  ...['minContains', 'maxContains'].map((name) => [name, COUNT] as const),
  ...['$id', '$anchor', 'format'].map((name) => [name, TEXT] as const),
  [
    '$schema',
    {
      is: (value) => typeof value === 'string' && DRAFTS.test(value),
      says: 'is none of the drafts 4, 6, 7, 2019-09 and 2020-12',
    },
  ],
  ['multipleOf', { is: (value) => typeof value === 'number' && value > 0, says: 'must be a number above 0' }],
  ['uniqueItems', { is: (value) => typeof value === 'boolean', says: 'must be true or false' }],
  ['required', NAMES],
  ['enum', { is: (value) => Array.isArray(value) && value.length > 0, says: 'must be a list of values' }],
  ['pattern', { is: isPattern, says: 'is not a regular expression' }],
])

/** The first problem, by its place: `/properties/a/type: "text" is no type`. */
export function findSchemaProblem(schema: Schema): string | undefined {
  return findProblem(schema, schema, '', 0) ?? findLoop(schema)
}

function findProblem(node: unknown, root: Schema, at: string, depth: number): string | undefined {
  if (typeof node === 'boolean') return undefined
  if (!isObject(node)) return `${at || '/'}: must be a schema`
  if (depth > MAX_DEPTH) return `${at}: nested more than ${MAX_DEPTH} deep`
  const own = findOwnProblem(node, root, at)
  if (own !== undefined) return own
  for (const [place, child] of childrenOf(node, at)) {
    const problem = findProblem(child, root, place, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function findOwnProblem(node: Schema, root: Schema, at: string): string | undefined {
  for (const [key, value] of Object.entries(node)) {
    const rule = RULES.get(key)
    if (rule && !rule.is(value)) return `${at}/${key}: ${rule.says}`
    if (NAMED.includes(key) && !isObject(value)) return `${at}/${key}: must be an object`
    if (SOME.includes(key) && !(Array.isArray(value) && value.length > 0))
      return `${at}/${key}: must be a list of schemas`
    if (key === 'type') {
      const types: unknown[] = Array.isArray(value) ? value : [value]
      const unknown = types.length === 0 ? value : types.find((name) => !TYPES.some((type) => type === name))
      if (unknown !== undefined) return `${at}/type: ${JSON.stringify(unknown)} is no type`
    }
    if (key === 'patternProperties' && isObject(value)) {
      const wrong = Object.keys(value).find((pattern) => !isPattern(pattern))
      if (wrong !== undefined) return `${at}/${key}: ${wrong} is not a regular expression`
    }
    if (key === 'dependencies' || key === 'dependentRequired') {
      const mayBeSchema = key === 'dependencies'
      const isRight = (item: unknown) => isNames(item) || (mayBeSchema && (isObject(item) || typeof item === 'boolean'))
      if (!isObject(value) || !Object.values(value).every(isRight))
        return `${at}/${key}: must name what depends on what`
    }
    if (key === '$ref') {
      if (typeof value !== 'string' || !value.startsWith('#')) return `${at}/$ref: can only point into this schema`
      if (findTarget(root, value) === undefined) return `${at}/$ref: ${value} is not there`
    }
  }
  return undefined
}

/** References that lead back to where they stand, without a step into the value: no answer could ever be judged. */
function findLoop(root: Schema): string | undefined {
  const done = new Set<unknown>()
  const visit = (node: unknown, path: readonly unknown[]): boolean => {
    if (!isObject(node) || done.has(node)) return false
    if (path.includes(node) || path.length > MAX_DEPTH) return true
    const here = [...path, node]
    const inPlace = childrenOf(node, '').flatMap(([place, child]) =>
      IN_PLACE.includes(place.split('/')[1] ?? '') ? [child] : [],
    )
    if (typeof node.$ref === 'string') inPlace.push(findTarget(root, node.$ref))
    if (inPlace.some((child) => visit(child, here))) return true
    done.add(node)
    return false
  }
  const search = (node: unknown, at: string): string | undefined => {
    if (visit(node, [])) return `${at || '/'}: refers to itself without end`
    if (!isObject(node)) return undefined
    for (const [place, child] of childrenOf(node, at)) {
      const problem = search(child, place)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  return search(root, '')
}

/** The schemas right below one, with their places. */
function childrenOf(node: Schema, at: string): [string, unknown][] {
  return Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    const below = `${at}/${key}`
    if ((SOME.includes(key) || key === 'items') && Array.isArray(value)) {
      return value.map((item, index) => [`${below}/${index}`, item])
    }
    if (NAMED.includes(key) && isObject(value))
      return Object.entries(value).map(([name, item]) => [`${below}/${name}`, item])
    if (key === 'dependencies' && isObject(value)) {
      return Object.entries(value).flatMap(([name, item]) =>
        Array.isArray(item) ? [] : [[`${below}/${name}`, item] as [string, unknown]],
      )
    }
    return ONE.includes(key) ? [[below, value]] : []
  })
}

function findTarget(root: Schema, reference: string): unknown {
  return reference === '#' || reference.startsWith('#/')
    ? resolveJsonPointer(root, reference)
    : findAnchor(root, reference.slice(1))
}

function findAnchor(node: unknown, name: string): unknown {
  if (!isObject(node)) return undefined
  if (node.$anchor === name || node.$id === `#${name}`) return node
  for (const [, child] of childrenOf(node, '')) {
    const found = findAnchor(child, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** What a pointer such as `#/properties/a` leads to. References on its way are followed, as in the places of a validator. */
export function resolveJsonPointer(root: unknown, pointer: string, followed = 0): unknown {
  let node: unknown = root
  for (const part of pointer.slice(1).split('/').slice(1)) {
    const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined
    node = Reflect.get(node, name)
    if (name === '$ref' && typeof node === 'string' && followed < MAX_DEPTH)
      node = resolveJsonPointer(root, node, followed + 1)
  }
  return node
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
