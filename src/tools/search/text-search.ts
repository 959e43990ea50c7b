/** Finds the lines of a text that a pattern matches, line by line or across lines, counting as ripgrep counts. */
import { compileRegex, longestRequiredText, someCharacterSetInPattern } from './regex-program.js'
import { createScanner, type MatchSpan } from './regex-scan.js'
import { parseRegex } from './regex-syntax.js'

export type TextMatches = {
  count: number
  /** Numbers of the matching lines, from 0, ascending. */
  lines: number[]
}

/** `onlyFirst`: that there is one is all that is asked. */
export type TextSearcher = {
  (text: string, onlyFirst: boolean): Promise<TextMatches>
  /** Matches may span several lines: then a text is searched as a whole. */
  readonly acrossLines: boolean
}

/** Called often while a search continues: lets others run, and throws to end it. */
export type SearchPause = () => void | Promise<void>

const CHARACTERS_PER_BREATH = 32 * 1024

/** Throws a `SyntaxError` for a pattern that can't be used. */
export function createTextSearch(
  pattern: string,
  options: { ignoreCase: boolean; multiline: boolean },
  yieldToEventLoopIfDue: SearchPause,
): TextSearcher {
  const tree = parseRegex(pattern, { ignoreCase: options.ignoreCase, dotAll: options.multiline })
  if (!options.multiline && someCharacterSetInPattern(tree, ({ literal }) => literal === '\n')) {
    throw new SyntaxError('the literal "\\n" is not allowed in a regex\nSet multiline to match across lines.')
  }
  const scanner = createScanner(compileRegex(tree))
  const required = longestRequiredText(tree)
  const acrossLines = options.multiline && someCharacterSetInPattern(tree, ({ set }) => set.has(0x0a))

  /** Continues where `scanner.advance` paused. */
  async function finish(anyEnd: boolean): Promise<MatchSpan | 'none'> {
    for (;;) {
      await yieldToEventLoopIfDue()
      const found = scanner.advance(CHARACTERS_PER_BREATH, anyEnd)
      if (found) return found
    }
  }

  async function lineByLine(text: string, onlyFirst: boolean): Promise<TextMatches> {
    const lines: number[] = []
    let number = 0
    let start = 0
    let breathedAt = 0
    while (start < text.length) {
      // Straight to the next line that can match; the ones before it only count.
      const hit = required ? text.indexOf(required, start) : start
      if (hit === -1) break
      for (let end = text.indexOf('\n', start); end !== -1 && end < hit; end = text.indexOf('\n', start)) {
        number += 1
        start = end + 1
      }
      const end = endOfLine(text, hit)
      scanner.begin(text, start, end, start)
      // Most lines end within the first advance; waiting for each would take longer than the search.
      if ((scanner.advance(CHARACTERS_PER_BREATH, true) ?? (await finish(true))) !== 'none') {
        lines.push(number)
        if (onlyFirst) break
      }
      number += 1
      start = end + 1
      if (start - breathedAt < CHARACTERS_PER_BREATH) continue
      breathedAt = start
      await yieldToEventLoopIfDue()
    }
    return { count: lines.length, lines }
  }

  async function wholeText(text: string, onlyFirst: boolean): Promise<TextMatches> {
    const starts = lineStarts(text)
    const lines = new Set<number>()
    let count = 0
    let line = 0
    let lastEnd = -1
    let breathedAt = 0
    for (let at = 0; at <= text.length && text.includes(required, at); ) {
      scanner.begin(text, 0, text.length, at)
      const found = scanner.advance(CHARACTERS_PER_BREATH, false) ?? (await finish(false))
      // After the last line break there is no line.
      if (found === 'none' || (found.start === text.length && (text === '' || text.endsWith('\n')))) break
      // An empty match right behind another one is none of its own, though its line matches.
      if (found.end > found.start || found.start !== lastEnd) count += 1
      lastEnd = found.end
      while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= found.start) line += 1
      for (let i = line; i === line || (starts[i] ?? Number.POSITIVE_INFINITY) < found.end; i += 1) lines.add(i)
      if (onlyFirst) break
      at = found.end > found.start ? found.end : nextCharacter(text, found.end)
      if (at - breathedAt < CHARACTERS_PER_BREATH) continue
      breathedAt = at
      await yieldToEventLoopIfDue()
    }
    return { count, lines: [...lines].sort((a, b) => a - b) }
  }

  return Object.assign(acrossLines ? wholeText : lineByLine, { acrossLines })
}

function nextCharacter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
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
