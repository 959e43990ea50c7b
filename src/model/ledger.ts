/** One entry per API request, whatever became of it; every total a host sees is a sum over them. */
import type { Usage } from '../protocol/content.js'
import type { ModelUsage } from '../protocol/messages.js'
import { contextWindowOf, defaultMaxTokens } from './models.js'
import { costOf } from './pricing.js'
import { isZero } from './usage.js'

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
  entries(): readonly LedgerEntry[]
  costUsd(): number
  apiMs(): number
  /** Every model that was asked, once any of them has used tokens; before that nothing. */
  modelUsage(): Record<string, ModelUsage>
  /** Models that used tokens at an unknown price, in order of first use. */
  unpricedModels(): string[]
}

export function createLedger(): Ledger {
  const entries: LedgerEntry[] = []
  const sum = (pick: (entry: LedgerEntry) => number) => entries.reduce((total, entry) => total + pick(entry), 0)
  return {
    record({ model, usage, apiMs, ok, longContext = false }) {
      const cost = costOf(model, usage)
      const priced = cost !== null || isZero(usage)
      const entry = { model, usage, costUsd: cost ?? 0, priced, apiMs, ok, longContext }
      entries.push(entry)
      return entry
    },
    entries: () => entries,
    costUsd: () => sum((entry) => entry.costUsd),
    apiMs: () => sum((entry) => entry.apiMs),
    modelUsage: () => (entries.some((entry) => entry.ok || !isZero(entry.usage)) ? byModel(entries) : {}),
    unpricedModels: () => [...new Set(entries.filter((entry) => !entry.priced).map((entry) => entry.model))],
  }
}

function byModel(entries: readonly LedgerEntry[]): Record<string, ModelUsage> {
  const totals = new Map<string, ModelUsage>()
  for (const { model, usage, costUsd, longContext } of entries) {
    const known = totals.get(model)
    totals.set(model, {
      inputTokens: (known?.inputTokens ?? 0) + usage.input_tokens,
      outputTokens: (known?.outputTokens ?? 0) + usage.output_tokens,
      cacheReadInputTokens: (known?.cacheReadInputTokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
      cacheCreationInputTokens: (known?.cacheCreationInputTokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      webSearchRequests: (known?.webSearchRequests ?? 0) + (usage.server_tool_use?.web_search_requests ?? 0),
      costUSD: (known?.costUSD ?? 0) + costUsd,
      contextWindow: Math.max(known?.contextWindow ?? 0, contextWindowOf(model, longContext)),
      maxOutputTokens: defaultMaxTokens(model),
    })
  }
  return Object.fromEntries(totals)
}
