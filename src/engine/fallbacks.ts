/** Models to turn to when one fails, in order, each with what it is meant for. Pure. */
import type { FallbackReason } from '../protocol/option-table/fallback-reasons.js'

export type { FallbackReason }

export type Fallback = {
  model: string
  on: readonly FallbackReason[]
  /** The model before it is left alone for a while after several failures, not only for the rest of the turn. */
  leaveAlone?: true
}

/**
 * Returns the reason to use another model after a failure. Undefined: another model would fail in the same way, or
 * must not be asked.
 */
export function fallbackReason({ code }: { code: string }): FallbackReason | undefined {
  switch (code) {
    case 'overloaded':
      return 'overloaded'
    case 'rate_limited':
    // Money is a limit too: it comes back later than the others.
    case 'billing':
      return 'rate_limited'
    case 'connection_failed':
    case 'timeout':
    case 'server_error':
    case 'unexpected_response':
      return 'down'
    case 'prompt_too_long':
    case 'request_too_large':
      return 'too_long'
    default:
      return undefined
  }
}

/** The place of the first one behind `at` that is meant for this; undefined: there is none. */
export function nextFallbackIndexForReason(
  fallbacks: readonly Fallback[],
  at: number,
  reason: FallbackReason | undefined,
): number | undefined {
  if (reason === undefined) return undefined
  const found = fallbacks.findIndex(({ on }, index) => index > at && on.includes(reason))
  return found < 0 ? undefined : found
}

export type FallbackSwitchReasons = {
  /** What the models behind the one in use are there for. */
  switchOn?: readonly FallbackReason[]
  /** The reasons in `switchOn` after which the model in use is also left alone for a while. */
  leaveAloneOn?: readonly FallbackReason[]
}

export function laterFallbackReasons(fallbacks: readonly Fallback[], at: number): FallbackSwitchReasons {
  const behind = fallbacks.slice(at + 1)
  if (behind.length === 0) return {}
  const reasons = (some: readonly Fallback[]) => [...new Set(some.flatMap(({ on }) => on))]
  const leaveAloneOn = reasons(behind.filter(({ leaveAlone }) => leaveAlone))
  return { switchOn: reasons(behind), ...(leaveAloneOn.length > 0 && { leaveAloneOn }) }
}
