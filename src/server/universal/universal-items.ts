/** Blocks of messages as items of the universal schema. Pure. */
import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject, textOrEmpty } from '../../protocol/json.js'
import type { ContentPart, EventDraft, UniversalItem } from './universal-events.js'

export const callItemId = (toolUseId: string) => `call_${toolUseId}`
const parentOf = (toolUseId: string | null) => (toolUseId === null ? null : callItemId(toolUseId))

type Block = { readonly type: string; readonly [field: string]: unknown }

/** Returns the item of a complete block. `id` is for blocks without an id. */
export function assistantItem(block: Block, id: string, native: string, parent: string | null): UniversalItem {
  const common = { item_id: id, native_item_id: native, parent_id: parentOf(parent) }
  const said = { ...common, kind: 'message', role: 'assistant', status: 'completed' } as const
  switch (block.type) {
    case 'text':
      return { ...said, content: [{ type: 'text', text: textOrEmpty(block['text']) }] }
    case 'thinking':
      return { ...said, content: [{ type: 'reasoning', text: textOrEmpty(block['thinking']), visibility: 'public' }] }
    case 'redacted_thinking':
      return { ...said, content: [{ type: 'reasoning', text: '', visibility: 'private' }] }
    case 'tool_use':
    case 'server_tool_use': {
      const call_id = textOrEmpty(block['id'])
      const call = { name: textOrEmpty(block['name']), arguments: JSON.stringify(block['input'] ?? {}), call_id }
      const item_id = callItemId(call_id)
      return { ...said, item_id, native_item_id: call_id, kind: 'tool_call', content: [{ type: 'tool_call', ...call }] }
    }
    default:
      return { ...said, content: [{ type: 'json', json: block }] }
  }
}

/** What a tool gave back, with the file it changed. */
export function toToolResultItem(block: Block, details: unknown): UniversalItem {
  const call_id = textOrEmpty(block['tool_use_id'])
  const parts: ContentPart[] = [{ type: 'tool_result', call_id, output: outputOf(block['content']) }]
  const images = Array.isArray(block['content']) ? block['content'].filter(isObject).flatMap(imageOf) : []
  return {
    item_id: `result_${call_id}`,
    native_item_id: call_id,
    parent_id: callItemId(call_id),
    kind: 'tool_result',
    role: 'tool',
    status: block['is_error'] === true ? 'failed' : 'completed',
    content: [...parts, ...images, ...fileOf(details)],
  }
}

export function userParts(content: string | readonly ContentBlockParam[]): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((block: Block): ContentPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: textOrEmpty(block['text']) }]
    const images = imageOf(block)
    return images.length > 0 ? images : [{ type: 'json', json: block }]
  })
}

/**
 * Returns a whole item at once: started, and completed. A text is streamed even if no reader saw it; `rest` is the part
 * not yet sent.
 */
export function wholeItem(item: UniversalItem, rest?: string): EventDraft[] {
  const started: EventDraft = {
    type: 'item.started',
    data: { item: { ...item, status: 'in_progress', content: rest === undefined ? item.content : [] } },
  }
  const { item_id, native_item_id } = item
  const delta: EventDraft = { type: 'item.delta', synthetic: true, data: { item_id, native_item_id, delta: rest } }
  const completed: EventDraft = { type: 'item.completed', data: { item } }
  return rest === undefined ? [started, completed] : [started, delta, completed]
}

/** Returns an item for anything without a kind of its own, with all its details. */
export function statusItem(id: string, label: string, detail: string | null, more?: unknown): EventDraft[] {
  const content: ContentPart[] = [{ type: 'status', label, detail }]
  if (more !== undefined) content.push({ type: 'json', json: more })
  const fixed = { native_item_id: null, parent_id: null, kind: 'status', role: 'system', status: 'completed' } as const
  return wholeItem({ item_id: id, ...fixed, content })
}

/** The text of an item that streams. */
export function streamedText({ content }: UniversalItem): string | undefined {
  const [part] = content
  if (part?.type === 'text' || part?.type === 'reasoning') return part.text
  return undefined
}

function outputOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter(isObject)
    .flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n')
}

function imageOf(block: Block | Record<string, unknown>): ContentPart[] {
  const { type, source } = block
  if (type !== 'image' || !isObject(source)) return []
  const mime = typeof source['media_type'] === 'string' ? source['media_type'] : null
  const path = textOrEmpty(source['url']) || `data:${mime};base64,${textOrEmpty(source['data'])}`
  return [{ type: 'image', path, mime }]
}

type Hunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }

/** As the tools that change files describe it. */
function fileOf(details: unknown): ContentPart[] {
  if (!isObject(details) || typeof details['filePath'] !== 'string') return []
  const { filePath: path, structuredPatch: patch, type } = details
  if (!Array.isArray(patch)) return []
  const diff = patch
    .filter((hunk): hunk is Hunk => isObject(hunk) && Array.isArray(hunk['lines']))
    .map(
      ({ oldStart, oldLines, newStart, newLines, lines }) =>
        `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}\n`,
    )
    .join('')
  return [{ type: 'file_ref', path, action: type === 'create' ? 'write' : 'patch', diff: diff === '' ? null : diff }]
}
