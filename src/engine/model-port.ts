/** The model as the loop sees it: what a request holds, what comes back while it streams, and how it ends. */

import type { AssistantMessage, ContentBlock, MessageParam, RawStreamEvent, Usage } from '../protocol/content.js'
import type { FallbackSwitchReasons } from './fallbacks.js'

export type ToolDefinition = {
  name: string
  description: string
  input_schema: Record<string, unknown>
  /** The model reads the definition only once a `tool_reference` names it, so the cached start of the request stays the same. */
  defer_loading?: true
}

/** A tool the API runs by itself, such as its web search. */
export type ToolRunByApi = { type: string; name: string; [option: string]: unknown }

/** One model request. `messages` objects are never changed after they were handed over: a client may cache by identity. */
export type EngineRequest = FallbackSwitchReasons & {
  model: string
  system: readonly string[]
  tools: readonly (ToolDefinition | ToolRunByApi)[]
  /** The model must call a tool, or can't. Absent: it decides. */
  toolChoice?: 'any' | 'none'
  messages: readonly MessageParam[]
  /** Yield `event`s too; without it only whole blocks are reported. */
  partial: boolean
  /** Without thinking, whatever the session is set to. */
  withoutThinking?: true
  /** In place of the session's. */
  effort?: 'low' | 'medium' | 'high' | 'max'
  /** Without thinking, effort and betas, whatever the session is set to: a short question on the side. */
  plain?: true
  /** For the answer; absent: what suits the model. */
  maxTokens?: number
  /** Watches each exchange with the API, and can change it. Absent if nothing watches. */
  watch?: ModelRequestHooks
  /** Told once per exchange with the API what it used, whatever became of it: broken, repeated, aborted. */
  onUsage?(usage: Usage): void
}

/** Callbacks around the exchanges of one model request. */
export type ModelRequestHooks = {
  /** The headers to send it with; a failure: it is not made. */
  beforeRequest?(
    written: { url: URL; headers: Readonly<Record<string, string>>; body: readonly (string | Uint8Array)[] },
    /** `attempt`: from 1, with every exchange for one answer. */
    about: { model: string; attempt: number; secrets: readonly string[] },
    signal: AbortSignal,
  ): Promise<{ headers: Readonly<Record<string, string>> } | ModelFailure>
  /** After a failure that may pass. Without a wish it continues as it would. */
  beforeRetry?(
    about: {
      model: string
      /** Number of the retry, from 1. */
      attempt: number
      maxRetries: number
      delayMs: number
      willRetry: boolean
      error: string
      status: number | null
    },
    signal: AbortSignal,
  ): Promise<{ retry?: boolean; delayMs?: number }>
}

/** The code of a request that was not sent, because the session has spent its budget. */
export const BUDGET_SPENT = 'budget_exhausted'

export type ModelFailure = {
  /** For hosts: the `error` of a synthetic assistant line. */
  kind: 'authentication_failed' | 'billing_error' | 'rate_limit' | 'invalid_request' | 'server_error' | 'unknown'
  /** Our code: `api_error`, `not_authenticated`, `overloaded`, `connection_failed`, `prompt_too_long`, … */
  code: string
  /** What the user reads. */
  text: string
  status: number | null
  /** Why there was no answer, as the system calls it: `ECONNREFUSED`. */
  reason?: string
}

export type ModelEvent =
  /**
   * Raw stream events, `ping` left out; as many as came together, because a step for each costs more than the event itself. The
   * `block` of a finished content block comes just before its stop event.
   */
  | { type: 'events'; events: readonly RawStreamEvent[] }
  /** A content block is complete. `header` is the message as `message_start` announced it, with empty content. */
  | { type: 'block'; block: ContentBlock; header: AssistantMessage; requestId: string | null }
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
  /** Always the last event, exactly once, except after abort, when the stream may just end. */
  | { type: 'end'; outcome: ModelOutcome }

export type ModelOutcome =
  | {
      ok: true
      /** Whole and final: content, stop reason, usage. Only this may lead to tools being run. */
      message: AssistantMessage
      /** False when the stream broke after content and the answer was fetched again without streaming: the blocks
       *  announced before are void, and `message` was not announced as blocks yet. */
      streamed: boolean
      requestId: string | null
    }
  | { ok: false; failure: ModelFailure }

export interface ModelPort {
  /** Streams one answer. Retries and accounting happen inside. Never throws; ends early when `signal` aborts. */
  stream(request: EngineRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}
