/**
 * A question about the session that leaves no trace in it. The request begins exactly as the last one of the conversation did, so
 * the prompt cache serves it. Neither the question nor the answer becomes part of history or transcript; the cost counts.
 */
import { costOfUsage, modelPrice } from '../../model/pricing.js'
import type { ContentBlockParam, MessageParam } from '../../protocol/content.js'
import type { SDKControlSideQuestionResponse } from '../../protocol/requests/session-answers.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import type { Conversation } from '../conversation.js'
import { currentModel, sessionSystemPrompt } from '../messages/init-message.js'

const FRAME =
  'The user asks this on the side. It is no part of the task: answer from what you know so far, in a few sentences, and call no tool. Neither the question nor your answer will be part of the conversation.'
const NO_TEXT = 'The model gave no answer in words.'

export type SideQuestionOutcome = SDKControlSideQuestionResponse | { problem: string; code: string }

export async function askSideQuestion(
  main: Conversation,
  question: string,
  signal: AbortSignal,
): Promise<SideQuestionOutcome> {
  const { ports, history, shared } = main
  if (ports.overBudget()) return { problem: 'The budget of the session is spent.', code: 'budget_exhausted' }
  const model = currentModel(main)
  const stream = ports.model.stream(
    {
      model,
      system: sessionSystemPrompt(main),
      tools: main.offer.definitions(),
      messages: withQuestion(history.messages, question),
      partial: false,
    },
    signal,
  )
  for await (const event of stream) {
    if (event.type !== 'end') continue
    const { outcome } = event
    if (!outcome.ok) return { problem: outcome.failure.text, code: outcome.failure.code }
    const { content, usage } = outcome.message
    const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
    const price = modelPrice(model, shared.settings.modelPrices ?? {})
    return {
      answer: text.trim() || NO_TEXT,
      inputTokens: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0),
      cacheReadTokens: usage.cache_read_input_tokens ?? 0,
      outputTokens: usage.output_tokens,
      costUsd: (price && costOfUsage(price, usage)) ?? 0,
    }
  }
  return { problem: 'The question was canceled.', code: 'aborted' }
}

/** Without calls that have no result yet: while a turn runs, the last answer can have some. Then the user has spoken last. */
function withQuestion(messages: readonly MessageParam[], question: string): MessageParam[] {
  const asked: ContentBlockParam[] = [reminderText(FRAME), question].map((text) => ({ type: 'text', text }))
  const isOpen =
    messages.at(-1)?.role === 'assistant' && blocksOf(messages.at(-1)).some(({ type }) => type === 'tool_use')
  const whole = isOpen ? messages.slice(0, -1) : messages
  const last = whole.at(-1)
  if (last?.role !== 'user') return [...whole, { role: 'user', content: asked }]
  return [...whole.slice(0, -1), { ...last, content: [...blocksOf(last), ...asked] }]
}

function blocksOf(message: MessageParam | undefined): ContentBlockParam[] {
  const { content = [] } = message ?? {}
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
