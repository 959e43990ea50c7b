/** Items of the view as items of the universal schema, and what is no item of the view beside them. Pure. */

import type { CallResult, NoticeItem, PromptItem, TextItem, ToolItem, ViewChange } from '../../hub/view/view-items.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject, textOrEmpty } from '../../protocol/json.js'
import type { ContentPart, EventDraft, UniversalItem } from './universal-events.js'

const callItemId = (useId: string) => `call_${useId}`
const parentOf = (useId: string) => (useId === '' ? null : callItemId(useId))
/** The key of a text ends with the number of its block. */
const textItemId = ({ key }: Pick<TextItem, 'key'>) => `itm_${key.replace(/-(?=\d+$)/, '_')}`

type Block = { readonly type: string; readonly [field: string]: unknown }
const SAID = { kind: 'message', role: 'assistant', status: 'completed' } as const

/** What the model says, thinks, or calls. `native` is the id of its message in the transcript. */
export function spokenItem(item: TextItem | ToolItem, native: string): UniversalItem {
  const said = { ...SAID, item_id: textItemId(item), native_item_id: native, parent_id: parentOf(item.parent) }
  switch (item.kind) {
    case 'text':
      return { ...said, content: [{ type: 'text', text: item.text }] }
    case 'thinking': {
      const visibility = item.isRedacted ? 'private' : 'public'
      return { ...said, content: [{ type: 'reasoning', text: item.text, visibility }] }
    }
    case 'tool': {
      const { useId: call_id, name, input } = item
      const ids = { item_id: callItemId(call_id), native_item_id: call_id }
      const call = { name, arguments: JSON.stringify(input), call_id }
      return { ...said, ...ids, kind: 'tool_call', content: [{ type: 'tool_call', ...call }] }
    }
  }
}

/** A text that tells of an error, as the model's API said it. */
export function errorTextItem({ key, parent, raw, text }: NoticeItem, native: string): UniversalItem {
  const ids = { item_id: textItemId({ key }), native_item_id: native, parent_id: parentOf(parent) }
  return { ...SAID, ...ids, content: [{ type: 'text', text: raw ?? text }] }
}

/** A block of a message that is no item of the view. */
export function otherItem(
  block: Block,
  { id, native, parent }: { id: string; native: string; parent: string },
): UniversalItem {
  const ids = { item_id: id, native_item_id: native, parent_id: parentOf(parent) }
  return { ...SAID, ...ids, content: [{ type: 'json', json: block }] }
}

/** What a tool gave back, with the file it changed. */
export function resultItem(useId: string, { content, isError, detail }: Omit<CallResult, 'ms'>): UniversalItem {
  const parts: ContentPart[] = [{ type: 'tool_result', call_id: useId, output: outputOf(content) }]
  const images = Array.isArray(content) ? content.filter(isObject).flatMap(imageOf) : []
  return {
    item_id: `result_${useId}`,
    native_item_id: useId,
    parent_id: callItemId(useId),
    kind: 'tool_result',
    role: 'tool',
    status: isError ? 'failed' : 'completed',
    content: [...parts, ...images, ...fileOf(detail)],
  }
}

export function promptItem(id: string, message: string, content: PromptItem['content']): UniversalItem {
  const ids = { item_id: `itm_${id}`, native_item_id: message, parent_id: null }
  return { ...ids, kind: 'message', role: 'user', status: 'completed', content: userParts(content) }
}

/** Text that was inserted for the model, not a message of the user. */
export function insertedItem(
  id: string,
  native: string | null,
  parent: string,
  content: readonly ContentBlockParam[],
): UniversalItem {
  const ids = { item_id: id, native_item_id: native, parent_id: parentOf(parent) }
  return { ...ids, kind: 'system', role: 'system', status: 'completed', content: userParts(content) }
}

/** The events of a change that comes before its entry. */
export function liveEvents(change: ViewChange): EventDraft[] {
  const { item } = change
  if (item.kind !== 'text' && item.kind !== 'thinking' && item.kind !== 'tool') return []
  // The beginning of its stream was missed: the entry will have all of it.
  if (item.kind !== 'tool' && item.message === '') return []
  const { item_id, native_item_id, ...rest } = spokenItem(item, '')
  switch (change.what) {
    case 'added': {
      const started = { item_id, native_item_id, ...rest, status: 'in_progress', content: [] }
      return [{ type: 'item.started', data: { item: started } }]
    }
    case 'grew':
    case 'progress': {
      const delta = change.what === 'grew' ? change.piece : ''
      if (item.kind !== 'tool') return [{ type: 'item.delta', data: { item_id, native_item_id: null, delta } }]
      // Of a call, what it prints is told, not the input while the model writes it.
      return item.state === 'writing'
        ? []
        : [{ type: 'item.delta', data: { item_id, native_item_id, delta, output: true } }]
    }
    default:
      return []
  }
}

function userParts(content: string | readonly ContentBlockParam[]): ContentPart[] {
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
