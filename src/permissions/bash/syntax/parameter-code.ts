/** Prints `${…}` from its tree: the name, and what is done to the value. */
import type { ParameterExpansionPart, ParameterOperation, Word as ParsedWord, WordPart } from 'unbash'
import type { ShellCode } from './shell-quotes.js'

type PartCode = (part: WordPart, quoted: boolean) => ShellCode

/** Text that means itself in every kind of operand, between quotes and without. */
const PLAIN = /^[\w./:,@%+= -]*$/
/** Numbers, names and signs; a name would be evaluated, which is the judge's concern. */
const NUMBER = /^[\w \t\n$+*()-]*$/
const INDEX = /^[\w$@*+-]+$/

export function printParameter(part: ParameterExpansionPart, quoted: boolean, codeOf: PartCode): ShellCode {
  const { parameter, prefix = '', index, operation } = part
  if (!/^(?:\w+|[@*#?$!-])$/.test(parameter) || (index && !INDEX.test(index.text))) return undefined
  const name = prefix + parameter + (index ? `[${index.text}]` : '')
  if (!operation) return `\${${name}}`
  const done = operationCode(operation, quoted, codeOf)
  return done === undefined ? undefined : `\${${name}${done}}`
}

function operationCode(operation: ParameterOperation, quoted: boolean, codeOf: PartCode): ShellCode {
  const { operator } = operation
  const behind = (code: ShellCode) => (code === undefined ? undefined : operator + code)
  switch (operation.type) {
    case 'Default':
      return behind(defaultCode(operation.operand, quoted, codeOf))
    case 'Remove':
      return behind(patternCode(operation.operand, codeOf))
    case 'Replace': {
      const pattern = patternCode(operation.pattern, codeOf)
      const replacement = PLAIN.test(operation.replacement.text)
        ? operation.replacement.text
        : replacementCode(operation.replacement, codeOf)
      return pattern === undefined || replacement === undefined ? undefined : `${operator}${pattern}/${replacement}`
    }
    case 'Slice': {
      const { offset, length } = operation
      // Without an offset it is an error.
      if (offset.text.trim() === '' || !NUMBER.test(offset.text) || !NUMBER.test(length?.text ?? '')) return undefined
      // Behind a blank a negative number is one, and no default value.
      return `: ${offset.text.trim()}${length ? `:${length.text}` : ''}`
    }
    case 'CaseModification':
      return operation.operand === undefined || operation.operand.text === ''
        ? operator
        : behind(patternCode(operation.operand, codeOf))
    case 'Transform':
      return /^[A-Za-z]$/.test(operation.operand.text) ? operator + operation.operand.text : undefined
    case 'Names':
      return operator
    default:
      return undefined
  }
}

/** The word of `${x:-word}`. Between double quotes, quotes in it are read in other ways, so there is only plain text there. */
function defaultCode(word: ParsedWord, quoted: boolean, codeOf: PartCode): ShellCode {
  if (PLAIN.test(word.text)) return word.text
  if (quoted)
    return partCodes(word, (part) => {
      if (part.type === 'Literal') return PLAIN.test(part.text) ? part.text : undefined
      return isExpansion(part) ? codeOf(part, true) : undefined
    })
  // Unquoted spaces in it split the word, and a tilde there is a home folder.
  return partCodes(word, (part) => {
    if (part.type === 'Literal' && part.text.includes('~')) return undefined
    if (part.type === 'Literal')
      return PLAIN.test(part.text) ? part.text : /\s/.test(part.value) ? undefined : codeOf(part, false)
    return codeOf(part, false)
  })
}

/** A pattern: quotes mean the same everywhere, and each character that is not plain has a backslash. */
function patternCode(word: ParsedWord, codeOf: PartCode): ShellCode {
  return partCodes(word, (part) => {
    if (part.type === 'Literal' || part.type === 'SingleQuoted') return escaped(part.value)
    if (part.type === 'Glob' && part.kind !== 'bracket') return part.text
    return isExpansion(part) || part.type === 'DoubleQuoted' || part.type === 'Glob' ? codeOf(part, false) : undefined
  })
}

function escaped(text: string): ShellCode {
  return /[\n\r]/.test(text) ? undefined : text.replace(/[^A-Za-z0-9_.:,@+=-]/gu, '\\$&')
}

/** Code for what replaces a match: plain text and values. */
function replacementCode(word: ParsedWord, codeOf: PartCode): ShellCode {
  return partCodes(word, (part) => {
    if (part.type === 'Literal') return PLAIN.test(part.text) ? part.text : undefined
    return isExpansion(part) ? codeOf(part, false) : undefined
  })
}

function partCodes(word: ParsedWord, codeOf: (part: WordPart) => ShellCode): ShellCode {
  const { text, value, pos, end } = word
  const codes = (word.parts ?? [{ type: 'Literal', text, value, pos, end } as const]).map(codeOf)
  return codes.includes(undefined) ? undefined : codes.join('')
}

function isExpansion(part: WordPart): boolean {
  return /^(?:Simple|Parameter|Arithmetic|Command)Expansion$/.test(part.type)
}
