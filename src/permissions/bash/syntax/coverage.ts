/** Whether the parser's tree accounts for every character of a command line, so that nothing runs which no node stands for. */
import type { ParsedScript, Word as ParsedWord, SyntaxNode } from 'unbash'

type ForEachChild = typeof import('unbash')['forEachChild']
type Range = { pos: number; end: number }

/** Blanks, separators, and the words and signs of the grammar that stand between nodes. */
const BETWEEN =
  /^(?:[ \t\n;&|(){}!]|\\\n|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|coproc|time|-p|--)(?![^\s;&|()<>]))*$/

/** Node types whose text is all their own; below them, only substitutions are looked into. */
const WHOLE = new Set(['Word', 'Assignment', 'Redirect', 'HereString', 'HereDoc', 'TestCommand', 'ArithmeticCommand'])

export function isCovered(script: ParsedScript, source: string, forEachChild: ForEachChild): boolean {
  const nested: { script: ParsedScript; from: string }[] = []
  const check = (one: ParsedScript, text: string): boolean => {
    const ranges: Range[] = []
    let tiled = true
    const visit = (node: SyntaxNode, isInside: boolean): void => {
      if (node.type === 'Script' && node !== one) {
        nested.push({ script: node, from: node.source ?? text })
        return
      }
      if (node.type === 'Word' && !areTiled(node)) tiled = false
      if (!isInside) ranges.push(...rangesOf(node))
      forEachChild(node, (child) => visit(child, isInside || WHOLE.has(node.type)))
    }
    visit(one, false)
    return tiled && areFilled(ranges, one, text)
  }
  if (!check(script, source)) return false
  // What is found on the way is looked at too.
  for (const { script: one, from } of nested) if (!check(one, from)) return false
  return true
}

function rangesOf(node: SyntaxNode): Range[] {
  if (node.type === 'HereDoc') return [node, node.body, ...(node.closing ? [node.closing] : [])]
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

function areFilled(ranges: readonly Range[], script: ParsedScript, text: string): boolean {
  const sorted = [...ranges, { pos: script.end, end: script.end }].sort((a, b) => a.pos - b.pos || a.end - b.end)
  let at = script.pos
  for (const { pos, end } of sorted) {
    if (pos > at && !isBetween(text, at, pos)) return false
    at = Math.max(at, end)
  }
  return true
}

/** Comments begin behind a blank or a separator, never right behind a word or a parenthesis. */
function isBetween(text: string, from: number, to: number): boolean {
  let rest = ''
  for (let i = from; i < to; i++) {
    const char = text.charAt(i)
    if (char !== '#') rest += char
    else if (i > 0 && (!/[ \t\n;&|]/.test(text.charAt(i - 1)) || text.startsWith('\\\n', i - 2))) return false
    else {
      const end = text.indexOf('\n', i)
      i = (end < 0 || end > to ? to : end) - 1
    }
  }
  return BETWEEN.test(rest)
}
