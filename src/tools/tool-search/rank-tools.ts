/** Finds tools by name or by words. The same tools and the same query give the same result, in whatever order the tools come. */
import type { ToolDefinition } from '../../engine/ports.js'

export type ToolMatches = {
  /** The best first. */
  found: ToolDefinition[]
  /** Names that were asked for and are not there. */
  missing: string[]
}

/** More words than this say nothing more. */
const MAX_WORDS = 32

export function searchTools(tools: readonly ToolDefinition[], query: string, limit: number): ToolMatches {
  const selected = /^\s*select:(.*)$/is.exec(query)?.[1]
  if (selected !== undefined) return selectTools(tools, selected)
  const words = query.toLowerCase().split(/\s+/).slice(0, MAX_WORDS)
  const required = words.filter((word) => word.startsWith('+')).map((word) => word.slice(1))
  const terms = [...new Set([...required, ...words.filter((word) => !word.startsWith('+'))])].filter(Boolean)
  const scored = tools.flatMap((tool) => {
    const score = scorer(tool)
    const total = terms.reduce((sum, term) => sum + score(term), 0)
    return total > 0 && required.every((term) => term === '' || score(term) > 0) ? [{ tool, total }] : []
  })
  scored.sort((a, b) => b.total - a.total || compare(a.tool.name, b.tool.name))
  return { found: scored.slice(0, limit).map(({ tool }) => tool), missing: [] }
}

/** In the order they are named; upper and lower case may differ where that leaves no doubt. */
function selectTools(tools: readonly ToolDefinition[], list: string): ToolMatches {
  const found = new Set<ToolDefinition>()
  const missing = new Set<string>()
  for (const name of list.split(',').map((part) => part.trim())) {
    if (name === '') continue
    const alike = tools.filter((tool) => tool.name.toLowerCase() === name.toLowerCase())
    const tool = alike.find((one) => one.name === name) ?? (alike.length === 1 ? alike[0] : undefined)
    if (tool) found.add(tool)
    else missing.add(name)
  }
  return { found: [...found], missing: [...missing] }
}

/** A word of the name counts more than a part of it, and that more than the description. */
function scorer({ name, description }: ToolDefinition): (term: string) => number {
  const whole = name.toLowerCase()
  const nameWords = new Set(wordsOf(name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')))
  const text = description.toLowerCase()
  const textWords = new Set(wordsOf(description))
  return (term) => {
    if (term === whole) return 100
    if (nameWords.has(term)) return 10
    if (whole.includes(term)) return 5
    if (textWords.has(term)) return 3
    return text.includes(term) ? 1 : 0
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}

/** By code units: no locale has a say in it. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
