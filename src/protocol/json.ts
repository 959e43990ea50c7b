/** Narrowing of parsed JSON, whoever sent it. */

export type JsonObject = Record<string, unknown>

/** An object of JSON: neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A string as it is; of anything else, nothing. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
