/** Connects the ledger with the session's file: what was spent before counts on, and what is spent now is written down. */
import type { Ledger, LedgerEntry } from '../../model/ledger.js'
import { readUsage, toCount } from '../../model/usage.js'
import type { TranscriptCostLine } from '../../protocol/transcript.js'
import type { TranscriptWriter } from '../../sessions/write-transcript.js'

export function persistLedger(
  ledger: Ledger,
  before: readonly TranscriptCostLine[],
  transcript: TranscriptWriter,
): void {
  const { entries, cutOff } = readLines(before)
  ledger.restore([...entries, ...cutOff])
  // From now on they are entries like all others: what a file holds of them adds up to what it cost.
  for (const entry of cutOff) write(transcript, entry, 'cost-entry')
  ledger.watch((entry, open) => write(transcript, entry, open ? 'cost-open' : 'cost-entry'))
}

/** `cutOff`: requests whose end was never written, because the agent was gone by then. A store may give a line twice. */
function readLines(lines: readonly TranscriptCostLine[]): { entries: LedgerEntry[]; cutOff: LedgerEntry[] } {
  const over = new Map<unknown, TranscriptCostLine>()
  const open = new Map<unknown, TranscriptCostLine>()
  for (const line of lines) (line.type === 'cost-open' ? open : over).set(line.id || line, line)
  const cutOff = [...open].filter(([id]) => !over.has(id)).map(([, line]) => line)
  return { entries: [...over.values()].flatMap(toEntry), cutOff: cutOff.flatMap(toEntry) }
}

function write(transcript: TranscriptWriter, entry: LedgerEntry, type: TranscriptCostLine['type']): void {
  const { id, model, usage, costUsd, priced, prices, apiMs, ok, longContext, estimated } = entry
  transcript.cost({
    type,
    id,
    model,
    usage,
    costUSD: costUsd,
    priced,
    ...(prices === null ? {} : { prices }),
    durationMs: Math.round(apiMs),
    ok,
    ...(longContext ? { longContext } : {}),
    ...(estimated ? { estimated } : {}),
  })
}

/** From disk, where anything may stand: what isn't a number counts as none. */
function toEntry(line: TranscriptCostLine): LedgerEntry[] {
  if (typeof line.model !== 'string') return []
  return [
    {
      id: String(line.id ?? ''),
      model: line.model,
      usage: readUsage(line.usage),
      costUsd: toCount(line.costUSD),
      priced: line.priced !== false,
      prices: typeof line.prices === 'string' ? line.prices : null,
      apiMs: toCount(line.durationMs),
      ok: line.ok === true,
      longContext: line.longContext === true,
      ...(line.estimated === true ? { estimated: true as const } : {}),
    },
  ]
}
