/** The change between two texts as hunks with three lines of context, in the shape hosts show as a diff. */

export type PatchHunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }

const CONTEXT = 3
/** Finding the shortest change costs time with the square of its length; beyond this any change will do. */
const MAX_CHANGED_LINES = 1000
/** Characters, a power of 16. */
const BLOCK = 4096

export async function structuredPatch(before: string, after: string): Promise<PatchHunk[]> {
  if (before === after) return []
  // Loaded at first use: start-up does not pay for it.
  const { structuredPatch: compare } = await import('diff')
  const { start, oldPart, newPart } = changedPart(before, after)
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGED_LINES }
  const patch = compare('', '', oldPart, newPart, undefined, undefined, options)
  const hunks = patch?.hunks ?? [wholeChange(oldPart, newPart)]
  return hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart: oldStart + start,
    oldLines,
    newStart: newStart + start,
    newLines,
    lines,
  }))
}

/** Whole lines around all that differs, with their context: a small change in a large file is cheap. */
function changedPart(before: string, after: string): { start: number; oldPart: string; newPart: string } {
  const head = sharedHead(before, after)
  const tail = sharedTail(before.slice(head), after.slice(head))
  // What is shared is shared by both, so that places in the one are places in the other.
  let from = head
  for (let lines = 0; lines <= CONTEXT; lines += 1) from = lineStart(before, lines === 0 ? from : from - 1)
  let to = before.length - tail
  for (let lines = 0; lines <= CONTEXT; lines += 1) to = lineEnd(before, to)
  return {
    start: countLines(before, from),
    oldPart: before.slice(from, to),
    newPart: after.slice(from, after.length - (before.length - to)),
  }
}

/** How many characters both begin with. Compared in blocks, which is many times faster than one by one. */
function sharedHead(a: string, b: string): number {
  let at = 0
  for (let block = BLOCK; block >= 1; block /= 16) {
    while (at + block <= a.length && at + block <= b.length && a.slice(at, at + block) === b.slice(at, at + block))
      at += block
  }
  return at
}

/** How many characters both end with. */
function sharedTail(a: string, b: string): number {
  let at = 0
  const part = (text: string, block: number) => text.slice(text.length - at - block, text.length - at)
  for (let block = BLOCK; block >= 1; block /= 16) {
    while (at + block <= a.length && at + block <= b.length && part(a, block) === part(b, block)) at += block
  }
  return at
}

/** Where the line that holds this place starts. */
function lineStart(text: string, place: number): number {
  return place <= 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1
}

/** Behind the next line end. */
function lineEnd(text: string, place: number): number {
  const at = text.indexOf('\n', place)
  return at < 0 ? text.length : at + 1
}

function countLines(text: string, end: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
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
