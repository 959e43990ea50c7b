/** The change between two texts as hunks with three lines of context, in the shape hosts show as a diff. */

export type PatchHunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }

const CONTEXT = 3
/** Finding the shortest change costs time with the square of its length; beyond this any change will do. */
const MAX_CHANGED_LINES = 1000

export async function structuredPatch(before: string, after: string): Promise<PatchHunk[]> {
  if (before === after) return []
  // Loaded at first use: start-up does not pay for it.
  const { structuredPatch: compare } = await import('diff')
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGED_LINES }
  const patch = compare('', '', before, after, undefined, undefined, options)
  if (!patch) return [wholeChange(before, after)]
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines,
  }))
}

/** One hunk from the first line that differs to the last. */
function wholeChange(before: string, after: string): PatchHunk {
  const old = splitLines(before)
  const now = splitLines(after)
  const shared = Math.min(old.length, now.length)
  let head = 0
  while (head < shared && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < shared - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  const start = Math.max(0, head - CONTEXT)
  const rest = Math.max(0, tail - CONTEXT)
  const removed = old.slice(head, old.length - tail)
  const added = now.slice(head, now.length - tail)
  return {
    oldStart: start + 1,
    oldLines: old.length - rest - start,
    newStart: start + 1,
    newLines: now.length - rest - start,
    lines: [
      ...marked(' ', old.slice(start, head)),
      ...marked('-', removed),
      ...marked('+', added),
      ...marked(' ', old.slice(old.length - tail, old.length - rest)),
    ],
  }
}

/** Each with its newline, so that a last line without one differs from the same line with one. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function marked(sign: ' ' | '-' | '+', lines: string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'],
  )
}
