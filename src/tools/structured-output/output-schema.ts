/** The schema a host wants answers to match: checked before the session starts, then used to judge what the model hands in. */
import type { OutputUnit, SchemaDraft } from '@cfworker/json-schema'

export type OutputSchema = {
  /** As the host gave it; what the model is shown. */
  schema: Record<string, unknown>
  /** `/path: must be …` for each mismatch; empty when it matches. */
  problems(value: unknown): string[]
}

export type CompiledSchema = { ok: true; schema: OutputSchema } | { ok: false; problem: string }

/** Reported of one answer; one wrong shape may break hundreds of rules. */
const MAX_PROBLEMS = 10
const MAX_DEPTH = 100

export async function compileOutputSchema(schema: unknown): Promise<CompiledSchema> {
  if (!isObject(schema)) return { ok: false, problem: 'it must be an object' }
  const problem = findProblem(schema, schema, '', 0)
  if (problem !== undefined) return { ok: false, problem }
  if (schema.type !== 'object') return { ok: false, problem: '/type: must be "object", as the answer is one' }
  const { Validator } = await import('@cfworker/json-schema')
  const validator = new Validator(schema, draftOf(schema.$schema), false)
  return {
    ok: true,
    schema: {
      schema,
      problems(value) {
        const { valid, errors } = validator.validate(value)
        if (valid) return []
        return [...new Set(errors.flatMap((error) => describe(error, schema) ?? []))].slice(0, MAX_PROBLEMS)
      },
    },
  }
}

function draftOf(name: unknown): SchemaDraft {
  const text = String(name)
  if (text.includes('draft-04')) return '4'
  if (text.includes('draft-06') || text.includes('draft-07')) return '7'
  return text.includes('2019-09') ? '2019-09' : '2020-12'
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
/** Keywords that hold one schema, a list of them, or a map of them. */
const ONE = [
  'items',
  'additionalProperties',
  'additionalItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
]
const SOME = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/** What no validator could make sense of, found before the first request rather than at the first answer. */
function findProblem(node: unknown, root: Record<string, unknown>, at: string, depth: number): string | undefined {
  if (typeof node === 'boolean') return undefined
  if (!isObject(node)) return `${at || '/'}: must be a schema`
  if (depth > MAX_DEPTH) return `${at}: nested more than ${MAX_DEPTH} deep`
  const own = findOwnProblem(node, root, at)
  if (own !== undefined) return own
  for (const [key, value] of Object.entries(node)) {
    const below = `${at}/${key}`
    const children: [string, unknown][] =
      SOME.includes(key) && Array.isArray(value)
        ? value.map((item, index) => [`${below}/${index}`, item])
        : NAMED.includes(key) && isObject(value)
          ? Object.entries(value).map(([name, item]) => [`${below}/${name}`, item])
          : ONE.includes(key)
            ? [[below, value]]
            : []
    for (const [place, child] of children) {
      const problem = findProblem(child, root, place, depth + 1)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function findOwnProblem(node: Record<string, unknown>, root: Record<string, unknown>, at: string): string | undefined {
  const { type, properties, required, pattern, $ref } = node
  const types = Array.isArray(type) ? type : [type]
  const unknown = type === undefined ? undefined : types.find((name) => !TYPES.includes(String(name)))
  if (unknown !== undefined) return `${at}/type: ${JSON.stringify(unknown)} is no type`
  if (properties !== undefined && !isObject(properties)) return `${at}/properties: must be an object`
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
    return `${at}/required: must be a list of names`
  }
  if (node.enum !== undefined && !Array.isArray(node.enum)) return `${at}/enum: must be a list`
  if (pattern !== undefined && !isPattern(pattern)) return `${at}/pattern: is not a regular expression`
  if ($ref === undefined) return undefined
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return `${at}/$ref: can only point into this schema`
  return find(root, $ref) === undefined ? `${at}/$ref: ${$ref} is not there` : undefined
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function find(root: unknown, pointer: string, followed = 0): unknown {
  let node: unknown = root
  for (const part of pointer.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined
    node = Reflect.get(node, name)
    // A place found by following a reference is told with the reference in it.
    if (name === '$ref' && typeof node === 'string' && followed < MAX_DEPTH) node = find(root, node, followed + 1)
  }
  return node
}

/** In the words that readers of such errors know. Undefined for those that only say that something below is wrong. */
function describe(
  { instanceLocation, keyword, keywordLocation, error }: OutputUnit,
  schema: object,
): string | undefined {
  const place = instanceLocation.slice(1)
  const limit = find(schema, keywordLocation)
  const says = (text: string) => `${place || '/'}: ${text}`
  switch (keyword) {
    case 'type':
      return says(`must be ${Array.isArray(limit) ? limit.join(' or ') : String(limit)}`)
    case 'required':
      return says(`must have required property ${/"(.*)"/.exec(error)?.[1] ?? ''}`)
    case 'false':
      return says('must NOT be there')
    case 'enum':
      return says(`must be one of ${JSON.stringify(limit)}`)
    case 'const':
      return says(`must be ${JSON.stringify(limit)}`)
    case 'pattern':
      return says(`must match pattern ${String(limit)}`)
    case 'properties':
    case 'additionalProperties':
    case 'patternProperties':
    case 'items':
    case 'prefixItems':
    case '$ref':
    case 'allOf':
      return undefined
    default:
      return says(error)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
