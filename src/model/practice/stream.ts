/** Tells an answer as a model would: in small pieces when they are wanted, block by block, then as a whole. */
import type { ModelEvent } from '../../engine/ports.js'
import type { AssistantMessage, ContentBlock, ContentDelta, RawStreamEvent } from '../../protocol/content.js'

export function* streamMessageAsEvents(
  message: AssistantMessage,
  partial: boolean,
): Generator<ModelEvent, void, undefined> {
  const { content, stop_reason, stop_sequence, usage } = message
  const header: AssistantMessage = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 0 },
  }
  const raw = function* (...events: RawStreamEvent[]): Generator<ModelEvent, void, undefined> {
    if (partial) yield { type: 'events', events }
  }
  yield* raw({ type: 'message_start', message: header })
  for (const [index, block] of content.entries()) {
    yield* raw({ type: 'content_block_start', index, content_block: emptied(block) })
    for (const delta of deltas(block)) yield* raw({ type: 'content_block_delta', index, delta })
    yield { type: 'block', block, header, requestId: null }
    yield* raw({ type: 'content_block_stop', index })
  }
  yield* raw(
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens: usage.output_tokens } },
    { type: 'message_stop' },
  )
  yield { type: 'end', outcome: { ok: true, message, streamed: true, requestId: null } }
}

function emptied(block: ContentBlock): ContentBlock {
  if (block.type === 'text') return { ...block, text: '' }
  return block.type === 'tool_use' ? { ...block, input: {} } : block
}

function deltas(block: ContentBlock): ContentDelta[] {
  if (block.type === 'text') return pieces(block.text).map((text) => ({ type: 'text_delta', text }))
  if (block.type !== 'tool_use') return []
  return pieces(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
}

/** A word or so each; long ones are cut between characters, never within one. */
function pieces(text: string): string[] {
  return text.match(/\s*\S{1,16}|\s+/gu) ?? []
}
