/**
 * What this endpoint was found not to take. Servers that speak these APIs know parts of them; one that refuses a request for
 * something it can do without is asked again without it, and so from then on. Limits are never left out.
 */
import type { Service } from './service.js'

export type MissingAbility =
  | 'images'
  | 'effort'
  | 'summary'
  | 'kept reasoning'
  | 'encrypted reasoning'
  | 'cache key'
  | 'stream options'
  | 'storage switch'
  | 'developer role'
  | 'completion tokens'
  | 'old max tokens'
  | 'empty content'

export interface MissingAbilityTracker {
  lacks(what: MissingAbility): boolean
  /** True: something was learned, ask again. */
  learn(refusal: string): boolean
}

const NOT_TAKEN =
  /not (?:be )?(?:supported|permitted|allowed|available|enabled|recogni[sz]ed|valid|found)|unsupported|unknown|unexpected|unrecogni[sz]ed|extra (?:inputs|fields)|does ?n[o\u2019']t support|invalid|can(?:no|')t|must be verified|forbidden/i

/** In this order: the first that is named. */
const NAMED: readonly (readonly [RegExp, MissingAbility])[] = [
  [
    /encrypted_content.{0,80}(?:invalid|could not|verif|decrypt)|invalid_encrypted_content|item.{0,40}rs_\w+.{0,60}not found|reasoning.{0,60}without its required/i,
    'kept reasoning',
  ],
  [/reasoning\.encrypted_content|\binclude\b/i, 'encrypted reasoning'],
  [/reasoning[._]summary|generate reasoning summar|\bsummary\b/i, 'summary'],
  [/reasoning_effort|reasoning\.effort|\breasoning\b/i, 'effort'],
  [/prompt_cache_key/i, 'cache key'],
  [/stream_options/i, 'stream options'],
  [/\bstore\b/i, 'storage switch'],
  [/developer/i, 'developer role'],
  [/'?max_tokens'?.{0,80}max_completion_tokens|unsupported parameter: '?max_tokens/i, 'old max tokens'],
  [/max_completion_tokens/i, 'completion tokens'],
  [/image|vision|multi-?modal/i, 'images'],
  [/content.{0,40}(?:null|empty|none)/i, 'empty content'],
]

export function createMissingAbilityTracker({ name, api, baseUrl }: Service): MissingAbilityTracker {
  const known = new Set<MissingAbility>()
  const isVendor = baseUrl.hostname === 'api.openai.com'
  // Only the vendor's own Chat API has these, and most others refuse what they don't know.
  if (api === 'chat' && !isVendor) {
    for (const lack of ['developer role', 'completion tokens', 'cache key', 'storage switch'] as const) known.add(lack)
    if (name === 'gemini') known.add('empty content')
  }
  return {
    lacks: (what) => known.has(what),
    learn(refusal) {
      if (!NOT_TAKEN.test(refusal)) return false
      for (const [pattern, lack] of NAMED) {
        if (!pattern.test(refusal)) continue
        if (lack === 'old max tokens') return known.delete('completion tokens')
        if (known.has(lack)) return false
        known.add(lack)
        return true
      }
      return false
    },
  }
}
