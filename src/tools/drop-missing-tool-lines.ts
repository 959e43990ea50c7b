/** What a description says about other tools holds only where those are offered. */
import { BUILTIN_TOOL_NAMES } from '../protocol/tool-names.js'

type Described = { readonly name: string; readonly description: string }

/** Removes from each built-in tool's description the lines that name a tool which isn't offered. */
export function dropMissingToolLines<T extends Described>(tools: readonly T[]): T[] {
  const missing = BUILTIN_TOOL_NAMES.filter((name) => !tools.some((tool) => tool.name === name))
  // At the start of a sentence or a list it is a verb or the name of something else.
  const names = new RegExp(`[a-z,;:(] (?:${missing.join('|')})\\b`)
  const isKept = (line: string) => !line.startsWith('- ') || !names.test(line)
  return tools.map((tool) => {
    if (tool.name.startsWith('mcp__')) return tool
    const lines = tool.description.split('\n')
    const kept = lines.filter(isKept)
    return kept.length === lines.length ? tool : { ...tool, description: kept.join('\n') }
  })
}
