/** Turns a word of the parser into what the shell would make of it: quotes removed, braces expanded, unknown parts marked. */
import type { ParameterExpansionPart, Word as ParsedWord, WordPart } from 'unbash'
import { expandBraces } from './braces.js'
import type { Word } from './syntax.js'

/** No word has more parts that anyone could read. */
const MOST_PARTS = 500
const MOST_CHOICES = 64

/** A word with braces becomes several; too many or too odd ones stay one word that is not known. */
export function toWords(word: ParsedWord): Word[] {
  if (!word.parts) return [knownWord(word.value, word.text)]
  if (countParts(word.parts) > MOST_PARTS) return [{ ...toWord([unknown(word.text)], word.text), pipe: false }]
  const pipe = word.parts.length === 1 && word.parts[0]?.type === 'ProcessSubstitution'
  const words = spellOut(word.parts).map((pieces) => ({ ...toWord(pieces, word.text), pipe }))
  // `{rm,} v` runs `rm v`: a choice that is empty without quotes is no word at all.
  return /["'\\]/.test(word.text) ? words : words.filter(({ value }) => value !== '')
}

function countParts(parts: readonly WordPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'DoubleQuoted' ? part.parts.length : 1), 0)
}

/** The parts of the word, once for each way its braces can be expanded. */
function spellOut(parts: readonly WordPart[]): Piece[][] {
  let words: Piece[][] = [[]]
  for (const part of parts) {
    const choices = part.type === 'BraceExpansion' ? expandBraces(part.text) : undefined
    if (!choices || words.length * choices.length > MOST_CHOICES) for (const word of words) word.push(...piecesOf(part))
    else words = words.flatMap((word) => choices.map((text) => [...word, piece(text, { glob: /[*?[]/.test(text) })]))
  }
  return words
}

/** A word without anything to expand. */
export function knownWord(value: string, source = value): Word {
  return {
    value,
    source,
    dynamic: false,
    plain: true,
    single: true,
    glob: false,
    tilde: source.startsWith('~'),
    pipe: false,
    head: value,
    tail: value,
  }
}

/** The word at that place, or an empty one. */
export function wordAt(words: readonly Word[], at: number): Word {
  return words[at] ?? knownWord('')
}

/** What is left of a word after its first characters: the value of an option, the part after a `=`. */
export function restOf(word: Word, from: number): Word {
  const value = word.value.slice(from)
  return { ...word, value, head: word.head.slice(from), tilde: value.startsWith('~') }
}

/** Variables whose value is no secret and no code. */
const HARMLESS =
  /^(?:[?#$!@*_0-9-]|HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|HOSTNAME|RANDOM|SECONDS|LINENO|E?UID|PPID|OSTYPE|SHLVL|COLUMNS|LINES|TERM|LANG|LC_[A-Z]+|NODE_ENV|CI|TZ|PATH|(?!\w*(?:token|secret|passw|key|cred|auth))[a-z][a-z0-9_]*)$/

/** May its value be shown? */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.test(name)
}

/** Numbers and operators only: a name would be evaluated, and its value could hold code. */
const PLAIN_ARITHMETIC = /^[\d\s+\-*/%()<>=!&|^~?:,$[\]]*$/

type Piece = { text: string; dynamic: boolean; plain: boolean; glob: boolean; splits: boolean }

function piece(text: string, extra: Partial<Piece> = {}): Piece {
  return { text, dynamic: false, plain: true, glob: false, splits: false, ...extra }
}

function piecesOf(part: WordPart): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [piece(part.value)]
    case 'DoubleQuoted':
      // `"$@"` and `"${a[@]}"` are several words, or none.
      return part.parts.flatMap(piecesOf).map((p) => ({ ...p, splits: p.splits && /@/.test(p.text) }))
    case 'Glob':
      return [piece(part.value, { glob: true, splits: true })]
    case 'ExtendedGlob':
      return [piece(part.text, { glob: true, dynamic: true, splits: true })]
    case 'SimpleExpansion':
      return [piece(part.text, { dynamic: true, plain: HARMLESS.test(part.text.slice(1)), splits: true })]
    case 'ParameterExpansion':
      return [piece(part.text, { dynamic: true, plain: isHarmless(part), splits: true })]
    case 'ArithmeticExpansion':
      return [piece(part.text, { dynamic: true, plain: isPlainArithmetic(part.text), splits: true })]
    case 'CommandExpansion':
      return [piece(part.text, { dynamic: true, splits: true })]
    case 'ProcessSubstitution':
      return [piece(part.text, { dynamic: true })]
    default:
      // A translated string, braces that could not be expanded, or a kind of part this was not written for.
      return [unknown(part.text)]
  }
}

function unknown(text: string): Piece {
  return piece(text, { dynamic: true, plain: false, splits: true })
}

export function isPlainArithmetic(text: string): boolean {
  return PLAIN_ARITHMETIC.test(text)
}

function isHarmless(part: ParameterExpansionPart): boolean {
  return (
    HARMLESS.test(part.parameter) &&
    part.prefix !== '!' &&
    !part.index &&
    (!part.operation || part.operation.type === 'Default')
  )
}

function toWord(pieces: readonly Piece[], source: string): Omit<Word, 'pipe'> {
  const open = (p: Piece) => p.dynamic || p.glob
  const text = (some: readonly Piece[]) => some.map((p) => p.text).join('')
  const value = text(pieces)
  const first = pieces.findIndex(open)
  const last = pieces.findLastIndex((p) => p.dynamic)
  return {
    value,
    source,
    dynamic: pieces.some((p) => p.dynamic),
    plain: pieces.every((p) => p.plain),
    single: !pieces.some((p) => p.splits),
    glob: pieces.some((p) => p.glob),
    tilde: value.startsWith('~') && /^[{~]/.test(source),
    head: first < 0 ? value : text(pieces.slice(0, first)),
    tail: text(pieces.slice(last + 1)),
  }
}
