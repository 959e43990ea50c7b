/** Schemas of servers, made fit for a model request: one that the API refuses would make every request of the session fail. */
import { withoutInvisible } from '../../platform/visible-text.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { messageOf } from '../../protocol/thrown.js'

export type CleanSchema = { schema: JsonObject; note?: string }

const ANYTHING: JsonObject = { type: 'object', properties: {} }
/** As JSON. */
const MAX_LENGTH = 200_000
const MAX_DEPTH = 60
/** The API takes no other names for what a tool is given. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/
/** At the top it wants to know what an object holds, without choices. */
const NOT_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', '$ref', '$dynamicRef']

/**
 * Returns a tool's input schema in a form that the API takes. Where a schema can't be used, anything is taken: the
 * server checks its input anyway. References are left alone.
 */
export function cleanSchema(value: unknown): CleanSchema {
  const instead = (note: string): CleanSchema => ({ schema: ANYTHING, note: `its schema ${note}; any input is taken` })
  if (!isObject(value)) return instead('is missing or no object')
  let copy: unknown
  try {
    // A copy: an in-process server hands over its own objects, which need not be JSON, or may change.
    const text = JSON.stringify(value)
    if (text.length > MAX_LENGTH) return instead('is too long')
    copy = JSON.parse(text, (_key, part) => (typeof part === 'string' ? withoutInvisible(part).text : part))
  } catch (error) {
    return instead(`isn't JSON (${messageOf(error).slice(0, 100)})`)
  }
  if (!isObject(copy) || isDeeper(copy, MAX_DEPTH)) return instead('is nested too deeply')
  if (copy['type'] !== undefined && copy['type'] !== 'object') return instead('is not one of an object')
  return { schema: topLevel(copy) }
}

function topLevel(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !NOT_AT_TOP.includes(key))
  const rest: JsonObject = Object.fromEntries(kept)
  const given = isObject(rest['properties']) ? rest['properties'] : {}
  const properties = Object.entries(given).filter(
    ([name, part]) => PROPERTY_NAME.test(name) && (isObject(part) || typeof part === 'boolean'),
  )
  const names = new Set(properties.map(([name]) => name))
  const { required: asked, ...others } = rest
  // Each once, and a list or nothing: the API refuses others.
  const required = Array.isArray(asked) ? new Set(asked.filter((name) => names.has(name))) : undefined
  return {
    ...others,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required ? { required: [...required] } : {}),
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1))
}
