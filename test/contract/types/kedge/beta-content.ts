// Content of the API library's beta messages goes in as it is: adapters and hosts pass it on unchanged.
import type {
  BetaContentBlock,
  BetaContentBlockParam,
  BetaMessage,
  BetaMessageParam,
  BetaRawContentBlockDelta,
  BetaRawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/beta/messages/messages.mjs'
import type {
  AssistantMessage,
  ContentBlock,
  ContentBlockParam,
  ContentDelta,
  MessageParam,
  RawStreamEvent,
  SDKAssistantMessage,
  SDKUserMessage,
} from 'kedge'

declare function accepts<T>(value: T): void

export function goesIn(
  blocks: BetaContentBlock[],
  params: BetaContentBlockParam[],
  deltas: BetaRawContentBlockDelta[],
  answer: BetaMessage,
  prompt: Exclude<BetaMessageParam, { role: 'system' }>,
  event: BetaRawMessageStreamEvent,
): SDKUserMessage {
  accepts<ContentBlock[]>(blocks)
  accepts<ContentBlockParam[]>(params)
  accepts<ContentDelta[]>(deltas)
  accepts<AssistantMessage>(answer)
  accepts<SDKAssistantMessage['message']>(answer)
  accepts<RawStreamEvent>(event)
  accepts<MessageParam>({ role: 'assistant', content: answer.content })
  return { type: 'user', message: prompt, parent_tool_use_id: null, session_id: '' }
}
