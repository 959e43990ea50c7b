/** Tokens as these APIs count them, in the terms of the Messages API, where what was cached does not count as input again. */
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { ResponseUsage } from './event-writer.js'

export function responsesUsage(usage: unknown): ResponseUsage | undefined {
  if (!isObject(usage)) return undefined
  return split(usage['input_tokens'], usage['output_tokens'], usage['input_tokens_details'])
}

export function chatUsage(usage: unknown): ResponseUsage | undefined {
  if (!isObject(usage)) return undefined
  return split(usage['prompt_tokens'], usage['completion_tokens'], usage['prompt_tokens_details'])
}

function split(input: unknown, output: unknown, details: unknown): ResponseUsage {
  const about: JsonObject = isObject(details) ? details : {}
  const read = count(about['cached_tokens'])
  const written = count(about['cache_write_tokens'])
  return {
    input_tokens: Math.max(0, count(input) - read - written),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: count(output),
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}
