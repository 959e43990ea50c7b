/**
 * The practice model: a fixed program in the place of a model, for trying things out offline. A pure function of the
 * request; the same conversation always gets the same answer. It never pretends to be intelligent.
 */
import type { EngineRequest, ModelPort } from '../../engine/ports.js'
import type { AssistantMessage, ContentBlock, Usage } from '../../protocol/content.js'
import type { Ledger } from '../ledger.js'
import { decideNextCall } from './decide.js'
import { PRACTICE_CALL_ID_PREFIX, readConversation } from './read-request.js'
import { streamMessageAsEvents } from './stream.js'

/**
 * Creates the practice model. `ledger`: also told what was used, so that the totals of a session include the practice
 * model, at no cost.
 */
export function createPracticeModel({ cwd, ledger }: { cwd: string; ledger?: Pick<Ledger, 'open'> }): ModelPort {
  return {
    async *stream(request, signal) {
      if (signal.aborted) return
      const message = answerTo(request, cwd)
      for (const event of streamMessageAsEvents(message, request.partial)) {
        if (signal.aborted) return
        if (event.type === 'end') {
          ledger?.open(request.model).close(message.usage, 0, true)
          request.onUsage?.(message.usage)
        }
        yield event
      }
    },
  }
}

function answerTo(request: EngineRequest, cwd: string): AssistantMessage {
  const conversation = readConversation(request.messages)
  const { text, call } = decideNextCall(conversation, { cwd, tools: new Set(request.tools.map(({ name }) => name)) })
  const content: ContentBlock[] = [{ type: 'text', text }]
  if (call) content.push({ type: 'tool_use', id: `${PRACTICE_CALL_ID_PREFIX}${conversation.blocks}`, ...call })
  return {
    id: `msg_practice_${conversation.blocks}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content,
    stop_reason: call ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: countUsage(request, content),
  }
}

/** A quarter of the characters: near enough to a real count to see usage at work. */
function countUsage(request: EngineRequest, content: readonly ContentBlock[]): Usage {
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4)
  return {
    input_tokens: tokens([request.system, request.tools, request.messages]),
    output_tokens: tokens(content),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
}
