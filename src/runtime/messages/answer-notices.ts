/** What a host should hear about an exchange with the model: a cache that can't hold, and a call that is only text. */
import type { ModelPort, ModelRequest } from '../../engine/ports.js'
import type { AssistantMessage, MessageParam } from '../../protocol/content.js'
import type { Conversation, SentRequest } from '../conversation.js'

/** The model of the session; before each request it is said if what was cached is of no use any more, and why. */
export function watchedModel(conversation: Conversation): ModelPort {
  return {
    stream(request, signal) {
      const before = conversation.context.sent
      const now = sentOf(request)
      const reason = before?.cached ? brokenBy(before, now, request.messages) : undefined
      if (reason !== undefined) {
        const text = `What the API had cached of this conversation can not be used: the ${reason} changed.`
        void conversation.emitter.inform(text, 'notice', { code: 'cache_break', details: { reason } })
      }
      conversation.context.sent = now
      return conversation.ports.model.stream(request, signal)
    },
  }
}

export function noteAnswer(conversation: Conversation, { usage, content }: AssistantMessage): void {
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0) > 0
  if (conversation.context.sent) conversation.context.sent.cached = cached
  if (content.some(({ type }) => type === 'tool_use')) return
  const tool = callIn(content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n'))
  if (tool === undefined) return
  const text = `The model wrote a call of ${tool} as text: nothing was run, and what it says of the result may be made up.`
  const details = { tool, parent_tool_use_id: null }
  void conversation.emitter.inform(text, 'warning', { code: 'suspect_fabrication', details })
}

function sentOf({ model, system, tools, messages }: ModelRequest): SentRequest {
  const names = tools.map(({ name }) => name).join()
  return {
    model,
    system: system.join('\n'),
    tools: names,
    count: messages.length,
    last: messages.at(-1),
    cached: false,
  }
}

function brokenBy(before: SentRequest, now: SentRequest, messages: readonly MessageParam[]): string | undefined {
  if (before.model !== now.model) return 'model'
  if (before.tools !== now.tools) return 'tools'
  if (before.system !== now.system) return 'system prompt'
  return continues(before.last, messages[before.count - 1]) ? undefined : 'history'
}

/** The same message, or one that goes on where it ended. */
function continues(before: MessageParam | undefined, now: MessageParam | undefined): boolean {
  if (before === now) return true
  if (!before || !now || typeof before.content === 'string' || typeof now.content === 'string') return false
  const { content } = now
  return before.role === now.role && before.content.every((block, index) => block === content[index])
}

/** The tool of a call in one of the shapes in which models write them when they can't make them. */
function callIn(text: string): string | undefined {
  const begin = text.search(/<(?:tool_call|tool_use|function_calls|invoke)\b/)
  if (begin < 0) return undefined
  const found = /"name"\s*:\s*"([\w-]{1,128})"|\bname="([\w-]{1,128})"/.exec(text.slice(begin, begin + 2000))
  return found?.[1] ?? found?.[2]
}
