/**
 * What the loop needs from the world, as functions and plain data. The loop imports nothing else: no `node:`, no clock,
 * no fetch. Failures of a port are values, not throws; a port that throws anyway is a bug and ends the turn as one.
 */
import type {
  AssistantMessage,
  ContentBlock,
  ContentBlockParam,
  MessageParam,
  RawStreamEvent,
  ToolResultContent,
  Usage,
  UUID,
} from '../protocol/content.js'
import type { PermissionMode, PermissionUpdate } from '../protocol/permission-types.js'
import type { EngineEvent } from './events.js'

// ── model ────────────────────────────────────────────────────────────────────

export type ToolDefinition = { name: string; description: string; input_schema: Record<string, unknown> }

/** A tool the API runs by itself, such as its web search. */
export type ServerTool = { type: string; name: string; [option: string]: unknown }

/** One model request. `messages` objects are never changed after they were handed over: a client may cache by identity. */
export type ModelRequest = {
  model: string
  system: readonly string[]
  tools: readonly (ToolDefinition | ServerTool)[]
  messages: readonly MessageParam[]
  /** Yield `event`s too; without it only whole blocks are reported. */
  partial: boolean
  /** Give up after this many overloaded answers (failure code `overloaded`), because there is another model to try. */
  overloadedLimit?: number
  /** Without thinking, whatever the session is set to. */
  withoutThinking?: true
  /** In place of the session's. */
  effort?: 'low' | 'medium' | 'high' | 'max'
  /** Without thinking, effort and betas, whatever the session is set to: a short question on the side. */
  plain?: true
  /** For the answer; absent: what suits the model. */
  maxTokens?: number
  /** Told once per exchange with the API what it used, whatever became of it: broken, repeated, aborted. */
  onUsage?(usage: Usage): void
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
  | { type: 'retry'; attempt: number; maxRetries: number; delayMs: number; status: number | null; error: string }
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
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

// ── tools ────────────────────────────────────────────────────────────────────

/** What a call would touch, stated by the tool, judged by the permission engine. Paths are absolute. */
export type PermissionFacts =
  | { kind: 'none' }
  | { kind: 'read'; paths: string[] }
  /** `destination`: where the links in the path led when the tool looked. */
  | { kind: 'edit'; path: string; destination?: string }
  /** `unsandboxed`: it asks to run outside the sandbox that the session has. */
  | { kind: 'command'; command: string; cwd: string; unsandboxed?: true }
  /** `address`: the host is known to lead to this address, which is not one of the public internet. */
  | { kind: 'fetch'; url: string; address?: string }
  /** Needs a human whatever the rules say. */
  | { kind: 'ask' }
  /** Nothing known: asks unless a rule names the tool. */
  | { kind: 'other' }

export type ToolOutcome =
  | {
      ok: true
      content: string | ToolResultContent[]
      /** `tool_use_result` on the wire. */
      output: unknown
      /** A text that follows the result in the conversation, in a message of its own on the wire: what a skill says. */
      follow?: string
    }
  | {
      ok: false
      /** What the model reads. */
      error: string
      /** True: the call was refused before anything ran (`<tool_use_error>` around it on the wire). */
      refused?: boolean
      /** `tool_use_result`, when it is not `Error: <error>`. */
      output?: unknown
    }

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: Record<string, unknown>
}

/** A tool as the loop sees it, already bound to its session. */
export interface EngineTool {
  readonly name: string
  /** Success results of this tool carry `is_error: false` (Bash does). */
  readonly marksSuccess?: boolean
  /** What whoever is asked for permission should know of it. */
  readonly warning?: string
  /** May run at the same time as others that say so. */
  isReadOnly(input: Record<string, unknown>): boolean
  /** Checks and completes the model's input. */
  parse(input: unknown): { ok: true; input: Record<string, unknown> } | { ok: false; error: string; output: string }
  /** Adds to a checked input what only the session knows, before host and model see the call. */
  prepare?(input: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Reasons to refuse that need a look at the world (file not read yet); before permission is asked. */
  check(input: Record<string, unknown>): Promise<string | undefined>
  facts(input: Record<string, unknown>): PermissionFacts
  /** What only shows once the first permission was given (where a name leads to); judged like the facts before it. */
  moreFacts(call: ToolCall, signal: AbortSignal): Promise<PermissionFacts | undefined>
  execute(call: ToolCall, signal: AbortSignal, progress: (output: string) => void): Promise<ToolOutcome>
}

export interface ToolPort {
  find(name: string): EngineTool | undefined
}

// ── permissions ──────────────────────────────────────────────────────────────

export type PermissionQuestion = {
  call: ToolCall
  suggestions?: PermissionUpdate[]
  blockedPath?: string
  decisionReason?: string
  /** Of the tool itself. */
  warning?: string | undefined
  /** No hook may say yes in the user's place. */
  onlyAPerson?: true
  /** The sub-agent whose call it is. */
  agentId?: string
}

export type PermissionDecision =
  | { behavior: 'allow' }
  | { behavior: 'deny'; message: string; reasonType: string; reason?: string }
  | {
      behavior: 'ask'
      /** The denial text when nobody can be asked. */
      message: string
      reasonType: string
      suggestions?: PermissionUpdate[]
      blockedPath?: string
      decisionReason?: string
      onlyAPerson?: true
    }

/** What is known of a call beside its facts. */
export type DecideContext = {
  /** A PreToolUse hook said yes: lifts questions, but no rule and nothing only a person may approve. */
  approvedByHook?: boolean
  /** A PreToolUse hook wants the user to be asked: outdoes every allow. */
  askedByHook?: boolean
  /** Of the sub-agent whose call it is, in place of the session's. */
  mode?: PermissionMode
}

export type PermissionAnswer =
  | { behavior: 'allow'; input: Record<string, unknown>; updates: PermissionUpdate[] }
  | { behavior: 'deny'; message: string; interrupt: boolean }

export interface PermissionPort {
  /** A question that nobody answers ends the turn. */
  readonly failsUnasked?: boolean
  /** Judges by rules and mode alone; asks nobody. A hook's yes lifts questions, but no rule; its `ask` makes one. */
  decide(call: ToolCall, facts: PermissionFacts, context?: DecideContext): Promise<PermissionDecision>
  /** Asks the host. `undefined`: there is nobody to ask. */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer | undefined>
  /** Applies "always allow" updates; what can't be applied comes back as reasons. */
  apply(updates: PermissionUpdate[]): Promise<string[]>
}

// ── hooks ────────────────────────────────────────────────────────────────────

export type PreToolVerdict = {
  decision?: 'allow' | 'deny' | 'ask'
  reason?: string
  input?: Record<string, unknown>
  context: string[]
  /** The reason of a denial is also told beside the result. */
  tells?: boolean
  /** `continue: false`: the turn ends here and the tool does not run. */
  stop?: { reason?: string }
}
export type PostToolVerdict = {
  context: string[]
  stop?: { reason?: string }
  /** What the model reads instead of the tool's own result: a text, content blocks, or anything JSON can say. */
  output?: unknown
}
export type StopVerdict = { block?: string; prevent?: boolean }

export interface HookPort {
  preTool(call: ToolCall, signal: AbortSignal): Promise<PreToolVerdict>
  postTool(call: ToolCall, outcome: ToolOutcome, interrupted: boolean, signal: AbortSignal): Promise<PostToolVerdict>
  /** After all calls of one answer. */
  postBatch(calls: readonly { call: ToolCall; output: unknown }[], signal: AbortSignal): Promise<PostToolVerdict>
  /** Before the turn ends well. `block` is feedback for the model; the turn goes on. */
  stop(active: boolean, lastText: string, signal: AbortSignal): Promise<StopVerdict>
}

// ── the rest ─────────────────────────────────────────────────────────────────

/** A user message that came while the turn was running. */
export type FoldedMessage = { text: string; blocks: ContentBlockParam[] }

export interface EnginePorts {
  model: ModelPort
  tools: ToolPort
  permissions: PermissionPort
  hooks: HookPort
  /** Tells the outside. A promise means: wait, the reader is behind. */
  emit(event: EngineEvent): void | Promise<void>
  /** Messages to fold into the next request; taken once. */
  takeFolded(signal: AbortSignal): Promise<FoldedMessage[]>
  /** True once the session has spent its budget. */
  overBudget(): boolean
  /** True once the model has had all its tries to answer in the shape that is wanted. */
  gaveUp(): boolean
  /** Replaces the history by a shorter one: when it is near the limit, or because the API said that it is too long.
   *  False when it stays as it is. */
  makeRoom?(why: 'near' | 'too-long', signal: AbortSignal): Promise<boolean>
  /** Calls back every `ms` until the returned function is called. */
  every(ms: number, callback: () => void): () => void
  uuid(): UUID
}
