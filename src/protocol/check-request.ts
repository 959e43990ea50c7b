/** Is this a control request a host may send? */
import type { HostToAgentRequest } from './control.js'
import { CONTROL_REQUEST_SCHEMAS, CONTROL_SCHEMA_DEFINITIONS } from './control-schema.generated.js'
import { isObject } from './json.js'
import { describeSchemaProblem, describeValue, type SchemaDefinitions, type ValueSchema, validate } from './validate.js'

const MAX_DEPTH = 40

export type CheckedRequest =
  | { ok: true; request: HostToAgentRequest }
  | { ok: false; unknownSubtype?: string; path: string; problem: string }

/** Keys that are `null` but optional count as absent, however deep: hosts in other languages write them. */
export function checkControlRequest(request: unknown): CheckedRequest {
  try {
    return checkRequest(request)
  } catch {
    return { ok: false, path: '', problem: 'Invalid control request: it can not be read' }
  }
}

function checkRequest(request: unknown): CheckedRequest {
  const subtype = isObject(request) ? Object.getOwnPropertyDescriptor(request, 'subtype')?.value : undefined
  if (!isObject(request) || typeof subtype !== 'string') {
    const got = describeValue(isObject(request) ? subtype : request)
    return { ok: false, path: 'subtype', problem: `Invalid control request: subtype must be a string, got ${got}` }
  }
  const requests: SchemaDefinitions = CONTROL_REQUEST_SCHEMAS
  const schema = Object.hasOwn(requests, subtype) ? requests[subtype] : undefined
  if (!schema) {
    const problem = `Unsupported control request subtype: ${subtype.slice(0, 100)}`
    return { ok: false, unknownSubtype: subtype, path: 'subtype', problem }
  }
  const [first] = validate(request, schema, CONTROL_SCHEMA_DEFINITIONS)
  // The schema was made from this very type.
  if (!first) return { ok: true, request: request as HostToAgentRequest }
  const bare = withoutNulls(request, schema)
  const [still] = validate(bare, schema, CONTROL_SCHEMA_DEFINITIONS)
  if (!still) return { ok: true, request: bare as HostToAgentRequest } // as above
  return { ok: false, path: still.path, problem: `Invalid ${subtype} request: ${describeSchemaProblem(still)}` }
}

/** The same without keys that are null where the schema knows no null. */
function withoutNulls(value: unknown, schema: ValueSchema, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value
  const { $ref, anyOf } = schema
  if ($ref !== undefined) return withoutNulls(value, resolve($ref), depth + 1)
  if (anyOf) return anyOf.reduce((rest: unknown, branch) => withoutNulls(rest, branch, depth + 1), value)
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.map((item) => withoutNulls(item, items, depth + 1)) : value
  }
  if (!isObject(value)) return value
  const { properties = {}, required = [], additionalProperties: others } = schema
  const kept = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    const property = known ?? (typeof others === 'object' ? others : undefined)
    if (!property) return [[key, item]]
    if (item === null && !required.includes(key) && validate(null, property, CONTROL_SCHEMA_DEFINITIONS).length > 0)
      return []
    return [[key, withoutNulls(item, property, depth + 1)]]
  })
  return Object.fromEntries(kept)
}

function resolve($ref: string): ValueSchema {
  const definitions: SchemaDefinitions = CONTROL_SCHEMA_DEFINITIONS
  return definitions[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}
}
