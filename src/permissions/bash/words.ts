/** Turns a word of the parser into what the shell would make of it: quotes removed, braces expanded, unknown parts marked. */
import type { ParameterExpansionPart, Word as ParsedWord, WordPart } from 'unbash'
import type { Word } from './syntax.js'

/** A word with braces becomes several; too many or too odd ones stay one word that is not known. */
export function toWords(word: ParsedWord): Word[] {
  if (!word.parts) return [knownWord(word.value, word.text)]
  const choices = word.parts.flatMap((part): Piece[][] => {
    const alternatives = part.type === 'BraceExpansion' ? expandBraces(part.text) : undefined
    return alternatives ? [alternatives] : piecesOf(part).map((p) => [p])
  })
  const pipe = word.parts.length === 1 && word.parts[0]?.type === 'ProcessSubstitution'
  const words = combine(choices).map((pieces) => ({ ...toWord(pieces, word.text), pipe }))
  // `{rm,} v` runs `rm v`: a choice that is empty without quotes is no word at all.
  return /["'\\]/.test(word.text) ? words : words.filter(({ value }) => value !== '')
}

/** A word without anything to expand. */
export function knownWord(value: string, source = value): Word {
  const tilde = source.startsWith('~')
  return { value, source, dynamic: false, plain: true, glob: false, tilde, pipe: false, head: value, tail: value }
}

/** Variables whose value is no secret and no code. */
const HARMLESS =
  /^(?:[?#$!@*_0-9-]|HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|HOSTNAME|RANDOM|SECONDS|LINENO|E?UID|PPID|OSTYPE|SHLVL|COLUMNS|LINES|TERM|LANG|LC_[A-Z]+|NODE_ENV|CI|TZ|PATH|[a-z][a-z0-9_]*)$/

/** Numbers and operators only: a name would be evaluated, and its value could hold code. */
const PLAIN_ARITHMETIC = /^[\d\s+\-*/%()<>=!&|^~?:,$[\]]*$/

type Piece = { text: string; dynamic: boolean; plain: boolean; glob: boolean }

function piece(text: string, extra: Partial<Piece> = {}): Piece {
  return { text, dynamic: false, plain: true, glob: false, ...extra }
}

function piecesOf(part: WordPart): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [piece(part.value)]
    case 'DoubleQuoted':
      return part.parts.flatMap(piecesOf)
    case 'Glob':
      return [piece(part.value, { glob: true })]
    case 'ExtendedGlob':
      return [piece(part.text, { glob: true, dynamic: true })]
    case 'SimpleExpansion':
      return [piece(part.text, { dynamic: true, plain: HARMLESS.test(part.text.slice(1)) })]
    case 'ParameterExpansion':
      return [piece(part.text, { dynamic: true, plain: isHarmless(part) })]
    case 'ArithmeticExpansion':
      return [piece(part.text, { dynamic: true, plain: isPlainArithmetic(part.text) })]
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return [piece(part.text, { dynamic: true })]
    default:
      // A translated string, braces that could not be expanded, or a kind of part this was not written for.
      return [piece(part.text, { dynamic: true, plain: false })]
  }
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

function expandBraces(text: string): Piece[] | undefined {
  const inner = text.slice(1, -1)
  if (!inner.includes(',') || /["'`$\\{}]/.test(inner)) return undefined
  return inner.split(',').map((choice) => piece(choice, { glob: /[*?[]/.test(choice) }))
}

function combine(choices: readonly Piece[][]): Piece[][] {
  let result: Piece[][] = [[]]
  for (const alternatives of choices) {
    if (result.length * alternatives.length > 64) {
      return [choices.map((c) => piece(c.map((p) => p.text).join(','), { dynamic: true, plain: false }))]
    }
    result = result.flatMap((done) => alternatives.map((next) => [...done, next]))
  }
  return result
}

function toWord(pieces: readonly Piece[], source: string): Omit<Word, 'pipe'> {
  const open = (p: Piece) => p.dynamic || p.glob
  const value = pieces.map((p) => p.text).join('')
  const first = pieces.findIndex(open)
  const last = pieces.findLastIndex((p) => p.dynamic)
  return {
    value,
    source,
    dynamic: pieces.some((p) => p.dynamic),
    plain: pieces.every((p) => p.plain),
    glob: pieces.some((p) => p.glob),
    tilde: value.startsWith('~') && /^[{~]/.test(source),
    head:
      first < 0
        ? value
        : pieces
            .slice(0, first)
            .map((p) => p.text)
            .join(''),
    tail: pieces
      .slice(last + 1)
      .map((p) => p.text)
      .join(''),
  }
}
