/** Counts the lines that Edit or Write changed, from the output that hosts receive. */
import { fieldOf, lineCount } from '../tool-display.js'

/** Returns `+2 −1`, or undefined if the output shows no change. */
export function formatChangedLineCounts(output: unknown): string | undefined {
  const { added, removed } = changedLineCounts(output)
  return added + removed === 0 ? undefined : `+${added} −${removed}`
}

function changedLineCounts(output: unknown): { added: number; removed: number } {
  const content = fieldOf(output, 'content')
  if (fieldOf(output, 'type') === 'create' && typeof content === 'string')
    return { added: lineCount(content), removed: 0 }
  const hunks = fieldOf(output, 'structuredPatch')
  const lines: unknown[] = (Array.isArray(hunks) ? hunks : []).flatMap((hunk) => fieldOf(hunk, 'lines') ?? [])
  const count = (sign: string) => lines.filter((line) => typeof line === 'string' && line.startsWith(sign)).length
  return { added: count('+'), removed: count('-') }
}
