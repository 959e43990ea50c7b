/** Escapes and bracketed classes of ripgrep's regular expressions, as members of JavaScript's classes. */
import { escapeRegexCharacter, negateCharacterClass, WORD_CHARACTERS } from './char-set.js'

/** One character, or several as members of a class. `end` is behind it. */
export type CharacterClassMember = { end: number } & ({ literal: string } | { members: string })

const PERL_CLASSES: Record<string, string> = { w: WORD_CHARACTERS, d: '\\p{Nd}', s: '\\p{White_Space}' }
const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', a: '\x07' }
const POSIX_CLASSES: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t\\x20',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e',
  space: '\\t\\n\\v\\f\\r\\x20',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

const HEX = /^(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|[xuU]\{([\dA-Fa-f]{1,8})\})/

/** What `at`, behind a backslash, stands for, in a class or outside. */
export function parseEscape(pattern: string, at: number): CharacterClassMember {
  const char = pattern[at] ?? ''
  const perl = PERL_CLASSES[char.toLowerCase()]
  if (perl) return { members: char in PERL_CLASSES ? perl : negateCharacterClass(perl), end: at + 1 }
  if (char === 'p' || char === 'P') return parseProperty(pattern, at)
  const control = CONTROLS[char]
  if (control) return { literal: control, end: at + 1 }
  const digits = HEX.exec(pattern.slice(at, at + 11))
  if (digits) {
    const code = Number.parseInt(digits.slice(1).join(''), 16)
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw new SyntaxError('invalid code point')
    return { literal: String.fromCodePoint(code), end: at + digits[0].length }
  }
  if (/\d/.test(char)) throw new SyntaxError('backreferences are not supported')
  if (!/^[\0-\x7f]$/.test(char) || /[A-Za-z<>]/.test(char)) throw new SyntaxError('unrecognized escape sequence')
  return { literal: char, end: at + 1 }
}

/** `\p{…}` or `\pL`; `at` is at the `p`. */
function parseProperty(pattern: string, at: number): CharacterClassMember {
  const [whole, letter, braced] = /^[pP](?:([A-Z])|\{(\^?[A-Za-z_]+)\})/.exec(pattern.slice(at, at + 60)) ?? []
  const name = letter ?? braced?.replace('^', '')
  if (whole === undefined || name === undefined) throw createUnsupportedSyntaxError('this form of \\p')
  const members = [`\\p{${name}}`, `\\p{Script=${name}}`].find(isKnown)
  if (!members) throw createUnsupportedSyntaxError(`\\p{${name}}`)
  const negated = whole.startsWith('P') !== whole.includes('^')
  return { members: negated ? negateCharacterClass(members) : members, end: at + whole.length }
}

function isKnown(members: string): boolean {
  try {
    new RegExp(members, 'v')
    return true
  } catch {
    return false
  }
}

/** The bracketed class that begins at `at`. */
export function parseCharacterClass(pattern: string, at: number): CharacterClassMember {
  const negated = pattern[at + 1] === '^'
  let next = negated ? at + 2 : at + 1
  let members = ''
  const literals = new Set<string>()
  let isLiteral = !negated
  for (let first = true; first || pattern[next] !== ']'; first = false) {
    const operator = /^(?:&&|~~|--)/.exec(pattern.slice(next, next + 2))
    if (operator) throw createUnsupportedSyntaxError(`${operator[0]} in a character class`)
    const from = parseMember(pattern, next)
    next = from.end
    const isRange = pattern[next] === '-' && !/[\]-]/.test(pattern[next + 1] ?? '')
    if ('members' in from) {
      if (isRange) throw new SyntaxError('invalid range boundary, must be a literal')
      members += from.members
      isLiteral = false
      continue
    }
    const to = isRange ? parseMember(pattern, next + 1) : from
    next = to.end
    if ('members' in to) throw new SyntaxError('invalid range boundary, must be a literal')
    if ((to.literal.codePointAt(0) ?? 0) < (from.literal.codePointAt(0) ?? 0)) {
      throw new SyntaxError('invalid character class range, the start must be <= the end')
    }
    members += `${escapeRegexCharacter(from.literal)}-${escapeRegexCharacter(to.literal)}`
    literals.add(from.literal).add(to.literal)
  }
  const [literal] = literals
  if (isLiteral && literal !== undefined && literals.size === 1) return { literal, end: next + 1 }
  return { members: negated ? negateCharacterClass(members) : members, end: next + 1 }
}

function parseMember(pattern: string, at: number): CharacterClassMember {
  if (at >= pattern.length) throw new SyntaxError('unclosed character class')
  if (pattern[at] === '\\') return parseEscape(pattern, at + 1)
  if (pattern[at] === '[') {
    const [whole, negation, name] = /^\[:(\^?)([a-z]+):\]/.exec(pattern.slice(at, at + 12)) ?? []
    const members = POSIX_CLASSES[name ?? '']
    if (whole === undefined || members === undefined)
      throw createUnsupportedSyntaxError('a class inside a character class')
    return { members: negation ? negateCharacterClass(members) : members, end: at + whole.length }
  }
  const literal = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
  return { literal, end: at + literal.length }
}

/** ripgrep knows it. */
export function createUnsupportedSyntaxError(what: string): SyntaxError {
  return new SyntaxError(
    `${what} is not supported without ripgrep; install @vscode/ripgrep, or write it in another way`,
  )
}
