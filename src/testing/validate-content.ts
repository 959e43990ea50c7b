/** The rules for content blocks of a message: known types, known fields, nothing empty. */

import { isObject } from '../protocol/json.js'
export type Json = Record<string, unknown>

/** The first rule the blocks break; `place` is where they are (`messages.0.content`). */
export function findBrokenContentRule(content: unknown, place: string, role: 'user' | 'assistant'): string | undefined {
  if (!Array.isArray(content)) return `${place}: Input should be a valid list`
  for (const [i, block] of content.entries()) {
    const problem = checkBlock(block, `${place}.${i}`, role)
    if (problem !== undefined) return problem
  }
  return undefined
}

function checkBlock(block: unknown, place: string, role: 'user' | 'assistant'): string | undefined {
  if (!isObject(block)) return `${place}: Input should be a valid dictionary`
  const type = String(block['type'])
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (!kind) {
    return `${place}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${Object.keys(kinds).join(', ')}`
  }
  if (kind.role !== undefined && kind.role !== role)
    return `${place}: \`${type}\` blocks can only be in \`${kind.role}\` messages`
  const missing = kind.required.find((field) => block[field] === undefined)
  if (missing !== undefined) return `${place}.${type}.${missing}: Field required`
  const extra = Object.keys(block).find(
    (field) => field !== 'type' && !kind.required.includes(field) && !kind.optional.includes(field),
  )
  if (extra !== undefined) return `${place}.${type}.${extra}: Extra inputs are not permitted`
  if (type === 'text' && typeof block['text'] !== 'string') return `${place}.text.text: Input should be a valid string`
  if (type === 'text' && block['text'] === '') return 'messages: text content blocks must be non-empty'
  if (type === 'tool_use' && !isObject(block['input']))
    return `${place}.tool_use.input: Input should be a valid dictionary`
  if (type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block['id']))) {
    return `${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
  }
  if (type === 'image' || type === 'document') return checkSource(block['source'], `${place}.${type}.source`, type)
  if (type === 'tool_result' && Array.isArray(block['content'])) {
    return findBrokenContentRule(block['content'], `${place}.tool_result.content`, role)
  }
  return undefined
}

const base64Types = {
  image: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  document: ['application/pdf'],
}

/** Files that go along in the message itself; those named by address or id are for the API to judge. */
function checkSource(source: unknown, place: string, type: keyof typeof base64Types): string | undefined {
  if (!isObject(source)) return `${place}: Input should be a valid dictionary`
  if (source['type'] !== 'base64') return undefined
  const types = base64Types[type]
  if (!types.includes(String(source['media_type']))) {
    return `${place}.base64.media_type: Input should be ${types.map((name) => `'${name}'`).join(' or ')}`
  }
  const { data } = source
  const isBase64 = typeof data === 'string' && data !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
  return isBase64 ? undefined : `${place}.base64.data: Input should be a non-empty base64 string`
}

type Kind = { role?: 'user' | 'assistant'; required: readonly string[]; optional: readonly string[] }

const kinds: Record<string, Kind> = {
  text: { required: ['text'], optional: ['cache_control', 'citations'] },
  image: { role: 'user', required: ['source'], optional: ['cache_control'] },
  document: { role: 'user', required: ['source'], optional: ['cache_control', 'citations', 'context', 'title'] },
  search_result: { role: 'user', required: ['content', 'source', 'title'], optional: ['cache_control', 'citations'] },
  tool_reference: { role: 'user', required: ['tool_name'], optional: ['cache_control'] },
  tool_result: { role: 'user', required: ['tool_use_id'], optional: ['content', 'is_error', 'cache_control'] },
  tool_use: { role: 'assistant', required: ['id', 'name', 'input'], optional: ['cache_control', 'caller'] },
  thinking: { role: 'assistant', required: ['thinking', 'signature'], optional: [] },
  redacted_thinking: { role: 'assistant', required: ['data'], optional: [] },
  server_tool_use: { role: 'assistant', required: ['id', 'name', 'input'], optional: ['cache_control', 'caller'] },
  web_search_tool_result: {
    role: 'assistant',
    required: ['tool_use_id', 'content'],
    optional: ['cache_control', 'caller'],
  },
  web_fetch_tool_result: {
    role: 'assistant',
    required: ['tool_use_id', 'content'],
    optional: ['cache_control', 'caller'],
  },
  compaction: { role: 'assistant', required: ['content'], optional: ['cache_control'] },
}
