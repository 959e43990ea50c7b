/** Turns a word of the parser into what the shell would make of it: quotes removed, braces expanded, unknown parts marked. */
import type { ParameterExpansionPart, Word as ParsedWord, SimpleExpansionPart, WordPart } from 'unbash'
import { expandBraces } from './braces.js'
import { isVariableSafeToShow } from './harmless-variables.js'
import { quoteAfterTilde, quoteTildeList, quoteWord, type ShellCode } from './shell-quotes.js'
import { createLiteralWord, isPlainArithmetic } from './shell-words.js'
import type { ShellWord } from './syntax.js'
import { type PrintScript, RunnableWordPartPrinter } from './word-part-printer.js'

/** No word has more parts that anyone could read. */
const MOST_PARTS = 500
const MOST_CHOICES = 64

/** A word as the judge sees it, and as bash is given it: several where it has braces. */
export type WordReading = { readonly words: readonly ShellWord[]; readonly code: ShellCode }

type Expansion = SimpleExpansionPart | ParameterExpansionPart

/** Reads each word of a command line once, for the judge and for the printer. */
export class WordReader {
  readonly #isOwn: (part: Expansion) => boolean
  readonly #codes: RunnableWordPartPrinter
  readonly #read = new Map<ParsedWord, WordReading>()

  /** `isOwn`: the line itself has set the variable by then, so its value is in sight. */
  constructor(isOwn: (part: Expansion) => boolean, print: PrintScript) {
    this.#isOwn = isOwn
    this.#codes = new RunnableWordPartPrinter(print)
  }

  /** An argument, or anything else in which braces and globs count. */
  read(word: ParsedWord): WordReading {
    const known = this.#read.get(word) ?? this.#argument(word)
    this.#read.set(word, known)
    return known
  }

  words(word: ParsedWord): readonly ShellWord[] {
    return this.read(word).words
  }

  /** The text behind `=` in an assignment. */
  assigned(word: ParsedWord): ShellCode {
    if (hasOtherNames(word.parts)) return undefined
    if (word.parts?.slice(1).some((part) => part.type === 'Literal' && part.text.includes(':~'))) return undefined
    const tilde = tildeText(word, /(?:^|:)~/)
    if (tilde === undefined) return this.#codes.value(word)
    return word.parts ? this.#afterTilde(word, ({ text }) => quoteTildeList(text)) : quoteTildeList(word.text)
  }

  /** A pattern, a here-string, a side of a comparison. */
  value(word: ParsedWord): ShellCode {
    if (hasOtherNames(word.parts)) return undefined
    const tilde = tildeText(word, /^~/)
    if (tilde === undefined) return this.#codes.value(word)
    return this.#afterTilde(word, (first) => quoteAfterTilde(first, !word.parts))
  }

  /** The first part has the tilde, the others are as they are anywhere. */
  #afterTilde(word: ParsedWord, codeOf: (first: { text: string; value: string }) => ShellCode): ShellCode {
    const [first, ...rest] = word.parts ?? []
    const start = codeOf(first?.type === 'Literal' ? first : word)
    const others = rest.length === 0 ? '' : this.#codes.value({ ...word, parts: rest })
    return start === undefined || others === undefined ? undefined : start + others
  }

  /** Text of a here-document, in which expansions count and quotes do not. */
  document(parts: readonly WordPart[]): ShellCode {
    if (hasOtherNames(parts)) return undefined
    const codes = parts.map((part) =>
      part.type === 'Literal' ? part.value.replace(/[$`\\]/g, '\\$&') : this.#codes.of(part, true),
    )
    return codes.includes(undefined) ? undefined : codes.join('')
  }

  get codes(): RunnableWordPartPrinter {
    return this.#codes
  }

  #argument(word: ParsedWord): WordReading {
    // `a=~/x`: looks like an assignment, so bash may put a home folder in.
    const joined = word.text.replaceAll('\\\n', '')
    if (/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(joined) && /[=:]~/.test(joined))
      return { words: [unknownWord(word.text)], code: undefined }
    // The old way to write arithmetic, without its end; and a dollar sign whose next character stands on the next line.
    if (
      word.text.includes('$\\\n') ||
      hasOtherNames(word.parts) ||
      literals(word).some((text) => /(?:^|[^\\])\$\[/.test(text)) ||
      hasBareDollar(word) ||
      hasOddBraces(word) ||
      hasHiddenPipe(word)
    )
      return { words: [unknownWord(word.text)], code: undefined }
    if (!word.parts) {
      const known = createLiteralWord(word.value, word.text)
      return { words: [known], code: known.tilde ? quoteAfterTilde(word, true) : quoteWord(word.value) }
    }
    if (countParts(word.parts) > MOST_PARTS) {
      const codes = word.text.startsWith('~') ? [undefined] : word.parts.map((part) => this.#codes.of(part, false))
      return { words: [unknownWord(word.text)], code: codes.includes(undefined) ? undefined : codes.join('') }
    }
    const pipe = word.parts.length === 1 && word.parts[0]?.type === 'ProcessSubstitution'
    const all = this.#spellOut(word.parts).map((pieces) => {
      const made = { ...toWord(pieces, word.text), pipe }
      return { made, code: codeOf(pieces, made) }
    })
    // `{rm,} v` runs `rm v`: a choice that is empty without quotes is no word at all.
    const kept = /["'\\]/.test(joined) ? all : all.filter(({ made }) => made.value !== '')
    const codes = kept.map(({ code }) => code)
    return { words: kept.map(({ made }) => made), code: codes.includes(undefined) ? undefined : codes.join(' ') }
  }

  /** The parts of the word, once for each way its braces can be expanded. */
  #spellOut(parts: readonly WordPart[]): Piece[][] {
    let words: Piece[][] = [[]]
    for (const part of parts) {
      const choices = part.type === 'BraceExpansion' ? expandBraces(part.text) : undefined
      if (!choices || words.length * choices.length > MOST_CHOICES) {
        const pieces = this.#piecesOf(part)
        for (const word of words) word.push(...pieces)
      } else words = words.flatMap((word) => choices.map((text) => [...word, braced(text)]))
    }
    return words
  }

  #piecesOf(part: WordPart): Piece[] {
    const code = this.#codes.of(part, false)
    switch (part.type) {
      case 'Literal':
        return [piece(part.value, { code, start: part.text })]
      case 'SingleQuoted':
        return [piece(part.value, { code })]
      case 'AnsiCQuoted':
        return SAFE_ESCAPES.test(part.text)
          ? [piece(part.value, { code: quoteWord(part.value) })]
          : [unknown(part.text, code)]
      case 'DoubleQuoted': {
        // `"$@"` and `"${a[@]}"` are several words, or none. One piece has the code of all.
        const pieces = part.parts.flatMap((one) => this.#inner(one))
        const inside = pieces.map((p, i) => ({
          ...p,
          splits: p.splits && /@/.test(p.text),
          code: i === 0 ? code : '',
        }))
        return inside.length > 0 ? inside : [piece('', { code })]
      }
      default:
        return this.#inner(part).map((p) => ({ ...p, code }))
    }
  }

  /** What a part that may be expanded stands for. */
  #inner(part: WordPart): Piece[] {
    switch (part.type) {
      case 'Literal':
        return [piece(part.value)]
      case 'Glob':
        return [piece(part.value, { glob: true, splits: true })]
      case 'ExtendedGlob':
        return [piece(part.text, { glob: true, dynamic: true, splits: true })]
      case 'SimpleExpansion':
        return [
          piece(part.text, {
            dynamic: true,
            plain: isVariableSafeToShow(part.text.slice(1)) || this.#isOwn(part),
            splits: true,
          }),
        ]
      case 'ParameterExpansion':
        return [piece(part.text, { dynamic: true, plain: this.#isHarmless(part), splits: true })]
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

  #isHarmless(part: ParameterExpansionPart): boolean {
    return (
      (isVariableSafeToShow(part.parameter) || this.#isOwn(part)) &&
      part.prefix !== '!' &&
      !part.index &&
      (!part.operation || part.operation.type === 'Default')
    )
  }
}

/**
 * Bash joins lines and expands braces before it looks for names: `$a{b,c}` is `$ab $ac`, and `$a` continues where the next line does.
 */
function hasOtherNames(parts: readonly WordPart[] | undefined): boolean {
  return (parts ?? []).some((part, i) => {
    if (part.type === 'DoubleQuoted') return hasOtherNames(part.parts)
    const next = parts?.[i + 1]
    if (part.type === 'BraceExpansion') return part.text.includes('$') && next !== undefined
    if (part.type !== 'SimpleExpansion') return false
    return next?.type === 'BraceExpansion' || (next?.type === 'Literal' && next.text.startsWith('\\\n'))
  })
}

/**
 * Bash expands `{a}b,c}` to `a}b c`: a group that is neither a list nor a sequence doesn't end at its first brace. Blanks
 * other than the space and the tab are letters to bash, but end a group for the parser.
 */
function hasOddBraces({ text, parts }: ParsedWord): boolean {
  const bare = parts?.map((part) => (/^(?:Literal|BraceExpansion)$/.test(part.type) ? part.text : '')).join('') ?? text
  if (bare.includes('{') && /[\f\v\r]/.test(bare)) return true
  return /\{(?!-?\w+\.\.-?\w+(?:\.\.-?\w+)?\})[^{},]*\}.*,.*\}/s.test(bare)
}

/** To bash, `0>(ls)` is a word that ends with a process substitution. */
function hasHiddenPipe({ text, parts }: ParsedWord): boolean {
  const bare = parts ? parts.filter(({ type }) => type === 'Literal').map((part) => part.text) : [text]
  return bare.some((one) => /^[^'"]*[<>]\(/.test(one.replaceAll(/\\./gs, '')))
}

/** `$(cat a)$`: beside a dollar sign that stands for itself, bash does not split what a substitution prints. */
function hasBareDollar(word: ParsedWord): boolean {
  return (word.parts?.length ?? 0) > 1 && literals(word).some((text) => /(?:^|[^\\])(?:\\\\)*\$/.test(text))
}

/** Text of it that has no quotes that keep a dollar sign from meaning something. */
function literals({ text, parts }: ParsedWord): string[] {
  return (
    parts?.flatMap((part) =>
      [part, ...(part.type === 'DoubleQuoted' ? part.parts : [])].flatMap((one) =>
        one.type === 'Literal' ? one.text : [],
      ),
    ) ?? [text]
  )
}

function countParts(parts: readonly WordPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'DoubleQuoted' ? part.parts.length : 1), 0)
}

/** Its text, where an unquoted tilde stands in a place in which bash may take it for a home folder. */
function tildeText(word: ParsedWord, where: RegExp): string | undefined {
  const first = word.parts ? word.parts[0] : word
  return first && (first.type === 'Literal' || first.type === 'Word') && where.test(first.text) ? first.text : undefined
}

/** Escapes that mean the same in every bash and every locale; the other ones are left unknown. */
const SAFE_ESCAPES =
  /^\$'(?:[^\\']|\\(?:[abeEfnrtv\\'"?]|(?:x|u00|U000000)(?!00)[0-7][0-9a-fA-F]|(?!000)[01][0-7][0-7]))*'$/

function unknownWord(source: string): ShellWord {
  return { ...toWord([unknown(source)], source), pipe: false }
}

type Piece = {
  text: string
  dynamic: boolean
  plain: boolean
  glob: boolean
  splits: boolean
  code: ShellCode
  /** Unquoted text, as it is written. */
  start?: string
}

function piece(text: string, extra: Partial<Piece> = {}): Piece {
  return { text, dynamic: false, plain: true, glob: false, splits: false, code: undefined, ...extra }
}

function unknown(text: string, code?: ShellCode): Piece {
  return piece(text, { dynamic: true, plain: false, splits: true, code })
}

/** A choice out of braces, which hold nothing but plain text and globs. */
function braced(text: string): Piece {
  const glob = /[*?[]/.test(text)
  return piece(text, { glob, code: glob ? bracedGlob(text) : quoteWord(text), start: text })
}

function bracedGlob(text: string): ShellCode {
  return /^[\w.*?/:,@%+=-]*$/.test(text) ? text : undefined
}

/** What is known is printed from the value that is judged, all else part by part. */
function codeOf(pieces: readonly Piece[], made: Pick<ShellWord, 'value' | 'dynamic' | 'glob' | 'tilde'>): ShellCode {
  const [first, ...rest] = pieces.filter(({ text, code }) => text !== '' || (code !== '' && code !== undefined))
  if (made.tilde) {
    const start =
      first?.start === undefined
        ? undefined
        : quoteAfterTilde({ text: first.start, value: first.text }, rest.length === 0)
    const codes = rest.map(({ code }) => code)
    return start === undefined || codes.includes(undefined) ? undefined : start + codes.join('')
  }
  if (!made.dynamic && !made.glob) return quoteWord(made.value)
  const codes = pieces.map(({ code }) => code)
  return codes.includes(undefined) ? undefined : codes.join('')
}

function toWord(pieces: readonly Piece[], source: string): Omit<ShellWord, 'pipe'> {
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
