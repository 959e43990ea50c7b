/** Whether a conversation has to be made shorter before it goes on. */
import { compactionLimit } from '../../compaction/compaction-limit.js'
import type { Conversation } from '../conversation.js'
import { compactNow } from './compact.js'

/** For the loop: true when the history was replaced. */
export async function makeRoom(
  conversation: Conversation,
  why: 'near' | 'too-long',
  signal: AbortSignal,
): Promise<boolean> {
  const { context, shared, model, history, ports } = conversation
  const limit = compactionLimit(model.contextWindow(), shared.live.env)
  if (limit === undefined || history.messages.length === 0 || ports.overBudget()) return false
  // One that failed is not tried again at every step.
  if (why === 'near' && (context.tokens < limit || context.tokens <= context.failedAt)) return false
  return compactNow(conversation, why, limit, signal)
}
