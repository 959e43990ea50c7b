// Content of the API library goes in as it is, and ours goes where code expects the library's blocks.
import type Anthropic from '@anthropic-ai/sdk'
import type {
  BetaContentBlock,
  BetaMessageParam,
  BetaTextBlock,
  BetaThinkingBlock,
  BetaToolUseBlock,
} from '@anthropic-ai/sdk/resources/beta/messages/messages.mjs'
import type {
  AssistantMessage,
  ContentBlock,
  ContentBlockParam,
  MessageParam,
  SDKUserMessage,
  ToolResultContent,
} from 'kedge'

declare function accepts<T>(value: T): void

export function goesIn(
  message: Anthropic.MessageParam,
  block: Anthropic.ContentBlockParam,
  result: Exclude<Anthropic.ToolResultBlockParam['content'], string | undefined>,
  answer: Anthropic.Message,
): SDKUserMessage {
  accepts<MessageParam>(message)
  accepts<ContentBlockParam>(block)
  accepts<ToolResultContent[]>(result)
  accepts<ContentBlock[]>(answer.content)
  accepts<AssistantMessage['usage']>(answer.usage)
  return { type: 'user', message, parent_tool_use_id: null, session_id: '' }
}

export function comesOut(message: AssistantMessage): string {
  const texts = message.content.filter((block): block is BetaTextBlock => block.type === 'text')
  const calls = message.content.filter((block) => block.type === 'tool_use')
  accepts<BetaToolUseBlock[]>(calls)
  accepts<Anthropic.ToolUseBlockParam[]>(calls)
  for (const block of message.content) {
    if (block.type === 'thinking') accepts<BetaThinkingBlock>(block)
    if (block.type === 'text') accepts<Anthropic.TextBlockParam>(block)
  }
  const last = message.content.at(-1) as BetaContentBlock
  return `${texts.map((block) => block.text).join()} ${last.type}`
}

export function roundTrip(message: AssistantMessage): BetaMessageParam {
  const content = message.content.filter(
    (block) => block.type === 'text' || block.type === 'tool_use' || block.type === 'thinking',
  )
  return { role: 'assistant', content }
}
