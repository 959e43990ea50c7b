/** Prints arithmetic from its tree, operand by operand. */
import type { ArithmeticExpression, ParsedScript, WordPart } from 'unbash'
import type { ShellCode } from './shell-quotes.js'

type PartCodes = {
  of(part: WordPart, quoted: boolean): ShellCode
  substitution(script: ParsedScript | undefined): ShellCode
}

const OPERATOR = /^(?:[-+*/%<>=!&|^,~]{1,3}|\+\+|--)$/
/** A name, a number, an element of an array: nothing that bash would expand. */
const OPERAND = /^[\w[\]+\-*/%#@.]*$/

export function printArithmetic(node: ArithmeticExpression, parts: PartCodes): ShellCode {
  switch (node.type) {
    case 'ArithmeticBinary': {
      const [left, right] = [printArithmetic(node.left, parts), printArithmetic(node.right, parts)]
      if (left === undefined || right === undefined || !OPERATOR.test(node.operator)) return undefined
      return `${left} ${node.operator} ${right}`
    }
    case 'ArithmeticUnary': {
      const operand = printArithmetic(node.operand, parts)
      if (operand === undefined || !OPERATOR.test(node.operator)) return undefined
      return node.prefix ? `${node.operator} ${operand}` : `${operand} ${node.operator}`
    }
    case 'ArithmeticTernary': {
      const codes = [node.test, node.consequent, node.alternate].map((one) => printArithmetic(one, parts))
      return codes.includes(undefined) ? undefined : `${codes[0]} ? ${codes[1]} : ${codes[2]}`
    }
    case 'ArithmeticGroup': {
      const inner = printArithmetic(node.expression, parts)
      return inner === undefined ? undefined : `( ${inner} )`
    }
    case 'ArithmeticCommandExpansion':
      return withoutCase(parts.substitution(node.script))
    case 'ArithmeticWord': {
      if (!node.parts) return OPERAND.test(node.value) ? node.value : undefined
      const codes = node.parts.map((part) => {
        if (part.type === 'Literal') return OPERAND.test(part.text) ? part.text : undefined
        return /^(?:Simple|Parameter|Arithmetic|Command)Expansion$/.test(part.type)
          ? withoutCase(parts.of(part, true))
          : undefined
      })
      return codes.includes(undefined) ? undefined : codes.join('')
    }
    default:
      return undefined
  }
}

/** Bash 5.2 takes `$(( 1 + $(case …) ))` for a command inside of a substitution, and runs a program named `1`. */
function withoutCase(code: ShellCode): ShellCode {
  return code !== undefined && /\bcase\b/.test(code) ? undefined : code
}
