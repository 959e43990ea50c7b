/** Which tools of MCP servers the model is offered, and which it has to search for because all of them would fill its window. */
import type { ToolDefinition } from '../../engine/ports.js'
import type { SessionParts } from '../session-parts.js'

const SEARCH = 'ToolSearch'
/** Of the context window, in percent. */
const SHARE = 10
const CHARACTERS_PER_TOKEN = 3.6
/** Names that are told; the others are found by words. */
const MAX_NAMES = 100

export type McpOffer = ReturnType<typeof createMcpOffer>

/** `resourceTools`: offered where a server has resources. */
export function createMcpOffer(parts: () => SessionParts, resourceTools: readonly ToolDefinition[]) {
  /** Found by a search: offered from then on. */
  const found = new Set<string>()
  let wasPending = false
  let told = { text: '', at: 0 }

  const isOwn = ({ name }: ToolDefinition) =>
    !name.startsWith('mcp__') && !resourceTools.some((tool) => tool.name === name)

  const allowed = () => {
    const { mcp, permissions, mayOffer } = parts()
    const tools = mcp.definitions()
    const removed = new Set(permissions.removedTools(tools.map(({ definition }) => definition.name)))
    return tools.filter(({ definition: { name } }) => !removed.has(name) && mayOffer(name))
  }

  return {
    /** Brings `offered` and `deferred` up to date. */
    update(): void {
      const session = parts()
      const own = session.offered.filter(isOwn)
      const tools = allowed()
      const some = tools.filter(({ alwaysLoad }) => !alwaysLoad).map(({ definition }) => definition)
      const isSearchable = own.some(({ name }) => name === SEARCH)
      const defers = isSearchable && isTooMuch(some, session)
      wasPending ||= session.mcp.pending().length > 0
      session.deferred = defers ? some : []
      const offered = tools.filter(({ definition, alwaysLoad }) => !defers || alwaysLoad || found.has(definition.name))
      const withResources = session.mcp.hasResources() ? resourceTools.filter(({ name }) => session.mayOffer(name)) : []
      session.offered = [...own, ...offered.map(({ definition }) => definition), ...withResources]
    },
    /** A tool that is there may be called, offered or not. */
    isAllowed: (name: string) => {
      const { permissions, mayOffer } = parts()
      return permissions.removedTools([name]).length === 0 && mayOffer(name)
    },
    /** For ToolSearch: what is left out, and what came after the model was last told. */
    searchable: (): readonly ToolDefinition[] => {
      const { deferred } = parts()
      return deferred.length > 0 || wasPending ? allowed().map(({ definition }) => definition) : []
    },
    activate(names: readonly string[]): void {
      for (const name of names) found.add(name)
      this.update()
    },
    /** A search makes sense: there is something to find, or to wait for. */
    hasMore: () => parts().deferred.length > 0 || parts().mcp.pending().length > 0,
    /** What the model is told of it before a prompt; the same things only once. */
    reminders(): string[] {
      const { deferred, mcp, history } = parts()
      const starting = mcp.pending()
      const lines = [
        ...(starting.length === 0
          ? []
          : [
              `MCP servers that are still starting: ${starting.join(', ')}. ${SEARCH} waits for them; their tools can be called once they are there.`,
            ]),
        ...(deferred.length === 0
          ? []
          : [`Further tools, which ${SEARCH} makes available: ${listed(deferred.map(({ name }) => name))}.`]),
      ]
      const text = lines.join('\n')
      // A conversation that was cleared or summed up has forgotten it.
      const at = history.messages.length
      if (text === told.text && at >= told.at) return []
      told = { text, at }
      return text === '' ? [] : [text]
    },
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown
}

/** `ENABLE_TOOL_SEARCH`: `true` always, `false` never, `auto` or `auto:<percent of the window>`. */
function isTooMuch(tools: readonly ToolDefinition[], { settings, model }: SessionParts): boolean {
  const wanted = settings.env['ENABLE_TOOL_SEARCH']?.trim().toLowerCase() ?? 'auto'
  if (tools.length === 0 || wanted === 'false' || wanted === '0') return false
  if (wanted === 'true' || wanted === '1') return true
  const [, percent] = /^auto:(\d{1,3})$/.exec(wanted) ?? []
  const share = percent === undefined ? SHARE : Math.min(100, Number(percent))
  const limit = (model.contextWindow() * share * CHARACTERS_PER_TOKEN) / 100
  let length = 0
  for (const tool of tools) {
    length += JSON.stringify(tool).length
    if (length > limit) return true
  }
  return false
}
