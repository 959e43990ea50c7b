/** What is done about a failure, thought about once more by whoever watches. */
import type { ModelFailure, ModelRequestHooks } from '../../engine/ports.js'
import { computeRetryDelayMs, type RetryDecision } from './retry.js'

type Failed = { retries: number; maxRetries: number; model: string; failure: ModelFailure; random: number }

/** However often somebody wants it. */
const MOST_RETRIES = 100

export async function applyBeforeRetryHook(
  decision: RetryDecision,
  { retries, maxRetries, model, failure, random }: Failed,
  beforeRetry: NonNullable<ModelRequestHooks['beforeRetry']>,
  signal: AbortSignal,
): Promise<RetryDecision> {
  const willRetry = decision.do === 'retry'
  const delayMs = willRetry ? decision.delayMs : computeRetryDelayMs(retries, random)
  const planned = { attempt: retries + 1, maxRetries, delayMs, willRetry }
  const wish = await beforeRetry({ model, error: failure.code, status: failure.status, ...planned }, signal)
  if (wish.retry === false) return willRetry ? { do: 'fail' } : decision
  if (!willRetry && !(wish.retry && retries < MOST_RETRIES)) return decision
  return { do: 'retry', delayMs: wish.delayMs ?? delayMs }
}
