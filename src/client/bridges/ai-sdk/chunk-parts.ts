/** Chunks that are made of one item alone. */
import { textOrEmpty } from '../../../protocol/json.js'
import type { Ask, NoticeItem, PromptItem, RequestItem, ToolItem, TurnItem } from '../../public-client.js'
import { isApproved, promptText, userWordsOfAnswer } from '../call-content.js'
import type { ApprovalDescriptor, DataOfNotice, DataOfRequest, TurnMetadata, UiChunk } from './ui-chunks.js'

export function agentChunk({ useId, input, state, task, agentCalls, agentTokens }: ToolItem): UiChunk {
  const { description, subagent_type: type } = input
  const summary = task?.summary === undefined ? {} : { summary: task.summary }
  const data = {
    toolCallId: useId,
    description: textOrEmpty(description) || textOrEmpty(type),
    status: task?.status ?? state,
    calls: agentCalls,
    tokens: agentTokens,
    ...summary,
  }
  return { type: 'data-agent', id: `agent-${useId}`, data }
}

export function noticeChunk({ key, level, text, detail, fix }: NoticeItem): UiChunk {
  const more = { ...(detail === undefined ? {} : { detail }), ...(fix === undefined ? {} : { fix }) }
  const data: DataOfNotice = { level, text, ...more }
  return { type: 'data-notice', id: key, data }
}

export function promptChunk(item: PromptItem): UiChunk {
  const by = item.by === undefined ? {} : { by: item.by }
  return { type: 'data-prompt', id: item.key, data: { text: promptText(item), ...by } }
}

/** What the page needs to show who answered a request, and how. */
export function answerChunks(ask: Ask, closed: NonNullable<RequestItem['closed']>, hasApproval: boolean): UiChunk[] {
  const approved = isApproved(closed)
  const words = userWordsOfAnswer(closed)
  const data: DataOfRequest = {
    id: ask.id,
    closed: 'answer' in closed ? { answer: closed.answer.kind, by: closed.by } : closed,
  }
  const chunks: UiChunk[] = [{ type: 'data-request', id: `request-${ask.id}`, data }]
  const reason = words === undefined ? {} : { reason: words }
  if (hasApproval) chunks.push({ type: 'tool-approval-response', approvalId: ask.id, approved, ...reason })
  if (ask.kind !== 'elicitation') return chunks
  const fields = { toolCallId: ask.id, dynamic: true as const }
  if ('answer' in closed && closed.answer.kind === 'elicitation') {
    const { action, content } = closed.answer
    const output = { action, ...(content ? { content } : {}) }
    return [...chunks, { type: 'tool-output-available', output, ...fields }]
  }
  return [...chunks, { type: 'tool-output-error', errorText: words ?? 'The request was denied.', ...fields }]
}

export function approvalDescriptorOf({ id, session, kind, why, suggestions, preview, asker }: Ask): ApprovalDescriptor {
  return { id, session, kind, why, suggestions, ...(preview ? { preview } : {}), ...(asker ? { asker } : {}) }
}

export function turnMetadataOf(outcome: string, turn: TurnItem | undefined): TurnMetadata {
  if (!turn) return { kedge: { outcome } }
  const { result, costUsd } = turn
  const counts = Object.entries(result.usage).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  const usage = Object.fromEntries(counts)
  return { kedge: { outcome, costUsd, durationMs: result.duration_ms, usage } }
}
