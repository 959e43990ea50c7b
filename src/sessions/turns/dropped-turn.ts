/** Whether what a resume leaves out is one turn and nothing else: what came meanwhile must not be lost unseen. */
import type { TranscriptLineChain } from '../line-chain.js'
import type { IndexedLine } from '../session-index.js'
import { isSessionId } from '../transcript-paths.js'

/** Says what else there is behind the kept part of the conversation; undefined when there is nothing. */
export function whyTurnDropIsRefused(
  kept: TranscriptLineChain,
  whole: TranscriptLineChain | undefined,
  prompt: string,
): string | undefined {
  const stays = new Set(kept.entries)
  const dropped = (whole?.entries ?? []).filter((entry) => !stays.has(entry))
  const at = kept.entries.at(-1)?.uuid
  const refuse = (why: string) =>
    `Resume rejected by --resume-drops-turn: resuming at ${at} would discard entries not attributable to turn ${prompt}: ${why}`
  // A session id is a UUID, and so is that of a message.
  if (!isSessionId(prompt)) return refuse(`declared turn id is not a UUID: ${prompt.slice(0, 100)}`)
  const place = (entry: IndexedLine) => `entry ${dropped.indexOf(entry) + 1} [type=${entry.type}, uuid=${entry.uuid}]`
  const first = dropped.find(({ kind, isMeta }) => kind !== 'other' && !isMeta)
  if (first && first.uuid !== prompt)
    return refuse(`range does not start with the declared turn prompt; first discarded ${place(first)}`)
  const other = dropped.find((entry) => entry !== first && isSaid(entry))
  return other && refuse(`range contains a user entry not attributable to the declared turn; ${place(other)}`)
}

/** By somebody: no result of a tool, and nothing that only the model reads. */
function isSaid({ kind, isMeta, results }: IndexedLine): boolean {
  return kind === 'user' && !isMeta && results.length === 0
}
