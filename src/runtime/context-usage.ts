/** What fills the context window, by category. Counted by length where the API has not told us. */
import type { SDKControlGetContextUsageResponse } from '../protocol/control.js'
import { systemPrompt } from './init-message.js'
import type { SessionParts } from './session-parts.js'

/** Characters per token, a rough mean over prose and code. */
const CHARACTERS_PER_TOKEN = 3.6

export function contextUsage(parts: SessionParts): SDKControlGetContextUsageResponse {
  const model = parts.model.current()
  const maxTokens = parts.model.contextWindow()
  const system = estimate(systemPrompt(parts).join('\n'))
  const tools = estimate(JSON.stringify(parts.definitions()))
  const messages = estimate(JSON.stringify(parts.history.messages))
  const totalTokens = system + tools + messages
  return {
    categories: [
      { id: 'system_prompt', name: 'System prompt', tokens: system, kind: 'used' },
      { id: 'system_tools', name: 'Tools', tokens: tools, kind: 'used' },
      { id: 'messages', name: 'Messages', tokens: messages, kind: 'used' },
      { id: 'free_space', name: 'Free', tokens: Math.max(0, maxTokens - totalTokens), kind: 'free' },
    ],
    totalTokens,
    maxTokens,
    percentage: Math.round((totalTokens / maxTokens) * 1000) / 10,
    model,
  }
}

function estimate(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}
