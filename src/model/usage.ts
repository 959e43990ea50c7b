/** Token counts: read from an API that may leave out or garble them, merged over a stream, summed over a turn. */
import type { NonNullableUsage, Usage } from '../protocol/content.js'
import { isObject } from '../protocol/json.js'

/** Every count is a number of 0 or more; what else was in `value` stays as it came. */
export function readUsage(value: unknown): Usage {
  const raw = isObject(value) ? value : {}
  return {
    // The remaining fields are informative and calculated with through `count` only.
    ...(raw as Partial<Usage>),
    input_tokens: toCount(raw['input_tokens']),
    cache_creation_input_tokens: toCount(raw['cache_creation_input_tokens']),
    cache_read_input_tokens: toCount(raw['cache_read_input_tokens']),
    output_tokens: toCount(raw['output_tokens']),
  }
}

/** A `message_delta` repeats counts as totals, so what it names replaces what was known. */
export function mergeUsage(known: Usage, update: unknown): Usage {
  if (!isObject(update)) return known
  const named = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null && value !== undefined))
  return readUsage({ ...known, ...named })
}

/** The sum of a turn, with every key present; an empty list gives the zero a `result` shows. */
export function turnUsage(requests: readonly Usage[]): NonNullableUsage {
  const sum = (pick: (usage: Usage) => unknown) => requests.reduce((total, usage) => total + toCount(pick(usage)), 0)
  const last = <T>(pick: (usage: Usage) => T | null | undefined, fallback: T): T =>
    requests.reduce((found, usage) => pick(usage) ?? found, fallback)
  return {
    input_tokens: sum((u) => u.input_tokens),
    cache_creation_input_tokens: sum((u) => u.cache_creation_input_tokens),
    cache_read_input_tokens: sum((u) => u.cache_read_input_tokens),
    output_tokens: sum((u) => u.output_tokens),
    server_tool_use: {
      web_search_requests: sum((u) => u.server_tool_use?.web_search_requests),
      web_fetch_requests: sum((u) => u.server_tool_use?.web_fetch_requests),
    },
    service_tier: last<NonNullableUsage['service_tier']>((u) => u.service_tier, 'standard'),
    cache_creation: {
      ephemeral_1h_input_tokens: sum((u) => u.cache_creation?.ephemeral_1h_input_tokens),
      ephemeral_5m_input_tokens: sum((u) => u.cache_creation?.ephemeral_5m_input_tokens),
    },
    inference_geo: last((u) => u.inference_geo, ''),
    iterations: last<object[]>((u) => u.iterations, []),
    speed: last<NonNullableUsage['speed']>((u) => u.speed, 'standard'),
  }
}

/** Rough average for text and JSON. */
const CHARACTERS_PER_TOKEN = 4

/** What was answered was paid for: counts that an endpoint does not tell are estimated by length. Undefined: it told them. */
export function estimateUsage(usage: Usage, prompt: number, answered: number): Usage | undefined {
  if (answered === 0) return undefined
  const { input_tokens: input, output_tokens: output } = usage
  const hasInput = input > 0 || toCount(usage.cache_creation_input_tokens) + toCount(usage.cache_read_input_tokens) > 0
  if (hasInput && output > 0) return undefined
  const tokens = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN)
  return {
    ...usage,
    input_tokens: hasInput ? input : tokens(prompt),
    output_tokens: output > 0 ? output : tokens(answered),
  }
}

export function isZeroUsage(usage: Usage): boolean {
  return (
    usage.input_tokens === 0 &&
    usage.output_tokens === 0 &&
    toCount(usage.cache_creation_input_tokens) === 0 &&
    toCount(usage.cache_read_input_tokens) === 0
  )
}

/** Whatever the API sent, as a number to add up. */
export function toCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
