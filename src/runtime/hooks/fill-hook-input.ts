/** The input that an `mcp_tool` hook gives its tool, with fields of the event in its texts. Pure. */
import type { HookInput } from '../../protocol/hooks.js'
import { isObject, type JsonObject } from '../../protocol/json.js'

/** `${tool_input.file_path}` is a field of the event; a text that is nothing else keeps the field's type. */
export function fillHookInput(input: JsonObject, event: HookInput): JsonObject {
  const filled = fill(input, event)
  return isObject(filled) ? filled : {}
}

const FIELD = /\$\{([\w.]+)\}/g

function fill(value: unknown, event: HookInput): unknown {
  if (typeof value === 'string') {
    const [whole, path] = /^\$\{([\w.]+)\}$/.exec(value) ?? []
    if (whole !== undefined && path !== undefined) return structuredClone(fieldOf(event, path) ?? '')
    return value.replace(FIELD, (_whole, name: string) => textOf(fieldOf(event, name)))
  }
  if (Array.isArray(value)) return value.map((each) => fill(each, event))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, event)]))
}

function fieldOf(event: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), event)
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
