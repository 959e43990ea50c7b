/** What a server offers: its lists, page after page within bounds, and each entry brought into a shape we can use. */

import { isObject, type JsonObject } from '../../protocol/json.js'
import type { ToolAnnotations } from '../../protocol/mcp-servers.js'
import { cleanDescription, cleanServerLine } from '../clean-text.js'
import { type ParamHeader, readParamHeaders } from '../stateless/param-headers.js'
import { cleanSchema } from './usable-schema.js'

export type ListedTool = {
  /** As the server calls it. */
  name: string
  description: string
  inputSchema: JsonObject
  outputSchema: JsonObject | undefined
  annotations: ToolAnnotations
  /** The server says that this one needs the user. */
  needsUser: boolean
  alwaysLoad: boolean
  /** Arguments that its server wants as headers, too. */
  paramHeaders: readonly ParamHeader[]
  /** Its user interface (`ui://…`), and who can call it. */
  ui: { uri?: string; isForModel: boolean; isForApp: boolean }
  /** What it says a call may take; only a host's own tools are believed. */
  timeoutMs: number | undefined
}
export type ServerPrompt = { name: string; description: string; arguments: { name: string; required: boolean }[] }
export type ServerResource = { uri: string; name: string; mimeType?: string; description?: string }

const MAX_PAGES = 100
export const MAX_TOOLS = 1000
const MAX_PROMPTS = 200
const MAX_RESOURCES = 2000
const MAX_URI = 4096
/** No list is believed for longer. */
const MAX_FRESH_MS = 24 * 60 * 60 * 1000
/** A name longer than this isn't a name. */
const MAX_NAME = 400

export type FetchListPage = (params: JsonObject | undefined) => Promise<JsonObject>
export type ListedEntries<T> = {
  entries: T[]
  notes: string[]
  /** For so many ms the server says that it stays so; 0: it says nothing. */
  freshMs: number
}

export const listTools = (ask: FetchListPage) => listAll(ask, 'tools', toListedTool, MAX_TOOLS)
export const listPrompts = (ask: FetchListPage) => listAll(ask, 'prompts', toPrompt, MAX_PROMPTS)
export const listResources = (ask: FetchListPage) => listAll(ask, 'resources', toResource, MAX_RESOURCES)
export const listTemplates = (ask: FetchListPage) => listAll(ask, 'resourceTemplates', toTemplate, MAX_RESOURCES)

async function listAll<T extends { name: string }>(
  ask: FetchListPage,
  key: string,
  read: (entry: JsonObject, notes: string[]) => T | undefined,
  max: number,
): Promise<ListedEntries<T>> {
  const entries: T[] = []
  const notes: string[] = []
  const seen = new Set<string>()
  const names = new Set<string>()
  let cursor: string | undefined
  let freshMs = MAX_FRESH_MS
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await ask(cursor === undefined ? undefined : { cursor })
    freshMs = Math.min(freshMs, readFreshMs(answer['ttlMs']))
    const list = answer[key]
    if (!Array.isArray(list)) {
      notes.push(`its list of ${key} isn't a list`)
      break
    }
    let looked = 0
    for (; looked < list.length && entries.length < max; looked += 1) {
      const entry: unknown = list[looked]
      const usable = isObject(entry) ? read(entry, notes) : undefined
      if (usable) entries.push(usable)
      if (key === 'tools' && usable) noteTwice(usable.name, names, notes)
    }
    const next = answer['nextCursor']
    if (entries.length >= max) {
      const isMore = looked < list.length || typeof next === 'string'
      if (isMore) notes.push(`it has more than ${max} ${key}: the others are left out`)
      break
    }
    // The same page again and again would be all there ever is.
    if (typeof next !== 'string' || seen.has(next)) break
    seen.add(next)
    cursor = next
  }
  return { entries, notes: notes.slice(0, 5), freshMs }
}

function readFreshMs(given: unknown): number {
  return typeof given === 'number' && given > 0 ? given : 0
}

/** The server itself could not tell the two apart, so only the first is used. */
function noteTwice(name: string, names: Set<string>, notes: string[]): void {
  if (names.has(name))
    notes.push(
      `it has more than one tool called ${cleanServerLine(name, 60)}: only the first is used, give each its own name`,
    )
  names.add(name)
}

export function toListedTool(entry: JsonObject, notes: string[]): ListedTool | undefined {
  const { name, annotations } = entry
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) {
    notes.push('a tool without a usable name is left out')
    return undefined
  }
  const schema = cleanSchema(entry['inputSchema'])
  if (schema.note !== undefined) notes.push(`the tool ${cleanServerLine(name, 60)}: ${schema.note}`)
  const wanted = schema.note === undefined ? readParamHeaders(entry['inputSchema']) : { headers: [] }
  if (wanted.problem !== undefined) {
    notes.push(`the tool ${cleanServerLine(name, 60)} is left out: ${wanted.problem}`)
    return undefined
  }
  const hints = isObject(annotations) ? annotations : {}
  const meta = isObject(entry['_meta']) ? entry['_meta'] : {}
  const outputSchema = isObject(entry['outputSchema']) ? cleanSchema(entry['outputSchema']) : undefined
  return {
    name,
    description: cleanDescription(entry['description']),
    inputSchema: schema.schema,
    outputSchema: outputSchema?.note === undefined ? outputSchema?.schema : undefined,
    annotations: {
      ...flag('readOnlyHint', hints),
      ...flag('destructiveHint', hints),
      ...flag('idempotentHint', hints),
      ...flag('idempotentHint', hints),
      ...flag('openWorldHint', hints),
    },
    needsUser: meta['anthropic/requiresUserInteraction'] === true,
    paramHeaders: wanted.headers,
    alwaysLoad: meta['anthropic/alwaysLoad'] === true,
    ui: uiOf(meta),
    timeoutMs: typeof meta['kedge/timeoutMs'] === 'number' ? meta['kedge/timeoutMs'] : undefined,
  }
}

function flag(name: keyof ToolAnnotations, hints: JsonObject): ToolAnnotations {
  return typeof hints[name] === 'boolean' ? { [name]: hints[name] } : {}
}

function toPrompt(entry: JsonObject): ServerPrompt | undefined {
  const { name, description } = entry
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return undefined
  const given = Array.isArray(entry['arguments']) ? entry['arguments'].slice(0, 50) : []
  return {
    name,
    description: cleanServerLine(description, 500),
    arguments: given.flatMap((one) =>
      isObject(one) && typeof one['name'] === 'string' ? { name: one['name'], required: one['required'] === true } : [],
    ),
  }
}

function toResource(entry: JsonObject): ServerResource | undefined {
  return describeResource(entry, entry['uri'])
}

function toTemplate(entry: JsonObject): ServerResource | undefined {
  return describeResource(entry, entry['uriTemplate'])
}

function describeResource(entry: JsonObject, uri: unknown): ServerResource | undefined {
  if (typeof uri !== 'string' || uri === '' || uri.length > MAX_URI) return undefined
  const { mimeType, description } = entry
  return {
    name: cleanServerLine(entry['name']) || cleanServerLine(uri),
    uri,
    ...(typeof mimeType === 'string' ? { mimeType: cleanServerLine(mimeType) } : {}),
    ...(typeof description === 'string' && description !== '' ? { description: cleanDescription(description) } : {}),
  }
}

/** The user interface that a tool has (MCP Apps), and whether the interface or the model alone may call the tool. */
function uiOf(meta: JsonObject): ListedTool['ui'] {
  const ui = isObject(meta['ui']) ? meta['ui'] : {}
  const uri = ui['resourceUri'] ?? meta['ui/resourceUri']
  const { visibility } = ui
  const isForModel = !Array.isArray(visibility) || visibility.includes('model')
  const isForApp = !Array.isArray(visibility) || visibility.includes('app')
  return { ...(typeof uri === 'string' && /^ui:\/\/.{1,500}$/.test(uri) ? { uri } : {}), isForModel, isForApp }
}
