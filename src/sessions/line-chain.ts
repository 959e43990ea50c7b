/**
 * Follows a conversation from its latest message back to its beginning. A line whose predecessor is lost follows the one before
 * it in the file: what was damaged costs what stood there, never what came before or after.
 */
import type { IndexedLine, TranscriptLineIndex } from './session-index.js'

/** The transcript lines of one conversation, in order. */
export type TranscriptLineChain = { entries: IndexedLine[]; repairs: string[] }

/** Up to the entry `cutAt`, or the latest message. Undefined when there is no such entry. */
export function buildTranscriptLineChain(index: TranscriptLineIndex, cutAt?: string): TranscriptLineChain | undefined {
  const leaf = cutAt === undefined ? latest(index) : index.byUuid.get(cutAt)
  if (!leaf) return cutAt === undefined ? { entries: [], repairs: [] } : undefined
  const seen = new Set<IndexedLine>()
  const backwards: IndexedLine[] = []
  let lost = 0
  for (let entry: IndexedLine | undefined = leaf; entry; ) {
    seen.add(entry)
    backwards.push(entry)
    if (entry.parent === null) break
    const next = known(entry.parent, index, seen)
    if (!next) lost += 1
    entry = next ?? substitute(entry, index, seen)
  }
  const note = `${lost} line(s) of the session follow one that is lost; the order of the file was used instead`
  return { entries: withSiblings(backwards.reverse(), index, leaf), repairs: lost === 0 ? [] : [note] }
}

function latest({ entries }: TranscriptLineIndex): IndexedLine | undefined {
  const isMessage = ({ kind }: IndexedLine) => kind !== 'other'
  const last = entries.findLast(isMessage)
  // Nothing follows the last line of a file, unless lines changed places.
  if (!last || !entries.some((entry) => entry.parent === last.uuid && isMessage(entry))) return last
  const following = new Map(entries.filter(isMessage).map((entry) => [entry.parent, entry]))
  const seen = new Set<IndexedLine>()
  let leaf = last
  for (let next: IndexedLine | undefined = last; next; next = following.get(next.uuid)) {
    // In a circle nothing is the latest.
    if (seen.has(next)) return last
    seen.add(next)
    leaf = next
  }
  return leaf
}

function known(
  uuid: string | undefined,
  { byUuid }: TranscriptLineIndex,
  seen: ReadonlySet<IndexedLine>,
): IndexedLine | undefined {
  const entry = uuid === undefined ? undefined : byUuid.get(uuid)
  return entry && !seen.has(entry) ? entry : undefined
}

/** What stands before an entry whose predecessor is lost. */
function substitute(
  entry: IndexedLine,
  index: TranscriptLineIndex,
  seen: ReadonlySet<IndexedLine>,
): IndexedLine | undefined {
  // A summary stands for all that was before it.
  if (entry.isCompactSummary) return undefined
  for (let at = entry.order - 1; at >= 0; at -= 1) {
    const before = index.entries[at]
    if (!before || seen.has(before)) continue
    if (before.logicalParent === undefined) return before
    // The mark of a compaction whose summary is lost: without it the old messages are all there is.
    const old = known(before.logicalParent, index, seen)
    if (old) return old
  }
  return undefined
}

/**
 * The original hangs each result of parallel calls on its own call, so that only one of them is on the way back. The others,
 * and the calls behind the first, are put beside it.
 */
function withSiblings(chain: IndexedLine[], { entries }: TranscriptLineIndex, leaf: IndexedLine): IndexedLine[] {
  const onChain = new Set(chain)
  const isAside = (entry: IndexedLine) => !onChain.has(entry) && entry.order <= leaf.order
  // Mostly there is nothing but the chain.
  if (!entries.some((entry) => (entry.answer !== undefined || entry.results.length > 0) && isAside(entry))) return chain
  const answerOfCall = new Map<string, string>()
  for (const { answer, calls, order } of entries) {
    if (answer !== undefined && order <= leaf.order) for (const call of calls) answerOfCall.set(call, answer)
  }
  const answered = ({ results }: IndexedLine) =>
    results.map((id) => answerOfCall.get(id)).find((id) => id !== undefined)
  /** Answers whose calls continued with a result on the chain: where it was cut at a call, there is none. */
  const places = new Map<string, IndexedLine>()
  for (const entry of chain) {
    const answer = answered(entry)
    if (answer !== undefined && !places.has(answer)) places.set(answer, entry)
  }
  if (places.size === 0) return chain
  // A result on the chain stands for those of the same call that are not: they were left for it.
  const given = new Set(chain.flatMap(({ results }) => results))
  const calls = new Map<IndexedLine, IndexedLine[]>()
  const results = new Map<IndexedLine, IndexedLine[]>()
  for (const entry of entries) {
    if (!isAside(entry) || (entry.results.length > 0 && entry.results.every((id) => given.has(id)))) continue
    const place = places.get(entry.answer ?? answered(entry) ?? '')
    if (!place) continue
    const group = entry.answer === undefined ? results : calls
    group.set(place, [...(group.get(place) ?? []), entry])
  }
  return chain.flatMap((entry) => [...(calls.get(entry) ?? []), ...(results.get(entry) ?? []), entry])
}
