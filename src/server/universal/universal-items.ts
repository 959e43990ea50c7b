/** Items of the view as items of the universal schema, and what is no item of the view beside them. Pure. */

import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject, textOrEmpty } from '../../protocol/json.js'
import type { NoticeItem, TextItem, ToolItem, ViewChange } from '../../view/view-items.js'
import type { ContentPart, EventDraft, UniversalItem } from './universal-events.js'

type Block = { readonly type: string; readonly [field: string]: unknown }

const callItemId = (useId: string) => `call_${useId}`
const parentOf = (useId: string) => (useId === '' ? null : callItemId(useId))

/** `native` is the id of the message in the transcript. The key of a text ends with the number of its block. */
function idsOf(item: TextItem | ToolItem | NoticeItem, native: string | null) {
  const parent_id = parentOf(item.parent)
  if (item.kind === 'tool') return { item_id: callItemId(item.useId), native_item_id: item.useId, parent_id }
  return { item_id: `itm_${item.key.replace(/-(?=\d+$)/, '_')}`, native_item_id: native, parent_id }
}

/** What the model says, thinks, or calls. A notice is the text that tells of an error. */
export function toUniversalItem(item: TextItem | ToolItem | NoticeItem, native: string): UniversalItem {
  const kind = item.kind === 'tool' ? 'tool_call' : 'message'
  return { ...idsOf(item, native), kind, role: 'assistant', status: 'completed', content: [spokenPart(item)] }
}

function spokenPart(item: TextItem | ToolItem | NoticeItem): ContentPart {
  switch (item.kind) {
    case 'thinking':
      return { type: 'reasoning', text: item.text, visibility: item.isRedacted ? 'private' : 'public' }
    case 'tool':
      return { type: 'tool_call', name: item.name, arguments: JSON.stringify(item.input), call_id: item.useId }
    default:
      return { type: 'text', text: textOfViewItem(item) }
  }
}

/** A text as it was said. */
export function textOfViewItem(item: TextItem | NoticeItem): string {
  return item.kind === 'notice' ? (item.raw ?? item.text) : item.text
}

/** What somebody says that is no item of the view. */
export function messageItem(
  given: Pick<UniversalItem, 'item_id' | 'native_item_id' | 'role' | 'content'> & { parent?: string | null },
): UniversalItem {
  const { parent, ...fields } = given
  const kind = given.role === 'system' ? 'system' : 'message'
  return { ...fields, parent_id: parentOf(parent ?? ''), kind, status: 'completed' }
}

/** What a tool gave back, with the file it changed. */
export function resultItem(
  useId: string,
  { content, isError, detail }: Omit<NonNullable<ToolItem['result']>, 'ms'>,
): UniversalItem {
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

/** The events of a change that comes before its entry. */
export function createStreamedItemEvents(change: ViewChange): EventDraft[] {
  const { item } = change
  if (item.kind !== 'text' && item.kind !== 'thinking' && item.kind !== 'tool') return []
  // The beginning of its stream was missed: the entry will have all of it.
  if (item.kind !== 'tool' && item.message === '') return []
  const { what } = change
  if (what === 'added') return [startedEvent({ ...toUniversalItem(item, ''), content: [] })]
  // A call's output is told, its input only once it's complete.
  if ((what !== 'grew' && what !== 'progress') || (item.kind === 'tool' && item.state === 'writing')) return []
  const { item_id, native_item_id } = idsOf(item, null)
  const output = item.kind === 'tool' ? { output: true } : {}
  const delta = what === 'grew' ? change.piece : ''
  return [{ type: 'item.delta', data: { item_id, native_item_id, delta, ...output } }]
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
export function createWholeItemEvents(item: UniversalItem, rest?: string): EventDraft[] {
  const started = startedEvent({ ...item, content: rest === undefined ? item.content : [] })
  const { item_id, native_item_id } = item
  const delta: EventDraft = { type: 'item.delta', synthetic: true, data: { item_id, native_item_id, delta: rest } }
  const completed: EventDraft = { type: 'item.completed', data: { item } }
  return rest === undefined ? [started, completed] : [started, delta, completed]
}

function startedEvent(item: UniversalItem): EventDraft {
  return { type: 'item.started', data: { item: { ...item, status: 'in_progress' } } }
}

/** Returns an item for anything without a kind of its own, with all its details. */
export function createStatusItemEvents(id: string, label: string, detail: string | null, more?: unknown): EventDraft[] {
  const content: ContentPart[] = [{ type: 'status', label, detail }]
  if (more !== undefined) content.push({ type: 'json', json: more })
  const fixed = { native_item_id: null, parent_id: null, kind: 'status', role: 'system', status: 'completed' } as const
  return createWholeItemEvents({ item_id: id, ...fixed, content })
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
