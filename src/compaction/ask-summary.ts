/**
 * Asks a model to summarize a conversation. The first request continues the conversation with the same system prompt and tools, so
 * the provider's cache contains all of it. If that returns no text or is too long, a separate request follows. If that is too long
 * as well, it omits the oldest messages.
 */
import type { EngineRequest, ModelEvent, ModelFailure, ModelPort, ToolDefinition } from '../engine/ports.js'
import type { ContentBlock, MessageParam } from '../protocol/content.js'
import { SUMMARIZER_PROMPT, summaryRequestText } from './summary-texts.js'

const SUMMARY_TOKENS = 20_000
/** How often the oldest half is left out when even the summarizer can't take it all. */
const MAX_CUTS = 4

export type SummaryInput = {
  port: ModelPort
  model: string
  /** Those of the conversation's own requests. */
  system: readonly string[]
  tools: readonly ToolDefinition[]
  messages: readonly MessageParam[]
  /** What the summary should keep above all. */
  wishes: readonly string[]
}

export async function askForSummary(
  { port, model, system, tools, messages: all, wishes }: SummaryInput,
  signal: AbortSignal,
): Promise<string | ModelFailure> {
  const request = summaryRequestText(wishes)
  const ask = (
    messages: readonly MessageParam[],
    rest: Pick<EngineRequest, 'system' | 'tools'> & Partial<EngineRequest>,
  ) => answerTo(port.stream({ model, messages: withRequest(messages, request), partial: false, ...rest }, signal))
  let answer = await ask(all, { system, tools })
  // The API requires tool definitions if the history contains calls.
  const read = tools.filter(({ name }) => name === 'Read')
  const apart = { tools: read.length > 0 ? read : tools, plain: true, maxTokens: SUMMARY_TOKENS } as const
  let messages = all
  for (let cuts = 0; cuts <= MAX_CUTS && mayTryAgain(answer) && !signal.aborted; cuts += 1) {
    if (cuts > 0) messages = keepNewerHalf(messages)
    answer = await ask(messages, { system: [SUMMARIZER_PROMPT], ...apart })
    if (answer === EMPTY) break
  }
  return answer
}

const EMPTY: ModelFailure = { kind: 'unknown', code: 'empty_summary', text: 'the model wrote no summary', status: null }
const CUT_OFF: ModelFailure = { kind: 'unknown', code: 'aborted', text: 'it was interrupted', status: null }

function mayTryAgain(answer: string | ModelFailure): boolean {
  return answer === EMPTY || (typeof answer !== 'string' && answer.code === 'prompt_too_long')
}

async function answerTo(stream: AsyncIterable<ModelEvent>): Promise<string | ModelFailure> {
  let answer: string | ModelFailure = CUT_OFF
  for await (const event of stream) {
    if (event.type !== 'end') continue
    answer = event.outcome.ok ? summaryIn(event.outcome.message.content) || EMPTY : event.outcome.failure
  }
  return answer
}

function summaryIn(content: readonly ContentBlock[]): string {
  // Text beside a tool call isn't the summary.
  if (content.some(({ type }) => type === 'tool_use')) return ''
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
export function keepNewerHalf(messages: readonly MessageParam[]): MessageParam[] {
  const middle = Math.ceil(messages.length / 2)
  const start = messages.findIndex((message, index) => index >= middle && isPromptMessage(message))
  if (start > 0) return messages.slice(start)
  // One endless turn: what it did last, without the results whose calls are gone.
  const rest = messages.slice(Math.max(middle, 1))
  const [first] = rest
  if (!first || first.role === 'assistant') return [{ role: 'user', content: 'The beginning was left out.' }, ...rest]
  return [{ role: 'user', content: 'The beginning was left out.' }, ...rest.slice(1)]
}

/** A message of the user that answers no call of the model. */
export function isPromptMessage({ role, content }: MessageParam): boolean {
  return role === 'user' && (typeof content === 'string' || !content.some((block) => block.type === 'tool_result'))
}
