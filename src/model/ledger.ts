/** One entry per API request, whatever became of it; every total a host sees is a sum over them. */
import type { Usage } from '../protocol/content.js'
import type { ModelUsage } from '../protocol/messages.js'
import { contextWindowOf, defaultMaxTokens } from './model-facts.js'
import { type ConfiguredPrices, costOfUsage, modelPrice } from './pricing.js'
import { isZeroUsage, toCount } from './usage.js'

export type LedgerEntry = {
  /** The same for what is written of a request while it runs and when it is over. */
  id: string
  model: string
  usage: Usage
  /** 0 when the price is not known. */
  costUsd: number
  /** False: tokens were used whose price is not known. */
  priced: boolean
  /** Where the price is from: the date of the built-in table, or `settings`. Null: it is not known. */
  prices: string | null
  apiMs: number
  ok: boolean
  /** The request had the long context window by beta header rather than by model name. */
  longContext: boolean
  /** The endpoint did not say what was used: it is reckoned by length. */
  estimated?: true
}

/** `open`: the request still runs. What is written of it then counts only if nothing ever follows, as after a crash. */
export type LedgerListener = (entry: LedgerEntry, open: boolean) => void

export interface CountedRequest {
  /** The API has said what the prompt costs; the answer is still to come. */
  announce(usage: Usage): void
  /** Once, however it ended. */
  close(usage: Usage, apiMs: number, ok: boolean, estimated?: boolean): void
}

/** What a group of requests came to. */
export type LedgerSums = {
  readonly costUsd: number
  readonly apiMs: number
  /** Tokens of prompts and responses, cached ones included. */
  readonly tokens: number
  /** Every model that was asked, once any of them has used tokens; before that nothing. */
  readonly modelUsage: Record<string, ModelUsage>
}

export interface Ledger {
  open(model: string, longContext?: boolean): CountedRequest
  /** Continues from what was recorded before, at the prices of that time. */
  restore(entries: readonly LedgerEntry[]): void
  /** Calls back with every entry. */
  watch(listener: LedgerListener): void
  /** What was recorded, without what was restored. */
  entries(): readonly LedgerEntry[]
  /** Without what was restored. */
  own(): LedgerSums
  /** Sums for the whole session. */
  all(): LedgerSums
  /** Something was restored. */
  isResumed(): boolean
  /** Models that used tokens at an unknown price, in order of first use. */
  unpricedModels(): string[]
  /** Those of them that were not handed out by this before, nor restored: each is worth one warning. */
  newlyUnpriced(): string[]
  /** Models whose endpoint did not say what was used; each is handed out once. */
  newlyEstimated(): string[]
}

export type LedgerOptions = {
  prices?: ConfiguredPrices
  newId?(): string
  /** Tokens a model can read, where the built-in table is not the only one to know. */
  windowOf?(model: string): number
}

/** Sums are kept as requests come: a long session pays no more for its totals than a short one. */
export function createLedger({ prices = {}, newId = () => '', windowOf }: LedgerOptions = {}): Ledger {
  const entries: LedgerEntry[] = []
  const own = createSums(windowOf)
  const all = createSums(windowOf)
  const unpriced = new Set<string>()
  const told = new Set<string>()
  const estimates = new Set<string>()
  const toldEstimates = new Set<string>()
  const listeners: LedgerListener[] = []
  let resumed = false
  const add = (entry: LedgerEntry) => {
    all.add(entry)
    if (!entry.priced) unpriced.add(entry.model)
  }
  const tell = (entry: LedgerEntry, open: boolean) => {
    for (const listener of listeners) listener(entry, open)
  }
  return {
    open(model, longContext = false) {
      const id = newId()
      const price = modelPrice(model, prices)
      const entryOf = (tokens: Usage, took: number, ok: boolean): LedgerEntry => {
        const cost = price && costOfUsage(price, tokens)
        const priced = cost !== null || isZeroUsage(tokens)
        const from = cost === null ? null : (price?.from ?? null)
        return { id, model, usage: tokens, costUsd: cost ?? 0, priced, prices: from, apiMs: took, ok, longContext }
      }
      return {
        announce(tokens) {
          if (!isZeroUsage(tokens)) tell(entryOf(tokens, 0, false), true)
        },
        close(tokens, took, ok, estimated = false) {
          const entry: LedgerEntry = { ...entryOf(tokens, took, ok), ...(estimated ? { estimated } : {}) }
          if (estimated) estimates.add(model)
          entries.push(entry)
          add(entry)
          own.add(entry)
          tell(entry, false)
        },
      }
    },
    restore(earlier) {
      earlier.forEach(add)
      resumed ||= earlier.length > 0
      for (const model of unpriced) told.add(model)
    },
    watch: (listener) => void listeners.push(listener),
    entries: () => entries,
    own: own.read,
    all: all.read,
    isResumed: () => resumed,
    unpricedModels: () => [...unpriced],
    newlyUnpriced: () => freshOf(unpriced, told),
    newlyEstimated: () => freshOf(estimates, toldEstimates),
  }
}

function createSums(windowOf: LedgerOptions['windowOf']): { add(entry: LedgerEntry): void; read(): LedgerSums } {
  const usage = new Map<string, ModelUsage>()
  const sums = { costUsd: 0, apiMs: 0, tokens: 0 }
  let used = false
  return {
    add(entry) {
      usage.set(entry.model, addUsage(usage.get(entry.model), entry, windowOf))
      sums.costUsd += entry.costUsd
      sums.apiMs += entry.apiMs
      sums.tokens += tokensIn(entry.usage)
      used ||= entry.ok || !isZeroUsage(entry.usage)
    },
    read: () => ({ ...sums, modelUsage: used ? Object.fromEntries(usage) : {} }),
  }
}

/** Those that were not told yet; from now on they are. */
function freshOf(names: ReadonlySet<string>, told: Set<string>): string[] {
  const fresh = [...names].filter((name) => !told.has(name))
  for (const name of fresh) told.add(name)
  return fresh
}

function tokensIn(usage: Usage): number {
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
  return usage.input_tokens + cached + usage.output_tokens
}

/** A new object each time: what a result showed before stays as it was. */
function addUsage(
  known: ModelUsage | undefined,
  { model, usage, costUsd, longContext }: LedgerEntry,
  windowOf: LedgerOptions['windowOf'],
): ModelUsage {
  const window = longContext ? undefined : windowOf?.(model)
  return {
    inputTokens: (known?.inputTokens ?? 0) + usage.input_tokens,
    outputTokens: (known?.outputTokens ?? 0) + usage.output_tokens,
    cacheReadInputTokens: (known?.cacheReadInputTokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    cacheCreationInputTokens: (known?.cacheCreationInputTokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    webSearchRequests: (known?.webSearchRequests ?? 0) + toCount(usage.server_tool_use?.web_search_requests),
    costUSD: (known?.costUSD ?? 0) + costUsd,
    contextWindow: Math.max(known?.contextWindow ?? 0, window ?? contextWindowOf(model, longContext)),
    maxOutputTokens: defaultMaxTokens(model),
  }
}
