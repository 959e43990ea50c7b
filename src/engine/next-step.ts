/** The whole policy of a turn: what happened last, and what follows. Pure; every row of it is a row of its test. */
import type { TerminalReason } from '../protocol/messages.js'
import type { SaveFailure } from './ports.js'

export const MAX_OUTPUT_RECOVERIES = 3

/** Where a turn stands after a response or after its tools. */
export type TurnSituation =
  /** A model request is over. */
  | {
      after: 'answer'
      aborted: boolean
      overBudget: boolean
      answer: /** `budgetSpent`: it was not sent, because there was no money left for it. */
        | { ok: false; budgetSpent: boolean }
        | { ok: true; stopReason: string | null; toolUses: number; empty: boolean; thoughtOnly?: boolean }
      /** Another model is there for what has happened. */
      fallbackAvailable: boolean
      yielding?: boolean
      recoveries: number
      /** The model was asked for an answer, because it had only thought. */
      urged?: boolean
      requests: number
      maxTurns: number | null
    }
  /** The tools of an answer have run, or were refused. */
  | {
      after: 'tools'
      /** Calls are left open: one waits for an answer, or the turn is to continue elsewhere. */
      parked: boolean
      /** The turn is to stop where another can continue. */
      yielding?: boolean
      /** What happened could not be kept: nothing more may be run or said. */
      notSaved?: SaveFailure | undefined
      aborted: boolean
      interrupted: boolean
      /** Nobody could be asked about a call, and that is to be an error. */
      nobodyToAsk: boolean
      hookStopped: boolean
      gaveUp: boolean
      overBudget: boolean
      requests: number
      maxTurns: number | null
    }
  /** The model has nothing left to do and the stop hooks have spoken. */
  | {
      after: 'stop-hooks'
      aborted: boolean
      prevented: boolean
      yielding?: boolean
      blocked: boolean
      gaveUp: boolean
      overBudget: boolean
      requests: number
      maxTurns: number | null
    }

export type NextTurnStep =
  | { go: 'request' }
  | { go: 'run-tools' }
  /** Answer every call of a cut-off message with an error, then continue. */
  | { go: 'refuse-cut-tools' }
  /** Ask the model to continue where it was cut off. */
  | { go: 'recover' }
  /** Ask for the answer that the model only thought about. */
  | { go: 'urge' }
  | { go: 'fall-back' }
  | { go: 'stop-hooks' }
  /** End the turn with calls left open, so that another can continue there. */
  | { go: 'park' }
  | { go: 'end'; reason: TerminalReason }

const end = (reason: TerminalReason): NextTurnStep => ({ go: 'end', reason })

/** Decides what a turn does next. */
export function decideNextTurnStep(situation: TurnSituation): NextTurnStep {
  switch (situation.after) {
    case 'answer':
      return afterAnswer(situation)
    case 'tools':
      if (situation.notSaved) return end(situation.notSaved)
      if (situation.parked) return { go: 'park' }
      if (situation.aborted) return end('aborted_tools')
      if (situation.interrupted) return end('interrupted_by_permission')
      if (situation.nobodyToAsk) return end('permission_required')
      if (situation.hookStopped) return end('hook_stopped')
      if (situation.gaveUp) return end('structured_output_retries_exhausted')
      return nextRequest(situation)
    case 'stop-hooks':
      if (situation.aborted) return end('aborted_streaming')
      if (situation.prevented) return end('stop_hook_prevented')
      if (situation.gaveUp) return end('structured_output_retries_exhausted')
      return situation.blocked ? nextRequest(situation) : end('completed')
  }
}

function afterAnswer(situation: TurnSituation & { after: 'answer' }): NextTurnStep {
  const { aborted, overBudget, answer, fallbackAvailable, recoveries } = situation
  if (aborted) return end('aborted_streaming')
  if (!answer.ok && answer.budgetSpent) return end('budget_exhausted')
  if (!answer.ok) return fallbackAvailable ? { go: 'fall-back' } : end('api_error')
  if (overBudget) return end('budget_exhausted')
  if (answer.stopReason === 'refusal') return fallbackAvailable ? { go: 'fall-back' } : end('refusal')
  if (isCut(answer)) {
    if (recoveries >= MAX_OUTPUT_RECOVERIES || !turnsLeft(situation)) return end('max_output_tokens')
    return answer.toolUses > 0 ? { go: 'refuse-cut-tools' } : { go: 'recover' }
  }
  if (answer.toolUses > 0) return { go: 'run-tools' }
  if (answer.empty) return end('empty_response')
  if (answer.stopReason === 'pause_turn') return nextRequest(situation)
  if (answer.thoughtOnly) return situation.urged || !turnsLeft(situation) ? end('empty_response') : { go: 'urge' }
  return { go: 'stop-hooks' }
}

/** A call of an answer that did not come to its end may be half of one, whatever it looks like. */
function isCut({ stopReason, toolUses }: { stopReason: string | null; toolUses: number }): boolean {
  if (stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded') return true
  return toolUses > 0 && stopReason !== 'tool_use' && stopReason !== 'end_turn'
}

function nextRequest(situation: {
  requests: number
  maxTurns: number | null
  overBudget: boolean
  yielding?: boolean
}): NextTurnStep {
  if (!turnsLeft(situation)) return end('max_turns')
  // Tools, sub-agents and hooks may have spent what was left.
  if (situation.overBudget) return end('budget_exhausted')
  return situation.yielding ? { go: 'park' } : { go: 'request' }
}

function turnsLeft({ requests, maxTurns }: { requests: number; maxTurns: number | null }): boolean {
  return maxTurns === null || requests < maxTurns
}
