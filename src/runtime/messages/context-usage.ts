/** What fills the context window, by category: shares are estimated by length, their sum is what the API counted, where it has. */

import { compactionLimit } from '../../compaction/compaction-limit.js'
import type { MessageParam } from '../../protocol/content.js'
import type { SDKControlGetContextUsageResponse } from '../../protocol/control.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import type { Conversation } from '../conversation.js'
import { sessionSystemPrompt } from './init-message.js'

/** Characters per token, a rough mean over prose and code. */
const CHARACTERS_PER_TOKEN = 3.6

/**
 * Returns how the context window is used. Before the first answer, and after a compaction, the API is asked to count,
 * where it can.
 */
export async function measureContextUsage(
  conversation: Conversation,
  signal: AbortSignal,
): Promise<SDKControlGetContextUsageResponse> {
  const { tokens } = conversation.context
  if (tokens > 0) return usageOf(conversation, tokens, 'answer')
  const counted = await countedTokens(conversation, signal)
  return usageOf(conversation, counted ?? 0, counted === undefined ? 'estimate' : 'count_tokens')
}

async function countedTokens(conversation: Conversation, signal: AbortSignal): Promise<number | undefined> {
  const { history, model, offer } = conversation
  // The API counts conversations, and wants at least a word of the user.
  const messages: readonly MessageParam[] = history.messages.length > 0 ? history.messages : NOTHING_SAID
  const request = { system: sessionSystemPrompt(conversation), tools: offer.definitions(), messages, partial: false }
  return model.countTokens({ ...request, model: model.current() }, signal)
}

const NOTHING_SAID: readonly MessageParam[] = [{ role: 'user', content: [{ type: 'text', text: '.' }] }]

function usageOf(
  conversation: Conversation,
  known: number,
  counted: NonNullable<SDKControlGetContextUsageResponse['counted']>,
): SDKControlGetContextUsageResponse {
  const { shared, history } = conversation
  const { project } = shared
  const model = conversation.model.current()
  const maxTokens = conversation.model.contextWindow()
  const [ofServers, ofOurs] = split(conversation.offer.definitions(), ({ name }) => name.startsWith('mcp__'))
  const instructions = project.instructionsText(project.instructions)
  const files = instructions === '' || history.messages.length === 0 ? 0 : reminderText(instructions).length
  const lengths = [
    { id: 'system_prompt', name: 'System prompt', length: sessionSystemPrompt(conversation).join('\n').length },
    { id: 'system_tools', name: 'Tools', length: lengthOf(ofOurs) },
    { id: 'mcp_tools', name: 'MCP tools', length: lengthOf(ofServers) },
    { id: 'memory_files', name: 'Instructions', length: files },
    { id: 'messages', name: 'Messages', length: Math.max(0, lengthOf(history.messages) - files) },
  ]
  // Never 0: it is divided by.
  const all = lengths.reduce((sum, { length }) => sum + length, 1)
  const totalTokens = counted === 'estimate' ? Math.ceil(all / CHARACTERS_PER_TOKEN) : known
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
    counted,
  }
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

function lengthOf(items: readonly unknown[]): number {
  return items.length === 0 ? 0 : JSON.stringify(items).length
}
