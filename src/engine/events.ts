/** What the loop tells the outside. The runtime turns each into messages, transcript lines and counters. */

import type { AssistantMessage, RawStreamEvent, ToolResultBlockParam, Usage } from '../protocol/content.js'
import type { SDKAssistantMessageError } from '../protocol/messages.js'
import type { PermissionRequest } from './approval-port.js'
import type { FallbackReason } from './fallbacks.js'
import type { EngineCall } from './tool-port.js'

export type EngineEvent =
  | { type: 'stream'; event: RawStreamEvent }
  /** One content block, or a whole message when it was not streamed. */
  | { type: 'assistant'; message: AssistantMessage; requestId: string | null; error?: SDKAssistantMessageError }
  /** An exchange with the API is over, whatever became of it. */
  | { type: 'used'; usage: Usage }
  /** A model answer is whole. */
  | { type: 'answered'; message: AssistantMessage }
  | {
      type: 'retry'
      attempt: number
      maxRetries: number
      delayMs: number
      status: number | null
      error: string
      /** Why there was no response, for people. */
      cause?: string
    }
  | { type: 'fallback'; from: string; to: string; reason: FallbackReason }
  | { type: 'tool-result'; call: EngineCall; block: ToolResultBlockParam; output: unknown }
  /** It is permitted, and runs from now on. */
  | { type: 'tool-begun'; call: EngineCall }
  /** It waits for a user, and any process can continue it from `state`; without, it acts again. */
  | { type: 'tool-wait'; call: EngineCall; state?: Record<string, unknown> }
  /** It only reads, was cut off with the process it ran in, and is run again. */
  | { type: 'repeated'; call: EngineCall }
  | { type: 'tool-output'; call: EngineCall; ticks: number; output: string }
  | { type: 'tool-progress'; call: EngineCall; ticks: number }
  /** A call did not run because of permissions. `automatic`: nobody was asked. */
  | {
      type: 'denied'
      call: EngineCall
      message: string
      automatic: boolean
      reasonType?: string
      reason?: string
    }
  /** Somebody is about to be asked for permission; `settled` follows, whatever becomes of the question. */
  | { type: 'asked'; question: PermissionRequest }
  /** `unanswered`: there was nobody to ask. `failed`: whoever was asked gave no answer that counts, or the turn was aborted. */
  | {
      type: 'settled'
      call: EngineCall
      answer: 'allowed' | 'denied' | 'parked' | 'unanswered' | 'failed'
      /** Where it was changed. */
      input?: Record<string, unknown>
      /** Why the call was denied. */
      message?: string
      interrupt?: true
    }
  /** A text of ours that enters the conversation as the user's. */
  | { type: 'user-text'; text: string; kind: 'interrupted' | 'feedback' | 'hidden' }
  /** Reminders beside the results of tools: part of the conversation, not shown. */
  | { type: 'context'; texts: string[] }
