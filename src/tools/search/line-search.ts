/** Finds a regular expression in a text, line by line or across lines, in slices that can't hang. */
import { createTimedMatch } from '../../platform/timed-matching.js'
import { compilePattern } from './regex-dialect.js'

export type TextMatch = {
  count: number
  /** Numbers of the matching lines, from 0, ascending. */
  lines: number[]
}

export type LineSearch = (text: string, signal: AbortSignal) => Promise<TextMatch | 'too slow'>

const SLICE_LINES = 500
/** An honest slice takes a few milliseconds; the rest is for a busy machine. Nothing else runs meanwhile. */
const SLICE_MS = 80
/** Long lines, and texts that are searched in one piece, may take longer. */
const CHARACTERS_PER_MS = 20_000

/** Throws a `SyntaxError` for a pattern that can't be used. */
export function createLineSearch(pattern: string, options: { ignoreCase: boolean; multiline: boolean }): LineSearch {
  if (!options.multiline && /(?:^|[^\\])(?:\\\\)*\\n/.test(pattern)) {
    throw new SyntaxError('the literal "\\n" is not allowed without multiline')
  }
  const flags = options.ignoreCase ? 'i' : ''
  return options.multiline && mayCrossLines(pattern)
    ? acrossLines(compilePattern(pattern, `${flags}gm`))
    : lineByLine(compilePattern(pattern, flags))
}

/** Line breaks, classes that hold them, and the dot, which does in multiline mode. */
function mayCrossLines(pattern: string): boolean {
  return /\[\^|\.|\\[nsWDPp]/.test(pattern.replace(/\\[^nsWDPp]/gs, ''))
}

function lineByLine(expression: RegExp): LineSearch {
  const matchWithin = createTimedMatch()
  return async (text, signal) => {
    const all = splitLines(text)
    const lines: number[] = []
    for (let start = 0; start < all.length && !signal.aborted; start += SLICE_LINES) {
      const slice = all.slice(start, start + SLICE_LINES)
      const found = matchWithin(timeFor(slice), () =>
        slice.flatMap((line, i) => (expression.test(line) ? [start + i] : [])),
      )
      if (!found) return 'too slow'
      lines.push(...found)
      if (start > 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return { count: lines.length, lines }
  }
}

function acrossLines(expression: RegExp): LineSearch {
  const matchWithin = createTimedMatch()
  return async (text) => {
    const found = matchWithin(timeFor([text]), () =>
      [...text.matchAll(expression)].map((m) => [m.index, m[0].length] as const),
    )
    if (!found) return 'too slow'
    const starts = lineStarts(text)
    const lines = new Set<number>()
    let count = 0
    let line = 0
    for (const [index, length] of found) {
      // After the last line break there is no line.
      if (index === text.length && (text === '' || text.endsWith('\n'))) continue
      count += 1
      while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= index) line += 1
      for (let i = line; i === line || (starts[i] ?? Number.POSITIVE_INFINITY) < index + length; i += 1) lines.add(i)
    }
    return { count, lines: [...lines].sort((a, b) => a - b) }
  }
}

function timeFor(texts: string[]): number {
  return SLICE_MS + Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_MS)
}

/** Lines without their line breaks; the end of the last line begins no other. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function lineStarts(text: string): number[] {
  const starts = text === '' ? [] : [0]
  for (let end = text.indexOf('\n'); end !== -1 && end + 1 < text.length; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1)
  }
  return starts
}
