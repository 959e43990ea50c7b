/** Whether and when a failed request is made again: a pure policy over what is known about the failure. */

/** Longer waits are the user's to decide about: the turn fails and names the wait. */
export const MAX_RETRY_AFTER_MS = 600_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 32_000

export type RetryFacts = {
  retriable: boolean
  overloaded: boolean
  /** The least the server wants us to wait. */
  retryAfterMs: number | null
  /** The answer broke off, as opposed to being refused: nothing speaks against asking again at once. */
  cut: boolean
  /** What came was no answer the API gives. */
  malformed?: boolean
}

export type RetryState = {
  /** Made so far for this request. */
  retries: number
  maxRetries: number
  /** Overloaded answers so far, this one included. */
  overloadedAnswers: number
  /** How many of them the caller bears before it turns to another model. */
  overloadedLimit: number
  /** Malformed answers so far, this one included. */
  malformedAnswers: number
  /** Content was announced and then lost: the one repetition without streaming is always due. */
  owesRepeat: boolean
  /** 0 to 1. */
  random: number
}

export type RetryDecision =
  | { do: 'fail' }
  | { do: 'give up waiting' }
  | { do: 'give up the model' }
  | { do: 'retry'; delayMs: number }

export function decideRetry(facts: RetryFacts, state: RetryState): RetryDecision {
  if (!facts.retriable) return { do: 'fail' }
  if ((facts.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) return { do: 'give up waiting' }
  if (facts.overloaded && state.overloadedAnswers >= state.overloadedLimit) return { do: 'give up the model' }
  if (facts.malformed && state.malformedAnswers > 1) return { do: 'fail' }
  if (state.owesRepeat && facts.cut) return { do: 'retry', delayMs: 0 }
  if (!state.owesRepeat && state.retries >= state.maxRetries) return { do: 'fail' }
  return { do: 'retry', delayMs: Math.max(computeRetryDelayMs(state.retries, state.random), facts.retryAfterMs ?? 0) }
}

/** Doubling, a quarter more or less so that many clients don't come back at once. */
export function computeRetryDelayMs(retries: number, random: number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** retries, LONGEST_WAIT_MS)
  return Math.round(wait * (0.75 + random * 0.5))
}

/**
 * Returns whether a response with this HTTP status is worth another try. `x-should-retry` can stop a retry, and cause
 * one for statuses that say nothing either way.
 */
export function isRetriableStatus(status: number, shouldRetry: string | undefined): boolean {
  if ([400, 401, 402, 403, 404, 413].includes(status)) return false
  if (shouldRetry === 'true') return true
  if (shouldRetry === 'false') return false
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/** Milliseconds from now; a time in the past is 0; null when nothing readable was said. */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const milliseconds = readNumber(headers['retry-after-ms'])
  if (milliseconds !== null) return milliseconds
  const value = headers['retry-after']
  if (value === undefined) return null
  const seconds = readNumber(value)
  if (seconds !== null) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

function readNumber(value: string | undefined): number | null {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}
