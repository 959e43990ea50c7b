/**
 * The tools the main thread is offered: our own, and those of MCP servers, as far as they fit; the rest it has to search for.
 * Whatever changes the offer does it here.
 */

import type { ToolDefinition } from '../../engine/ports.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import type { Mutable } from '../../protocol/changeable.js'
import type { MainToolOffer } from '../conversation.js'
import { instructionLines } from '../mcp/server-instructions.js'
import type { ModelSetup } from '../model-setup.js'

const SEARCH = 'ToolSearch'
/** Default share of the context window, in percent. */
const SHARE = 10
const CHARACTERS_PER_TOKEN = 3.6
/** Names that are told; the others are found by words. */
const MAX_NAMES = 100

export type MainToolOfferPorts = {
  /** What every session begins with. */
  own: readonly ToolDefinition[]
  /** Offered where a server has resources. */
  resourceTools: readonly ToolDefinition[]
  servers: ServerOffer
  permissions: Pick<Permissions, 'removedTools'>
  model: Pick<ModelSetup, 'contextWindow' | 'endpoint'>
  env(): Readonly<Record<string, string | undefined>>
  /** How long the conversation is: one that was cleared or summed up has forgotten what it was told. */
  messageCount(): number
}

/** What MCP servers bring. */
type ServerOffer = {
  definitions(): readonly { definition: ToolDefinition; alwaysLoad: boolean }[]
  hasResources(): boolean
  /** Names of those that are still starting. */
  pending(): string[]
  /** How servers want to be used, in their own words. */
  instructions(): readonly { server: string; text: string }[]
}

/** Creates the tool offer of the main thread. */
export function createMainToolOffer(ports: MainToolOfferPorts): MainToolOffer {
  const { servers, permissions, resourceTools } = ports
  let mayOffer = (_name: string) => true
  /** Found by a search: offered from then on. */
  const found = new Set<string>()
  /** Tools whose definition reaches the model only through a reference. The same object in every request. */
  const referable = new Map<string, ToolDefinition>()
  let wasPending = false
  let told = { text: '', at: 0 }

  const isOwn = ({ name }: ToolDefinition) =>
    !name.startsWith('mcp__') && !resourceTools.some((tool) => tool.name === name)

  const allowed = () => {
    const tools = servers.definitions()
    const removed = new Set(permissions.removedTools(tools.map(({ definition }) => definition.name)))
    return tools.filter(({ definition: { name } }) => !removed.has(name) && mayOffer(name))
  }
  const update = () => {
    const own = offer.offered.filter(isOwn)
    const tools = allowed()
    const some = tools.filter(({ alwaysLoad }) => !alwaysLoad).map(({ definition }) => definition)
    const isSearchable = own.some(({ name }) => name === SEARCH)
    const defers = isSearchable && isTooMuch(some, ports)
    wasPending ||= servers.pending().length > 0
    offer.deferred = defers ? some : []
    const shown = tools.filter(({ definition, alwaysLoad }) => !defers || alwaysLoad || found.has(definition.name))
    const withResources = servers.hasResources() ? resourceTools.filter(({ name }) => mayOffer(name)) : []
    offer.offered = [...own, ...shown.map(({ definition }) => definition), ...withResources]
  }
  const definitions = () => {
    const all = toolsInRequest(offer.offered, hasMore())
    if (offer.deferred.length === 0 || !ports.model.endpoint().takesReferences) return all
    for (const tool of offer.deferred)
      if (!referable.has(tool.name)) referable.set(tool.name, { ...tool, defer_loading: true })
    // Includes removed tools, because the conversation might refer to them.
    return [...all.filter(({ name }) => !referable.has(name)), ...referable.values()]
  }
  const hasMore = () => offer.deferred.length > 0 || servers.pending().length > 0

  const offer: Mutable<MainToolOffer> = {
    offered: ports.own,
    deferred: [],
    hasMore,
    definitions,
    update,
    change(edit) {
      offer.offered = edit(offer.offered)
    },
    narrow(may) {
      mayOffer = may
      offer.offered = offer.offered.filter(({ name }) => may(name))
    },
    isAllowed: (name) => permissions.removedTools([name]).length === 0 && mayOffer(name),
    searchable: () => (offer.deferred.length > 0 || wasPending ? allowed().map(({ definition }) => definition) : []),
    activate(names) {
      for (const name of names) found.add(name)
      update()
    },
    reminders() {
      const text = remindersOf(servers.pending(), offer.deferred, servers.instructions()).join('\n')
      const at = ports.messageCount()
      if (text === told.text && at >= told.at) return []
      told = { text, at }
      return text === '' ? [] : [text]
    },
  }
  return offer
}

/** What a request offers: everything on offer, and a search only where there is something to find. */
export function toolsInRequest(offered: readonly ToolDefinition[], hasMore: boolean): readonly ToolDefinition[] {
  return hasMore ? offered : offered.filter(({ name }) => name !== SEARCH)
}

function remindersOf(
  starting: readonly string[],
  deferred: readonly ToolDefinition[],
  instructions: readonly { server: string; text: string }[],
): string[] {
  return [
    ...(starting.length === 0
      ? []
      : [
          `MCP servers that are still starting: ${starting.join(', ')}. ${SEARCH} waits for them; their tools can be called once they are there.`,
        ]),
    ...(deferred.length === 0
      ? []
      : [`Further tools, which ${SEARCH} makes available: ${listed(deferred.map(({ name }) => name))}.`]),
    ...instructionLines(instructions),
  ]
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown
}

/** `ENABLE_TOOL_SEARCH`: `true` always, `false` never, `auto` or `auto:<percent of the window>`. */
function isTooMuch(
  tools: readonly ToolDefinition[],
  { env, model }: Pick<MainToolOfferPorts, 'env' | 'model'>,
): boolean {
  const wanted = env()['ENABLE_TOOL_SEARCH']?.trim().toLowerCase() ?? 'auto'
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
