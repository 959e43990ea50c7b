/** Lists what a server offers: all of it when it's greeted, one kind when that has changed. */
import { isObject, type JsonObject } from '../../protocol/json.js'
import {
  type FetchListPage,
  type ListedEntries,
  type ListedTool,
  listPrompts,
  listResources,
  listTemplates,
  listTools,
  type ServerPrompt,
  type ServerResource,
} from './server-lists.js'

/** What an MCP server offers. */
export type ServerToolsAndResources = {
  tools: ListedTool[]
  prompts: ServerPrompt[]
  resources: ServerResource[]
  templates: ServerResource[]
}

export type ListKind = 'tools' | 'prompts' | 'resources'

/** One list as the server gave it. `freshMs`: for how long it says that this stays so; 0: it doesn't. */
export type ListedKind = {
  kind: ListKind
  part: Partial<ServerToolsAndResources>
  notes: readonly string[]
  freshMs: number
}

export type AskForList = (method: string) => FetchListPage

/** Lists one kind. Rejects when it can't be listed. */
export async function listKind(kind: ListKind, ask: AskForList): Promise<ListedKind> {
  if (kind === 'tools') return listed(kind, (tools) => ({ tools }), await listTools(ask('tools/list')))
  if (kind === 'prompts') return listed(kind, (prompts) => ({ prompts }), await listPrompts(ask('prompts/list')))
  const [resources, templates] = await Promise.all([
    listResources(ask('resources/list')),
    // Many servers have none and say so with an error.
    listTemplates(ask('resources/templates/list')).catch(() => undefined),
  ])
  return {
    kind,
    part: { resources: resources.entries, templates: templates?.entries ?? [] },
    notes: [...resources.notes, ...(templates?.notes ?? [])],
    freshMs: Math.min(resources.freshMs, templates?.freshMs ?? resources.freshMs),
  }
}

/**
 * Lists what a server says it has. Rejects when its tools can't be listed; without prompts or resources it still has its
 * tools. `given`: its tools, where they are known without asking. `isFresh`: what need not be asked again.
 */
export async function listOffer(
  capabilities: JsonObject,
  ask: AskForList,
  given: object | undefined,
  isFresh: (kind: ListKind) => boolean,
): Promise<ListedKind[]> {
  const list = (kind: ListKind): Promise<ListedKind> | ListedKind | undefined => {
    if (kind === 'tools' && given) return listKind(kind, () => async () => ({ ...given }))
    if (!isObject(capabilities[kind])) return { ...EMPTY[kind], notes: [] }
    return isFresh(kind) ? undefined : listKind(kind, ask)
  }
  const orNone = async (kind: 'prompts' | 'resources') => {
    try {
      return await list(kind)
    } catch (error) {
      return { ...EMPTY[kind], notes: [`its ${kind} can't be listed: ${error}`] }
    }
  }
  const all = await Promise.all([list('tools'), orNone('prompts'), orNone('resources')])
  return all.filter((one) => one !== undefined)
}

const EMPTY: Readonly<Record<ListKind, Omit<ListedKind, 'notes'>>> = {
  tools: { kind: 'tools', part: { tools: [] }, freshMs: 0 },
  prompts: { kind: 'prompts', part: { prompts: [] }, freshMs: 0 },
  resources: { kind: 'resources', part: { resources: [], templates: [] }, freshMs: 0 },
}

function listed<T>(
  kind: ListKind,
  toPart: (entries: T[]) => ListedKind['part'],
  { entries, notes, freshMs }: ListedEntries<T>,
): ListedKind {
  return { kind, part: toPart(entries), notes, freshMs }
}
