/** What a caller really gave: null is nothing, and so is an empty name or path. */
import { isObject } from '../json.js'
import type { Options } from '../options.js'
import { OPTION_SHAPES } from './option-shapes.js'

/** Data of several levels. In others null says something (`extraArgs`), or they are live objects of the caller. */
const DEEP: readonly string[] = [
  ...(['agents', 'hooks', 'mcpServers', 'plugins', 'sandbox', 'systemPrompt', 'taskBudget', 'thinking'] as const),
] satisfies (keyof Options)[]

export function normalizeOptions<Given extends object>(options: Given): Given {
  const kept = Object.entries(options ?? {}).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === undefined || (value === '' && name !== 'systemPrompt')) return []
    if (isCount(name)) return [[name, toNumber(value)]]
    return [[name, DEEP.includes(name) ? withoutNulls(value) : value]]
  })
  return Object.fromEntries(kept) as Given // the same, with less in it
}

/** An in-process server among the others stays the object it is. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value) || value.type === 'sdk') return value
  const kept = Object.entries(value).filter(([, item]) => item !== null)
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNulls(item)]))
}

function isCount(name: string): boolean {
  const shapes: Record<string, { type?: unknown }> = OPTION_SHAPES
  const type = Object.hasOwn(shapes, name) ? shapes[name]?.type : undefined
  return type === 'integer' || type === 'number'
}

/** `'3'` out of an environment variable means 3, as in the original. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}
