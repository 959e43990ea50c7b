/** Merges consecutive pieces of one text that a reader gets together. Pure. */
import type { Delta, LogItem, SerializedLogEntry } from '../../protocol/session-log/entries.js'

const TEXTS = { text_delta: 'text', thinking_delta: 'thinking', input_json_delta: 'partial_json' } as const

type Piece = { key: string; field: string; text: string }

export function mergeDeltas<T extends LogItem | SerializedLogEntry>(items: readonly T[]): T[] {
  const merged: T[] = []
  let run: { first: T; piece: Piece; texts: string[] } | undefined
  const flush = () => {
    if (run) merged.push(run.texts.length === 1 ? run.first : withText(run.first, run.piece.field, run.texts.join('')))
    run = undefined
  }
  for (const item of items) {
    const piece = pieceOf(item)
    if (piece && run?.piece.key === piece.key) {
      run.texts.push(piece.text)
      continue
    }
    flush()
    if (piece) run = { first: item, piece, texts: [piece.text] }
    else merged.push(item)
  }
  flush()
  return merged
}

/** What a delta has beside its text. */
const ENVELOPE = 300

/** About how many bytes it takes. */
export function estimateDeltaBytes({ data }: Delta): number {
  if (data.type === 'tool_progress') return ENVELOPE + (data.output?.length ?? 0)
  const { event } = data
  if (event.type !== 'content_block_delta') return ENVELOPE
  return Object.values(event.delta).reduce<number>((sum, part) => sum + String(part).length, ENVELOPE)
}

function pieceOf(item: LogItem | SerializedLogEntry): Piece | undefined {
  if (item.kind !== 'delta' || item.data.type !== 'stream_event') return undefined
  const { event, parent_tool_use_id: parent } = item.data
  if (event.type !== 'content_block_delta') return undefined
  const delta: { type: string; [field: string]: unknown } = event.delta
  const field = Object.hasOwn(TEXTS, delta.type) ? TEXTS[delta.type as keyof typeof TEXTS] : undefined // it is one of them
  const text = field && delta[field]
  if (typeof text !== 'string' || field === undefined) return undefined
  return { key: `${item.session} ${item.seq} ${parent} ${event.index} ${delta.type}`, field, text }
}

function withText<T extends LogItem | SerializedLogEntry>(item: T, field: string, text: string): T {
  if (item.kind !== 'delta' || item.data.type !== 'stream_event' || !('delta' in item.data.event)) return item
  const { event } = item.data
  return { ...item, data: { ...item.data, event: { ...event, delta: { ...event.delta, [field]: text } } } }
}
