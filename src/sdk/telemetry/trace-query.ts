/**
 * A query as one trace: the run, its turns, what the model was asked, tools, sub-agents, waits for permission and hooks. Made of
 * what a host sees anyway, so it is the same for every agent program. What was said and done is not in it.
 */
import type { SDKMessage } from '../../protocol/messages.js'
import type { Tracer, TraceSpan } from '../../protocol/tracing.js'
import { createCallSpans } from './call-spans.js'
import {
  type AttributeNames,
  CONVERSATION_ATTRIBUTE,
  inputTokenAttributes,
  OPERATION_ATTRIBUTE,
  OUTPUT_TOKENS_ATTRIBUTE,
} from './gen-ai-names.js'
import { createModelRequestSpans } from './model-request-spans.js'
import { errorTypeAttribute, type QueryTraceRecorder } from './query-trace.js'
import { createSpanList } from './span-list.js'

export function createQuerySpanRecorder(given: Tracer, names: AttributeNames, startTime?: number): QueryTraceRecorder {
  const spans = createSpanList(given)
  const { start, finish, finishAll } = spans
  const run = start('invoke_agent', { attributes: { [OPERATION_ATTRIBUTE]: 'invoke_agent' }, startTime })
  let turn: TraceSpan | undefined
  const calls = createCallSpans(spans, () => turn ?? run)
  const chats = createModelRequestSpans(spans, names, calls.placeOf)
  let spent = 0
  let retries = 0
  let toldSession = false
  /** Error of the last turn: an agent that ends because of it has nothing to add. */
  let failure: string | undefined

  const user = ({ message, parent_tool_use_id: agent }: SDKMessage & { type: 'user' }) => {
    chats.end(agent)
    for (const block of typeof message.content === 'string' ? [] : message.content) {
      if (block.type !== 'tool_result') continue
      chats.end(block.tool_use_id)
      chats.forget(block.tool_use_id)
      calls.end(block.tool_use_id, block.is_error === true)
    }
  }
  const result = (message: SDKMessage & { type: 'result' }) => {
    const { usage, terminal_reason: reason, is_error: failed, error_code, subtype, total_cost_usd: cost } = message
    failure = failed ? (error_code ?? reason ?? subtype) : undefined
    chats.endAll(failure)
    finish(turn, {
      attributes: {
        ...(usage ? { ...inputTokenAttributes(usage, names), [OUTPUT_TOKENS_ATTRIBUTE]: usage.output_tokens } : {}),
        ...(cost === undefined ? {} : { 'kedge.cost_usd': Math.max(0, cost - spent) }),
        ...(reason === undefined ? {} : { 'kedge.terminal_reason': reason }),
      },
      error: failure,
    })
    spent = cost ?? spent
    turn = undefined
  }
  const system = (message: SDKMessage & { type: 'system' }) => {
    switch (message.subtype) {
      case 'init':
        turn ??= start('turn', { parent: run })
        retries = 0
        chats.asks(message.model)
        chats.waits(null)
        break
      case 'api_retry':
        turn?.setAttribute('kedge.retries', ++retries)
        chats.failed(message, !calls.mainWaits())
        break
      case 'model_fallback': {
        const { trigger, original_model: from, fallback_model: to } = message
        chats.asks(to)
        turn?.setAttribute('kedge.fallback.model', to)
        const attributes = { 'kedge.fallback.reason': trigger, 'kedge.fallback.from': from, 'kedge.fallback.model': to }
        finish(start(`model_fallback ${to}`, { attributes, parent: turn ?? run }))
        break
      }
      case 'permission_denied': {
        const span = calls.spanOf(message.tool_use_id)
        span?.setAttribute('kedge.decision', 'deny')
        span?.setAttribute('kedge.decision.source', message.decision_reason_type ?? 'other')
      }
    }
  }
  const note = (message: SDKMessage) => {
    if (!toldSession && 'session_id' in message && message.session_id) {
      toldSession = true
      run?.setAttribute(CONVERSATION_ATTRIBUTE, message.session_id)
    }
    if (message.type === 'system') system(message)
    if (message.type === 'stream_event') chats.stream(message)
    if (message.type === 'assistant') {
      chats.assistant(message)
      const { message: answer, parent_tool_use_id: agent } = message
      for (const block of answer.content) if (block.type === 'tool_use') calls.start(block, agent)
    }
    if (message.type === 'user') user(message)
    if (message.type === 'result') result(message)
  }

  return {
    message(message) {
      try {
        note(message)
      } catch {
        // A tracer that fails, or a message of another agent in another shape: neither may stop the query.
      }
    },
    served: chats.served,
    around(name, toolUseId) {
      const span = start(name, { parent: calls.spanOf(toolUseId) ?? turn ?? run })
      return (error, attributes = {}) => finish(span, { attributes, error })
    },
    end: (error) => finishAll(error && (failure ?? errorTypeAttribute(error))),
  }
}
