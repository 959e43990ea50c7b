/** The events of the AG-UI protocol, version 1.0: those that a session can be told in. */
import type { Ask, AskAnswer, Person, SessionStatus, ViewTask, ViewTodo } from '../../public-client.js'

/** An event of a run. `type` is one of the names of AG-UI's `EventType`. */
export type AgUiEvent =
  | { type: 'RUN_STARTED'; threadId: string; runId: string; protocolVersion: '1.0' }
  | {
      type: 'RUN_FINISHED'
      threadId: string
      runId: string
      result?: AgUiRunResult
      outcome: { type: 'success' } | { type: 'cancelled' } | { type: 'interrupt'; interrupts: AgUiInterrupt[] }
      usage?: AgUiUsage[]
    }
  | { type: 'RUN_ERROR'; message: string; code?: string }
  | ({ type: 'TEXT_MESSAGE_START'; messageId: string; role: 'assistant' | 'user' } & OfSubagent)
  | ({ type: 'TEXT_MESSAGE_CONTENT'; messageId: string; delta: string } & OfSubagent)
  | ({ type: 'TEXT_MESSAGE_END'; messageId: string } & OfSubagent)
  | ({ type: 'REASONING_START' | 'REASONING_END' | 'REASONING_MESSAGE_END'; messageId: string } & OfSubagent)
  | ({ type: 'REASONING_MESSAGE_START'; messageId: string; role: 'reasoning' } & OfSubagent)
  | ({ type: 'REASONING_MESSAGE_CONTENT'; messageId: string; delta: string } & OfSubagent)
  | ({ type: 'TOOL_CALL_START'; toolCallId: string; toolCallName: string } & OfSubagent)
  | ({ type: 'TOOL_CALL_ARGS'; toolCallId: string; delta: string } & OfSubagent)
  | ({ type: 'TOOL_CALL_END'; toolCallId: string } & OfSubagent)
  | ({
      type: 'TOOL_CALL_RESULT'
      messageId: string
      toolCallId: string
      content: string | AgUiContentPart[]
      role: 'tool'
      metadata?: { kedge: { isError: true } }
    } & OfSubagent)
  | { type: 'STATE_SNAPSHOT'; snapshot: AgUiState }
  | { type: 'STATE_DELTA'; delta: { op: 'replace'; path: string; value: unknown }[] }
  | { type: 'ACTIVITY_SNAPSHOT'; messageId: string; activityType: 'kedge.task'; content: Record<string, unknown> }
  | { type: 'CUSTOM'; name: `kedge.${string}`; value: unknown }
  | {
      type: 'SUBAGENT_STARTED'
      subagentRunId: string
      name: string
      description?: string
      parentSubagentRunId?: string
      parentToolCallId: string
    }
  | { type: 'SUBAGENT_FINISHED'; subagentRunId: string; outcome?: { type: 'suspended'; interruptIds?: string[] } }

type OfSubagent = { subagentRunId?: string }

/** A part of a result that isn't text alone. */
export type AgUiContentPart =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'data'; value: string; mimeType: string } | { type: 'url'; value: string } }

/** A request that waits for an answer, as `resume` of the next run gives it. */
export type AgUiInterrupt = {
  id: string
  /** `tool_call`: an approval. `input_required`: a question, or the form of an MCP server. */
  reason: 'tool_call' | 'input_required'
  message: string
  toolCallId?: string
  subagentRunId?: string
  /** The answer that is expected. */
  responseSchema: Record<string, unknown>
  metadata: { kedge: Pick<Ask, 'kind' | 'why' | 'suggestions'> & Partial<Pick<Ask, 'preview' | 'asker'>> }
}

/** The state of a run: what the session is doing, beside its messages. */
export type AgUiState = {
  status: SessionStatus
  title: string | null
  mode: string | null
  model: string | null
  costUsd: number
  requests: readonly Ask[]
  tasks: readonly ViewTask[]
  todos: readonly ViewTodo[]
}

export type AgUiUsage = {
  model: string
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteInputTokens: number
}

/** What a run that is done says of itself. */
export type AgUiRunResult = { costUsd: number; durationMs: number }

/** An answer that was given, by anybody: the value of `kedge.answered`. */
export type AgUiAnswer = { id: string } & ({ answer: AskAnswer['kind']; by: Person } | { withdrawn: string })
