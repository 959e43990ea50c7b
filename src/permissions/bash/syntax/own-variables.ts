/**
 * Which variables a command line has set itself by the time it uses them. Their values are in sight; any other variable comes from
 * outside and may hold a secret. Only what is certain counts: not what is set in a subshell, behind `||`, or where a redirect can fail.
 */
import type { AndOr, Command, ParameterExpansionPart, ParsedScript, SimpleExpansionPart, SyntaxNode } from 'unbash'

type ForEachChild = typeof import('unbash')['forEachChild']
type Expansion = SimpleExpansionPart | ParameterExpansionPart
type Names = Set<string>

/** Maximum nodes examined. */
const MOST_NODES = 10_000

/** The uses of variables that the script has set before. */
export function createOwnVariableDetector(
  script: ParsedScript,
  forEachChild: ForEachChild,
): (part: Expansion) => boolean {
  const uses = new Set<SyntaxNode>()
  let left = MOST_NODES

  /** Adds to `set` what is certain to be set once the node has run. */
  const walk = (node: SyntaxNode, set: Names): void => {
    if (--left < 0) return
    const inSubshell = (one: SyntaxNode, ...more: readonly string[]) => walk(one, new Set([...set, ...more]))
    switch (node.type) {
      case 'SimpleExpansion':
        if (set.has(node.text.slice(1))) uses.add(node)
        break
      case 'ParameterExpansion':
        if (set.has(node.parameter)) uses.add(node)
        forEachChild(node, (child) => walk(child, set))
        break
      case 'Statement':
        if (node.background) inSubshell(node.command)
        else walk(node.command, set)
        break
      case 'AndOr':
        walkChain(node, set)
        break
      case 'Pipeline':
        if (node.commands.length > 1) for (const one of node.commands) inSubshell(one)
        else for (const one of node.commands) walk(one, set)
        break
      case 'Command':
        walkCommand(node, set)
        break
      case 'If':
        walk(node.clause, set)
        for (const part of [node.then, ...node.elif, ...(node.else ? [node.else] : [])]) inSubshell(part)
        break
      case 'While':
        walk(node.clause, set)
        inSubshell(node.body, ...(node.kind === 'while' ? readNames(node.clause.commands.at(-1)?.command) : []))
        break
      case 'For':
      case 'Select':
        for (const word of node.wordlist ?? []) walk(word, set)
        inSubshell(node.body, ...(node.wordlist ? [node.name.value] : []))
        break
      case 'Function':
        walk(node.body, new Set())
        break
      case 'Redirected':
      case 'Subshell':
      case 'Case':
      case 'ArithmeticFor':
      case 'Coproc':
      case 'CommandExpansion':
      case 'ProcessSubstitution': {
        // They run by themselves, perhaps, or not at all.
        const copy = new Set(set)
        forEachChild(node, (child) => walk(child, copy))
        break
      }
      case 'ArithmeticBinary':
      case 'ArithmeticUnary':
      case 'ArithmeticTernary':
      case 'ArithmeticGroup':
        // A name in there is evaluated, which asks anyway; and it may be nested as deep as it is long.
        break
      default:
        forEachChild(node, (child) => walk(child, set))
        break
    }
  }

  const walkChain = ({ commands, operators }: AndOr, set: Names): void => {
    let chain: Names = set
    commands.forEach((command, i) => {
      if (i > 0) {
        const goesOn = operators.slice(0, i).every((operator) => operator === '&&')
        chain = goesOn ? new Set([...chain, ...readNames(commands[i - 1])]) : new Set(set)
      }
      walk(command, chain)
    })
  }

  const walkCommand = (node: Command, set: Names): void => {
    const certain = node.redirects.length === 0
    if (node.name) {
      forEachChild(node, (child) => walk(child, set))
      if (certain && node.name.text === 'export') addAssigned(node.suffix, set)
      return
    }
    for (const item of node.prefix) {
      walk(item, set)
      if (certain) addAssigned([item], set)
    }
  }

  walk(script, new Set())
  return (part) => uses.has(part)
}

function addAssigned(items: Command['suffix'], set: Names): void {
  for (const item of items)
    if (item.type === 'Assignment' && !item.append && !item.index && item.value.type === 'Word') set.add(item.name)
}

/** What `read -r line` has set where it has succeeded. */
function readNames(node: SyntaxNode | undefined): readonly string[] {
  if (node?.type !== 'Command' || node.name?.text !== 'read') return []
  const words = node.suffix.flatMap((item) => (item.type === 'Word' ? [item.text] : ['-?']))
  const names = words.filter((word) => word !== '-r')
  return names.every((name) => /^[A-Za-z_]\w*$/.test(name)) ? names : []
}
