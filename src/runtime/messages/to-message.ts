/** Turns what the loop reports into messages for the host. Pure: the same events give the same messages everywhere. */

import type { EngineEvent } from '../../engine/events.js'
import type { EngineCall } from '../../engine/tool-port.js'
import type { ContentBlockParam, UUID } from '../../protocol/content.js'
import type { SDKMessage } from '../../protocol/messages.js'
import type { FallbackReason } from '../../protocol/option-table/fallback-reasons.js'

export type SdkMessageContext = { sessionId: string; uuid: UUID; includeToolOutput: boolean }

/** Seconds between two progress reports of a running tool. */
const TICK_SECONDS = 2

function progress({ id, name }: EngineCall, ticks: number) {
  return {
    type: 'tool_progress' as const,
    tool_use_id: id,
    tool_name: name,
    parent_tool_use_id: null,
    elapsed_time_seconds: ticks * TICK_SECONDS,
  }
}

export function toSdkMessage(
  event: EngineEvent,
  { sessionId, uuid, includeToolOutput }: SdkMessageContext,
): SDKMessage | undefined {
  const tail = { session_id: sessionId, uuid }
  switch (event.type) {
    case 'stream':
      return { type: 'stream_event', event: event.event, session_id: sessionId, parent_tool_use_id: null, uuid }
    case 'assistant': {
      const { message, error } = event
      return { type: 'assistant', message, parent_tool_use_id: null, ...tail, ...(error ? { error } : {}) }
    }
    case 'tool-result':
      return { ...userMessage([event.block], sessionId, uuid), tool_use_result: event.output }
    case 'user-text':
      // The text that asks a cut-off model to continue is between us and the model.
      if (event.kind === 'hidden') return undefined
      return {
        ...userMessage([{ type: 'text', text: event.text }], sessionId, uuid),
        ...(event.kind === 'feedback' ? { isSynthetic: true } : {}),
      }
    case 'repeated':
    case 'tool-wait':
      return undefined
    case 'tool-begun':
      return includeToolOutput ? { ...progress(event.call, 0), output: '', ...tail } : undefined
    case 'tool-output':
      return includeToolOutput ? { ...progress(event.call, event.ticks), output: event.output, ...tail } : undefined
    case 'tool-progress':
      return { ...progress(event.call, event.ticks), ...tail }
    case 'retry':
      return {
        type: 'system',
        subtype: 'api_retry',
        attempt: event.attempt,
        max_retries: event.maxRetries,
        retry_delay_ms: event.delayMs,
        error_status: event.status,
        error: event.error,
        ...(event.cause !== undefined && { cause: event.cause }),
        ...tail,
      }
    case 'fallback':
      return {
        type: 'system',
        subtype: 'model_fallback',
        trigger: event.reason,
        original_model: event.from,
        fallback_model: event.to,
        content: `${event.from} ${WHY[event.reason]}; going on with ${event.to}.`,
        ...tail,
      }
    case 'denied':
      if (!event.automatic && event.reasonType === undefined) return undefined
      return {
        type: 'system',
        subtype: 'permission_denied',
        tool_name: event.call.name,
        tool_use_id: event.call.id,
        content: event.message,
        ...(event.reasonType ? { decision_reason_type: event.reasonType } : {}),
        ...(event.reason ? { decision_reason: event.reason } : {}),
        ...tail,
      }
    case 'answered':
    case 'context':
      return undefined
  }
}

function userMessage(content: ContentBlockParam[], sessionId: string, uuid: UUID) {
  return {
    type: 'user' as const,
    message: { role: 'user' as const, content },
    parent_tool_use_id: null,
    session_id: sessionId,
    uuid,
  }
}

const WHY: Readonly<Record<FallbackReason, string>> = {
  overloaded: 'is overloaded',
  rate_limited: 'has reached a limit',
  down: 'can not be reached',
  too_long: 'can not read so much',
  refused: 'refuses to answer',
}
