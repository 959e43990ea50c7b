/** The one result of background work that was canceled. No model hears of it. */
import { turnUsage } from '../../model/usage.js'
import type { Conversation } from '../conversation.js'
import { createResultMessage, totalsOf } from '../messages/result.js'
import type { CanceledBackgroundWork } from '../messages/user-message.js'

export async function reportCanceledBackgroundWork(
  conversation: Conversation,
  { reason, tasks, over }: CanceledBackgroundWork,
): Promise<void> {
  const { clock, identity } = conversation.shared.platform
  const started = clock.monotonic()
  await over
  const names = tasks.map(({ id, description }) => `${id} (${description})`)
  const result = createResultMessage(
    {
      reason: 'background_cancelled',
      text: '',
      errors: [`Background work was stopped, because ${reason}: ${names.join(', ')}`],
      errorCode: 'background_cancelled',
      numTurns: 0,
      durationMs: clock.monotonic() - started,
      usage: turnUsage([]),
      denials: [],
      pending: conversation.shared.background.pending(),
    },
    totalsOf(conversation.shared.ledger),
    conversation.shared.sessionId,
    identity.uuid(),
  )
  conversation.shared.results.count += 1
  conversation.shared.results.lastIsError = true
  await conversation.emitter.send(result)
}
