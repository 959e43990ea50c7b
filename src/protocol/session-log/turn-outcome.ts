/** How a turn ended, as its result tells it: the same for lists, views and the hub. */
import type { SDKResultMessage } from '../messages.js'

/** `stopped`: a user ended it. */
export type TurnOutcome = 'done' | 'stopped' | 'failed'

/** A turn that a user stopped didn't fail. */
export function turnOutcome({
  is_error: isError,
  terminal_reason: reason,
}: Pick<SDKResultMessage, 'is_error' | 'terminal_reason'>): TurnOutcome {
  if (/^(?:aborted|interrupted)/.test(reason ?? '')) return 'stopped'
  return isError ? 'failed' : 'done'
}

/** What lists show of it: only a failure is worth a mark. */
export function failedTurnMark(result: SDKResultMessage): 'failed' | undefined {
  return turnOutcome(result) === 'failed' ? 'failed' : undefined
}
