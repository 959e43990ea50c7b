/**
 * Which models have failed so often lately that they are left alone for a while, if there is another one to ask. Shared by the sessions
 * of a process: what one has learned, the others need not try.
 */
import { fallbackReason } from '../../engine/fallbacks.js'
import type { ModelFailure } from '../../engine/ports.js'
import type { Clock } from '../../platform/clock.js'
import type { FallbackReason } from '../../protocol/option-table/fallback-reasons.js'

export interface CircuitBreaker {
  /** Why it should not be asked now; undefined: it may be. One request is let through when the time is over, to see. */
  heldBack(model: string, on: readonly FallbackReason[]): ModelFailure | undefined
  succeeded(model: string): void
  failed(model: string, failure: ModelFailure, retryAfterMs: number | null): void
}

type State = { failures: number; failure: ModelFailure; openUntil: number; isProbed: boolean }

const MOST_FAILURES = 3
const REST_MS = 30_000
/** Money does not come back in seconds. */
const MONEY_REST_MS = 300_000

export function createCircuitBreaker(clock: Pick<Clock, 'monotonic'>): CircuitBreaker {
  const states = new Map<string, State>()
  return {
    heldBack(model, on) {
      const state = states.get(model)
      if (!state || state.failures < MOST_FAILURES) return undefined
      const reason = fallbackReason(state.failure)
      if (reason === undefined || !on.includes(reason)) return undefined
      const left = state.openUntil - clock.monotonic()
      if (left <= 0 && !state.isProbed) {
        state.isProbed = true
        return undefined
      }
      const seconds = Math.ceil(Math.max(0, left) / 1000)
      const text = `${state.failure.text}\nIt failed several times: it is left alone for ${seconds} s.`
      return { ...state.failure, text }
    },
    succeeded: (model) => void states.delete(model),
    failed(model, failure, retryAfterMs) {
      const reason = fallbackReason(failure)
      if (reason !== 'overloaded' && reason !== 'rate_limited' && reason !== 'down') return
      const isMoney = failure.code === 'billing'
      const failures = isMoney ? MOST_FAILURES : (states.get(model)?.failures ?? 0) + 1
      const rest = retryAfterMs ?? (isMoney ? MONEY_REST_MS : REST_MS)
      states.set(model, { failures, failure, openUntil: clock.monotonic() + rest, isProbed: false })
    },
  }
}
