/** How a turn of a run ends. Pure. */
import { KedgeError } from '../../errors.js'
import type { SDKResultMessage } from '../../protocol/messages.js'

/** Results that don't belong to a prompt: the turn continues elsewhere, or later. */
const UNFINISHED = ['waiting', 'yielded'] as const
const TAKEN = ['session_taken_over', 'session_store_failed', 'session_fenced', 'session_in_use']

export type RunTurnEnd =
  | { kind: 'finished'; result: SDKResultMessage }
  | { kind: (typeof UNFINISHED)[number] }
  /** Another worker has the session, or its owner is unknown. */
  | { kind: 'lost' }
  | { kind: 'failed'; error: unknown }

export function toTurnEnd(result: SDKResultMessage): RunTurnEnd {
  const unfinished = UNFINISHED.find((reason) => reason === result.terminal_reason)
  if (unfinished) return { kind: unfinished }
  return TAKEN.includes(result.error_code ?? '') ? { kind: 'lost' } : { kind: 'finished', result }
}

/** `failure`: why the agent ended, or could not start; undefined if it ended on its own. */
export function toTurnEndWithoutResult(failure: unknown): RunTurnEnd {
  const isLost = failure === undefined || (KedgeError.isInstance(failure) && TAKEN.includes(failure.code))
  return isLost ? { kind: 'lost' } : { kind: 'failed', error: failure }
}
