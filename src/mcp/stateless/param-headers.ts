/**
 * Arguments of a tool that its server wants as headers, too (`x-mcp-header` in the tool's schema), so that whatever stands
 * in front of it can route a call without reading it. By hand: the official client has this behind its `Client` alone.
 */
import { isObject, type JsonObject } from '../../protocol/json.js'

export type ParamHeader = { path: readonly string[]; header: string }
export type ParamHeadersFound = { headers: ParamHeader[]; problem?: undefined } | { problem: string }

const KEY = 'x-mcp-header'
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/
const TYPES = ['string', 'integer', 'boolean']
/** What stands in these isn't a schema. */
const VALUES = ['default', 'const', 'enum', 'examples']
/** Deeper, and in larger schemas, nobody looks: such a schema isn't used. */
const MAX_DEPTH = 60
const MAX_HEADERS = 50

/** Returns the headers a tool's schema declares, or what is wrong with them: a tool with wrong ones must not be offered. */
export function readParamHeaders(schema: unknown): ParamHeadersFound {
  const headers: ParamHeader[] = []
  const names = new Set<string>()
  const visit = (node: unknown, path: readonly string[] | undefined, depth: number): string | undefined => {
    if (typeof node !== 'object' || node === null) return undefined
    if (depth > MAX_DEPTH) return 'it is nested too deeply'
    if (Array.isArray(node)) return firstOf(node, (one) => visit(one, undefined, depth + 1))
    const part: JsonObject = { ...node }
    if (Object.hasOwn(part, KEY)) {
      const problem = path && path.length > 0 ? declare(part, path) : `\`${KEY}\` stands where no argument can be found`
      if (problem !== undefined) return problem
    }
    return firstOf(Object.entries(part), ([key, value]) => {
      if (VALUES.includes(key)) return undefined
      if (key !== 'properties') return visit(value, undefined, depth + 1)
      if (!isObject(value)) return undefined
      return firstOf(Object.entries(value), ([name, one]) => visit(one, path && [...path, name], depth + 1))
    })
  }
  const declare = (part: JsonObject, path: readonly string[]): string | undefined => {
    const { type, [KEY]: header } = part
    if (typeof header !== 'string' || !TOKEN.test(header)) return `\`${KEY}\` has a name that no header can have`
    if (typeof type !== 'string' || !TYPES.includes(type)) return `\`${KEY}\` is only for texts, integers and booleans`
    if (names.has(header.toLowerCase())) return `two arguments want the header ${header}`
    if (names.size >= MAX_HEADERS) return `more than ${MAX_HEADERS} arguments want a header`
    names.add(header.toLowerCase())
    headers.push({ path, header })
    return undefined
  }
  const problem = visit(schema, [], 0)
  return problem === undefined ? { headers } : { problem }
}

/** Returns the headers of one call. An argument that is missing, or isn't what was declared, has none. */
export function paramHeaders(declared: readonly ParamHeader[], given: unknown): Record<string, string> {
  return Object.fromEntries(
    declared.flatMap(({ path, header }) => {
      const text = headerText(
        path.reduce(
          (node: unknown, key) => (isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined),
          given,
        ),
      )
      return text === undefined ? [] : [[`Mcp-Param-${header}`, encodeHeader(text)]]
    }),
  )
}

function headerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

/** As the revision writes what no header can hold: Base64 of UTF-8, between marks. */
function encodeHeader(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
  if (isPlain) return text
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  return `=?base64?${btoa(bytes)}?=`
}

function firstOf<T>(list: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}
