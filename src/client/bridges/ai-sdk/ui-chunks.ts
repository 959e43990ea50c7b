/** The chunks of the AI SDK's UI message stream, version 1: those that a session can be told in. */
import type { Ask, AskAnswer, Person } from '../../public-client.js'

/** Which item of the session a text is. */
export type ChunkOrigin = { kedge: { key: string } }

/** A piece of the assistant message that a turn becomes. */
export type UiChunk =
  | { type: 'start'; messageId?: string }
  | { type: 'start-step' }
  | { type: 'finish-step' }
  /** Removes the parts of the step: another attempt takes their place. */
  | { type: 'reset-step' }
  | { type: 'text-start' | 'reasoning-start'; id: string; providerMetadata?: ChunkOrigin }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'text-end' | 'reasoning-end'; id: string }
  | ({ type: 'tool-input-start' } & ChunkCall)
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | ({ type: 'tool-input-available'; input: unknown } & ChunkCall)
  | {
      type: 'tool-approval-request'
      approvalId: string
      toolCallId: string
      reason?: string
      approvalDescriptor?: ApprovalDescriptor
    }
  | { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
  | ({ type: 'tool-output-available'; output: unknown } & ChunkResult)
  | ({ type: 'tool-output-error'; errorText: string } & ChunkResult)
  | { type: 'tool-output-denied'; toolCallId: string }
  | DataChunk
  | { type: 'error'; errorText: string }
  | { type: 'finish'; finishReason: 'stop' | 'tool-calls' | 'error' | 'interrupted'; messageMetadata?: TurnMetadata }

type ChunkCall = { toolCallId: string; toolName: string; dynamic: true; providerExecuted?: boolean }
type ChunkResult = { toolCallId: string; dynamic: true; providerExecuted?: boolean }

/** What a page can show with an approval: the fields of the request. */
export type ApprovalDescriptor = Pick<Ask, 'id' | 'session' | 'kind' | 'why' | 'suggestions'> &
  Partial<Pick<Ask, 'preview' | 'asker'>>

/** Data parts, as `data-<name>`. Transient ones reach `onData` and aren't kept in the message. */
export type KedgeDataParts = {
  /** A sub-agent, or work in the background, by the call that started it. */
  agent: DataOfAgent
  /** What a user should notice: retries, compactions, denials, failed hooks. */
  notice: DataOfNotice
  /** A prompt that joined the turn. */
  prompt: { text: string; by?: Person }
  /** The user who answered a request, and how. */
  request: DataOfRequest
  /** What a command prints while it runs. Transient. */
  output: { toolCallId: string; text: string }
  /** The connection of Kedge's server is lost, or there again. Transient. */
  connection: { isLost: boolean; problem?: string }
}

export type DataOfAgent = {
  toolCallId: string
  description: string
  status: string
  calls: number
  tokens: number
  summary?: string
}
export type DataOfNotice = { level: 'info' | 'warning' | 'error' | 'mark'; text: string; detail?: string; fix?: string }
export type DataOfRequest = { id: string; closed: { answer: AskAnswer['kind']; by: Person } | { withdrawn: string } }

type DataChunk = {
  [N in keyof KedgeDataParts]: { type: `data-${N}`; id?: string; data: KedgeDataParts[N]; transient?: boolean }
}[keyof KedgeDataParts]

/** What a finished turn says of itself, in `message.metadata`. */
export type TurnMetadata = {
  kedge: { outcome: string; costUsd?: number; durationMs?: number; usage?: Record<string, number> }
}
