/** Several layers of settings as one: single values by precedence, lists joined, objects and variables key by key. */
import { isObject } from '../protocol/json.js'
import { type KnownSettings, settingsShape } from './keys/known-keys.js'
import type { Shape } from './keys/shape.js'

/** Merges a setting of two layers. `high` and `low` were checked against the shape; undefined where there is none. */
export function mergeValues(shape: Shape, high: unknown, low: unknown): unknown {
  if (high === undefined || low === undefined) return high ?? low
  if (Array.isArray(high) && Array.isArray(low)) return [...new Set([...high, ...low])]
  if (!isObject(high) || !isObject(low)) return high
  if (shape.kind === 'object' && shape.whole) return high
  const keys = [...new Set([...Object.keys(low), ...Object.keys(high)])]
  return Object.fromEntries(
    keys.map((key) => [key, mergeValues(shapeOf(shape, key), ownPropertyValue(high, key), ownPropertyValue(low, key))]),
  )
}

/** The highest first. */
export function mergeSettings(layers: readonly KnownSettings[]): KnownSettings {
  const merged = layers.reduce<unknown>((high, low) => mergeValues(settingsShape, high, low), {})
  // Both were settings, and what is merged by their shape is again.
  return merged as KnownSettings
}

function shapeOf(shape: Shape, key: string): Shape {
  if (shape.kind === 'map') return shape.of
  return shape.kind === 'object' ? (ownPropertyValue(shape.keys, key) ?? shape) : shape
}

export function ownPropertyValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
