/** What a request cost, from its usage and list prices: those of the settings first, then the built-in ones. */
import type { Usage } from '../protocol/content.js'
import {
  createPriceWithCacheRates,
  LONG_PROMPT_TOKENS,
  MODEL_TABLE_DATE,
  type ModelTokenPrice,
  modelFacts,
  splitLongContextSuffix,
  vendorModelId,
  withoutModelDate,
} from './model-facts.js'
import { builtInPriceOfServiceModel } from './openai/service-models.js'
import { toCount } from './usage.js'

const PER_MILLION = 1_000_000
const WEB_SEARCHES_USD = 10
const PER_THOUSAND = 1000
/** Requests in a batch cost half; what a committed capacity costs is between the customer and the provider. */
const BATCH_FACTOR = 0.5
const PRIORITY_FACTOR = 1

/** A price of the user's own, as the setting `modelPrices` has it: USD per million tokens. */
export type ConfiguredPrice = {
  input: number
  output: number
  cacheWrite5m?: number | undefined
  cacheWrite1h?: number | undefined
  cacheRead?: number | undefined
  /** For requests with a prompt longer than `LONG_PROMPT_TOKENS`. */
  longInput?: number | undefined
  longOutput?: number | undefined
  /** What the prices of tokens are multiplied with in a batch, at the priority tier, in fast mode. */
  batch?: number | undefined
  priority?: number | undefined
  fast?: number | undefined
  /** USD per thousand searches. */
  webSearch?: number | undefined
}
/** By model: its id, with or without its date. */
export type ConfiguredPrices = Readonly<Record<string, ConfiguredPrice>>

export type ModelPricing = {
  tokens: ModelTokenPrice
  longPrompt: ModelTokenPrice
  factors: { batch: number; priority: number; fast: number | null; us: number }
  webSearches: number
  /** The date of the built-in table, or `settings`. */
  from: string
}

/** Null: not known to us. */
export function modelPrice(model: string, own: ConfiguredPrices = {}): ModelPricing | null {
  const { id } = splitLongContextSuffix(model)
  const vendor = vendorModelId(id)
  const name = [model, id, withoutModelDate(id), vendor, withoutModelDate(vendor)].find((known) =>
    Object.hasOwn(own, known),
  )
  const given = name === undefined ? undefined : own[name]
  if (given) return ownTag(given)
  const facts = modelFacts(model)
  const tokens = facts?.price ?? builtInPriceOfServiceModel(model)
  if (!tokens) return null
  return {
    tokens,
    longPrompt: facts?.longPrice ?? tokens,
    factors: {
      batch: BATCH_FACTOR,
      priority: PRIORITY_FACTOR,
      fast: facts?.fastFactor ?? null,
      us: facts?.usFactor ?? 1,
    },
    webSearches: WEB_SEARCHES_USD,
    from: MODEL_TABLE_DATE,
  }
}

/** USD, or null where this way of being served has no price that we know. */
export function costOfUsage({ tokens, longPrompt, factors, webSearches }: ModelPricing, usage: Usage): number | null {
  const written = usage.cache_creation_input_tokens ?? 0
  const read = usage.cache_read_input_tokens ?? 0
  const per = usage.input_tokens + written + read > LONG_PROMPT_TOKENS ? longPrompt : tokens
  const writtenFor1h = Math.min(written, toCount(usage.cache_creation?.ephemeral_1h_input_tokens))
  const sum =
    usage.input_tokens * per.input +
    usage.output_tokens * per.output +
    (written - writtenFor1h) * per.cacheWrite5m +
    writtenFor1h * per.cacheWrite1h +
    read * per.cacheRead
  const speed = usage.speed === 'fast' ? factors.fast : 1
  if (speed === null) return null
  const tier = usage.service_tier === 'batch' || usage.service_tier === 'priority' ? factors[usage.service_tier] : 1
  const place = usage.inference_geo === 'us' ? factors.us : 1
  const searches = toCount(usage.server_tool_use?.web_search_requests) * (webSearches / PER_THOUSAND)
  return (sum * speed * tier * place) / PER_MILLION + searches
}

function ownTag(given: ConfiguredPrice): ModelPricing {
  const { input, output, longInput = input, longOutput = output, cacheWrite5m, cacheWrite1h, cacheRead } = given
  const tokens = createPriceWithCacheRates(input, output)
  tokens.cacheWrite5m = cacheWrite5m ?? tokens.cacheWrite5m
  tokens.cacheWrite1h = cacheWrite1h ?? tokens.cacheWrite1h
  tokens.cacheRead = cacheRead ?? tokens.cacheRead
  return {
    tokens,
    // Caching keeps its relation to the input.
    longPrompt: { ...scale(tokens, input === 0 ? 1 : longInput / input), input: longInput, output: longOutput },
    factors: {
      batch: given.batch ?? BATCH_FACTOR,
      priority: given.priority ?? PRIORITY_FACTOR,
      fast: given.fast ?? null,
      us: 1,
    },
    webSearches: given.webSearch ?? WEB_SEARCHES_USD,
    from: 'settings',
  }
}

function scale(tokens: ModelTokenPrice, factor: number): ModelTokenPrice {
  const { input, output, cacheWrite5m, cacheWrite1h, cacheRead } = tokens
  return {
    input: input * factor,
    output: output * factor,
    cacheWrite5m: cacheWrite5m * factor,
    cacheWrite1h: cacheWrite1h * factor,
    cacheRead: cacheRead * factor,
  }
}
