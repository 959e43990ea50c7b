/** Connects the ledger with the session's file: what was spent before counts on, and what is spent now is written down. */
import type { Ledger, LedgerEntry } from '../model/ledger.js'
import { count, readUsage } from '../model/usage.js'
import type { TranscriptCostLine } from '../protocol/transcript.js'
import type { Transcript } from '../sessions/transcript.js'

export function keepLedger(ledger: Ledger, before: readonly TranscriptCostLine[], transcript: Transcript): void {
  ledger.restore(before.flatMap(toEntry))
  ledger.watch(({ model, usage, costUsd, priced, apiMs, ok, longContext }) => {
    const window = longContext ? { longContext } : {}
    transcript.cost({ model, usage, costUSD: costUsd, priced, durationMs: Math.round(apiMs), ok, ...window })
  })
}

/** From disk, where anything may stand: what is no number counts as none. */
function toEntry(line: TranscriptCostLine): LedgerEntry[] {
  if (typeof line.model !== 'string') return []
  return [
    {
      model: line.model,
      usage: readUsage(line.usage),
      costUsd: count(line.costUSD),
      priced: line.priced !== false,
      apiMs: count(line.durationMs),
      ok: line.ok === true,
      longContext: line.longContext === true,
    },
  ]
}
