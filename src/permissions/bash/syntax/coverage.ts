/** Whether the parser's tree accounts for every character of a command line, so that nothing runs which no node stands for. */
import type { ParsedScript, Word as ParsedWord, SyntaxNode } from 'unbash'

type ForEachChild = typeof import('unbash')['forEachChild']
type Range = { pos: number; end: number; isWord?: boolean }

/** Spaces, separators, and the words and signs of the grammar that stand between nodes. */
const BETWEEN =
  /^(?:[ \t\n;&|(){}!]|\\\n|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|coproc|time|-p|--)(?![^\s;&|()<>]))*$/

/** Node types whose text is all their own; below them, only substitutions are looked into. */
const WHOLE = new Set(['Word', 'Assignment', 'Redirect', 'HereString', 'HereDoc', 'TestCommand', 'ArithmeticCommand'])

/** How many of each sign the nodes account for. */
type Signs = Record<string, number>

export function isSourceCoveredByTree(script: ParsedScript, source: string, forEachChild: ForEachChild): boolean {
  const nested: { script: ParsedScript; from: string }[] = []
  const check = (one: ParsedScript, text: string): boolean => {
    const ranges: Range[] = []
    const signs: Signs = {}
    let tiled = true
    // A list instead of calls: arithmetic may be nested as deep as it is long.
    const waiting: { node: SyntaxNode; isInside: boolean }[] = [{ node: one, isInside: false }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { node, isInside } = next
      if (node.type === 'Script' && node !== one) {
        nested.push({ script: node, from: node.source ?? text })
        continue
      }
      if (node.type === 'Word' && !areTiled(node)) tiled = false
      // `2>1>x`: bash takes the second number for that of a descriptor.
      if (node.type === 'Redirect' && /^\d+$/.test(node.target?.text ?? '') && /[<>]/.test(text.charAt(node.end)))
        tiled = false
      if (!isInside) {
        ranges.push(...rangesOf(node))
        countSigns(node, text, signs)
      }
      const below = isInside || WHOLE.has(node.type)
      forEachChild(node, (child) => waiting.push({ node: child, isInside: below }))
    }
    return tiled && areFilled(ranges, one, text, signs)
  }
  if (!check(script, source)) return false
  // What is found on the way is looked at too.
  for (const { script: one, from } of nested) if (!check(one, from)) return false
  return true
}

/** Adds the parentheses and braces that a node stands in. */
function countSigns(node: SyntaxNode, text: string, signs: Signs): void {
  const pair = (open: string, close: string, count = 1) => {
    signs[open] = (signs[open] ?? 0) + count
    signs[close] = (signs[close] ?? 0) + count
  }
  if (node.type === 'Subshell') pair('(', ')')
  else if (node.type === 'BraceGroup') pair('{', '}')
  else if (node.type === 'ArithmeticFor') pair('(', ')', 2)
  else if (node.type === 'Function' && text.slice(node.name.end, node.body.pos).includes('(')) pair('(', ')')
  else if (node.type === 'CaseItem') {
    pair(text.charAt(node.pos) === '(' ? '(' : '', ')')
  }
}

function rangesOf(node: SyntaxNode): Range[] {
  if (node.type === 'HereDoc') return [node, node.body, ...(node.closing ? [node.closing] : [])]
  if (node.type === 'Word' || node.type === 'Assignment') return [{ pos: node.pos, end: node.end, isWord: true }]
  if (WHOLE.has(node.type) || node.type.startsWith('Arithmetic')) return node.type === 'ArithmeticFor' ? [] : [node]
  return []
}

/** The parts of a word follow each other without a gap. */
function areTiled({ pos, end, parts }: ParsedWord): boolean {
  let at = pos
  for (const part of parts ?? []) {
    if (part.pos !== at) return false
    at = part.end
  }
  return !parts || at === end
}

function areFilled(ranges: readonly Range[], script: ParsedScript, text: string, signs: Signs): boolean {
  const sorted = [...ranges, { pos: script.end, end: script.end }].sort((a, b) => a.pos - b.pos || a.end - b.end)
  const left: Signs = { ...signs, '': 0 }
  let at = script.pos
  let word = false
  for (const { pos, end, isWord = false } of sorted) {
    const between = pos > at ? withoutComments(text, at, pos) : ''
    // Bash joins continued lines first, which can make one operator of `;` and `&`.
    if (/[;&|<>()](?:\\\n)+[;&|<>()]/.test(text.slice(Math.max(0, at - 1), pos + 1))) return false
    // Two words in a row are one to bash.
    if (word && isWord && pos >= at && between?.replaceAll('\\\n', '') === '') return false
    if (between === undefined || !BETWEEN.test(between) || hasEmptyCommand(between)) return false
    for (const [sign] of between.matchAll(/[(){}]/g)) left[sign] = (left[sign] ?? 0) - 1
    at = Math.max(at, end)
    word = isWord
  }
  return Object.values(left).every((count) => count === 0)
}

/** Separators in a row, with no command in between: an error to bash, but to no other reader. */
function hasEmptyCommand(between: string): boolean {
  const simple = between.replace(/;;&|;;|;&/g, 'T').replace(/&&|\|\||\|&/g, '|')
  return /[;&|\n][ \t\n]*[;&|]/.test(simple)
}

/** Undefined: one begins right behind a word or a parenthesis, and not behind a blank or a separator. */
function withoutComments(text: string, from: number, to: number): string | undefined {
  let rest = ''
  for (let i = from; i < to; i++) {
    const char = text.charAt(i)
    if (char !== '#') rest += char
    else if (i > 0 && (!/[ \t\n;&|]/.test(text.charAt(i - 1)) || text.startsWith('\\\n', i - 2))) return undefined
    else {
      const end = text.indexOf('\n', i)
      i = (end < 0 || end > to ? to : end) - 1
    }
  }
  return rest
}
