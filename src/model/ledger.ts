/** One entry per API request, whatever became of it; every total a host sees is a sum over them. */
import type { Usage } from '../protocol/content.js'
import type { ModelUsage } from '../protocol/messages.js'
import { contextWindowOf, defaultMaxTokens } from './models.js'
import { costOf } from './pricing.js'
import { count, isZero } from './usage.js'

export type LedgerEntry = {
  model: string
  usage: Usage
  /** 0 when the price is not known. */
  costUsd: number
  /** False: tokens were used whose price is not known. */
  priced: boolean
  apiMs: number
  ok: boolean
  /** The request had the long context window by beta header rather than by model name. */
  longContext: boolean
}

export type RequestRecord = { model: string; usage: Usage; apiMs: number; ok: boolean; longContext?: boolean }

export interface Ledger {
  record(request: RequestRecord): LedgerEntry
  /** Goes on from what was recorded before, at the prices of that time. */
  restore(entries: readonly LedgerEntry[]): void
  /** Calls back with every entry that is recorded. */
  watch(listener: (entry: LedgerEntry) => void): void
  /** What was recorded, without what was restored. */
  entries(): readonly LedgerEntry[]
  costUsd(): number
  /** Without what was restored. */
  ownCostUsd(): number
  apiMs(): number
  /** Every model that was asked, once any of them has used tokens; before that nothing. */
  modelUsage(): Record<string, ModelUsage>
  /** Models that used tokens at an unknown price, in order of first use. */
  unpricedModels(): string[]
}

/** Sums are kept as requests come: a long session pays no more for its totals than a short one. */
export function createLedger(): Ledger {
  const entries: LedgerEntry[] = []
  const usage = new Map<string, ModelUsage>()
  const unpriced = new Set<string>()
  const listeners: ((entry: LedgerEntry) => void)[] = []
  let costUsd = 0
  let ownCostUsd = 0
  let apiMs = 0
  let used = false
  const add = (entry: LedgerEntry) => {
    usage.set(entry.model, addUsage(usage.get(entry.model), entry))
    costUsd += entry.costUsd
    apiMs += entry.apiMs
    used ||= entry.ok || !isZero(entry.usage)
    if (!entry.priced) unpriced.add(entry.model)
  }
  return {
    record({ model, usage: tokens, apiMs: took, ok, longContext = false }) {
      const cost = costOf(model, tokens)
      const priced = cost !== null || isZero(tokens)
      const entry = { model, usage: tokens, costUsd: cost ?? 0, priced, apiMs: took, ok, longContext }
      entries.push(entry)
      add(entry)
      ownCostUsd += entry.costUsd
      for (const listener of listeners) listener(entry)
      return entry
    },
    restore: (earlier) => earlier.forEach(add),
    watch: (listener) => void listeners.push(listener),
    entries: () => entries,
    costUsd: () => costUsd,
    ownCostUsd: () => ownCostUsd,
    apiMs: () => apiMs,
    modelUsage: () => (used ? Object.fromEntries(usage) : {}),
    unpricedModels: () => [...unpriced],
  }
}

/** A new object each time: what a result showed before stays as it was. */
function addUsage(known: ModelUsage | undefined, { model, usage, costUsd, longContext }: LedgerEntry): ModelUsage {
  return {
    inputTokens: (known?.inputTokens ?? 0) + usage.input_tokens,
    outputTokens: (known?.outputTokens ?? 0) + usage.output_tokens,
    cacheReadInputTokens: (known?.cacheReadInputTokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    cacheCreationInputTokens: (known?.cacheCreationInputTokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    webSearchRequests: (known?.webSearchRequests ?? 0) + count(usage.server_tool_use?.web_search_requests),
    costUSD: (known?.costUSD ?? 0) + costUsd,
    contextWindow: Math.max(known?.contextWindow ?? 0, contextWindowOf(model, longContext)),
    maxOutputTokens: defaultMaxTokens(model),
  }
}
