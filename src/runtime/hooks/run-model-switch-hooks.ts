/** Hooks are told that the model was changed, and what that means for the cache of the API. */
import { promptCacheTtl } from '../../model/messages-api/request-variables.js'
import { modelPrice } from '../../model/pricing.js'
import type { Conversation } from '../conversation.js'
import type { ModelSwitch } from '../model-setup.js'

const PER_MILLION = 1_000_000
const KEPT_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 }

export async function runModelSwitchHooks(
  { context, hooks, toTell, shared }: Conversation,
  { from, to, requested, source }: ModelSwitch,
  signal: AbortSignal,
): Promise<void> {
  const { settings, platform, live } = shared
  const ttl = promptCacheTtl(live.env)
  const tag = modelPrice(to, settings.modelPrices)
  const perToken = (tag?.tokens[ttl === '1h' ? 'cacheWrite1h' : 'cacheWrite5m'] ?? 0) / PER_MILLION
  const { answeredAt = Number.NEGATIVE_INFINITY, sent, tokens } = context
  const texts = await hooks.postModelSwitch(
    {
      from_model: from,
      to_model: to,
      requested_model: requested,
      source,
      context_tokens: tokens,
      prompt_cache_warm: sent?.cached === true && platform.clock.monotonic() - answeredAt < KEPT_MS[ttl],
      cache_ttl: ttl,
      estimated_cache_write_usd: tokens * perToken,
      pricing: tag === null ? 'default' : tag.from === 'settings' ? 'configured' : 'catalog',
    },
    signal,
  )
  toTell.pending.push(...texts)
}
