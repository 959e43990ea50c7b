/** Whether a conversation has to be made shorter before it continues. */
import { compactionLimit } from '../../compaction/compaction-limit.js'
import type { Conversation } from '../conversation.js'

/** The share of the limit by which a conversation must grow after a compaction that freed too little, before the next one. */
const ROOM = 0.25

/** Summarizes the conversation to make room in the context window. For the loop: true when the history was replaced. */
export async function makeRoomInContext(
  conversation: Conversation,
  why: 'near' | 'too-long',
  signal: AbortSignal,
): Promise<boolean> {
  const { context, shared, model, history, ports } = conversation
  const limit = compactionLimit(model.contextWindow(), shared.live.env)
  if (limit === undefined || history.messages.length === 0 || ports.overBudget()) return false
  const isFull = context.tokens >= limit
  // If the system prompt, rules, and files alone exceed the limit, every step would start another compaction.
  if (why === 'near' && isFull && context.compacted && context.tokens > 0) {
    context.failedAt = Math.min(context.tokens + limit * ROOM, (limit + model.contextWindow()) / 2)
  }
  if (context.tokens > 0) context.compacted = false
  // One that failed is not tried again at every step.
  if (why === 'near' && (!isFull || context.tokens <= context.failedAt)) return false
  // Loaded late, because most sessions don't need it.
  const { compactNow } = await import('./compact.js')
  return compactNow(conversation, why, limit, signal)
}
