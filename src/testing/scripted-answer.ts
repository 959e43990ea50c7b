/** Turns an `Answer` into what the API would send: the finished message, and the same message as stream events. */
import type { AssistantMessage, ContentBlock, ContentDelta, RawStreamEvent } from '../protocol/content.js'
import type { Answer } from './turn.js'

export type AnswerIds = { messageId: string; model: string; nextToolId: () => string }

export function scriptedMessage(answer: Answer, ids: AnswerIds): AssistantMessage {
  const content = answer.content ?? contentOf(answer, ids.nextToolId)
  const calls = content.some((block) => block.type === 'tool_use')
  return {
    id: ids.messageId,
    type: 'message',
    role: 'assistant',
    model: answer.model ?? ids.model,
    content,
    stop_reason: answer.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
    stop_sequence: answer.stopSequence ?? null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 5,
      ...answer.usage,
    },
  }
}

/** The message as the API streams it; each block in two deltas unless `chunk` says how many characters go into one. */
export function toStreamEvents(message: AssistantMessage, chunk?: number): RawStreamEvent[] {
  const { server_tool_use, ...usage } = message.usage
  return [
    {
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    ...message.content.flatMap((block, index) => blockEvents(block, index, chunk)),
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: message.stop_sequence },
      usage: { output_tokens: usage.output_tokens, ...(server_tool_use ? { server_tool_use } : {}) },
    },
    { type: 'message_stop' },
  ]
}

function contentOf(answer: Answer, nextToolId: () => string): ContentBlock[] {
  const blocks: ContentBlock[] = []
  if (answer.thinking) blocks.push({ type: 'thinking', thinking: answer.thinking, signature: 'sig_test' })
  if (answer.text) blocks.push({ type: 'text', text: answer.text })
  for (const call of answer.tools ?? []) {
    blocks.push({ type: 'tool_use', id: call.id ?? nextToolId(), name: call.name, input: call.input ?? {} })
  }
  return blocks
}

function blockEvents(block: ContentBlock, index: number, chunk: number | undefined): RawStreamEvent[] {
  const { start, deltas } = openBlock(block, chunk)
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta): RawStreamEvent => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

/** What the block looks like when it opens, and the deltas that fill it. */
function openBlock(block: ContentBlock, chunk: number | undefined): { start: ContentBlock; deltas: ContentDelta[] } {
  switch (block.type) {
    case 'text':
      return {
        start: { ...block, text: '' },
        deltas: pieces(block.text, chunk).map((text) => ({ type: 'text_delta', text })),
      }
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces(block.thinking, chunk).map((thinking): ContentDelta => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      }
    case 'tool_use':
    case 'server_tool_use':
      return {
        start: { ...block, input: {} },
        deltas: pieces(inputJson(block.input), chunk).map((json) => ({ type: 'input_json_delta', partial_json: json })),
      }
    default:
      return { start: block, deltas: [] }
  }
}

/** A call without arguments streams an empty delta, as the API does. */
function inputJson(input: unknown): string {
  const json = JSON.stringify(input ?? {})
  return json === '{}' ? '' : json
}

function pieces(text: string, chunk = Math.ceil(text.length / 2)): string[] {
  if (text === '') return ['']
  const size = Math.max(1, chunk)
  const result: string[] = []
  for (let at = 0; at < text.length; ) {
    // A surrogate pair stays together: no API sends half a character.
    const end = isHighSurrogate(text.charCodeAt(at + size - 1)) ? at + size + 1 : at + size
    result.push(text.slice(at, end))
    at = end
  }
  return result
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
