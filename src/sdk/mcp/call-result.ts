/** What a handler returned, as what may go to the agent: checked here, because in-process nothing else would. */
import { isObject } from '../../protocol/json.js'
import type { CallToolContent, CallToolResult } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'

export type CheckedToolResult = { ok: true; result: CallToolResult } | { ok: false; problem: string }

/** The fields of each kind of content that have to be texts, and those that may be there besides. */
const CONTENT: Record<CallToolContent['type'], { texts: string[]; others: string[] }> = {
  text: { texts: ['text'], others: [] },
  image: { texts: ['data', 'mimeType'], others: [] },
  audio: { texts: ['data', 'mimeType'], others: [] },
  resource_link: { texts: ['uri', 'name'], others: ['title', 'description', 'mimeType', 'size', 'icons'] },
  resource: { texts: [], others: ['resource'] },
}

export function checkToolResult(returned: unknown): CheckedToolResult {
  if (!isObject(returned)) return { ok: false, problem: `expected an object, received ${kindOf(returned)}` }
  const { content = [], structuredContent, isError, _meta, ...rest } = returned
  if (!Array.isArray(content)) return { ok: false, problem: `content: expected an array, received ${kindOf(content)}` }
  for (const [index, block] of content.entries()) {
    const problem = checkBlock(block)
    if (problem !== undefined) return { ok: false, problem: `content[${index}]${problem}` }
  }
  const plain = { structuredContent, _meta, ...rest }
  try {
    // Texts pass by reference; what can be anything is copied once, so that it is JSON for certain.
    const copied: unknown = JSON.parse(JSON.stringify(plain))
    const known = content.map(withoutUnknown)
    return {
      ok: true,
      result: { content: known, ...(isError === true ? { isError } : {}), ...(isObject(copied) ? copied : {}) },
    }
  } catch (error) {
    return { ok: false, problem: `it can't be written as JSON: ${messageOf(error)}` }
  }
}

function checkBlock(block: unknown): string | undefined {
  if (!isObject(block)) return `: expected an object, received ${kindOf(block)}`
  const fields = fieldsOf(block.type)
  if (!fields) return `.type: expected one of ${Object.keys(CONTENT).join(', ')}, received ${text(block.type)}`
  const missing = fields.texts.find((name) => typeof block[name] !== 'string')
  if (missing !== undefined) return `.${missing}: expected a string, received ${kindOf(block[missing])}`
  if (block.type !== 'resource') return undefined
  const { resource } = block
  if (!isObject(resource)) return `.resource: expected an object, received ${kindOf(resource)}`
  if (typeof resource.uri !== 'string') return `.resource.uri: expected a string, received ${kindOf(resource.uri)}`
  const hasBody = typeof resource.text === 'string' || typeof resource.blob === 'string'
  return hasBody ? undefined : '.resource: expected text or blob, a string'
}

function fieldsOf(type: unknown) {
  return Object.entries(CONTENT).find(([name]) => name === type)?.[1]
}

function withoutUnknown(block: Record<string, unknown>): CallToolContent {
  const fields = fieldsOf(block.type) ?? { texts: [], others: [] }
  const names = ['type', ...fields.texts, ...fields.others, 'annotations', '_meta']
  // Checked by `checkBlock`.
  return Object.fromEntries(names.flatMap((name) => (name in block ? [[name, block[name]]] : []))) as CallToolContent
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function text(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : kindOf(value)
}
