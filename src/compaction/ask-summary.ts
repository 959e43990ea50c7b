/** Asks a model to sum up a conversation; where even that is too long for it, the oldest part is left out. */
import type { ModelFailure, ModelPort, ToolDefinition } from '../engine/ports.js'
import type { ContentBlock, MessageParam } from '../protocol/content.js'
import { SUMMARISER, summaryRequest } from './summary-texts.js'

const SUMMARY_TOKENS = 20_000
/** How often the oldest half is left out when even the summariser can't take it all. */
const MAX_CUTS = 4

export type SummaryQuestion = {
  port: ModelPort
  model: string
  /** The API wants to know of tools where the history holds calls. */
  tools: readonly ToolDefinition[]
  messages: readonly MessageParam[]
  /** What the summary should keep above all. */
  wishes: readonly string[]
}

export async function askForSummary(
  { port, model, tools, messages: all, wishes }: SummaryQuestion,
  signal: AbortSignal,
): Promise<string | ModelFailure> {
  const request = summaryRequest(wishes)
  let messages = all
  let failure: ModelFailure = { kind: 'unknown', code: 'aborted', text: 'it was interrupted', status: null }
  for (let cuts = 0; cuts <= MAX_CUTS; cuts += 1) {
    const stream = port.stream(
      {
        model,
        system: [SUMMARISER],
        tools,
        messages: withRequest(messages, request),
        partial: false,
        plain: true,
        maxTokens: SUMMARY_TOKENS,
      },
      signal,
    )
    for await (const event of stream) {
      if (event.type !== 'end') continue
      if (event.outcome.ok) {
        const text = textOf(event.outcome.message.content)
        return text || { kind: 'unknown', code: 'empty_summary', text: 'the model wrote no summary', status: null }
      }
      failure = event.outcome.failure
    }
    if (failure.code !== 'prompt_too_long' || signal.aborted) return failure
    messages = withoutOldest(messages)
  }
  return failure
}

function textOf(content: readonly ContentBlock[]): string {
  return content
    .flatMap((block) => (block.type === 'text' ? block.text : []))
    .join('')
    .trim()
}

/** The API wants roles to alternate, and an answer to every call. */
function withRequest(messages: readonly MessageParam[], request: string): MessageParam[] {
  const last = messages.at(-1)
  const block = { type: 'text' as const, text: request }
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [block] }]
  const content = typeof last.content === 'string' ? [{ type: 'text' as const, text: last.content }] : last.content
  return [...messages.slice(0, -1), { role: 'user', content: [...content, block] }]
}

/** The newer half, from a message on that answers no call. */
export function withoutOldest(messages: readonly MessageParam[]): MessageParam[] {
  const middle = Math.ceil(messages.length / 2)
  const start = messages.findIndex((message, index) => index >= middle && isPrompt(message))
  if (start > 0) return messages.slice(start)
  // One endless turn: what it did last, without the results whose calls are gone.
  const rest = messages.slice(Math.max(middle, 1))
  const [first] = rest
  if (!first || first.role === 'assistant') return [{ role: 'user', content: 'The beginning was left out.' }, ...rest]
  return [{ role: 'user', content: 'The beginning was left out.' }, ...rest.slice(1)]
}

/** A message of the user that answers no call of the model. */
export function isPrompt({ role, content }: MessageParam): boolean {
  return role === 'user' && (typeof content === 'string' || !content.some((block) => block.type === 'tool_result'))
}
