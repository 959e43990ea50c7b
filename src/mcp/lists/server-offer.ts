/**
 * What a server offers, as it was last listed. What stays the same stays the same object, so that a list that is read again
 * and says nothing new changes no request to the model.
 */
import type { Clock } from '../../platform/clock.js'
import type { ListedKind, ListKind, ServerToolsAndResources } from './list-offer.js'

const NOTHING: ServerToolsAndResources = { tools: [], prompts: [], resources: [], templates: [] }
const KEYS = ['tools', 'prompts', 'resources', 'templates'] as const

export type ServerOffer = ReturnType<typeof createServerOffer>

export function createServerOffer(clock: Pick<Clock, 'monotonic'>) {
  let offer = NOTHING
  const freshUntil = new Map<ListKind, number>()

  const isSame = (key: keyof ServerToolsAndResources, entries: unknown) =>
    JSON.stringify(offer[key]) === JSON.stringify(entries)
  const takePart = ({ kind, part, freshMs }: ListedKind): boolean => {
    if (freshMs > 0) freshUntil.set(kind, clock.monotonic() + freshMs)
    else freshUntil.delete(kind)
    const { tools = offer.tools, prompts = offer.prompts, resources = offer.resources } = part
    const { templates = offer.templates } = part
    const next = {
      tools: isSame('tools', tools) ? offer.tools : tools,
      prompts: isSame('prompts', prompts) ? offer.prompts : prompts,
      resources: isSame('resources', resources) ? offer.resources : resources,
      templates: isSame('templates', templates) ? offer.templates : templates,
    }
    const isNew = KEYS.some((key) => next[key] !== offer[key])
    if (isNew) offer = next
    return isNew
  }

  return {
    current: (): ServerToolsAndResources => offer,
    /** The server is no longer there. */
    clear(): void {
      offer = NOTHING
      freshUntil.clear()
    },
    /** What its server said about time no longer counts. */
    expire: (): void => freshUntil.clear(),
    /** Returns whether anything isn't as it was. */
    take: (lists: readonly ListedKind[]): boolean => lists.map(takePart).some(Boolean),
    /** Its server said that a list stays as it is, and the time it named isn't over. */
    isFresh: (kind: ListKind): boolean => (freshUntil.get(kind) ?? 0) > clock.monotonic(),
    /** Lists whose time is over: they are due to be read again. */
    stale: (): ListKind[] => [...freshUntil].flatMap(([kind, until]) => (until <= clock.monotonic() ? [kind] : [])),
  }
}
