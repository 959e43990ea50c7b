/**
 * Reads a tool's input as models write it, where its schema leaves no doubt what is meant: "2" for 2, "true" for true, null for
 * a field that is left out, a JSON text for a list or an object. Texts stay as they are, so no path and no command is guessed.
 */
import { isObject, type JsonObject } from '../protocol/json.js'

/** `mended`: something was read in another way than it was written. */
export type RepairedInput = { input: JsonObject; mended: boolean }

export function repairInput(schema: JsonObject, input: JsonObject): RepairedInput {
  const read = mendObject(schema, input)
  return { input: read, mended: read !== input }
}

/** The same object where nothing had to be mended. */
function mendObject(schema: JsonObject, value: JsonObject): JsonObject {
  const properties = schema['properties']
  if (!isObject(properties)) return value
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  let mended = false
  const entries: [string, unknown][] = []
  for (const [name, given] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const known = isObject(property) ? property : undefined
    if (known && given === null && isLeftOut(known, required.includes(name))) {
      mended = true
      continue
    }
    const read = known ? mendValue(known, given) : given
    mended ||= read !== given
    entries.push([name, read])
  }
  // Defines own properties, also for the name `__proto__`, where an assignment would not.
  return mended ? Object.fromEntries(entries) : value
}

function isLeftOut(property: JsonObject, isRequired: boolean): boolean {
  const types = typesOf(property)
  if (types.length === 0 || types.includes('null') || property['nullable'] === true) return false
  return !isRequired || Object.hasOwn(property, 'default')
}

function mendValue(schema: JsonObject, given: unknown): unknown {
  const types = typesOf(schema)
  const value = typeof given === 'string' && !types.includes('string') ? readText(types, given) : given
  if (Array.isArray(value)) return isObject(schema['items']) ? mendItems(schema['items'], value) : value
  return isObject(value) ? mendObject(schema, value) : value
}

function mendItems(schema: JsonObject, items: unknown[]): unknown[] {
  const read = items.map((item) => mendValue(schema, item))
  return read.some((item, at) => item !== items[at]) ? read : items
}

/** A text where another type is wanted. */
function readText(types: readonly string[], text: string): unknown {
  const word = text.trim()
  if (types.includes('boolean') && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true'
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(word)) return Number(word)
  if (!(types.includes('array') && word.startsWith('[')) && !(types.includes('object') && word.startsWith('{')))
    return text
  try {
    return JSON.parse(word)
  } catch {
    return text
  }
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** Empty: anything goes, or nobody can tell. */
function typesOf(schema: JsonObject): string[] {
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches)) {
    const types = branches.map((branch) => (isObject(branch) ? typesOf(branch) : []))
    return types.some((found) => found.length === 0) ? [] : types.flat()
  }
  return [schema['type']].flat().filter((type) => typeof type === 'string')
}
