/** The one result of a turn that no agent has ended. Pure. */
import { turnUsage } from '../../model/usage.js'
import type { UUID } from '../../protocol/content.js'
import type { SDKResultError } from '../../protocol/messages.js'

export type TurnEndedWithoutAgent = {
  session: string
  uuid: UUID
  why: 'interrupted' | 'worker_crashed' | 'agent_failed'
  /** What went wrong, where that is known. */
  text?: string
  /** The session's total so far. */
  costUsd: number
}

const TEXTS = {
  interrupted: 'The turn was interrupted before it had ended.',
  worker_crashed: 'Five workers in a row ended while they had this prompt.',
  agent_failed: 'The agent could not start.',
} as const

/** Returns the sentence that names the call which crashed workers. `undefined` if no call is the cause. */
export function crashText(call: string | undefined): string | undefined {
  return call && `Five workers in a row ended while they ran this call, so it isn't run again: ${call}`
}

export function createTurnErrorResult({ session, uuid, why, text, costUsd }: TurnEndedWithoutAgent): SDKResultError {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    session_id: session,
    uuid,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: turnUsage([]),
    modelUsage: {},
    permission_denials: [],
    errors: [text ?? TEXTS[why]],
    session_total_cost_usd: costUsd,
    ...(why === 'interrupted'
      ? { terminal_reason: 'aborted_tools' }
      : { terminal_reason: 'internal_error', error_code: why }),
  }
}
