/**
 * Content blocks as they may stand in a damaged or foreign file: each is given back in a form the API takes, or not at all. One
 * block that is refused would make every request of the session fail.
 */

import type { ContentBlockParam } from '../protocol/content.js'
import { isObject } from '../protocol/json.js'

type Role = 'user' | 'assistant'
type Check = (value: unknown) => boolean
type Shape = { role?: Role; needs: Record<string, Check>; may?: Record<string, Check> }

/** No tool takes more, and to write down what is much deeper fails. */
const MAX_DEPTH = 200

/** Undefined: it can't be used. The same object when there was nothing to mend. */
export function repairContentBlock(role: Role, block: unknown): ContentBlockParam | undefined {
  if (!isObject(block)) return undefined
  if (isUsual(role, block)) return asBlock(block)
  if (isDeeper(block, MAX_DEPTH)) return undefined
  const type = String(block.type)
  const shape = SHAPES.get(type)
  if (!shape) return role === 'assistant' && PROVIDER_TYPE.test(type) ? asBlock(block) : undefined
  if (shape.role !== undefined && shape.role !== role) return undefined
  for (const name in shape.needs) if (!shape.needs[name]?.(block[name])) return undefined
  const mended = type === 'tool_result' ? withUsableContent(block) : block
  const isKnown = (name: string) => {
    if (name === 'type' || Object.hasOwn(shape.needs, name)) return true
    return shape.may !== undefined && Object.hasOwn(shape.may, name) && shape.may[name]?.(mended[name]) === true
  }
  const names = Object.keys(mended)
  if (names.every(isKnown)) return asBlock(mended)
  return asBlock(Object.fromEntries(names.filter(isKnown).map((name) => [name, mended[name]])))
}

/** Most blocks are a text or the result of a call as a text, and nothing but that. */
function isUsual(role: Role, block: JsonObject): boolean {
  if (block.type === 'text') return isText(block.text) && hasOnly(block, 'type', 'text')
  if (block.type !== 'tool_result' || role !== 'user') return false
  const { tool_use_id: id, content } = block
  return isName(id) && isString(content) && hasOnly(block, 'type', 'tool_use_id', 'content')
}

function hasOnly(block: JsonObject, ...names: string[]): boolean {
  for (const name in block) if (!names.includes(name)) return false
  return true
}

/** Left out without a word: the API refuses texts without content, and nothing is lost. */
export function isEmptyText(block: unknown): boolean {
  return isObject(block) && block.type === 'text' && typeof block.text === 'string' && !/\S/.test(block.text)
}

type JsonObject = Record<string, unknown>

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isString: Check = (value) => typeof value === 'string'
const isName: Check = (value) => typeof value === 'string' && /^[\w-]{1,200}$/.test(value)
const isBoolean: Check = (value) => typeof value === 'boolean'
const isList: Check = (value) => Array.isArray(value)
const isListOrNull: Check = (value) => value === null || Array.isArray(value)
const isAnything: Check = (value) => value !== undefined
const isResultContent: Check = (value) => value === undefined || isString(value) || isList(value)

const cached = { cache_control: (value: unknown) => isObject(value) && value.type === 'ephemeral' }

const SHAPES = new Map<string, Shape>(
  Object.entries<Shape>({
    text: { needs: { text: isText }, may: { ...cached, citations: isListOrNull } },
    image: { role: 'user', needs: { source: isSource(/^image\/(?:jpeg|png|gif|webp)$/) }, may: cached },
    document: {
      role: 'user',
      needs: { source: isSource(/^(?:application\/pdf|text\/plain)$/) },
      may: { ...cached, citations: isObject, context: isString, title: isString },
    },
    search_result: { role: 'user', needs: { content: isList, source: isText, title: isString }, may: cached },
    tool_reference: { role: 'user', needs: { tool_name: isText }, may: cached },
    tool_result: {
      role: 'user',
      needs: { tool_use_id: isName, content: isResultContent },
      may: { ...cached, is_error: isBoolean },
    },
    tool_use: {
      role: 'assistant',
      needs: { id: isName, name: isName, input: isObject },
      may: { ...cached, caller: isObject },
    },
    thinking: { role: 'assistant', needs: { thinking: isString, signature: isText } },
    redacted_thinking: { role: 'assistant', needs: { data: isText } },
    server_tool_use: {
      role: 'assistant',
      needs: { id: isName, name: isName, input: isObject },
      may: { caller: isObject },
    },
    web_search_tool_result: {
      role: 'assistant',
      needs: { tool_use_id: isName, content: isAnything },
      may: { caller: isObject },
    },
    web_fetch_tool_result: {
      role: 'assistant',
      needs: { tool_use_id: isName, content: isAnything },
      may: { caller: isObject },
    },
    compaction: { role: 'assistant', needs: { content: isString } },
  }),
)

/** What the provider's own tools leave behind goes back as it came. */
const PROVIDER_TYPE = /^(?:(?:bash_|text_editor_)?code_execution_tool_result|tool_search_tool_result|container_upload)$/

function isSource(mediaType: RegExp): Check {
  return (source) => {
    if (!isObject(source)) return false
    if (source.type === 'url') return isText(source.url)
    if (source.type === 'file') return isText(source.file_id)
    if (source.type === 'content') return isString(source.content) || isList(source.content)
    const isKnown = typeof source.media_type === 'string' && mediaType.test(source.media_type)
    if (source.type === 'text') return isKnown && isText(source.data)
    const isBase64 = typeof source.data === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(source.data)
    return source.type === 'base64' && isKnown && isBase64
  }
}

function withUsableContent(block: JsonObject): JsonObject {
  const { content } = block
  if (!Array.isArray(content)) return block
  const usable = content.map((inner) => (isEmptyText(inner) ? undefined : repairContentBlock('user', inner)))
  if (usable.every((inner, place) => inner === content[place])) return block
  return { ...block, content: usable.filter((inner) => inner !== undefined) }
}

/** Its fields were just looked at. */
function asBlock(block: JsonObject): ContentBlockParam {
  return block as ContentBlockParam
}

function isDeeper(value: object, depth: number): boolean {
  if (depth === 0) return true
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null && isDeeper(inner, depth - 1)) return true
  return false
}
