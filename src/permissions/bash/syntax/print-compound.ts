/** Prints commands that hold other commands: groups, loops, conditions, functions, tests and arithmetic. */
import type { ArithmeticExpression, CompoundList, Word as ParsedWord, SyntaxNode, TestExpression } from 'unbash'
import { printArithmetic } from './arithmetic-code.js'
import { escapeInDoubleQuotes, type ShellCode } from './shell-quotes.js'
import type { WordReader } from './word-reader.js'

/** The printer, as far as it is needed here. */
export type CompoundCommandPrinter = {
  readonly words: WordReader
  put(text: ShellCode): void
  newline(): void
  list(statements: CompoundList['commands']): void
  command(node: SyntaxNode): void
  argument(word: ParsedWord): void
}

const NAME = /^[A-Za-z_]\w*$/
const FUNCTION_NAME = /^[A-Za-z_][\w.-]*$/
/** A regular expression without quotes, spaces, or substitutions. */
const REGULAR = /^(?!.*\$\()[\w^$.*+?()[\]|:/\\,{}@%=~-]+$/
const UNARY = /^-[a-zA-Z]$/
const BINARY = /^(?:=|==|!=|=~|<|>|-[a-z]{2})$/

export function printCompoundCommand(node: SyntaxNode, to: CompoundCommandPrinter): void {
  const block = (before: string, list: CompoundList, after: string) => {
    to.put(before)
    to.list(list.commands)
    to.put(after)
  }
  switch (node.type) {
    case 'Subshell':
      // `((` is arithmetic if it can be.
      if (begin(node.body).some(({ type, pos }) => type === 'Subshell' && pos === node.pos + 1)) to.put(undefined)
      block('( ', node.body, ')')
      break
    case 'BraceGroup':
      block('{ ', node.body, '}')
      break
    case 'If':
      block('if ', node.clause, 'then ')
      to.list(node.then.commands)
      for (const { clause, then } of node.elif) {
        block('elif ', clause, 'then ')
        to.list(then.commands)
      }
      if (node.else) block('else ', node.else, '')
      to.put('fi')
      break
    case 'While':
      block(`${node.kind} `, node.clause, '')
      block('do ', node.body, 'done')
      break
    case 'For':
    case 'Select':
      to.put(NAME.test(node.name.text) ? `${node.type === 'For' ? 'for' : 'select'} ${node.name.text}` : undefined)
      if (node.wordlist) to.put(' in')
      for (const word of node.wordlist ?? []) to.argument(word)
      to.put('; ')
      block('do ', node.body, 'done')
      break
    case 'ArithmeticFor': {
      const code = (one: ArithmeticExpression | undefined) => (one ? printArithmetic(one, to.words.codes) : '')
      const [first, test, update] = [code(node.initialize), code(node.test), code(node.update)]
      to.put([first, test, update].includes(undefined) ? undefined : `for (( ${first}; ${test}; ${update} )); `)
      block('do ', node.body, 'done')
      break
    }
    case 'Case':
      to.put('case ')
      to.put(to.words.value(node.word))
      to.put(' in ')
      for (const { pattern, body, terminator } of node.items) {
        const patterns = pattern.map((word) => to.words.value(word))
        block(patterns.includes(undefined) ? failing(to) : `(${patterns.join(' | ')}) `, body, `${terminator ?? ';;'} `)
      }
      to.put('esac')
      break
    case 'Function':
      to.put(FUNCTION_NAME.test(node.name.text) ? `${node.name.text} () ` : undefined)
      if (node.body.type === 'CompoundList') to.put(undefined)
      else to.command(node.body)
      break
    case 'ArithmeticCommand': {
      const inner = node.expression && printArithmetic(node.expression, to.words.codes)
      to.put(inner === undefined ? undefined : `(( ${inner} ))`)
      break
    }
    case 'TestCommand': {
      const inner = testCode(node.expression, to.words)
      to.put(inner === undefined ? undefined : `[[ ${inner} ]]`)
      break
    }
    // `coproc` is one of them: between `$(` and `)` bash 5.2 runs another command than it was given.
    default:
      to.put(undefined)
      break
  }
}

/** The nodes that begin where the list does. */
function begin({ commands: [first] }: CompoundList): SyntaxNode[] {
  if (!first) return []
  const [statement] = first.command.type === 'AndOr' ? first.command.commands : [first.command]
  const [one] = statement?.type === 'Pipeline' ? statement.commands : [statement]
  if (!one) return []
  return one.type === 'Redirected' ? [one, one.command] : [one]
}

function failing(to: CompoundCommandPrinter): string {
  to.put(undefined)
  return ''
}

function testCode(node: TestExpression, words: WordReader): ShellCode {
  switch (node.type) {
    case 'TestUnary': {
      const operand = operandCode(node.operand, words)
      return operand === undefined || !UNARY.test(node.operator) ? undefined : `${node.operator} ${operand}`
    }
    case 'TestBinary': {
      const left = operandCode(node.left, words)
      const right = node.operator === '=~' ? regularCode(node.right, words) : operandCode(node.right, words)
      if (left === undefined || right === undefined || !BINARY.test(node.operator)) return undefined
      return `${left} ${node.operator} ${right}`
    }
    case 'TestLogical': {
      const codes = node.operands.map((one) => testCode(one, words))
      return codes.includes(undefined) ? undefined : codes.join(` ${node.operator} `)
    }
    case 'TestNot': {
      const operand = testCode(node.operand, words)
      return operand === undefined ? undefined : `${'! '.repeat(node.negations.length)}${operand}`
    }
    case 'TestGroup': {
      const inner = testCode(node.expression, words)
      return inner === undefined ? undefined : `( ${inner} )`
    }
    default:
      return undefined
  }
}

/** Without quotes, `-e` or `!` would be an operator. */
function operandCode(word: ParsedWord, words: WordReader): ShellCode {
  const code = words.value(word)
  return code !== undefined && /^(?:-|!$)/.test(code) ? `'${code.replaceAll("'", "'\\''")}'` : code
}

/** In a regular expression quotes change what a character means: each part keeps those it has. */
function regularCode(word: ParsedWord, words: WordReader): ShellCode {
  if (!word.parts) return REGULAR.test(word.text) ? word.text : undefined
  const codes = word.parts.map((part) => {
    if (part.type === 'SingleQuoted') return `"${escapeInDoubleQuotes(part.value)}"`
    if (part.type === 'DoubleQuoted' || part.type === 'ParameterExpansion') return words.codes.of(part, false)
    return REGULAR.test(part.text) ? part.text : undefined
  })
  return codes.includes(undefined) ? undefined : codes.join('')
}
