/** Results of what never became a turn: the session could not start, or a message could not be used. */
import { turnUsage } from '../model/usage.js'
import type { Platform } from '../platform/platform.js'
import type { SDKResultMessage } from '../protocol/messages.js'
import type { StartRefusal } from '../runtime/configuration.js'
import type { SharedSessionState } from '../runtime/conversation.js'
import { createResultMessage, totalsOf } from '../runtime/messages/result.js'

/**
 * Returns the `result` for a message that no session could be started for. `shared` of the session, once there is
 * one: what was spent and what still runs is told with every result.
 */
export function startRefusalResult(
  { code, reason }: Pick<StartRefusal, 'code' | 'reason'>,
  message: string,
  { identity }: Platform,
  shared?: SharedSessionState,
): SDKResultMessage {
  return createResultMessage(
    {
      reason,
      text: '',
      errors: [message],
      errorCode: code,
      numTurns: 0,
      durationMs: 0,
      usage: turnUsage([]),
      denials: [],
      ...(shared ? { pending: shared.background.pending() } : {}),
    },
    shared ? totalsOf(shared.ledger) : { apiMs: 0, costUsd: 0, modelUsage: {}, unpriced: [] },
    shared?.sessionId ?? identity.uuid(),
    identity.uuid(),
  )
}

/** Returns the result for a message that was rejected before it became a turn. It counts like any other result. */
export function refusedMessageResult(
  problem: string,
  shared: SharedSessionState,
  platform: Platform,
): SDKResultMessage {
  shared.results.count += 1
  shared.results.lastIsError = true
  return startRefusalResult({ code: 'invalid_input', reason: 'invalid_input' }, problem, platform, shared)
}
