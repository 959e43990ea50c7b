/** What a request cost, from its usage and the built-in list prices. */
import type { Usage } from '../protocol/content.js'
import { factsOf, LONG_PROMPT_TOKENS } from './models.js'
import { count } from './usage.js'

const PER_MILLION = 1_000_000
const WEB_SEARCH_USD = 0.01

/** USD, or null when the price of the model is not known. */
export function costOf(model: string, usage: Usage): number | null {
  const facts = factsOf(model)
  if (!facts?.price) return null
  const written = usage.cache_creation_input_tokens ?? 0
  const read = usage.cache_read_input_tokens ?? 0
  const isLong = usage.input_tokens + written + read > LONG_PROMPT_TOKENS
  const price = isLong && facts.longPrice ? facts.longPrice : facts.price
  const writtenFor1h = Math.min(written, count(usage.cache_creation?.ephemeral_1h_input_tokens))
  const tokens =
    usage.input_tokens * price.input +
    usage.output_tokens * price.output +
    (written - writtenFor1h) * price.cacheWrite5m +
    writtenFor1h * price.cacheWrite1h +
    read * price.cacheRead
  return tokens / PER_MILLION + count(usage.server_tool_use?.web_search_requests) * WEB_SEARCH_USD
}
