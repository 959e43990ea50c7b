/** What a host should hear about an exchange with the model: a cache that can't hold, and a call that is only text. */
import type { ModelPort } from '../../engine/ports.js'
import type { AssistantMessage } from '../../protocol/content.js'
import type { Conversation } from '../conversation.js'
import { findCacheBreak, toSentRequest } from './cache-break.js'

/** The model of the session; before each request it is said if what was cached is of no use any more, and why. */
export function modelWithCacheNotices(conversation: Conversation): ModelPort {
  return {
    stream(request, signal) {
      const { context, shared } = conversation
      const { thinking, fast } = shared.live
      const now = toSentRequest(request, { thinking: JSON.stringify(thinking ?? null), fast })
      const found = context.sent?.cached ? findCacheBreak(context.sent, now) : undefined
      if (found) {
        const { reason, words, details } = found
        const text = `What the API had cached of this conversation can not be used: the ${reason} changed (${words}).`
        void conversation.emitter.inform(text, 'notice', { code: 'cache_break', details: { reason, ...details } })
      }
      context.sent = now
      return conversation.ports.model.stream(request, signal)
    },
  }
}

export function warnOfFabricatedCalls(conversation: Conversation, { usage, content }: AssistantMessage): void {
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) > 0
  if (conversation.context.sent) conversation.context.sent.cached = cached
  if (content.some(({ type }) => type === 'tool_use')) return
  const tool = callIn(content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n'))
  if (tool === undefined) return
  const text = `The model wrote a call of ${tool} as text: nothing was run, and what it says of the result may be made up.`
  const details = { tool, parent_tool_use_id: null }
  void conversation.emitter.inform(text, 'warning', { code: 'suspect_fabrication', details })
}

/** The tool of a call in one of the shapes in which models write them when they can't make them. */
function callIn(text: string): string | undefined {
  const begin = text.search(/<(?:tool_call|tool_use|function_calls|invoke)\b/)
  if (begin < 0) return undefined
  const found = /"name"\s*:\s*"([\w-]{1,128})"|\bname="([\w-]{1,128})"/.exec(text.slice(begin, begin + 2000))
  return found?.[1] ?? found?.[2]
}
