/** How much of what models were given to read came out of the provider's cache. */
import type { ModelUsage } from '../../protocol/messages.js'

/** From 0 to 1; undefined where nothing was cached: the provider has no cache, or does not speak of it. */
export function cacheHitRate(usage: Readonly<Record<string, ModelUsage>>): number | undefined {
  let [read, written, rest] = [0, 0, 0]
  for (const { cacheReadInputTokens, cacheCreationInputTokens, inputTokens } of Object.values(usage)) {
    read += cacheReadInputTokens
    written += cacheCreationInputTokens
    rest += inputTokens
  }
  return read + written === 0 ? undefined : Math.round((read / (read + written + rest)) * 10_000) / 10_000
}
