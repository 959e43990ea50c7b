/** Prints the parts of a word: what bash has to be given so that it reads this part and nothing else. */
import type { ParameterExpansionPart, ParsedScript, Word as ParsedWord, WordPart } from 'unbash'
import { printArithmetic } from './arithmetic-code.js'
import { printParameter } from './parameter-code.js'
import { escapeInDoubleQuotes, quoteWord, quoteWordAlways, type ShellCode } from './shell-quotes.js'

export type PrintScript = (script: ParsedScript) => ShellCode

/** Escapes are pairs, so that the quote that ends the text is certain, whatever the pairs mean. */
const ANSI_C = /^\$'(?:[^\\']|\\[^\0])*'$/s
/** Braces without quotes, spaces, or substitutions. */
const PLAIN_BRACES = /^(?:[\w{},./*?:@%+=-]|\$\w)+$/
const PLAIN_BRACKET = /^\[[\w!^:.,@%+=*?-]+(?:\[:[a-z]+:\][\w.-]*)*\]$|^\[[!^]?(?:\[:[a-z]+:\][\w.-]*)+\]$/
const PLAIN_ARITHMETIC = /^\$\(\([\w \t\n+\-*/%<>=!&|^~?:,]*\)\)$/
/** A line that continues, and what is an error of the whole line anywhere else. */
const NOT_FROM_BACKTICKS = /\\\n|[?*+@!]\(/
const PLAIN_EXTENDED = /^[?*+@!]\([\w.|*?@%:+=-]*\)$/

function isClosed(text: string): boolean {
  if (text.startsWith('$((')) return text.endsWith('))')
  if (text.startsWith('$(')) return text.endsWith(')')
  if (text.startsWith('${')) return text.endsWith('}')
  return !text.startsWith('`') || (text.length > 1 && text.endsWith('`'))
}

export class RunnableWordPartPrinter {
  readonly #print: PrintScript

  constructor(print: PrintScript) {
    this.#print = print
  }

  /** `quoted`: it stands between double quotes, or where bash treats it alike. */
  of(part: WordPart, quoted: boolean): ShellCode {
    // In a here-document, the parser accepts an expansion without its end, which bash rejects.
    if (!isClosed(part.text)) return undefined
    switch (part.type) {
      case 'Literal':
        return quoted ? escapeInDoubleQuotes(part.value) : quoteWord(part.value)
      case 'SingleQuoted':
        return quoteWordAlways(part.value)
      case 'AnsiCQuoted':
        return ANSI_C.test(part.text) ? part.text : undefined
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.quoted(part.parts)
      case 'SimpleExpansion':
        return /^\$\w/.test(part.text) ? `\${${part.text.slice(1)}}` : part.text
      case 'ParameterExpansion':
        return this.#parameter(part, quoted)
      case 'CommandExpansion':
        // `${ x; }` runs in the shell itself, where bash knows it at all; `$((` is arithmetic if it can be; and between
        // backticks a line continues even in quotes.
        if (
          part.text.startsWith('${') ||
          part.text.startsWith('$((') ||
          (part.text.startsWith('`') && (NOT_FROM_BACKTICKS.test(part.text) || (quoted && part.text.includes('"'))))
        )
          return undefined
        return this.substitution(part.script)
      case 'ProcessSubstitution':
        return this.#inParentheses(part.operator, part.script)
      case 'ArithmeticExpansion': {
        // What is nested too deep for the parser has no tree, but without parentheses there is only one way to read it.
        if (!part.expression) return PLAIN_ARITHMETIC.test(part.text) ? part.text : undefined
        const inner = printArithmetic(part.expression, this)
        return inner === undefined ? undefined : `$(( ${inner} ))`
      }
      case 'Glob':
        return part.kind !== 'bracket' || PLAIN_BRACKET.test(part.text) ? part.text : undefined
      case 'ExtendedGlob':
        return PLAIN_EXTENDED.test(part.text) ? part.text : undefined
      case 'BraceExpansion':
        return PLAIN_BRACES.test(part.text) ? part.text : undefined
      default:
        return undefined
    }
  }

  /** Text between double quotes. */
  quoted(parts: readonly WordPart[]): ShellCode {
    const codes = parts.map((part) => this.of(part, true))
    return codes.includes(undefined) ? undefined : `"${codes.join('')}"`
  }

  substitution(script: ParsedScript | undefined): ShellCode {
    return this.#inParentheses('$', script)
  }

  /** For places where braces, globs, and spaces have no meaning: the value of a variable, a pattern, a here-string. */
  value(word: ParsedWord): ShellCode {
    if (!word.parts) return quoteWord(word.value)
    const codes = word.parts.map((part) =>
      part.type === 'BraceExpansion' && PLAIN_BRACES.test(part.text) && !part.text.includes('$')
        ? quoteWord(part.text)
        : this.of(part, false),
    )
    return codes.includes(undefined) ? undefined : codes.join('')
  }

  #inParentheses(sign: string, script: ParsedScript | undefined): ShellCode {
    const inner = script && this.#print(script)
    if (inner === undefined) return undefined
    // Two in a row would be arithmetic.
    return `${sign}(${inner.startsWith('(') ? ' ' : ''}${inner})`
  }

  #parameter(part: ParameterExpansionPart, quoted: boolean): ShellCode {
    return printParameter(part, quoted, (one, inQuotes) => this.of(one, inQuotes))
  }
}
