/**
 * Looks for a regular expression in time that grows with the text alone, whatever the pattern: all ways to match advance
 * together, one character at a time. It can stop and continue anywhere, so that nobody else has to wait.
 */
import { type CharSet, createCharSet, WORD_CHARACTERS } from './char-set.js'
import type { RegexProgram, RegexStep } from './regex-program.js'
import type { RegexAssertion } from './regex-syntax.js'

export type MatchSpan = { start: number; end: number }

export interface Scanner {
  /** Looks from `at` on in the part of `text` between `from` and `to`, which has nothing around it. */
  begin(text: string, from: number, to: number, at: number): void
  /**
   * Continues for about so many characters; undefined when there is more to do. Of the first match the one that a
   * backtracking engine would find; with `anyEnd` only that there is one.
   */
  advance(characters: number, anyEnd: boolean): MatchSpan | 'none' | undefined
}

/** Ways to match, the most wanted first: where each stands in the program, and where in the text it began. */
type Ways = { steps: Int32Array; starts: Float64Array; size: number }

export function createScanner({ steps, start }: RegexProgram): Scanner {
  const words = createCharSet(WORD_CHARACTERS, false)
  const first = firstSets(steps, start)
  const seen = new Uint32Array(steps.length)
  // Each step is looked into once a turn, and leads to two others at most.
  const pending = new Int32Array(2 * steps.length + 1)
  let turn = 0
  let current = createWays(steps.length)
  let upcoming = createWays(steps.length)
  let text = ''
  let from = 0
  let to = 0
  let position = 0
  let found: MatchSpan | undefined

  /** Adds `step`, or what it leads to without taking a character. A step that is there already is there with a better start. */
  function add(ways: Ways, step: number, began: number, at: number): void {
    pending[0] = step
    for (let left = 1; left > 0; ) {
      left -= 1
      const index = pending[left] ?? 0
      if (seen[index] === turn) continue
      seen[index] = turn
      const one = steps[index]
      if (one?.kind === 'fork') {
        pending[left] = one.other
        pending[left + 1] = one.next
        left += 2
      } else if (one?.kind === 'look') {
        if (holds(one.look, at)) pending[left++] = one.next
      } else {
        ways.steps[ways.size] = index
        ways.starts[ways.size] = began
        ways.size += 1
      }
    }
  }

  function holds(look: RegexAssertion, at: number): boolean {
    if (look === 'text start') return at === from
    if (look === 'text end') return at === to
    if (look === 'line start') return at === from || text.charCodeAt(at - 1) === LINE_BREAK
    if (look === 'line end') return at === to || text.charCodeAt(at) === LINE_BREAK
    const left = at > from ? codePointBefore(text, at) : BLANK
    const right = at < to ? (text.codePointAt(at) ?? BLANK) : BLANK
    const before = words.has(left)
    const after = words.has(right)
    if (look === 'edge') return before !== after
    // Beside bytes that are no text nobody knows.
    if (look === 'no edge') return before === after && !isSurrogate(left) && !isSurrogate(right)
    return look === 'word start' ? !before && after : before && !after
  }

  /** All ways take one character, or end. Returns false when there is nothing left to try. */
  function takeOne(anyEnd: boolean): boolean {
    if (!found) add(current, start, position, position)
    if (current.size === 0 && (found || position >= to)) return false
    const codePoint = position < to ? (text.codePointAt(position) ?? 0) : -1
    const after = position + (codePoint > 0xffff ? 2 : 1)
    turn += 1
    for (let i = 0; i < current.size; i += 1) {
      const one = steps[current.steps[i] ?? 0]
      const began = current.starts[i] ?? 0
      if (one?.kind === 'end') {
        found = { start: began, end: position }
        if (anyEnd) return false
        // The others are less wanted.
        break
      }
      if (one?.kind === 'set' && codePoint !== -1 && one.set.has(codePoint)) add(upcoming, one.next, began, after)
    }
    const done = current
    current = upcoming
    upcoming = done
    upcoming.size = 0
    position = after
    return position <= to
  }

  return {
    begin(newText, newFrom, newTo, at) {
      text = newText
      from = newFrom
      to = newTo
      position = at
      found = undefined
      current.size = 0
      upcoming.size = 0
      turn += 1
    },
    advance(characters, anyEnd) {
      const limit = position + characters
      while (position < limit) {
        if (first && !found && current.size === 0) {
          // What was tried here says nothing about other places.
          turn += 1
          const stop = Math.min(to, limit)
          while (position < stop && !startsWith(first, text.codePointAt(position) ?? 0)) position += 1
          if (position >= to) return 'none'
          if (position === limit) return undefined
        }
        if (!takeOne(anyEnd)) return found ?? 'none'
      }
      return undefined
    },
  }
}

const LINE_BREAK = 0x0a
const BLANK = 0x20

function isSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff
}

function createWays(length: number): Ways {
  return { steps: new Int32Array(length), starts: new Float64Array(length), size: 0 }
}

function codePointBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1)
  const isPair = low >= 0xdc00 && low <= 0xdfff && (text.charCodeAt(at - 2) & 0xfc00) === 0xd800
  return isPair ? (text.codePointAt(at - 2) ?? low) : low
}

function startsWith(first: readonly CharSet[], codePoint: number): boolean {
  for (const set of first) if (set.has(codePoint)) return true
  return false
}

/** What a match can begin with; undefined when it may be empty. */
function firstSets(steps: readonly RegexStep[], start: number): CharSet[] | undefined {
  const sets: CharSet[] = []
  const seen = new Set<number>()
  const pending = [start]
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seen.has(index)) continue
    seen.add(index)
    const step = steps[index]
    if (step?.kind === 'end') return undefined
    if (step?.kind === 'set') sets.push(step.set)
    else if (step?.kind === 'look') pending.push(step.next)
    else if (step) pending.push(step.next, step.other)
  }
  return sets
}
