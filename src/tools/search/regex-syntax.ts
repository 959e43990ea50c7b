/**
 * Reads a regular expression the way ripgrep does (the syntax of Rust's regex crate) into a tree. What would mean something
 * else here is a `SyntaxError`: no answer is better than a wrong one.
 */
import {
  type CharSet,
  createCharSet,
  createSingleCharacterSet,
  escapeRegexCharacter,
  negateCharacterClass,
} from './char-set.js'
import {
  type CharacterClassMember,
  createUnsupportedSyntaxError,
  parseCharacterClass,
  parseEscape,
} from './regex-character-class.js'

export type RegexAssertion =
  | 'line start'
  | 'line end'
  | 'text start'
  | 'text end'
  | 'edge'
  | 'no edge'
  | 'word start'
  | 'word end'

export type RegexNode =
  /** One character. `literal`: the only one it can be, whatever the case. */
  | { kind: 'set'; set: CharSet; literal?: string }
  | { kind: 'look'; look: RegexAssertion }
  | { kind: 'sequence'; parts: RegexNode[] }
  | { kind: 'choice'; options: RegexNode[] }
  | { kind: 'repeat'; node: RegexNode; min: number; max: number; greedy: boolean }

type Flags = { ignoreCase: boolean; lines: boolean; dotAll: boolean }

const FLAGS: Record<string, keyof Flags> = { i: 'ignoreCase', m: 'lines', s: 'dotAll' }
const LOOKS: Record<string, RegexAssertion> = {
  A: 'text start',
  z: 'text end',
  b: 'edge',
  B: 'no edge',
  '<': 'word start',
  '>': 'word end',
}
const MAX_DEPTH = 200

/** A place in a pattern, and what moves it on. */
type Reader = { readonly pattern: string; at: number; take(text: string): boolean; match(expression: RegExp): Match }
type Match = readonly (string | undefined)[]

export function parseRegex(pattern: string, options: { ignoreCase: boolean; dotAll: boolean }): RegexNode {
  const reader = createReader(pattern)
  let depth = 0
  let flags: Flags = { ...options, lines: true }
  const names = new Set<string>()

  /** Flags that are set in it end with it. */
  function parseChoice(): RegexNode {
    const outer = flags
    depth += 1
    if (depth > MAX_DEPTH) throw new SyntaxError('the pattern is nested too deeply')
    const options = [parseSequence()]
    while (reader.take('|')) options.push(parseSequence())
    depth -= 1
    flags = outer
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options }
  }

  function parseSequence(): RegexNode {
    const parts: RegexNode[] = []
    const next = () => pattern[reader.at]
    for (let char = next(); char !== undefined && char !== '|' && char !== ')'; char = next()) {
      const node = parseAtom(char)
      if (node) parts.push(parseRepetition(node, reader))
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts }
  }

  /** Undefined for flags, which stand for nothing. */
  function parseAtom(char: string): RegexNode | undefined {
    if (char === '(') return parseGroup()
    if (char === '[') return takeMember(parseCharacterClass(pattern, reader.at))
    if (char === '\\') return parseEscaped()
    if ('*+?{'.includes(char)) throw new SyntaxError('repetition operator missing expression')
    const literal = String.fromCodePoint(pattern.codePointAt(reader.at) ?? 0)
    const end = reader.at + literal.length
    if (char === '.') return takeMember({ members: negateCharacterClass(flags.dotAll ? '' : '\\n'), end })
    if (char !== '^' && char !== '$') return takeMember({ literal, end })
    reader.at = end
    return { kind: 'look', look: `${flags.lines ? 'line' : 'text'} ${char === '^' ? 'start' : 'end'}` }
  }

  function takeMember(member: CharacterClassMember): RegexNode {
    reader.at = member.end
    return toNode(member, flags.ignoreCase)
  }

  function parseEscaped(): RegexNode {
    reader.at += 1
    const char = pattern[reader.at] ?? ''
    if (/^b\{[^\d\s]/.test(pattern.slice(reader.at, reader.at + 3))) throw createUnsupportedSyntaxError('\\b{…}')
    const look = LOOKS[char]
    if (!look) return takeMember(parseEscape(pattern, reader.at))
    reader.at += 1
    return { kind: 'look', look }
  }

  function parseGroup(): RegexNode | undefined {
    const [isFlags, letters = '', end] = reader.match(/^\(\?(-?[A-Za-z]+(?:-[A-Za-z]+)?)([:)])/)
    const outer = flags
    if (isFlags !== undefined) {
      flags = changedFlags(flags, letters)
      if (end === ')') return undefined
    } else openGroup(reader, names)
    const node = parseChoice()
    if (!reader.take(')')) throw new SyntaxError('unclosed group')
    flags = outer
    return node
  }

  const tree = parseChoice()
  if (reader.at < pattern.length) throw new SyntaxError('unopened group')
  return tree
}

function createReader(pattern: string): Reader {
  return {
    pattern,
    at: 0,
    take(text) {
      if (!pattern.startsWith(text, this.at)) return false
      this.at += text.length
      return true
    },
    match(expression) {
      const found = expression.exec(pattern.slice(this.at)) ?? []
      this.at += found[0]?.length ?? 0
      return found
    },
  }
}

function toNode(member: CharacterClassMember, ignoreCase: boolean): RegexNode {
  if ('members' in member) return { kind: 'set', set: createCharSet(member.members, ignoreCase) }
  const { literal } = member
  if (!ignoreCase) return { kind: 'set', set: createSingleCharacterSet(literal), literal }
  const set = createCharSet(escapeRegexCharacter(literal), true)
  // A character without case still stands for itself only.
  return /[\p{L}\p{M}\p{N}\p{So}]/u.test(literal) ? { kind: 'set', set } : { kind: 'set', set, literal }
}

/** Goes past what begins a group that is more than flags; `names` are those that groups have already. */
function openGroup(reader: Reader, names: Set<string>): void {
  const [, name] = reader.match(/^\(\?P?<([A-Za-z_][\w.[\]]*)>/)
  if (name !== undefined) {
    if (names.has(name)) throw new SyntaxError('duplicate capture group name')
    names.add(name)
  } else if (!reader.take('(?:')) {
    if (reader.match(/^\(\?<?[=!]/).length > 0) {
      throw new SyntaxError('look-around, including look-ahead and look-behind, is not supported')
    }
    if (reader.match(/^\(\?/).length > 0) throw new SyntaxError('unrecognized group')
    reader.take('(')
  }
}

function changedFlags(flags: Flags, letters: string): Flags {
  const changed = { ...flags }
  let value = true
  for (const letter of letters) {
    const name = FLAGS[letter]
    if (letter === '-') value = false
    else if (name) changed[name] = value
    // Unicode is on anyway.
    else if (letter !== 'u' || !value) throw createUnsupportedSyntaxError(`the flag ${letter}`)
  }
  return changed
}

function parseRepetition(node: RegexNode, reader: Reader): RegexNode {
  let repeated = node
  for (let counts = parseCounts(reader); counts; counts = parseCounts(reader)) {
    repeated = { kind: 'repeat', node: repeated, ...counts, greedy: !reader.take('?') }
  }
  return repeated
}

function parseCounts(reader: Reader): { min: number; max: number } | undefined {
  if (reader.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
  if (reader.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
  if (reader.take('?')) return { min: 0, max: 1 }
  if (reader.pattern[reader.at] !== '{') return undefined
  const [, low, comma, high] = reader.match(/^\{\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\}/)
  if (low === undefined) throw new SyntaxError('repetition quantifier expects a valid decimal')
  const max = high ? Number(high) : comma ? Number.POSITIVE_INFINITY : Number(low)
  if (max < Number(low)) throw new SyntaxError('invalid repetition count range, the start must be <= the end')
  return { min: Number(low), max }
}
