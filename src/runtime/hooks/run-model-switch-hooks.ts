/** Hooks are told that the model is changed, and what that means for the cache of the API. */
import { promptCacheTtl } from '../../model/messages-api/request-variables.js'
import { modelPrice } from '../../model/pricing.js'
import type { Conversation } from '../conversation.js'
import type { ModelSwitch } from '../model-setup.js'

const PER_MILLION = 1_000_000
const KEPT_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 }

/** Returns why the model may not change. What the agent's own tool changes is a tool call, which other hooks judge. */
export function askModelSwitchHooks(
  conversation: Conversation,
  change: ModelSwitch,
  signal: AbortSignal,
): Promise<string | undefined> | undefined {
  const { source } = change
  if (source === 'auto' || !conversation.hooks.has('PreModelSwitch')) return undefined
  return conversation.hooks.preModelSwitch({ ...switchFields(conversation, change), source }, signal)
}

export async function runModelSwitchHooks(
  conversation: Conversation,
  change: ModelSwitch,
  signal: AbortSignal,
): Promise<void> {
  if (!conversation.hooks.has('PostModelSwitch')) return
  const fields = { ...switchFields(conversation, change), source: change.source }
  conversation.toTell.pending.push(...(await conversation.hooks.postModelSwitch(fields, signal)))
}

function switchFields({ context, shared }: Conversation, { from, to, requested }: ModelSwitch) {
  const { settings, platform, live } = shared
  const ttl = promptCacheTtl(live.env)
  const tag = modelPrice(to, settings.modelPrices)
  const perToken = (tag?.tokens[ttl === '1h' ? 'cacheWrite1h' : 'cacheWrite5m'] ?? 0) / PER_MILLION
  const { answeredAt = Number.NEGATIVE_INFINITY, sent, tokens } = context
  const pricing = tag === null ? 'default' : tag.from === 'settings' ? 'configured' : 'catalog'
  return {
    from_model: from,
    to_model: to,
    requested_model: requested,
    context_tokens: tokens,
    prompt_cache_warm: sent?.cached === true && platform.clock.monotonic() - answeredAt < KEPT_MS[ttl],
    cache_ttl: ttl,
    estimated_cache_write_usd: tokens * perToken,
    pricing,
  } as const
}
