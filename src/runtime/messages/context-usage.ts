/** What fills the context window, by category: shares are estimated by length, their sum is what the API counted, where it has. */

import { compactionLimit } from '../../compaction/compaction-limit.js'
import { reminder } from '../../engine/result-message.js'
import type { SDKControlGetContextUsageResponse } from '../../protocol/control.js'
import type { Conversation } from '../conversation.js'
import { systemPrompt } from './init-message.js'

/** Characters per token, a rough mean over prose and code. */
const CHARACTERS_PER_TOKEN = 3.6

export function contextUsage(conversation: Conversation): SDKControlGetContextUsageResponse {
  const { shared, history, context } = conversation
  const { project } = shared
  const model = conversation.model.current()
  const maxTokens = conversation.model.contextWindow()
  const [ofServers, ofOurs] = split(conversation.offer.definitions(), ({ name }) => name.startsWith('mcp__'))
  const instructions = project.instructionsText(project.instructions)
  const files = instructions === '' || history.messages.length === 0 ? 0 : reminder(instructions).length
  const lengths = [
    { id: 'system_prompt', name: 'System prompt', length: systemPrompt(conversation).join('\n').length },
    { id: 'system_tools', name: 'Tools', length: lengthOf(ofOurs) },
    { id: 'mcp_tools', name: 'MCP tools', length: lengthOf(ofServers) },
    { id: 'memory_files', name: 'Instructions', length: files },
    { id: 'messages', name: 'Messages', length: Math.max(0, lengthOf(history.messages) - files) },
  ]
  // Never 0: it is divided by.
  const all = lengths.reduce((sum, { length }) => sum + length, 1)
  const totalTokens = context.tokens > 0 ? context.tokens : Math.ceil(all / CHARACTERS_PER_TOKEN)
  let left = totalTokens
  const used = lengths.map(({ id, name, length }) => {
    const tokens = id === 'messages' ? left : Math.floor((totalTokens * length) / all)
    left -= tokens
    return { id, name, tokens, kind: 'used' as const }
  })
  const limit = compactionLimit(maxTokens, shared.live.env)
  const buffer = limit === undefined ? 0 : Math.min(Math.round(maxTokens - limit), Math.max(0, maxTokens - totalTokens))
  return {
    categories: [
      ...used.filter(({ id, tokens }) => tokens > 0 || id === 'system_prompt'),
      { id: 'free_space', name: 'Free', tokens: Math.max(0, maxTokens - totalTokens - buffer), kind: 'free' },
      ...(buffer === 0
        ? []
        : [{ id: 'compaction_buffer', name: 'Kept for a summary', tokens: buffer, kind: 'buffer' as const }]),
    ],
    totalTokens,
    maxTokens,
    percentage: Math.round((totalTokens / maxTokens) * 1000) / 10,
    model,
  }
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

function lengthOf(items: readonly unknown[]): number {
  return items.length === 0 ? 0 : JSON.stringify(items).length
}
