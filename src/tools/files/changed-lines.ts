/** Which lines a change touched, in words: whoever quotes them next need not count. */
import type { PatchHunk } from './structured-patch.js'

type Span = { old: [first: number, count: number]; now: [first: number, count: number] }

/** More places than this are counted, not listed. */
const MAX_SPANS = 5

/** A sentence; empty where nothing changed. */
export function describeChangedLines(hunks: readonly PatchHunk[]): string {
  const spans = hunks.flatMap(spansOf)
  if (spans.length === 0) return ''
  const shown = spans.slice(0, MAX_SPANS).map(describe)
  const more = spans.length > MAX_SPANS ? [`and ${spans.length - MAX_SPANS} more places`] : []
  return `Changed: ${[...shown, ...more].join('; ')}.`
}

function describe({ old, now }: Span): string {
  if (now[1] === 0) return `${plural(old[1])} removed after line ${now[0] - 1}`
  const range = lineRange(now)
  if (old[1] === 0) return `${range} (new)`
  return old[0] === now[0] && old[1] === now[1] ? range : `${range} (was ${lineRange(old).replace(/^lines? /, '')})`
}

function lineRange([first, count]: [number, number]): string {
  return count === 1 ? `line ${first}` : `lines ${first}-${first + count - 1}`
}

function plural(count: number): string {
  return count === 1 ? 'line' : `${count} lines`
}

/** The runs of lines that came or went, without those around them. */
function spansOf({ oldStart, newStart, lines }: PatchHunk): Span[] {
  const spans: Span[] = []
  let [oldAt, nowAt] = [oldStart, newStart]
  let span: Span | undefined
  for (const line of lines) {
    const sign = line[0]
    if (sign === '\\') continue
    if (sign === ' ') {
      span = undefined
      oldAt += 1
      nowAt += 1
      continue
    }
    if (!span) {
      span = { old: [oldAt, 0], now: [nowAt, 0] }
      spans.push(span)
    }
    if (sign === '-') {
      span.old[1] += 1
      oldAt += 1
    } else {
      span.now[1] += 1
      nowAt += 1
    }
  }
  return spans
}
