/**
 * Tools of servers as they were when a call of theirs was let run. A server that says something else of one later may want
 * it used for something else, and who approved it does not know: so it is told.
 */
import type { EngineTool, ToolDefinition } from '../../engine/ports.js'
import { sha256 } from '../../platform/files/content-hash.js'
import { oneLine, printableText } from '../../platform/visible-text.js'

/** `hash`: of all that the server says of it. */
export type McpToolFingerprint = { description: string; hash: string }

export type ApprovedToolsPorts = {
  /** What of the server of that tool makes it this one; undefined: it is nobody else's, and forgotten with the session. */
  identity(tool: string): string | undefined
  definition(tool: string): ToolDefinition | undefined
  /** What earlier sessions noted. */
  load(): Promise<Readonly<Record<string, McpToolFingerprint>>>
  save(key: string, mark: McpToolFingerprint): Promise<void>
  report(text: string, tool: string, before: string, now: string): void
}

const MAX_DESCRIPTION = 2000
const CHANGED = 'Its server describes it otherwise than when it was last used.'

export function createApprovedMcpToolTracker({ identity, definition, load, save, report }: ApprovedToolsPorts) {
  const approved = new Map<string, McpToolFingerprint>()
  const changed = new Map<string, string>()
  let earlier: Promise<Readonly<Record<string, McpToolFingerprint>>> | undefined

  const keyOf = (tool: string) => {
    const server = identity(tool)
    return server === undefined ? undefined : `${tool} ${server}`
  }
  const knownOf = async (tool: string): Promise<McpToolFingerprint | undefined> => {
    const key = keyOf(tool)
    const own = approved.get(tool)
    if (own || key === undefined) return own
    earlier ??= load()
    return (await earlier)[key]
  }

  /** A call is let run: this is what it is approved as. */
  async function note(tool: string): Promise<void> {
    const given = definition(tool)
    if (!given) return
    const mark = await markOf(given)
    const known = await knownOf(tool)
    approved.set(tool, mark)
    changed.delete(tool)
    const key = keyOf(tool)
    if (key !== undefined && known?.hash !== mark.hash) await save(key, mark)
  }

  return {
    /** The lists of servers are new: says which tools are not what they were. */
    async look(definitions: readonly ToolDefinition[]): Promise<void> {
      for (const given of definitions) {
        const known = await knownOf(given.name)
        if (!known) continue
        const mark = await markOf(given)
        if (mark.hash === known.hash || changed.get(given.name) === mark.hash) continue
        changed.set(given.name, mark.hash)
        const [before, now] = [known.description, mark.description].map((text) =>
          printableText(oneLine(text, 300), 300),
        )
        const what =
          before === now ? 'what it takes has changed' : `its description was "${before}" and is now "${now}"`
        report(`${given.name} is not what it was when it was last used: ${what}.`, given.name, before ?? '', now ?? '')
      }
    },
    watch(tool: EngineTool): EngineTool {
      const isChanged = changed.has(tool.name)
      return {
        ...tool,
        ...(isChanged ? { warning: [tool.warning, CHANGED].filter(Boolean).join(' ') } : {}),
        async execute(call, ...rest) {
          await note(tool.name)
          return tool.execute(call, ...rest)
        },
      }
    },
  }
}

async function markOf({ description, input_schema: schema }: ToolDefinition): Promise<McpToolFingerprint> {
  const text = JSON.stringify([description, schema])
  return { description: description.slice(0, MAX_DESCRIPTION), hash: await sha256(new TextEncoder().encode(text)) }
}
